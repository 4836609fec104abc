"""The folders of machine code: an edit never runs old code, and few edits compile again."""

import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import antdoku
from antdoku.kernels import compilation

PACKAGE = Path(antdoku.__file__).parent
CALL = "from antdoku.solvers._two import f; print(f(1), *f.stats.cache_hits.values())"


def test_only_kernels_that_import_an_edited_file_are_compiled_again(tmp_path):
    package = shutil.copytree(PACKAGE, tmp_path / "antdoku")

    def write(module, text):
        (package / "solvers" / f"{module}.py").write_text(text)

    def called():
        variables = {
            "PYTHONPATH": str(tmp_path),
            "XDG_CACHE_HOME": str(tmp_path),
            "NUMBA_CACHE_DIR": "",
        }
        command = [sys.executable, "-c", CALL]
        return subprocess.check_output(command, env=os.environ | variables, text=True).split()

    imported = "from antdoku.kernels.compilation import inlined, kernel\n"
    write("_one", f"{imported}@inlined\ndef g(x):\n    return 2 * x\n")
    use = "from antdoku.solvers._one import g\n@kernel\ndef f(x):\n    return g(x)\n"
    write("_two", f"{imported}{use}")
    assert called() == ["2"]
    write("acs", "# edited\n")
    write("of_a_newcomer", "# new\n")
    assert called() == ["2", "1"]
    text = f"{imported}@inlined\ndef g(x):\n    {{}}return {{}} * x\n"
    write("_one", text.format("'Multiply.'  # a comment\n    ", 2))
    assert called() == ["2", "1"]
    write("_one", text.format("", 3))
    assert called() == ["3"]


SOLVE = ["solve", "named:sabuncu1"]
COMPILING = "antdoku: compiling once, which takes some seconds\n"


def antdoku_process(*arguments, **variables):
    """Start the command line in an environment with some variables."""
    command = [sys.executable, "-m", "antdoku", *arguments]
    environment = os.environ | {"XDG_CACHE_HOME": "", "NUMBA_CACHE_DIR": ""} | variables
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=environment, **pipes)


def test_the_command_line_says_once_that_it_compiles(tmp_path):
    for note in (COMPILING, ""):
        process = antdoku_process(*SOLVE, NUMBA_CACHE_DIR=str(tmp_path))
        out, err = process.communicate()
        assert (process.returncode, err) == (0, note) and len(out) == 82
    kernels = {file.name.split("-")[0] for file in tmp_path.rglob("*.nbi")}
    # The one kernel of lanes that Python calls, and the kernels of bits that it calls.
    assert kernels == {"lanes.advance", "bits.lowest", "bits.count"}


def test_ctrl_c_ends_a_compilation(tmp_path):
    process = antdoku_process(*SOLVE, "-s", "acs", NUMBA_CACHE_DIR=str(tmp_path))
    assert process.stderr.readline() == COMPILING
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out, err) == (130, "", "antdoku: error: interrupted\n")


def test_an_import_leaves_the_host_program_alone(tmp_path):
    code = "import os; before = dict(os.environ); import antdoku{}; assert os.environ == before"
    home = os.environ | {"HOME": str(tmp_path), "XDG_CACHE_HOME": "", "NUMBA_CACHE_DIR": ""}
    for module in ("", ".api"):
        assert not [*tmp_path.iterdir()]
        subprocess.run([sys.executable, "-c", code.format(module)], env=home, check=True)
    assert [*tmp_path.glob(".cache/antdoku/*")]  # the kernels of `antdoku.api` may be compiled


def use_temporary(folder):
    """Return the folder of machine code below `folder`, where the user's cannot be written."""
    process = antdoku_process("solvers", "dlx", XDG_CACHE_HOME="/proc", TMPDIR=str(folder))
    _, err = process.communicate()
    assert process.returncode == 0 and err.count("\n") == 1
    start = "antdoku: warning: /proc/antdoku cannot be written: machine code is kept in "
    assert err.startswith(start)
    return Path(err.removeprefix(start).strip())


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is a folder in which nobody can write")
def test_a_temporary_folder_that_others_can_write_is_not_used(tmp_path):
    usual = tmp_path / f"antdoku-{os.getuid()}"
    assert use_temporary(tmp_path) == usual and stat.S_IMODE(usual.stat().st_mode) == 0o700
    assert use_temporary(tmp_path) == usual
    usual.chmod(0o777)
    assert use_temporary(tmp_path) != usual
    usual.rename(tmp_path / "private")
    (tmp_path / "private").chmod(0o700)
    usual.symlink_to(tmp_path / "private")
    assert use_temporary(tmp_path) != usual


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder to another user")
def test_a_temporary_folder_of_another_user_is_not_used(tmp_path):
    usual = tmp_path / f"antdoku-{os.getuid()}"
    usual.mkdir(0o700)
    os.chown(usual, 12345, 12345)
    assert use_temporary(tmp_path) != usual and not [*usual.iterdir()]


def test_without_compilation_the_package_refuses_to_start():
    command = [sys.executable, "-m", "antdoku", "solve", "4" + 80 * "."]
    env = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    process = subprocess.run(command, env=env, capture_output=True, text=True)
    assert (process.returncode, process.stdout) == (2, "")
    (line,) = process.stderr.splitlines()
    assert "NUMBA_DISABLE_JIT" in line and line.endswith("unset it")


def test_a_kernel_outside_of_the_package_is_compiled_without_cache_or_settings_of_numba():
    before = numba.config.CACHE_DIR

    @compilation.kernel
    def twice(x):
        return 2 * x

    assert twice(21) == 42
    assert twice._cache.cache_path is None
    assert before == numba.config.CACHE_DIR
