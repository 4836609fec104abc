"""Verdicts as files: a table (CSV) and a page to read (Markdown)."""

import inspect
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from antdoku import tables
from antdoku.claims import ledger
from antdoku.claims.kinds import KINDS
from antdoku.claims.verdicts import COLUMNS, OTHER_WORKS, count
from antdoku.errors import InputError
from antdoku.papers import editions
from antdoku.statistics import ALPHA

LEGEND = f"""\
## How to read this

Every verdict is computed from the runs, at {100 * ALPHA:g} %. `docs/method.md` explains the tests.
A p value marked h carries Holm's correction over all differences that the paper claims. Intervals
of rates are in percent, of a difference of two in points. A published figure marked † is a mean of
the solved runs, which is biased.

When each test gives which verdict:
"""


def write(table: pd.DataFrame, path) -> None:
    """Write verdicts as the ending asks for: .md, a page, or .csv, a table."""
    if Path(path).suffix == ".md":
        Path(path).write_text(markdown(table), encoding="utf-8")
    else:
        tables.write(table, path)


def read(path) -> pd.DataFrame:
    """Read back the CSV of `write`: columns `verdicts.COLUMNS`, with their types."""
    numbers = [name for name, kind in COLUMNS.items() if kind not in ("str", "bool")]
    missing = {name: [""] for name in numbers}  # an empty text is a text
    try:
        table = pd.read_csv(path, dtype=COLUMNS, keep_default_na=False, na_values=missing)
    except ValueError as error:
        raise InputError(f"{path}: no table of verdicts: {error}") from None
    if absent := {"id", "verdict", "ours"} - {*table}:
        raise InputError(f"{path}: no table of verdicts: no column {min(absent)}")
    return table


def markdown(table: pd.DataFrame) -> str:
    """Return the verdicts as a page: counts, a table for each paper, and how to read them."""
    parts = ["# Claims and verdicts", others(table), *by_paper(table, _cells, _readings)]
    return "\n\n".join(filter(None, [*parts, LEGEND, _rules(table)])) + "\n"


def by_paper(table: pd.DataFrame, cells: Callable, text: Callable = lambda paper: "") -> list[str]:
    """Return parts of a page: counts, then for each paper its title, a text, and a table.

    `cells` takes a row of the verdicts, and returns those of the table by their headings.
    """
    parts = [markdown_table(count(table).reset_index())]
    for paper, rows in table.groupby("paper", sort=False):
        found = markdown_table(pd.DataFrame(map(cells, rows.itertuples())))
        parts += [f"## {editions()[paper]}", text(paper), found]
    return parts


def _readings(paper):
    return "\n".join(
        f"- `{reading.name}`: {reading.text}{' (a rule of ours)' * reading.ours}"
        for reading in ledger.readings().get(paper, [])
    )


def others(table: pd.DataFrame) -> str:
    """Return a sentence on the claims of the ledger that are not in the table, if there are any."""
    n = len(ledger.load()) - len(table)
    more = "more " if len(table) else ""
    return f"{n} {more}claims of the papers are about runs that are not among these." if n else ""


def _cells(row):
    return {
        "claim": statement(row) + (f" {row.note}" if row.note else ""),
        "verdict": verdict(row) + (", depends on the work" if row.depends_on_work else ""),
        "published": row.published + (" †" if row.biased else ""),
        "ours": row.ours,
        "95 % interval": interval(row),
        "n": f"{row.n} {row.unit}",
        "test": row.test,
        "p value": p_value(row),
        "effect": "" if np.isnan(row.effect) else f"{row.measure} {row.effect:+.2f}",
        "limit in the paper": row.limit,
        "under other readings": row.readings,
        "at half, at twice the work": ", ".join(getattr(row, name) or "–" for name in OTHER_WORKS),
    }


def statement(row: tuple) -> str:
    """Return what is claimed, and where."""
    return f"{row.claim} ({row.place})"


def verdict(row: tuple) -> str:
    """Return the verdict and its reason."""
    return f"**{': '.join(filter(None, (row.verdict, row.reason)))}**"


def interval(row: tuple) -> str:
    """Return the interval of what was measured; of a difference of two rates in points."""
    if np.isnan(row.low):
        return ""
    points = " points" if KINDS[row.test].most == 2 else ""
    return f"{row.low:.3g} … {row.high:.3g}{points}"


def p_value(row: tuple) -> str:
    """Return the p value that decides: of a difference after correction, with the mark h."""
    if not np.isnan(row.p_holm):
        return f"{row.p_holm:.2g} h"
    return "" if np.isnan(row.p) else f"{row.p:.2g}"


def markdown_table(table: pd.DataFrame) -> str:
    """Return a table as Markdown, without its index."""
    rows = [table.columns, ["---"] * table.shape[1], *table.to_numpy()]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in rows)


def _rules(table):
    """Return when each of the tests that were used gives which verdict, from its docstring."""
    lines = []
    for name in table["test"].unique():
        paragraphs = inspect.getdoc(KINDS[name].run).split("\n\n")
        (rule,) = (text for text in paragraphs if text.startswith("reproduced:"))
        lines += [f"- `{name}`: {paragraphs[0]} " + " ".join(rule.split())]
    return "\n".join(lines)
