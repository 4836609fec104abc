"""Hostile input: whatever a file or a command holds, the answer is one line, soon."""

import io
import os
import subprocess
import sys
import time

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from antdoku import cli, config, tables
from antdoku.errors import InputError
from antdoku.instances import archive
from antdoku.outcome import STATUSES
from antdoku.puzzle import files
from antdoku.record import COLUMNS, RUN_COLUMNS

EXAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
EXAMPLES = int(os.environ.get("ANTDOKU_EXAMPLES", 100))
many = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def refused(call, *arguments):
    """The one line with which a reader refuses its input, within a second; None if it takes it."""
    begin = time.process_time()
    try:
        call(*arguments)
        message = None
    except InputError as error:
        message = str(error)
        assert len(message.splitlines()) == 1
    assert time.process_time() - begin < 1
    return message


# --- Files that are no files ---------------------------------------------------------------------


def huge(path):
    with open(path, "wb") as stream:
        stream.truncate(10**9)


def loop(path):
    path.symlink_to(path.name)


def dots(path):
    """One row with 60 million characters: 2 kB."""
    parquet.write_table(pa.table({"puzzle": ["." * 60_000_000]}), path, compression="zstd")


def repeated(text, column):
    """A writer of 200,000 rows with the same text, which stands in the file once."""

    def write(path):
        rows = pa.DictionaryArray.from_arrays(pa.array([0] * 200_000, "int32"), pa.array([text]))
        puzzles = pa.array([EXAMPLE] * 200_000).dictionary_encode()
        table = pa.table({"puzzle": puzzles, column: rows})
        parquet.write_table(table, path, compression="zstd", store_schema=False)

    return write


def prefixes(path):
    """Each row is told by how much of the one before it keeps."""
    table = pa.table({"puzzle": ["." * length for length in range(2000)]})
    encodings = {"puzzle": "DELTA_BYTE_ARRAY"}
    parquet.write_table(table, path, use_dictionary=False, column_encoding=encodings)


def footer(path):
    """A gigabyte that says that all of it describes the columns."""
    huge(path)
    with open(path, "r+b") as stream:
        stream.write(b"PAR1")
        stream.seek(-8, os.SEEK_END)
        stream.write((10**9 - 12).to_bytes(4, "little") + b"PAR1")


def blobs(path):
    """No value at all, of a type of which each takes 100 MB."""
    table = pa.table({"puzzle": [EXAMPLE], "name": pa.array([None], pa.binary(10**8))})
    parquet.write_table(table, path)


BOMBS = {
    "dots": (dots, "more than the allowed 20 MB of text: split the file"),
    "value": (repeated("." * 10**6, "name"), "column 'name': a text of 1000000 bytes"),
    "dotted": (repeated("." * 10**6, "puzzle.x"), "column 'puzzle.x': a text of 1000000 bytes"),
    "values": (repeated("#" * 60_000, "name"), "more than the allowed 20 MB of text"),
    "wide": (repeated("\U0001f600" + "x" * 40_000, "name"), "column 'name': a text of 160004 b"),
    "prefixes": (prefixes, "column 'puzzle' is in the encoding DELTA_BYTE_ARRAY: write it as"),
    "footer": (footer, "more than the allowed 2000000 bytes to describe"),
    "blobs": (blobs, "column 'name' holds 'fixed_size_binary[100000000]': allowed are text,"),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_small_table_that_would_fill_the_memory_is_refused(tmp_path, bomb):
    write, words = BOMBS[bomb]
    write(tmp_path / "x.parquet")
    assert words in refused(files.read_file, tmp_path / "x.parquet")


VALUES = {
    "days": pa.array([2**30], "int32").cast(pa.date32()),
    "zone": pa.array([0]).cast(pa.timestamp("s", "Nowhere/X")),
    "year": pa.array([2**58]).cast(pa.timestamp("ms")),
    "bytes": pa.array([b"\xff"]).view(pa.string()),
}


@pytest.mark.parametrize("kind", VALUES)
def test_values_that_python_cannot_hold_are_refused(tmp_path, kind):
    table = pa.table({"puzzle": [EXAMPLE], "name": VALUES[kind]})
    parquet.write_table(table, tmp_path / "x.parquet")
    assert "x.parquet: cannot be read: " in refused(files.read_file, tmp_path / "x.parquet")


def test_columns_with_line_ends_in_their_names(tmp_path):
    parquet.write_table(pa.table({"a\nb": [1], "\u2028": [2]}), tmp_path / "x.parquet")
    message = refused(files.read_file, tmp_path / "x.parquet")
    assert message.endswith(r"no column 'puzzle'; columns: 'a\nb, \u2028'")


def test_a_table_with_a_million_columns(tmp_path):
    (tmp_path / "x.csv").write_text("puzzle" + "," * 10**6 + f"\n{EXAMPLE}" * 1000 + "\nx")
    assert "row 1001:1: 1 cell" in refused(files.read_file, tmp_path / "x.csv")


PATHS = {"huge": huge, "loop": loop, "folder": os.mkdir, "pipe": os.mkfifo}
READERS = {
    "puzzle.txt": files.read_file,
    "puzzle.csv": files.read_file,
    "puzzle.parquet": files.read_file,
}


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes with names")
@pytest.mark.parametrize("kind", PATHS)
@pytest.mark.parametrize("name", READERS)
def test_what_is_no_ordinary_file_is_refused(tmp_path, kind, name):
    path = tmp_path / name
    PATHS[kind](path)
    message = refused(READERS[name], path)
    assert message and str(path) in message


@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded on Linux")
def test_a_gigabyte_is_refused_in_200_megabytes(tmp_path):
    for name in READERS:
        huge(tmp_path / name)
    names = [*READERS, *(f"{bomb}.parquet" for bomb in BOMBS)]
    for bomb, (write, _) in BOMBS.items():
        write(tmp_path / f"{bomb}.parquet")
    code = (
        "import sys, pyarrow.parquet; from antdoku import config, errors;"
        "from antdoku.puzzle import files, forms; from antdoku.runs import worker\n"
        "worker.bound_memory(200)\n"
        "for name in sys.argv[1:]:\n"
        "    reader = config.read if name.endswith('yaml') else files.read_file\n"
        "    try:\n        reader(name)\n    except errors.InputError:\n        print('refused')"
    )
    command = [sys.executable, "-c", code, *names]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == "refused\n" * len(names), done.stderr


def test_an_instance_folder_leads_nowhere_else(tmp_path):
    secret, folder = tmp_path / "secret.txt", tmp_path / "archive"
    secret.write_text("password\n")
    folder.mkdir()
    (folder / "inst9x9_45_0.txt").symlink_to(secret)
    with pytest.raises(InputError, match="a link that leads out of the folder") as caught:
        archive.archive_family(folder, 3, 0.45, 1)
    assert "password" not in str(caught.value)


def test_names_in_a_table_are_no_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    name = "../../outside"
    table = pd.DataFrame({"instance_id": [name], "family": [name], "puzzle": [EXAMPLE]})
    table.to_parquet(folder / "puzzles.parquet")
    output = folder / "runs.parquet"
    command = ["run", folder / "puzzles.parquet", "--solver", "bs", "--max-steps", 1, "-o", output]
    assert cli.main([str(word) for word in command]) == 0
    assert sorted(os.listdir(tmp_path)) == ["a"]
    assert sorted(os.listdir(tmp_path / "a")) == ["b"]
    assert sorted(os.listdir(folder)) == ["puzzles.parquet", "runs.parquet"]


# --- Configuration -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: " + "[" * 2000 + "]" * 2000, "nested too deeply"),
        ("a: " + "{a: " * 2000, "nested too deeply"),
        ("a: &a [*a]", "nested too deeply"),
        ("a: !!python/object/apply:os.system [echo]", "not valid YAML"),
        ("a: \0", "not valid YAML"),
        ("a: " + "9" * 5000, "not valid YAML"),
        ("\ufeffname: x".encode("utf-16"), "not valid YAML"),
    ],
    ids=["lists", "maps", "itself", "code", "nul", "digits", "utf-16"],
)
def test_a_hostile_configuration_is_refused(tmp_path, text, words):
    file = tmp_path / "mine.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert words in refused(config.read, file)


