"""Many puzzles of 9x9 or 16x16 at once: 32 of them, one in each lane of the vector registers.

A puzzle is a mask of candidates of 16 bits for each cell, bit v for value v + 1, and the masks of
one cell in all lanes lie together: ``masks[cell, lane]``. A sweep infers in all lanes at once,
without a branch. Between two sweeps the kernel visits single lanes, which guess, go back or begin
the next puzzle. Each lane is a separate depth-first search: its solutions and guesses depend
neither on the other lanes nor on where the kernel pauses.

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

ORDERS = (3, 4)  # their values fit a mask of 16 bits, and lanes pay off
LANES = 32
NONE, TWO = np.uint64(0), np.uint64(2)
ALL_LANES = ~np.uint64(0) >> np.uint64(64 - LANES)
_WORD, _WIDE = ir.IntType(16), ir.IntType(64)
_VECTOR = ir.VectorType(_WORD, LANES)
_ALIGNMENT = 64  # bytes: the longest vector register
CUT = 1
NO_LIMIT = 2**62  # of steps or of solutions
# Parts are compiled only inside the kernel, which saves a third of the time.
part = partial(kernel, inline="always")

# Indices of `Search.sets`, which are sets of lanes. ACTIVE lanes have a puzzle. TODO lanes wait for
# a guess, a step back or the next puzzle: the last sweep found them WRONG or changed nothing. OPEN
# lanes have an open cell and are not wrong. BEGUN is the number of puzzles that have begun.
ACTIVE, TODO, WRONG, OPEN, BEGUN = range(5)
Search = namedtuple("Search", "bands peers masks stacks depth puzzle sets")
Answers = namedtuple("Answers", "solutions counts steps status")


def new_search(order: int = 3) -> Search:
    """Return lanes without a puzzle; a search can pause before any guess."""
    n_cells = order**4
    masks = np.zeros(n_cells * LANES + _ALIGNMENT // 2, np.uint16)
    masks = masks[-masks.ctypes.data % _ALIGNMENT // 2 :][: n_cells * LANES]
    return Search(
        bands=tuple(range(order)),  # its type tells the compiler the order
        peers=peers(order),
        masks=masks.reshape(n_cells, LANES),
        stacks=np.empty((LANES, n_cells, n_cells), np.uint16),  # at most one grid for each cell
        depth=np.zeros(LANES, np.int64),  # grids on the stack
        puzzle=np.full(LANES, -1),  # number of the puzzle in the lane
        sets=np.array([ALL_LANES, ALL_LANES, ALL_LANES, NONE, NONE]),
    )


def new_answers(number: int, order: int = 3) -> Answers:
    """Return empty answers to `number` puzzles."""
    return Answers(
        solutions=np.zeros((number, order**4), np.uint8),  # the first solution
        counts=np.zeros(number, np.int64),  # solutions found
        steps=np.zeros(number, np.int64),  # guesses
        status=np.zeros(number, np.uint8),  # CUT if a limit ended its search
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
    """Search for up to `quota` guesses; return their number. At the end no lane is ACTIVE.

    A puzzle is a row of `grids` (uint8, (n, c), 0 blank). Its search ends at `limit` solutions, or
    when it would need more than `max_steps` guesses. `search` and `answers` are changed in place.
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
        # still be equal.
        todo = (wrong | ~changed) & active
    sets[:BEGUN] = active, todo, wrong, opened
    return steps


@part
def _n_cells(search):
    return len(search.bands) ** 4


@part
def _guess(search, lane):
    """Set a cell to its lowest candidate; push the grid without this candidate on the stack."""
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
    """Return an open cell with fewest candidates: the first at order 3, else the most crowded."""
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
    """Return the cell with `fewest` candidates, from `first` on, whose peers share most of them.

    A shared candidate weighs four times less for each further candidate of the peer.
    """
    best, most_shared = first, NONE
    for cell in range(first, len(masks)):
        if count(masks[cell]) == fewest:
            shared = NONE
            for k in range(peers_of.shape[1]):
                peer = masks[peers_of[cell, k]]
                shared += count(masks[cell] & peer) << np.uint64(32) >> (count(peer) * TWO)
            if shared > most_shared:
                best, most_shared = cell, shared
    return best


@part
def _record(search, answers, lane, limit):
    """Count the grid in a lane as a solution; empty the stack at the last solution to be found."""
    number = search.puzzle[lane]
    if not answers.counts[number]:
        for cell in range(_n_cells(search)):
            answers.solutions[number, cell] = lowest(search.masks[cell, lane]) + ONE
    answers.counts[number] += 1
    if answers.counts[number] == limit:
        search.depth[lane] = 0


@part
def _go_back(search, lane):
    """Pop the last grid from the stack of a lane; return False if the stack is empty."""
    if search.depth[lane] == 0:
        return False
    search.depth[lane] -= 1
    kept = search.stacks[lane, search.depth[lane]]
    for cell in range(_n_cells(search)):
        search.masks[cell, lane] = kept[cell]
    return True


