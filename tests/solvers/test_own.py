"""Solvers from anywhere: how they are found, what they are told, and that they end in time."""

import json
import os
import shutil
import subprocess
import sys
from types import ModuleType

import numpy as np
import pytest
from conftest import ROOT

import antdoku
from antdoku import cli, contract, solvers
from antdoku.cli.solvers import TEMPLATE
from antdoku.outcome import SOLVED, Outcome
from antdoku.runs.run import _own_kernels, has_kernels, source_hash
from antdoku.solver import integer, parameters
from antdoku.solvers import _own

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="functions reach a worker by a fork"
)
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SPIN = "def solve(puzzle, params, rng, budget):\n    while True:\n        pass\n"


@pytest.fixture()
def mine(tmp_path, monkeypatch):
    """Write `mine.py` into an empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)

    def write(text=TEMPLATE, name="mine.py"):
        (tmp_path / name).write_text(text)
        os.utime(name, ns=(0, len(text)))  # another time for another text
        return f"./{name}"

    return write


def said(capsys, *command):
    status = cli.main(list(command))
    out, err = capsys.readouterr()
    return status, out, err


def test_the_template_is_short_and_runs_at_once(mine, capsys, monkeypatch):
    mine("x = 1")
    assert said(capsys, "new-solver", "mine.py")[0] == 2  # it would overwrite
    assert said(capsys, "new-solver", "mine.py", "--force")[0] == 0
    status, out, err = said(capsys, "solve", PUZZLE, "--solver", "./mine.py", "--draw")
    assert (status, err) == (0, "") and "solved (mine, " in out
    run = antdoku.solve(PUZZLE, "mine.py", max_steps=10**5)
    assert run and run.steps > 100


def test_only_solve_is_asked_for(mine):
    entry = solvers.describe(mine(SPIN))
    keys = "name", "title", "kind", "params"
    assert [entry[key] for key in keys] == ["mine", "mine", "stochastic", {}]
    declared = "from antdoku.solver import integer, parameters\nTITLE = 'Mine'\n"
    declared += "@parameters\nclass Params:\n    depth: int = integer(3, 1, 9, 'How deep.')\n"
    file = mine(TEMPLATE + declared)
    entry = solvers.describe(file)
    assert [entry[key] for key in keys] == ["mine", "Mine", "exact", {"depth": 3}]
    with pytest.raises(antdoku.InputError, match="solver mine: parameter depth = 0: must be from"):
        antdoku.solve(PUZZLE, file, depth=0)


@pytest.mark.skipif(not shutil.which("c++"), reason="there is no compiler of C++")
def test_the_recipe_for_a_program_keeps_the_rules_and_its_time_counts(mine, capsys):
    for file in ("backtracking.cpp", "cpp_backtracking.py"):
        shutil.copy(ROOT / "docs" / "examples" / file, file)
    status, out, err = said(capsys, "check-solver", "./cpp_backtracking.py")
    assert (status, err) == (0, "") and "BROKEN" not in out and out.count("ok  ") == 7
    blank = antdoku.generate(order=5, fixed=0.45, seed=1)[0]
    run = antdoku.solve(blank, "./cpp_backtracking.py", timeout=0.3)
    assert run.status == "timeout" and 0.3 < run.cpu_s < 0.8 and run.steps > 1000
    assert antdoku.solve(PUZZLE, "./cpp_backtracking.py")


CACHED = """from numba import njit
from antdoku.solver import TIMEOUT, Outcome
@njit(cache=True)
def inner(x):
    return x + 1
@njit(cache=True)
def step(x):
    return inner(x)
def solve(puzzle, params, rng, budget):
    return Outcome(TIMEOUT, None, step(1))
