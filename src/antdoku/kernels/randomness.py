"""Random numbers inside kernels: xoroshiro128+ on a state of two words.

Blackman & Vigna 2018, "Scrambled linear pseudorandom number generators". A draw takes about a fifth
of the time of `numpy.random.Generator` inside a kernel. The generator that is passed to a solver
seeds the state.
"""

import numpy as np

from antdoku.kernels.bits import ONE, count, lowest, without_lowest
from antdoku.kernels.compilation import inlined

_TO_UNIT = 1.0 / 9007199254740992.0  # 2**-53


def kernel_state(rng: np.random.Generator) -> np.ndarray:
    """Return a state for `uniform` and `below` (uint64, shape (2,), not zero), drawn from `rng`."""
    state = rng.integers(0, 2**64, size=2, dtype=np.uint64)
    state[0] |= np.uint64(1)
    return state


@inlined
def draw(state):
    """Return the next 64 random bits (uint64); `state` changes in place."""
    first, second = state[0], state[1]
    result = first + second
    second ^= first
    state[0] = _rotated(first, np.uint64(24)) ^ second ^ (second << np.uint64(16))
    state[1] = _rotated(second, np.uint64(37))
    return result


@inlined
def uniform(state):
    """Return a float in [0, 1) from the upper 53 bits."""
    return np.float64(draw(state) >> np.uint64(11)) * _TO_UNIT


@inlined
def below(state, bound):
    """Return a whole number from 0 to bound - 1 (uint64), for bounds below 2**32.

    Multiplies the upper 32 bits (Lemire 2019, without the rejection: the bias is below
    bound / 2**32).
    """
    return ((draw(state) >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32)


@inlined
def bit_of(state, mask):
    """Return the number of a bit of `mask` (uint64); all bits have the same probability."""
    for _ in range(below(state, count(mask))):
        mask = without_lowest(mask)
    return lowest(mask)


@inlined
def two_below(state, bound, second_bound):
    """Return two different whole numbers, below `bound` and below `second_bound` >= `bound`."""
    first, second = below(state, bound), below(state, second_bound - ONE)
    return first, second + np.uint64(second >= first)


@inlined
def _rotated(word, by):
    return (word << by) | (word >> (np.uint64(64) - by))
