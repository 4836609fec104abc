"""The findings: what verdicts and tables come to, one sentence each, most important first.

All sentences stand here, and all their numbers are computed. A finding whose runs are missing is
left out; one that is undecided says so, and with how many runs.
"""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from antdoku.claims.evidence import NOT_REPRODUCED, PARTLY, REPRODUCED, UNDECIDED
from antdoku.figures import style
from antdoku.report import texts
from antdoku.tables.lloyd_amos import BVE_VARIANTS, EXPERIMENT, PAPER_VARIANTS
from antdoku.tables.summary import POINT

# Of findings.
TABLES = ("lloyd_amos_fig7", "beyond_work", "success", "beyond_generators", "frontier_growth")
ROOT = "shuffle root"  # source of grids
HARDEST = (5, 0.45)  # order and fixed fraction: where Lloyd & Amos find it so
PLACE = "25 × 25, 45 % fixed"
ENOUGH = 50  # instances, where no claim says how many it takes
STILL = 0.02  # share of them: who gains no more by the last doubling of work has stopped rising

# What a finding begins with, by verdict, and how it goes on after a colon.
MOST = {
    REPRODUCED: "At the paper’s work {most} of the hardest instances ({place}), and the paper’s "
    "ranking is reproduced",
    PARTLY: "At the paper’s work {most} of the hardest instances ({place}), and the paper’s "
    "ranking is reproduced in part",
    NOT_REPRODUCED: "At the paper’s work {most} of the hardest instances ({place}), but the "
    "paper’s ranking is not reproduced",
    UNDECIDED: "Who solves most of the hardest instances ({place}) is undecided with {n} {unit}",
}
MOST_REST = "{rates} (published: {published_rates} %)"
BVE = {
    REPRODUCED: "Best-value evaporation helps",
    PARTLY: "Best-value evaporation helps, but in one reading of the paper alone",
    NOT_REPRODUCED: "Best-value evaporation does not help as published",
    UNDECIDED: "Whether best-value evaporation helps is undecided with {n} {unit}",
}
BVE_REST = "at {place} ACS solves {ours} without it (published: {published})"
HYBRID = {
    REPRODUCED: "Propagation before annealing helps",
    PARTLY: "Propagation before annealing helps, but in one reading of the paper alone",
    NOT_REPRODUCED: "Propagation before annealing does not help as published",
    UNDECIDED: "Whether propagation before annealing helps is undecided with {n} {unit}",
}
HYBRID_REST = "over all orders and fixed fractions CP+SA solves {ours} by SA alone"
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
GRIDS = (
    "Grids shuffled from the root solution are not typical: they have {root} unavoidable sets of "
    "four cells ({sizes}), where others have {typical} in the mean."
)
LARGE = "At its hardest point of each size {label} solves {solved}{growth}."
GROWTH = (
    "; the median of its steps there grows with the number of cells to the power of {exponent} "
    "(95 % interval: {low} to {high})"
)


class Finding(NamedTuple):
    """What was found.

    Parameters
    ----------
    text : str
        One sentence.
    shown : str
        Name of the figure that shows it.
    claim, verdict : str
        The claim of the ledger that it is about; empty if it is about none.
    """

    text: str
    shown: str
    claim: str = ""
    verdict: str = ""


def build(verdicts: pd.DataFrame, tables: dict[str, pd.DataFrame]) -> list[Finding]:
    """The findings that verdicts and tables allow.

    Parameters
    ----------
    verdicts : DataFrame
        Columns `claims.verdicts.COLUMNS`; may be empty.
    tables : dict
        Those of `TABLES` that there are, by name.
    """
    claims = {row.id: row for row in verdicts.itertuples()}
    here = {name: _at_hardest(table) for name, table in tables.items()}
    found = [
        _most(claims.get("arxiv_ranking_p45"), here.get("lloyd_amos_fig7")),
        _claimed(claims.get("arxiv_bve_p45"), "lloyd_amos_fig9", BVE, BVE_REST),
        _claimed(claims.get("lewis_hybrid_beats_sa"), "lewis_fig3", HYBRID, HYBRID_REST),
        _more_work(here.get("beyond_work")),
        _today(here.get("success")),
        _grids(tables.get("beyond_generators")),
        _large(tables.get("frontier_growth")),
    ]
    return [finding for finding in found if finding is not None]


