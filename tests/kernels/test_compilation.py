"""The cache of machine code: an edited source is compiled again, unrelated edits change nothing."""

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


def test_only_kernels_that_import_an_edited_file_are_compiled_again(tmp_path):
    package = shutil.copytree(PACKAGE, tmp_path / "antdoku")

    def write(module, text):
        (package / "solvers" / f"{module}.py").write_text(text)

    def value_and_cache_hits():
        paths = dict.fromkeys(("PYTHONPATH", "XDG_CACHE_HOME"), str(tmp_path))
        environment = os.environ | paths | {"NUMBA_CACHE_DIR": ""}
        command = [sys.executable, "-c", CALL]
        return subprocess.check_output(command, env=environment, text=True).split()

    imported = "from antdoku.kernels.compilation import inlined, kernel\n"
    write("_one", f"{imported}@inlined\ndef g(x):\n    return 2 * x\n")
    use = "from antdoku.solvers._one import g\n@kernel\ndef f(x):\n    return g(x)\n"
    write("_two", f"{imported}{use}")
    assert value_and_cache_hits() == ["2"]
    write("acs", "# edited\n")
    write("newcomer", "# new\n")
    assert value_and_cache_hits() == ["2", "1"]
    write("_one", f"{imported}@inlined\ndef g(x):\n    return 3 * x\n")
    assert value_and_cache_hits() == ["3"]


def test_the_first_solve_announces_compilation_once_and_compiles_few_kernels(tmp_path):
    code = "import antdoku; print(*(antdoku.solve('named:sabuncu1').status for _ in range(2)))"
    command, environment = (
        [sys.executable, "-c", code],
        os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
    )
    for message in (f"{compiling.LINE}\n", ""):
        process = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert (process.stdout, process.stderr) == ("solved solved\n", message)
    compiled = {file.name.split("-")[0] for file in tmp_path.rglob("*.nbi")}
    assert compiled == {"lanes.advance", "bits.lowest", "bits.count"}


def test_a_kernel_outside_of_the_package_is_compiled_without_cache_or_settings_of_numba():
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
        with event.trigger_event("numba:compile"):  # a kernel calls another one
            os.kill(os.getpid(), signal.SIGINT)
        reached = True
    assert reached and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with pytest.raises(KeyboardInterrupt), event.trigger_event("numba:compile"):
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)  # the second takes effect at once
        pytest.fail("nothing interrupted")
