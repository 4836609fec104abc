"""What tests of several files share."""

import numpy as np

from antdoku import inference, published, statistics
from antdoku.claims.evidence import (
    NOT_REPRODUCED,
    Evidence,
    Sample,
    agreed,
    agreement,
    instances_of,
    nothing,
    solved_of,
)
from antdoku.inference import ALPHA, Rate
from antdoku.outcome import SOLVED

STEP = 0.05 + 1e-9  # between the fixed fractions of the papers
UNSOLVED = "nothing solved"


def of_rates(sample: Sample, printed: Rate, needed: float, read_off: float = 0.0) -> Evidence:
    """Evidence that the rates at all places are the published one: fixed fractions, or puzzles.

    With `read_off`, a share, the published one is any within so much of `printed`.
    """
    places = _rates_of_places(sample)
    solved = solved_of(sample)
    if not places:
        return nothing(solved.unit, needed)
    low, high = statistics.wilson(solved.rate.share * solved.n, solved.n)
    limits = {"low": 100 * float(low), "high": 100 * float(high)}
    rates = list(places.values())
    others = [nearest(rate, printed, read_off) for rate in rates]
    verdicts = agreement_at_each(rates, others)
    if len(places) == 1:
        return Evidence(solved.text, solved.n, solved.unit, needed, **limits, **verdicts)
    off = [abs(inference.cohens_h([ours], [other])) for ours, other in zip(rates, others)]
    farthest = int(np.argmax(off))
    there = f", of {list(places)[farthest]} {100 * rates[farthest].share:.3g} %"
    return Evidence(
        solved.text + (there if off[farthest] else ""),
        int(min(each.n for each in rates)),
        "runs a puzzle" if sample.same_puzzles else "instances a fraction",
        needed,
        **limits,
        **verdicts,
    )


def _rates_of_places(sample):
    """The success rate at each place: a puzzle of the paper, else a family of instances."""
    runs, place = sample.runs, "instance_id" if sample.same_puzzles else "family"
    solved = (runs["status"] == SOLVED).astype(float)
    if not sample.is_papers:  # an instance of a sample counts once
        solved = solved.groupby([runs["family"], runs["instance_id"]]).mean()
    by_place = solved.groupby(runs[place] if sample.is_papers else place).agg(["mean", "size"])
    return {row.Index: Rate(row.mean, row.size) for row in by_place.itertuples()}


def nearest(ours: Rate, printed: Rate, read_off: float) -> Rate:
    """The rate nearest to ours among those that may have been printed, of as many trials."""
    share = np.clip(ours.share, printed.share - read_off, printed.share + read_off)
    return printed._replace(share=float(np.clip(share, 0, 1)))


def agreement_at_each(ours: list[Rate], published: list[Rate]) -> dict:
    """What a test finds of rates at several places, each of which is to agree with one.

    Agreement has to be shown at each (intersection-union test), a difference at one of them, at a
    level that is corrected for their number. The effect is that of the place that is farthest off.
    """
    pairs = zip(ours, published, strict=True)
    found = [agreement([rate], [other], alpha=ALPHA / len(ours)) for rate, other in pairs]
    p = max(each["p"] for each in found)
    failed = any(each["if_not"] == NOT_REPRODUCED for each in found)
    farthest = max(found, key=lambda each: abs(each["effect"]))
    to_decide = max(each["to_decide"] for each in found)
    return {**farthest, **agreed(p, failed, failed), "to_decide": to_decide}


def timed_as(sample: Sample, program: str | None) -> Sample:
    """The sample with the seconds that a paper's program takes for its steps, the same anywhere.

    So far as its speed is known (`published.work`). Without a paper they are the seconds measured.
    """
    if program is None:
        return sample
    runs = sample.runs
    second = np.full(len(runs), np.nan)  # of the paper's program, a step
    for key, places in runs.groupby(["solver", "order"]).indices.items():
        work = published.work(program, *key)
        second[places] = work.limit_s / work.steps
    timed = {"cpu_s": runs["steps"] * second, "limit_s": runs["limit_steps"] * second}
    return sample._replace(runs=runs.assign(**timed, spread_s=0.0))


def without_search(sample):
    """One run of each instance, trivial if it was solved without a step."""
    found = instances_of(sample)
    return found.assign(trivial=(found["status"] == SOLVED) & (found["steps"] == 0))
