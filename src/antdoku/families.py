"""Names of the families of random instances."""

import re

RANDOM_FAMILY = re.compile(r"order([2-9]|10)-p\d{3}(_\d+)?")  # what `family_name` makes


def family_name(order: int, fixed_fraction: float) -> str:
    """Name of a family: ``order5-p045`` is order 5, 45 % fixed; ``order3-p012_5`` is 12.5 %."""
    percent, _, part = f"{100 * fixed_fraction:.8f}".rstrip("0").rstrip(".").partition(".")
    return f"order{order}-p{int(percent):03d}" + (f"_{part}" if part else "")


def is_random(family: str) -> bool:
    """Whether a family has the name of a family of random instances; others hold given puzzles."""
    return RANDOM_FAMILY.fullmatch(family) is not None
