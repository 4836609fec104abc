"""Which of several solvers is better on some puzzles: a row each, the best first.

An instance counts once, however many runs there are on it. A run that does not solve counts as
twice its limit (PAR2), or as twice the longest run of all if it had no limit in seconds. A proof
that there is no solution is a success.

The best solver is compared with each other one by Wilcoxon's signed-rank test over instances. A
difference within the spread of repeated timings is a draw. The best is chosen from the same data,
so Holm's correction covers all pairs of solvers: equal solvers are called different in less than
5 % of all comparisons.

`antdoku.summary` explains the columns (`SUMMARY`). Rates have Wilson intervals of as many trials as
the runs on the instances are worth (`statistics.trials`). Seconds have bootstrap intervals over two
or more instances. The interval of PAR2 is rather too narrow for few instances with skewed times: it
holds the true mean in 92 % of samples of 20 exponential times.
median_s is infinite if half of the runs failed; instances_needed is infinite beyond 10,000, and if
fewer than five instances are no draw.
"""

import warnings
from itertools import combinations

import numpy as np
import pandas as pd

from antdoku import statistics
from antdoku.columns import RUN_COLUMNS, columns, dtypes
from antdoku.errors import InputError, one_line
from antdoku.outcome import EXHAUSTED, FAILURES, SOLVED, STATUSES
from antdoku.tables.summary import COUNTED, check_one_limit, with_distinct_labels
from antdoku.times import duration

SUMMARY = columns(
    *("label", "n_instances", "n", "solved", "solved_low", "solved_high", "failed"),
    *("median_s", "median_low_s", "median_high_s", "par2_s", "par2_low_s", "par2_high_s"),
    *("won", "lost", "p_value", "decided", "instances_needed"),
)
NEEDED = [
    *("instance_id", "variant", "solver", "label", "status"),
    *("cpu_s", "spread_s", "limit_s", "steps"),
]
PAIR = ["instance_id", "variant"]  # has several runs only with several seeds
RESAMPLES = 2000
SETTINGS = {  # columns with one value a variant; what several values are, if they are hard to read
    "solver": "",
    "label": "",
    "params": "several settings (column params)",
    "source_hash": "several versions of its code, or of NumPy or Numba (column source_hash)",
}


def checked(runs: pd.DataFrame, place: str | None = None) -> pd.DataFrame:
    """Return a table of runs with the types of its columns (`columns.RUN_COLUMNS`).

    `InputError` unless each run stands once, with one limit on each puzzle. `place` is the file
    that the runs are from.
    """
    if missing := [name for name in NEEDED if name not in getattr(runs, "columns", ())]:
        why = f"as compare returns it: the column {missing[0]} is missing"
        raise InputError(f"{type(runs).__name__}: is no table of runs, {why}")
    if not len(runs):
        raise InputError("the table of runs has no rows", place)
    has_gap = runs[NEEDED].drop(columns="limit_s").isna().any()
    if has_gap.any():
        raise InputError(f"column {has_gap.idxmax()}: must have a value in each row", place)
    try:
        runs = runs.astype({name: RUN_COLUMNS[name] for name in RUN_COLUMNS if name in runs})
    except (TypeError, ValueError) as error:
        raise InputError(f"is no table of runs: {one_line(str(error))}", place) from None
    if unknown := {*runs["status"]} - {*STATUSES}:
        raise InputError(f"status {min(unknown)!r}: known are {', '.join(STATUSES)}", place)
    if not (runs["cpu_s"] >= 0).all():
        raise InputError("cpu_s: must be seconds, 0 or more, in each row", place)
    if "puzzle" in runs:
        _check_one_puzzle(runs.groupby("instance_id")["puzzle"].nunique(), place)
    for name in runs.columns.intersection(["limit_s", "limit_steps"]):
        check_one_limit(runs.groupby("instance_id")[name], place)
    for name in runs.columns.intersection([*SETTINGS]):
        _check_one_setting(runs.groupby("variant")[name].unique(), place)
    keys = [name for name in (*PAIR, "repetition", "seed") if name in runs]
    if len(keys) > len(PAIR) and (twice := runs.duplicated(keys)).any():
        first = ", ".join(f"{name} {runs.loc[twice, name].iloc[0]}" for name in keys)
        remedy = f"keep one of each by runs.drop_duplicates({keys})"
        raise InputError(f"a run stands twice: {first}", place, remedy=remedy)
    return runs


