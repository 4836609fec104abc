"""Which of several solvers is better on some puzzles: a row each, the best first.

An instance counts once, however many runs there are on it. A run that does not solve counts as
twice its limit (PAR2); where there is no limit in seconds, as twice the longest run of all. A proof
that there is no solution is a success. Pairs are compared by ranks with the best (Wilcoxon,
corrected by Holm); what does not exceed the spread of repeated timings is a draw.

`antdoku.summary` explains the columns (`SUMMARY`). The intervals of rates are Wilson's, those of
seconds a bootstrap over instances, two or more. Infinite are median_s if half of the runs failed,
and instances_needed if more than 10,000 are.
"""

import numpy as np
import pandas as pd

from antdoku import statistics
from antdoku.columns import columns, dtypes
from antdoku.errors import InputError
from antdoku.outcome import EXHAUSTED, SOLVED
from antdoku.tables.summary import COUNTED, labelled

SUMMARY = columns(
    *("label", "n_instances", "n", "solved", "solved_low", "solved_high"),
    *("median_s", "median_low_s", "median_high_s", "par2_s", "par2_low_s", "par2_high_s"),
    *("won", "lost", "p_value", "decided", "instances_needed"),
)
NEEDED = ["instance_id", "variant", "solver", "label", "status", "cpu_s", "spread_s", "limit_s"]
RESAMPLES = 2000


def check(runs: pd.DataFrame) -> None:
    """Raise `InputError` unless it is a table of runs."""
    if missing := [name for name in NEEDED if name not in getattr(runs, "columns", ())]:
        why = f"as compare returns it: the column {missing[0]} is missing"
        raise InputError(f"{type(runs).__name__}: is no table of runs, {why}")
    if not len(runs):
        raise InputError("the table of runs has no rows")


def summary(runs: pd.DataFrame) -> pd.DataFrame:
    """Return one row of `SUMMARY` per variant, which is the index; the best first, by PAR2."""
    return of_labelled(labelled(runs))


def of_labelled(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the `summary` of runs that have the labels of their variants."""
    runs = runs.astype({"variant": "str", "label": "str"})
    is_solved = runs["status"].isin((SOLVED, EXHAUSTED))
    limits = runs["limit_s"].fillna(runs["cpu_s"].max())
    runs = runs.assign(
        is_solved=is_solved,
        time_s=statistics.par2(runs["cpu_s"], is_solved, limits),
        censored_s=runs["cpu_s"].where(is_solved, np.inf),
    )
    groups = runs.groupby("variant")
    table = groups.agg(**COUNTED)
    table["solved_low"], table["solved_high"] = statistics.wilson(table["solved"], table["n"])
    for name, column, measure in (
        ("median", "censored_s", np.nanmedian),
        ("par2", "time_s", np.nanmean),
    ):
        found = [_interval(group, column, measure) for _, group in groups]
        table[[f"{name}_s", f"{name}_low_s", f"{name}_high_s"]] = found
    table = table.sort_values(["par2_s", "variant"])
    return table.join(_against_first(runs, table.index))[list(SUMMARY)].astype(dtypes(SUMMARY))


def _interval(runs, column, measure):
    """Return a measure of all values, and its percentiles when instances are drawn anew.

    One instance has none.
    """
    number = runs.groupby("instance_id").cumcount()
    table = runs.assign(number=number).pivot(index="instance_id", columns="number", values=column)
    values = table.to_numpy()
    if len(values) == 1:
        return measure(values), np.nan, np.nan
    drawn = np.random.default_rng(0).integers(len(values), size=(RESAMPLES, len(values)))
    found = np.array([measure(values[rows]) for rows in drawn])
    tails = (1 - statistics.CONFIDENCE) / 2
    return measure(values), *np.quantile(found, [tails, 1 - tails], method="inverted_cdf")


def _against_first(runs, names):
    """Compare each variant with the first of `names`, instance by instance."""
    first, *others = names
    means = runs.pivot_table("time_s", "instance_id", "variant")
    spreads = runs.pivot_table("spread_s", "instance_id", "variant", aggfunc="max")
    gains = means.rsub(means[first], axis=0)  # positive where the first is slower
    is_draw = gains.abs() <= spreads.clip(lower=spreads[first], axis=0)
    gains = gains.mask(is_draw | gains.isna(), 0.0)
    p_values = [statistics.signed_rank(gains[name]).p for name in others]
    table = pd.DataFrame({"won": (gains > 0).sum(), "lost": (gains < 0).sum()}).loc[names]
    table["p_value"] = [np.nan, *statistics.holm(p_values)]
    table["decided"] = table["p_value"] < statistics.ALPHA
    needed = table["p_value"].map(lambda p: statistics.to_show(len(means), p), "ignore")
    needed = needed.clip(lower=statistics.pairs_to_reject(max(1, len(others))))
    return table.assign(instances_needed=np.ceil(needed.mask(table["decided"])))


def as_text(table: pd.DataFrame) -> pd.DataFrame:
    """Return a summary as text, a column for each question that a reader has."""
    rates = zip(table["solved"], table["n"], table["solved_low"], table["solved_high"])
    columns = {
        "solver": table["label"],
        "solved": ["{} of {} ({:.0%} - {:.0%})".format(*rate) for rate in rates],
        "median s": _with_interval(table, "median_s", "median_low_s", "median_high_s"),
        "PAR2 s": _with_interval(table, "par2_s", "par2_low_s", "par2_high_s"),
        "won : lost": [f"{won} : {lost}" for won, lost in zip(table["won"], table["lost"])],
        "against the first": list(map(_verdict, table.itertuples())),
    }
    text = pd.DataFrame(columns).reset_index(drop=True)
    pairs = ["won : lost", "against the first"]
    text.loc[0, pairs] = ""
    return text if len(text) > 1 else text.drop(columns=pairs)


def _with_interval(table, *names):
    """Write a measure with its interval; one that is infinite throughout is none."""
    values = table[list(names)]
    cells = values.map(lambda value: "> limit" if value == np.inf else f"{value:.3g}").to_numpy()
    forms = np.where(values[names[1]].isna(), "{}", "{} ({} - {})")
    texts = (form.format(*row) for form, row in zip(forms, cells))
    return ["-" if least == np.inf else text for least, text in zip(values.min(axis=1), texts)]


def _verdict(row):
    if row.decided:
        how = "slower" if row.lost >= row.won else "slower in the mean"
        return f"{how} (p = {row.p_value:.2g})"
    if np.isfinite(row.instances_needed):
        return f"undecided: some {row.instances_needed:.0f} instances would decide"
    return "undecided: too few to tell"
