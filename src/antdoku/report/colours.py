"""Colours of `figures.style` on the page: as they are by day, lighter where they would drown."""

from matplotlib.colors import to_hex, to_rgb

from antdoku.figures import style

PAPER, NIGHT = "#ffffff", "#14171c"  # what charts stand on, by day and in dark mode
LEAST_CONTRAST = 4.5  # WCAG AA for text
SHAPES = {  # markers of matplotlib as those of Vega
    "o": "circle",
    "s": "square",
    "D": "diamond",
    "d": "M0,-1L0.6,0L0,1L-0.6,0Z",
    "^": "triangle-up",
    "v": "triangle-down",
    "<": "triangle-left",
    ">": "triangle-right",
    "P": "cross",
    "X": "M-1,-0.6L-0.6,-1L0,-0.4L0.6,-1L1,-0.6L0.4,0L1,0.6L0.6,1L0,0.4L-0.6,1L-1,0.6L-0.4,0Z",
    "|": "M-0.2,-1L0.2,-1L0.2,1L-0.2,1Z",
    "*": "M0,-1L0.24,-0.31L0.95,-0.31L0.38,0.12L0.59,0.81L0,0.38L-0.59,0.81L-0.38,0.12"
    "L-0.95,-0.31L-0.24,-0.31Z",
    r"$\circ$": "M0.9,0A0.9,0.9 0 1 1 -0.9,0A0.9,0.9 0 1 1 0.9,0"
    "M0.45,0A0.45,0.45 0 1 0 -0.45,0A0.45,0.45 0 1 0 0.45,0Z",
    "p": "M0,-1L0.95,-0.31L0.59,0.81L-0.59,0.81L-0.95,-0.31Z",
    "h": "M0,-1L0.87,-0.5L0.87,0.5L0,1L-0.87,0.5L-0.87,-0.5Z",
    "H": "M-1,0L-0.5,-0.87L0.5,-0.87L1,0L0.5,0.87L-0.5,0.87Z",
    "8": "M-1,-0.4L-0.4,-1L0.4,-1L1,-0.4L1,0.4L0.4,1L-0.4,1L-1,0.4Z",
}


def look(variant: str) -> dict:
    """Label, colour by day and by night, and marker of a variant."""
    found = style.variant(variant)
    return {
        "label": found.label,
        "day": found.color,
        "night": legible(found.color, NIGHT),
        "shape": SHAPES.get(found.marker, "circle"),
    }


def legible(color: str, background: str) -> str:
    """The colour, mixed with as much white as it takes to be seen on a dark background."""
    parts = to_rgb(color)
    for percent in range(101):
        mixed = tuple(part + (1 - part) * percent / 100 for part in parts)
        if contrast(mixed, background) >= LEAST_CONTRAST:
            break
    return to_hex(mixed)


def contrast(one, other) -> float:
    """Contrast of two colours, from 1 to 21 (WCAG 2)."""
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(color):
    linear = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in to_rgb(color)
    )
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear))
