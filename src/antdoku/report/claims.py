"""The claims with their verdicts, as rows of the page, which filters them."""

import pandas as pd

from antdoku import papers
from antdoku.claims import VERDICTS, page

# Headings of the columns after the published value and ours, by the names of their texts.
NUMBERS = {"difference": "Difference", "interval": "95 % interval", "n": "n", "p": "p"}
NUMBERS |= {"effect": "Effect"}


def build(verdicts: pd.DataFrame) -> dict:
    """Return the claims by paper, from a table of verdicts (`claims.verdicts.COLUMNS`)."""
    if "verdict_random" not in verdicts:  # only verdicts of record have a second verdict
        verdicts = verdicts.assign(verdict_random="")
    of_papers = [_paper(*group) for group in verdicts.groupby("paper", sort=False)]
    rows = [row for paper in of_papers for row in paper["rows"]]
    return {
        "numbers": {name: head for name, head in NUMBERS.items() if any(row[name] for row in rows)},
        "others": page.others(verdicts),
        "rules": page.rules(verdicts),
        "verdicts": [name for name in VERDICTS if (verdicts["verdict"] == name).any()],
        "papers": of_papers,
    }


def _paper(paper, verdicts):
    counts = verdicts["verdict"].value_counts()
    return {
        "title": papers.editions().get(paper, paper),
        "counts": ", ".join(f"{counts[name]} {name}" for name in VERDICTS if name in counts),
        "readings": page.readings(paper),
        "rows": [_row(row) for row in verdicts.itertuples()],
    }


def _row(row):
    is_other = row.verdict_random not in ("", row.verdict)
    on_random = f"on random instances of ours: {row.verdict_random}" if is_other else ""
    return row._asdict() | page.texts(row) | {"on_random": on_random}
