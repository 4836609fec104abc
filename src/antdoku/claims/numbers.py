"""The printed numbers and the sets of runs on which claims rest: several may rest on one."""

from itertools import product

from antdoku.claims.ledger import Claim

SUCCESS, MEAN_TIME = "success", "mean_time"
ANY = "any"  # variant of a claim about instances


def printed(claim: Claim) -> set[tuple]:
    """Return the printed numbers that a claim tests: (edition, place, variant, metric, number).

    The place is what its runs are about. Orders and directions rest on numbers that other claims
    test; they have none of their own.
    """
    expect, variants = claim.expect, claim.variants or (ANY,)
    place = str(sorted((name, values) for name, values in claim.where.items() if name != "variant"))
    numbers = []
    for metric, value in _by_metric(expect):
        if isinstance(value, dict):
            numbers += [(f"{place} {key}", variants[0], metric, x) for key, x in value.items()]
        elif isinstance(value, list):
            numbers += [(place, name, metric, x) for name, x in zip(variants, value)]
        else:
            numbers.append((place, variants[0], metric, value))
    return {(claim.paper, *number) for number in numbers}


def _by_metric(expect):
    """Yield what a test expects, by what is measured."""
    metrics = {"percent": SUCCESS, "percents": SUCCESS, "seconds": MEAN_TIME, "times": MEAN_TIME}
    for key, metric in metrics.items():
        if expect.get(key) is not None:
            spread = "deviation" if expect.get("spread") else expect.get("of")
            is_other = metric == MEAN_TIME and isinstance(spread, str)
            yield f"{spread} of times" if is_other else metric, expect[key]
    for key in ("value", "number"):
        if key in expect:
            yield expect.get("column", key), expect[key]


def runs_of(claim: Claim) -> set[tuple]:
    """Return the sets of runs of a claim: one of a variant at a place each."""
    where = {name: [*map(str, values)] for name, values in sorted(claim.where.items())}
    if not claim.runs:
        return set()
    names = (claim.runs["experiment"], *where)
    return {(names, *values) for values in product(*where.values())}
