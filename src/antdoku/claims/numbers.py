"""The printed numbers and the sets of runs behind claims: several claims may share one."""

from itertools import product
from typing import NamedTuple

from antdoku.claims import SUCCESS
from antdoku.claims.ledger import Claim

MEAN_TIME, DEVIATION, TRIVIAL, SOLUTIONS = "mean_time", "sd_time", "trivial", "solutions"
ANY = "any"  # variant of a claim about instances
PUZZLES = ("instance_id", "family")


class Number(NamedTuple):
    """A printed number: metric, value and place. Names are ours."""

    edition: str
    variant: str
    metric: str
    value: float  # in the unit of the claim: percent, seconds
    orders: tuple[int, ...] = ()
    fixed_fractions: tuple[float, ...] = ()  # several if one number is about all of them
    puzzles: tuple[str, ...] = ()  # instances or families; empty for random instances


def printed(claim: Claim) -> set[Number]:
    """Return the printed numbers with which a claim compares ours, each at its place.

    A number for each fraction or puzzle counts at each of them. It counts once if the paper's
    sentence pools them, or is about instances. Claims of an order or a direction have no numbers:
    other claims test these; `stated` has theirs, too.
    """
    variant = claim.variants[0] if claim.variants else ANY
    return {
        Number(claim.paper, variant, metric, value, *place)
        for metric, value, key in _measured(claim)
        for place in _places(claim, key)
    }


def stated(claim: Claim) -> set[Number]:
    """Return all printed numbers that a claim names: those of `printed`, and those that it ranks.

    A number of a comparison is about all places of the claim together.
    """
    ranked = {
        at(claim, variant, metric, value, key) for variant, metric, value, key in _ranked(claim)
    }
    return printed(claim) | ranked


def at(claim: Claim, variant: str, metric: str, value: float, key: str | None = None) -> Number:
    """Return a number about all places of a claim together, or about the puzzle `key`."""
    ((orders, fractions, puzzles),) = _places(claim, key, is_whole=True)
    return Number(claim.paper, variant, metric, value, orders, fractions, puzzles)


def bounds(claim: Claim, name: str) -> set[Number]:
    """Return the bound of a claim of success, ``above`` or ``below``, at each of its places."""
    if claim.test != "rate" or claim.is_of_instances or name not in claim.expect:
        return set()
    (variant,), is_pooled = claim.variants, claim.expect.get("pooled", False)
    return {
        Number(claim.paper, variant, SUCCESS, claim.expect[name], *place)
        for place in _places(claim, None, is_pooled)
    }


def _ranked(claim):
    """Yield variant, metric, value and puzzle (or None) of each number that is compared."""
    expect = claim.expect
    if claim.test == "compare":
        for name, metric in (("percents", SUCCESS), ("times", MEAN_TIME)):
            for variant, value in zip(claim.variants, expect.get(name) or ()):
                yield variant, metric, value, None
    if expect.get("deviation"):
        yield claim.variants[0], DEVIATION, expect["deviation"], None
    if claim.test == "puzzle_times" and "factor" not in expect:
        for puzzle, value in expect["times"].items():
            yield claim.variants[0], f"{expect.get('of', 'median')}_time", value, puzzle


def _measured(claim):
    """Yield metric, value, and the fraction or puzzle (or None) of each expected number."""
    expect = claim.expect
    if claim.test in ("rate", "mean_time") and "percent" in expect:
        metric = TRIVIAL if claim.is_of_instances else SUCCESS
        yield from _values(metric, expect["percent"])
    if claim.test == "mean_time":
        yield DEVIATION if expect.get("spread") else MEAN_TIME, expect["seconds"], None
    if claim.test == "puzzle_times" and "factor" in expect:
        yield from _values(MEAN_TIME, expect["times"])
    if claim.test == "mean":
        yield expect["column"], expect["value"], None
    if claim.test == "count" and expect.get("by") == SUCCESS:
        yield SUCCESS, 100, None
    elif claim.test == "count" and "puzzles" in expect:
        yield SOLUTIONS, expect["number"], None
    elif claim.test == "count":
        yield TRIVIAL, expect.get("number", len(expect.get("names", ()))), None


def _values(metric, values):
    """Yield a single value, or the values of a dict with their keys."""
    for key, value in values.items() if isinstance(values, dict) else [(None, values)]:
        yield metric, value, key


def _places(claim, key, is_whole=False):
    """Return the places of a claim, or `key` alone: orders, fractions and puzzles of each.

    With `is_whole` all of them together are one place.
    """
    where = claim.where
    orders, fractions = tuple(where.get("order", ())), tuple(where.get("fixed_fraction", ()))
    puzzles = next((tuple(where[name]) for name in PUZZLES if name in where), ())
    if isinstance(key, str):
        puzzles = (key,)
    elif key is not None:
        fractions = (key,)
    is_whole = is_whole or claim.is_of_instances
    is_pooled = is_whole or claim.expect.get("pooled", False)
    return product(
        _apart(orders, is_pooled), _apart(fractions, is_pooled), _apart(puzzles, is_whole)
    )


def _apart(values, are_together):
    """Return values as one group, or as a group for each."""
    return [values] if are_together or not values else [(value,) for value in values]


def runs_of(claim: Claim) -> set[tuple]:
    """Return the sets of runs of a claim: one for each variant and place."""
    where = {name: [*map(str, values)] for name, values in sorted(claim.where.items())}
    if not claim.runs:
        return set()
    names = (claim.runs["experiment"], *where)
    return {(names, *values) for values in product(*where.values())}