"""


@pytest.mark.parametrize("ways", [("'./cached.py'", "cached"), ("cached", "'./cached.py'")])
def test_a_file_has_one_name_and_one_compiled_cache_whichever_way_it_is_found(mine, ways):
    mine(CACHED, "cached.py")
    for solver in ways:
        load = "import cached" if solver == "cached" else "pass"
        code = (
            f"{load}\nimport antdoku\nrun = antdoku.solve('.' * 81, {solver}, max_steps=9)\n"
            "print(run.solver, run.steps, run.message)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.stdout == "cached 2 \n", done.stderr
    assert len([name for name in os.listdir("__pycache__") if name.endswith(".nbc")]) == 2


KERNELS = "import numba\n@numba.njit\ndef f(x):\n    return x\ndef go(x):\n    return f(x)\n"
WAYS = ["import kern\n", "from kern import go\n", "from antdoku.solver import closure\n"]


def test_kernels_beside_the_file_are_compiled_before_its_first_run(mine):
    mine(KERNELS, "kern.py")
    assert all(has_kernels(mine(line + SPIN)) for line in WAYS)
    assert not has_kernels(mine("import numba, json\nfrom antdoku.solver import peers\n" + SPIN))
    mine("import kern\n", "between.py")
    mine("import between\n", "above.py")
    for line in (
        "import above\n",
        "from antdoku.solver import *\nfrom antdoku.solvers import bs\n",
    ):
        assert _own_kernels(mine(line + SPIN))[0]
    assert not _own_kernels(mine("from antdoku.solver import *\n" + SPIN))[0]


def test_a_file_may_have_the_name_of_another_module(mine):
    assert antdoku.solve(PUZZLE, mine(name="json.py")).solver == "json"
    assert not hasattr(sys.modules["json"], "solve")


@pytest.mark.parametrize(
    ("field", "line", "words"),
    [
        ("m: int = integer(0, 1, 9, 'So.')", 4, "default 0: must be a whole number, from 1 to 9"),
        ("m = integer('How many.', 3, 1, 9)", 4, "default 'How many.': must be a whole number"),
        ("m = integer(3, 1)", 4, "missing 2 required positional arguments: 'most' and 'doc'"),
        ("m = word('x', {'a': 'A.'}, 'Which.')", 4, "default 'x': must be a word, a"),
        ("m = word('x', ('x', 'y'), 'Which.')", 4, "must be a dict of each word with its meaning"),
        ("m: int = 3", 2, "parameter m: declare it by integer, real or word"),
        ("m = 3", 2, "parameter m: declare it by integer, real or word"),
        ("seed = integer(3, 1, 9, 'What.')", 2, "parameter seed: an argument of antdoku.solve"),
    ],
)
def test_a_wrong_declaration_gives_its_line(mine, field, line, words):
    text = f"from antdoku.solver import *\n@parameters\nclass Params:\n    {field}\n"
    with pytest.raises(
        antdoku.InputError, match=f"^mine.py:{line}: .*{words}.*: correct this line$"
    ):
        antdoku.solve(PUZZLE, mine(text + SPIN))


def test_a_failure_is_told_once_with_the_name_of_the_solver(mine, capsys):
    file = mine("def solve(*_):\n    return 1 / 0\n")
    mine(f"{'.' * 81}\n1{'.' * 80}\n", "two.txt")
    _, _, err = said(capsys, "compare", "two.txt", "-s", file, "--quiet", "-o", "x.csv")
    (line,) = err.splitlines()
    assert line.startswith("mine: mine.py:2: ZeroDivisionError: ") and "two.txt:1)" in line
    wrong = STEPS.format(0).replace("TIMEOUT, None", "SOLVED, _[0].givens")
    _, _, err = said(capsys, "compare", "two.txt", "-s", mine(wrong), "--quiet", "-o", "y.csv")
    assert err.count("claimed a solution that is none") == 1


def test_a_line_of_a_solver_is_no_line_of_puzzles(mine, capsys):
    _, _, err = said(capsys, "solve", PUZZLE, "-s", mine("def solve(:\n"))
    assert "mine.py:1: " in err and "--skip-bad" not in err
    _, _, err = said(capsys, "solve", PUZZLE, "-s", "mine")
    assert err == "antdoku: error: unknown solver 'mine': write mine.py for the file\n"


def by_hand(puzzle, params, rng, budget):
    """Ask another solver, and answer with a grid of shape (d, d)."""
    grid = antdoku.solve(puzzle, "dlx").solution
    return Outcome(SOLVED, grid.tolist(), 7)


def test_functions_and_modules_are_solvers():
    module = ModuleType("hand")
    module.solve, module.TITLE = by_hand, "By hand"
    for given, name in ((by_hand, "by_hand"), (module, "hand")):
        run = antdoku.solve(PUZZLE, given)
        assert (run.solver, run.status, run.steps, run.solution.shape) == (name, SOLVED, 7, (9, 9))
    table = antdoku.compare(PUZZLE, [by_hand, module, "dlx"], max_steps=10**5)
    assert dict(table[["variant", "label"]].to_numpy()) == {
        **{"by_hand": "by_hand", "hand": "By hand", "dlx": "DLX"}
    }


def test_entry_points_and_module_paths(mine, monkeypatch):
    mine(name="found.py")
    monkeypatch.syspath_prepend(os.getcwd())
    point = _own.metadata.EntryPoint("theirs", "found", "antdoku.solvers")
    monkeypatch.setattr(_own, "entry_points", lambda: {"theirs": point})
    assert "theirs" in solvers.names() and "theirs" not in solvers.shipped()
    assert antdoku.solve(PUZZLE, "theirs").status == SOLVED
    os.mkdir("package")
    mine(name="package/other.py")
    assert antdoku.solve(PUZZLE, "package.other").solver == "other"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def solve(:\n", r"mine.py:1: invalid syntax: correct this line"),
        ("import no_such_module\n", r"mine.py:1: ModuleNotFoundError: .*: install it, or correct"),
        ("x = 1\n\ny = x / 0\n", r"mine.py:3: ZeroDivisionError: division by zero: correct"),
        ("x = 1\n", r"mine.py: there is no function solve\(puzzle, params, rng, budget\)"),
        (TEMPLATE + "KIND = 'fast'\n", r"mine.py: KIND = 'fast': must be exact or stochastic"),
        (TEMPLATE + "class Params:\n    m = 3\n", r"Params = .* must be a class decorated with @"),
        (TEMPLATE + "ORDERS = 3\n", r"mine.py: ORDERS = 3: must be orders from 2 to 10, such as"),
        (TEMPLATE + "SOLVES = [11]\n", r"mine.py: SOLVES = \[11\]: must be orders from 2 to 10"),
        (TEMPLATE + "ALWAYS_ENDS = 'no'\n", r"mine.py: ALWAYS_ENDS = 'no': must be True or False"),
        (TEMPLATE + "FILES = 'a.c'\n", r"mine.py: FILES = 'a.c': must be a list of files, such as"),
        ("import sys\nsys.exit(3)\n", r"mine.py:2: SystemExit: 3: correct this line"),
        (None, r"mine.py: there is no such file: antdoku new-solver writes one"),
    ],
)
def test_a_file_that_does_not_load_costs_one_line(mine, capsys, text, words):
    file = mine(text) if text else "./mine.py"
    with pytest.raises(antdoku.InputError, match=words) as caught:
        antdoku.solve(PUZZLE, file)
    assert "\n" not in str(caught.value) and "tabu_col" not in str(caught.value)
    status, out, err = said(capsys, "solve", PUZZLE, "--solver", file)
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_a_file_that_does_not_come_to_its_end_can_be_interrupted(mine, capsys):
    file = mine("raise KeyboardInterrupt  # as Ctrl-C does in an endless loop\n")
    for _ in range(2):  # half of a module is not taken for all of it
        found = said(capsys, "solve", PUZZLE, "-s", file)
        assert found == (130, "", "antdoku: error: interrupted\n")


SEARCH = """from antdoku.solver import *
import numpy as np, pandas as pd, time
TABLE, FRAME = np.arange(3), pd.DataFrame({{"a": ["x", "y"]}})
def solve(puzzle, params, rng, budget):
    for quota in budget.slices():
        time.sleep({})
        budget.note(np.float32(3))
        budget.spend(np.int64(quota){})
    return Outcome(TIMEOUT, None, np.int64(budget.steps))
