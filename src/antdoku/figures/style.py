"""The only style: sizes, fonts, colours and markers of all figures, and how they are saved.

Colours are those of Okabe & Ito and of Paul Tol, which colour-blind readers can tell apart; a
marker repeats what the colour says. A variant has one look in all figures.
"""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import matplotlib as mpl
import numpy as np
from attrs import evolve
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from antdoku import papers
from antdoku.figures import FORMATS
from antdoku.papers import Look

PAGE_WIDTH = 7.16  # inches: two columns of a journal page
INK, MUTED = "#222222", "#6B6B6B"
PNG_DPI = 300
SCREEN_DPI, SHARPNESS = 100, 2  # of a notebook: pixels of the page, and dots for each
# Of the files, by format. Neither a date nor a version, so that a rerun gives the same bytes.
_OMITTED = ("Creator", "Producer", "CreationDate")
METADATA = {"png": {"Software": None}, "pdf": dict.fromkeys(_OMITTED)}
METADATA |= {"svg": dict.fromkeys(("Creator", "Date"))}
STYLE = Path(__file__).with_name("antdoku.mplstyle")
RC = mpl.rc_params_from_file(STYLE, use_default_template=False)
OTHER_COLORS = ("#117733", "#DDCC77", "#44AA99", "#7F3C8D", "#3355DD", "#C04000")
OTHER_COLORS += ("#D8A8F0", "#F0A800", "#30A8F0")
OTHER_MARKERS = ("H", r"$\spadesuit$", r"$\heartsuit$")  # that no paper has
ORDERS = {
    2: Look("4 × 4", "#999933", "v"),
    3: Look("9 × 9", "#332288", "o"),
    4: Look("16 × 16", "#44AA99", "s"),
    5: Look("25 × 25", "#CC6677", "^"),
    6: Look("36 × 36", "#88CCEE", "P"),
    7: Look("49 × 49", "#882255", "X"),
    8: Look("64 × 64", "#117733", "h"),
    9: Look("81 × 81", "#DDAA33", "D"),
    10: Look("100 × 100", "#000000", "p"),
}
_places: dict[str, int] = {}  # of variants among pairs of these colours and markers
PUBLISHED = "published"  # columns of published numbers start with it, if with nothing else
MARKER_SIZES = {"*": 7.5, "D": 4.4}
UNITS = {  # shade and outline
    "row": ("#9CCBE8", "#0072B2"),
    "column": ("#F5CF7A", "#E69F00"),
    "box": ("#8FD3BC", "#009E73"),
}
# Reproduced, partly, not reproduced, undecided. Undecidable is hatched in the colour of undecided.
VERDICT_COLORS = ("#009E73", "#E69F00", "#D55E00", "#8A8A8A")
PEER_COLOR, CELL_COLOR = "#D3E3F1", "#D55E00"
DEDUCED_COLOR = "#0072B2"
LABEL_WIDTH, CHARACTER_WIDTH = 0.4, 0.064  # inches: of an entry of a legend, and of its letters
SAMPLE = (6, 24)  # points beside the end of an axis: the sample of a line before its label
PALE = 0.55  # share of a colour in its pale tint, the rest is white


def series(table):
    """Yield name, look and rows of each variant of a table, in its order, labelled as there."""
    for name, rows in table.groupby("variant", sort=False):
        look = variant(name)
        if "label" in rows:
            look = evolve(look, label=rows["label"].iloc[0])
        yield name, look, rows


def variant(name: str) -> Look:
    """Return the look of a variant, under the label that its paper has for it.

    A variant for which no paper has colours gets the next colour and marker in this process; a
    colour comes again when all are in use, with another marker.
    """
    known = papers.variants().get(name, Look(name))
    if known.color:
        return known
    turn, color = divmod(_places.setdefault(name, len(_places)), len(OTHER_COLORS))
    n = len(OTHER_MARKERS)  # then come numbers, as often as one is needed
    marker = OTHER_MARKERS[(turn + color) % n] if turn < n else f"${turn}$"
    return Look(known.label, OTHER_COLORS[color], marker)


def give_looks(names) -> None:
    """Give variants their looks, first those of no paper, so that no order of figures decides."""
    known = papers.variants()
    for name in sorted({*names}, key=lambda name: (name in known, name)):
        variant(name)


def published() -> dict[str, Look]:
    """Return labels and open markers of published numbers, by how the columns of them begin."""
    return papers.published_looks() | {PUBLISHED: Look("paper", "", "D")}


def pale(color: str, share: float = PALE) -> tuple[float, float, float]:
    """Return a tint that does not let the grid through, as a transparent colour would."""
    return tuple(1 - share * (1 - part) for part in to_rgb(color))


def styled(draw):
    """Return `draw` as a function that runs under `RC`; matplotlib's own settings stay."""
    return mpl.rc_context(RC)(draw)


class Shown(Figure):
    """A figure that a notebook shows at the end of a cell, without pyplot and its global state."""

    @styled
    def _repr_png_(self):
        picture = BytesIO()
        self.savefig(picture, format="png", dpi=SCREEN_DPI * SHARPNESS, metadata=METADATA["png"])
        width, height = np.rint(SCREEN_DPI * self.get_size_inches()).astype(int).tolist()
        return picture.getvalue(), {"width": width, "height": height}


