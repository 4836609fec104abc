"""Clumsy input: whatever a file or a command holds, the answer is one line."""

import errno
import io
import os
import pickle
import subprocess
import sys

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from antdoku import cli, tables
from antdoku.columns import COLUMNS, RUN_COLUMNS
from antdoku.errors import InputError, one_line_errors
from antdoku.outcome import STATUSES
from antdoku.reading.sources import read

EXAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
EXAMPLES = int(os.environ.get("ANTDOKU_EXAMPLES", 100))
FIXTURES = [HealthCheck.function_scoped_fixture]
clumsy = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=FIXTURES)


def refused(call, *arguments):
    """The one line with which a reader refuses its input; None if it takes it."""
    try:
        call(*arguments)
    except InputError as error:
        assert len(str(error).splitlines()) == 1
        return str(error)
    return None


@pytest.mark.parametrize(
    "error, text",
    [
        (InputError("no puzzle"), "no puzzle"),
        (InputError("no puzzle", "in.txt"), "in.txt: no puzzle"),
        (InputError("5 cells", "in.txt", 3, "write a dot"), "in.txt:3: 5 cells; write a dot"),
        (InputError("5 cells", "in.csv", "row 3"), "in.csv: row 3: 5 cells"),
        (InputError("5 cells", line=3), "line 3: 5 cells"),
        (InputError("5 cells", line=3).at("in.txt"), "in.txt:3: 5 cells"),
        (InputError("unknown", "claim 2").at("claims.yaml", 7), "claims.yaml:7: claim 2: unknown"),
    ],
)
def test_an_error_names_its_place_also_in_another_process(error, text):
    assert str(error) == text
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == text
    assert (again.what, again.place, again.line, again.remedy) == error.args


@pytest.mark.parametrize("name", ["puzzle", "puzzle.txt", "puzzle.csv", "puzzle.parquet"])
def test_what_is_no_ordinary_file_is_refused(tmp_path, name):
    missing, loop, folder = (tmp_path / kind / name for kind in ("missing", "loop", "folder"))
    folder.mkdir(parents=True)
    loop.parent.mkdir()
    loop.symlink_to(name)
    for path in (missing, loop, folder):
        assert refused(read, path).startswith(f"{path}: ")


# --- Tables --------------------------------------------------------------------------------------

COLUMN = st.sampled_from(
    [[1], [1.5], ["x"], [None], [True], [[1, 2]], [{"a": 1}], [b"\xff"], [pd.Timestamp(0)]]
)


@clumsy
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
    if columns is RUN_COLUMNS or "status" in wrong:
        assert message


@clumsy
@given(st.dictionaries(st.sampled_from(["name", "puzzle", "solution", "x"]), COLUMN, min_size=1))
def test_any_parquet_file_is_puzzles_or_refused(tmp_path, columns):
    file = tmp_path / "puzzles.parquet"
    pd.DataFrame({name: pd.Series(value) for name, value in columns.items()}).to_parquet(file)
    assert refused(read, file)


# --- Command line --------------------------------------------------------------------------------

WORDS = st.sampled_from(
    [
        *("solve", "count", "check", "run", "generate", "solvers", EXAMPLE, "-", "--", "1", "0"),
        *("--solver", "dlx", "acs", "--param", "m=1", "m=x", "=", "--timeout", "0.01", "nan"),
        *("--max-steps", "--seed", "--limit", "--json", "--order", "3", "--fixed", "0.5"),
        *("--skip-bad", "--unique", "--list", "--size", "9", "--clues", "24", "--minimal"),
        *("--repetitions", "--jobs", "-o", "no/x.parquet", "--draw", "named:", "-h"),
        *("named:soto/../x", "../../etc", "\0", "\udcff", "-1 ", "", " ", "é", "9" * 30, "-9" * 30),
    ]
)


@settings(clumsy, max_examples=min(EXAMPLES, 1000))
@given(st.lists(WORDS | st.text(max_size=5), max_size=7))
def test_any_command_ends_with_one_line_at_most(tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO())))
    status = cli.main(words)
    complaint = capsys.readouterr().err
    assert status in (0, 1, 2)
    assert "Traceback" not in complaint
    assert status != 2 or complaint.count("\n") == 1


# --- Messages ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (InputError("a\nb: \x1b[2Jc"), "a b: \\x1b[2Jc"),
        (InputError("\ud800"), "\\ud800"),
        (OSError(errno.ENOSPC, "No space left", "x\ny"), "x y: No space left"),
    ],
)
def test_a_message_is_one_line_that_a_terminal_can_show(error, line, capsys):
    with pytest.raises(SystemExit) as caught, one_line_errors():
        raise error
    assert caught.value.code == 2
    assert capsys.readouterr().err == f"antdoku: error: {line}\n"


def test_bad_input_of_a_script_is_one_line_in_its_log(tmp_path):
    code = "from antdoku import errors, solvers\n"
    code += "with errors.logged('log'):\n    solvers.get('nobody')"
    process = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True)
    assert (process.returncode, process.stderr) == (2, b"")
    (line,) = (tmp_path / "log").read_text().splitlines()
    assert line.startswith("antdoku: error: unknown solver 'nobody'")


FULL = "OSError(28, 'No space left on device'"


@pytest.mark.parametrize(
    ("work", "place"),
    [
        ("print('x')", "/dev/full"),
        (f"raise {FULL}, 'results/x.csv')", "results/x.csv"),
        (f"raise {FULL})", "/dev/full"),
        (f"raise KeyError('while it handles this') from {FULL}, 'x.pdf')", "x.pdf"),
    ],
)
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_script_on_a_full_disk_says_so_on_the_terminal(work, place):
    code = f"from antdoku import errors\nwith errors.logged('/dev/full'):\n    {work}"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert process.returncode == 2
    assert process.stderr == f"antdoku: error: {place}: No space left on device\n"
