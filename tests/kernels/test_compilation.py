"""Machine code is kept by what a kernel is made of: no edit runs old code, few cost new one."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numba
import pytest
from numba.core import event

import antdoku
from antdoku.kernels import compilation
from antdoku.runs import compiling

PACKAGE = Path(antdoku.__file__).parent
CALL = "from antdoku.solvers._two import f; print(f(1), *f.stats.cache_hits.values())"


def test_an_edit_costs_the_machine_code_of_what_imports_the_file(tmp_path):
    package = shutil.copytree(PACKAGE, tmp_path / "antdoku")

    def write(module, text):
        (package / "solvers" / f"{module}.py").write_text(text)

    def called():
        own = {"PYTHONPATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path), "NUMBA_CACHE_DIR": ""}
        command = [sys.executable, "-c", CALL]
        return subprocess.check_output(command, env=os.environ | own, text=True).split()

    imported = "from antdoku.kernels.compilation import inlined, kernel\n"
    write("_one", f"{imported}@inlined\ndef g(x):\n    return 2 * x\n")
    use = "from antdoku.solvers._one import g\n@kernel\ndef f(x):\n    return g(x)\n"
    write("_two", f"{imported}{use}")
    assert called() == ["2"]
    write("acs", "# edited\n")
    write("of_a_newcomer", "# new\n")
    assert called() == ["2", "1"]
    write("_one", f"{imported}@inlined\ndef g(x):\n    return 3 * x\n")
    assert called() == ["3"]


def test_only_the_command_announces_that_it_compiles_and_compiles_little(tmp_path):
    code = "import antdoku; print(*(antdoku.solve('named:sabuncu1').status for _ in range(2)))"
    solve = ["-m", "antdoku", "solve", "named:sabuncu1", "--draw"]
    for arguments, lines in ((solve, [f"{compiling.LINE}\n", ""]), (["-c", code], [""])):
        for line in lines:
            command, own = [sys.executable, *arguments], {"NUMBA_CACHE_DIR": str(tmp_path)}
            done = subprocess.run(command, env=os.environ | own, capture_output=True, text=True)
            assert done.stderr == line and "solved" in done.stdout
    kept = {file.name.split("-")[0] for file in tmp_path.rglob("*.nbi")}
    # Of lanes the one kernel that Python calls, and what it calls of bits.
    assert kept == {"lanes.advance", "bits.lowest", "bits.count"}


def test_kernels_of_others_are_compiled_and_numba_is_left_as_it_was():
    before = numba.config.CACHE_DIR

    @compilation.kernel
    def twice(x):
        return 2 * x

    assert twice(21) == 42
    assert twice._cache.cache_path is None
    assert before == numba.config.CACHE_DIR


def test_an_interrupt_waits_until_a_kernel_is_compiled():
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with pytest.raises(KeyboardInterrupt), event.trigger_event("numba:compile"):
        with event.trigger_event("numba:compile"):  # a kernel that another one calls
            os.kill(os.getpid(), signal.SIGINT)
        reached = True
    assert reached and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with pytest.raises(KeyboardInterrupt), event.trigger_event("numba:compile"):
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)  # again: at once
        pytest.fail("nothing interrupted")
