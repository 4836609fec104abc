"""What several test modules use."""

from pathlib import Path

import numpy as np
import pytest

from antdoku import instances
from antdoku.grid import Puzzle, peers

SHARED_DATA = Path(__file__).parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data():
    """Folder of reference data that is not part of the project; tests that need it skip."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the reference data is not here")
    return SHARED_DATA


def random_puzzle(order, fixed, seed):
    """A puzzle made by the shuffle generator."""
    row = instances.generate(order, fixed, 1, seed).iloc[0]
    return Puzzle(order, np.array(row["puzzle"].split(), int), row["instance_id"])


def random_partial_grid(order, n_givens, seed):
    """Givens without a direct conflict, placed at random: often without a solution."""
    rng = np.random.default_rng(seed)
    givens = np.zeros(order**4, int)
    for cell in rng.permutation(order**4)[:n_givens]:
        allowed = np.setdiff1d(np.arange(1, order**2 + 1), givens[peers(order)[cell]])
        if allowed.size:
            givens[cell] = rng.choice(allowed)
    return Puzzle(order, givens)