def figure(title: str, width: float = PAGE_WIDTH, height: float = 4.4) -> Figure:
    """Return an empty figure of `width` x `height` inches."""
    new = Shown(figsize=(width, height), layout="constrained")
    new.get_layout_engine().set(w_pad=0.04, h_pad=0.05, hspace=0.03, wspace=0.03)
    new.suptitle(title, x=0.01, ha="left", wrap=True)
    return new


@styled
def no_runs(title: str) -> Figure:
    """Return what stands for a figure when there is nothing to draw."""
    new = figure(title, height=1.2)
    text = "nothing to show: this configuration has no such runs, or all of them are solved"
    new.text(0.5, 0.4, text, ha="center", va="center", color=MUTED, fontsize=9)
    return new


def entry(look: Look) -> dict:
    """Return keywords of an artist that looks so, and has an entry in the legend."""
    return {"color": look.color, "marker": look.marker, "label": look.label}


def explain(fig: Figure, label: str, area: bool = False, **kwargs) -> None:
    """Add to the legend what artists of several colours or panels mean.

    It shows a grey marker or line, or an area. A label that the legend has is not added.
    """
    grey = {"color": MUTED, "ls": "" if "marker" in kwargs else "-"}
    artist = Rectangle((0, 0), 0, 0, **kwargs) if area else Line2D([], [], **grey | kwargs)
    artist.set_label(label)
    fig.add_artist(artist).set_in_layout(False)


def legend(fig: Figure, columns: int | None = None) -> None:
    """Draw a legend below all axes, in as few rows as its labels take if no columns are given.

    Each label of what is drawn stands there once, and then what `explain` has added.
    """
    drawn = [handle for ax in fig.axes for handle in ax.get_legend_handles_labels()[0]]
    handles = {}
    for handle in (*drawn, *fig.artists):
        handles.setdefault(handle.get_label(), handle)
    if not handles:
        return
    even = [-(-len(handles) // rows) for rows in range(1, len(handles) + 1)]
    fits = (n for n in even if _legend_width(handles, n) < fig.get_figwidth())
    fig.legend(
        handles=handles.values(),
        loc="outside lower center",
        ncols=columns or next(fits, 1),
        handlelength=1.8,
        columnspacing=1.4,
    )


def label_ends(ax, lines: dict) -> None:
    """Name lines beside the right end of their axes, whose limits then stay, in place of a legend.

    Labels, with a sample of the line, stand as near to the heights of the last points as they can
    without overlap.
    """
    from scipy.optimize import isotonic_regression

    ax.set(xlim=ax.get_xlim(), ylim=ax.get_ylim())
    to_axes, right = ax.transScale + ax.transLimits, ax.get_xlim()[1]
    ends = {label: line.get_xydata()[-1] for label, line in lines.items() if len(line.get_xdata())}
    places = {label: float(to_axes.transform(end)[1]) for label, end in ends.items()}
    # Of lines that end at one height, that which ends first is the highest.
    names = sorted(ends, key=lambda label: (places[label], -ends[label][0]))
    texts = []
    for name in names:
        where = {"xycoords": "axes fraction", "textcoords": "offset points", "va": "center"}
        texts.append(ax.annotate(name, (1, places[name]), (SAMPLE[1] + 4, 0), **where))
        x, y = ends[name]
        ax.hlines(y, x, right, color=lines[name].get_color(), lw=0.5, ls=":", zorder=1)
    ax.figure.draw_without_rendering()  # lays out, so that the size of the axes is known
    extent = ax.get_window_extent()
    width, height = (side * 72 / ax.figure.dpi for side in (extent.width, extent.height))
    gap = np.arange(len(names)) * 1.25 * mpl.rcParams["font.size"]
    wanted = height * np.array([places[name] for name in names])
    # The least squares of all moves, at least a line apart and inside the axes.
    found = isotonic_regression(wanted - gap).x.clip(0, height - gap[-1]) + gap
    for name, text, place, move in zip(names, texts, found / height, found - wanted):
        text.xyann = (text.xyann[0], move)
        line, ends = lines[name], (1 + np.linspace(*SAMPLE, 3) / width, [place] * 3)
        look = {"color": line.get_color(), "ls": line.get_linestyle(), "lw": line.get_linewidth()}
        look |= {"marker": line.get_marker(), "markevery": [1]}
        ax.add_artist(Line2D(*ends, transform=ax.transAxes, clip_on=False, **look))


def _legend_width(labels, columns):
    """Return a little more inches than a legend takes, which fills column by column."""
    parts = np.array_split([len(label) for label in labels], columns)
    return sum(LABEL_WIDTH + CHARACTER_WIDTH * part.max() for part in parts)


@styled
def save(fig: Figure, stem, forms: Sequence[str] = FORMATS) -> list[Path]:
    """Write a figure as `stem`.png, .pdf and .svg, with the same bytes each time; return the paths.

    `forms` chooses among these, or the ending of `stem`. Missing folders are created.
    """
    if Path(stem).suffix[1:] in FORMATS:
        stem, forms = Path(stem).with_suffix(""), [Path(stem).suffix[1:]]
    Path(stem).parent.mkdir(parents=True, exist_ok=True)
    paths = [Path(f"{stem}.{form}") for form in forms]
    for form, path in zip(forms, paths):
        fig.savefig(path, dpi=PNG_DPI, metadata=METADATA[form])
        fig.set_layout_engine("none")  # it stays as it is: to lay out takes a third of the time
    return paths
