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
    log = tmp_path / "log"
    code = "from antdoku.errors import logged\n"
    code += "from antdoku.instances.recipes import make\n"
    code += f"with logged({str(log)!r}):\n"
    code += (
        "    make({'by': 'archive', 'folder': '/nowhere', 'order': 3, 'fixed': 0.5, 'count': 1})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == ""
    (line,) = log.read_text().splitlines()
    assert line.startswith("antdoku: error: /nowhere: ")
