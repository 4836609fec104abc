"""Vector operations for kernels: tests on `LANES` neighbouring masks at once.

LLVM turns them into the vector instructions of the machine. The plain twins are in
`tests/kernels/test_kernels.py`.
"""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from antdoku.kernels.compilation import inlined

LANES = 16
_WORD = types.uint64
_FIRST = ir.IntType(64)(0)


def _operator(name):
    def emit(self, operand):
        values = self.value, self.constant(operand).value
        return Words(self.builder, getattr(self.builder, name)(*values))

    return emit


class Words:
    """A vector of words, one per lane; operators emit instructions, comparisons make flags."""

    __and__, __or__, __xor__ = map(_operator, ("and_", "or_", "xor"))
    __add__, __sub__ = map(_operator, ("add", "sub"))

    def __init__(self, builder, value):
        self.builder, self.value = builder, value

    def __invert__(self):
        return self ^ -1

    def without_lowest(self):
        """Return the words without their lowest bits."""
        return self & (self - 1)

    def constant(self, word):
        """Return a vector with `word` in all lanes; a vector is returned as it is."""
        if isinstance(word, Words):
            return word
        kind = self.value.type
        return Words(self.builder, ir.Constant(kind, [kind.element(word)] * kind.count))

    def compare(self, sign, operand):
        """Return the flags of the lanes in which a comparison holds."""
        return self.builder.icmp_unsigned(sign, self.value, self.constant(operand).value)

    def where(self, flags, words):
        """Return these words in the lanes with a flag, and other words elsewhere."""
        return Words(self.builder, self.builder.select(flags, self.value, words.value))

    def singles(self):
        """Return the flags of the lanes whose word has exactly one bit."""
        at_most_one = self.without_lowest().compare("==", 0)
        return self.builder.and_(at_most_one, self.compare("!=", 0))


def mask_of(builder, flags):
    """Return flags as a mask (uint64): bit k is the flag of lane k."""
    return builder.zext(builder.bitcast(flags, ir.IntType(flags.type.count)), ir.IntType(64))


@intrinsic
def singles(context, words, start):
    """Return a mask (uint64) of the `LANES` words from `start` that have exactly one bit."""

    def build(context, builder, signature, arguments):
        vector = _Memory(context, builder, signature.args[0], *arguments).load()
        return mask_of(builder, vector.singles())

    return _WORD(words, _WORD), build


@intrinsic
def keep(context, words, start, masks, masks_start):
    """``words[start + k] &= masks[masks_start + k]`` for all lanes.

    Returns two masks (uint64): the `singles` of the result, and the lanes that it has emptied.
    """

    def build(context, builder, signature, arguments):
        memory = _Memory(context, builder, signature.args[0], *arguments[:2])
        before = memory.load()
        after = before & _Memory(context, builder, signature.args[2], *arguments[2:]).load()
        memory.store(after)
        emptied = builder.and_(before.compare("!=", 0), after.compare("==", 0))
        pair = [mask_of(builder, flags) for flags in (after.singles(), emptied)]
        return context.make_tuple(builder, signature.return_type, pair)

    return types.UniTuple(_WORD, 2)(words, _WORD, masks, _WORD), build


@intrinsic
def lower_to_sum(context, least, words, start, mask, addend):
    """``least[k] = min(least[k], (words[start + k] & mask) + addend)`` for all lanes.

    A sum that exceeds the greatest word becomes that word.
    """

    def build(context, builder, signature, arguments):
        memory = _Memory(context, builder, signature.args[0], arguments[0], _FIRST)
        total, before = _sum(context, builder, signature.args[1], *arguments[1:]), memory.load()
        memory.store(total.where(total.compare("<", before), before))
        return context.get_dummy_value()

    return types.none(least, words, _WORD, _WORD, _WORD), build


@intrinsic
def lanes_of_sum(context, words, start, mask, addend, total):
    """Return a mask (uint64) of the lanes whose sum, as in `lower_to_sum`, is `total`."""

    def build(context, builder, signature, arguments):
        sums = _sum(context, builder, signature.args[0], *arguments[:4])
        return mask_of(builder, sums.compare("==", _spread(sums, arguments[4])))

    return _WORD(words, _WORD, _WORD, _WORD, _WORD), build


@inlined
def least(words):
    """Return the least of the first `LANES` words."""
    lowest = words[0]
    for k in range(LANES):
        lowest = min(lowest, words[k])
    return lowest


class _Memory:
    """`LANES` neighbouring elements of an array from `start`."""

    def __init__(self, context, builder, array_type, array, start):
        word = context.get_value_type(array_type.dtype)
        data = context.make_array(array_type)(context, builder, array).data
        element = builder.gep(data, [start], inbounds=True)
        self._pointer = builder.bitcast(element, ir.VectorType(word, LANES).as_pointer())
        self._builder, self._alignment = builder, word.width // 8

    def load(self):
        return Words(self._builder, self._builder.load(self._pointer, align=self._alignment))

    def store(self, words):
        self._builder.store(words.value, self._pointer, align=self._alignment)


def _sum(context, builder, array_type, words, start, mask, addend):
    """Return ``(words[start + k] & mask) + addend`` as a vector, at most the greatest word."""
    vector = _Memory(context, builder, array_type, words, start).load()
    kept = vector & _spread(vector, mask)
    total = kept + _spread(vector, addend)
    return total.where(total.compare(">=", kept), total.constant(-1))


def _spread(vector, word):
    """Return a vector of the type of `vector` with `word` (uint64) in all lanes."""
    builder, kind = vector.builder, vector.value.type
    nothing, places = ir.Constant(kind, ir.Undefined), ir.VectorType(ir.IntType(32), kind.count)
    word = builder.trunc(word, kind.element)
    first = builder.insert_element(nothing, word, ir.IntType(32)(0))
    return Words(builder, builder.shuffle_vector(first, nothing, places(None)))
