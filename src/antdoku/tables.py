"""Rows of runs -> tables: pure functions from DataFrame to DataFrame.

A runs table has the columns of `antdoku.record.COLUMNS`, one row a run. Every table is typed even
when it is empty, and leaves out what the runs do not contain. `make` finds a table by its name.

Columns of the summaries (`SUMMARY`): n runs, solved of them, success_rate with its 95 % Wilson
interval, mean_time_solved_s (the papers' measure, biased: failures are left out), median_time_s
(all runs; NaN when half of them or more failed), par2_s (failures count as twice the limit) and the
limits of a run. Times are CPU seconds. Published numbers stand in columns of their own, `arxiv_*`
(Lloyd & Amos 2018) and `journal_*` (2019).
"""

import os
from collections.abc import Iterable

import numpy as np
import pandas as pd

from antdoku import published, statistics
from antdoku.errors import InputError
from antdoku.outcome import SOLVED, STATUSES
from antdoku.record import COLUMNS, NAMED_FAMILY

PAPER_VARIANTS = ("acs", "ils", "dlx", "bs")  # side by side in Figures 4 to 7
BVE_VARIANTS = ("acs", "acs_no_bve")
VARIANT_ORDER = ("acs", "acs_no_bve", "ils", "dlx", "bs")  # then the others by name
RUN_KEY = ["family", "instance_id", "variant", "repetition"]
GROUP_KEY = ["order", "fixed_fraction", "variant"]
FRACTION_DECIMALS = 6  # 3 * 0.05 and 0.15 are one fixed fraction

SUMMARY = {
    "label": "str",
    "n": "int64",
    "solved": "int64",
    "success_rate": "float64",
    "wilson_low": "float64",
    "wilson_high": "float64",
    "mean_time_solved_s": "float64",
    "median_time_s": "float64",
    "par2_s": "float64",
    "limit_s": "float64",
    "limit_steps": "int64",
}
GROUP = {"order": "int64", "fixed_fraction": "float64", "variant": "str"}
PUBLISHED = {
    "arxiv_success_rate": "float64",
    "arxiv_mean_time_s": "float64",
    "journal_success_rate": "float64",
    "journal_mean_time_s": "float64",
}
FIG4 = {
    "puzzle": "str",
    "variant": "str",
    "label": "str",
    "repetition": "int64",
    "status": "str",
    "cpu_s": "float64",
    "limit_s": "float64",
    "arxiv_mean_time_s": "float64",
}
FIG8 = {
    "order": "int64",
    "fixed_fraction": "float64",
    "n_instances": "int64",
    "trivial": "int64",
    "fraction_trivial": "float64",
    "wilson_low": "float64",
    "wilson_high": "float64",
    "fixed_after_cp": "float64",
    "mean_value_set_size": "float64",
    "arxiv_trivial_from": "float64",
    "arxiv_mean_value_set_size": "float64",
}
TABLE1 = {
    "puzzle": "str",
    "variant": "str",
    "label": "str",
    "n": "int64",
    "solved": "int64",
    "success_percent": "float64",
    "wilson_low_percent": "float64",
    "wilson_high_percent": "float64",
    "mean_time_ms": "float64",
    "median_time_ms": "float64",
    "limit_s": "float64",
    "limit_steps": "int64",
    "arxiv_success_percent": "float64",
    "arxiv_mean_time_ms": "float64",
}


# --- files ---------------------------------------------------------------------------------------


def read_runs(path) -> pd.DataFrame:
    """Read a Parquet file of runs and check its columns, types and statuses.

    Raises
    ------
    InputError
        Naming the file and the column, if the file is unreadable or not a runs table.
    """
    path = os.fspath(path)
    try:
        runs = pd.read_parquet(path)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{path}: not a readable Parquet file: {reason}") from None
    _check_columns(runs, path)
    return runs[list(COLUMNS)]