def test_a_configuration_with_windows_line_ends(tmp_path):
    (tmp_path / "mine.yaml").write_bytes(b"name: x\r\nseed: 3\r\n")
    assert config.read(tmp_path / "mine.yaml") == {"name": "x", "seed": 3}


@many
@given(st.binary(max_size=60) | st.text("ab:-[]{}&*!?|>'\"#%@ \n\t0.", max_size=60).map(str.encode))
def test_any_configuration_is_read_or_refused(tmp_path, data):
    (tmp_path / "mine.yaml").write_bytes(data)
    refused(config.read, tmp_path / "mine.yaml")


# --- Tables --------------------------------------------------------------------------------------

COLUMN = st.sampled_from(
    [[1], [1.5], ["x"], [None], [True], [[1, 2]], [{"a": 1}], [b"\xff"], [pd.Timestamp(0)]]
)


@many
@given(
    st.dictionaries(st.sampled_from([*COLUMNS, "other"]), COLUMN),
    st.sampled_from([COLUMNS, RUN_COLUMNS]),
)
def test_any_parquet_file_is_a_runs_table_or_refused(tmp_path, wrong, columns):
    good = pd.DataFrame({name: [0] for name in columns}).astype(columns)
    content = {"status": [STATUSES[0]]} | wrong
    table = good.assign(**{name: pd.Series(value) for name, value in content.items()})
    table.to_parquet(tmp_path / "runs.parquet")
    message = refused(tables.read_runs, tmp_path / "runs.parquet")
    if columns is RUN_COLUMNS or {"other", "status"} & set(wrong):
        assert message


@many
@given(st.dictionaries(st.sampled_from([*files.TABLE_COLUMNS, "other"]), COLUMN, min_size=1))
def test_any_parquet_file_is_puzzles_or_refused(tmp_path, columns):
    pd.DataFrame({name: pd.Series(v) for name, v in columns.items()}).to_parquet(
        tmp_path / "puzzles.parquet"
    )
    assert refused(files.read_file, tmp_path / "puzzles.parquet")


# --- Command line --------------------------------------------------------------------------------

WORDS = st.sampled_from(
    [
        *("solve", "count", "check", "run", "generate", "solvers", EXAMPLE, "-", "--", "1", "0"),
        *("--solver", "dlx", "acs", "--param", "m=1", "m=x", "=", "--timeout", "0.01", "nan"),
        *("--max-steps", "--seed", "--limit", "--json", "--order", "3", "--fixed", "0.5"),
        *("--repetitions", "--jobs", "-o", "no/x.parquet", "named:", "named:soto/../x", "-h"),
        *("../../etc", "\0", "\udcff", "-1 ", "", " ", "é", "9" * 30, "-9" * 30),
    ]
)


@settings(many, max_examples=min(EXAMPLES, 1000))
@given(st.lists(WORDS | st.text(max_size=5), max_size=7))
def test_any_command_ends_with_one_line_at_most(tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    if words[:1] == ["bench"]:
        return
    status = cli.main(words)
    complaint = capsys.readouterr().err
    assert status in (0, 1, 2)
    assert "Traceback" not in complaint
    assert status != 2 or complaint.count("\n") == 1
