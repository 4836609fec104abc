"""Parts of the tables of all papers: labels, summaries, printed numbers, order.

Columns of a summary (`SUMMARY`): n runs on n_instances; how many solved; success_rate with its 95 %
Wilson interval; mean_time_solved_s, which the papers print (biased: failures are left out);
mean_time_all_s (a failure counts with its own time); medians (NaN if half of the runs or more
failed); par2_s (a failure counts as twice the limit; missing if steps ended a run); limits;
n_unfinished, the runs that limit_s ended before their steps were used up. Times are CPU seconds.

Tables beside printed success rates are made of runs at the paper's work (`tables.work`). They have
more columns (`AT_WORK`): the work in steps, missing if it is unknown or does not limit the runs;
work_factor, how uncertain the work is; success at the least and the greatest work within that
factor, missing if some runs ended earlier.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable

import numpy as np
import pandas as pd

from antdoku import papers, statistics
from antdoku.columns import NONE, Column, columns
from antdoku.errors import InputError
from antdoku.instances.family import ARCHIVE
from antdoku.outcome import SOLVED
from antdoku.papers import Look, published
from antdoku.tables import work

POINT = ["order", "fixed_fraction"]  # of random instances
GROUP_KEY = [*POINT, "variant"]
RATE = ("success_rate", "wilson_low", "wilson_high")
SUMMARY = columns(
    *("label", "n_instances", "n", "solved"),
    *RATE,
    *("mean_time_solved_s", "mean_time_all_s", "median_time_s", "par2_s"),
    *("limit_s", "limit_steps", "n_unfinished"),
)
AT_WORK = columns("work_steps", "work_factor", "rate_at_less", "rate_at_more")
# Keys of summaries of given puzzles. Their papers print percent.
ON_PUZZLE = ["puzzle", "variant"]
IN_PERCENT = {  # columns of percent by columns of rates
    "success_rate": "success_percent",
    "wilson_low": "wilson_low_percent",
    "wilson_high": "wilson_high_percent",
    "rate_at_less": "percent_at_less",
    "rate_at_more": "percent_at_more",
}
PERCENT = tuple(IN_PERCENT[name] for name in RATE)
# Aggregations that count a group of runs with the column is_solved.
COUNTED = {"label": ("label", "first"), "n_instances": ("instance_id", "nunique")}
COUNTED |= {"n": ("status", "size"), "solved": ("is_solved", "sum")}


# --- runs ----------------------------------------------------------------------------------------


def outside_samples(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs of variants that are no points of a sample of parameters.

    A sample has hundreds of points: only tables about it show them.
    """
    return runs[runs["point"] == NONE] if "point" in runs else runs


def in_order(column: pd.Series, names: Iterable[str]) -> pd.Series:
    """Return a column of names, as categories in the order of `names`; others follow by name."""
    others = sorted({*column.dropna().unique()} - {*names})
    return column.astype(pd.CategoricalDtype([*names, *others], ordered=True))


def labelled(runs: pd.DataFrame, looks: dict[str, Look]) -> pd.DataFrame:
    """Return runs with the label of the variant in place of the label of the solver.

    Runs of the workflow, which have the column color, have these labels by their plan.
    A variant in `looks` has the label there, if its solver and the parameters there are the same;
    further parameters follow it. A variant with the name of its solver keeps the solver's label;
    any other adds its own name, but with parameters in the name (`name:m=2`), or in the label of
    its runs, it keeps that label. In a grid (`name__values`) labels name the parameters that
    differ. The label of a mutant is its system and its mistake. If two labels are equal, the names
    of the variants are added.
    """
    planned = runs["color"].notna() if "color" in runs else pd.Series(False, runs.index)
    if planned.all():
        return runs
    variants = runs[~planned].drop_duplicates("variant").astype({"variant": "str"})
    labels = {row.variant: _label(row, looks.get(row.variant)) for row in variants.itertuples()}
    if "params" in runs:
        labels |= _labels_in_grids(variants[~variants["variant"].isin([*looks])])
    labels |= {
        name: f"{looks[mutant.system].label}: {mutant.mistake}"
        for name, mutant in papers.mutations().items()
        if name in labels and mutant.system in looks
    }
    labels = _distinct(labels)
    return runs.assign(
        label=runs["label"].where(planned, runs["variant"].astype("str").map(labels))
    )


