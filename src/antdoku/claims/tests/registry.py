"""The named tests by their names: what decides a claim is looked up here."""

from collections.abc import Callable
from typing import NamedTuple

from antdoku.claims.evidence import Evidence

INSTANCES = "instances"


class NamedTest(NamedTuple):
    """A test, how many variants it compares (None: two or more), and what it is of.

    That is success, time, or instances, whatever runs on them end like. Those with an argument `by`
    are of what it says.
    """

    run: Callable[..., Evidence]
    n_variants: int | None
    of: str


TESTS: dict[str, NamedTest] = {}


def named_test(n_variants, of):
    """Enter a function among the named tests."""

    def enter(function):
        TESTS[function.__name__] = NamedTest(function, n_variants, of)
        return function

    return enter