def collect(paths: Iterable) -> pd.DataFrame:
    """All runs of several Parquet files, sorted, so that the order of the files does not matter.

    Raises
    ------
    InputError
        As `read_runs`, and if a run (family, instance, variant, repetition) appears twice.
    """
    frames = [frame for frame in map(read_runs, paths) if len(frame)]
    if not frames:
        return _typed(pd.DataFrame(), COLUMNS)
    runs = pd.concat(frames, ignore_index=True)
    twice = runs.duplicated(RUN_KEY)
    if twice.any():
        run = ", ".join(str(value) for value in runs.loc[twice.idxmax(), RUN_KEY])
        raise InputError(f"runs: {run}: in the files twice, allowed is one row a run")
    return runs.sort_values(["order", *RUN_KEY], ignore_index=True)


def write(table: pd.DataFrame, path) -> None:
    """Write a table as CSV or Parquet, after the ending of `path`."""
    path = os.fspath(path)
    if path.endswith(".parquet"):
        table.to_parquet(path, index=False)
    elif path.endswith(".csv"):
        table.to_csv(path, index=False, float_format="%.9g", lineterminator="\n")
    else:
        raise InputError(f"{path}: unknown ending: allowed are .csv and .parquet")


def read(name: str, path) -> pd.DataFrame:
    """Read back the CSV of the table `name`, with its types also when it has no rows."""
    schema = _entry(name)[1]
    path = os.fspath(path)
    try:
        table = pd.read_csv(path, dtype=schema, keep_default_na=False, na_values=[""])
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: not a {name} table: {str(error).splitlines()[0]}") from None
    if list(table) != list(schema):
        raise InputError(f"{path}: not a {name} table: its columns must be {', '.join(schema)}")
    return table


# --- tables --------------------------------------------------------------------------------------


def success_table(runs: pd.DataFrame) -> pd.DataFrame:
    """Summary of every variant on the random instances, per order and fixed fraction.

    The named puzzles have a table of their own (`lloyd_amos_table1`). Note that mean_time_solved_s,
    the papers' measure, leaves failures out and so flatters a solver that fails on the hard
    instances; par2_s and median_time_s count them.

    Returns
    -------
    DataFrame
        Columns `GROUP` and `SUMMARY`.

    Raises
    ------
    InputError
        If runs of one group had different limits.
    """
    return _typed(_summarise(_random(runs), GROUP_KEY), GROUP | SUMMARY)


def lloyd_amos_fig4(runs: pd.DataFrame) -> pd.DataFrame:
    """Times of ACS, ILS, DLX and BS on the sixteen named puzzles: one row a run (`FIG4`)."""
    runs = _named(runs)
    runs = runs[runs["variant"].isin(PAPER_VARIANTS)]
    times = _published("arxiv", "mean_time", ["instance", "variant"])
    table = runs.join(times.rename("arxiv_mean_time_s"), on=["instance_id", "variant"])
    table = table.rename(columns={"instance_id": "puzzle"})
    return _typed(_sort(table, ["puzzle", "variant", "repetition"]), FIG4)


def lloyd_amos_fig5(runs: pd.DataFrame) -> pd.DataFrame:
    """ACS, ILS, DLX and BS on 9x9 random instances, beside the published numbers."""
    return _comparison(runs, PAPER_VARIANTS, orders=(3,))


def lloyd_amos_fig6(runs: pd.DataFrame) -> pd.DataFrame:
    """ACS, ILS, DLX and BS on 16x16 random instances, beside the published numbers."""
    return _comparison(runs, PAPER_VARIANTS, orders=(4,))


def lloyd_amos_fig7(runs: pd.DataFrame) -> pd.DataFrame:
    """ACS, ILS, DLX and BS on 25x25 random instances, beside the published numbers."""
    return _comparison(runs, PAPER_VARIANTS, orders=(5,))


