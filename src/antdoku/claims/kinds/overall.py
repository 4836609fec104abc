"""Claims about all places together: a share of their runs, and one factor between their times."""

import numpy as np
import scipy

from antdoku import statistics
from antdoku.claims import INSTANCES, SUCCESS, TIME
from antdoku.claims.evidence import Evidence, Part, kind, nothing
from antdoku.claims.kinds.single import FEWEST
from antdoku.claims.samples import Sample, percentage


@kind(
    0,
    1,
    about=SUCCESS,
    rule="""The share of runs that are solved lies above or below a bound, over all places together;
    or the share of instances that propagation solves, or in which it fixes a cell. One-sided exact
    test. reproduced: shown. not reproduced: shown to lie on the other side. With at_each: at each
    place; not reproduced: on the other side at one of them (Bonferroni's correction).""",
)
def share(
    sample: Sample,
    above: float | None = None,
    below: float | None = None,
    by: str = SUCCESS,
    column: str = "trivial",
    at_each: bool = False,
) -> Evidence:
    """Test whether a share lies above or below a bound, in the pool of all places or at each.

    Parameters
    ----------
    sample : Sample
    above, below : float
        One of the two: the bound, from 0 to 1.
    by : {"success", "instances"}
        Of runs that are solved, or of instances, however runs on them end.
    column : {"trivial", "gain"}
        Which instances count: those that propagation solves, or in which it fixes a cell beyond the
        givens.
    at_each : bool
        Whether it has to at each place, since the sentence is about each.
    """
    sample = sample.of_propagation(column) if by == INSTANCES else sample
    if not sample.places():
        return nothing(sample.unit)
    bound = below if above is None else above
    pool = sample.rate()
    p_above, p_below = _beside(pool, bound)
    p_for, p_against = (p_below, p_above) if above is None else (p_above, p_below)
    parts = _parts(sample, bound, is_above=above is not None)
    if at_each and parts:
        p_for = max(part.p_for for part in parts)
        p_against = min(1.0, len(parts) * min(part.p_against for part in parts))
    n_yes, n = int(sample.runs["solved"].sum()), len(sample.runs)
    worst = f"; {_worst(parts)}" if at_each and parts else ""
    low, high = _interval(pool)
    return Evidence(
        f"{percentage(pool.share)} ({n_yes} of {n}{worst})",
        len(sample.trials()),
        "instances" if by == INSTANCES else sample.unit,
        p_for,
        p_against,
        low=low,
        high=high,
        effect=pool.share - bound,
        measure="g",
        parts=parts,
    )


def _worst(parts):
    """Return the rate at the place that shows the claim least, as text."""
    part = max(parts, key=lambda part: part.p_for)
    return f"{part.ours} {part.name}"


def _beside(pool, bound):
    """Return the p values that a rate lies above a bound, and below it."""
    if np.isinf(pool.n):
        return float(pool.share <= bound), float(pool.share >= bound)
    above = statistics.share_below(1 - pool.share, pool.n, 1 - bound)
    return above, statistics.share_below(pool.share, pool.n, bound)


def _interval(pool):
    """Return the 95 % interval of a rate, in percent."""
    if np.isinf(pool.n):
        return 100 * pool.share, 100 * pool.share
    low, high = statistics.wilson(pool.share * pool.n, pool.n)
    return 100 * float(low), 100 * float(high)


def _parts(sample, bound, is_above):
    """Return what the test says of each place alone."""
    places = sample.places()
    parts = []
    for name, place in places.items() if len(places) > 1 else ():
        rate = place.rate()
        sides = _beside(rate, bound)
        p_for, p_against = sides if is_above else sides[::-1]
        parts.append(Part(sample.place_name(name), percentage(rate.share), "", p_for, p_against))
    return tuple(parts)


@kind(
    1,
    about=TIME,
    rule="""One factor, that between two machines, fits all printed mean times: the logarithms of
    ours over the printed ones spread by less than the logarithm of a stated factor. Chi-squared
    tests of their standard deviation. reproduced: shown to be less. not reproduced: shown to be
    more, even without what the samples of runs add.""",
)
def one_factor(sample: Sample, times: dict[str, float], of: int, factor: float) -> Evidence:
    """Test whether one factor fits the printed mean times of all puzzles.

    The puzzles are a sample of puzzles. The spread of the logarithms includes the errors of both
    means, so it is rather too wide to be shown small; to be shown wide it must exceed the margin
    and these errors together.

    Parameters
    ----------
    sample : Sample
    times : dict
        The printed mean of the solved runs of each puzzle, in seconds.
    of : int
        How many runs each is the mean of; they vary as ours do.
    factor : float
        The margin: the standard deviation of the logarithms has to be less than that of `factor`.
    """
    solved = sample.runs[sample.runs["solved"]]
    rows = solved.groupby("instance_id")["cpu_s"].agg(["mean", "std", "size"])
    if {*rows.index[rows["size"] >= FEWEST]} != {*times} or len(times) < 3:
        return nothing("puzzles with a mean", n=len(rows))
    printed = np.array([times[name] for name in rows.index])
    logs = np.log(rows["mean"] / printed)
    errors = (rows["std"] / rows["mean"]) ** 2 * (1 / rows["size"] + 1 / of)
    n, variance, margin = len(logs), logs.var(ddof=1), np.log(factor) ** 2
    chi2 = scipy.stats.chi2(n - 1)
    least, most = np.exp([logs.min(), logs.max()])
    return Evidence(
        f"{np.exp(logs.mean()):.2g} times the printed ones ({least:.2g} to {most:.2g})",
        n,
        "puzzles",
        p_for=float(chi2.cdf((n - 1) * variance / margin)),
        p_against=float(chi2.sf((n - 1) * variance / (margin + errors.mean()))),
        effect=float(np.sqrt(variance)),
        measure="deviation of log ratios",
    )
