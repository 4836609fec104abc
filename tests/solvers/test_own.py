"""Solvers of users: where they are found, how mistakes are reported, what they consist of."""

import ast
import importlib
import json
import os
import shutil
import subprocess
import sys
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from conftest import ROOT, TEMPLATE

import antdoku
from antdoku import cli, papers, solvers
from antdoku.outcome import ERROR, EXHAUSTED, INVALID, SOLVED, TIMEOUT, Outcome
from antdoku.puzzle.grid import root_grid
from antdoku.reading import lines
from antdoku.runs import job, run, worker
from antdoku.runs.run import kernels_of, source_hash
from antdoku.solver import integer, parameters
from antdoku.solvers import _code, _own, ac3_cuckoo

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="functions reach a worker by a fork"
)
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SPIN = "def solve(puzzle, params, rng, budget):\n    while True:\n        pass\n"
IMPORT = "from antdoku.solver import *\n"
TESTS = Path(__file__).parent, Path(__file__).parents[1]
OUTCOME = IMPORT + "def solve(*_):\n    return Outcome({})\n"


def command(capsys, *arguments):
    status = cli.main(list(arguments))
    return status, *capsys.readouterr()


# --- Where a solver is found ---------------------------------------------------------------------


def test_the_template_runs_at_once(mine, capsys):
    mine("x = 1")
    assert command(capsys, "new-solver", "mine.py")[0] == 2  # it would overwrite
    assert command(capsys, "new-solver", "mine.py", "--force")[0] == 0
    status, out, err = command(capsys, "solve", PUZZLE, "--solver", "./mine.py", "--draw")
    assert (status, err) == (0, "") and "solved (mine, " in out
    result = antdoku.solve(PUZZLE, "mine.py", max_steps=10**5)
    assert result and result.steps > 100


def test_a_file_needs_only_solve(mine):
    keys = "name", "title", "kind", "params"
    entry = solvers.describe(mine(SPIN))
    assert [entry[key] for key in keys] == ["mine", "mine", "stochastic", {}]
    params = "@parameters\nclass Params:\n    depth: int = integer(3, 1, 9, 'How deep.')\n"
    file = mine(f"{IMPORT}{TEMPLATE}TITLE = 'Mine'\n{params}")
    entry = solvers.describe(file)
    assert [entry[key] for key in keys] == ["mine", "Mine", "exact", {"depth": 3}]
    with pytest.raises(antdoku.InputError, match="solver mine: parameter depth = 0: must be from"):
        antdoku.solve(PUZZLE, file, params={"depth": 0})


def by_dlx(puzzle, params, rng, budget):
    """Return a grid of shape (d, d)."""
    return Outcome(SOLVED, antdoku.solve(puzzle, "dlx").solution.tolist(), 7)


def test_functions_and_modules_are_solvers():
    module = ModuleType("module")
    module.solve, module.TITLE = by_dlx, "By DLX"
    for solver, name in ((by_dlx, "by_dlx"), (module, "module")):
        result = antdoku.solve(PUZZLE, solver)
        assert (result.solver, result.status, result.steps) == (name, SOLVED, 7)
        assert result.solution.shape == (9, 9)
    table = antdoku.compare(PUZZLE, [by_dlx, module, "dlx"], max_steps=10**5)
    labels = dict(table[["variant", "label"]].to_numpy())
    assert labels == {"by_dlx": "by_dlx", "module": "By DLX", "dlx": "DLX"}


def test_a_solver_with_the_name_of_one_of_the_package_keeps_its_own_label(tmp_path):
    """In the runs, in the summary and in the picture, where it has a colour of its own, too."""

    def dlx(puzzle, params, rng, budget):
        return by_dlx(puzzle, params, rng, budget)

    file = tmp_path / "acs.py"
    file.write_text(f"{OUTCOME.format('TIMEOUT, None, 5')}TITLE = 'My ants'\n")
    request = {"max_steps": 200, "output": tmp_path / "runs.parquet"}
    for chosen, labels in (
        ([dlx, "acs"], {"dlx": "dlx", "acs": "ACS"}),
        ([str(file), "dlx"], {"acs": "My ants", "dlx": "DLX"}),
        ({"dlx": "acs", "acs": dlx}, {"dlx": "ACS (dlx)", "acs": "acs"}),
        ({"a": "acs:m=2", "b": "acs:m=3"}, {"a": "ACS (a)", "b": "ACS (b)"}),
    ):
        runs = antdoku.compare(PUZZLE, chosen, **request, force=True)
        assert dict(runs[["variant", "label"]].to_numpy()) == labels
        for table in (runs, request["output"]):
            assert antdoku.summary(table)["label"].to_dict() == labels
        colors = {line.get_color() for line in antdoku.plot(runs).axes[1].lines}
        for name in {"acs", "dlx"} & {*labels}:
            look = papers.variants()[name]
            assert (look.color in colors) == (labels[name] == look.label)


def test_labels_may_be_edited_in_the_runs():
    runs = antdoku.compare(PUZZLE, ["acs", "dlx"], max_steps=200)
    runs["label"] = runs["label"].replace("ACS", "Ants")
    assert antdoku.summary(runs)["label"].to_dict() == {"acs": "Ants", "dlx": "DLX"}
    assert "Ants" in " ".join(text.get_text() for text in antdoku.plot(runs).axes[1].texts)
    same = antdoku.summary(runs.assign(label="Mine"))["label"]
    assert same.to_dict() == {"acs": "Mine (acs)", "dlx": "Mine (dlx)"}


def test_two_functions_of_one_name_are_two_solvers():
    def named_by_dlx(puzzle, params, rng, budget):
        return 0 * puzzle.grid

    named_by_dlx.__name__ = "by_dlx"
    runs = [antdoku.solve_all([PUZZLE] * 2, solver) for solver in (by_dlx, named_by_dlx)]
    assert [next(run).status for run in (*runs, *runs)] == [SOLVED, INVALID] * 2
    for names in (("rate 0.5", "rate 1.5"), ("rate=0.5", "rate=1"), ("a:b", "./a"), ("x.py", "y")):
        table = antdoku.compare(PUZZLE, dict(zip(names, (by_dlx, named_by_dlx))))
        columns = [*zip(*table[["variant", "solver", "status"]].to_numpy())]
        assert columns == [names, names, (SOLVED, INVALID)]


def test_parameters_of_a_function_reach_its_process():
    @parameters
    class Params:  # stands in no module
        depth = integer(3, 1, 9, "How deep.")

    def deep(puzzle, params, rng, budget):
        return Outcome("timeout", None, params.depth)

    deep.Params = Params
    assert antdoku.solve(PUZZLE, deep, params={"depth": 5}).steps == 5


def test_entry_points_module_paths_and_functions_of_modules(mine, monkeypatch):
    mine(name="registered.py")
    monkeypatch.syspath_prepend(os.getcwd())
    point = _own.metadata.EntryPoint("theirs", "registered", "antdoku.solvers")
    monkeypatch.setattr(_own, "entry_points", lambda: {"theirs": point})
    assert "theirs" in solvers.names() and "theirs" not in solvers.shipped()
    assert antdoku.solve(PUZZLE, "theirs").status == SOLVED
    os.mkdir("package")
    mine(name="package/inner.py")
    assert antdoku.solve(PUZZLE, "package.inner").solver == "inner"
    import registered

    result = antdoku.solve(PUZZLE, registered.solve, params={"restart": 10**6}, max_steps=10**5)
    assert (result.status, result.params["restart"]) == (SOLVED, 10**6)
    assert solvers.get(solvers.reference(registered.solve)).ALWAYS_ENDS is False


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


