"""The kinds of claims by their names: what decides a claim is looked up here."""

from collections.abc import Callable
from typing import NamedTuple

from antdoku.claims.evidence import Evidence

INSTANCES = "instances"
SEVERAL = 99  # variants, in the number that a kind takes


class Kind(NamedTuple):
    """A kind of claims.

    Parameters
    ----------
    run : callable
        The test that decides it, a function of a sample and of what the claim expects.
    least, most : int
        How many variants it is about.
    of : str
        Success, time, or instances, however runs on them end. A kind with an argument `by` is of
        what that says, if it is given.
    """

    run: Callable[..., Evidence]
    least: int
    most: int
    of: str


KINDS: dict[str, Kind] = {}


def kind(least, most=None, *, of):
    """Enter a function among the kinds of claims."""

    def enter(function):
        KINDS[function.__name__] = Kind(function, least, least if most is None else most, of)
        return function

    return enter
