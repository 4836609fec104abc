"""Tests of instances: what propagation alone does to them."""

import numpy as np

from antdoku import inference, statistics
from antdoku.claims.evidence import (
    NOT_REPRODUCED,
    REPRODUCED,
    SUCCESS,
    UNDECIDED,
    Evidence,
    Sample,
    agreed,
    agreement_at_each,
    around_mean,
    instances_of,
    nothing,
)
from antdoku.claims.tests.parts import ROUNDING, of_rates, without_search
from antdoku.claims.tests.registry import INSTANCES, named_test
from antdoku.inference import ALPHA, MARGIN, Rate
from antdoku.outcome import SOLVED

MEAN_MARGIN = 0.05  # of the published mean
GAIN_MARGIN = 0.02  # of the cells
FRACTIONS = ("fixed_fraction", "fixed_after_cp")  # columns of the runs


@named_test(1, of=SUCCESS)
def beats_propagation(sample: Sample) -> Evidence:
    """A variant solves more than propagation alone: signed-rank test of the same instances.

    reproduced: significantly more. not reproduced: significantly less. undecided: else.
    """
    shares = sample.runs.assign(solved=sample.runs["status"] == SOLVED)
    shares = shares.groupby(["family", "instance_id"])[["solved", "trivial"]].mean()
    needed = inference.pairs_to_reject()
    if shares.empty:
        return nothing("instances", needed)
    test = inference.paired_success(*shares.to_numpy(float).T)
    ours = " against ".join(f"{100 * share:.3g} %" for share in shares.mean())
    return Evidence(
        ours,
        len(shares),
        "instances",
        needed,
        if_significant=REPRODUCED if test.effect > 0 else NOT_REPRODUCED,
        if_not=UNDECIDED,
        **test._asdict(),
    )


@named_test(1, of=INSTANCES)
def no_trivial_below(sample: Sample, fixed_fraction: float, of: int) -> Evidence:
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
    verdicts = agreement_at_each(list(map(Rate, below["mean"], below["size"])), published)
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


@named_test(0, of=INSTANCES)
def trivial_at_least(sample: Sample, percent: float) -> Evidence:
    """Propagation alone solves no less than this share of the instances, within h = 0.4.

    So for 95 % it has to be shown that it solves more than 84 %, at each fixed fraction.

    reproduced: significantly above that. not reproduced: below it at one of them, and significantly
    less than the share itself (after correction for their number). undecided: neither.
    """
    published = Rate(percent / 100)
    needed = inference.runs_to_agree((published,), MARGIN, 1)
    rows = _as_solved(instances_of(sample), "trivial")
    return of_rates(sample._replace(runs=rows), published, needed, 1)


@named_test(0, of=INSTANCES)
def moved_out(sample: Sample, low: float, high: float) -> Evidence:
    """Propagation takes most instances out of a range of fixed fractions: exact binomial test.

    Of those of which a share in the range is given.

    reproduced: significantly more than half. not reproduced: significantly less. undecided: else.
    """
    from scipy.stats import binomtest

    rows = instances_of(sample)
    fixed = rows.loc[rows["given_fraction"].between(low, high), "fixed_after_cp"]
    if fixed.empty:
        return nothing("instances", inference.pairs_to_reject())
    out = int((fixed > high).sum())
    low_share, high_share = statistics.wilson(out, len(fixed))
    return Evidence(
        f"{100 * out / len(fixed):.3g} % ({out} of {len(fixed)})",
        len(fixed),
        "instances",
        inference.pairs_to_reject(),
        if_significant=REPRODUCED if 2 * out > len(fixed) else NOT_REPRODUCED,
        if_not=UNDECIDED,
        low=100 * float(low_share),
        high=100 * float(high_share),
        p=float(binomtest(out, len(fixed)).pvalue),
        effect=out / len(fixed) - 0.5,
        measure="g",
    )


@named_test(0, of=INSTANCES)
def none_moved_into(sample: Sample, low: float, high: float) -> Evidence:
    """Propagation takes no instance into a range of fixed fractions from below: within h = 0.4.

    "None" is less than 4 %, of the instances with 0 - 5 % of the cells given, with 5 - 10 %, ...

    reproduced: significantly less. not reproduced: more at one of them, and significantly more than
    none (after correction for their number). undecided: neither.
    """
    rows = instances_of(sample)
    rows = rows[rows["given_fraction"] < low]
    least = (5 * (20 * rows["given_fraction"] + ROUNDING).astype(int)).astype(str)
    places = "those from " + least + " %"
    rows = rows.assign(inside=rows["fixed_after_cp"].between(low, high), family=places)
    needed = inference.runs_to_agree((Rate(0.0),), MARGIN)
    return of_rates(sample._replace(runs=_as_solved(rows, "inside")), Rate(0.0), needed)


@named_test(0, of=INSTANCES)
def mean_value(sample: Sample, column: str, value: float, decimals: int) -> Evidence:
    """The mean of a column over instances agrees with the published one, within 5 % and rounding.

    Two one-sided t tests.

    reproduced: significantly within the margin. not reproduced: beyond it, and significantly
    different from all that rounds to the published value. undecided: neither.
    """
    half = 0.5 * 10**-decimals
    values = instances_of(sample)[column].to_numpy(float)
    greatest = 1.0 if column in FRACTIONS else np.inf
    return _of_mean(values, value, half, MEAN_MARGIN * value + half, "{:.3g}", 0.0, greatest)


@named_test(0, of=INSTANCES)
def no_gain(sample: Sample) -> Evidence:
    """Propagation fixes no cells beyond the givens, within 2 % of the cells in the mean.

    Two one-sided t tests.

    reproduced: significantly within 2 %. not reproduced: beyond it, and significantly different
    from none. undecided: neither.
    """
    rows = instances_of(sample)
    gains = 100 * (rows["fixed_after_cp"] - rows["given_fraction"]).to_numpy(float)
    margin = 100 * GAIN_MARGIN
    return _of_mean(gains, 0.0, 0.0, margin, "{:.2g} % of the cells", 0.0, 100.0)


def _of_mean(values, published, rounding, margin, form, least, greatest):
    """Evidence of a mean that is to lie within a margin around the published one.

    `least` and `greatest` are what a value can be.
    """
    from scipy.stats import ttest_1samp

    n = len(values)
    if n < 2:
        return nothing("instances", 2, n)
    off, sd = values.mean() - published, values.std(ddof=1) if np.ptp(values) else 0.0
    nearest = published + np.clip(off, -rounding, rounding)
    differs = off and (not sd or ttest_1samp(values, nearest).pvalue < ALPHA)
    low, high = around_mean(values, least, greatest)
    p = inference.mean_within(values, published - margin, published + margin)
    return Evidence(
        form.format(values.mean()),
        n,
        "instances",
        inference.values_for_mean(sd, margin),
        low=low,
        high=high,
        effect=float(off / sd) if sd else np.nan,
        measure="d",
        **agreed(p, bool(abs(off) > margin), bool(differs)),
    )


def _as_solved(instances, column):
    """Runs that are solved where a column is true."""
    return instances.assign(status=np.where(instances[column], SOLVED, ""))