def test_a_file_has_one_name_and_one_compiled_cache_whichever_way_it_is_found(mine):
    mine(CACHED, "cached.py")
    for begin, solver in (("", "'./cached.py'"), ("import cached\n", "cached")):
        code = (
            f"{begin}import antdoku\nrun = antdoku.solve('.' * 81, {solver}, max_steps=9)\n"
            "print(run.solver, run.steps, run.message)"
        )
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert run.stdout == "cached 2 \n", run.stderr
    assert len([name for name in os.listdir("__pycache__") if name.endswith(".nbc")]) == 2


def test_a_file_may_use_the_names_that_only_solvers_of_the_package_declare(mine):
    file = mine(f"import numba\nparts = profile = LIBRARIES = MANY_ORDERS = 7\n{KERNELS}{TEMPLATE}")
    assert {*antdoku.compare(PUZZLE, file, max_steps=10**5)["status"]} == {SOLVED}


def test_a_file_may_have_the_name_of_another_module(mine):
    assert antdoku.solve(PUZZLE, mine(name="json.py")).solver == "json"
    assert not hasattr(sys.modules["json"], "solve")


# --- Mistakes ------------------------------------------------------------------------------------


PARAMETER = f"{IMPORT}@parameters\nclass Params:\n    {{}}\n{SPIN}"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def solve(:\n", r"mine.py:1: invalid syntax"),
        ("import no_such_module\n", r"mine.py:1: ModuleNotFoundError: .*: install it, or correct"),
        ("x = 1\n\ny = x / 0\n", r"mine.py:3: ZeroDivisionError: division by zero: correct"),
        ("import sys\nsys.exit(3)\n", r"mine.py:2: SystemExit: 3: correct this line"),
        ("x = 1\n", r"mine.py: there is no function solve\(puzzle, params, rng, budget\)"),
        (None, r"mine.py: there is no such file"),
        (SPIN + "KIND = 'fast'\n", r"mine.py: KIND = 'fast': must be exact or stochastic"),
        (SPIN + "class Params:\n    m = 3\n", r"Params = .* must be a class decorated with @"),
        (SPIN + "ORDERS = 3\n", r"mine.py: ORDERS = 3: must be orders from 2 to 10, such as"),
        (SPIN + "SOLVES = [11]\n", r"mine.py: SOLVES = \[11\]: must be orders from 2 to 10"),
        (SPIN + "ALWAYS_ENDS = 'no'\n", r"mine.py: ALWAYS_ENDS = 'no': must be True or False"),
        (SPIN + "FILES = 'a.c'\n", r"mine.py: FILES = 'a.c': must be a list of files, such as"),
        (PARAMETER.format("m = integer(0, 1, 9, 'So.')"), r"mine.py:4: .*default 0: must be a"),
        (PARAMETER.format("m = integer(3, 1)"), r"mine.py:4: .*: 'highest' and 'doc'"),
        (PARAMETER.format("m = word('x', {'a': 'A.'}, '')"), r"mine.py:4: .*default 'x': must"),
        (PARAMETER.format("m = word('x', ('x', 'y'), '')"), r"must be a dict of each word with"),
        (PARAMETER.format("m: int = 3"), r"mine.py:2: .*parameter m: declare it by integer, real"),
        (PARAMETER.format("m = 3"), r"mine.py:2: .*parameter m: declare it by integer, real or"),
    ],
)
def test_a_file_that_cannot_be_used_costs_one_line(mine, capsys, text, words):
    file = mine(text) if text else "./mine.py"
    with pytest.raises(antdoku.InputError, match=words):
        antdoku.solve(PUZZLE, file)
    status, out, err = command(capsys, "solve", PUZZLE, "--solver", file)
    assert (status, out, err.count("\n")) == (2, "", 1) and "--skip-bad" not in err


GRID = "from antdoku.puzzle.grid import root_grid as grid\n{}"
ROOT_GRID = GRID.format(OUTCOME.format("SOLVED, grid(3), 1"))
KERNEL = "import numba\n@numba.njit\ndef f(x):\n    return {}\ndef solve(*_):\n    f(1)\n"


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        (SPIN, TIMEOUT, "went on beyond its limit, and was ended"),
        ("def solve(*_):\n    return 1 / 0\n", ERROR, "mine.py:2: ZeroDivisionError"),
        ("def solve(*_):\n    return [1]\n", ERROR, "solve returned list: must be an Outcome"),
        ("import sys\ndef solve(*_):\n    sys.exit(3)\n", ERROR, "mine.py:3: SystemExit: 3"),
        (OUTCOME.format("TIMEOUT, None, 3.5"), ERROR, "steps = 3.5: must be a whole number from 0"),
        (OUTCOME.format("SOLVED, [.5]*81, 1"), ERROR, "a solution of float64: must be whole numb"),
        (OUTCOME.format("'great', None, 1"), INVALID, "unknown status 'great'"),
        (OUTCOME.format("SOLVED, None, 1"), INVALID, "claimed a solution that is none: no grid"),
        (OUTCOME.format("SOLVED, [1]*81, 1"), INVALID, "claimed a solution that is none: "),
        (ROOT_GRID, INVALID, "claimed a solution that is none: "),  # of another puzzle
        ("def solve(*_):\n    raise ValueError('a\\nb')\n", ERROR, "mine.py:2: ValueError: a"),
        (OUTCOME.format("EXHAUSTED, None, 1"), INVALID, 'only KIND = "exact" may claim this'),
        ("KIND = 'exact'\n" + OUTCOME.format("EXHAUSTED, None, 1"), INVALID, "but there is one"),
        (OUTCOME.format("TIMEOUT, None, 10**30"), ERROR, "from 0 to 2**62"),
        (OUTCOME.format("_[3].spend(-5)"), ERROR, "mine.py:3: ValueError: spend(-5): must be a"),
        (OUTCOME.format("_[3].note(float('nan'))"), ERROR, "mine.py:3: ValueError: note(nan): m"),
        (f"def solve(*_):\n    raise ValueError('{'a' * 5000}')\n", ERROR, f"{'a' * 300}..."),
        (OUTCOME.format("TIMEOUT, None, -5"), ERROR, "steps = -5: must"),
        ("def solve(*_):\n    raise KeyboardInterrupt\n", ERROR, "mine.py:2: KeyboardInterrupt"),
        (
            SPIN.replace("while True", "puzzle.givens.setflags(write=True)\n    while True"),
            ERROR,
            "mine.py:2: ValueError: cannot set WRITEABLE flag",
        ),
        (KERNEL.format("x.foo"), ERROR, "TypingError: Unknown attribute 'foo' of type int64, F"),
        (KERNEL.format("x + 'a'"), ERROR, "found for signature, >>> add(int64, Literal[str](a))"),
    ],
)
def test_a_wrong_solver_costs_its_run(mine, text, status, words):
    result = antdoku.solve(PUZZLE, mine(text), timeout=0.2)
    assert result.status == status and words in result.message
    assert not result and result.cpu_s < 2 and len(result.message) < 400


