"""The claims with their verdicts, as rows that the page sorts and filters."""

import pandas as pd

from antdoku.claims import page
from antdoku.claims.evidence import VERDICTS
from antdoku.claims.verdicts import OTHER_WORKS
from antdoku.report import texts

COLUMNS = ("Claim", "Verdict", "Published", "Ours", "95 % interval", "n", "p value", "Effect")


def build(verdicts: pd.DataFrame) -> dict:
    """Rows of the table, with what each column is sorted by (keys), and what filters them."""
    return {
        "columns": COLUMNS,
        "papers": {name: texts.paper(name) for name in verdicts["paper"].unique()},
        "counts": {name: _counts(group) for name, group in verdicts.groupby("paper")},
        "others": page.others(verdicts),
        "verdicts": [name for name in VERDICTS if (verdicts["verdict"] == name).any()],
        "rows": [_row(place, row) for place, row in enumerate(verdicts.itertuples())],
    }


def _counts(verdicts):
    found = verdicts["verdict"].value_counts()
    return ", ".join(f"{found[name]} {name}" for name in VERDICTS if name in found)


def _row(place, row):
    effect = f"{row.measure} {texts.number(row.effect)}"
    numbers = row.low, row.n, row.p if pd.isna(row.p_holm) else row.p_holm, row.effect
    return row._asdict() | {
        "interval": page.interval(row),
        "n": "" if pd.isna(row.n) else f"{row.n} {row.unit}",
        "p": page.p_value(row),
        "effect": "" if pd.isna(row.effect) else effect,
        "other_works": _other_works(row),
        # Texts in the order of the ledger would say little; an empty key comes last.
        "keys": [
            place,
            VERDICTS.index(row.verdict),
            row.published,
            row.ours,
            *("" if pd.isna(value) else texts.clean(value) for value in numbers),
        ],
    }


def _other_works(row):
    """The verdicts at other works, of a claim that depends on the work."""
    if not row.depends_on_work:
        return ""
    names = dict(zip(OTHER_WORKS, ("at half", "at twice"), strict=True))
    found = {text: getattr(row, name) for name, text in names.items()}
    return ", ".join(f"{verdict} {text}" for text, verdict in found.items() if verdict)
