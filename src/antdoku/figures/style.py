"""The style of all figures: sizes, fonts, colours and markers, and how figures are saved.

Colours are from Okabe & Ito and from Paul Tol: colour-blind readers can tell them apart. A marker
repeats what the colour says. `looks_of` gives each variant one look for all figures of its runs.
"""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from colorsys import hls_to_rgb, rgb_to_hls
from contextvars import ContextVar
from functools import cache
from io import BytesIO
from pathlib import Path
from textwrap import fill
from types import MappingProxyType

import matplotlib as mpl
import numpy as np
import pandas as pd
from attrs import evolve
from matplotlib.colors import to_hex, to_rgb, to_rgba
from matplotlib.figure import Figure, FigureBase
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.textpath import text_to_path

from antdoku import papers
from antdoku.figures import FORMATS
from antdoku.figures import NARROW as NARROW
from antdoku.papers import Look

INK, MUTED, GREY = "#222222", "#6B6B6B", "#BDBDBD"
PNG_DPI = 300
SCREEN_DPI, SHARPNESS = 100, 2  # in a notebook: pixels per inch of the page, dots per pixel
# Metadata of the files by format: no date and no version, so that a rerun gives the same bytes.
_OMITTED = ("Creator", "Producer", "CreationDate")
METADATA = {"png": {"Software": None}, "pdf": dict.fromkeys(_OMITTED)}
METADATA |= {"svg": dict.fromkeys(("Creator", "Date"))}
# Matplotlib names its font alone in an SVG: a browser without it would take a font with serifs.
FONT, FONTS = "'DejaVu Sans'", "'DejaVu Sans', Verdana, sans-serif"
STYLE = Path(__file__).with_name("antdoku.mplstyle")
# Ours and Matplotlib's own settings: a user's style changes no figure. The rest stays the user's.
_USERS = ("backend", "figure.dpi")
RC = {key: value for key, value in mpl.rc_params_from_file(STYLE).items() if key not in _USERS}
LOOK = {key: value for key, value in RC.items() if not key.startswith(("pdf.", "ps.", "svg."))}
GROUND = RC["figure.facecolor"]
PAGE_WIDTH, PHONE_WIDTH = 7.16, 3.4  # inches: two columns of a journal page; a phone
HEAD = 0.9  # inches of a figure that are no panel: title and legend
LETTER = 0.064  # inches: of the title of a panel
MARGIN = 0.09  # inches: at both sides of the title of a figure
SPACE = "\N{NO-BREAK SPACE}"
TOGETHER = re.compile(r"(?<=\d) (?=%|(?:ms|µs|s)\b|×|of \d)|(?<=×) (?=\d)")
ROW_LETTERS, LEAST_LETTERS = 28, 16  # of the name of a row, of other texts in a narrow figure
LINE_HEIGHT = 0.16  # inches: of a legend
OTHER_COLORS = ("#117733", "#DDCC77", "#44AA99", "#7F3C8D", "#3355DD", "#C04000")
OTHER_COLORS += ("#D8A8F0", "#F0A800", "#30A8F0")
OTHER_MARKERS = ("H", r"$\spadesuit$", r"$\heartsuit$")  # no paper has these; then the others
OTHER_MARKERS += ("o", "s", "^", "D", "v", "P", "X", "*", "p", "h", "<", ">", "d", "8")
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
PRINTED = Look("paper", marker="D")  # printed numbers of an edition without a look of its own
MARKER_SIZES = {"*": 7.5, "D": 4.4}
UNITS = {  # shade and outline
    "row": ("#9CCBE8", "#0072B2"),
    "column": ("#F5CF7A", "#E69F00"),
    "box": ("#8FD3BC", "#009E73"),
}
# Reproduced, partly, not reproduced, undecided: areas with a grey outline. Undecidable is hatched.
VERDICT_COLORS = ("#1F4E9E", "#A6CEE3", "#D55E00", "#FFFFFF")
PEER_COLOR, CELL_COLOR = "#D3E3F1", "#D55E00"
DEDUCED_COLOR = "#0072B2"
LABEL_WIDTH, CHARACTER_WIDTH = 0.42, 0.068  # inches: of an entry of a legend, and of its letters
SAMPLE = (8, 26)  # points beside the end of an axis: the level part of a sample of a line
COLOR, DARKEST = re.compile(r"#[0-9a-f]{6}\b"), 0.07  # of an SVG; lightness by night
PALE = 0.55  # share of a colour in its pale tint, the rest is white
_width = ContextVar("width", default=PAGE_WIDTH)


