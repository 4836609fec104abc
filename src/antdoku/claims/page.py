"""Verdicts as files: a table (CSV) and a page to read (Markdown)."""

import inspect
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from antdoku import tables
from antdoku.claims import ledger
from antdoku.claims.evidence import VERDICTS
from antdoku.claims.kinds import KINDS
from antdoku.claims.samples import FEWEST
from antdoku.claims.verdicts import COLUMNS, OTHER_WORKS, count
from antdoku.errors import InputError
from antdoku.papers import editions
from antdoku.statistics import ALPHA

HEADER = (
    "claim",
    "verdict",
    "published",
    "ours",
    "95 % interval",
    "n",
    "test",
    "p value",
    "effect",
    "PAR2, s",
    "mean of solved, s (biased)",
    "limits",
    "under other readings",
    "at half, at twice the work",
)
MAIN_READING = "main"
LEGEND = f"""\
## How to read this

Every verdict is computed from the runs, by one of three kinds of tests, at {100 * ALPHA:g} %.

That a rate or a mean agrees with the published one has to be shown: two one-sided tests that the
two differ by less than a margin (Schuirmann, 1987; Lakens, 2017). For rates that is Cohen's h of
0.4 (Cohen, 1988): 20 points at one half, 4 at 0 or 100 %, where a point means more. The limits
are exact ones, of our rate and of the paper's. A claim is reproduced if they lie within the margin,
and not reproduced if the rates differ significantly, and by more than the margin. Else it is
undecided, and says how many instances or runs would decide it with 80 % power. It is undecidable if
no number would, because the paper's own sample is too small, or if it compares programs or machines
that we do not have. With fewer than {FEWEST} runs, or random instances, of a variant nothing is
decided.

That one system is ahead of another is a claim of difference, whose p values (marked h) carry Holm's
correction over all such claims of a paper. It is not reproduced if the opposite is significant, or
if the lead is shown to be less than half of the published one. By how much it is ahead is another
claim, of agreement.
Facts about puzzles are counted.

Random instances are a sample of their kind, so each counts once, with the share of its runs that
are solved: more runs on it say nothing about the others (Birattari, 2004). On the papers' own
puzzles and instances each run counts.

Intervals are of the measurement, those of rates in percent, those of a difference of two in points.
PAR2 counts a failure as twice its limit in seconds. The mean of the solved runs is what the papers
print, and is biased: the more a system fails on hard instances, the faster it looks; a figure
marked † is such a mean. Times are CPU seconds on our machine.

Runs of the papers' systems are read after the papers' work: the steps that the papers' programs did
within the papers' limits, measured or calibrated, and uncertain by the factor that
`work.csv` of the paper gives. A run that took more counts as not solved. One that was
ended before that work, by the guard in CPU seconds or by a lower limit, leaves a claim undecided.
Claims of success are also decided at half of that work and at twice as much, as far as the runs
went on: one whose verdict changes depends on the work.

Times are compared in pairs of runs that were made side by side: means on an instance, or on the
papers' own puzzles single runs. A failure counts as the limit in seconds, a pair without a solved
run says nothing, and a difference that is less than repeats of the same run vary by (column
`spread_s` of the runs) is none.

What a paper leaves open can be read in several ways. The main reading is chosen beforehand, on
numbers of the paper that are no claims then; the others are variants that take the same sentence
otherwise. A claim is not reproduced only if it is so under all readings that were run. One that is
reproduced under another reading alone is partly reproduced. A rule that stands nowhere in the paper
is called a rule of ours.

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
    parts = ["# Claims and verdicts", others(table), markdown_frame(count(table))]
    for paper, rows in table.groupby("paper", sort=False):
        parts += [f"## {editions()[paper]}"]
        if len(of_paper := readings(rows)):
            parts += [markdown_frame(of_paper)]
        parts += [markdown_table(HEADER, [_cells(row) for row in rows.itertuples()])]
    return "\n\n".join(filter(None, [*parts, LEGEND, _tests_legend(table)])) + "\n"


def readings(table: pd.DataFrame) -> pd.DataFrame:
    """How many claims of a paper each of its readings reproduces, one row a reading.

    The main reading stands first, with the claims that have another one.
    """
    pattern = rf"(\w+): ({'|'.join(VERDICTS)}) \("
    found = table["readings"].str.extractall(pattern).rename(columns={0: "reading", 1: "verdict"})
    main = table.loc[table["readings"] != "", "verdict_main"].rename("verdict")
    both = pd.concat([main.to_frame().assign(reading=MAIN_READING), found], ignore_index=True)
    counts = pd.crosstab(both["reading"], both["verdict"])
    of_papers = [ledger.readings().get(name, []) for name in table["paper"].unique()]
    known = {reading.name: reading for of_paper in of_papers for reading in of_paper}
    names = [name for name in (MAIN_READING, *known) if name in counts.index]
    counts = counts.reindex(index=names, columns=list(VERDICTS), fill_value=0)
    texts = {name: each.text + " (a rule of ours)" * each.ours for name, each in known.items()}
    texts = [texts.get(name, "") for name in names]
    return counts.assign(**{"what is taken otherwise": texts})


def others(table: pd.DataFrame) -> str:
    """A sentence on the claims of the ledger that are not in the table, if there are any."""
    n = len(ledger.load()) - len(table)
    more = "more " if len(table) else ""
    return f"{n} {more}claims of the papers are about runs that are not among these." if n else ""


def _cells(row):
    return (
        claimed(row) + (f" {row.note}" if row.note else ""),
        decided(row) + (", depends on the work" if row.depends_on_work else ""),
        row.published + (" †" if row.biased else ""),
        row.ours,
        interval(row),
        f"{row.n} {row.unit}",
        row.test,
        p_value(row),
        "" if np.isnan(row.effect) else f"{row.measure} {row.effect:+.2f}",
        "" if np.isnan(row.par2_s) else f"{row.par2_s:.3g}",
        "" if np.isnan(row.mean_time_solved_s) else f"{row.mean_time_solved_s:.3g}",
        row.limits,
        row.readings,
        ", ".join(getattr(row, name) or "–" for name in OTHER_WORKS),
    )


def claimed(row: tuple) -> str:
    """What is claimed, and where."""
    return f"{row.claim} ({row.place})"


def decided(row: tuple) -> str:
    """The verdict and its reason."""
    return f"**{': '.join(filter(None, (row.verdict, row.reason)))}**"


def interval(row: tuple) -> str:
    """The interval of what was measured; of a difference of two rates in points."""
    if np.isnan(row.low):
        return ""
    points = " points" if KINDS[row.test].most == 2 else ""
    return f"{row.low:.3g} … {row.high:.3g}{points}"


def p_value(row: tuple) -> str:
    """The p value that decides: of a difference after correction, marked h, else of agreement."""
    if not np.isnan(row.p_holm):
        return f"{row.p_holm:.2g} h"
    return "" if np.isnan(row.p) else f"{row.p:.2g}"


def markdown_table(header: Iterable, rows: Iterable) -> str:
    """A table of Markdown: the header and the rows, each an iterable of cells."""
    cells = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in cells)


def markdown_frame(table: pd.DataFrame) -> str:
    """The same of a DataFrame, whose index is the first column."""
    rows = table.reset_index()
    return markdown_table(rows.columns, rows.to_numpy())


def _tests_legend(table):
    """When each of the tests that were used gives which verdict, from its docstring."""
    lines = []
    for name in table["test"].unique():
        paragraphs = inspect.getdoc(KINDS[name].run).split("\n\n")
        (rule,) = (text for text in paragraphs if text.startswith("reproduced:"))
        lines += [f"- `{name}`: {paragraphs[0]} " + " ".join(rule.split())]
    return "\n".join(lines)
