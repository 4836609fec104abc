"""Vector operations for kernels: tests on `LANES` neighbouring masks at once.

LLVM turns them into whatever vector instructions the machine has. `tests/test_vectors.py` holds
the plain twins.
"""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

LANES = 16


@intrinsic
def singles(context, words, start):
    """Which of the `LANES` words from `start` have exactly one bit: a mask (uint64)."""

    def build(context, builder, signature, arguments):
        vector = _Vector(context, builder, signature.args[0], *arguments)
        return _mask_of_singles(builder, vector.load())

    return types.uint64(words, types.uint64), build


@intrinsic
def keep(context, words, start, masks, masks_start):
    """``words[start + k] &= masks[masks_start + k]`` for all lanes; returns `singles` of that."""

    def build(context, builder, signature, arguments):
        vector = _Vector(context, builder, signature.args[0], *arguments[:2])
        masks = _Vector(context, builder, signature.args[2], *arguments[2:])
        kept = builder.and_(vector.load(), masks.load())
        vector.store(kept)
        return _mask_of_singles(builder, kept)

    return types.uint64(words, types.uint64, masks, types.uint64), build


class _Vector:
    """`LANES` neighbouring elements of an array, as one LLVM vector in memory."""

    def __init__(self, context, builder, array_type, array, start):
        word = context.get_value_type(array_type.dtype)
        data = context.make_array(array_type)(context, builder, array).data
        element = builder.gep(data, [start], inbounds=True)
        self._pointer = builder.bitcast(element, ir.VectorType(word, LANES).as_pointer())
        self._builder = builder
        self._alignment = word.width // 8

    def load(self):
        return self._builder.load(self._pointer, align=self._alignment)

    def store(self, vector):
        self._builder.store(vector, self._pointer, align=self._alignment)


def _mask_of_singles(builder, vector):
    """Bit k: lane k of `vector` has exactly one bit set."""
    word = vector.type.element
    one = ir.Constant(vector.type, [ir.Constant(word, 1)] * LANES)
    zero = ir.Constant(vector.type, [ir.Constant(word, 0)] * LANES)
    without_lowest = builder.and_(vector, builder.sub(vector, one))
    at_most_one = builder.icmp_unsigned("==", without_lowest, zero)
    not_empty = builder.icmp_unsigned("!=", vector, zero)
    lanes = builder.bitcast(builder.and_(at_most_one, not_empty), ir.IntType(LANES))
    return builder.zext(lanes, ir.IntType(64))
