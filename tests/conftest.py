"""Fixtures and functions that several test modules use."""

import logging
import os
import re
import shutil
import signal
import time
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import settings

from antdoku import config
from antdoku.budget import Budget
from antdoku.cli.solvers import template
from antdoku.contract import random_puzzle as random_puzzle
from antdoku.instances import random
from antdoku.instances.family import family_table
from antdoku.puzzle.drawing import ASCII_FRAME, draw
from antdoku.puzzle.grid import Puzzle, peers

# A shell starts what runs in the background with Ctrl-C ignored, which all processes inherit.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# Tests read standard error, and the first one compiles.
logging.getLogger("antdoku").addFilter(lambda record: record.module != "compilation")
settings.register_profile("tests", deadline=None)  # the first call compiles
settings.load_profile("tests")
ROOT = Path(__file__).parents[1]
TEMPLATE = template()
SHARED_DATA = ROOT.parent / "shared" / "data"
BROWSER_PATIENCE = 120_000  # ms: tests run beside others
LONGEST = (
    *("test_workflow.py", "test_overlays.py", "test_faults.py", "test_docs.py", "test_howtos.py"),
    *("test_solvers.py", "test_error_rates.py", "test_published.py", "test_wheel.py"),
    "test_slurm.py",  # its kernels are compiled by then
    *("test_report.py", "test_cli.py", "test_figures.py", "test_newcomers.py"),
)


def pytest_collection_modifyitems(items):
    """Start with the files that take longest: workers get the files in this order."""
    ranks = {name: rank for rank, name in enumerate(LONGEST)}
    items.sort(key=lambda item: ranks.get(item.path.name, len(LONGEST)))


@pytest.fixture(scope="session")
def shared_data():
    """Folder of reference data outside of the project; without it the test is skipped."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the reference data is not here")
    return SHARED_DATA


@pytest.fixture(scope="session")
def browser():
    """A Chromium without a window. All tests of a process share it: a second is refused."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("chromium is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"], timeout=BROWSER_PATIENCE
        )
        yield browser
        browser.close()


BLOCK = re.compile(r"^```\w+\n# (src/\S+?)(?:,[^\n]*)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
NUMBERS = re.compile(r"^```text\n(edition,.*?)^```", re.MULTILINE | re.DOTALL)


def files_of_howto(page):
    """Return the files of the paper that a how-to makes, by name."""
    text = (ROOT / "docs" / "howto" / page).read_text("utf-8")
    files = {"published.csv": numbers[1]} if (numbers := NUMBERS.search(text)) else {}
    for path, content in BLOCK.findall(text):
        name = Path(path).name
        files[name] = files.get(name, "") + content  # one block continues another
    return files


def read_yaml(path):
    """Return the contents of a YAML file."""
    return yaml.safe_load(path.read_text("utf-8"))


def configured(*overlays):
    """The settings of the default configuration with dictionaries laid over it."""
    layers = [config.Layer("overlay", overlay) for overlay in overlays]
    return config.load([config.read(ROOT / "config" / "config.yaml"), *layers])


def format_archive(puzzle, number=1):
    """Return a puzzle in the format of the archive of Lloyd & Amos; `number` is its second line."""
    cells = [f"{value or -1}\t" for value in puzzle.givens.tolist()]
    rows = ["".join(cells[at : at + puzzle.size]) for at in range(0, puzzle.n_cells, puzzle.size)]
    return "".join(f"{line}\r\n" for line in [puzzle.order, number, *rows])


def format_grid(puzzle):
    """Draw a puzzle in ASCII."""
    return draw(puzzle, puzzle.givens, ASCII_FRAME, bold=False)


def answer(solver, puzzle, seed=1, max_steps=None, cpu_s=None, **params):
    """Call the module of a solver directly; return its outcome."""
    budget = Budget(cpu_s, max_steps)
    return solver.solve(puzzle, solver.Params(**params), np.random.default_rng(seed), budget)


@pytest.fixture()
def mine(tmp_path, monkeypatch):
    """Write the text of a solver to `mine.py` in the current folder, which is empty."""
    monkeypatch.chdir(tmp_path)

    def write(text=TEMPLATE, name="mine.py"):
        (tmp_path / name).write_text(text)
        os.utime(name, ns=(0, len(text)))  # each text has its own time
        return f"./{name}"

    return write


def wait_for(condition, patience_s=120):
    """Wait until `condition()` is true; fail after `patience_s` seconds."""
    end = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.01)


def tabled(make):
    """Turn a function that yields the rows of a family into a function that returns a table."""
    return lambda *args, **options: family_table(make(*args, **options))


random_table = tabled(lambda *args, **fields: random.generate(random.Recipe(*args, **fields)))


def random_partial_grid(order, n_givens, seed):
    """Return a puzzle of random givens without a direct conflict; it often has no solution."""
    rng = np.random.default_rng(seed)
    givens = np.zeros(order**4, int)
    for cell in rng.permutation(order**4)[:n_givens]:
        allowed = np.setdiff1d(np.arange(1, order**2 + 1), givens[peers(order)[cell]])
        if allowed.size:
            givens[cell] = rng.choice(allowed)
    return Puzzle(order, givens)