def lines(found: list[Finding], scale: Sequence[str] = ()) -> list[str]:
    """The findings as plain text, one line each, after what is to be known of their scale."""
    return [*scale, *(finding.text for finding in found)]


def _at_hardest(table):
    """Rows of a table of random instances at the hardest point, of the paper that names it."""
    chosen = table[(table[POINT] == list(HARDEST)).all(axis=1)]
    return chosen[chosen["experiment"] == EXPERIMENT] if "experiment" in table else chosen


def _sentence(lead, rest, **values):
    return f"{lead}: {rest}.".format(place=PLACE, **values)


def _claimed(claim, shown, leads, rest, **values):
    """A finding that the verdict on a claim words; None without the runs that it is about."""
    if claim is None or not claim.n:
        return None
    values |= {name: getattr(claim, name) for name in ("n", "unit", "ours", "published")}
    text = _sentence(leads.get(claim.verdict, leads[UNDECIDED]), rest, **values)
    return Finding(text, shown, claim.id, claim.verdict)


def _most(claim, table):
    """Which of the paper's solvers solves most."""
    if table is None or table.empty:
        return None
    table = table.sort_values("success_rate", ascending=False, kind="stable")
    first = table.loc[table["success_rate"] == table["success_rate"].max(), "label"].tolist()
    rates = [f"{row.label} {_percent(row.success_rate)} %" for row in table.itertuples()]
    values = {
        "most": f"{_listed(first)} {'solves' if len(first) == 1 else 'solve'} most",
        "rates": ", ".join(rates),
        "published_rates": ", ".join(map(_percent, table["arxiv_success_rate"])),
    }
    return _claimed(claim, "lloyd_amos_fig7", MOST, MOST_REST, **values)


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
    return Finding(_sentence(lead, WORK_REST, n=n, **values), "beyond_work")


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
    return Finding(_sentence(lead, TODAY_REST, **values), "beyond_phase_transition")


def _grids(table):
    """The unavoidable sets of the root solution, beside those of the first source that has some."""
    if table is None:
        return None
    known = table.dropna(subset="unavoidable_sets")
    means = known.pivot_table(index="order", columns="source", values="unavoidable_sets").dropna()
    source = next((source for source in style.SOURCES if source in means and source != ROOT), None)
    if ROOT not in means or source is None or means.empty:
        return None
    root, typical = (_listed([f"{mean:.0f}" for mean in means[name]]) for name in (ROOT, source))
    sizes = _listed([style.ORDERS[order].label for order in means.index])
    text = GRIDS.format(root=root, typical=typical, sizes=sizes)
    return Finding(text, "beyond_generators")


def _large(growth):
    """What the solver that the frontier is about, the first one, solves at its peaks."""
    if growth is None or growth.empty:
        return None
    rows = growth[growth["variant"] == growth["variant"].iloc[0]]
    solved = [f"{row.solved} of {row.n} ({_place(row)})" for row in rows.itertuples()]
    first, law = rows.iloc[0], ""
    if not pd.isna(first["exponent_low"]):
        names = {"exponent": "exponent", "low": "exponent_low", "high": "exponent_high"}
        law = GROWTH.format(**{name: f"{first[column]:.1f}" for name, column in names.items()})
    label = style.variant(first["variant"]).label
    text = LARGE.format(label=label, solved=_listed(solved), growth=law)
    return Finding(text, "frontier_growth")


def _place(row):
    """A peak of the table; its fraction is missing where nothing is solved at several points."""
    size = style.ORDERS[row.order].label
    if pd.isna(row.fixed_fraction):
        return f"{size}, at several points"
    return f"{size}, {_percent(row.fixed_fraction)} % fixed"


def _having(labels):
    return f"{_listed(labels)} {'has' if len(labels) == 1 else 'have'}"


def _listed(labels):
    """``A, B and C``."""
    return " and ".join(filter(None, (", ".join(labels[:-1]), *labels[-1:])))


def _percent(rate):
    return texts.number(100 * rate)
