"""What the tables of all papers are made of: labels, summaries, published numbers, types.

Columns of the summaries (`SUMMARY`): n runs on n_instances, solved of them, success_rate with its
95 % Wilson interval, mean_time_solved_s (the papers' measure, biased: failures are left out),
mean_time_all_s (a failure counts with the time it took), median_time_s (all runs; NaN when half of
them or more failed), par2_s (failures count as twice the limit), the limits of a run, and
n_unfinished: runs whose steps would limit them, but which limit_s ended before. Times are CPU
seconds.

Tables beside published success rates are made of runs at the paper's work (`tables.work`). Columns
of these (`AT_WORK`): the paper's work in steps, missing if steps do not limit or if it is not
known, how uncertain it is (work_factor), and the success rates at the least and at the greatest
work within that, missing if not all runs went on so long.
"""

import re

import numpy as np
import pandas as pd

from antdoku import papers, published, statistics
from antdoku.errors import InputError
from antdoku.outcome import SOLVED
from antdoku.tables import work
from antdoku.tables.registry import Rows, on_random_instances

POINT = ["order", "fixed_fraction"]  # of the figures over random instances
GROUP_KEY = [*POINT, "variant"]
FRACTION_DECIMALS = 6  # 3 * 0.05 and 0.15 are one fixed fraction

# Types of the columns by name; those of all others are float64.
TEXTS = {
    *("experiment", "source", "family", "instance_id", "puzzle", "variant", "label", "status"),
    *("greedy_rule", "measure", "published_puzzles", "tries_for_30_solved", "verdict"),
}
COUNTS = {
    *("order", "n", "n_instances", "n_solved", "n_unsolved", "n_differ", "solved", "trivial"),
    *("main_n", "main_solved", "other_n", "other_solved", "won", "lost", "n_points"),
    *("repetition", "iteration", "limit_steps", "n_unfinished", "m", "n_cells", "n_orders"),
}


def columns(*names: str) -> dict[str, str]:
    """The columns of a table with their types."""
    kinds = dict.fromkeys(TEXTS, "str") | dict.fromkeys(COUNTS, "int64")
    return {name: kinds.get(name, "float64") for name in names}


def in_percent(name: str) -> str:
    """What the column of a rate, or of the end of its interval, is called in percent."""
    return name.replace("rate", "percent") if "rate" in name else f"{name}_percent"


RATE = ("success_rate", "wilson_low", "wilson_high")
SUMMARY = columns(
    *("label", "n_instances", "n", "solved"),
    *RATE,
    *("mean_time_solved_s", "mean_time_all_s", "median_time_s", "par2_s"),
    *("limit_s", "limit_steps", "n_unfinished"),
)
AT_WORK = columns("work_steps", "work_factor", "rate_at_less", "rate_at_more")
# Of the summaries of given puzzles, whose papers print percent.
ON_PUZZLE = ["puzzle", "variant"]
PERCENT = tuple(map(in_percent, RATE))


# --- runs ----------------------------------------------------------------------------------------


def of_random_instances(runs: pd.DataFrame, experiment: str | None = None) -> pd.DataFrame:
    """Runs on random instances, of one experiment or of all, with equal fractions made equal."""
    return with_equal_fractions(runs[Rows(experiment, random=True).select(runs)])


def of_given_puzzles(runs: pd.DataFrame, experiment: str) -> pd.DataFrame:
    """Runs of one experiment on given puzzles."""
    return runs[Rows(experiment, random=False).select(runs)]


def with_equal_fractions(runs: pd.DataFrame) -> pd.DataFrame:
    """Runs with rounded fixed fractions of random instances; those of given puzzles stay."""
    fractions, is_random = runs["fixed_fraction"], on_random_instances(runs)
    rounded = fractions.mask(is_random, fractions.round(FRACTION_DECIMALS))
    return runs.assign(fixed_fraction=rounded)


def labelled(runs: pd.DataFrame) -> pd.DataFrame:
    """Runs under the labels of their variants, where they come with that of their solver.

    A variant that has the name of its solver keeps that solver's label; another one adds its own.
    One with other settings than those behind its label has the label that its runs came with, which
    names them.
    """
    kinds = runs[["variant", "solver", "label"]].drop_duplicates().astype("str")
    known = papers.variants()
    labels = {}
    for row in kinds.itertuples():
        look = known.get(row.variant)
        title, settings = re.fullmatch(r"(.*?)(?:, (\w+=.*))?", row.label).groups()
        # Older runs came without their settings.
        if look and look.label.startswith(title) and settings in (None, look.settings or None):
            labels[row.variant] = look.label
        else:
            is_known = look or row.variant == row.solver
            labels[row.variant] = row.label if is_known else f"{title} ({row.variant})"
    return runs.assign(label=runs["variant"].map(labels))


