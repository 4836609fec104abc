"""Rows of runs -> tables, one module per paper: pure functions from DataFrame to DataFrame.

A runs table has the columns of `antdoku.record.COLUMNS`, one row a run. Every table is typed even
when it is empty, leaves out what the runs do not contain, and has published numbers beside ours,
in columns of their own. `make` finds a table by its name. `tables.summary` says what the columns of
the summaries mean.
"""

import os
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from antdoku.errors import InputError
from antdoku.outcome import STATUSES
from antdoku.record import family_name
from antdoku.tables import beyond, frontier, lewis, lloyd_amos, soto, summary
from antdoku.tables.collection import collect, read_runs

__all__ = ["collect", "hardest_family", "make", "names", "of_experiments", "read", "read_runs"]
__all__ += ["read_shown", "write", "write_all"]

# Name of each table: how it is made of the runs, and its columns with their types.
TABLES = {
    "success": (summary.success, summary.SUCCESS),
    "lloyd_amos_fig4": (lloyd_amos.fig4, lloyd_amos.FIG4),
    "lloyd_amos_fig5": (lloyd_amos.fig5, lloyd_amos.COMPARISON),
    "lloyd_amos_fig6": (lloyd_amos.fig6, lloyd_amos.COMPARISON),
    "lloyd_amos_fig7": (lloyd_amos.fig7, lloyd_amos.COMPARISON),
    "lloyd_amos_fig8": (lloyd_amos.fig8, lloyd_amos.FIG8),
    "lloyd_amos_fig9": (lloyd_amos.fig9, lloyd_amos.COMPARISON),
    "lloyd_amos_table1": (lloyd_amos.table1, lloyd_amos.TABLE1),
    "lewis_fig2": (lewis.fig2, lewis.FIG2),
    "lewis_fig3": (lewis.fig3, lewis.FIG3),
    "lewis_table1": (lewis.table1, lewis.TABLE1),
    "lewis_signed_rank": (lewis.signed_rank, lewis.SIGNED_RANK),
    "soto_2013_table1": (soto.table1_2013, soto.TABLE1_2013),
    "soto_2013_table2": (soto.table2_2013, soto.TABLE2_2013),
    "soto_2013_fig4": (soto.fig4_2013, soto.FIG4_2013),
    "soto_2014_tables1_3": (soto.tables_2014, soto.TABLES_2014),
    "beyond_phase_transition": (beyond.phase_transition, beyond.PHASE_TRANSITION),
    "beyond_work": (beyond.work_curves, beyond.WORK),
    "beyond_run_times": (beyond.run_times, beyond.RUN_TIMES),
    "beyond_cactus": (beyond.cactus, beyond.CACTUS),
    "beyond_stagnation": (beyond.stagnation, beyond.STAGNATION),
    "beyond_generators": (beyond.generators, beyond.GENERATORS),
    "beyond_generators_agreement": (beyond.generators_agreement, beyond.AGREEMENT),
    "beyond_sensitivity": (beyond.sensitivity, beyond.SENSITIVITY),
    "frontier_phase_transition": (frontier.phase_transition, frontier.PHASE_TRANSITION),
    "frontier_growth": (frontier.growth, frontier.GROWTH),
    "frontier_run_times": (frontier.run_times, beyond.RUN_TIMES),
    "frontier_published": (frontier.beside_published, frontier.PUBLISHED),
}
FROM_TRACES = {"beyond_stagnation"}  # the others are made of runs
WITH_PARAMS = {"beyond_sensitivity"}
# Made of given puzzles alone, those of an experiment.
OF_PUZZLES = {"lloyd_amos_fig4": "lloyd_amos", "lloyd_amos_table1": "lloyd_amos"}
# So that ten million runs fit into memory: texts kept once, and what no table shows, not at all.
REPEATED = ("experiment", "family", "variant", "solver", "label", "status")
UNSHOWN = (
    *("kind", "params", "seed", "limited_by", "setup_s", "wall_s", "n_timed", "spread_s"),
    *("version", "source_hash"),
)


def names() -> list[str]:
    """Names of the tables that `make` knows."""
    return list(TABLES)


def of_experiments(
    experiments: Iterable[str], with_random: Iterable[str], without_puzzles: Iterable[str] = ()
) -> list[str]:
    """Names of the tables that experiments can fill.

    Some of them have random instances, some no given puzzles.
    """
    known, there, without = tuple(experiments), {*with_random}, {*without_puzzles}
    return [
        name
        for name in TABLES
        if (name.startswith((*known, "success")) and OF_PUZZLES.get(name) not in without)
        or beyond.NEEDS.get(name, {None}) <= there
    ]


def make(name: str, runs: pd.DataFrame) -> pd.DataFrame:
    """The table `name` from a runs table, or from traces if it is one of `FROM_TRACES`.

    Raises
    ------
    InputError
        If there is no such table.
    """
    return _entry(name)[0](runs if name in FROM_TRACES else summary.labelled(runs))


def write_all(outputs: Iterable, runs, traces=None) -> None:
    """Write the tables that files are named after, from a file of runs, which is read once.

    Parameters
    ----------
    outputs : iterable of path
        The files to write: ``.../lewis_fig2.csv``.
    runs, traces : path
        What tables are made of; no traces are needed unless for one of `FROM_TRACES`.
    """
    names = {Path(output).stem: output for output in outputs}
    shown = read_shown(runs, with_params=not WITH_PARAMS.isdisjoint(names))
    for name, output in names.items():
        content = pd.read_parquet(traces) if name in FROM_TRACES else shown
        write(make(name, content), output)


def read_shown(path, with_params: bool = False) -> pd.DataFrame:
    """Read as little of collected runs as tables take; the parameters only if they are needed."""
    unshown = {*UNSHOWN} - ({"params"} if with_params else set())
    runs = read_runs(path, without=unshown)
    # Whatever a run ended with, it may be a timeout at less work.
    statuses = {"status": pd.CategoricalDtype(STATUSES)}
    return runs.astype(dict.fromkeys(REPEATED, "category") | statuses)


def hardest_family(runs: pd.DataFrame) -> str:
    """Name of the family at the hardest point (`beyond.hardest`) of the highest order up to 5."""
    points = beyond.hardest(runs)
    small = points[points["order"] <= 5]
    order, fraction = (points if small.empty else small).iloc[-1]
    return family_name(int(order), fraction)


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


def _entry(name):
    if name not in TABLES:
        raise InputError(f"table {name!r}: unknown: allowed are {', '.join(TABLES)}")
    return TABLES[name]
