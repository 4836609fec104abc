"""The evidence that the test of a claim returns, and the kinds of claims by name.

A test asks two questions: is the claim shown, and is its opposite shown? Each has a p value.
`antdoku.claims.verdicts` corrects the p values of differences and chooses the verdict.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Annotated, NamedTuple

import attrs
import numpy as np
from pydantic import AfterValidator, Field

from antdoku import statistics
from antdoku.registry import Registry
from antdoku.statistics import MARGIN, DifferenceTest, Rate


def _falling(percents):
    """Return two percents; that they rise is a mistake, for a validator of Pydantic."""
    if percents[0] < percents[1]:
        raise ValueError("must not rise: the variant that solves more comes first")
    return percents


# Types of what a claim expects.
Percent = Annotated[float, Field(ge=0, le=100)]
Pair = Annotated[list[float], Field(min_length=2, max_length=2)]
Percents = Annotated[list[Percent], Field(min_length=2, max_length=2), AfterValidator(_falling)]
Count = Annotated[int, Field(ge=1)]
Positive = Annotated[float, Field(gt=0)]
Factor = Annotated[float, Field(ge=1)]  # within which something is known


class Part(NamedTuple):
    """One place that a claim is about, with the p values of the test there."""

    name: str  # of the place, as readers know it
    ours: str
    published: str
    p_for: float
    p_against: float


@attrs.frozen
class Evidence:
    """The outcome of a test."""

    ours: str  # the measurement, in words
    n: int  # sample size
    unit: str  # of the sample size
    p_for: float = np.nan  # of the test that shows the claim; NaN if nothing could be tested
    p_against: float = np.nan  # of the test that shows its opposite
    p_partly: float = 1.0  # of the test that shows a part of it
    is_fact: bool = False  # whether it was counted, without a test: the p values are 0 or 1
    is_difference: bool = False  # whether Holm's correction applies
    low: float = np.nan  # 95 % confidence interval, in the unit of the printed figure
    high: float = np.nan
    effect: float = np.nan
    measure: str = ""  # of the effect
    # The number that is tested for agreement, in the unit of the printed one: of several places the
    # number farthest from the printed one.
    printed: float = np.nan
    measured: float = np.nan
    within: float = np.nan  # the smallest margin (Cohen's h) within which rates agree
    differs: bool = False  # whether rates differ significantly, even within the margin
    parts: tuple[Part, ...] = ()
    why: str = ""  # why nothing could be tested
    besides: str = ""  # a caveat of a claim that is shown


def nothing(unit: str, ours: str = "no runs", n: int = 0, why: str = "") -> Evidence:
    """Return the evidence of a test without enough runs."""
    return Evidence(f"{unit}: {n}" if n else ours, n, unit, why=why)


def untested(evidence: Evidence) -> Evidence:
    """Return the measurement without its p values, for runs on which no verdict may rest."""
    names = "p_for", "p_against", "p_partly", "within"
    return attrs.evolve(evidence, **dict.fromkeys(names, np.nan))


def fact(ours: str, n: int, unit: str, holds: bool) -> Evidence:
    """Return the evidence of a counted fact."""
    return Evidence(ours, n, unit, float(not holds), float(holds), is_fact=True)


def difference(ours: str, n: int, unit: str, test: DifferenceTest, **details) -> Evidence:
    """Return the evidence of a test of a difference. The claim says that its effect is positive.

    `details` are more attributes of the evidence, or others than the test has.
    """
    evidence = {"p_for": test.p_ahead, "p_against": test.p_behind, "is_difference": True}
    evidence |= {"effect": test.effect, "measure": test.measure}
    return Evidence(ours, n, unit, **evidence | details)


def agreement(*pairs: tuple[list[Rate], list[Rate]]) -> dict:
    """Test whether our rates, or differences of two rates, agree with the printed ones.

    Parameters
    ----------
    *pairs : tuple of two lists of Rate
        Ours and the printed ones: one rate each, or two rates whose differences are compared.

    Returns
    -------
    dict
        Attributes of `Evidence`. The claim is shown if each pair agrees within `MARGIN`
        (intersection-union test), the opposite if one pair lies beyond it (Bonferroni's
        correction). The effect is the largest one.
    """
    effects = [float(statistics.cohens_h(*pair)) for pair in pairs]
    limits = [statistics.h_interval(*pair, statistics.ALPHA / len(pairs) / 2) for pair in pairs]
    p_values = [_p_of_agreement(*map(tuple, pair)) for pair in pairs]
    against = min(p_against for _, p_against in p_values)
    return {
        "p_for": max(p_for for p_for, _ in p_values),
        "p_against": min(1.0, against * len(pairs)),
        "within": max(statistics.smallest_margin(*pair) for pair in pairs),
        "differs": any(low > 0 or high < 0 for low, high in limits),
        "effect": max(effects, key=abs),
        "measure": "h",
    }


@lru_cache(10_000)  # a place is tested alone, too, and over the range of work
def _p_of_agreement(rates, printed):
    """Return the p values that rates agree within `MARGIN`, and that they lie beyond it."""
    pair = rates, printed
    return statistics.equivalence(*pair, MARGIN), statistics.beyond(*pair, MARGIN)


def combined(evidences: Iterable[Evidence]) -> Evidence:
    """Combine the evidence at several amounts of work, one of which is the true one.

    The claim, or its opposite, is shown if it is shown at each amount: the largest p values count,
    and the widest interval. Numbers differ if they differ at each amount in one direction. The
    measurement is the first one.
    """
    rows = list(evidences)
    directions = {np.sign(row.effect) for row in rows}
    return attrs.evolve(
        rows[0],
        p_for=float(np.max([row.p_for for row in rows])),
        p_against=float(np.max([row.p_against for row in rows])),
        p_partly=float(np.max([row.p_partly for row in rows])),
        within=float(np.max([row.within for row in rows])),
        low=float(np.min([row.low for row in rows])),
        high=float(np.max([row.high for row in rows])),
        differs=len(directions) == 1 and all(row.differs for row in rows),
    )


class Kind(NamedTuple):
    """A kind of claims."""

    run: Callable[..., Evidence]  # its test: takes a sample, and what the claim expects
    rule: str  # which result gives which verdict, for readers
    least: int  # number of variants
    most: int
    one_of: tuple[str, ...] = ()  # arguments of which a claim has exactly one
    apart: tuple[tuple[str, str], ...] = ()  # arguments that do not go together
    of_instances: bool = False  # whether it is about instances, however runs on them end
    has_speed: bool = False  # whether its margin is the range of a program's speed


def _kind(_, run, least, most=None, *, rule, **properties):
    return Kind(run, " ".join(rule.split()), least, most or least, **properties)


# By name. As a decorator: enters a test, with the least and the most variants that it takes (the
# same by default), and its rule.
KINDS = Registry("test", _kind)
