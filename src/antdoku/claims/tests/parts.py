"""What tests of several files share."""

from antdoku import inference, statistics
from antdoku.claims.evidence import Evidence, agreement_at_each, instances_of, nothing, solved_of
from antdoku.outcome import SOLVED

ROUNDING = 1e-9
STEP = 0.05 + ROUNDING  # between the fixed fractions of the papers
UNSOLVED = "nothing solved"


def of_rates(sample, published, needed, sides=2):
    """Evidence that the rates at all places are the published one: fixed fractions, or puzzles."""
    groups = sample.runs.groupby("instance_id" if sample.same_puzzles else "family", observed=True)
    places = {name: solved_of(sample._replace(runs=runs)) for name, runs in groups}
    solved = solved_of(sample)
    if not places:
        return nothing(solved.unit, needed)
    low, high = statistics.wilson(solved.rate.share * solved.n, solved.n)
    limits = {"low": 100 * float(low), "high": 100 * float(high)}
    verdicts = agreement_at_each([place.rate for place in places.values()], published, sides)
    if len(places) == 1:
        return Evidence(solved.text, solved.n, solved.unit, needed, **limits, **verdicts)
    off = {name: abs(inference.cohens_h([each.rate], [published])) for name, each in places.items()}
    farthest = max(off, key=off.get)
    there = f", of {farthest} {100 * places[farthest].rate.share:.3g} %" if off[farthest] else ""
    return Evidence(
        solved.text + there,
        min(each.n for each in places.values()),
        "runs a puzzle" if sample.same_puzzles else "instances a fraction",
        needed,
        **limits,
        **verdicts,
    )


def without_search(sample):
    """One run of each instance, trivial if it was solved without a step."""
    found = instances_of(sample)
    return found.assign(trivial=(found["status"] == SOLVED) & (found["steps"] == 0))