@pytest.mark.parametrize(("cell", "status"), [(7, INVALID), (-1, SOLVED)])
def test_a_masked_cell_of_a_solution_is_blank(cell, status):
    def masks(puzzle, params, rng, budget):
        solution = antdoku.solve(puzzle, "dlx").solution
        return np.ma.masked_array(solution, np.arange(81).reshape(9, 9) == cell)

    result = antdoku.solve(PUZZLE, masks)
    assert result.status == status
    assert ("r1c8 is blank" in result.message) == (status == INVALID)


def test_a_solver_that_changes_its_puzzle_is_judged_by_the_given_one():
    def solve(puzzle, params, rng, budget):
        object.__setattr__(puzzle, "givens", 0 * puzzle.givens)
        return root_grid(3).ravel()

    result = antdoku.solve(PUZZLE, solve)
    assert result.status == INVALID and "is given" in result.message


def test_a_module_of_the_user_stays_when_its_file_is_run(mine, monkeypatch):
    monkeypatch.syspath_prepend(".")
    file = mine(CALLS.replace("grids", "users_grids"), "users_own.py")
    mine(RIGHT, "users_grids.py")
    own = importlib.import_module("users_own")
    for text in (CALLS, CALLS + "x = 1\n"):
        mine(text.replace("grids", "users_grids"), "users_own.py")
        assert antdoku.solve(PUZZLE, file)
        assert sys.modules["users_own"] is own
    assert vars(solvers.get(file))["x"] == 1
    assert importlib.reload(own).x == 1


def test_modules_of_the_user_stay_when_a_file_imports_them(mine, monkeypatch):
    monkeypatch.syspath_prepend(".")
    right = RIGHT + "RATE = 1\nkept_grids = None\n"  # its name is also that of the module
    mine(right, "kept_grids.py")
    own = importlib.import_module("kept_grids")
    own.RATE = 5
    file = mine(CALLS.replace("grids", "kept_grids"), "users_other.py")
    for text in (right, right + "x = 1\n"):
        mine(text, "kept_grids.py")
        assert antdoku.solve(PUZZLE, file)
        assert sys.modules["kept_grids"] is own
        assert (own.RATE, own.kept_grids) == (5, None)
        assert solvers.helpers(file)["kept_grids"].RATE == 1
    assert vars(solvers.helpers(file)["kept_grids"])["x"] == 1


def test_a_folder_without_init_is_a_package(mine, monkeypatch):
    monkeypatch.syspath_prepend(".")
    os.mkdir("own_lib")
    mine(RIGHT, "own_lib/part.py")
    own = importlib.import_module("own_lib.part")
    for line, module in (
        ("import own_lib.part as part", "part"),
        ("import own_lib.part", "own_lib.part"),
        ("from own_lib import part", "part"),
    ):
        text = f"{line}\ndef solve(puzzle, *_):\n    return {module}.grid(puzzle)\n"
        result = antdoku.solve(PUZZLE, mine(text, "users_lib.py"))
        assert result, result.message
        assert sys.modules["own_lib.part"] is own is sys.modules["own_lib"].part


def test_another_solvers_module_of_the_same_name_is_refused(mine):
    for folder in ("first", "second"):
        os.mkdir(folder)
        mine(RIGHT, f"{folder}/same_grids.py")
    first = mine(CALLS.replace("grids", "same_grids"), "first/one.py")
    lines = CALLS.replace("grids", "same_grids").splitlines()
    late = f"{lines[1]}\n    {lines[0]}\n{lines[2]}\n"  # it imports when it runs
    assert antdoku.solve(PUZZLE, first)
    with pytest.raises(antdoku.InputError, match=r"imports .*first/same_grids.py, not same_grids"):
        antdoku.solve(PUZZLE, mine(late, "second/two.py"))


def test_a_function_beside_the_file_can_be_sent_to_another_process(mine):
    mine("def work(n):\n    return n + 1\n", "own_worker.py")
    mine(RIGHT, "pool_grids.py")
    call = "    assert pickle.loads(pickle.dumps(own_worker.work)) is own_worker.work\n"
    text = CALLS.replace("grids", "pool_grids").replace("    return", f"{call}    return", 1)
    result = antdoku.solve(PUZZLE, mine(f"import pickle, own_worker\n{text}", "users_pool.py"))
    assert result, result.message
    assert "own_worker" not in sys.modules


def test_steps_before_the_first_run_may_fail(mine):
    file = mine(KERNELS + SEARCH.format("{1: 0}[min(budget.step_limit - 2, 1)]", ""))
    assert antdoku.solve(PUZZLE, file, max_steps=9).message == ""
    assert "KeyError" in antdoku.solve(PUZZLE, file, max_steps=2).message


def test_a_solver_cannot_raise_its_limit(mine):
    file = mine(OUTCOME.format("TIMEOUT, None, setattr(_[3], 'step_limit', 99) or 50"))
    assert antdoku.solve(PUZZLE, file, max_steps=9).steps == 50
    file = mine(
        CALLS.replace("from grids import grid", RIGHT).replace(
            "    return grid(puzzle)\n",
            "    budget.step_limit = 99\n    budget.spend(50)\n    return grid(puzzle)\n",
        )
    )
    result = antdoku.solve(PUZZLE, file, max_steps=9)
    assert (result.status, result.message) == (TIMEOUT, "its answer came after the limit")


def test_the_command_line_reports_the_first_failures(mine, capsys):
    file = mine("def solve(*_):\n    return 1 / 0\n")
    mine("\n".join(str(value) + "." * 80 for value in range(1, 6)), "five.txt")
    _, _, err = command(capsys, "compare", "five.txt", "-s", file, "--quiet", "-o", "x.csv")
    messages = [f"mine, five.txt:{n}: mine.py:2: ZeroDivisionError" for n in (1, 2, 3)]
    assert [line.rpartition(": ")[0] for line in err.splitlines()] == messages
    wrong = mine(OUTCOME.format("SOLVED, _[0].givens, 0"))
    _, _, err = command(capsys, "compare", "five.txt", "-s", wrong, "--quiet", "-o", "y.csv")
    assert err.count("claimed a solution that is none") == 3


def test_ctrl_c_while_a_file_is_loaded_keeps_no_half_module(mine, capsys):
    file = mine("raise KeyboardInterrupt\n")
    for _ in range(2):
        outcome = command(capsys, "solve", PUZZLE, "-s", file)
        assert outcome == (130, "", "antdoku: error: interrupted\n")


SEARCH = """import numpy as np
from antdoku.solver import *
def solve(puzzle, params, rng, budget):
    for quota in budget.slices():
        {}
        budget.note(np.float32(3))
        budget.spend(np.int64(quota){})
    return Outcome(TIMEOUT, None, np.int64(budget.steps))
"""