def lloyd_amos_fig8(runs: pd.DataFrame) -> pd.DataFrame:
    """What the initial propagation does to the random instances, per order and fixed fraction.

    An instance counts once, however many variants and repetitions ran on it.

    Returns
    -------
    DataFrame
        Columns `FIG8`: the fraction of instances that propagation alone solves (trivial), with its
        Wilson interval; means over the instances of the fraction of fixed cells and of the number
        of candidates per cell; the smallest fixed fraction at which the paper found trivial
        instances of the order, and the paper's mean number of candidates per cell.
    """
    measures = {"trivial": "max", "fixed_after_cp": "first", "mean_value_set_size": "first"}
    keys = ["order", "fixed_fraction"]
    instances = _random(runs).groupby([*keys, "instance_id"], as_index=False).agg(measures)
    table = instances.groupby(keys, as_index=False).agg(
        n_instances=("trivial", "size"),
        trivial=("trivial", "sum"),
        fixed_after_cp=("fixed_after_cp", "mean"),
        mean_value_set_size=("mean_value_set_size", "mean"),
    )
    low, high = statistics.wilson(table["trivial"], table["n_instances"])
    rate = table["trivial"] / table["n_instances"]
    table = table.assign(fraction_trivial=rate, wilson_low=low, wilson_high=high)
    starts = _published("arxiv", "smallest_fixed_fraction_with_trivial_instances", ["order"])
    sizes = _published("arxiv", "mean_value_set_size", keys)
    table = table.join(starts.rename("arxiv_trivial_from"), on="order")
    return _typed(table.join(sizes.rename("arxiv_mean_value_set_size"), on=keys), FIG8)


def lloyd_amos_fig9(runs: pd.DataFrame) -> pd.DataFrame:
    """ACS with and without best-value evaporation on all random instances."""
    return _comparison(runs, BVE_VARIANTS)


def lloyd_amos_table1(runs: pd.DataFrame) -> pd.DataFrame:
    """Success and mean time of every variant on the sixteen named puzzles (`TABLE1`).

    Success in percent and times in ms, as in the paper, whose numbers (ACS with and without
    best-value evaporation) stand beside.
    """
    keys = ["instance_id", "variant"]
    table = _summarise(_named(runs), keys)
    for column, metric in (("success_rate", "success"), ("mean_time_s", "mean_time")):
        values = _published("arxiv", metric, ["instance", "variant"])
        table = table.join(values.rename(f"arxiv_{column}"), on=keys)
    for rate in ("success_rate", "arxiv_success_rate", "wilson_low", "wilson_high"):
        table[rate.removesuffix("_rate") + "_percent"] = 100 * table[rate]
    table["mean_time_ms"] = 1000 * table["mean_time_solved_s"]
    table["median_time_ms"] = 1000 * table["median_time_s"]
    table["arxiv_mean_time_ms"] = 1000 * table["arxiv_mean_time_s"]
    table = table.rename(columns={"instance_id": "puzzle"})
    return _typed(_sort(table, ["puzzle", "variant"]), TABLE1)


COMPARISON = GROUP | SUMMARY | PUBLISHED
TABLES = {
    "success": (success_table, GROUP | SUMMARY),
    "lloyd_amos_fig4": (lloyd_amos_fig4, FIG4),
    "lloyd_amos_fig5": (lloyd_amos_fig5, COMPARISON),
    "lloyd_amos_fig6": (lloyd_amos_fig6, COMPARISON),
    "lloyd_amos_fig7": (lloyd_amos_fig7, COMPARISON),
    "lloyd_amos_fig8": (lloyd_amos_fig8, FIG8),
    "lloyd_amos_fig9": (lloyd_amos_fig9, COMPARISON),
    "lloyd_amos_table1": (lloyd_amos_table1, TABLE1),
}


def names() -> list[str]:
    """Names of the tables that `make` knows."""
    return list(TABLES)


def make(name: str, runs: pd.DataFrame) -> pd.DataFrame:
    """The table `name` from a runs table; `InputError` if there is no such table."""
    return _entry(name)[0](runs)


# --- parts ---------------------------------------------------------------------------------------


def _entry(name):
    if name not in TABLES:
        raise InputError(f"table {name!r}: unknown: allowed are {', '.join(TABLES)}")
    return TABLES[name]


