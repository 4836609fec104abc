"""Claims of means: of what propagation leaves, and of times."""

import numpy as np

from antdoku import inference, published, statistics
from antdoku.claims.evidence import (
    NOT_REPRODUCED,
    REPRODUCED,
    TIME,
    UNDECIDED,
    Evidence,
    Sample,
    agreed,
    around_mean,
    duration,
    instances_of,
    median_times,
    nothing,
    times_of,
)
from antdoku.claims.kinds.parts import UNSOLVED, timed_as
from antdoku.claims.kinds.registry import INSTANCES, kind
from antdoku.inference import ALPHA
from antdoku.outcome import SOLVED

MEAN_MARGIN = 0.05  # of the published mean
FRACTIONS = ("fixed_fraction", "fixed_after_cp")  # columns of the runs
GAIN = "gain"  # what propagation fixes beyond the givens, in percent of the cells
FEWEST = 5  # times that have a mean


@kind(0, of=INSTANCES)
def mean(
    sample: Sample, column: str, value: float, decimals: int = 0, margin: float | None = None
) -> Evidence:
    """The mean of a column over instances agrees with the published one: two one-sided t tests.

    The column is one of the runs, or `gain`: what propagation fixes beyond the givens, in percent
    of the cells. The margin is 5 % of a value that is rounded to so many `decimals`, and rounding;
    or it is given, around an exact value.

    reproduced: significantly within the margin. not reproduced: beyond it, and significantly
    different from all that rounds to the published value. undecided: neither.
    """
    rows, form, greatest = instances_of(sample), "{:.3g}", 1.0 if column in FRACTIONS else np.inf
    rounding = 0.5 * 10**-decimals if margin is None else 0.0
    margin = MEAN_MARGIN * value + rounding if margin is None else margin
    if column == GAIN:
        form, greatest = "{:.2g} % of the cells", 100.0
        rows = rows.assign(gain=100 * (rows["fixed_after_cp"] - rows["given_fraction"]))
    return _of_mean(rows[column].to_numpy(float), value, rounding, margin, form, greatest)


def _of_mean(values, published, rounding, margin, form, greatest):
    """Evidence of a mean that is to lie within a margin around the published one.

    Values lie between 0 and `greatest`.
    """
    from scipy.stats import ttest_1samp

    n = len(values)
    if n < 2:
        return nothing("instances", 2, n)
    off, sd = values.mean() - published, values.std(ddof=1) if np.ptp(values) else 0.0
    nearest = published + np.clip(off, -rounding, rounding)
    differs = off and (not sd or ttest_1samp(values, nearest).pvalue < ALPHA)
    low, high = around_mean(values, 0.0, greatest)
    p = inference.mean_within(values, published - margin, published + margin)
    return Evidence(
        form.format(values.mean()),
        n,
        "instances",
        max(inference.to_agree(margin, sd), 2),
        low=low,
        high=high,
        effect=float(off / sd) if sd else np.nan,
        measure="d",
        **agreed(p, bool(abs(off) > margin), bool(differs)),
    )


@kind(0, 1, of=INSTANCES)
def at_least(sample: Sample, value: float, column: str = "cpu_s", by: str = INSTANCES) -> Evidence:
    """The mean of a column over instances is no less than this at each fixed fraction: t tests.

    With `by: time`, runs take no less, in seconds, on each puzzle: sign tests of the median run.

    reproduced: significantly more at each. not reproduced: significantly less at one of them (after
    correction for their number). undecided: neither.
    """
    if by == TIME:
        return _takes_at_least(sample, value)
    rows = instances_of(sample)
    places = {name: row.to_numpy(float) for name, row in rows.groupby("family")[column]}
    n = min(map(len, places.values()), default=0)
    if n < 2:
        return nothing("instances a fraction", 2, n)
    p = max(inference.mean_within(values, value, np.inf) for values in places.values())
    less = min(inference.mean_within(values, -np.inf, value) for values in places.values())
    least = min(places, key=lambda name: places[name].mean())
    off, spread = abs(places[least].mean() - value), places[least].std(ddof=1)
    return Evidence(
        f"{rows[column].mean():.3g}, of {least} {places[least].mean():.3g}",
        n,
        "instances a fraction",
        max(inference.to_agree(off, spread), 2) if off else None,
        **agreed(p, beyond=less * len(places) < ALPHA, different=True),
    )


def _takes_at_least(sample, seconds):
    from scipy.stats import binomtest

    runs = sample.runs.assign(longer=times_of(sample.runs) >= seconds)
    counts = runs.groupby("instance_id")["longer"].agg(["sum", "size"])
    needed = inference.pairs_to_reject()
    if counts.empty:
        return nothing("runs a puzzle", needed)
    p, less = (
        [binomtest(*row, alternative=side).pvalue for row in counts.to_numpy().tolist()]
        for side in ("greater", "less")
    )
    medians = median_times(sample.runs)
    return Evidence(
        f"medians {duration(medians.min())} … {duration(medians.max())}",
        int(counts["size"].min()),
        "runs a puzzle",
        needed,
        if_significant=REPRODUCED,
        if_not=NOT_REPRODUCED if min(less) * len(less) < ALPHA else UNDECIDED,
        p=max(p),
    )


@kind(1, of=TIME)
def mean_time(sample: Sample, seconds: float, program: str, of: int) -> Evidence:
    """The mean time of the solved runs agrees with the published one, as far as seconds are known.

    Ours are steps at the speed of the paper's `program`, known but for a factor (`published.work`).
    An instance counts once, with the mean of its solved runs; the published mean is of `of` which
    vary as ours do. Two one-sided t tests of the logarithm of the mean against that factor.

    reproduced: significantly within the factor. not reproduced: significantly beyond it. undecided:
    neither.
    """
    timed = timed_as(sample, program).runs
    runs = timed[timed["status"] == SOLVED]
    times = runs.groupby(["family", "instance_id"])["cpu_s"].mean().to_numpy(float)
    kinds = set(zip(timed["solver"], timed["order"]))
    margin = np.log(max((published.work(program, *kind).factor for kind in kinds), default=1))
    if len(times) < FEWEST or not np.ptp(times):
        needed = inference.to_agree(margin, 1, of=of)  # if times are exponential
        return nothing("solved instances", needed, len(times), UNSOLVED)
    return _of_mean_time(times, seconds, margin, of)


def _of_mean_time(times, seconds, margin, of):
    """Evidence of a mean time that is to lie within a margin around another, as logarithms."""
    from scipy.stats import norm, t

    n, mean = len(times), times.mean()
    spread, off = times.std(ddof=1) / mean, float(np.log(mean / seconds))
    room = (margin - abs(off)) / (spread * np.sqrt(1 / n + 1 / of))
    reach = float(t.isf((1 - statistics.CONFIDENCE) / 2, n - 1) * spread / np.sqrt(n))
    rest = ((margin - abs(off)) / spread / norm.isf(ALPHA)) ** 2 - 1 / of  # scaled, as it is
    return Evidence(
        duration(mean),
        n,
        "solved instances",
        inference.to_agree(margin, spread, of=of),
        low=float(mean * np.exp(-reach)),
        high=float(mean * np.exp(reach)),
        effect=off,
        measure="log ratio",
        to_decide=1 / rest if rest > 0 else np.inf,
        **agreed(float(t.sf(room, n - 1)), bool(t.sf(-room, n - 1) < ALPHA), different=True),
    )