def test_steps_and_costs_may_be_numbers_of_numpy(mine):
    result = antdoku.solve(PUZZLE, mine(SEARCH.format("pass", "")), max_steps=9)
    assert json.loads(json.dumps(result.as_dict()))["steps"] == 9 and result.trace == ((0, 3.0),)
    result = antdoku.solve(PUZZLE, mine(SEARCH.format("pass", " / 2")), max_steps=9)
    assert result.message.startswith("mine.py:7: TypeError: 'numpy.float64' object cannot be inter")


# --- What a solver consists of -------------------------------------------------------------------


KERNELS = "import numba\n@numba.njit\ndef f(x):\n    return x\ndef go(x):\n    return f(x)\n"


def test_kernels_beside_the_file_are_compiled_before_its_first_run(mine):
    mine(KERNELS, "kern.py")
    mine("import kern\n", "between.py")
    for line in ("import kern", "from kern import go", "import between"):
        assert kernels_of(mine(f"{line}\n{SPIN}")) == (True, False)
    assert kernels_of(mine(f"from antdoku.solver import closure\n{SPIN}")) == (False, True)
    other_imports = "import numba, json\nfrom antdoku.solver import peers"
    assert kernels_of(mine(f"{other_imports}\n{SPIN}")) == (False, False)


def test_objects_have_the_kernels_and_the_declarations_of_their_module(mine, monkeypatch):
    monkeypatch.syspath_prepend(".")
    mine(f"TITLE = 'Of the module'\nKIND = 'exact'\n{KERNELS}{SHARED}", "shared_kernels.py")
    shared = importlib.import_module("shared_kernels")
    shared.Colony.TITLE = "Of the class"
    objects = {"Of the class": shared.Colony(1), "Of the module": partial(shared.with_ants, 3)}
    for title, solver in objects.items():
        reference = solvers.reference(solver)
        assert kernels_of(reference) == (True, False)
        module = solvers.get(reference)
        declared = module.TITLE, module.KIND
        assert declared == (title, "exact")


def test_without_kernels_there_are_no_steps_before_the_first_run(mine):
    file = mine(SEARCH.format("0 / (budget.step_limit - 2)", ""))  # fails where it has two steps
    assert antdoku.solve(PUZZLE, file, max_steps=9).message == ""
    assert "ZeroDivisionError" in antdoku.solve(PUZZLE, file, max_steps=2).message


def test_a_file_that_has_changed_is_another_solver(mine):
    mine("x = 1\n", "helper.py")
    files = (mine(TEMPLATE + more) for more in ("", "# comment\n", "x = 1\n", "import helper\n"))
    rows = [antdoku.compare(PUZZLE, file, max_steps=10**5).iloc[0] for file in files]
    hashes = [row["source_hash"] for row in rows]
    assert hashes[0] == hashes[1] and len({*hashes}) == 3
    assert {row["status"] for row in rows} == {SOLVED}


RIGHT = "import antdoku\ndef grid(puzzle):\n    return antdoku.solve(puzzle, 'dlx').solution\n"
WRONG = "def grid(puzzle):\n    return 0 * puzzle.grid\n"
CALLS = "from grids import grid\ndef solve(puzzle, params, rng, budget):\n    return grid(puzzle)\n"


def test_a_file_is_run_again_when_a_file_beside_it_has_changed(mine):
    rows = []
    for text in (RIGHT, WRONG):
        mine(text, "grids.py")
        rows.append(antdoku.compare(PUZZLE, mine(CALLS)).iloc[0])
    assert [row["status"] for row in rows] == [SOLVED, INVALID]
    assert rows[0]["source_hash"] != rows[1]["source_hash"]


def test_a_file_of_another_folder_is_not_taken_for_one_beside_the_solver(mine, tmp_path):
    mine(RIGHT, "grids_here.py")
    assert antdoku.solve(PUZZLE, mine(CALLS.replace("grids", "grids_here")))
    (tmp_path / "other").mkdir()
    for name, text in (("grids_here", WRONG), ("mine", CALLS.replace("grids", "grids_here"))):
        (tmp_path / f"other/{name}.py").write_text(text)
    with pytest.raises(antdoku.InputError, match=r"imports .*, not grids_here.py beside it: ren"):
        antdoku.solve(PUZZLE, "other/mine.py")


def test_a_module_whose_file_has_changed_is_refused_until_it_is_imported_again(mine, monkeypatch):
    monkeypatch.syspath_prepend(".")
    mine(CALLS.replace("grids", "changed_helper"), "changed.py")
    mine(RIGHT, "changed_helper.py")
    changed = importlib.import_module("changed")
    assert antdoku.solve(PUZZLE, changed)
    mine(WRONG, "changed_helper.py")
    with pytest.raises(antdoku.InputError, match=r"changed_helper.py: has changed since.*reload"):
        antdoku.solve(PUZZLE, changed)
    importlib.reload(importlib.import_module("changed_helper"))
    assert antdoku.solve(PUZZLE, importlib.reload(changed)).status == INVALID


IMPORTS = [
    "from .grids import grid",
    "from . import grids; grid = lambda puzzle: grids.grid(puzzle)",
    "from {}.grids import grid",
    "import {}.grids as grids; grid = grids.grid",
    "from .inner.deep import grid",
    "from .inner import deep; grid = deep.grid",
]


@pytest.mark.parametrize(("number", "line"), [*enumerate(IMPORTS)])
def test_a_file_of_a_package_is_another_solver_if_a_module_of_the_package_changes(
    mine, number, line
):
    name = f"package{number}"  # imported once
    os.makedirs(f"{name}/inner")
    for file in (f"{name}/__init__.py", f"{name}/inner/__init__.py"):
        mine("", file)
    mine("from ..grids import grid", f"{name}/inner/deep.py")
    _, _, text = CALLS.partition("\n")
    file = mine(f"{line.format(name)}\n{text}", f"{name}/mine.py")
    rows = []
    for text in (RIGHT, WRONG):
        mine(text, f"{name}/grids.py")
        rows.append(antdoku.compare(PUZZLE, file).iloc[0])
    assert [row["status"] for row in rows] == [SOLVED, INVALID]
    assert rows[0]["source_hash"] != rows[1]["source_hash"]
    assert antdoku.solve(PUZZLE, f"{name}.mine").status == INVALID  # the module is imported now
    mine(RIGHT, f"{name}/grids.py")
    with pytest.raises(antdoku.InputError, match=r"grids.py: has changed since .*; reload it"):
        antdoku.solve(PUZZLE, f"{name}.mine")


SHARED = """\
import attrs
RATE = 1
def first(puzzle, params, rng, budget):
    return RATE
def second(puzzle, params, rng, budget):
    return 0
def with_ants(ants, puzzle, params, rng, budget):
    return ants
def make(n):
    def solve(puzzle, params, rng, budget, n=n):
        return n
    return solve
@attrs.define
class Colony:
    n: int
    _unset: int = attrs.field(init=False)
    def __call__(self, puzzle, params, rng, budget):
        return self.n
    def solve(self, puzzle, params, rng, budget):
        return self.n
"""