def with_distinct_labels(runs: pd.DataFrame) -> pd.DataFrame:
    """Return runs with labels as texts, with the name of the variant behind one of several."""
    names = runs["variant"].astype("str")
    labels = _distinct(dict(zip(names, runs["label"].astype("str"))))
    return runs.assign(label=names.map(labels))


def _distinct(labels):
    """Return labels by variant, with the name of the variant behind a label of several."""
    uses = Counter(labels.values())
    return {
        name: f"{label} ({name})" if uses[label] > 1 else label for name, label in labels.items()
    }


def _label(run, look):
    """Return the label of the variant of a run; `look` is its look in a paper, or None."""
    title, settings = _parts(run.label)
    if look and _is_as_described(run, look):
        return ", ".join([look.label, *_changed(settings, look)])
    if look or run.variant == run.solver:
        return run.label
    if ":" in run.variant:
        return run.label if settings else f"{run.label}, default values"
    return run.label if settings and "__" in run.variant else f"{title} ({run.variant})"


def _is_as_described(run, look):
    """Whether a run has the solver and the parameters of a look; it may have others beside them."""
    params = json.loads(getattr(run, "params", "{}"))
    are_equal = all(params.get(name, value) == value for name, value in look.params.items())
    return run.solver == look.solver and are_equal


def _changed(settings, look):
    """Return the settings of a run that a look has not: ``noise=0.1``."""
    parts = re.split(r", (?=\w+=)", settings) if settings else []
    return [part for part in parts if part.partition("=")[0] not in look.params]


def _parts(label):
    """Split the label of a run into the title of the solver and its settings."""
    return re.fullmatch(r"(.*?)(?:, (\w+=.*))?", label).groups(default="")


def _labels_in_grids(runs):
    """Return labels of the members of grids by variant; `runs` has a row per variant."""
    labels = {}
    for _, members in runs.groupby(runs["variant"].astype("str").str.extract("(.+?)__")[0]):
        params = pd.DataFrame([json.loads(text) for text in members["params"]])
        varied = params.loc[:, params.nunique() > 1].astype(object).to_dict("records")
        for row, values in zip(members.itertuples(), varied):
            settings = (f"{name}={value}" for name, value in values.items())
            labels[row.variant] = ", ".join([_parts(row.label)[0], *settings])
    return labels


# --- summaries -----------------------------------------------------------------------------------


