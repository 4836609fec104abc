"""Facts about puzzles: they are counted, and need no test."""

from antdoku.claims.evidence import NOT_REPRODUCED, REPRODUCED, SUCCESS, Evidence, Sample, nothing
from antdoku.claims.tests.parts import without_search
from antdoku.claims.tests.registry import INSTANCES, named_test
from antdoku.outcome import SOLVED
from antdoku.puzzle import named


@named_test(1, of=INSTANCES)
def n_trivial(sample: Sample, trivial: int) -> Evidence:
    """A variant solves exactly so many of the puzzles without a step of search: counted.

    reproduced: it does. not reproduced: more or fewer.
    """
    found = without_search(sample)
    if found.empty:
        return nothing("puzzles", 1)
    n, of = int(found["trivial"].sum()), len(found)
    verdict = REPRODUCED if n == trivial else NOT_REPRODUCED
    return Evidence(f"{n} of {of}", of, "puzzles", of, verdict, verdict)


@named_test(1, of=SUCCESS)
def solves_all(sample: Sample) -> Evidence:
    """A variant that draws no random numbers solves every puzzle: counted, for all runs are alike.

    reproduced: it does. not reproduced: it fails at one.
    """
    is_solved = (sample.runs["status"] == SOLVED).groupby(sample.runs["instance_id"]).all()
    if is_solved.empty:
        return nothing("puzzles", 1)
    verdict = REPRODUCED if is_solved.all() else NOT_REPRODUCED
    ours = f"{is_solved.sum()} of {len(is_solved)}"
    return Evidence(ours, len(is_solved), "puzzles", len(is_solved), verdict, verdict)


@named_test(0, of=INSTANCES)
def n_solutions(sample: Sample, puzzles: str, solutions: int) -> Evidence:
    """Every puzzle of a collection has so many solutions: counted by exact search, no runs needed.

    reproduced: all have. not reproduced: one has not.
    """
    return _fact({row.name: row.n_solutions for row in named.find(puzzles)}, solutions)


def _fact(found, number):
    """Evidence that every puzzle has the same number of something; `found` has those of each."""
    other = [f"{name} has {value}" for name, value in found.items() if value != number]
    ours, verdict = f"{len(found) - len(other)} of {len(found)}", REPRODUCED
    if other:
        ours, verdict = "; ".join([ours, *other]), NOT_REPRODUCED
    return Evidence(ours, len(found), "puzzles", len(found), verdict, verdict)
