"""Small kernels (bits, vectors, random numbers) against plain twins."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from antdoku.kernels import bits, randomness, vectors
from antdoku.kernels.compilation import kernel

words = st.integers(0, 2**64 - 1)


@settings(deadline=None)  # the first call compiles
@given(words)
def test_bit_operations(word):
    mask = np.uint64(word)
    assert bits.count(mask) == word.bit_count()
    assert bits.lowest(mask) == ((word & -word).bit_length() - 1 if word else 64)
    assert bits.without_lowest(mask) == word & (word - 1) & 2**64 - 1


@pytest.mark.parametrize("n_bits", [1, 4, 25, 32, 63, 64])
def test_full_mask(n_bits):
    assert bits.full(n_bits) == 2**n_bits - 1


@kernel
def _singles(array, start):
    return vectors.singles(array, start)


@kernel
def _keep(array, start, masks, masks_start):
    return vectors.keep(array, start, masks, masks_start)


def lanes(flags):
    """Mask of the flags that are set."""
    return sum(1 << lane for lane, flag in enumerate(flags) if flag)


@pytest.mark.parametrize("dtype", [np.uint32, np.uint64])
@pytest.mark.parametrize("seed", range(5))
def test_vectors_equal_plain_loops(dtype, seed):
    rng = np.random.default_rng(seed)
    few_bits = ([0, 1, 2, 3, 4, 6, 1 << np.dtype(dtype).itemsize * 8 - 1], 40)
    array = rng.choice(*few_bits).astype(dtype)
    masks = rng.choice(*few_bits).astype(dtype)
    before, expected = array.copy(), array.copy()
    expected[7:23] &= masks[3:19]

    singles, emptied = _keep(array, np.uint64(7), masks, np.uint64(3))

    np.testing.assert_array_equal(array, expected)
    assert singles == lanes(np.bitwise_count(expected[7:23]) == 1)
    assert emptied == lanes((before[7:23] > 0) & (expected[7:23] == 0))
    assert _singles(array, np.uint64(0)) == lanes(np.bitwise_count(expected[:16]) == 1)


@kernel
def _lower_to_sum(least, array, start, mask, addend, wanted):
    vectors.lower_to_sum(least, array, start, mask, addend)
    return vectors.least(least), vectors.lanes_of_sum(array, start, mask, addend, wanted)


@pytest.mark.parametrize("mask", [255, 127, 3])
def test_least_sums_of_vectors_equal_a_plain_loop(mask):
    rng = np.random.default_rng(mask)
    array, least = rng.integers(0, 256, 60, np.uint8), np.full(16, 255, np.uint8)
    expected = least.copy()
    for start in range(44):
        addend, wanted = rng.integers(0, 256, 2)
        sums = np.minimum((array[start : start + 16] & mask) + addend, 255)
        expected = np.minimum(expected, sums)
        words = map(np.uint64, (start, mask, addend, wanted))
        assert _lower_to_sum(least, array, *words) == (expected.min(), lanes(sums == wanted))
        np.testing.assert_array_equal(least, expected)


def xoroshiro(first, second):
    """Plain xoroshiro128+ with the constants 24, 16, 37; yields 64-bit numbers."""
    limit = 2**64 - 1
    while True:
        yield (first + second) & limit
        second ^= first
        first = ((first << 24 | first >> 40) ^ second ^ second << 16) & limit
        second = (second << 37 | second >> 27) & limit


def test_random_words_equal_plain_xoroshiro_and_the_published_first_number():
    state = randomness.kernel_state(np.random.default_rng(5))
    plain = xoroshiro(int(state[0]), int(state[1]))
    assert [int(randomness.draw(state)) for _ in range(50)] == [next(plain) for _ in range(50)]
    # State 1, 2: the reference implementation's first output is the sum, 3.
    state = np.array([1, 2], np.uint64)
    assert int(randomness.draw(state)) == 3


def test_uniform_and_below_cover_their_ranges_evenly():
    state = randomness.kernel_state(np.random.default_rng(1))
    floats = np.array([randomness.uniform(state) for _ in range(20_000)])
    assert floats.min() >= 0 and floats.max() < 1
    assert abs(floats.mean() - 0.5) < 0.01
    counts = np.bincount([int(randomness.below(state, 10)) for _ in range(20_000)], minlength=10)
    assert counts.size == 10 and abs(counts - 2000).max() < 200
