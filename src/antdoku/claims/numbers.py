"""The printed numbers and the sets of runs on which claims rest: several may rest on one."""

from itertools import product

from antdoku.claims import INSTANCES, SUCCESS
from antdoku.claims.ledger import Claim

MEAN_TIME, TRIVIAL = "mean time", "trivial"
ANY = "any"  # variant of a claim about instances


def printed(claim: Claim) -> set[tuple]:
    """Return the printed numbers that a claim tests: (edition, place, variant, metric, number).

    The place is what its runs are about. Orders and directions rest on numbers that other claims
    test; they have none of their own.
    """
    variants, numbers = claim.variants or (ANY,), []
    for metric, value in _by_metric(claim.expect):
        if isinstance(value, dict):  # by fixed fraction, or by puzzle
            numbers += [(_place(claim, key), variants[0], metric, x) for key, x in value.items()]
        elif isinstance(value, list):
            numbers += [(_place(claim), name, metric, x) for name, x in zip(variants, value)]
        else:
            numbers.append((_place(claim), variants[0], metric, value))
    return {(claim.paper, *number) for number in numbers}


def _place(claim, key=None):
    """Return what the runs of a claim are about, or those on one of its fractions or puzzles."""
    where = {name: values for name, values in claim.where.items() if name != "variant"}
    if key is not None:
        where["instance_id" if isinstance(key, str) else "fixed_fraction"] = [key]
    return str(sorted(where.items()))


def _by_metric(expect):
    """Yield what a test expects, by what is measured. Bounds that are ours are not printed."""
    times = {"min": "least time", "max": "greatest time"}.get(expect.get("of"), MEAN_TIME)
    if expect.get("spread"):
        times = "deviation of times"
    share = TRIVIAL if expect.get("by") == INSTANCES else SUCCESS
    metrics = {"percent": share, "percents": share, "seconds": times, "times": times}
    for key, metric in metrics.items():
        if expect.get(key) is not None:
            yield metric, expect[key]
    for key in ("value", "number"):
        if key in expect and not expect.get("least"):
            yield expect.get("column", key), expect[key]


def runs_of(claim: Claim) -> set[tuple]:
    """Return the sets of runs of a claim: one of a variant at a place each."""
    where = {name: [*map(str, values)] for name, values in sorted(claim.where.items())}
    if not claim.runs:
        return set()
    names = (claim.runs["experiment"], *where)
    return {(names, *values) for values in product(*where.values())}
