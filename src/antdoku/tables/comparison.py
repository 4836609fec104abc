"""Which of several solvers is better on some puzzles: a row each, the best first.

An instance counts once, however many runs there are on it. A run that does not solve counts as
twice its limit (PAR2); where there is no limit in seconds, as twice the longest run of all. A proof
that there is no solution is a success. Pairs are compared by ranks with the best (Wilcoxon,
corrected by Holm); what does not exceed the spread of repeated timings is a draw.

Columns (`SUMMARY`): label; n runs on n_instances, solved of them, with the 95 % Wilson interval of
the rate (solved_low, solved_high); median_s of all runs, infinite if half of them failed, and
par2_s, with 95 % intervals (bootstrap over instances); won and lost against the best, in
instances; p_value of that difference, whether it is decided, and instances_needed to decide it, if
it stays as it is (infinite: more than 10,000).
"""

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from antdoku import statistics
from antdoku.errors import InputError
from antdoku.outcome import EXHAUSTED, SOLVED
from antdoku.tables.summary import columns, labelled

SUMMARY = columns(
    *("label", "n_instances", "n", "solved", "solved_low", "solved_high"),
    *("median_s", "median_low_s", "median_high_s", "par2_s", "par2_low_s", "par2_high_s"),
    *("won", "lost", "p_value", "decided", "instances_needed"),
) | {"decided": "bool"}
NEEDED = ["instance_id", "variant", "solver", "label", "status", "cpu_s", "spread_s", "limit_s"]
RESAMPLES = 2000


def summary(runs: pd.DataFrame) -> pd.DataFrame:
    """One row of `SUMMARY` per variant, which is the index; the best first, by PAR2."""
    if missing := [name for name in NEEDED if name not in runs]:
        raise InputError(f"no table of runs: the column {missing[0]} is missing")
    runs = labelled(runs).astype({"variant": "str", "label": "str"})
    is_solved = runs["status"].isin((SOLVED, EXHAUSTED))
    limits = runs["limit_s"].fillna(runs["cpu_s"].max())
    runs = runs.assign(is_solved=is_solved, time_s=runs["cpu_s"].where(is_solved, 2 * limits))
    rows = {name: _of_variant(group) for name, group in runs.groupby("variant")}
    ranked = sorted(rows, key=lambda name: (rows[name]["par2_s"], name))
    means = runs.pivot_table("time_s", "instance_id", "variant")[ranked]
    spreads = runs.pivot_table("spread_s", "instance_id", "variant", aggfunc="max")[ranked]
    pairs = [_pair(means, spreads, ranked[0], name) for name in ranked]
    p_values = [np.nan, *statistics.holm([pair["p_value"] for pair in pairs[1:]])]
    table = pd.DataFrame([rows[name] | pair for name, pair in zip(ranked, pairs)])
    table = table.assign(p_value=p_values, decided=np.array(p_values) < statistics.ALPHA)
    fewest = statistics.pairs_to_reject(max(1, len(ranked) - 1))
    needed = [statistics.to_show(len(means), p) if p < 1 else np.inf for p in p_values]
    table["instances_needed"] = np.where(table["decided"], np.nan, np.maximum(needed, fewest))
    table.loc[0, "instances_needed"] = np.nan  # the best, with which the others are compared
    return table.set_index(pd.Index(ranked, name="variant"))[list(SUMMARY)].astype(SUMMARY)


def _of_variant(runs):
    """What the runs of a variant come to by themselves."""
    solved, n = int(runs["is_solved"].sum()), len(runs)
    low, high = binomtest(solved, n).proportion_ci(statistics.CONFIDENCE, "wilson")
    censored = runs["time_s"].where(runs["is_solved"], np.inf)
    medians = _interval(censored, runs["instance_id"], np.nanmedian)
    par2 = _interval(runs["time_s"], runs["instance_id"], np.nanmean)
    return {
        "label": runs["label"].iloc[0],
        "n_instances": runs["instance_id"].nunique(),
        **{"n": n, "solved": solved, "solved_low": low, "solved_high": high},
        **dict(zip(["median_s", "median_low_s", "median_high_s"], medians)),
        **dict(zip(["par2_s", "par2_low_s", "par2_high_s"], par2)),
    }


def _interval(values, instances, measure):
    """A measure of all values, and the percentiles of it when instances are drawn anew."""
    number = values.groupby(instances).cumcount()
    grid = pd.DataFrame({"row": instances, "column": number, "value": values})
    table = grid.pivot(index="row", columns="column", values="value").to_numpy()
    drawn = np.random.default_rng(0).integers(len(table), size=(RESAMPLES, len(table)))
    found = np.array([measure(table[rows]) for rows in drawn])
    tails = (1 - statistics.CONFIDENCE) / 2
    ends = np.quantile(found, [tails, 1 - tails], method="inverted_cdf")
    return float(measure(table)), *map(float, ends)


def _pair(means, spreads, best, name):
    """A variant against the best, instance by instance."""
    gains = (means[best] - means[name]).to_numpy()  # positive where the best is slower
    within = np.abs(gains) <= spreads[[best, name]].max(axis=1).to_numpy()
    gains = np.where(within | np.isnan(gains), 0.0, gains)
    p = statistics.signed_rank(gains).p if name != best else np.nan
    return {"won": int((gains > 0).sum()), "lost": int((gains < 0).sum()), "p_value": p}


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """A summary as text, a column for each question that a reader has."""
    return pd.DataFrame([_shown(row, place) for place, row in enumerate(table.itertuples())])


def _shown(row, place):
    return {
        "solver": row.label,
        "solved": f"{row.solved} of {row.n} ({row.solved_low:.0%} - {row.solved_high:.0%})",
        "median s": _with_interval(row.median_s, row.median_low_s, row.median_high_s),
        "PAR2 s": _with_interval(row.par2_s, row.par2_low_s, row.par2_high_s),
        "won : lost": f"{row.won} : {row.lost}" if place else "",
        "against the first": _verdict(row) if place else "",
    }


def _with_interval(*values):
    said = [f"{each:.3g}" if np.isfinite(each) else "> limit" for each in values]
    return "{} ({} - {})".format(*said)


def _verdict(row):
    if row.decided:
        return f"slower (p = {row.p_value:.2g})"
    if np.isfinite(row.instances_needed):
        return f"undecided: some {np.ceil(row.instances_needed):.0f} instances would decide"
    return "undecided: no number of instances would decide"
