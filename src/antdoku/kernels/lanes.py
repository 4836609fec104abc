"""9x9 Sudoku in batches: 32 puzzles at a time, one in each lane of the vector registers.

A puzzle is 81 masks of candidates of 16 bits, bit v for value v + 1, and the masks of one cell in
all lanes lie together: ``masks[cell, lane]``. A sweep infers in all lanes at once, without a
branch. What differs from lane to lane, to guess, to go back or to begin the next puzzle, is done
for one lane at a time between two sweeps. Each lane is a depth-first search of its own: what it
finds, and in how many guesses, depends neither on its neighbours nor on where the kernel pauses.

Reference: the triads are those of Tom Dillon's tdoku (https://t-dillon.github.io/tdoku/), which
lays one puzzle across the lanes.

Glossary: triad = the three cells that a row or a column shares with a box. Band = three boxes side
by side, or on top of each other: nine triads (line, box), of which a value takes one in each line
and one in each box. Sweep = inference in all six bands. Guess = an open cell is set to one of its
candidates, and the grid without that candidate waits on the lane's stack. A step is a guess.
"""

from itertools import product
from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from antdoku.kernels.bits import ONE, count, lowest
from antdoku.kernels.compilation import inlined, kernel

LANES = 32
CELLS = 81
NONE = np.uint64(0)
ALL_LANES = ~np.uint64(0) >> np.uint64(64 - LANES)
FULL = 2**9 - 1  # mask of all values
_WORD, _WIDE = ir.IntType(16), ir.IntType(64)
_VECTOR = ir.VectorType(_WORD, LANES)
_ALIGNMENT = 64  # bytes: the longest vector register
CUT = 1
NO_LIMIT = 2**62  # of steps or of solutions

ACTIVE, TODO, WRONG, OPEN, BEGUN = range(5)  # places in `Search.sets`


class Search(NamedTuple):
    """The lanes, which can pause before any guess and go on.

    The sets of lanes: ACTIVE ones have a puzzle; those TODO wait for a guess, a step back or the
    next puzzle, after a sweep that found them WRONG or changed nothing; OPEN ones have an open cell
    and are not wrong.
    """

    masks: np.ndarray  # uint16 (81, LANES)
    stacks: np.ndarray  # uint16 (LANES, 81, 81): at most one grid for each cell
    depth: np.ndarray  # int64 (LANES,): grids on the stack
    puzzle: np.ndarray  # int64 (LANES,): which one is in the lane
    sets: np.ndarray  # uint64 (5,): four sets of lanes, and how many puzzles have begun


class Answers(NamedTuple):
    """What is found about n puzzles; zeros at the beginning."""

    solutions: np.ndarray  # uint8 (n, 81): the first one
    counts: np.ndarray  # int64 (n,): solutions found
    steps: np.ndarray  # int64 (n,): guesses
    status: np.ndarray  # uint8 (n,): CUT if it was given up at a limit


