"""What the entries of a block stand for: an overlay may take one away, a grid makes many of one."""

import itertools
import re


def present(entries):
    """Names and contents of the entries that no overlay has taken away."""
    return [(name, content) for name, content in entries.items() if content is not None]


def points(name, variant):
    """Names and parameters of the variants that an entry stands for: one, or those of a grid."""
    grid = variant.get("grid", {})
    for values in itertools.product(*grid.values()):
        words = [re.sub(r"[^a-z0-9]", "_", str(value).lower()) for value in values]
        yield "__".join([name, *words]), {**variant.get("params", {}), **dict(zip(grid, values))}