def test_objects_of_one_file_are_different_solvers(mine, monkeypatch):
    monkeypatch.syspath_prepend(".")
    mine(SHARED, "shared_file.py")
    shared = importlib.import_module("shared_file")
    makes = [shared.make, shared.Colony, lambda n: shared.Colony(n).solve]
    pairs = [(make(1), make(2)) for make in makes] + [(shared.first, shared.second)]
    for pair in pairs:
        assert len({source_hash(solvers.reference(solver)) for solver in (*pair, pair[0])}) == 2
    before = source_hash(solvers.reference(shared.first))
    assert before == source_hash(solvers.reference(shared.first))
    shared.RATE = 2  # as a notebook may set it
    assert before != source_hash(solvers.reference(shared.first))


def test_a_function_may_read_a_name_that_is_not_assigned_yet():
    def solve(puzzle, params, rng, budget):
        return later

    assert "NameError" in antdoku.solve(PUZZLE, solve).message
    later = by_dlx


CELL = """\
from contextlib import contextmanager
from functools import lru_cache, partial, wraps
N = 3
LOG = []
class Base:
    def share(self):
        return 7
class Kept(Base):
    n = 1
    @staticmethod
    def most():
        return 8
class Colony:
    def __init__(self, ants):
        self.ants, self.calls = ants, 0
    def __call__(self, puzzle, params, rng, budget):
        self.calls += 1
        return helper(self.ants)
@lru_cache
def helper(x, *, more=9):
    return x + 1 + more
def make(n):
    def solve(puzzle, params, rng, budget):
        global CALLS
        CALLS = 1
        LOG.append(n)
        return [helper(N) for _ in range(n)], Kept
    return solve
def repeated(times):
    def decorate(function):
        @wraps(function)
        def inner(*arguments):
            return [function(*arguments) for _ in range(times)]
        return inner
    return decorate
def with_ants(ants, puzzle, params, rng, budget):
    return helper(ants)
"""


def hash_of_cell(text, solve):
    """Return the hash of a solver in a cell of a notebook, which is no file."""
    module = {"__name__": "notebook", "CALLS": 0}
    exec(compile(f"{text}solve = {solve}\n", f"/nowhere/{hash(text)}.py", "exec"), module)
    reference = solvers.reference(module["solve"])
    before = source_hash(reference)
    assert before == source_hash(reference)  # nor does the reading change it
    return before


@pytest.mark.parametrize(
    ("solve", "old", "new"),
    [
        *(
            ("make(1)", old, new)
            for old, new in [("x + 1", "x + 2"), ("N = 3", "N = 4"), ("n = 1", "n = 2")]
        ),
        *(("make(1)", f"return {n}", "return 0") for n in (7, 8)),
        ("make(1)", "more=9", "more=0"),
        ("Colony(5)", "x + 1", "x + 2"),
        ("Colony(5)", "self.ants)", "self.ants + 1)"),
        ("partial(with_ants, 5)", "x + 1", "x + 2"),
        ("repeated(5)(make(1))", "range(times)", "range(2 * times)"),
        ("partial(with_ants, 5)", "helper(ants)", "helper(2 * ants)"),
        ("contextmanager(make(1))", "x + 1", "x + 2"),
        ("contextmanager(contextmanager(make(1)))", "for _ in", "for CALLS in"),
    ],
)
def test_a_function_is_another_solver_if_what_it_reads_has_changed(solve, old, new):
    before = hash_of_cell(CELL, solve)
    assert before == hash_of_cell(f"# words\n\n{CELL}other = 7\n", solve)
    assert before != hash_of_cell(CELL.replace(old, new), solve)
    assert before != hash_of_cell(CELL, solve.replace("5", "6").replace("(1)", "(2)"))


VALUES = {  # what a solver reads, before and after an edit
    "types.SimpleNamespace(rate=5)": "types.SimpleNamespace(rate=6)",
    "types.SimpleNamespace(a=types.SimpleNamespace(n=5))": "types.SimpleNamespace()",
    "argparse.Namespace(ants=5, rho=6)": "argparse.Namespace(ants=6, rho=5)",
    "datetime.date(2025, 1, 1)": "datetime.date(2026, 1, 1)",
    "datetime.timedelta(5)": "datetime.timedelta(6)",
    f"re.compile('{'a' * 300}')": f"re.compile('{'a' * 300}b')",
    "re.compile('5')": "re.compile('5', re.I)",
    "pathlib.Path('5')": "pathlib.Path('6')",
    "operator.itemgetter(5)": "operator.itemgetter(6)",
    "uuid.UUID(int=5)": "uuid.UUID(int=6)",
    "fractions.Fraction(5)": "fractions.Fraction(6)",
    "frozenset({datetime.date(2025, 1, 1)})": "frozenset({datetime.date(2026, 1, 1)})",
    "(5, datetime.time(5))": "(5, datetime.time(6))",
    "[f]": "[g]",
    "{1: f, 2: g}": "{1: g, 2: f}",
    "{1: [(5, f)]}": "{1: [(5, g)]}",
    "[functools.partial(f, 5)]": "[functools.partial(f, 6)]",
    "[Held]": "[f]",
    "Held([f])": "Held([g])",
    "Held(5)": "Held(6)",
    "(Held, Held(5))": "(Held, Held(6))",
    "Small(), Small": "Small, Small()",
    "Held(Held({5, 'a'}))": "Held(Held({5, 'b'}))",
    "[5, (5,), 'a']": "[5, (6,), 'a']",
    "[f, g, f]": "[f, g, g]",
    "{1: 5, 2: [5]}": "{1: 5, 2: [6]}",
    "{5, (5, 'a')}": "{5, (6, 'a')}",
    "{f, g, 'a'}": "{f, 'a'}",
    "b'a'": "b'b'",
    "np.zeros(5)": "np.arange(5)",
    "np.zeros(5, int)": "np.zeros(5, bool)",
    "pd.Series(['a', 'b'])": "pd.Series(['a', 'c'])",
    "pd.DataFrame({'a': [5]})": "pd.DataFrame({'b': [5]})",
    "collections.deque([5])": "collections.deque([6])",
    "collections.Counter('a')": "collections.Counter('b')",
    "collections.defaultdict(list)": "collections.defaultdict(dict)",
    "random.Random(5)": "random.Random(6)",
    "np.random.default_rng(5)": "np.random.default_rng(6)",
    "logging.getLogger('5')": "logging.getLogger('6')",
    "types.SimpleNamespace(log=[5])": "types.SimpleNamespace(log=[])",
    "(lambda x: [x, x.append(x)][0])([5])": "(lambda x: [x, x.append(x)][0])([6])",
    "Held(5).more": "Held(6).more",
    "Unset(5)": "Unset(6)",
    "Shade.RED": "Shade.BLUE",
    "property(f)": "property(g)",
    "property(None, f)": "property(None, g)",
    "types.MappingProxyType({1: 5})": "types.MappingProxyType({1: 6})",
    "Weight(5)": "Weight(6)",
    "Settings(w=5)": "Settings(w=6)",
    "Decorator(f, 5)": "Decorator(f, 6)",
    "Decorator(f, 5).function": "Decorator(g, 5).function",
    "with_attribute(5)": "with_attribute(6)",
    "lambda x: x": "lambda *x: x",
    "functools.wraps(len)(f)": "functools.wraps(len)(g)",
    "np.errstate(over='ignore')(f)": "np.errstate(over='ignore')(g)",
    "np.errstate(over='warn')(f)": "np.errstate(over='ignore')(f)",
    "contextlib.contextmanager(f)": "contextlib.contextmanager(g)",
    "functools.wraps(len)(contextlib.contextmanager(f))": "contextlib.contextmanager(g)",
    "functools.singledispatch(f)": "functools.singledispatch(g)",
}
UNCOUNTED = ["threading.Lock()", "open(os.devnull)", "(n for n in [5])", "functools.lru_cache(f)"]
READER = """\
import argparse, collections, contextlib, datetime, enum, fractions, functools, logging
import operator, os, pathlib, random, re, threading, types, uuid
import attrs, numba, numpy as np, pandas as pd
def f(x): return x + 1
def g(x): return x + 2
class Held:
    def __init__(self, n):
        self.n = n
    def more(self):
        return self.n
class Small:
    size = 7
class Weight(float):
    pass
class Settings(dict):
    __getattr__ = dict.get
class Decorator:
    def __init__(self, function, n):
        functools.update_wrapper(self, function)
        self.function, self.n = function, n
def with_attribute(n):
    f.n = n
    return f
def numba_dict(n):
    table = numba.typed.Dict()
    table[n] = n
    return table
@attrs.define
class Unset:
    n: int
    m: int = attrs.field(init=False)
class Shade(enum.Enum):
    RED, BLUE = 5, 6
VALUE = {}
def read(*_):
    return VALUE
"""


