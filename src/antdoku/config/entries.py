"""What the entries of a block stand for: an overlay may take one away, a grid makes many of one."""

import itertools
import re


def present(entries):
    """Names and contents of the entries that no overlay has taken away."""
    return [(name, content) for name, content in entries.items() if content is not None]


def at_point(random, order, fixed_fraction):
    """How many random instances there are at a point, and how many runs on each.

    Returns
    -------
    dict
        count and repetitions, those of the last entry of ``more`` that has the point.
    """
    numbers = {name: random[name] for name in ("count", "repetitions")}
    for entry in random.get("more", []):
        if order in entry["orders"] and fixed_fraction in entry["fixed_fractions"]:
            numbers |= {name: entry[name] for name in numbers if name in entry}
    return {name: int(number) for name, number in numbers.items()}


def points(name, variant):
    """Names and parameters of the variants that an entry stands for: one, or those of a grid."""
    grid = variant.get("grid", {})
    for values in itertools.product(*grid.values()):
        words = [re.sub(r"[^a-z0-9]", "_", str(value).lower()) for value in values]
        yield "__".join([name, *words]), {**variant.get("params", {}), **dict(zip(grid, values))}
