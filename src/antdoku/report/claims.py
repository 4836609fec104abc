"""The claims with their verdicts, as rows of the page, which filters them."""

import pandas as pd

from antdoku import papers
from antdoku.claims import VERDICTS, page
from antdoku.claims.verdicts import OTHER_WORKS

WORKS = dict(zip(OTHER_WORKS, ("at half", "at twice"), strict=True))
HEADINGS = ("Claim", "Verdict", "Published", "Ours", "95 % interval", "n", "p", "Effect")


def build(verdicts: pd.DataFrame) -> dict:
    """Return the claims by paper, from a table of verdicts (`claims.verdicts.COLUMNS`)."""
    return {
        "headings": HEADINGS,
        "others": page.others(verdicts),
        "rules": page.rules(verdicts),
        "verdicts": [name for name in VERDICTS if (verdicts["verdict"] == name).any()],
        "papers": [_paper(*each) for each in verdicts.groupby("paper", sort=False)],
    }


def _paper(paper, verdicts):
    found = verdicts["verdict"].value_counts()
    return {
        "title": papers.editions().get(paper, paper),
        "counts": ", ".join(f"{found[name]} {name}" for name in VERDICTS if name in found),
        "readings": page.readings(paper),
        "rows": [_row(row) for row in verdicts.itertuples()],
    }


def _row(row):
    is_other = getattr(row, "verdict_ours", "") not in ("", row.verdict)
    others = {name: getattr(row, name) for name in OTHER_WORKS if row.depends_on_work}
    return row._asdict() | {
        "ours": page.named(getattr(row, "measured", row.ours)),
        "readings": page.named(row.readings),
        "on_ours": f"on our instances: {row.verdict_ours}" if is_other else "",
        "interval": page.interval(row),
        "n": "" if pd.isna(row.n) else f"{row.n} {row.unit}",
        "p": page.p_value(row).replace(" h", " Holm"),
        "effect": page.effect(row),
        # Empty, too, where runs ended before.
        "other_works": ", ".join(f"{text} {WORKS[name]}" for name, text in others.items() if text),
    }