def instances(runs: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """One run of each instance: what propagation does to an instance is the same in all runs."""
    return runs.drop_duplicates([*keys, "instance_id"])


# --- summaries -----------------------------------------------------------------------------------


def summarise(runs: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """One row of `SUMMARY` per group of `keys`, sorted, whose runs must have the same limits."""
    runs = runs.assign(unfinished=work.is_unfinished(runs))
    rows = [
        dict(zip(keys, key, strict=True)) | _summary(group, ", ".join(str(part) for part in key))
        for key, group in runs.groupby(keys)
    ]
    types = {key: runs[key].dtype for key in keys}
    return sort(with_rate(typed(pd.DataFrame(rows), types | SUMMARY)), keys)


def summarise_at_work(runs: pd.DataFrame, keys: list[str], paper: str) -> pd.DataFrame:
    """One row of `SUMMARY` and `AT_WORK` per group of `keys`, of runs at the paper's work."""
    table = summarise(work.at(runs, paper), keys)
    factor = work.papers_factor(runs, paper)
    found = {
        "work_steps": work.papers_steps(runs, paper),
        "work_factor": factor,
        "rate_at_less": work.solved_at(runs, paper, 1 / factor),
        "rate_at_more": work.solved_at(runs, paper, factor),
    }
    # Missing if it is missing for one run.
    means = runs[keys].assign(**found).groupby(keys)[list(AT_WORK)].mean(skipna=False)
    return table.join(means, on=keys)


def _summary(group, place):
    solved = (group["status"] == SOLVED).to_numpy()
    cpu_s = group["cpu_s"].to_numpy()
    limit_s = _only(group["limit_s"], place)
    return {
        "label": group["label"].iloc[0],
        "n_instances": group["instance_id"].nunique(),
        "n": len(group),
        "solved": int(solved.sum()),
        "mean_time_solved_s": statistics.mean_solved(cpu_s, solved),
        "mean_time_all_s": cpu_s.mean(),
        "median_time_s": statistics.censored_median(cpu_s, solved),
        "par2_s": statistics.par2(cpu_s, solved, limit_s),
        "limit_s": limit_s,
        "limit_steps": _only(group["limit_steps"], place),
        "n_unfinished": int(group["unfinished"].sum()),
    }


def _only(column, place):
    """The one value of a column: runs under different limits have no common success rate."""
    values = column.unique()
    if len(values) > 1:
        found = ", ".join(f"{value:g}" for value in np.sort(values))
        raise InputError(f"runs: {place}: {column.name} is {found}: allowed is one limit")
    return values[0]


def with_rate(table: pd.DataFrame, solved: str = "solved", n: str = "n") -> pd.DataFrame:
    """The table with the columns `RATE`: `solved` of `n`, and the Wilson interval of that rate."""
    interval = statistics.wilson(table[solved], table[n])
    return table.assign(**dict(zip(RATE, (table[solved] / table[n], *interval), strict=True)))


def to_percent(table: pd.DataFrame) -> pd.DataFrame:
    """The table with its rates, published ones and the ends of intervals in percent, too."""
    starts = ("wilson_", "rate_at_")
    rates = [name for name in table if name.endswith("success_rate") or name.startswith(starts)]
    return table.assign(**{in_percent(name): 100 * table[name] for name in rates})


# --- published numbers, order, types -------------------------------------------------------------


def beside(
    table: pd.DataFrame, keys: list[str], printed: dict[str, tuple[str, str]], called=None
) -> pd.DataFrame:
    """The table with columns of published numbers that have the same keys.

    Parameters
    ----------
    keys : list of str
        Without `puzzle` among them these are numbers about random instances.
    printed : dict of str to (str, str)
        Edition and metric (`published.values`) of each new column.
    called : callable or dict, optional
        From the paper's name of a variant to ours, if they differ.
    """
    for column, (edition, metric) in printed.items():
        values = published.values(edition, metric).rename(columns={"instance": "puzzle"})
        values["fixed_fraction"] = values["fixed_fraction"].round(FRACTION_DECIMALS)
        if "puzzle" not in keys:
            values = values[values["puzzle"] == published.GENERAL]
        if called:
            values["variant"] = values["variant"].map(called)
        table = table.join(values.set_index(keys)["value"].rename(column), on=keys)
    return table


def sort(table: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Sort by `keys`; variants and puzzles in the order of the papers, others by name."""
    puzzles = [name for paper in papers.every().values() for name in paper.puzzles.values()]
    rank = {name: place for place, name in enumerate([*papers.variants(), *puzzles])}

    def key(column):
        if column.name not in ("variant", "puzzle"):
            return column
        return column.map(lambda name: (rank.get(name, len(rank)), name)).astype(object)

    return table.sort_values(keys, key=key, ignore_index=True)


def typed(table: pd.DataFrame, schema: dict[str, str]) -> pd.DataFrame:
    """The columns of `schema`, and these alone, with their types."""
    return table.reindex(columns=list(schema)).astype(schema).reset_index(drop=True)
