"""Kernels (bits, vectors, random numbers, puzzles in lanes) against plain twins."""

import numpy as np
import pytest
from conftest import random_partial_grid, random_puzzle
from hypothesis import given
from hypothesis import strategies as st
from naive import lanes as naive

from antdoku.kernels import bits, lanes, randomness, vectors
from antdoku.kernels.compilation import kernel
from antdoku.puzzle import named

words = st.integers(0, 2**64 - 1)


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


def mask_of(flags):
    """Return a mask of the flags that are set."""
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
    assert singles == mask_of(np.bitwise_count(expected[7:23]) == 1)
    assert emptied == mask_of((before[7:23] > 0) & (expected[7:23] == 0))
    assert _singles(array, np.uint64(0)) == mask_of(np.bitwise_count(expected[:16]) == 1)


@kernel
def _lower_to_sum(minima, array, start, mask, addend, total):
    vectors.lower_to_sum(minima, array, start, mask, addend)
    return vectors.least(minima), vectors.lanes_of_sum(array, start, mask, addend, total)


@pytest.mark.parametrize("mask", [255, 127, 3])
def test_least_sums_of_vectors_equal_a_plain_loop(mask):
    rng = np.random.default_rng(mask)
    array, minima = rng.integers(0, 256, 60, np.uint8), np.full(16, 255, np.uint8)
    expected = minima.copy()
    for start in range(44):
        addend, total = rng.integers(0, 256, 2)
        sums = np.minimum((array[start : start + 16] & mask) + addend, 255)
        expected = np.minimum(expected, sums)
        words = map(np.uint64, (start, mask, addend, total))
        assert _lower_to_sum(minima, array, *words) == (expected.min(), mask_of(sums == total))
        np.testing.assert_array_equal(minima, expected)


def xoroshiro(first, second):
    """Yield the 64-bit numbers of xoroshiro128+ with the constants 24, 16, 37."""
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


# --- Puzzles in lanes ----------------------------------------------------------------------------


def answers(grids, limit=1, max_steps=lanes.NO_LIMIT, quota=lanes.NO_LIMIT):
    """Return the answers of the kernel, which pauses after `quota` guesses."""
    order = round(grids.shape[1] ** 0.25)
    search, results = lanes.new_search(order), lanes.new_answers(len(grids), order)
    while search.sets[lanes.ACTIVE]:
        assert lanes.advance(search, grids, results, limit, max_steps, quota) <= quota
    return results


FIXED = {3: (0.2, 0.3, 0.4, 0.6, 0.0, 0.99, 1.0), 4: (0.36, 0.5, 0.0, 0.99, 1.0)}
GIVENS = {3: range(4, 40, 3), 4: (60, 85, 105)}
NAMED = {3: named.puzzles("seventeen_clue")[:12] + named.puzzles("mantere_koljonen_46")[:6], 4: []}


@pytest.fixture(scope="module", params=lanes.ORDERS)
def mixed(request):
    """Easy and hard puzzles with one, many or no solutions; the last two have contradictions."""
    order = request.param
    puzzles = [*NAMED[order], *(random_puzzle(order, fixed, 7) for fixed in FIXED[order])]
    puzzles += [random_partial_grid(order, number, number) for number in GIVENS[order]]
    grids = np.array([puzzle.givens for puzzle in [*puzzles, puzzles[0], puzzles[-1]]], np.uint8)
    grids[-2, :2], grids[-1, [0, -1]] = order**2, 9
    return grids


@pytest.mark.parametrize("limit, max_steps", [(1, lanes.NO_LIMIT), (7, 25), (2, 0)])
def test_a_lane_equals_a_plain_search(mixed, limit, max_steps):
    results = answers(mixed, limit, max_steps)
    for number, givens in enumerate(mixed):
        first, count, steps, is_finished = naive.solve(givens, limit, max_steps)
        assert (results.counts[number], results.steps[number]) == (count, steps)
        assert results.status[number] == (0 if is_finished else lanes.CUT)
        assert results.solutions[number].tolist() == (first or [0] * len(givens))


@pytest.mark.parametrize("quota", [1, 5, 64])
def test_answers_depend_neither_on_pauses_nor_on_the_other_puzzles(mixed, quota):
    expected = answers(mixed, 20, 500)
    shuffle = np.random.default_rng(quota).permutation(len(mixed))
    for result, array in zip(answers(mixed[shuffle], 20, 500, quota), expected):
        np.testing.assert_array_equal(result, array[shuffle])


def test_the_next_puzzle_takes_the_lane_of_an_abandoned_puzzle():
    grids = np.zeros((40, 81), np.uint8)
    grids[32:] = random_puzzle(3, 0.5, 1).givens
    search, results = lanes.new_search(), lanes.new_answers(40)
    lanes.advance(search, grids, results, lanes.NO_LIMIT, lanes.NO_LIMIT, 5000)
    assert search.puzzle.tolist() == list(range(32))
    for lane in range(8):
        lanes.give_up(search, results, lane)
    lanes.advance(search, grids, results, lanes.NO_LIMIT, lanes.NO_LIMIT, 5000)
    assert np.flatnonzero(results.status == lanes.CUT).tolist() == list(range(8))
    assert results.counts[32:].tolist() == [1] * 8
