"""Numbers as people read them, on the page."""

import math


def number(value: float | None) -> str:
    """Return three significant digits, or all digits of a whole number; empty if missing."""
    if value is None or math.isnan(value):
        return ""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    is_whole = value == math.floor(value) and abs(value) < 1e15
    text = f"{value:,.0f}" if is_whole or abs(value) >= 1000 else f"{value:.3g}"
    return text.replace("-", "−")
