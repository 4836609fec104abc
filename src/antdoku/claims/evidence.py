"""The evidence that the test of a claim gives, and the kinds of claims by name.

A test asks two questions: is the claim shown, and is its opposite shown? Each has a p value, and
`antdoku.claims.verdicts` chooses the verdict, after Holm's correction where it is due.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import attrs
import numpy as np

from antdoku import statistics
from antdoku.statistics import MARGIN, Rate, Result

SEVERAL = 99  # variants, in the number that a kind takes


class Part(NamedTuple):
    """One of the places that a claim is about, with the answers of the test there."""

    name: str  # the place, as readers know it
    ours: str
    published: str
    p_for: float
    p_against: float


@attrs.frozen
class Evidence:
    """The result of a test."""

    ours: str  # the measurement, in words
    n: int  # of what was measured
    unit: str
    p_for: float = np.nan  # of the test that shows the claim; NaN: nothing could be tested
    p_against: float = np.nan  # of the test that shows its opposite
    p_partly: float = 1.0  # of the test that shows a part of it
    is_fact: bool = False  # counted, without a test: p_for and p_against are 0 or 1
    is_difference: bool = False  # whether Holm's correction applies
    low: float = np.nan  # 95 % confidence interval, in the unit of the printed figure
    high: float = np.nan
    effect: float = np.nan
    measure: str = ""  # of the effect
    within: float = np.nan  # of rates: the smallest margin (h) within which they agree
    differs: bool = False  # whether rates differ significantly, even within the margin
    parts: tuple[Part, ...] = ()
    why: str = ""  # why nothing could be tested
    besides: str = ""  # what takes from the weight of a claim that is shown


def nothing(unit: str, ours: str = "no runs", n: int = 0, why: str = "") -> Evidence:
    """Return the evidence of a test that has too little to test."""
    return Evidence(f"{unit}: {n}" if n else ours, n, unit, why=why)


def untested(evidence: Evidence) -> Evidence:
    """Return the measurement of a test without what it shows, where no verdict may rest on it."""
    names = "p_for", "p_against", "p_partly", "within"
    return attrs.evolve(evidence, **dict.fromkeys(names, np.nan))


def fact(ours: str, n: int, unit: str, holds: bool) -> Evidence:
    """Return the evidence of a fact that was counted."""
    return Evidence(ours, n, unit, float(not holds), float(holds), is_fact=True)


def difference(
    ours: str, n: int, unit: str, test: Result, p_small: float = 1.0, **details
) -> Evidence:
    """Return the evidence of a test of a difference, claimed to be a positive effect.

    `p_small` is the p value of the test that the effect is less than it should be. It counts only
    where no positive effect is shown.
    """
    p_for, p_opposite = (test.p, 1.0) if test.effect > 0 else (1.0, test.p)
    details |= {"effect": test.effect, "measure": test.measure, "is_difference": True}
    return Evidence(ours, n, unit, p_for, min(p_opposite, p_small), **details)


def agreement(*pairs: tuple[list[Rate], list[Rate]]) -> dict:
    """Test whether our rates, or differences of two, agree with the printed ones, in pairs.

    The claim is shown if each pair agrees within `MARGIN` (intersection-union test), the opposite
    if one lies beyond it (Bonferroni's correction). The effect is that of the pair farthest off.

    Returns
    -------
    dict
        Attributes of `Evidence`.
    """
    effects = [float(statistics.cohens_h(*pair)) for pair in pairs]
    limits = [statistics.h_interval(*pair, statistics.ALPHA / len(pairs) / 2) for pair in pairs]
    against = min(statistics.beyond(*pair, MARGIN) for pair in pairs)
    return {
        "p_for": max(statistics.equivalence(*pair, MARGIN) for pair in pairs),
        "p_against": min(1.0, against * len(pairs)),
        "within": max(statistics.smallest_margin(*pair) for pair in pairs),
        "differs": any(low > 0 or high < 0 for low, high in limits),
        "effect": max(effects, key=abs),
        "measure": "h",
    }


def combined(evidences: Iterable[Evidence]) -> Evidence:
    """Return the evidence of a test that was done at several amounts of work, of which one is true.

    A claim is shown if it is at each of them, and so is its opposite: the largest p values count,
    and the widest interval. Numbers differ if they do at each, to one side. The measurement is the
    first.
    """
    rows = list(evidences)

    def most(name):
        return float(np.max([getattr(row, name) for row in rows]))

    signs = {np.sign(row.effect) for row in rows}
    return attrs.evolve(
        rows[0],
        differs=len(signs) == 1 and all(row.differs for row in rows),
        **{name: most(name) for name in ("p_for", "p_against", "p_partly", "within", "high")},
        low=float(np.min([row.low for row in rows])),
    )


class Kind(NamedTuple):
    """A kind of claims."""

    run: Callable[..., Evidence]  # its test, of a sample and of what the claim expects
    least: int  # variants that it is about
    most: int
    subject: str  # success, time, or instances, however runs on them end; argument `by` overrides
    rule: str  # when it gives which verdict, for readers
    has_speed: bool = False  # whether its margin is the range of a program's speed


KINDS: dict[str, Kind] = {}


def kind(least: int, most: int | None = None, *, about: str, rule: str, has_speed: bool = False):
    """Enter a function among the kinds of claims, by its name."""

    def enter(function):
        text = " ".join(rule.split())
        KINDS[function.__name__] = Kind(function, least, most or least, about, text, has_speed)
        return function

    return enter
