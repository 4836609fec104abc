"""Tests of instances: what propagation alone does to them."""

import numpy as np

from antdoku import inference
from antdoku.claims.evidence import (
    NOT_REPRODUCED,
    REPRODUCED,
    SUCCESS,
    UNDECIDED,
    Evidence,
    Sample,
    agreed,
    around_mean,
    instances_of,
    nothing,
)
from antdoku.claims.tests.parts import agreement_at_each, without_search
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


@named_test(0, of=INSTANCES)
def mean_at_least(sample: Sample, column: str, value: float) -> Evidence:
    """The mean of a column over instances is no less than this at each fixed fraction: t tests.

    reproduced: significantly more at each. not reproduced: significantly less at one of them (after
    correction for their number). undecided: neither.
    """
    rows = instances_of(sample)
    places = {name: row.to_numpy(float) for name, row in rows.groupby("family")[column]}
    n = min(map(len, places.values()), default=0)
    if n < 2:
        return nothing("instances a fraction", 2, n)
    p = max(inference.mean_within(values, value, np.inf) for values in places.values())
    less = min(inference.mean_within(values, -np.inf, value) for values in places.values())
    least = min(places, key=lambda name: places[name].mean())
    off = abs(places[least].mean() - value)
    return Evidence(
        f"{rows[column].mean():.3g}, of {least} {places[least].mean():.3g}",
        n,
        "instances a fraction",
        inference.values_for_mean(places[least].std(ddof=1), off) if off else None,
        **agreed(p, beyond=less * len(places) < ALPHA, different=True),
    )


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
