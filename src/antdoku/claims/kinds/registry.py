"""The kinds of claims by their names: what decides a claim is looked up here."""

from collections.abc import Callable
from typing import NamedTuple

from antdoku.claims.evidence import Evidence

SEVERAL = 99  # variants, in the number that a kind takes


class Kind(NamedTuple):
    """A kind of claims."""

    run: Callable[..., Evidence]  # its test, of a sample and of what the claim expects
    least: int  # variants that it is about
    most: int
    subject: str  # success, time, or instances, however runs on them end; argument `by` overrides


KINDS: dict[str, Kind] = {}


def kind(least, most=None, *, about):
    """Enter a function among the kinds of claims."""

    def enter(function):
        KINDS[function.__name__] = Kind(function, least, most or least, about)
        return function

    return enter
