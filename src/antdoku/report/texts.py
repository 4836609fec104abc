"""Numbers and names as people read them, on the page."""

import math

from antdoku import papers


def number(value: float | None) -> str:
    """Return three significant digits, or all digits of a whole number; empty if missing."""
    if value is None or math.isnan(value):
        return ""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    is_whole = value == math.floor(value) and abs(value) < 1e15
    text = f"{value:,.0f}" if is_whole or abs(value) >= 1000 else f"{value:.3g}"
    return text.replace("-", "−")


def experiment(name: str) -> str:
    """Return the title of an experiment or of a group of figures, or its name as words."""
    return (papers.groups() | papers.experiments()).get(name, words(name))


def puzzle(name: str) -> str:
    """Return the title of a puzzle as its paper spells it, or the name of a family as words."""
    return papers.puzzle_title(name) if name in papers.puzzles() else words(name)


def words(name: str) -> str:
    """Return a name of the code as words: ``more_ants`` is "More ants"."""
    text = name.replace("_", " ").strip()
    return text[:1].upper() + text[1:]
