"""Random numbers inside kernels: xoroshiro128+ on a state of two words.

Blackman & Vigna 2018, "Scrambled linear pseudorandom number generators". A draw costs about a
fifth of one from a `numpy.random.Generator` inside a kernel; the generator that is passed to a
solver seeds the state.
"""

import numpy as np

from antdoku.kernels.bits import ONE, count, lowest, without_lowest
from antdoku.kernels.compilation import inlined

_TO_UNIT = 1.0 / 9007199254740992.0  # 2**-53


def kernel_state(rng: np.random.Generator) -> np.ndarray:
    """State for `uniform` and `below`: uint64, shape (2,), not all zero, drawn from `rng`."""
    state = rng.integers(0, 2**64, size=2, dtype=np.uint64)
    state[0] |= np.uint64(1)
    return state


@inlined
def draw(state):
    """Next 64 random bits (uint64); changes `state` in place."""
    first, second = state[0], state[1]
    result = first + second
    second ^= first
    state[0] = _rotated(first, np.uint64(24)) ^ second ^ (second << np.uint64(16))
    state[1] = _rotated(second, np.uint64(37))
    return result


@inlined
def uniform(state):
    """A float in [0, 1) from the upper 53 bits."""
    return np.float64(draw(state) >> np.uint64(11)) * _TO_UNIT


@inlined
def below(state, bound):
    """A whole number from 0 to bound - 1 (uint64), for bounds below 2**32.

    Multiplies the upper 32 bits (Lemire 2019, without the rejection: the bias is below
    bound / 2**32).
    """
    return ((draw(state) >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32)


@inlined
def bit_of(state, mask):
    """Number of one of the bits of `mask` (uint64), each with the same probability."""
    for _ in range(below(state, count(mask))):
        mask = without_lowest(mask)
    return lowest(mask)


@inlined
def two_below(state, bound, other_bound):
    """A whole number below `bound`, and another one below `other_bound`, which is not less."""
    one, other = below(state, bound), below(state, other_bound - ONE)
    return one, other + np.uint64(other >= one)


@inlined
def _rotated(word, by):
    return (word << by) | (word >> (np.uint64(64) - by))