def looks_of(
    variants: Iterable[str] | Mapping[str, str], own: Container[str] = ()
) -> dict[str, Look]:
    """Return a look for each variant, by name; a mapping has the colours that are configured.

    No variant in `own` has the look of a paper.

    A variant without a colour in its paper gets the free colour farthest from all colours in use,
    and a marker that is not in use, first the variants that no paper has. The same variants have
    the same looks, whatever their order; no two share both colour and marker.
    """
    configured = {}
    of_papers = {name: look for name, look in papers.variants().items() if name not in own}
    if isinstance(variants, Mapping):
        configured = {name: {"color": color} for name, color in variants.items() if color}
    names = sorted({*variants}, key=lambda name: (name in of_papers, name))
    looks = {name: of_papers.get(name, Look(name)) for name in names}
    looks = {name: evolve(look, **configured.get(name, {})) for name, look in looks.items()}
    colors = [look.color for look in looks.values() if look.color]
    markers = [look.marker for look in looks.values() if look.marker]
    for name in (name for name in names if not (looks[name].color and looks[name].marker)):
        color = looks[name].color or _free_color(colors)
        used = {look.marker for look in looks.values() if look.color == color}
        free = [marker for marker in OTHER_MARKERS if marker not in used]
        marker = looks[name].marker
        if not marker or marker in used:
            marker = min(free, key=markers.count, default=f"${len(markers)}$")
        colors.append(color)
        markers.append(marker)
        looks[name] = evolve(looks[name], color=color, marker=marker)
    return looks


def looks_of_runs(runs: pd.DataFrame) -> dict[str, Look]:
    """Return the looks of the variants of runs, with the colours that are configured."""
    if "color" not in runs:
        return looks_of(runs["variant"])
    colors = runs.drop_duplicates("variant").set_index("variant")["color"]
    return looks_of(colors.fillna("").to_dict())


def _free_color(used):
    """Return the free colour with the fewest uses, of several the farthest from all used ones."""
    fewest = min(map(used.count, OTHER_COLORS))
    colors = [color for color in OTHER_COLORS if used.count(color) == fewest]
    in_use = {*used}
    return max(colors, key=lambda color: min((_distance(color, at) for at in in_use), default=0))


@cache
def _distance(first, second):
    """Return the distance of two colours in RGB; the eye sees green best, and blue least."""
    difference = np.subtract(to_rgb(first), to_rgb(second))
    return float(np.sqrt(difference**2 @ (2, 4, 3)))


def series(table: pd.DataFrame, looks: dict[str, Look]) -> Iterator[tuple[str, Look, pd.DataFrame]]:
    """Yield name, look and rows of each variant of a table, in its order, labelled as there."""
    for name, rows in table.groupby("variant", sort=False):
        look = looks[name]
        if "label" in rows:
            look = evolve(look, label=rows["label"].iloc[0])
        yield name, look, rows


def printed(edition: str) -> Look:
    """Return the label and the open marker of the numbers that an edition prints."""
    return papers.published_looks().get(edition, PRINTED)


def ink_on(fig: FigureBase) -> str:
    """Return the colour of text on the ground of a user's figure: dark, or white if need be."""
    *rgb, alpha = to_rgba(fig.canvas.figure.get_facecolor())
    _, lightness, _ = rgb_to_hls(*rgb)
    return INK if lightness > 0.5 or alpha == 0 else "white"


def pale(color: str) -> tuple[float, float, float]:
    """Return a tint of a colour. A transparent colour would let the grid through."""
    return tuple(1 - PALE * (1 - part) for part in to_rgb(color))


def styled(draw):
    """Return `draw` as a function that runs under `RC`; the user's settings stay."""
    return mpl.rc_context(RC)(draw)