@pytest.mark.parametrize(("old", "new"), VALUES.items())
def test_a_value_that_a_function_reads_counts(old, new):
    before, again, after = (
        hash_of_cell(READER.replace("{}", text), "read") for text in (old, old, new)
    )
    assert before == again != after


TURNED = {ast.In: ast.NotIn, ast.Is: ast.IsNot, ast.NotIn: ast.In, ast.IsNot: ast.Is}


@pytest.mark.thorough  # Numba compiles its containers in each process
@pytest.mark.parametrize("value", ["numba.typed.List([{}])", "numba_dict({})"])
def test_a_container_of_numba_counts(value):
    texts = (READER.replace("{}", value.replace("{}", n), 1) for n in ("5", "5", "6"))
    before, again, after = (hash_of_cell(text, "read") for text in texts)
    assert before == again != after


class Edit(ast.NodeTransformer):
    """An edit of one place of a program: a block loses its last line, or a test is turned."""

    def __init__(self, at):
        self.at = at

    def generic_visit(self, node):
        super().generic_visit(node)
        is_block = isinstance(node, ast.If | ast.For | ast.While | ast.Try | ast.With)
        is_test = isinstance(node, ast.Compare) and type(node.ops[0]) in TURNED
        is_both = isinstance(node, ast.BoolOp) and len(node.values) > 2
        if is_block:  # break stays in its loop
            steps = ast.walk(node.body[-1])
            is_free = not any(isinstance(step, ast.Continue | ast.Break) for step in steps)
            is_block = len(node.body) > 1 and is_free
        if not (is_block or is_test or is_both):
            return node
        self.at -= 1
        if self.at == 0 and is_block:
            return [node, node.body.pop()]
        if self.at == 0 and is_test:
            node.ops[0] = TURNED[type(node.ops[0])]()
        elif self.at == 0:  # a and b and c -> a and (b or c)
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            node.values[-2:] = [ast.BoolOp(other, node.values[-2:])]
        return node


@pytest.mark.parametrize("module", [_code, lines, ac3_cuckoo])
def test_an_edit_of_any_place_of_a_program_counts(module):
    text = Path(module.__file__).read_text("utf-8")
    before, n_edits = _code._plain(compile(ast.parse(text), "it", "exec")), 0
    while True:
        edit = Edit(n_edits + 1)
        program = ast.fix_missing_locations(edit.visit(ast.parse(text)))
        if edit.at > 0:
            break
        n_edits += 1
        assert _code._plain(compile(program, "it", "exec")) != before, ast.unparse(program)
    assert n_edits > 10


def test_the_hash_of_a_function_is_the_same_in_each_session():
    salted = ["random.shuffle", "np.random.shuffle", "attrs.frozen(type('T', (), {}))"]
    listed = [*VALUES, *VALUES.values(), *UNCOUNTED, *salted]
    text = READER.replace("{}", f"({', '.join(listed)})")
    program = f"import test_own; print(test_own.hash_of_cell({text!r}, 'read'))"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([*sys.path, *map(str, TESTS)])}
    hashes = {
        subprocess.check_output(
            [sys.executable, "-c", program], env=environment | {"PYTHONHASHSEED": seed}
        )
        for seed in "12"
    }
    assert len(hashes) == 1


def test_an_object_of_a_module_of_ones_own_counts(mine, monkeypatch):
    monkeypatch.syspath_prepend(".")
    mine("class Held:\n    def __init__(self, n):\n        self.n = n\n", "own_classes.py")
    text = "import own_classes\nVALUE = own_classes.Held(5)\ndef read(*_):\n    return VALUE\n"
    hashes = [hash_of_cell(text.replace("5", n), "read") for n in "556"]
    assert hashes[0] == hashes[1] != hashes[2]


def test_a_function_of_a_module_of_ones_own_counts(mine, monkeypatch):
    monkeypatch.syspath_prepend(".")
    hashes = []
    for text in ("def work():\n    return 3\n", "def work():\n    return 44\n"):
        mine(text, "own_toolbox.py")
        importlib.reload(importlib.import_module("own_toolbox"))
        hashes.append(hash_of_cell("import own_toolbox\n" + CELL, "lambda *_: own_toolbox.work()"))
    assert hashes[0] != hashes[1]


AUTORELOAD = """
import os
from IPython.core.interactiveshell import InteractiveShell
cell = InteractiveShell.instance().run_cell
TEXT = "import math\\nRATE = 1\\ndef work():\\n    return math.ceil(RATE){}\\n"
def edit(text, time):
    open("own_m.py", "w").write(text)
    os.utime("own_m.py", (time, time))
edit(TEXT.format(""), 10**9)
for text in ("%load_ext autoreload", "%autoreload 2", '''
import own_m
from antdoku import solvers
from antdoku.runs.run import source_hash
def solve(*_):
    return own_m.work()
def look():
    after = source_hash(solvers.reference(solve))
    print("same" if after == before else "changed")
before = source_hash(solvers.reference(solve))
''', "look(); print(own_m.work())"):
    cell(text)
edit(TEXT.format(" + 1"), 2 * 10**9)
cell("look(); print(own_m.work())")
cell("own_m.RATE = 0")
cell("look(); print(own_m.work())")
cell("own_m.RATE = 1")
edit(TEXT.format(""), 3 * 10**9)
cell("look()")
"""
OF_MODULES = [  # what a cell imports, and what its solver calls
    ("import own_a", "own_a.call()"),
    ("from own_a import call", "call()"),
    ("import own_package.b", "own_package.b.call()"),
    ("import own_package.b as other", "other.call()"),
    ("from own_package.b import call", "call()"),
    ("import own_package.b", "own_package.b.Caller().call()"),
    ("", "import own_a; own_a.call()"),
]


