"""The kinds of claims by their names: what decides a claim is looked up here."""

from collections.abc import Callable
from typing import NamedTuple

from antdoku.claims.evidence import Evidence

INSTANCES = "instances"
SEVERAL = 99  # variants, in the number that a kind takes


class Kind(NamedTuple):
    """A kind of claims."""

    run: Callable[..., Evidence]  # its test, of a sample and of what the claim expects
    least: int  # variants that it is about
    most: int
    of: str  # success, time, or instances, however runs on them end; an argument `by` overrides it


KINDS: dict[str, Kind] = {}


def kind(least, most=None, *, of):
    """Enter a function among the kinds of claims."""

    def enter(function):
        KINDS[function.__name__] = Kind(function, least, most or least, of)
        return function

    return enter
