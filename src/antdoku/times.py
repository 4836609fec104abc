"""Times as people read them, on the page and in the terminal."""

import math


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