def narrow(draw):
    """Return `draw` as a function that draws for a phone: panels stand in one column."""

    def drawn(*args):
        token = _width.set(PHONE_WIDTH)
        try:
            fig = draw(*args)
            fold_texts(fig)
            return fig
        finally:
            _width.reset(token)

    return drawn


def is_narrow() -> bool:
    """Return whether figures are narrower than a page."""
    return _width.get() < PAGE_WIDTH


class Shown(Figure):
    """A figure that a notebook shows, without pyplot and its global state."""

    def get_suptitle(self):
        """Return the title of the figure in one line, with plain spaces."""
        return super().get_suptitle().replace("\n", " ").replace(SPACE, " ")

    @mpl.rc_context(LOOK)
    def draw(self, renderer):
        """Draw the figure, whose ticks may be made only now, whatever the user's style is."""
        super().draw(renderer)

    @mpl.rc_context({"savefig.facecolor": "auto", "savefig.edgecolor": "auto"})
    def savefig(self, *args, **kwargs):
        """Write the figure to a file, on its own ground."""
        super().savefig(*args, **kwargs)

    @styled
    def _repr_png_(self):
        picture = BytesIO()
        self.savefig(picture, format="png", dpi=SCREEN_DPI * SHARPNESS, metadata=METADATA["png"])
        width, height = np.rint(SCREEN_DPI * self.get_size_inches()).astype(int).tolist()
        return picture.getvalue(), {"width": width, "height": height}


def figure(title: str, width: float | None = None, height: float = 4.4) -> Figure:
    """Return an empty figure of `width` x `height` inches, by default as wide as its page."""
    new = Shown(figsize=(width or _width.get(), height), layout="constrained")
    new.get_layout_engine().set(w_pad=0.04, h_pad=0.05, hspace=0.03, wspace=0.03)
    set_title(new, title)
    return new


@styled
def set_title(fig: Figure, title: str) -> None:
    """Write the title of a figure, in as few lines as fit, of similar lengths.

    The title is no formula. It may hold texts of `escaped`.
    """
    title = title.replace(r"\$", "$")
    text = fig.suptitle("", x=MARGIN / fig.get_figwidth(), ha="left", parse_math=False)
    numbers = range(LEAST_LETTERS, LEAST_LETTERS + len(title) + 1)
    foldings = dict.fromkeys(fill(together(title), letters) for letters in numbers)
    by_lines = sorted(foldings, key=lambda folding: folding.count("\n"))
    width = fig.get_figwidth() - 2 * MARGIN
    text.set_text(next((fit for fit in by_lines if _width_of(fit, text) <= width), by_lines[0]))


def _width_of(folding, text):
    """Return the width of lines in the font of a text, in inches."""
    measure, font = text_to_path.get_text_width_height_descent, text.get_fontproperties()
    return max(measure(line, font, ismath=False)[0] for line in folding.split("\n")) / 72


def escaped(text: str) -> str:
    """Return a name by a user for a figure: Matplotlib takes text between dollars as a formula."""
    return text.replace("$", r"\$")


def together(text: str) -> str:
    """Return a text with no-break spaces in ``90 %``, ``9 × 9`` and ``4 of``."""
    return TOGETHER.sub(SPACE, text)


def panels_in_row(fig: Figure, number: int, **options) -> np.ndarray:
    """Return axes side by side, or in a narrow figure one below another; it becomes higher.

    `options` are keywords of `Figure.subplots`.
    """
    if not is_narrow():
        return fig.subplots(1, number, squeeze=False, **options)[0]
    options.pop("width_ratios", None)
    fig.set_figheight(HEAD + number * (fig.get_figheight() - HEAD))
    return fig.subplots(number, 1, squeeze=False, **options)[:, 0]


def mosaic(fig: Figure, layout: Sequence[Sequence[str]], **ratios) -> dict:
    """Return axes by name, or in a narrow figure one below another, each as high as in a wide one.

    `layout` has rows of names, as for `Figure.subplot_mosaic`; `ratios` are its width_ratios and
    height_ratios.
    """
    rows = [[*row] for row in layout]
    if not is_narrow():
        return fig.subplot_mosaic(rows, **ratios)
    shares = ratios.get("height_ratios", [1] * len(rows))
    heights = Counter()
    for row, share in zip(rows, shares, strict=True):
        heights.update(dict.fromkeys(row, share))
    height = (fig.get_figheight() - HEAD) / sum(shares)
    fig.set_figheight(HEAD + height * heights.total())
    return fig.subplot_mosaic([[name] for name in heights], height_ratios=[*heights.values()])


