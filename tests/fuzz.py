"""Coverage-guided fuzzing of every reader: ``python tests/fuzz.py SECONDS``, or `make fuzz`.

Needs atheris. Stops at the first input that is neither read nor refused with an `InputError` of one
line, or that takes more than a second or 200 megabytes, and leaves it in a file.
"""

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["antdoku", "yaml", "csv"]):
    from antdoku import config
    from antdoku.errors import InputError
    from antdoku.puzzle import files, forms

EXAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
WRITERS = (forms.format_line, forms.format_integers, forms.format_grid)
FOLDER = Path(tempfile.mkdtemp())


def read(data):
    """Give `data` to the reader that its first byte chooses."""
    name, reader = READERS[data[0] % len(READERS)]
    (FOLDER / name).write_bytes(data[1:])
    try:
        reader(FOLDER / name)
    except InputError as error:
        assert len(str(error).splitlines()) == 1


def round_trip(path):
    """What is read as a puzzle reads back from each of its forms."""
    for puzzle in files.read_file(path):
        for write in (*WRITERS, forms.format_archive):
            (again,) = forms.read_puzzles(write(puzzle))
            assert (again.givens == puzzle.givens).all()


READERS = (
    ("x.txt", round_trip),
    ("x.csv", round_trip),
    ("x.parquet", files.read_file),
    ("x.yaml", config.read),
)


def seeds():
    """Write what the inputs are made of at first."""
    folder = Path(tempfile.mkdtemp())
    values = forms.read_puzzles(EXAMPLE)[0].givens
    texts = [write(values) for write in (*WRITERS, forms.format_archive)]
    contents = [b"\0" + text.encode() for text in texts]
    contents += [b"\1puzzle,name\n" + EXAMPLE.encode() + b",x\n", b"\2PAR1"]
    contents += [b"\3name: x\nlewis: {random: null}\nexperiments: [soto, lewis]\n"]
    for number, content in enumerate(contents):
        (folder / str(number)).write_bytes(content)
    return folder


if __name__ == "__main__":
    seconds = sys.argv[1] if len(sys.argv) > 1 else "600"
    limits = ["-timeout=1", "-malloc_limit_mb=200", "-rss_limit_mb=1000", "-max_len=4096"]
    options = [f"-max_total_time={seconds}", "-print_final_stats=1", *limits, str(seeds())]
    atheris.Setup([sys.argv[0], *options], lambda data: read(data) if data else None)
    atheris.Fuzz()
