"""Claims of how many: a rate, where instances begin to be trivial, and facts that are counted."""

import numpy as np

from antdoku import inference
from antdoku.claims.evidence import (
    NOT_REPRODUCED,
    REPRODUCED,
    SUCCESS,
    UNDECIDED,
    Evidence,
    Sample,
    nothing,
)
from antdoku.claims.kinds.parts import agreement_at_each, of_rates, without_search
from antdoku.claims.kinds.registry import INSTANCES, kind
from antdoku.inference import ALPHA, MARGIN, Rate
from antdoku.outcome import SOLVED
from antdoku.puzzle import named


@kind(1, of=SUCCESS)
def rate(sample: Sample, percent: float, of: int | None = None, read_off: float = 0.0) -> Evidence:
    """The share of solved runs agrees with the published one: equivalence within h = 0.4.

    That is 20 points at one half, 4 at 0 and 100 %. The published share is of `of` runs, or exact.
    One that is read off a figure is any within `read_off` points: that which is nearest to ours.
    Of several places (fixed fractions, puzzles) it has to be shown at each.

    reproduced: significantly within the margin. not reproduced: beyond it, and significantly
    different (after correction for the number of places). undecided: neither.
    """
    printed = Rate(percent / 100, of or np.inf)
    needed = inference.runs_to_agree((printed,), MARGIN)
    return of_rates(sample, printed, needed, read_off / 100)


@kind(1, of=INSTANCES)
def trivial_from(sample: Sample, fixed_fraction: float, of: int) -> Evidence:
    """Propagation alone solves instances from this fixed fraction on, and none below.

    Trivial is what the variant, with the propagation that it has, solves without a step of search.
    At each fraction below, the share of trivial instances agrees with the paper's, none of `of`:
    equivalence within h = 0.4 (4 %).

    reproduced: significantly within the margin at each, and some are trivial at the fraction
    itself. not reproduced: beyond it at one of them, and significantly more than none there (after
    correction for their number). undecided: else.
    """
    table = without_search(sample).groupby("fixed_fraction")["trivial"].agg(["mean", "size"])
    below = table[table.index < fixed_fraction]
    published = Rate(0.0, of)
    needed = inference.runs_to_agree((published,), MARGIN)
    if below.empty or fixed_fraction not in table.index:
        return nothing("instances a fraction", needed)
    rates = list(map(Rate, below["mean"], below["size"]))
    verdicts = agreement_at_each(rates, [published] * len(rates))
    here = table.loc[fixed_fraction]
    if not here["mean"] and verdicts["p"] < ALPHA:
        verdicts |= {"if_significant": UNDECIDED, "if_not": UNDECIDED}
    return Evidence(
        f"{(below['mean'] * below['size']).sum():.0f} of {below['size'].sum()} below, "
        f"{here['mean'] * here['size']:.0f} of {here['size']:.0f} at {fixed_fraction:g}",
        int(below["size"].min()),
        "instances a fraction",
        needed,
        **verdicts,
    )


@kind(0, 1, of=INSTANCES)
def count(
    sample: Sample, number: int | None = None, by: str = INSTANCES, puzzles: str = ""
) -> Evidence:
    """Facts about puzzles are counted, and need no test.

    So many, `number`, of the puzzles are solved without a step of search; with `by: success`, all
    are solved, by a variant that draws no random numbers, so that all runs on a puzzle end alike;
    of a collection of `puzzles`, each has so many solutions, by exact search, without runs.

    reproduced: that is so. not reproduced: it is not.
    """
    if puzzles:
        return _n_solutions(puzzles, number)
    if by == SUCCESS:
        is_solved = sample.runs["status"] == SOLVED
        found = is_solved.groupby(sample.runs["instance_id"]).all()
    else:
        found = without_search(sample)["trivial"]
    if found.empty:
        return nothing("puzzles", 1)
    n, of = int(found.sum()), len(found)
    verdict = REPRODUCED if n == (of if number is None else number) else NOT_REPRODUCED
    return Evidence(f"{n} of {of}", of, "puzzles", of, verdict, verdict)


def _n_solutions(puzzles, number):
    """Whether every puzzle of a collection has so many solutions."""
    found = {row.name: row.n_solutions for row in named.find(puzzles)}
    other = [f"{name} has {value}" for name, value in found.items() if value != number]
    ours = "; ".join([f"{len(found) - len(other)} of {len(found)}", *other])
    verdict = NOT_REPRODUCED if other else REPRODUCED
    return Evidence(ours, len(found), "puzzles", len(found), verdict, verdict)
