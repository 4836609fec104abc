"""Verdicts as parts of pages (Markdown, HTML), and read back from their table."""

import inspect
import re

import numpy as np
import pandas as pd

from antdoku import papers
from antdoku.claims import VERDICTS, ledger
from antdoku.claims.kinds import KINDS
from antdoku.claims.verdicts import COLUMNS, OTHER_WORKS, count
from antdoku.errors import InputError

LEAST_P = 1e-6  # that is printed
AUTHORS = "the authors' instances"  # on which a claim was decided


def read(path, columns=COLUMNS) -> pd.DataFrame:
    """Read a table of verdicts (CSV): by default columns `verdicts.COLUMNS`, with their types."""
    numbers = [name for name, kind in columns.items() if kind not in ("str", "bool")]
    missing = {name: [""] for name in numbers}  # an empty text is a text
    try:
        table = pd.read_csv(path, dtype=columns, keep_default_na=False, na_values=missing)
    except ValueError as error:
        raise InputError(f"{path}: no table of verdicts: {error}") from None
    if absent := {"id", "verdict", "ours"} - {*table}:
        raise InputError(f"{path}: no table of verdicts: no column {min(absent)}")
    return table


def counts_table(table: pd.DataFrame, pages: str) -> str:
    """Return how many claims of each paper, with its page in `pages`, have which verdict."""
    counts = count(table)
    drawn = bars(counts)
    first = [
        f"[{title}]({pages}/{paper}.md){drawn[title]}"
        for paper, title in zip(table["paper"].unique(), drawn, strict=True)
    ]
    counts = counts.rename(columns={name: badge(name) for name in VERDICTS})
    return markdown_table(counts.set_axis([*first, "Total"]).rename_axis("paper").reset_index())


def bars(counts: pd.DataFrame) -> dict[str, str]:
    """Return the verdicts of each paper as a bar, in HTML, which is nothing without styles.

    Counts are as from `verdicts.count`; the paper with most claims has the longest bar.
    """
    counts, found = counts.iloc[:-1], {}
    for title, row in counts.iterrows():
        width = f"width:{100 * row['sum'] / counts['sum'].max():.0f}%"
        flex = row.drop("sum").items()
        bar = "".join(f'<i class="{slug(name)}" style="flex:{n}"></i>' for name, n in flex if n)
        found[title] = f'<span class="verdict-bar" aria-hidden="true" style="{width}">{bar}</span>'
    return found


def badge(verdict: str) -> str:
    """Return a verdict in its colour, in HTML."""
    return f'<span class="verdict {slug(verdict)}">{verdict}</span>'


def slug(verdict: str) -> str:
    """Return a verdict as the name of a class in HTML."""
    return verdict.replace(" ", "-")


def claims_table(rows: pd.DataFrame) -> str:
    """Return claims with their verdicts of record as a table."""
    return markdown_table(pd.DataFrame(map(_cells, rows.itertuples())))


def others(table: pd.DataFrame) -> str:
    """Return a sentence on the claims of the ledger that are not in the table, if there are any."""
    n = len(ledger.load()) - len(table)
    more = "more " if len(table) else ""
    return f"{n} {more}claims of the papers are about runs that are not among these." if n else ""


def readings(paper: str) -> dict[str, str]:
    """Return what the other readings of a paper take otherwise, by name."""
    found = ledger.readings().get(paper, [])
    return {each.name: each.text + " (a rule of ours)" * each.ours for each in found}


def named(text: str) -> str:
    """Return what was measured under the labels of variants, in place of their names."""
    looks = papers.variants()
    return re.sub(r"\w+", lambda word: looks[word[0]].label if word[0] in looks else word[0], text)


def _cells(row):
    lines = [f"{name}: {value}" for name, value in _details(row).items() if value]
    summary = f"<summary>{row.claim} ({row.place})</summary>"
    reason = row.reason and f"{row.reason[0].upper()}{row.reason[1:]}."
    return {
        "verdict": badge(row.verdict),
        "claim": f"<details>{summary}{'<br>'.join(lines)}</details>{reason}",
        "published": row.published + " †" * row.biased,
        "ours": named(row.measured),
    }


def _details(row):
    works = [getattr(row, name) or "not known" for name in OTHER_WORKS]
    is_other = row.decided_on == AUTHORS and row.verdict_ours
    return {
        "Note": row.note,
        "95 % interval": interval(row),
        "Of": "" if pd.isna(row.n) else f"{row.n} {row.unit}",
        "Test": f"`{row.test}`",
        "p": p_value(row),
        "Effect": effect(row),
        "Limit in the paper": row.limit,
        "Under other readings": named(row.readings),
        "At half, at twice the work": ", ".join(works) if row.depends_on_work else "",
        "Decided on": row.decided_on,
        "On our instances": f"{row.verdict_ours} ({named(row.ours)})" if is_other else "",
    }


def interval(row: tuple) -> str:
    """Return the interval of what was measured; of a difference of two rates in points."""
    if np.isnan(row.low):
        return ""
    points = " points" if KINDS[row.test].most == 2 else ""
    return f"{row.low:.3g} … {row.high:.3g}{points}"


def p_value(row: tuple) -> str:
    """Return the p value that decides: of a difference after correction, with the mark h."""
    is_holm = not np.isnan(row.p_holm)
    p = row.p_holm if is_holm else row.p
    text = "" if np.isnan(p) else f"{p:.2g}" if p >= LEAST_P else f"< {LEAST_P:g}"
    return text + " h" * is_holm


def effect(row: tuple) -> str:
    """Return the size of an effect, after the letter of its measure."""
    return "" if np.isnan(row.effect) else f"{row.measure} {row.effect:+.2f}"


def markdown_table(table: pd.DataFrame) -> str:
    """Return a table as Markdown, without its index."""
    rows = [table.columns, ["---"] * table.shape[1], *table.to_numpy()]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in rows)


def rules(table: pd.DataFrame) -> dict[str, str]:
    """Return when each of the tests that were used gives which verdict, from its docstring."""
    found = {}
    for name in table["test"].unique():
        paragraphs = inspect.getdoc(KINDS[name].run).split("\n\n")
        (rule,) = (text for text in paragraphs if text.startswith("reproduced:"))
        found[name] = f"{paragraphs[0]} {' '.join(rule.split())}"
    return found