def _comparison(runs, variants, orders=None):
    runs = _random(runs)
    chosen = runs["variant"].isin(variants)
    if orders is not None:
        chosen &= runs["order"].isin(orders)
    table = _summarise(runs[chosen], GROUP_KEY)
    for edition in published.EDITIONS:
        for column, metric in (("success_rate", "success"), ("mean_time_s", "mean_time")):
            values = _published(edition, metric, GROUP_KEY)
            table = table.join(values.rename(f"{edition}_{column}"), on=GROUP_KEY)
    return _typed(table, COMPARISON)


def _random(runs):
    runs = runs[runs["family"] != NAMED_FAMILY]
    return runs.assign(fixed_fraction=runs["fixed_fraction"].round(FRACTION_DECIMALS))


def _named(runs):
    puzzles = published.named_puzzles()
    return runs[(runs["family"] == NAMED_FAMILY) & runs["instance_id"].isin(puzzles)]


def _summarise(runs, keys):
    """One row of `SUMMARY` per group of `keys`, in the order of `_sort`."""
    rows = [
        dict(zip(keys, key, strict=True)) | _summary(group, ", ".join(str(part) for part in key))
        for key, group in runs.groupby(keys)
    ]
    types = {key: runs[key].dtype for key in keys}
    table = _typed(pd.DataFrame(rows), types | SUMMARY)
    low, high = statistics.wilson(table["solved"], table["n"])
    return _sort(table.assign(wilson_low=low, wilson_high=high), keys)


def _summary(group, place):
    solved = (group["status"] == SOLVED).to_numpy()
    cpu_s = group["cpu_s"].to_numpy()
    limit_s = _only(group["limit_s"], place)
    return {
        "label": group["label"].iloc[0],
        "n": len(group),
        "solved": int(solved.sum()),
        "success_rate": solved.mean(),
        "mean_time_solved_s": statistics.mean_solved(cpu_s, solved),
        "median_time_s": statistics.censored_median(cpu_s, solved),
        "par2_s": statistics.par2(cpu_s, solved, limit_s),
        "limit_s": limit_s,
        "limit_steps": _only(group["limit_steps"], place),
    }


def _only(column, place):
    """The one value of a column: runs under different limits have no common success rate."""
    values = column.unique()
    if len(values) > 1:
        found = ", ".join(f"{value:g}" for value in np.sort(values))
        raise InputError(f"runs: {place}: {column.name} is {found}: allowed is one limit")
    return values[0]


def _published(edition, metric, keys):
    """Published values as a Series over `keys`; the named puzzles only if `instance` is a key."""
    values = published.lloyd_amos(edition, metric)
    if "instance" not in keys:
        values = values[values["instance"] == published.GENERAL]
    values = values.assign(fixed_fraction=values["fixed_fraction"].round(FRACTION_DECIMALS))
    return values.set_index(keys)["value"]


def _sort(table, keys):
    """Sort by `keys`; variants and named puzzles in the order of the paper, others by name."""
    known = (*VARIANT_ORDER, *published.named_puzzles())
    rank = {name: place for place, name in enumerate(known)}

    def key(column):
        if column.name not in ("variant", "puzzle", "instance_id"):
            return column
        return column.map(lambda name: (rank.get(name, len(rank)), name)).astype(object)

    return table.sort_values(keys, key=key, ignore_index=True)


def _typed(table, schema):
    return table.reindex(columns=list(schema)).astype(schema).reset_index(drop=True)


def _check_columns(runs, path):
    for column, dtype in COLUMNS.items():
        if column not in runs:
            raise InputError(f"{path}: column {column}: missing: a runs table must have it")
        if runs[column].dtype != dtype:
            found = runs[column].dtype
            raise InputError(f"{path}: column {column}: type {found}: allowed is {dtype}")
    extra = [column for column in runs if column not in COLUMNS]
    if extra:
        raise InputError(f"{path}: column {extra[0]}: unknown: no runs table has it")
    wrong = runs.loc[~runs["status"].isin(STATUSES), "status"]
    if len(wrong):
        allowed = ", ".join(STATUSES)
        raise InputError(f"{path}: column status: {wrong.iloc[0]!r}: allowed are {allowed}")
