"""Looks of variants on the page: colours by day and night, and markers as SVG paths."""

import numpy as np
from matplotlib.colors import to_hex, to_rgb
from matplotlib.markers import MarkerStyle
from matplotlib.path import Path
from matplotlib.transforms import Affine2D

from antdoku.claims import VERDICTS
from antdoku.claims.page import slug
from antdoku.figures import style

LEAST_LUMINANCE = 0.214  # 4.5 : 1 on the dark paper of the page, #14171c (WCAG AA for text)
GREY = 0.05  # the most that the parts of a colour differ
LETTERS = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C"}
BAR = "M-0.2,-1L0.2,-1L0.2,1L-0.2,1Z"  # for a marker that is a line, without an area to fill


def palette() -> dict[str, tuple[str, str]]:
    """Return the colours of verdicts, and the accent colour, by day and by night.

    The grey of undecided and undecidable is for outlines and hatching: their areas are open.
    """
    names = *map(slug, VERDICTS), "accent"
    *decided, _ = style.VERDICT_COLORS
    colors = *decided, style.MUTED, style.MUTED, style.DEDUCED_COLOR
    return {name: (color, legible(color)) for name, color in zip(names, colors, strict=True)}


def colour(color: str) -> str:
    """Return a colour as CSS, with another one for the night."""
    return f"light-dark({color}, {legible(color)})"


def shape(marker: str) -> str:
    """Return a marker of Matplotlib as an SVG path from -1 to 1, as Vega takes it."""
    symbol = MarkerStyle(marker)
    if not symbol.is_filled():
        return BAR
    path = symbol.get_path().transformed(symbol.get_transform())
    scale = 1 / np.abs(path.get_extents()).max()
    segments = path.iter_segments(Affine2D().scale(scale, -scale), simplify=False)  # y goes down
    return "".join(
        LETTERS[code] + ",".join(f"{x:.3g}" for x in points) if code in LETTERS else "Z"
        for points, code in segments
    )


def legible(color: str) -> str:
    """Return the colour, mixed with enough white to be readable at night.

    A grey is inverted first, so that black and a middle grey stay apart.
    """
    rgb = np.array(to_rgb(color))
    if np.ptp(rgb) < GREY:
        rgb = 1 - rgb
    for white in np.linspace(0, 1, 101):
        mixed = white + (1 - white) * rgb
        linear = np.where(mixed <= 0.04045, mixed / 12.92, ((mixed + 0.055) / 1.055) ** 2.4)
        if linear @ (0.2126, 0.7152, 0.0722) >= LEAST_LUMINANCE:
            break
    return to_hex(mixed)
