"""Many puzzles of 9x9 or 16x16 at once: 32 of them, one in each lane of the vector registers.

A puzzle is a mask of candidates of 16 bits for each cell, bit v for value v + 1, and the masks of
one cell in all lanes lie together: ``masks[cell, lane]``. A sweep infers in all lanes at once,
without a branch. What differs from lane to lane, to guess, to go back or to begin the next puzzle,
is done for one lane at a time between two sweeps. Each lane is a depth-first search of its own:
what it finds, and in how many guesses, depends neither on its neighbours nor on where the kernel
pauses.

Reference: the triads of Tom Dillon's tdoku (https://t-dillon.github.io/tdoku/), which lays one
puzzle across the lanes, are our segments of order 3.

Glossary: segment = the n cells that a row or a column shares with a box. Band = n boxes side by
side, or on top of each other: n times n segments (line, box), of which a value takes one in each
line and one in each box. Sweep = inference in all 2 n bands. Guess = an open cell is set to one of
its candidates, and the grid without that candidate waits on the lane's stack. A step is a guess.
"""

from collections import namedtuple
from functools import cache, partial, reduce
from itertools import product
from operator import or_

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from antdoku.kernels.bits import ONE, count, lowest
from antdoku.kernels.compilation import kernel
from antdoku.kernels.vectors import Words, mask_of
from antdoku.puzzle.grid import peers

ORDERS = (3, 4)  # whose values fit a mask of 16 bits, and are worth it
LANES = 32
NONE, TWO = np.uint64(0), np.uint64(2)
ALL_LANES = ~np.uint64(0) >> np.uint64(64 - LANES)
_WORD, _WIDE = ir.IntType(16), ir.IntType(64)
_VECTOR = ir.VectorType(_WORD, LANES)
_ALIGNMENT = 64  # bytes: the longest vector register
CUT = 1
NO_LIMIT = 2**62  # of steps or of solutions
# Parts of the one kernel are not compiled by themselves: that takes a third of the time away.
part = partial(kernel, inline="always")

# Places in `Search.sets`, which are sets of lanes: ACTIVE ones have a puzzle; those TODO wait for a
# guess, a step back or the next puzzle, after a sweep that found them WRONG or changed nothing;
# OPEN ones have an open cell and are not wrong. The last is how many puzzles have begun.
ACTIVE, TODO, WRONG, OPEN, BEGUN = range(5)
Search = namedtuple("Search", "bands peers masks stacks depth puzzle sets")
Answers = namedtuple("Answers", "solutions counts steps status")


