"""Numbers, times and names as people read them, on pages and in the terminal."""

import math

from antdoku import papers


def number(value: float | None) -> str:
    """Return three significant digits, or all digits of a whole number; empty if missing."""
    if value is None or math.isnan(value):
        return ""
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if value == math.floor(value) and abs(value) < 1e15:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def percentage(share: float) -> str:
    """Return a share in percent; less than all is less than 100 %."""
    return f"{100 if share == 1 else min(100 * share, 99.9):.3g} %"


def duration(seconds: float | None) -> str:
    """Return a time in the unit that suits it: 63.1 µs, 12.3 ms, 2.5 s, 1 h 23 min."""
    if seconds is None or math.isnan(seconds):
        return "–"
    if math.isinf(seconds):
        return "∞"
    if seconds < 1000:
        seconds = float(f"{seconds:.3g}")  # 999.9 µs are 1 ms
    if seconds >= 1000:
        whole = round(seconds)
        parts = [(whole // 3600, "h"), (whole // 60 % 60, "min"), (whole % 60, "s")]
        return " ".join([f"{count} {unit}" for count, unit in parts if count][:2])
    factor, unit = (1, "s") if seconds >= 1 else (1e3, "ms") if seconds >= 1e-3 else (1e6, "µs")
    return f"{seconds * factor:.3g} {unit}"


def experiment(name: str) -> str:
    """Return the title of an experiment or of a group of figures, or its name as words."""
    return (papers.groups() | papers.experiments()).get(name, words(name))


def words(name: str) -> str:
    """Return a name of the code as words: ``more_ants`` is "More ants"."""
    text = name.replace("_", " ").strip()
    return text[:1].upper() + text[1:]
