"""Evidence that the test of a claim finds, and the kinds of claims by name.

A verdict on a difference is chosen last, in `antdoku.claims.verdicts`: evidence holds the two that
are possible. Agreement is tested against `MARGIN`, and needs no correction for many claims: each
of them has to be shown.
"""

from collections.abc import Callable
from math import ceil, isfinite
from typing import NamedTuple

import attrs
import numpy as np

from antdoku import statistics
from antdoku.claims import NOT_REPRODUCED, REPRODUCED, UNDECIDED
from antdoku.statistics import ALPHA, MARGIN, Rate, Result

SEVERAL = 99  # variants, in the number that a kind takes


def _rounded_up(number):
    return ceil(number) if number is not None and isfinite(number) else None


@attrs.frozen
class Evidence:
    """The result of a test: p, effect and measure are those of `statistics.Result`."""

    ours: str  # the measurement, in words
    n: int  # how many of what was measured
    unit: str
    needed: float | None = attrs.field(converter=_rounded_up)  # of the unit; None: no number does
    if_significant: str  # verdicts, after whether p (corrected) is below `ALPHA`
    if_not: str
    low: float = np.nan  # 95 % confidence interval, in the unit of the claim's figure
    high: float = np.nan
    p: float = np.nan
    effect: float = np.nan
    measure: str = ""
    is_difference: bool = True  # p takes a correction; else both verdicts are one
    to_decide: float = np.nan  # how many of the unit would decide on agreement, if all stays so
    within: float = np.nan  # the smallest margin (h) within which agreement would be shown
    differs: bool = False  # whether a difference is significant, be it within the margin
    why: str = ""  # why no verdict is possible, if it is not the number


def nothing(
    unit: str, needed: float | None, n: int = 0, ours: str = "no runs", why: str = ""
) -> Evidence:
    """Return the evidence of a test that has too little to test."""
    return Evidence(f"{unit}: {n}" if n else ours, n, unit, needed, UNDECIDED, UNDECIDED, why=why)


def difference(
    ours: str, n: int, unit: str, needed: float, test: Result, if_not: str = UNDECIDED, **limits
) -> Evidence:
    """Return the evidence of a test of a difference, claimed to be a positive effect."""
    direction = REPRODUCED if test.effect > 0 else NOT_REPRODUCED
    return Evidence(ours, n, unit, needed, direction, if_not, **limits, **test._asdict())


def agreed(p: float, failed: bool) -> dict:
    """Return the verdicts of a test of agreement; `failed` if the opposite is shown."""
    verdict = REPRODUCED if p < ALPHA else NOT_REPRODUCED if failed else UNDECIDED
    return {"p": p, "if_significant": verdict, "if_not": verdict, "is_difference": False}


def agreement(*pairs: tuple[list[Rate], list[Rate]]) -> dict:
    """Test whether our rates, or differences of two, agree with the published ones, in pairs.

    Agreement within `MARGIN` has to be shown in each pair (intersection-union test). One pair that
    differs by more, significantly after correction for their number, shows the opposite. The effect
    is that of the pair farthest off.
    """
    effects = [float(statistics.cohens_h(*pair)) for pair in pairs]
    limits = [statistics.h_interval(*pair, ALPHA / len(pairs) / 2) for pair in pairs]
    differ = [low > 0 or high < 0 for low, high in limits]
    failed = any(abs(h) > MARGIN and differs for h, differs in zip(effects, differ))
    found = agreed(max(statistics.equivalence(*pair, MARGIN) for pair in pairs), failed)
    if found["if_not"] == UNDECIDED:
        found["to_decide"] = max(statistics.runs_to_decide(*pair, MARGIN) for pair in pairs)
    found |= {"within": max(statistics.smallest_margin(*pair) for pair in pairs)}
    return found | {"differs": any(differ), "effect": max(effects, key=abs), "measure": "h"}


class Kind(NamedTuple):
    """A kind of claims."""

    run: Callable[..., Evidence]  # its test, of a sample and of what the claim expects
    least: int  # variants that it is about
    most: int
    subject: str  # success, time, or instances, however runs on them end; argument `by` overrides


KINDS: dict[str, Kind] = {}


def kind(least: int, most: int | None = None, *, about: str):
    """Enter a function among the kinds of claims, by its name."""

    def enter(function):
        KINDS[function.__name__] = Kind(function, least, most or least, about)
        return function

    return enter