@pytest.mark.parametrize(("line", "call"), OF_MODULES)
def test_a_cell_sees_changes_of_the_modules_that_its_modules_import(mine, monkeypatch, line, call):
    monkeypatch.syspath_prepend(".")
    monkeypatch.setattr(sys, "modules", sys.modules.copy())
    os.mkdir("own_package")
    mine("", "own_package/__init__.py")
    text = "def call():\n    return {0}.work()\nclass Caller:\n    call = lambda _: {0}.work()\n"
    mine("import own_deep\n" + text.format("own_deep"), "own_a.py")
    mine("from . import c\n" + text.format("c"), "own_package/b.py")
    hashes = []
    for result in ("3", "44"):
        for name in [name for name in sys.modules if name.startswith("own_")]:
            del sys.modules[name]  # as a new session
        for file in ("own_deep.py", "own_package/c.py"):
            mine(f"def work():\n    return {result}\n", file)
        cell = f"{line}\ndef read(*_):\n    {call}\n"
        hashes.append(hash_of_cell(cell, "read"))
    assert hashes[0] != hashes[1]


def test_a_module_that_ipython_reloads_in_place_is_taken(tmp_path):
    (tmp_path / "cells.py").write_text(AUTORELOAD)
    program = [sys.executable, "cells.py"]
    output = subprocess.check_output(program, cwd=tmp_path, text=True)
    assert output.split() == ["same", "1", "changed", "2", "changed", "1", "same"]


def test_a_cell_is_refused_until_a_changed_module_is_reloaded(mine, monkeypatch):
    monkeypatch.syspath_prepend(".")
    mine("def call():\n    return 3\n", "own_edited.py")
    cell = {"__name__": "notebook"}
    exec("import own_edited\ndef read(*_):\n    return own_edited.call()\n", cell)
    before = source_hash(solvers.reference(cell["read"]))
    mine("def call():\n    return 44\n", "own_edited.py")
    with pytest.raises(antdoku.InputError, match=r"own_edited.py: has changed since .*; reload it"):
        solvers.reference(cell["read"])
    importlib.reload(cell["own_edited"])
    assert source_hash(solvers.reference(cell["read"])) != before


def test_the_kind_of_a_function_is_part_of_it():
    def search(*_):
        return Outcome(EXHAUSTED, None, 1)

    before = source_hash(solvers.reference(search))
    search.KIND = "exact"
    assert source_hash(solvers.reference(search)) != before


def test_objects_that_are_linked_deep_count():
    text = (
        "class Node:\n    pass\nfirst = node = Node()\nfor _ in range(2000):\n"
        "    node.next = node = Node()\nnode.last = 5\ndef read(*_):\n    return first\n"
    )
    assert hash_of_cell(text, "read") == hash_of_cell(text, "read")
    assert hash_of_cell(text, "read") != hash_of_cell(text.replace("5", "6"), "read")


def test_other_parts_of_the_file_of_an_object_do_not_count(mine, monkeypatch):
    monkeypatch.syspath_prepend(".")
    hashes = []
    for more in ("", "x = 1\n", "RATE = 2\n"):
        mine(SHARED + more, "users_script.py")
        script = importlib.reload(importlib.import_module("users_script"))
        hashes.append(source_hash(solvers.reference(script.first)))
    assert hashes[0] == hashes[1] != hashes[2]


def test_a_class_of_numba_is_compiled_beside_antdoku():
    text = (
        "import antdoku.solver\nfrom numba.experimental import jitclass\nfrom numba import int64\n"
        "@jitclass([('v', int64)])\nclass Held:\n    def __init__(self):\n        self.v = 7\n"
        "print(Held().v)\n"
    )
    assert subprocess.check_output([sys.executable, "-c", text], text=True) == "7\n"


def test_a_method_that_a_notebook_names_counts_with_its_object(monkeypatch):
    hashes = []
    for n in (5, 6):
        notebook = ModuleType("notebook")
        exec(SHARED + f"solve = Colony({n}).solve\n", vars(notebook))
        monkeypatch.setitem(sys.modules, "notebook", notebook)
        hashes.append(source_hash(solvers.reference(notebook.solve)))
    assert hashes[0] != hashes[1]


def test_many_sets_of_objects_take_no_time():
    text = (
        "class Cell:\n    value = 5\ncells = [Cell() for _ in range(81)]\n"
        "for cell in cells:\n    cell.peers = {*cells} - {cell}\ndef read(*_):\n    return cells\n"
    )
    assert hash_of_cell(text, "read") == hash_of_cell(text, "read")
    assert hash_of_cell(text, "read") != hash_of_cell(
        text.replace("{cell}", "{*cells[:9]}"), "read"
    )


def test_members_of_a_set_may_read_the_set():
    text = "def read(*_):\n    return ALL\ndef other(*_):\n    return ALL, 5\nALL = {read, other}\n"
    assert hash_of_cell(text, "read") == hash_of_cell(text, "read")
    assert hash_of_cell(text, "read") != hash_of_cell(text.replace("5", "6"), "read")


def test_runs_do_not_change_a_solver():
    log = []

    def solve(puzzle, params, rng, budget):
        log.append(solve.__name__)
        return by_dlx(puzzle, params, rng, budget)

    before = antdoku.compare(PUZZLE, solve).iloc[0]
    after = antdoku.compare(PUZZLE, solve).iloc[0]
    assert before["status"] == SOLVED and before["source_hash"] == after["source_hash"]


def test_a_file_is_run_again_when_a_package_beside_it_or_one_of_its_files_has_changed(mine):
    Path("parts").mkdir()
    text = "from parts.grids import grid\nFILES = ['a.txt']\nWORD = open('a.txt').read()\n"
    text += CALLS.partition("\n")[2].replace("return grid", "assert WORD == 'a'\n    return grid")
    statuses, hashes = [], []
    for grid, word in ((RIGHT, "a"), (WRONG, "a"), (RIGHT, "bb"), (RIGHT, "a")):
        mine(grid, "parts/grids.py")
        mine(word, "a.txt")
        row = antdoku.compare(PUZZLE, mine(text)).iloc[0]
        statuses.append(row["status"])
        hashes.append(row["source_hash"])
    assert statuses == [SOLVED, INVALID, ERROR, SOLVED]
    assert hashes[0] == hashes[3] and len({*hashes}) == 3


def test_other_files_may_be_part_of_a_solver(mine):
    file = mine(TEMPLATE + "FILES = ['mine.cpp']\n")
    with pytest.raises(antdoku.InputError, match=r"FILES: there is no file .*mine.cpp$"):
        source_hash(file)
    hashes = [source_hash(file) for text in ("1", "2") if mine(text, "mine.cpp")]
    assert hashes[0] != hashes[1]


def test_other_files_may_be_part_of_a_function_in_a_notebook(mine):
    cell = "def solve(*_):\n    pass\nsolve.FILES = ['weights.txt']\n"
    with pytest.raises(antdoku.InputError, match=r"solve: FILES: there is no file weights.txt$"):
        hash_of_cell(cell, "solve")
    hashes = [hash_of_cell(cell, "solve") for text in ("1", "2") if mine(text, "weights.txt")]
    assert hashes[0] != hashes[1]


