"""Bit operations for kernels: the instructions that Numba does not offer by itself.

Masks are unsigned; a mask of one bit stands for a value (bit v for value v + 1) or a place in a
unit. `tests/kernels/test_kernels.py` holds the plain twins.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from antdoku.kernels.compilation import inlined

ONE = np.uint64(1)
MASK_ORDERS = range(2, 9)  # those whose values, 64 at most, fit a mask


def _instruction(emit):
    """Make an intrinsic of an instruction that turns one word (uint64) into another one."""

    @intrinsic
    def instruction(context, word):
        return types.uint64(types.uint64), lambda _, builder, __, words: emit(builder, *words)

    return instruction


# "Zero is poison" stays off: branch-free callers evaluate this for zero, too.
_count_trailing_zeros = _instruction(lambda builder, word: builder.cttz(word, ir.IntType(1)(0)))
_population_count = _instruction(lambda builder, word: builder.ctpop(word))


@inlined
def lowest(mask):
    """Number of the lowest bit that is set (uint64); 64 for an empty mask."""
    return _count_trailing_zeros(np.uint64(mask))


@inlined
def count(mask):
    """Number of bits that are set (uint64)."""
    return _population_count(np.uint64(mask))


@inlined
def without_lowest(mask):
    """`mask` without its lowest bit: empty if, and only if, at most one bit was set."""
    return mask & (mask - ONE)


@inlined
def full(n_bits):
    """Mask of the lowest `n_bits` bits, for 1 to 64 of them."""
    return ~np.uint64(0) >> (np.uint64(64) - np.uint64(n_bits))
