"""Bit operations for kernels: instructions that Numba itself does not offer.

Masks are unsigned. A mask of one bit stands for a value (bit v for value v + 1) or a place in a
unit. `tests/kernels/test_kernels.py` has the plain twins.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from antdoku.kernels.compilation import inlined

ONE = np.uint64(1)
MASK_ORDERS = range(2, 9)  # at most 64 values, which fit a mask


def _instruction(emit):
    """Return an intrinsic of an instruction that maps a word (uint64) to a word."""

    @intrinsic
    def instruction(context, word):
        return types.uint64(types.uint64), lambda _, builder, __, words: emit(builder, *words)

    return instruction


# "Zero is poison" stays off: branch-free callers evaluate this for zero, too.
_count_trailing_zeros = _instruction(lambda builder, word: builder.cttz(word, ir.IntType(1)(0)))
_population_count = _instruction(lambda builder, word: builder.ctpop(word))


@inlined
def lowest(mask):
    """Return the number of the lowest bit that is set (uint64); 64 for an empty mask."""
    return _count_trailing_zeros(np.uint64(mask))


@inlined
def count(mask):
    """Return the number of bits that are set (uint64)."""
    return _population_count(np.uint64(mask))


@inlined
def without_lowest(mask):
    """Return `mask` without its lowest bit: empty if and only if at most one bit was set."""
    return mask & (mask - ONE)


@inlined
def full(n_bits):
    """Return the mask of the lowest `n_bits` bits, 1 to 64."""
    return ~np.uint64(0) >> (np.uint64(64) - np.uint64(n_bits))