@pytest.mark.skipif(not shutil.which("c++"), reason="there is no compiler of C++")
def test_the_recipe_for_a_program_keeps_the_rules_and_its_time_counts(mine, capsys):
    for file in ("backtracking.cpp", "cpp_backtracking.py"):
        shutil.copy(ROOT / "docs" / "examples" / file, file)
    status, out, err = command(capsys, "check-solver", "./cpp_backtracking.py")
    assert (status, err) == (0, "") and "BROKEN" not in out and out.count("ok  ") == 6
    blank = antdoku.generate(order=5, fixed=0.45, seed=1)[0]
    result = antdoku.solve(blank, "./cpp_backtracking.py", timeout=0.3)
    assert result.status == "timeout" and 0.3 < result.cpu_s < 0.8 and result.steps > 1000
    assert antdoku.solve(PUZZLE, "./cpp_backtracking.py")


# --- A solver that is edited while it is compared ------------------------------------------------

COUNTS = """
import os
from antdoku.solver import *
V = 1
def solve(puzzle, params, rng, budget):
    if puzzle.name.endswith("2"):
        os._exit(1)  # so a new process goes on
    return Outcome(TIMEOUT, None, V)
"""
AT_RUN_TIME = COUNTS.replace("return", "from later import V; return")
OF_A_FILE = COUNTS.replace("return", "V = int(open('v.txt').read()); return")
OF_A_FILE += "FILES = ['v.txt']\n"


def edited_after_a_run(edit, *arguments, **options):
    """Compare, and call ``edit()`` when the first run has ended."""

    def track(rows, total):
        for number, row in enumerate(rows):
            if number == 0:
                edit()
            yield row

    puzzles = antdoku.generate(order=2, fixed=0.5, count=6, seed=1)
    return antdoku.compare(puzzles, *arguments, track=track, **options)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("text", [COUNTS.replace("V = 1", "V = 22"), "V = ("])
def test_a_comparison_runs_the_code_of_its_begin(mine, jobs, text):
    edit, output = partial(mine, text), "runs.csv"
    runs = edited_after_a_run(edit, mine(COUNTS), max_steps=999, output=output, jobs=jobs)
    assert runs["status"].value_counts().to_dict() == {TIMEOUT: 5, ERROR: 1}
    assert {*runs.loc[runs["status"] == TIMEOUT, "steps"]} == {1}
    assert runs["source_hash"].nunique() == 1
    mine(COUNTS)
    assert edited_after_a_run(str, "./mine.py", max_steps=999, output=output).equals(runs)
    mine(COUNTS.replace("V = 1", "V = 333"))
    with pytest.raises(antdoku.InputError, match=r"with other runs \(code of mine"):
        edited_after_a_run(str, "./mine.py", max_steps=999, output=output)
    runs = edited_after_a_run(str, "./mine.py", max_steps=999, output=output, force="changed")
    assert {*runs["steps"]} == {0, 333} and runs["source_hash"].nunique() == 1


def test_a_module_that_is_edited_while_it_is_compared_goes_on_as_it_was(mine, monkeypatch):
    monkeypatch.syspath_prepend(".")
    Path("package").mkdir()
    mine(COUNTS, "package/compared.py")
    edit = partial(mine, COUNTS.replace("V = 1", "V = 1  # as before"), "package/compared.py")
    for solver in ("package.compared", import_module("package.compared")):
        runs = edited_after_a_run(edit, solver, max_steps=999)
        assert {*runs["steps"]} == {0, 1}


@pytest.mark.parametrize(
    ("text", "file", "content"), [(AT_RUN_TIME, "later.py", "V = {}"), (OF_A_FILE, "v.txt", "{}")]
)
def test_a_file_that_runs_read_must_not_change_during_a_comparison(mine, text, file, content):
    mine(content.format(1), file)
    request = {"max_steps": 9, "output": "runs.csv"}
    words = rf"{file}: has changed during the comparison; runs.csv.journal keeps the finished runs"
    with pytest.raises(antdoku.InputError, match=words):
        edited_after_a_run(partial(mine, content.format(22), file), mine(text), **request)
    rows = [json.loads(line)["row"] for line in open("runs.csv.journal")]
    assert [row["steps"] for row in rows] == [1]
    mine(content.format(1), file)
    runs = edited_after_a_run(str, "./mine.py", **request)
    assert {*runs["steps"]} == {0, 1} and runs["wall_s"].eq(rows[0]["wall_s"]).sum() == 1


def test_a_file_of_a_function_in_a_notebook_must_not_change_during_a_comparison(mine):
    mine("1", "v.txt")
    values = {"FILES": ["v.txt"], "__name__": "__main__"}
    exec(compile(OF_A_FILE, "/tmp/ipykernel_1/2.py", "exec"), values)
    with pytest.raises(antdoku.InputError, match=r"v\.txt: has changed during the comparison; rep"):
        edited_after_a_run(partial(mine, "22", "v.txt"), values["solve"], max_steps=999)


@pytest.mark.parametrize("text", [COUNTS.replace("V = 1", "V = 22"), "V = ("])
def test_a_new_process_that_would_read_an_edited_file_is_refused(mine, monkeypatch, text):
    monkeypatch.setattr(worker, "METHOD", get_context("spawn"))
    with pytest.raises(antdoku.InputError, match=r"mine\.py.*(has changed during|never closed)"):
        edited_after_a_run(partial(mine, text), mine(COUNTS), max_steps=999, output="runs.csv")
    assert [json.loads(line)["row"]["steps"] for line in open("runs.csv.journal")] == [1]
    mine(COUNTS)
    assert {*edited_after_a_run(str, "./mine.py", max_steps=999, output="runs.csv")["steps"]} == {
        0,
        1,
    }


@pytest.mark.parametrize(("changed", "helper"), [("mine", "helper_a"), ("helper_b", "helper_b")])
def test_a_file_that_changes_while_it_is_loaded_is_loaded_again(mine, changed, helper):
    beside = "V = 1\nfrom pathlib import Path\nfile = Path(__file__).with_name({!r})\n"
    beside += "file.write_text(file.read_text().replace('V = 1', 'V = 23'))\n"
    mine(beside.format(f"{changed}.py"), f"{helper}.py")
    text = COUNTS.replace("V = 1", f"V = 1\nimport {helper}")
    mine(text.replace("V)", f"10 * V + {helper}.V)"))
    runs = edited_after_a_run(str, "./mine.py", max_steps=999)
    assert {*runs["steps"]} == {0, 231 if changed == "mine" else 33}


def test_a_file_that_changes_before_its_hash_is_taken_is_refused(mine, monkeypatch):
    def columns_of_solver(*arguments):
        mine(COUNTS.replace("V = 1", "V = 22"))
        return run.columns_of_solver(*arguments)

    monkeypatch.setattr(job, "columns_of_solver", columns_of_solver)
    with pytest.raises(antdoku.InputError, match=r"mine\.py: has changed just now; repeat"):
        edited_after_a_run(str, mine(COUNTS), max_steps=999)
