"""Bit operations for kernels: the instructions that Numba does not offer by itself.

Masks are unsigned; a mask of one bit stands for a value (bit v for value v + 1) or a place in a
unit. `tests/kernels/test_kernels.py` holds the plain twins.
"""

import numpy as np
from numba import types
from numba.extending import intrinsic

from antdoku.kernels.compilation import inlined

ONE = np.uint64(1)
MASK_ORDERS = range(2, 9)  # those whose values, 64 at most, fit a mask


@intrinsic
def _count_trailing_zeros(context, word):
    def build(context, builder, signature, arguments):
        # "Zero is poison" stays off: branch-free callers evaluate this for zero, too.
        return builder.cttz(arguments[0], context.get_constant(types.boolean, False))

    return types.uint64(types.uint64), build


@intrinsic
def _population_count(context, word):
    def build(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), build


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
