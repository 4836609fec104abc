"""Coverage-guided fuzzing of every reader: ``python tests/fuzz.py SECONDS``, or `make fuzz`.

Needs atheris. Stops at the first input that is neither read nor refused with an `InputError` of one
line, or that takes half a minute, and leaves it in a file.
"""

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["antdoku", "yaml", "csv"]):
    from conftest import format_archive, format_grid

    from antdoku.errors import InputError
    from antdoku.puzzle import forms
    from antdoku.puzzle.reading import read

EXAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
WRITERS = (forms.format_line, forms.format_integers, format_grid, format_archive)
FOLDER, SEEDS = Path(tempfile.mkdtemp()), Path(tempfile.mkdtemp())


def round_trip(path):
    """What is read as a puzzle reads back from each of its forms, or may be in other symbols."""
    for puzzle in read(path):
        for write in WRITERS:
            try:
                assert forms.read_puzzles(write(puzzle)) == [puzzle]
            except InputError as error:
                assert " may be in " in str(error)


# With texts that the inputs are made of at first.
READERS = (
    ("x.txt", round_trip, [write(read(EXAMPLE)[0]) for write in WRITERS]),
    ("x.csv", round_trip, [f"puzzle,name\n{EXAMPLE},x\n"]),
    ("x.sdk", round_trip, [f"#Dx\n[Puzzle]\n{EXAMPLE}\n[State]\n"]),
    ("x.jsonl", round_trip, [f'{{"puzzle": "{EXAMPLE}", "solution": [1, 2]}}\n']),
    ("x.parquet", read, ["PAR1"]),
)


def try_reader(data):
    """Give `data` to the reader that its first byte chooses."""
    name, reader, _ = READERS[(data or b"\0")[0] % len(READERS)]
    (FOLDER / name).write_bytes(data[1:])
    try:
        reader(FOLDER / name)
    except InputError as error:
        assert len(str(error).splitlines()) == 1


if __name__ == "__main__":
    for number, (_, _, texts) in enumerate(READERS):
        for text in texts:
            (SEEDS / f"{number}-{len(text)}").write_text(chr(number) + text)
    seconds = sys.argv[1] if len(sys.argv) > 1 else "600"
    options = [f"-max_total_time={seconds}", "-timeout=30", "-max_len=4096", str(SEEDS)]
    atheris.Setup([sys.argv[0], *options], try_reader)
    atheris.Fuzz()