def new_search() -> Search:
    """Lanes that are about to begin: each has an empty stack, and is done with nothing."""
    masks = np.zeros(CELLS * LANES + _ALIGNMENT // 2, np.uint16)
    masks = masks[-masks.ctypes.data % _ALIGNMENT // 2 :][: CELLS * LANES]
    return Search(
        masks.reshape(CELLS, LANES),
        np.empty((LANES, CELLS, CELLS), np.uint16),
        np.zeros(LANES, np.int64),
        np.full(LANES, -1),
        np.array([ALL_LANES, ALL_LANES, ALL_LANES, NONE, NONE]),
    )


def new_answers(number: int) -> Answers:
    """Answers to so many puzzles, still empty."""
    counts, steps = np.zeros((2, number), np.int64)
    return Answers(np.zeros((number, CELLS), np.uint8), counts, steps, np.zeros(number, np.uint8))


def give_up(search: Search, answers: Answers, lane: int) -> None:
    """Give up the puzzle in an active lane: `advance` goes on with the next one."""
    answers.status[search.puzzle[lane]] = CUT
    search.depth[lane] = 0
    bit = ONE << np.uint64(lane)
    search.sets[TODO] |= bit
    search.sets[WRONG] |= bit
    search.sets[OPEN] &= ~bit


# --- Search --------------------------------------------------------------------------------------


@kernel
def advance(search, grids, answers, limit, max_steps, quota):
    """Go on for up to `quota` guesses; returns those made. At the end no lane is ACTIVE.

    Parameters
    ----------
    search : Search
        Changed in place.
    grids : ndarray of uint8, shape (n, 81)
        The puzzles, 0 for a blank.
    answers : Answers
        Of these puzzles, changed in place.
    limit, max_steps : int
        Solutions after which, and guesses before which, a puzzle is done.
    """
    active, todo, wrong, opened, _ = search.sets
    steps = 0
    while active:
        while todo:
            lane = lowest(todo)
            bit = ONE << lane
            number = search.puzzle[lane]
            if opened & bit and answers.steps[number] < max_steps:
                if steps == quota:
                    _pause(search.sets, active, todo, wrong, opened)
                    return steps
                _guess(search, lane)
                answers.steps[number] += 1
                steps += 1
            else:
                if opened & bit:
                    answers.status[number] = CUT
                    search.depth[lane] = 0
                elif not wrong & bit:
                    _record(search, answers, lane, limit)
                if not _go_back(search, lane) and not _begin(search, grids, lane):
                    active ^= bit
            todo ^= bit
        changed, wrong, opened = _sweep(search.masks)
        # A lane without an open cell is solved only if nothing has changed: two of its values may
        # be the same still.
        todo = (wrong | ~changed) & active
    _pause(search.sets, active, todo, wrong, opened)
    return steps


@inlined
def _pause(sets, active, todo, wrong, opened):
    sets[ACTIVE], sets[TODO], sets[WRONG], sets[OPEN] = active, todo, wrong, opened


@inlined
def _guess(search, lane):
    """Keep the grid without the lowest candidate of a cell, and set the cell to that candidate."""
    masks, level = search.masks, search.depth[lane]
    kept = search.stacks[lane, level]
    for cell in range(CELLS):
        kept[cell] = masks[cell, lane]
    cell = _fewest(masks, lane)
    masks[cell, lane] &= -masks[cell, lane]
    kept[cell] ^= masks[cell, lane]
    search.depth[lane] = level + 1


@inlined
def _fewest(masks, lane):
    """The first open cell of those with fewest candidates."""
    best, fewest = 0, np.uint64(10)
    for cell in range(CELLS):
        number = count(masks[cell, lane])
        if ONE < number < fewest:
            best, fewest = cell, number
            if number == np.uint64(2):
                break
    return best


@inlined
def _record(search, answers, lane, limit):
    """Count the grid in a lane as a solution, and empty the stack if it is the last one wanted."""
    number = search.puzzle[lane]
    if not answers.counts[number]:
        for cell in range(CELLS):
            answers.solutions[number, cell] = lowest(search.masks[cell, lane]) + ONE
    answers.counts[number] += 1
    if answers.counts[number] == limit:
        search.depth[lane] = 0


@inlined
def _go_back(search, lane):
    """Take the last grid from the stack of a lane; False if there is none."""
    if search.depth[lane] == 0:
        return False
    search.depth[lane] -= 1
    kept = search.stacks[lane, search.depth[lane]]
    for cell in range(CELLS):
        search.masks[cell, lane] = kept[cell]
    return True


@inlined
def _begin(search, grids, lane):
    """Load the next puzzle into a lane; False if there is none."""
    number = np.int64(search.sets[BEGUN])
    if number == len(grids):
        return False
    search.sets[BEGUN] += ONE
    search.puzzle[lane], search.depth[lane] = number, 0
    for cell in range(CELLS):
        given = grids[number, cell]
        search.masks[cell, lane] = (1 << given) >> 1 if given else FULL
    return True


@inlined
def _sweep(masks):
    """Infer in all bands; returns the lanes changed, those wrong and the others with open cells."""
    changed, wrong, opened = NONE, NONE, NONE
    for band in range(3):
        moved, failed, _ = _across(masks, band)
        changed, wrong = changed | moved, wrong | failed
    for band in range(3):
        moved, failed, unfilled = _down(masks, band)
        changed, wrong, opened = changed | moved, wrong | failed, opened | unfilled
    return changed, wrong, opened & ~wrong


# --- Inference in all lanes: this Python runs once, when the kernel is compiled ------------------


class _Masks:
    """One mask per lane: operators emit vector instructions, comparisons make flags of lanes."""

    def __init__(self, builder, value):
        self.builder, self.value = builder, value

    def _emit(self, name, other):
        other = self.constant(other) if isinstance(other, int) else other
        return _Masks(self.builder, getattr(self.builder, name)(self.value, other.value))

    def __and__(self, other):
        return self._emit("and_", other)

    def __or__(self, other):
        return self._emit("or_", other)

    def __xor__(self, other):
        return self._emit("xor", other)

    def __invert__(self):
        return self ^ 0xFFFF

    def constant(self, word):
        return _Masks(self.builder, ir.Constant(_VECTOR, [_WORD(word)] * LANES))

    def compare(self, sign, other):
        other = self.constant(other) if isinstance(other, int) else other
        return self.builder.icmp_unsigned(sign, self.value, other.value)

    def where(self, flags, other):
        """This mask in the lanes with a flag, the other one elsewhere."""
        return _Masks(self.builder, self.builder.select(flags, self.value, other.value))

    def without_lowest(self):
        return self & self._emit("sub", 1)

    def single(self):
        """The mask if it has one bit at most, otherwise empty."""
        return self.where(self.without_lowest().compare("==", 0), self.constant(0))


_TRIADS = list(product(range(3), range(3)))  # (line, box)
_IN_LINE_AND_BOX = [(0, 1), (0, 2), (1, 0), (2, 0)]  # steps to the others of the line, and the box
_ELSEWHERE = [(1, 1), (2, 2), (1, 2), (2, 1)]  # the first two, or the last two, go with a triad


def _at(triads, here, steps):
    """What the triads have that lie so many lines and boxes further, cyclically."""
    return [triads[(here[0] + line) % 3, (here[1] + box) % 3] for line, box in steps]


def _able(cells):
    """Values that each triad may take, given the candidates ``cells[line, box][place]``."""
    fixed, free, able = {}, {}, {}
    for here in _TRIADS:
        a, b, c = (cell.single() for cell in cells[here])
        fixed[here] = a | b | c
    for here in _TRIADS:  # a value that is fixed leaves the other triads of its line and box
        a, b, c = cells[here]
        p, q, r, s = _at(fixed, here, _IN_LINE_AND_BOX)
        free[here] = (a | b | c) & ~(p | q | r | s)
    for here in _TRIADS:  # a triad takes a value only if the other lines can in the other boxes
        p, q, r, s = _at(free, here, _ELSEWHERE)
        able[here] = free[here] & (p & q | r & s)
    return able


def _narrowed(cells, able, here):
    """Candidates of the three cells of a triad after inference."""
    a, b, c = cells[here]
    in_line = _at(able, here, _IN_LINE_AND_BOX[:2])
    must = able[here] & ~(in_line[0] | in_line[1])  # nowhere else in the line
    hidden = must & ~(a & b | c & (a | b))  # and there is one cell for it
    three = must.without_lowest().without_lowest().compare("!=", 0)
    allowed = must.where(three, able[here])  # three values that must be in it fill it
    singles = [cell.single() for cell in cells[here]]
    after = []
    for place, cell in enumerate(cells[here]):
        mask = cell & allowed & ~(singles[place - 1] | singles[place - 2])
        forced = mask & hidden
        after.append(forced.where(forced.compare("!=", 0), mask))
    return after


def _flags(cells, after, able):
    """Lanes with a change, with a contradiction, and with an open cell, in a band."""
    taken = able[0, 0] | able[0, 1] | able[0, 2]  # a value that no line takes has no place
    changed = unfilled = taken.constant(0)
    least = taken.constant(FULL)
    for here, place in product(_TRIADS, range(3)):
        old, new = cells[here][place], after[here][place]
        changed |= old ^ new
        unfilled |= new.without_lowest()
        least = new.where(new.compare("<", least), least)
    wrong = taken.builder.or_(least.compare("==", 0), taken.compare("!=", FULL))
    return changed.compare("!=", 0), wrong, unfilled.compare("!=", 0)


def _inference(band, line, box, place):
    """Intrinsic that infers in one band, whose cells lie at such distances."""

    @intrinsic
    def infer(typing_context, masks, number):
        """Narrow the masks of a band; returns three sets of lanes, those of `_flags`."""

        def build(context, builder, signature, arguments):
            data = context.make_array(masks)(context, builder, arguments[0]).data
            start = builder.bitcast(data, _VECTOR.as_pointer())
            first = builder.mul(arguments[1], _WIDE(band))

            def address(here, k):
                cell = builder.add(first, _WIDE(line * here[0] + box * here[1] + place * k))
                return builder.gep(start, [cell], source_etype=_VECTOR)

            def load(here, k):
                return _Masks(builder, builder.load(address(here, k), align=2, typ=_VECTOR))

            cells = {here: [load(here, k) for k in range(3)] for here in _TRIADS}
            able = _able(cells)
            after = {here: _narrowed(cells, able, here) for here in _TRIADS}
            for here, k in product(_TRIADS, range(3)):
                builder.store(after[here][k].value, address(here, k), align=2)
            words = [builder.bitcast(f, ir.IntType(LANES)) for f in _flags(cells, after, able)]
            sets = [builder.zext(word, _WIDE) for word in words]
            return context.make_tuple(builder, signature.return_type, sets)

        return types.UniTuple(types.uint64, 3)(masks, types.int64), build

    return infer


_across = _inference(band=27, line=9, box=3, place=1)
_down = _inference(band=3, line=1, box=27, place=9)
