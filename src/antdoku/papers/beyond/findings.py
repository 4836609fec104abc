"""What more work and other solvers gain on the hardest instances of Lloyd & Amos."""

import pandas as pd

from antdoku.claims.evidence import UNDECIDED
from antdoku.figures import style
from antdoku.papers.lloyd_amos.findings import PLACE, at_hardest
from antdoku.papers.lloyd_amos.tables import BVE_VARIANTS, PAPER_VARIANTS
from antdoku.report import texts
from antdoku.report.findings import ENOUGH, Finding, listed, sentence

TABLES = ("beyond_work", "success")
STILL = 0.02  # share of them: who gains no more by the last doubling of work has stopped rising

WORK = {
    "some": "{still} stopped rising with more work, {rising} not",
    "all": "None of the paper’s solvers still rises with more work",
    "none": "All of the paper’s solvers still rise with more work",
    UNDECIDED: "Who stops rising with more work is undecided with {n} instances",
}
WORK_REST = "at {place} the last doubling{to} solves {gains} more of {n}"
TODAY = {
    "new": "Today one would pick {best}",
    "old": "Today one would still pick {best}",
    UNDECIDED: "What one would pick today is undecided with {n} instances",
}
TODAY_REST = (
    "at {place} {it} has the lowest PAR2, {par2} with {solved} of {n} solved, and {other}, the "
    "best of {others}, has {other_par2} with {other_solved}"
)


def build(claims: dict, tables: dict[str, pd.DataFrame]) -> list[Finding | None]:
    """Who still rises with more work, and what one would pick today."""
    return [
        _more_work(at_hardest(tables.get("beyond_work"))),
        _today(at_hardest(tables.get("success"))),
    ]


def _more_work(curves):
    """Who solves no more after more work, by the last doubling that a variant's runs had."""
    if curves is None or curves.empty:
        return None
    gains = [_gain(curve) for _, curve in curves.groupby("variant", sort=False)]
    n = int(curves["n"].max())
    still, rising = [], []
    for label, gain, _ in gains:
        (still if gain <= STILL * n else rising).append(label)
    differ = len({work for *_, work in gains}) > 1
    kind = "some" if still and rising else "all" if still else "none"
    lead = WORK[kind if n >= ENOUGH else UNDECIDED]
    values = {
        "still": _having(still),
        "rising": _having(rising),
        "to": "" if differ else f", to {gains[0][-1]} the paper’s work,",
        "gains": ", ".join(
            f"{gain} ({label}{f', to {work}' * differ})" for label, gain, work in gains
        ),
    }
    return Finding(sentence(lead, WORK_REST, place=PLACE, n=n, **values), "beyond_work")


def _gain(curve):
    """Label of a variant, instances that it solves by its last doubling of work, and that work."""
    end, last = curve["work"].max(), curve["solved"].max()
    before = curve.loc[curve["work"] <= end / 2, "solved"].max()
    label = style.variant(curve["variant"].iloc[0]).label
    return label, int(last - (0 if pd.isna(before) else before)), f"{texts.number(end)} ×"


def _today(table):
    """The variant with the lowest PAR2, beside the best of the paper's; or the other way round."""
    if table is None or table["par2_s"].isna().all():
        return None
    table = table.sort_values("par2_s", kind="stable")
    is_papers = table["variant"].isin([*PAPER_VARIANTS, *BVE_VARIANTS])
    best, is_old = table.iloc[0], is_papers.iloc[0]
    others = table[is_papers != is_old]
    if others.empty:
        return None
    other = others.iloc[0]
    label = style.variant(best["variant"]).label
    lead = TODAY[UNDECIDED if best["n"] < ENOUGH else "old" if is_old else "new"]
    values = {
        **{"best": label, "it": "it" if best["n"] >= ENOUGH else label, "n": best["n"]},
        **{"par2": texts.seconds(best["par2_s"]), "solved": best["solved"]},
        "others": "the others" if is_old else "the paper’s systems",
        "other": style.variant(other["variant"]).label,
        **{"other_par2": texts.seconds(other["par2_s"]), "other_solved": other["solved"]},
    }
    return Finding(sentence(lead, TODAY_REST, place=PLACE, **values), "beyond_phase_transition")


def _having(labels):
    return f"{listed(labels)} {'has' if len(labels) == 1 else 'have'}"
