"""What more work and other solvers gain on the hardest instances of Lloyd & Amos."""

import pandas as pd

from antdoku.claims.evidence import UNDECIDED
from antdoku.figures import style
from antdoku.papers.lloyd_amos.findings import PLACE, at_hardest
from antdoku.papers.lloyd_amos.tables import BVE_VARIANTS, PAPER_VARIANTS
from antdoku.report import texts
from antdoku.report.findings import ENOUGH, Finding, listed, sentence

TABLES = ("beyond_work", "success")
STILL = 0.02  # share of the instances: the most that work gains where it hardly helps

WORK = {
    "some": "More work hardly helps {still} any more, but it still helps {rising}",
    "all": "More work hardly helps any of the paper’s solvers any more",
    "none": "More work still helps all of the paper’s solvers",
    UNDECIDED: "Which solvers more work still helps is undecided with {n} instances",
}
WORK_REST = "at {place}, the last doubling{to} solves {gains} more of {n} instances"
TODAY = {
    "new": "{best} is the best choice today",
    "old": "{best} is still the best choice today",
    UNDECIDED: "The best choice today is undecided with {n} instances",
}
TODAY_REST = (
    "at {place}, {it} has the lowest PAR2, {par2}, and solves {solved} of {n}. {other}, the best "
    "of {others}, has a PAR2 of {other_par2} and solves {other_solved}. PAR2 is the mean time; a "
    "failure counts as twice its limit"
)


def build(claims: dict, tables: dict[str, pd.DataFrame]) -> list[Finding | None]:
    """Which solvers more work still helps, and which solver is the best choice today."""
    return [
        _more_work(at_hardest(tables.get("beyond_work"))),
        _today(at_hardest(tables.get("success"))),
    ]


def _more_work(curves):
    """Which solvers solve hardly more after the last doubling of work that their runs had."""
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
        "still": listed(still),
        "rising": listed(rising),
        "to": " of work" if differ else f", to {gains[0][-1]} the paper’s work,",
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
