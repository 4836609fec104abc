"""Rows of runs -> tables: pure functions from DataFrame to DataFrame.

A runs table has the columns of `antdoku.columns.COLUMNS`, one row a run. Every table is typed even
when it is empty, leaves out what the runs do not contain, and has published numbers beside ours,
in columns of their own. The tables of a paper are in its folder (`papers`), and what they are made
of is here. `tables.summary` says what the columns of the summaries mean.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from antdoku import papers
from antdoku.errors import InputError
from antdoku.tables import summary
from antdoku.tables.collection import collect, read_runs

__all__ = ["Table", "by_paper", "collect", "every", "make", "of_experiments", "read", "read_runs"]
__all__ += ["write", "write_all"]


class Table(NamedTuple):
    """A table that is made of runs, or of traces."""

    make: Callable[[pd.DataFrame], pd.DataFrame]  # to at least the columns of the table
    columns: dict[str, str]  # with their types
    # Experiments without whose random instances it has nothing to say; if there is none, it takes
    # the paper's own experiment.
    random: tuple[str, ...] = ()
    puzzles: str = ""  # the experiment whose given puzzles it is about, if it is about puzzles
    traces: str = ""  # the experiment whose hardest runs are traced for it, if it takes traces


GENERIC = {"success": Table(summary.success, summary.SUCCESS)}  # of all experiments


def every() -> dict[str, Table]:
    """All tables by name: the generic ones, and `TABLES` of each paper's ``tables.py``."""
    own = (module.TABLES.items() for module in papers.modules("tables").values())
    return GENERIC | {name: table for tables in own for name, table in tables}


def by_paper(chosen: Iterable[str]) -> dict[str, list[str]]:
    """Tables or figures by the name of their paper; those of none are called after themselves."""
    owner = {name: paper.name for paper in papers.every() for name in paper.figures}
    for paper, module in papers.modules("tables").items():
        owner |= dict.fromkeys(module.TABLES, paper)
    found = {}
    for name in chosen:
        found.setdefault(owner.get(name, name), []).append(name)
    return found


def modules(chosen: Iterable[str]) -> set[str | Path]:
    """What makes these tables, as `sources.fingerprint` takes it."""
    own = papers.modules("tables").values()
    return {"tables", *(Path(each.__file__) for each in own if each.TABLES.keys() & {*chosen})}


def of_experiments(
    experiments: Iterable[str], with_random: Iterable[str], without_puzzles: Iterable[str] = ()
) -> list[str]:
    """Names of the tables that experiments can fill.

    Some of them have random instances, some no given puzzles.
    """
    known, there, without = {*experiments}, {*with_random}, {*without_puzzles}
    return list(GENERIC) + [
        name
        for paper, module in papers.modules("tables").items()
        for name, table in module.TABLES.items()
        if (there.issuperset(table.random) if table.random else papers.get(paper).own in known)
        and table.puzzles not in without
    ]


def make(name: str, runs: pd.DataFrame) -> pd.DataFrame:
    """The table `name` from a runs table, or from traces if it is made of them.

    Raises
    ------
    InputError
        If there is no such table.
    """
    table = _entry(name)
    made = table.make(runs if table.traces else summary.labelled(runs))
    return summary.typed(made, table.columns)


def write_all(outputs: Iterable, runs, traces=None) -> None:
    """Write the tables that files are named after (``.../lewis_fig2.csv``), from files of runs.

    `traces` is only needed if one of the tables is made of them.
    """
    all_runs = read_runs(runs)
    for output in map(Path, outputs):
        source = pd.read_parquet(traces) if _entry(output.stem).traces else all_runs
        write(make(output.stem, source), output)


def write(table: pd.DataFrame, path) -> None:
    """Write a table as CSV, with nine digits of each number."""
    table.to_csv(path, index=False, float_format="%.9g", lineterminator="\n")


def read(name: str, path) -> pd.DataFrame:
    """Read back the CSV of the table `name`, with its types also when it has no rows."""
    schema = _entry(name).columns
    try:
        table = pd.read_csv(path, dtype=schema, keep_default_na=False, na_values=[""])
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: not a {name} table: {str(error).splitlines()[0]}") from None
    if list(table) != list(schema):
        raise InputError(f"{path}: not a {name} table: its columns must be {', '.join(schema)}")
    return table


def _entry(name):
    tables = every()
    if name not in tables:
        raise InputError(f"table {name!r}: unknown: allowed are {', '.join(tables)}")
    return tables[name]
