"""Vector operations for kernels: tests on `LANES` neighbouring masks at once.

LLVM turns them into whatever vector instructions the machine has. The plain twins are in
`tests/kernels/test_kernels.py`.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
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
    """``words[start + k] &= masks[masks_start + k]`` for all lanes.

    Returns two masks (uint64): the `singles` of the result, and the lanes that it has emptied.
    """

    def build(context, builder, signature, arguments):
        vector = _Vector(context, builder, signature.args[0], *arguments[:2])
        masks = _Vector(context, builder, signature.args[2], *arguments[2:])
        before = vector.load()
        after = builder.and_(before, masks.load())
        vector.store(after)
        emptied = builder.and_(
            builder.icmp_unsigned("!=", before, _constant(before.type, 0)),
            builder.icmp_unsigned("==", after, _constant(after.type, 0)),
        )
        pair = [_mask_of_singles(builder, after), _mask_of_lanes(builder, emptied)]
        return context.make_tuple(builder, signature.return_type, pair)

    return types.UniTuple(types.uint64, 2)(words, types.uint64, masks, types.uint64), build


@intrinsic
def add_outside(context, words, start, others, masks, masks_start):
    """``words[start + k] |= words[others + k] & ~masks[masks_start + k]`` for all lanes."""

    def build(context, builder, signature, arguments):
        words, start, others, masks, masks_start = arguments
        vector = _Vector(context, builder, signature.args[0], words, start)
        added = _Vector(context, builder, signature.args[0], words, others).load()
        mask = _Vector(context, builder, signature.args[3], masks, masks_start).load()
        outside = builder.and_(added, builder.not_(mask))
        vector.store(builder.or_(vector.load(), outside))
        return context.get_dummy_value()

    word = types.uint64
    return types.none(words, word, word, masks, word), build


@intrinsic
def lower_to_sum(context, least, words, start, mask, addend):
    """``least[k] = min(least[k], (words[start + k] & mask) + addend)`` for all lanes.

    A sum that exceeds the greatest word becomes that word.
    """

    def build(context, builder, signature, arguments):
        kept = _Vector(context, builder, signature.args[0], arguments[0], ir.IntType(64)(0))
        total, before = _sum(context, builder, signature.args[1], *arguments[1:]), kept.load()
        is_less = builder.icmp_unsigned("<", total, before)
        kept.store(builder.select(is_less, total, before))
        return context.get_dummy_value()

    word = types.uint64
    return types.none(least, words, word, word, word), build


@intrinsic
def lanes_of_sum(context, words, start, mask, addend, wanted):
    """The lanes whose sum, that of `lower_to_sum`, is `wanted`: a mask (uint64)."""

    def build(context, builder, signature, arguments):
        total = _sum(context, builder, signature.args[0], *arguments[:4])
        same = builder.icmp_unsigned("==", total, _spread(builder, arguments[4], total.type))
        return _mask_of_lanes(builder, same)

    word = types.uint64
    return word(words, word, word, word, word), build


@intrinsic
def least(context, words):
    """The least of the first `LANES` words (uint64)."""

    def build(context, builder, signature, arguments):
        vector = _Vector(
            context, builder, signature.args[0], arguments[0], ir.IntType(64)(0)
        ).load()
        word = _call(builder, "vector.reduce.umin", vector.type.element, vector)
        return builder.zext(word, ir.IntType(64))

    return types.uint64(words), build


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
    zero = _constant(vector.type, 0)
    without_lowest = builder.and_(vector, builder.sub(vector, _constant(vector.type, 1)))
    at_most_one = builder.icmp_unsigned("==", without_lowest, zero)
    not_empty = builder.icmp_unsigned("!=", vector, zero)
    return _mask_of_lanes(builder, builder.and_(at_most_one, not_empty))


def _mask_of_lanes(builder, flags):
    return builder.zext(builder.bitcast(flags, ir.IntType(LANES)), ir.IntType(64))


def _constant(vector_type, value):
    return ir.Constant(vector_type, [ir.Constant(vector_type.element, value)] * LANES)


def _sum(context, builder, array_type, words, start, mask, addend):
    """``(words[start + k] & mask) + addend``, at most the greatest word, as a vector."""
    vector = _Vector(context, builder, array_type, words, start).load()
    kept = builder.and_(vector, _spread(builder, mask, vector.type))
    return _call(builder, "uadd.sat", vector.type, kept, _spread(builder, addend, vector.type))


def _spread(builder, word, vector_type):
    """A vector with `word` (uint64) in all lanes."""
    word = builder.trunc(word, vector_type.element)
    first = builder.insert_element(ir.Constant(vector_type, ir.Undefined), word, ir.IntType(32)(0))
    places = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(first, ir.Constant(vector_type, ir.Undefined), places)


def _call(builder, name, returned, *vectors):
    """Call LLVM's function of this name for vectors of `LANES`."""
    full = f"llvm.{name}.v{LANES}{vectors[0].type.element}"
    function = ir.FunctionType(returned, [vector.type for vector in vectors])
    return builder.call(cgutils.get_or_insert_function(builder.module, function, full), vectors)