def new_search(order: int = 3) -> Search:
    """Lanes that are about to begin, and can pause before any guess and go on."""
    n_cells = order**4
    masks = np.zeros(n_cells * LANES + _ALIGNMENT // 2, np.uint16)
    masks = masks[-masks.ctypes.data % _ALIGNMENT // 2 :][: n_cells * LANES]
    return Search(
        bands=tuple(range(order)),  # its type tells the compiler the order
        peers=peers(order),
        masks=masks.reshape(n_cells, LANES),
        stacks=np.empty((LANES, n_cells, n_cells), np.uint16),  # at most one grid for each cell
        depth=np.zeros(LANES, np.int64),  # grids on the stack
        puzzle=np.full(LANES, -1),  # which one is in the lane
        sets=np.array([ALL_LANES, ALL_LANES, ALL_LANES, NONE, NONE]),
    )


def new_answers(number: int, order: int = 3) -> Answers:
    """Answers to so many puzzles, still empty."""
    return Answers(
        solutions=np.zeros((number, order**4), np.uint8),  # the first one
        counts=np.zeros(number, np.int64),  # solutions found
        steps=np.zeros(number, np.int64),  # guesses
        status=np.zeros(number, np.uint8),  # CUT if it was given up at a limit
    )


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

    A puzzle is a row of `grids` (uint8, (n, c), 0 blank), and done at `limit` solutions or when it
    would take more than `max_steps` guesses. `search` and `answers` are changed in place.
    """
    sets, steps = search.sets, 0
    active, todo, wrong, opened, _ = sets
    while active:
        while todo:
            lane = lowest(todo)
            bit = ONE << lane
            number = search.puzzle[lane]
            if opened & bit and answers.steps[number] < max_steps:
                if steps == quota:
                    sets[:BEGUN] = active, todo, wrong, opened
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
        changed, wrong, opened = _sweep(search.masks, search.bands)
        # A lane without an open cell is solved only if nothing has changed: two of its values may
        # be the same still.
        todo = (wrong | ~changed) & active
    sets[:BEGUN] = active, todo, wrong, opened
    return steps


@part
def _n_cells(search):
    return len(search.bands) ** 4


@part
def _guess(search, lane):
    """Keep the grid without the lowest candidate of a cell, and set the cell to that candidate."""
    level = search.depth[lane]
    kept = search.stacks[lane, level]
    for cell in range(_n_cells(search)):
        kept[cell] = search.masks[cell, lane]
    cell = _fewest(kept, search)
    search.masks[cell, lane] &= -search.masks[cell, lane]
    kept[cell] ^= search.masks[cell, lane]
    search.depth[lane] = level + 1


@part
def _fewest(masks, search):
    """An open cell of those with fewest candidates: at order 3 the first, else the most crowded."""
    best, fewest = 0, np.uint64(17)
    for cell in range(_n_cells(search)):
        number = count(masks[cell])
        if ONE < number < fewest:
            best, fewest = cell, number
            if number == TWO:
                break
    if len(search.bands) > 3:
        return _most_crowded(masks, search.peers, best, fewest)
    return best


@part
def _most_crowded(masks, peers_of, first, fewest):
    """Of the cells from `first` on with so many candidates, one whose peers share most of them.

    What a peer shares weighs four times as much as it would if the peer had a candidate more.
    """
    best, most = first, NONE
    for cell in range(first, len(masks)):
        if count(masks[cell]) == fewest:
            shared = NONE
            for k in range(peers_of.shape[1]):
                other = masks[peers_of[cell, k]]
                shared += count(masks[cell] & other) << np.uint64(32) >> (count(other) * TWO)
            if shared > most:
                best, most = cell, shared
    return best


@part
def _record(search, answers, lane, limit):
    """Count the grid in a lane as a solution, and empty the stack if it is the last one wanted."""
    number = search.puzzle[lane]
    if not answers.counts[number]:
        for cell in range(_n_cells(search)):
            answers.solutions[number, cell] = lowest(search.masks[cell, lane]) + ONE
    answers.counts[number] += 1
    if answers.counts[number] == limit:
        search.depth[lane] = 0


@part
def _go_back(search, lane):
    """Take the last grid from the stack of a lane; False if there is none."""
    if search.depth[lane] == 0:
        return False
    search.depth[lane] -= 1
    kept = search.stacks[lane, search.depth[lane]]
    for cell in range(_n_cells(search)):
        search.masks[cell, lane] = kept[cell]
    return True


@part
def _begin(search, grids, lane):
    """Load the next puzzle into a lane; False if there is none."""
    number = np.int64(search.sets[BEGUN])
    if number == len(grids):
        return False
    search.sets[BEGUN] += ONE
    search.puzzle[lane], search.depth[lane] = number, 0
    every_value = (1 << len(search.bands) ** 2) - 1
    for cell in range(_n_cells(search)):
        given = grids[number, cell]
        search.masks[cell, lane] = (1 << given) >> 1 if given else every_value
    return True


@part
def _sweep(masks, bands):
    """Infer in all bands; returns the lanes changed, those wrong and the others with open cells."""
    changed, wrong, opened = NONE, NONE, NONE
    for band in range(len(bands)):
        moved, failed, _ = _across(masks, bands, band)
        changed, wrong = changed | moved, wrong | failed
    for band in range(len(bands)):
        moved, failed, unfilled = _down(masks, bands, band)
        changed, wrong, opened = changed | moved, wrong | failed, opened | unfilled
    return changed, wrong, opened & ~wrong


# --- Inference in all lanes: this Python runs once, when the kernel is compiled ------------------


def _any(masks):
    return reduce(or_, masks)


def _if_single(mask):
    """The mask where it has at most one bit, otherwise empty."""
    return mask.where(mask.without_lowest().compare("==", 0), mask.constant(0))


def _others(n, k):
    return [other for other in range(n) if other != k]


def _able(cells, n):
    """Values that each segment may take, given the candidates ``cells[line, box][place]``."""
    fixed = {here: _any([_if_single(cell) for cell in cells[here]]) for here in cells}
    free = {}
    for line, box in cells:  # a value that is fixed leaves the other segments of its line and box
        in_line = [fixed[line, other] for other in _others(n, box)]
        in_box = [fixed[other, box] for other in _others(n, line)]
        free[line, box] = _any(cells[line, box]) & ~_any(in_line + in_box)

    @cache
    def fit(lines, boxes):
        """Values that these lines can take in these boxes, one line in each box."""
        line, *rest = lines
        if not rest:
            return free[line, boxes[0]]
        ways = [(box, tuple(other for other in boxes if other != box)) for box in boxes]
        return _any([free[line, box] & fit(tuple(rest), others) for box, others in ways])

    # a segment takes a value only if the other lines can in the other boxes
    return {
        (line, box): free[line, box] & fit(tuple(_others(n, line)), tuple(_others(n, box)))
        for line, box in cells
    }


def _narrowed(cells, able, here, n):
    """Candidates of the cells of a segment after inference."""
    line, box = here
    must = able[here] & ~_any([able[line, other] for other in _others(n, box)])  # or no box has it
    once, twice = cells[here][0], must.constant(0)
    for cell in cells[here][1:]:
        once, twice = once | cell, twice | once & cell
    hidden = must & ~twice  # and there is one cell for it
    beyond = must
    for _ in range(n - 1):
        beyond = beyond.without_lowest()
    allowed = must.where(beyond.compare("!=", 0), able[here])  # n values that must be in it fill it
    singles = [_if_single(cell) for cell in cells[here]]
    after = []
    for place, cell in enumerate(cells[here]):
        mask = cell & allowed & ~_any([singles[other] for other in _others(n, place)])
        forced = mask & hidden
        after.append(forced.where(forced.compare("!=", 0), mask))
    return after


def _flags(cells, after, able, n):
    """Lanes with a change, with a contradiction, and with an open cell, in a band."""
    taken = _any([able[0, box] for box in range(n)])  # a value that no line takes has no place
    every_value = taken.constant(2**n**2 - 1)
    changed, unfilled, least = taken.constant(0), taken.constant(0), every_value
    for here in cells:
        for old, new in zip(cells[here], after[here]):
            changed |= old ^ new
            unfilled |= new.without_lowest()
            least = new.where(new.compare("<", least), least)
    wrong = taken.builder.or_(least.compare("==", 0), taken.compare("!=", every_value))
    return changed.compare("!=", 0), wrong, unfilled.compare("!=", 0)


def _inference(band, line, box, place):
    """Intrinsic that infers in one band, whose cells lie apart by such powers of the order."""

    @intrinsic
    def infer(typing_context, masks, bands, number):  # returns the sets of lanes of `_flags`
        n = bands.count

        def build(context, builder, signature, arguments):
            data = context.make_array(masks)(context, builder, arguments[0]).data
            start = builder.bitcast(data, _VECTOR.as_pointer())
            first = builder.mul(arguments[2], _WIDE(n**band))

            def address(here, k):
                beyond = _WIDE(n**line * here[0] + n**box * here[1] + n**place * k)
                return builder.gep(start, [builder.add(first, beyond)], source_etype=_VECTOR)

            def load(here, k):
                return Words(builder, builder.load(address(here, k), align=2, typ=_VECTOR))

            segments = list(product(range(n), range(n)))  # (line, box)
            cells = {here: [load(here, k) for k in range(n)] for here in segments}
            able = _able(cells, n)
            after = {here: _narrowed(cells, able, here, n) for here in segments}
            for here, k in product(segments, range(n)):
                builder.store(after[here][k].value, address(here, k), align=2)
            sets = [mask_of(builder, flags) for flags in _flags(cells, after, able, n)]
            return context.make_tuple(builder, signature.return_type, sets)

        return types.UniTuple(types.uint64, 3)(masks, bands, types.int64), build

    return infer


_across = _inference(band=3, line=2, box=1, place=0)
_down = _inference(band=1, line=0, box=3, place=2)