def fold_texts(fig: Figure) -> None:
    """Break long names of rows, titles of panels and names of x axes into lines that fit.

    The figure becomes higher by the lines that are added above and below its panels.
    """
    for ax in fig.axes:
        names = [label.get_text() for label in ax.get_yticklabels()]
        if max(map(len, names), default=0) > ROW_LETTERS:
            ax.set_yticks(ax.get_yticks(), [fill(together(name), ROW_LETTERS) for name in names])
    fig.get_layout_engine().execute(fig)  # hence the size of the axes
    for ax in fig.axes:
        letters = max(int(ax.get_window_extent().width / fig.dpi / LETTER), LEAST_LETTERS)
        lines = together(ax.get_title("left")).splitlines()
        title, label = "\n".join(fill(line, letters) for line in lines), ax.get_xlabel()
        ax.set_title(title, loc="left")
        ax.set_xlabel(fill(together(label), letters))
        if ax.get_subplotspec() and ax.get_subplotspec().is_first_col():
            added = title.count("\n") + ax.get_xlabel().count("\n") - label.count("\n")
            fig.set_figheight(fig.get_figheight() + LINE_HEIGHT * added)


@styled
def no_runs(title: str) -> Figure:
    """Return a figure that says that there is nothing to draw."""
    new = figure(title, height=1.2)
    text = "nothing to show: this configuration has no such runs, or all of them are solved"
    new.text(0.5, 0.4, text, ha="center", va="center", color=MUTED, fontsize=9)
    return new


def entry(look: Look) -> dict:
    """Return keywords of an artist with this look and an entry in the legend."""
    return {"color": look.color, "marker": look.marker, "label": look.label}


def explain(fig: Figure, label: str, area: bool = False, **kwargs) -> None:
    """Add an entry to the legend that explains artists of several colours or panels.

    The entry shows a grey marker or line, or an area. A label appears only once in a legend.
    """
    grey = {"color": MUTED, "ls": "" if "marker" in kwargs else "-"}
    artist = Rectangle((0, 0), 0, 0, **kwargs) if area else Line2D([], [], **grey | kwargs)
    artist.set_label(label)
    fig.add_artist(artist).set_in_layout(False)


def legend(fig: Figure, ends: Mapping = MappingProxyType({})) -> None:
    """Draw a legend below all axes: the labels of artists, then the entries by `explain`.

    The legend has as few rows as its labels allow. No label appears twice. `ends` has lines by
    axes, and by their label: it stands at the right end of the line, or in the legend of a narrow
    figure, which has no room beside its axes.
    """
    if is_narrow():
        for label, line in (item for lines in ends.values() for item in lines.items()):
            line.set_label(label)
    _draw_legend(fig)
    for ax, lines in ends.items():
        if not is_narrow():
            _label_ends(ax, lines)


