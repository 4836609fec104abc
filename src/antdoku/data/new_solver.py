"""Backtracking: blank cells in order, each with the values that its peers do not have."""

from antdoku.solver import EXHAUSTED, SOLVED, TIMEOUT, Outcome, integer, parameters, peers

KIND = "exact"  # it can prove that there is no solution; others are "stochastic"
ALWAYS_ENDS = False  # but hard puzzles may keep it busy for ever


@parameters
class Params:
    restart = integer(100_000, 1, 10**9, "Steps after which it begins again.")


def solve(puzzle, params, rng, budget):
    """puzzle.givens: values row by row, 0 is blank; rng: NumPy's, the only source of chance."""
    blank = (puzzle.givens == 0).nonzero()[0]
    for quota in budget.slices():  # you may do this number of steps before the next slice
        for step in range(budget.steps, budget.steps + quota):
            if step % params.restart == 0:  # also at step 0
                grid, left, depth = puzzle.givens.copy(), [], 0  # left: values to try
            if depth == len(blank):
                return Outcome(SOLVED, grid, step)  # antdoku checks it
            if depth < 0:
                return Outcome(EXHAUSTED, None, step)
            cell = blank[depth]
            if depth == len(left):
                free = {*range(1, puzzle.size + 1)} - {*grid[peers(puzzle.order)[cell]].tolist()}
                left.append(rng.permutation([*free]).tolist())
            grid[cell] = left[depth].pop() if left[depth] else 0
            if not grid[cell]:
                left.pop()
            depth += 1 if grid[cell] else -1
        budget.note(len(blank) - depth)  # the least cost so far, for Result.plot()
        budget.spend(quota)  # you decide how much work is a step
    return Outcome(TIMEOUT, None, budget.steps)
