"""What several test modules use."""

import logging
import shutil
import time
from pathlib import Path

import numpy as np
import pytest
import yaml

from antdoku import config
from antdoku.budget import Budget
from antdoku.contract import random_puzzle as random_puzzle
from antdoku.instances import random
from antdoku.instances.family import family_table
from antdoku.puzzle.drawing import ASCII_FRAME, draw
from antdoku.puzzle.grid import Puzzle, peers

logging.getLogger("antdoku").disabled = True  # tests read standard error, and may compile first
ROOT = Path(__file__).parents[1]
SHARED_DATA = ROOT.parent / "shared" / "data"
BROWSER_PATIENCE = 120_000  # ms: tests run beside others
LONGEST = (
    *("test_workflow.py", "test_faults.py", "test_overlays.py", "test_docs.py", "test_report.py"),
    *("test_solvers.py", "test_newcomers.py", "test_cli.py", "test_wheel.py", "test_published.py"),
)


def pytest_collection_modifyitems(items):
    """Begin with what takes longest, and waits most: files are handed out in this order."""
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.name, len(LONGEST)))


@pytest.fixture(scope="session")
def shared_data():
    """Folder of reference data that is not part of the project; tests that need it skip."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the reference data is not here")
    return SHARED_DATA


@pytest.fixture(scope="session")
def browser():
    """A Chromium without a window, one for all tests of a process: a second would be refused."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("there is no chromium here")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"], timeout=BROWSER_PATIENCE
        )
        yield browser
        browser.close()


def read_yaml(path):
    """Read a file of keys with values."""
    return yaml.safe_load(path.read_text("utf-8"))


def configured(*overlays):
    """The settings of the default configuration with dictionaries laid over it."""
    layers = [config.Layer("overlay", overlay) for overlay in overlays]
    return config.load([config.read(ROOT / "config" / "config.yaml"), *layers])


def format_archive(puzzle, number=1):
    """Write a puzzle as the archive of Lloyd & Amos does; `number` is the ignored second line."""
    cells = [f"{value or -1}\t" for value in puzzle.givens.tolist()]
    rows = ["".join(cells[at : at + puzzle.size]) for at in range(0, puzzle.n_cells, puzzle.size)]
    return "".join(f"{line}\r\n" for line in [puzzle.order, number, *rows])


def format_grid(puzzle):
    """Draw a puzzle without any sign that ASCII does not have."""
    return draw(puzzle, puzzle.givens, ASCII_FRAME, bold=False)


def answer(solver, puzzle, seed=1, max_steps=None, cpu_s=None, **params):
    """Outcome of a solver, which is a module, called without the wrapper of runs."""
    budget = Budget(cpu_s, max_steps)
    return solver.solve(puzzle, solver.Params(**params), np.random.default_rng(seed), budget)


def wait_for(condition, patience_s=120):
    """Wait until `condition()` holds; a test that waits in vain fails."""
    end = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.01)


def tabled(make):
    """A function that makes the rows of a family, with a table of them."""
    return lambda *request, **how: family_table(make(*request, **how))


random_table = tabled(random.generate)


def random_partial_grid(order, n_givens, seed):
    """Givens without a direct conflict, placed at random: often without a solution."""
    rng = np.random.default_rng(seed)
    givens = np.zeros(order**4, int)
    for cell in rng.permutation(order**4)[:n_givens]:
        allowed = np.setdiff1d(np.arange(1, order**2 + 1), givens[peers(order)[cell]])
        if allowed.size:
            givens[cell] = rng.choice(allowed)
    return Puzzle(order, givens)
