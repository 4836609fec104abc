"""Findings: what verdicts and tables show, in the order of the papers.

All numbers are computed. A finding whose runs are missing is left out; one that is undecided says
so, and with how many runs. Those of a paper stand in its folder: ``findings.py`` has `TABLES`, the
names of the tables that they are made of, and ``build(claims, tables)``. Here is what they share.
"""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from antdoku import papers
from antdoku.claims.evidence import NOT_REPRODUCED, UNDECIDED
from antdoku.report import texts

COHENS_H = "h"  # measure of an effect on a rate
ENOUGH = 50  # instances, where no claim says how many it takes


class Finding(NamedTuple):
    """What was found, in a few short sentences."""

    text: str
    shown: str  # name of the figure that shows it
    claim: str = ""  # of the ledger, if it is about one, and its verdict
    verdict: str = ""


def tables() -> set[str]:
    """Names of the tables that findings are made of."""
    return {name for module in papers.modules("findings").values() for name in module.TABLES}


def build(verdicts: pd.DataFrame, tables: dict[str, pd.DataFrame]) -> list[Finding]:
    """The findings that verdicts and tables (by name) allow, in the order of the papers."""
    claims = {row.id: row for row in verdicts.itertuples()}
    own = papers.modules("findings").values()
    return [each for module in own for each in module.build(claims, tables) if each is not None]


def failures(verdicts: pd.DataFrame) -> list[Finding]:
    """How many claims are not reproduced, and which rate is furthest off; none if no rate is."""
    claims = verdicts[verdicts["verdict"] == NOT_REPRODUCED]
    rates = claims[claims["measure"] == COHENS_H].dropna(subset="effect")
    if rates.empty:
        return []
    worst = rates.loc[rates["effect"].abs().idxmax()]
    number = "One claim is" if len(claims) == 1 else f"{len(claims)} claims are"
    text = (
        f"{number} not reproduced. The rate furthest off is of {texts.paper(worst.paper)}: "
        f"{worst.claim.rstrip('.')}. Published: {worst.published}; ours: {worst.ours}."
    )
    return [Finding(text, "", worst.id, worst.verdict)]


# --- sentences -----------------------------------------------------------------------------------


def sentence(lead: str, rest: str, **values) -> str:
    """A verdict in words, and after a colon the numbers; both may name `values`."""
    return f"{lead}: {rest}.".format(**values)


def claimed(claim, shown: str, leads: dict[str, str], rest: str, **values) -> Finding | None:
    """A finding that begins with the lead of its verdict; None without the runs it is about."""
    if claim is None or not claim.n:
        return None
    values |= {name: getattr(claim, name) for name in ("n", "unit", "ours", "published")}
    text = sentence(leads.get(claim.verdict, leads[UNDECIDED]), rest, **values)
    return Finding(text, shown, claim.id, claim.verdict)


def listed(labels: Sequence[str]) -> str:
    """``A, B and C``."""
    return " and ".join(filter(None, (", ".join(labels[:-1]), *labels[-1:])))


def percent(rate: float) -> str:
    """A rate in percent, without the sign."""
    return texts.number(100 * rate)