def summarise(runs: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return a row of `SUMMARY`, median_steps and trials per group of `keys` (two or more), sorted.

    A group of runs with several limits has no common success rate: an `InputError`.
    """
    runs = _with_outcomes(runs)
    groups = runs.groupby(keys)
    for limit in ("limit_s", "limit_steps"):
        check_one_limit(groups[limit])
    table = groups.agg(
        **COUNTED,
        mean_time_solved_s=("solved_s", "mean"),
        mean_time_all_s=("cpu_s", "mean"),
        median_time_s=("censored_s", "median"),
        median_steps=("censored_steps", "median"),
        limit_s=("limit_s", "first"),
        limit_steps=("limit_steps", "first"),
        n_unfinished=("unfinished", "sum"),
    )
    table["par2_s"] = groups["par2_s"].mean(skipna=False)
    medians = ["median_time_s", "median_steps"]
    table[medians] = table[medians].replace(np.inf, np.nan)
    return with_rate(table.assign(trials=trials(runs, keys)).reset_index(), trials="trials")


def _with_outcomes(runs):
    """Return runs with the columns that `summarise` takes means and medians of."""
    solved = runs["status"] == SOLVED
    # PAR2 needs a limit in seconds. If steps limit a run, its limit in seconds is only a guard.
    limits_s = runs["limit_s"].mask(runs["limit_steps"] > 0)
    return runs.assign(
        is_solved=solved,
        solved_s=runs["cpu_s"].where(solved),
        censored_s=runs["cpu_s"].where(solved, np.inf),
        censored_steps=runs["steps"].where(solved, np.inf),
        par2_s=statistics.par2(runs["cpu_s"], solved, limits_s),
        unfinished=work.is_unfinished(runs),
    )


def check_one_limit(limits, place: str | None = None) -> None:
    """Raise `InputError` if a group of runs has several values of a limit, a grouped column."""
    counts = limits.nunique(dropna=False)
    if (counts > 1).any():
        group = counts.idxmax()
        unit = "s" if counts.name == "limit_s" else "steps"
        values = np.sort(limits.get_group(group).unique())
        listed = [f"{value:,.10g} {unit}" if value > 0 else "none" for value in values]
        name = ", ".join(map(str, group)) if isinstance(group, tuple) else group
        text = f"{name}: limits are {', '.join(listed)}; solvers are compared at one limit"
        raise InputError(text, place, remedy="repeat the runs with one limit")


def summarise_at_work(runs: pd.DataFrame, keys: list[str], paper: str) -> pd.DataFrame:
    """Return a row of `SUMMARY` and `AT_WORK` per group of `keys`, at the paper's work."""
    table = summarise(work.at(runs, paper), keys)
    factor = work.of_paper(runs, paper, "factor")
    at_work = runs[keys].assign(
        work_steps=work.papers_steps(runs, paper),
        work_factor=factor,
        rate_at_less=work.solved_at(runs, paper, 1 / factor),
        rate_at_more=work.solved_at(runs, paper, factor),
    )
    # A mean is missing if the value of one run is missing.
    return table.join(at_work.groupby(keys).mean(skipna=False), on=keys)


def trials(runs: pd.DataFrame, keys: list[str]) -> pd.Series:
    """Return the number of independent trials that each group of runs is worth (float64).

    A group of `keys` (two or more) has the runs of one solver. The runs on instances of a paper's
    authors are independent trials: these instances are no sample of others. For other instances see
    `statistics.trials`.
    """
    is_own = runs["source"] == ARCHIVE if "source" in runs else pd.Series(False, runs.index)
    groups = runs.assign(is_own=is_own).groupby(keys)
    worth, n_instances = groups.size().astype(float), groups["instance_id"].nunique()
    is_repeated = (n_instances > 1) & (n_instances < worth) & ~groups["is_own"].all()
    for key in worth.index[is_repeated]:
        group = groups.get_group(key)
        worth[key] = statistics.trials(group["status"] == SOLVED, group["instance_id"])
    return worth


def with_rate(
    table: pd.DataFrame, solved: str = "solved", n: str = "n", trials: str = ""
) -> pd.DataFrame:
    """Return the table with `RATE`: the share `solved` of `n`, and its Wilson interval.

    All arguments name columns. The n runs are independent, or worth so many `trials`.
    """
    share, worth = table[solved] / table[n], table[trials or n]
    interval = statistics.wilson(share * worth, worth)
    return table.assign(**dict(zip(RATE, (share, *interval), strict=True)))


def with_rate_of_runs(table: pd.DataFrame, runs: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return the table, a row per group of `keys`, with `RATE`: n runs are worth their `trials`."""
    worth = trials(runs, keys).rename("trials")
    return with_rate(table.join(worth, on=keys), trials="trials")


def to_percent(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with columns of percent added for its rates and their intervals."""
    rates = table.columns.intersection([*IN_PERCENT])
    return table.assign(**{IN_PERCENT[name]: 100 * table[name] for name in rates})


# --- printed numbers, order, types ---------------------------------------------------------------


def beside(
    table: pd.DataFrame, keys: list[str], printed: dict[str, Column], variant_of=None
) -> pd.DataFrame:
    """Return the table, a row per group of `keys`, with the columns of printed numbers.

    Without `puzzle` among the keys the numbers are about random instances. `variant_of` (a dict or
    a function) gives our variant for one of `published.values`, if their names differ.
    """
    for name, column in printed.items():
        values = published.values(column.edition, column.metric)
        values = values.rename(columns={"instance": "puzzle"})
        if "puzzle" not in keys:
            values = values[values["puzzle"] == published.GENERAL]
        if variant_of:
            values["variant"] = values["variant"].map(variant_of)
        table = table.join(values.set_index(keys)["value"].rename(name), on=keys)
    return table


def sort(table: pd.DataFrame, keys: list[str], variants: Iterable[str]) -> pd.DataFrame:
    """Return rows sorted by `keys`, with the column variant in the order of `variants`."""
    return table.assign(variant=in_order(table["variant"], variants)).sort_values(keys)


def typed(table: pd.DataFrame, schema: dict[str, str]) -> pd.DataFrame:
    """Return exactly the columns of `schema`, with their data types."""
    return table.reindex(columns=list(schema)).astype(schema).reset_index(drop=True)