@part
def _begin(search, grids, lane):
    """Load the next puzzle into a lane; return False if all puzzles have begun."""
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
    """Infer in all bands; return the changed lanes, the wrong ones, and the other open ones."""
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
    """Return the mask where it has at most one bit, otherwise an empty mask."""
    return mask.where(mask.without_lowest().compare("==", 0), mask.constant(0))


def _without(n, k):
    return [number for number in range(n) if number != k]


def _able(cells, n):
    """Return the values that each segment may take, from candidates ``cells[line, box][place]``."""
    fixed = {segment: _any([_if_single(cell) for cell in cells[segment]]) for segment in cells}
    free = {}
    for line, box in cells:  # a fixed value leaves the other segments of its line and box
        in_line = [fixed[line, k] for k in _without(n, box)]
        in_box = [fixed[k, box] for k in _without(n, line)]
        free[line, box] = _any(cells[line, box]) & ~_any(in_line + in_box)

    @cache
    def fit(lines, boxes):
        """Return the values that these lines can take in these boxes, one line in each box."""
        line, *rest = lines
        if not rest:
            return free[line, boxes[0]]
        splits = [(box, tuple(k for k in boxes if k != box)) for box in boxes]
        return _any(
            [free[line, box] & fit(tuple(rest), further_boxes) for box, further_boxes in splits]
        )

    # a segment takes a value only if the other lines can take it in the other boxes
    return {
        (line, box): free[line, box] & fit(tuple(_without(n, line)), tuple(_without(n, box)))
        for line, box in cells
    }


def _narrowed(cells, able, segment, n):
    """Return the candidates of the cells of a segment after inference."""
    line, box = segment
    in_other_boxes = _any([able[line, k] for k in _without(n, box)])
    must = able[segment] & ~in_other_boxes  # else no box of the line has the value
    once, twice = cells[segment][0], must.constant(0)
    for cell in cells[segment][1:]:
        once, twice = once | cell, twice | once & cell
    hidden = must & ~twice  # and only one cell can take it
    beyond = must
    for _ in range(n - 1):
        beyond = beyond.without_lowest()
    allowed = must.where(
        beyond.compare("!=", 0), able[segment]
    )  # n values that it must have fill it
    singles = [_if_single(cell) for cell in cells[segment]]
    after = []
    for place, cell in enumerate(cells[segment]):
        mask = cell & allowed & ~_any([singles[k] for k in _without(n, place)])
        forced = mask & hidden
        after.append(forced.where(forced.compare("!=", 0), mask))
    return after


def _flags(cells, after, able, n):
    """Return the lanes with a change, with a contradiction, and with an open cell, in a band."""
    taken = _any([able[0, box] for box in range(n)])  # a value that no line takes has no place
    every_value = taken.constant(2**n**2 - 1)
    changed, unfilled, smallest = taken.constant(0), taken.constant(0), every_value
    for segment in cells:
        for old, new in zip(cells[segment], after[segment]):
            changed |= old ^ new
            unfilled |= new.without_lowest()
            smallest = new.where(new.compare("<", smallest), smallest)
    wrong = taken.builder.or_(smallest.compare("==", 0), taken.compare("!=", every_value))
    return changed.compare("!=", 0), wrong, unfilled.compare("!=", 0)


def _inference(band, line, box, place):
    """Return an intrinsic that infers in a band; strides are these powers of the order."""

    @intrinsic
    def infer(typing_context, masks, bands, number):  # returns the sets of lanes of `_flags`
        n = bands.count

        def build(context, builder, signature, arguments):
            data = context.make_array(masks)(context, builder, arguments[0]).data
            start = builder.bitcast(data, _VECTOR.as_pointer())
            first = builder.mul(arguments[2], _WIDE(n**band))

            def address(segment, k):
                beyond = _WIDE(n**line * segment[0] + n**box * segment[1] + n**place * k)
                return builder.gep(start, [builder.add(first, beyond)], source_etype=_VECTOR)

            def load(segment, k):
                return Words(builder, builder.load(address(segment, k), align=2, typ=_VECTOR))

            segments = list(product(range(n), range(n)))  # (line, box)
            cells = {segment: [load(segment, k) for k in range(n)] for segment in segments}
            able = _able(cells, n)
            after = {segment: _narrowed(cells, able, segment, n) for segment in segments}
            for segment, k in product(segments, range(n)):
                builder.store(after[segment][k].value, address(segment, k), align=2)
            sets = [mask_of(builder, flags) for flags in _flags(cells, after, able, n)]
            return context.make_tuple(builder, signature.return_type, sets)

        return types.UniTuple(types.uint64, 3)(masks, bands, types.int64), build

    return infer


_across = _inference(band=3, line=2, box=1, place=0)
_down = _inference(band=1, line=0, box=3, place=2)