def _check_one_setting(values, place):
    """Raise `InputError` if a variant has runs with several values of a column of `SETTINGS`."""
    several = values[values.map(lambda of_variant: pd.notna(of_variant).sum()) > 1]
    if len(several):
        listed = " and of ".join(map(str, several.iloc[0]))
        text = f"{several.index[0]}: is the name of {SETTINGS[values.name] or listed}"
        remedy = "give each its own name"
        if values.name == "source_hash":
            remedy += " in the column variant, or drop the older runs"
        raise InputError(text, place, remedy=remedy)


def _check_one_puzzle(n_puzzles, place):
    """Raise `InputError` if several puzzles have one name."""
    if (n_puzzles > 1).any():
        text = f"{n_puzzles.idxmax()}: two puzzles have this name"
        raise InputError(text, place, remedy="give each its own (a column id) before compare")


def on_common_puzzles(runs: pd.DataFrame, place: str | None = None) -> pd.DataFrame:
    """Return the runs on puzzles that all variants ran on; others would compare unlike puzzles.

    A warning says how many puzzles are left out. `InputError` if there is no common one.
    """
    n_variants = runs.groupby("instance_id")["variant"].nunique()
    common = n_variants.index[n_variants == runs["variant"].nunique()]
    if not len(common):
        names = ", ".join(sorted({*map(str, runs["variant"])}))
        raise InputError(f"there is no puzzle on which all ran: {names}", place)
    if n_left_out := len(n_variants) - len(common):
        number = f"{n_left_out} of {len(n_variants)} puzzles"
        text = f"{number} are left out: not all solvers ran on them"
        warnings.warn(text, stacklevel=5)  # the line that calls `antdoku.summary`
    return runs[runs["instance_id"].isin(common)]


def summary(runs: pd.DataFrame) -> pd.DataFrame:
    """Return one row of `SUMMARY` per variant, which is the index; the best first, by PAR2."""
    return of_labelled(with_distinct_labels(runs))