"""


def test_numbers_of_numpy_are_taken(mine):
    run = antdoku.solve(PUZZLE, mine(SEARCH.format(0, "")), max_steps=np.int64(9))
    assert json.loads(json.dumps(run.as_dict()))["steps"] == 9 and run.trace == ((0, 3.0),)
    run = antdoku.solve(PUZZLE, mine(SEARCH.format(0, " / 2")), max_steps=9)
    assert run.message.startswith("mine.py:8: TypeError: 'numpy.float64' object cannot be inter")


def test_without_kernels_there_are_no_steps_before_the_first_run(mine):
    file = mine(SEARCH.format("0 / (budget.step_limit - 2)", ""))  # fails where it has two steps
    assert antdoku.solve(PUZZLE, file, max_steps=9).message == ""
    assert "ZeroDivisionError" in antdoku.solve(PUZZLE, file, max_steps=2).message


STEPS = "from antdoku.solver import *\ndef solve(*_):\n    return Outcome(TIMEOUT, None, {})\n"
KERNEL = "import numba\n@numba.njit\ndef f(x):\n    return {}\ndef solve(*_):\n    f(1)\n"


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        (SPIN, "timeout", "ended after 1.2 s of CPU time"),
        ("def solve(*_):\n    return 1 / 0\n", "error", "mine.py:2: ZeroDivisionError"),
        ("def solve(*_):\n    return [1]\n", "error", "solve returned list: must be an Outcome"),
        (STEPS.format("3.5"), "error", "steps = 3.5: must be a whole number, 0 or more"),
        (STEPS.format("None"), "error", "steps = None: must be a whole number, 0 or more"),
        (KERNEL.format("x.foo"), "error", "TypingError: Unknown attribute 'foo' of type int64, F"),
        (KERNEL.format("x + 'a'"), "error", "found for signature, >>> add(int64, Literal[str](a))"),
        (
            "from antdoku.solver import *\ndef solve(*_):\n    return Outcome(SOLVED, [.5]*81, 1)",
            *("error", "a solution of float64: must be whole numbers, such as .astype(int)"),
        ),
        (
            "from antdoku.solver import *\ndef solve(*_):\n    return Outcome(SOLVED, [1] * 81, 1)",
            *("invalid", "claimed a solution that is none: "),
        ),
        (
            "from antdoku.solver import *\ndef solve(*_):\n    return Outcome(EXHAUSTED, None, 1)",
            *("invalid", 'exhausted: only KIND = "exact" may claim this'),
        ),
        (
            "from antdoku.solver import *\nKIND = 'exact'\n"
            "def solve(*_):\n    return Outcome(EXHAUSTED, None, 1)",
            *("invalid", "claimed that there is no solution, but there is one"),
        ),
        ("import sys\ndef solve(*_):\n    sys.exit(3)\n", "error", "mine.py:3: SystemExit: 3"),
    ],
)
def test_what_a_solver_does_wrong_costs_its_run(mine, text, status, words):
    run = antdoku.solve(PUZZLE, mine(text), timeout=0.2)
    assert run.status == status and words in run.message
    assert not run and run.cpu_s < 2


def test_a_file_that_has_changed_is_another_solver(mine):
    mine("x = 1\n", "helper.py")
    files = (mine(TEMPLATE + more) for more in ("", "# changed\n", "import helper\n"))
    runs = [antdoku.compare(PUZZLE, file, max_steps=10**5).iloc[0] for file in files]
    assert len({row["source_hash"] for row in runs}) == 3
    assert {row["status"] for row in runs} == {SOLVED}


def test_another_file_that_decides_what_a_solver_does_is_part_of_it(mine):
    file = mine(TEMPLATE + "FILES = ['mine.cpp']\n")
    with pytest.raises(antdoku.InputError, match=r"FILES: there is no file .*mine.cpp$"):
        source_hash(file)
    hashes = [source_hash(file) for text in ("1", "2") if mine(text, "mine.cpp")]
    assert hashes[0] != hashes[1]


def test_parameters_of_a_function_reach_its_process():
    @parameters
    class Params:  # stands in no module
        depth = integer(3, 1, 9, "How deep.")

    def deep(puzzle, params, rng, budget):
        return Outcome("timeout", None, params.depth)

    deep.Params = Params
    assert antdoku.solve(PUZZLE, deep, depth=5).steps == 5


def test_a_function_has_the_parameters_of_its_module(mine, monkeypatch):
    mine(TEMPLATE, "whole.py")
    monkeypatch.syspath_prepend(os.getcwd())
    import whole

    run = antdoku.solve(PUZZLE, whole.solve, restart=10**6, max_steps=10**5)
    assert (run.status, run.params.restart) == (SOLVED, 10**6)
    assert solvers.always_ends(solvers.reference(whole.solve)) is False