def _draw_legend(fig):
    drawn = [handle for ax in fig.axes for handle in ax.get_legend_handles_labels()[0]]
    handles = {}
    for handle in (*drawn, *fig.artists):
        handles.setdefault(handle.get_label(), handle)
    if not handles:
        return
    even = [-(-len(handles) // rows) for rows in range(1, len(handles) + 1)]
    fits = (n for n in even if _legend_width(handles, n) < fig.get_figwidth())
    columns = next(fits, 1)
    if is_narrow():
        fig.set_figheight(fig.get_figheight() + LINE_HEIGHT * (len(handles) // columns))
    fig.legend(
        handles=handles.values(),
        loc="outside lower center",
        ncols=columns,
        handlelength=1.8,
        columnspacing=1.4,
    )


def _label_ends(ax, lines):
    """Label lines beside the right end of their axes. Fixes the limits.

    A sample of the line leads from its end to the label, which is as near to the height of the end
    as it can be without overlap.
    """
    ax.set(xlim=ax.get_xlim(), ylim=ax.get_ylim())
    ends = _ends(ax, lines)
    if not ends:
        return
    texts = []
    for label, (*_, fraction) in ends.items():
        options = {"xycoords": "axes fraction", "textcoords": "offset points", "va": "center"}
        texts.append(ax.annotate(label, (1, fraction), (SAMPLE[1] + 4, 0), **options))
    ax.figure.get_layout_engine().execute(ax.figure)  # hence the size of the axes
    extent = ax.get_window_extent()
    width, height = (side * 72 / ax.figure.dpi for side in (extent.width, extent.height))
    fractions = np.array([fraction for *_, fraction in ends.values()])
    heights = _apart(height * fractions, height)
    sample = 1 + np.array([0, SAMPLE[0], sum(SAMPLE) / 2, SAMPLE[1]]) / width
    for label, text, start, y in zip(ends, texts, fractions, heights / height):
        text.xyann = (text.xyann[0], height * (y - start))
        _draw_sample(ax, lines[label], sample, [start, y, y, y])


def _ends(ax, lines):
    """Return the last point of each line and its height in axes fractions, the lowest first.

    Of lines that end at one height, the line that ends first is the highest.
    """
    to_axes, ends = ax.transScale + ax.transLimits, {}
    for label, line in lines.items():
        points = line.get_xydata()
        points = points[np.isfinite(points).all(axis=1)]
        if len(points):
            ends[label] = *points[-1], float(to_axes.transform(points[-1])[1])
    return dict(sorted(ends.items(), key=lambda end: (end[1][2], -end[1][0])))


def _apart(heights, limit):
    """Return sorted heights moved apart by at least a line of text, from 0 to `limit` points.

    The sum of the squares of all moves is the least.
    """
    from scipy.optimize import isotonic_regression

    gaps = np.arange(len(heights)) * 1.25 * mpl.rcParams["font.size"]
    return isotonic_regression(heights - gaps).x.clip(0, limit - gaps[-1]) + gaps


def _draw_sample(ax, line, x, y):
    """Draw a sample of a line from the end of the axes to its label, in fractions of the axes."""
    look = {"color": line.get_color(), "ls": line.get_linestyle(), "lw": line.get_linewidth()}
    look |= {"marker": line.get_marker(), "markevery": [2]}
    ax.add_artist(Line2D(x, y, transform=ax.transAxes, clip_on=False, **look))


def _legend_width(labels, columns):
    """Return an upper bound of the width of a legend in inches. It fills column by column."""
    parts = np.array_split([len(label) for label in labels], columns)
    return sum(LABEL_WIDTH + CHARACTER_WIDTH * part.max() for part in parts)


@styled
def save(fig: Figure, stem, forms: Sequence[str] = FORMATS) -> list[Path]:
    """Write a figure as `stem`.png, .pdf and .svg, with the same bytes each time; return the paths.

    `forms`, or the ending of `stem`, chooses among the formats. Missing folders are created. The
    metadata of a file have the title of the figure.
    """
    if Path(stem).suffix[1:] in FORMATS:
        stem, forms = Path(stem).with_suffix(""), [Path(stem).suffix[1:]]
    Path(stem).parent.mkdir(parents=True, exist_ok=True)
    paths = [Path(f"{stem}.{form}") for form in forms]
    for form, path in zip(forms, paths):
        metadata = METADATA[form] | {"Title": fig.get_suptitle()}
        fig.savefig(path, dpi=PNG_DPI, metadata=metadata)
        if form == "svg":
            path.write_text(path.read_text("utf-8").replace(FONT, FONTS), "utf-8")
        fig.set_layout_engine(None)  # keep the layout: with "none" each form would be drawn twice
    return paths


def write_by_night(svg: Path) -> None:
    """Write NAME.dark.svg for dark pages: light colours become dark, with their hues."""
    text = COLOR.sub(lambda color: to_hex(_by_night(color[0])), svg.read_text("utf-8"))
    svg.with_suffix(".dark.svg").write_text(text, "utf-8")


def _by_night(color):
    hue, lightness, saturation = rgb_to_hls(*to_rgb(color))
    return hls_to_rgb(hue, 1 - DARKEST - (1 - 2 * DARKEST) * lightness, saturation)