def of_labelled(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the `summary` of runs that have the labels of their variants."""
    runs = runs.astype({"variant": "str", "label": "str"})
    is_solved = runs["status"].isin((SOLVED, EXHAUSTED))
    limits = runs["limit_s"].fillna(runs["cpu_s"].max())
    runs = runs.assign(
        is_solved=is_solved,
        has_failed=runs["status"].isin(FAILURES),
        time_s=statistics.par2(runs["cpu_s"], is_solved, limits),
        censored_s=runs["cpu_s"].where(is_solved, np.inf),
    )
    groups = runs.groupby("variant")
    table = groups.agg(**COUNTED, failed=("has_failed", "sum"))
    trials = [statistics.trials(group["is_solved"], group["instance_id"]) for _, group in groups]
    solved = table["solved"] / table["n"] * trials
    table["solved_low"], table["solved_high"] = statistics.wilson(solved, trials)
    for name, column, measure in (
        ("median", "censored_s", np.nanmedian),
        ("par2", "time_s", np.nanmean),
    ):
        intervals = [_interval(group, column, measure) for _, group in groups]
        table[[f"{name}_s", f"{name}_low_s", f"{name}_high_s"]] = intervals
    table = table.sort_values(["par2_s", "variant"])
    times = runs.pivot_table("time_s", "instance_id", "variant")[table.index]
    spreads = runs.pivot_table("spread_s", "instance_id", "variant", aggfunc="max")[table.index]
    return table.join(against_first(times, spreads))[list(SUMMARY)].astype(dtypes(SUMMARY))


def _interval(runs, column, measure):
    """Return a measure of all values, and its 95 % bootstrap interval over instances.

    The limits are NaN for a single instance.
    """
    number = runs.groupby("instance_id").cumcount()
    table = runs.assign(number=number).pivot(index="instance_id", columns="number", values=column)
    values = table.to_numpy()
    if len(values) == 1:
        return measure(values), np.nan, np.nan
    samples = np.random.default_rng(0).integers(len(values), size=(RESAMPLES, len(values)))
    measures = np.array([measure(values[rows]) for rows in samples])
    tail = statistics.bootstrap_tail(len(values))
    limits = np.quantile(measures, [tail, 1 - tail], method="inverted_cdf")
    return measure(values), *limits


def against_first(times: pd.DataFrame, spreads: pd.DataFrame) -> pd.DataFrame:
    """Compare the variant of the first column with each other one, instance by instance.

    `times` are seconds, of shape (instances, variants), NaN where a variant did not run; `spreads`
    are the seconds by which repeated timings differ. Return a row for each variant: the instances
    that it won and lost against the first, p_value after Holm's correction over all pairs of
    variants, whether that is decided, and the instances_needed to decide it.
    """
    names = list(times.columns)
    pairs = list(combinations(names, 2))  # the pairs with the first variant come first
    savings = [_savings(times[[*pair]], spreads[[*pair]]) for pair in pairs]
    p_holm = statistics.holm([statistics.signed_rank(saving).p for saving in savings])
    against = savings[: len(names) - 1]
    table = pd.DataFrame(
        {
            "won": [0, *((saving < 0).sum() for saving in against)],
            "lost": [0, *((saving > 0).sum() for saving in against)],
            "p_value": [np.nan, *p_holm[: len(against)]],
        },
        index=times.columns,
    )
    table["decided"] = table["p_value"] < statistics.ALPHA
    is_open = zip(against, ~table["decided"].iloc[1:])
    needed = [
        statistics.pairs_to_decide(saving, len(pairs)) if open_ else np.nan
        for saving, open_ in is_open
    ]
    return table.assign(instances_needed=[np.nan, *needed])


def _savings(times, spreads):
    """Return the seconds that the first of two variants saves on each instance, 0 for a draw."""
    savings = times.iloc[:, 1] - times.iloc[:, 0]
    is_draw = savings.abs() <= spreads.max(axis=1)
    return savings.mask(is_draw | savings.isna(), 0.0)


def as_text(table: pd.DataFrame) -> pd.DataFrame:
    """Return a summary as text, a column for each question that a reader has."""
    rates = zip(table["solved"], table["n"], table["solved_low"], table["solved_high"])
    columns = {
        "solver": table["label"],
        "solved": ["{} of {} ({:.0%} - {:.0%})".format(*rate) for rate in rates],
        "median": _with_interval(table, "median_s", "median_low_s", "median_high_s"),
        "PAR2": _with_interval(table, "par2_s", "par2_low_s", "par2_high_s"),
        "won : lost": [f"{won} : {lost}" for won, lost in zip(table["won"], table["lost"])],
        "against the first": list(map(_verdict, table.itertuples())),
    }
    text = pd.DataFrame(columns).reset_index(drop=True)
    pairs = ["won : lost", "against the first"]
    text.loc[0, pairs] = ""
    if table["failed"].any():
        text.insert(2, "failed", [*map(str, table["failed"])])
    return text if len(text) > 1 else text.drop(columns=pairs)


def _with_interval(table, *names):
    """Return a measure with its interval as text, and a dash if both are infinite."""
    values = table[list(names)]
    cells = values.map(lambda value: "> limit" if value == np.inf else duration(value)).to_numpy()
    forms = np.where(values[names[1]].isna(), "{}", "{} ({} - {})")
    texts = (form.format(*row) for form, row in zip(forms, cells))
    is_infinite = np.isinf(values.min(axis=1))
    return ["-" if infinite else text for infinite, text in zip(is_infinite, texts)]


def _verdict(row):
    if row.decided:
        verdict = "slower" if row.lost >= row.won else "slower in the mean"
        return f"{verdict} (p = {row.p_value:.2g})"
    if np.isfinite(row.instances_needed):
        return f"undecided: some {row.instances_needed:.0f} instances would decide"
    return "undecided: too few to tell"
