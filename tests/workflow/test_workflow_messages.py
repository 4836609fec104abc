"""What the workflow says about bad input: one line, whatever stands in it."""

import errno
import subprocess
import sys

import pytest

from antdoku.errors import InputError, one_line_errors


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
    code = (
        "from antdoku import errors, solvers\nwith errors.logged('log'):\n    solvers.get('nobody')"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True)
    assert (done.returncode, done.stderr) == (2, b"")
    (line,) = (tmp_path / "log").read_text().splitlines()
    assert line.startswith("antdoku: error: unknown solver 'nobody'")
