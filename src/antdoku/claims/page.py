"""Verdicts in words and as parts of pages, and read back from their table."""

import re

import numpy as np
import pandas as pd

from antdoku import papers
from antdoku.claims import NOT_REPRODUCED, ledger
from antdoku.claims.kinds import KINDS
from antdoku.claims.verdicts import COLUMNS, NUMBERS
from antdoku.errors import InputError
from antdoku.times import duration

LEAST_P = 1e-4  # that is printed
# From where on an effect is small, medium and large, by its measure. J. Cohen, Statistical Power
# Analysis (1988); A. Vargha, H. Delaney, J. Educ. Behav. Stat. 25 (2000) 101-132, for 2A-1.
SIZES = dict.fromkeys(("h", "d"), (0.2, 0.5, 0.8)) | {"g": (0.05, 0.15, 0.25)}
SIZES |= dict.fromkeys(("2A-1", "rank-biserial"), (0.12, 0.28, 0.42)) | {"rho": (0.1, 0.3, 0.5)}
SIZE_NAMES = ("very small", "small", "medium", "large")


def read(path, columns=COLUMNS | NUMBERS) -> pd.DataFrame:
    """Read a table of verdicts (CSV), with the types of `columns`; any of them may be missing."""
    numbers = [name for name, kind in columns.items() if kind not in ("str", "bool")]
    missing = {name: [""] for name in numbers}  # an empty text is a text
    try:
        table = pd.read_csv(path, dtype=columns, keep_default_na=False, na_values=missing)
    except ValueError as error:
        raise InputError(f"{path}: no table of verdicts: {error}") from None
    if absent := {"id", "verdict", "ours"} - {*table}:
        raise InputError(f"{path}: no table of verdicts: no column {min(absent)}")
    return table


def bars(counts: pd.DataFrame) -> dict[str, str]:
    """Return a bar of the verdicts of each paper in HTML, which needs verdicts.css.

    Counts are as from `verdicts.count`; the paper with most claims has the longest bar.
    """
    counts, drawn = counts.iloc[:-1], {}
    for title, row in counts.iterrows():
        width = f"width:{100 * row['sum'] / counts['sum'].max():.0f}%"
        flex = row.drop("sum").items()
        bar = "".join(f'<i class="{slug(name)}" style="flex:{n}"></i>' for name, n in flex if n)
        drawn[title] = f'<span class="verdict-bar" aria-hidden="true" style="{width}">{bar}</span>'
    return drawn


def slug(verdict: str) -> str:
    """Return a verdict as the name of a class in HTML."""
    return verdict.replace(" ", "-")


def others(table: pd.DataFrame) -> str:
    """Return a sentence on claims of the ledger that are not in the table; empty without any."""
    n = len(ledger.load()) - len(table)
    claims = "more claims" if len(table) else "claims"
    return f"{n} {claims} of the papers need runs that this experiment does not have." if n else ""


def readings(paper: str) -> dict[str, str]:
    """Return the other readings of a paper: their texts by name."""
    origins = {"paper": "", "ours": " (a rule of ours)", "printed": " (chosen on printed numbers)"}
    readings = ledger.readings().get(paper, [])
    return {reading.name: reading.text + origins[reading.kind] for reading in readings}


def named(text: str) -> str:
    """Return a text with labels of variants in place of their names."""
    looks = papers.variants()
    return re.sub(r"\w+", lambda word: looks[word[0]].label if word[0] in looks else word[0], text)


def texts(row: tuple) -> dict[str, str]:
    """Return the texts that a reader sees of a row of verdicts, by what they are about.

    A p value is Holm's if the claim is a difference. A text is empty if the row has no such number.
    """
    is_holm = not np.isnan(row.p_holm)
    p = row.p_holm if is_holm else row.p
    return {
        "ours": named(row.ours),
        "readings": named(row.readings),
        "best": f"{row.best} ({row.best_reading})" if row.best_reading else "",
        "interval": "" if np.isnan(row.low) else interval(row),
        "n": "" if pd.isna(row.n) else f"{row.n} {row.unit}",
        "p": "" if np.isnan(p) else p_value(p) + " (Holm)" * is_holm,
        "difference": difference(row),
        "effect": effect(row.effect, row.measure),
        "cause": causes().get(row.id, "") if row.verdict == NOT_REPRODUCED else "",
    }


def p_value(p: float) -> str:
    """Return a p value with two digits, or ``< 0.0001``."""
    return f"{p:.2g}" if p >= LEAST_P else f"< {LEAST_P:g}"


def interval(row: tuple) -> str:
    """Return an interval with its unit; of a difference of rates it is points."""
    if row.measure == "log ratio":
        return f"{duration(row.low)} … {duration(row.high)}"
    unit = " %" if row.test == "rate" or row.measure == "h" else ""
    unit = " points" if KINDS[row.test].most == 2 else unit
    return f"{row.low:.3g} … {row.high:.3g}{unit}"


def difference(row: tuple) -> str:
    """Return how far a measured rate is from the printed one, in points; empty for other claims."""
    points = getattr(row, "measured", np.nan) - getattr(row, "printed", np.nan)
    return "" if row.measure != "h" or np.isnan(points) else f"{points:+.1f} points"


def effect(value: float, measure: str) -> str:
    """Return an effect in words: ``small``, or a factor; empty without a number."""
    if np.isnan(value):
        return ""
    if measure in SIZES:
        return SIZE_NAMES[int(np.searchsorted(SIZES[measure], abs(value), side="right"))]
    return f"a factor of {np.exp(value):.2f}"


def causes() -> dict[str, str]:
    """Return the likely causes of the ledger by claim; empty for a claim without one."""
    return {claim.id: claim.cause for claim in ledger.load()}


def rules(table: pd.DataFrame) -> dict[str, str]:
    """Return the rule of each test in a table of verdicts: which result gives which verdict."""
    return {name.replace("_", " "): KINDS[name].rule for name in table["test"].unique()}
