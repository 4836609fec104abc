"""The numbers that the papers print, and the work behind them, from the package data.

`data/published_results.csv` has one row per printed number: source (paper), item (table or
section), order, fixed_fraction, instance, solver, metric, value, unit, note.
`data/work_of_limits.csv` has the steps that the papers' programs do within the papers' limits.
"""

from functools import cache
from importlib.resources import files
from typing import NamedTuple

import pandas as pd

# Two papers of the same authors report different experiments: never mix them.
SOURCES = {
    "arxiv": "Lloyd & Amos 2018 (arXiv:1805.03545v1)",
    "journal": "Lloyd & Amos 2019 (IEEE Trans. Games)",
    "lewis_hybrid": "Lewis 2007 (Hybrid Metaheuristics, LNCS 4771)",
    "lewis_journal": "Lewis 2007 (J. Heuristics 13)",
    "soto_2013": "Soto et al. 2013 (Expert Systems with Applications 40)",
    "soto_2014": "Soto et al. 2014 (ICASTech)",
}
# Whose claims are not decided; their numbers stand beside ours.
WITHOUT_CLAIMS = {"alldiff_ls": "AllDiff-LS 2026 (Frontiers of Computer Science)"}
# Whose work limits the runs of an experiment.
WORK_OF = {
    **dict.fromkeys(("lloyd_amos", "generators", "generators_root", "generators_random"), "arxiv"),
    **dict.fromkeys(("lewis", "lewis_walk", "lewis_root", "lewis_propagation"), "lewis_hybrid"),
}
OTHER_EDITION = {"lewis_hybrid": "lewis_journal"}  # with limits of its own, in the same runs
GENERAL = "general"  # instance of the random families, as opposed to given puzzles
TO_BASE_UNIT = {"%": 0.01, "ms": 0.001}  # to fractions and seconds
# Soto et al. call nine of the puzzles of Mantere & Koljonen by names of their own.
SOTO_PUZZLES = {
    f"mk_s{number}{letter}": f"{level}_{letter}"
    for number, level in ((10, "easy"), (11, "medium"), (12, "hard"))
    for letter in "abc"
}


def results() -> pd.DataFrame:
    """All published numbers, as printed: one row each, columns as in the module docstring."""
    return _read().copy()


def values(source: str, metric: str) -> pd.DataFrame:
    """Numbers of one metric from one paper.

    Parameters
    ----------
    source : str
        A key of `SOURCES` or of `WITHOUT_CLAIMS`.
    metric : str
        For instance ``success`` or ``mean_time`` (of the successful runs).

    Returns
    -------
    DataFrame
        order, fixed_fraction (NaN where none is printed), instance, variant, value (fraction or s),
        in the order of the paper. Variants are called as ours: ``ac3_tabu_1000`` is ``ac3_tabu``
        with 1000 iterations.
    """
    table = _read()
    name = (SOURCES | WITHOUT_CLAIMS)[source]
    chosen = table[(table["source"] == name) & (table["metric"] == metric)]
    value = chosen["value"] * chosen["unit"].map(TO_BASE_UNIT).fillna(1.0)
    iterations = chosen["note"].str.extract(r"^(\d+) iterations$", expand=False)
    variant = chosen["solver"] + ("_" + iterations).fillna("")
    columns = ["order", "fixed_fraction", "instance"]
    return chosen[columns].assign(variant=variant, value=value).reset_index(drop=True)


class Work(NamedTuple):
    """What a paper's program does within the paper's limit.

    Parameters
    ----------
    steps : int
        In the unit of our solver.
    factor : float
        How uncertain that is: from steps / factor to steps * factor.
    limit_s : float
        The paper's limit.
    """

    steps: int
    factor: float
    limit_s: float


def work(paper: str, solver: str, order: int, fixed_fraction: float | None = None) -> Work | None:
    """Work of a paper's program within the paper's limit; None if it is not known.

    Parameters
    ----------
    paper : str
        A key of `SOURCES`; the limits of ``journal`` are those of ``arxiv``.
    fixed_fraction : float, optional
        Of a point that may have a work of its own; else it is that of all points.
    """
    works = _works().get((paper, solver, order), {})
    return works.get(fixed_fraction, works.get(None))


def most_steps(experiment: str, solver: str, order: int) -> int | None:
    """The most steps that a paper of an experiment gives a program; None if it is not known.

    Of all points of the order.
    """
    paper = WORK_OF.get(experiment)
    works = [_works().get((each, solver, order), {}) for each in (paper, OTHER_EDITION.get(paper))]
    return max((each.steps for points in works for each in points.values()), default=None)


def work_of_limits() -> pd.DataFrame:
    """All of that, and how each number was measured or calibrated: one row each.

    Returns
    -------
    DataFrame
        paper, solver, order, fixed_fraction (NaN: all points without a row of their own), limit_s,
        unit, steps, factor, how.
    """
    with files("antdoku").joinpath("data/work_of_limits.csv").open(encoding="utf-8") as file:
        return pd.read_csv(file)


@cache
def _works():
    """By paper, solver and order, and then by fixed fraction; None is all points."""
    works = {}
    for row in work_of_limits().itertuples():
        points = works.setdefault((row.paper, row.solver, row.order), {})
        point = None if pd.isna(row.fixed_fraction) else row.fixed_fraction
        points[point] = Work(row.steps, row.factor, row.limit_s)
    return works


def named_puzzles() -> list[str]:
    """The sixteen named puzzles of Lloyd & Amos, in the order of their Table 1."""
    instances = values("arxiv", "success")["instance"]
    return [name for name in instances.unique() if name != GENERAL]


@cache
def _read():
    with files("antdoku").joinpath("data/published_results.csv").open(encoding="utf-8") as file:
        return pd.read_csv(file, dtype={"note": "str"})
