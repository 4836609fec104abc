"""Draw the recorded runs of ACS as a film: film.gif, which plays once, and film.png, its end.

python docs/pictures.py docs/results docs/results/recording.json
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from PIL import Image

from antdoku import papers
from antdoku.figures import style

TITLE = "Best-value evaporation frees a stuck ant colony"
PUZZLE = "ACS, two runs on one 25x25 Sudoku with 45 % of the cells given"
CHOICE = "Of our 100 such puzzles, 42 end like this, 7 the other way round."
WIDTH, HEIGHT, DPI = 4.8, 4.98, 200  # inches; dots per inch: two for each pixel of a README
EDGE, BOARD = 0.08, 2.26  # inches: the margin, the side of a board
FRAME_MS, FIRST_MS, LAST_MS = 50, 800, 2000
VARIANTS = ("acs_no_bve", "acs")  # of the runs, for the colours
COLORS = {
    "given": "#BDBDBD",
    "fixed by the best ant": "#CFE4F3",
    "new value": "#4A9BD0",
    "failed": style.CELL_COLOR,
}


@click.command()
@click.argument("results", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("recording", type=click.File(encoding="utf-8"))
def main(results, recording):
    """Draw film.gif and film.png into the folder of published RESULTS."""
    style.styled(draw)(json.load(recording), results)


def draw(content: dict, folder: Path) -> None:
    """Write the film of recorded runs, a frame for each recorded iteration, and its last frame."""
    picture = pictures(content)
    iterations = sorted({frame["iteration"] for run in content["runs"] for frame in run["frames"]})
    last = picture(iterations[-1])
    last.save(folder / "film.png", optimize=True)
    palette = last.quantize(64, method=Image.Quantize.FASTOCTREE)
    first, *rest = [picture(mark).quantize(palette=palette, dither=0) for mark in iterations]
    durations = [FIRST_MS, *[FRAME_MS] * (len(rest) - 1), LAST_MS]
    first.save(folder / "film.gif", save_all=True, append_images=rest, duration=durations)


def pictures(content: dict) -> Callable[[int], Image.Image]:
    """Return the function that draws the state after an iteration."""
    fig = Figure(figsize=(WIDTH, HEIGHT), dpi=DPI)
    canvas, runs = FigureCanvasAgg(fig), content["runs"]
    for top, text, look in (
        (EDGE, TITLE, {"size": 12, "weight": "bold"}),
        (0.33, PUZZLE, {"size": 9}),
        (3.55, "failed cells of the best grid, by iteration (log scale)", {"size": 9}),
        (4.74, CHOICE, {"size": 9}),
    ):
        fig.text(EDGE / WIDTH, 1 - top / HEIGHT, text, va="top", **look)
    colors = [papers.variants()[variant].color for variant in VARIANTS]
    lefts = [EDGE, WIDTH - EDGE - BOARD]
    boards = [
        Board(fig, content["puzzle"], *part) for part in zip(runs, colors, lefts, strict=True)
    ]
    curves = _curves(fig, runs, colors)
    _key(fig)

    def picture(iteration):
        for part in (*boards, *curves):
            part.show(iteration)
        canvas.draw()
        return Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")

    return picture


def _axes(fig, left, top, width, height):
    """Return axes at a place in inches."""
    box = (left / WIDTH, 1 - (top + height) / HEIGHT, width / WIDTH, height / HEIGHT)
    return fig.add_axes(box)


def _until(run, iteration):
    """Return the frames of a run up to an iteration."""
    return [frame for frame in run["frames"] if frame["iteration"] <= iteration]


class Board:
    """A run as a board of squares, below its title and its state."""

    def __init__(self, fig, puzzle, run, color, left):
        self.run, self.color, self.size = run, color, puzzle["order"] ** 2
        top, x = 0.95, left / WIDTH
        fig.text(x, 1 - 0.57 / HEIGHT, run["title"], size=9, weight="bold", color=color, va="top")
        self.state = fig.text(x, 1 - 0.75 / HEIGHT, "", size=9, va="top")
        self.ax = _axes(fig, left, top, BOARD, BOARD)
        self.ax.set(xticks=[], yticks=[], xlim=(0, self.size), ylim=(self.size, 0))
        self.ax.grid(False)
        self.is_given = np.array(puzzle["givens"]) > 0
        self.image = self.ax.imshow(np.zeros((1, 1, 3)), extent=(0, self.size, self.size, 0))
        (self.failed,) = self.ax.plot([], [], "s", color=COLORS["failed"], ms=7.5, mew=0, zorder=4)
        for line in range(self.size + 1):
            is_edge = line % puzzle["order"] == 0
            look = {"color": style.INK, "lw": 0.7} if is_edge else {"color": "white", "lw": 0.5}
            self.ax.axhline(line, **look)
            self.ax.axvline(line, **look)

    def show(self, iteration):
        """Show the best grid after an iteration."""
        frame = _until(self.run, iteration)[-1]
        given, fixed, new, _ = map(to_rgb, COLORS.values())
        cells = np.where(self.is_given[:, None], given, fixed)
        if frame["iteration"] == iteration:
            cells[frame["changed"]] = new
        self.image.set_data(cells.reshape(self.size, self.size, 3))
        y, x = np.divmod(frame["failed"], self.size)
        self.failed.set_data(x + 0.5, y + 0.5)
        is_last = frame is self.run["frames"][-1]
        self.state.set_text(_state(frame, is_last))
        frame_look = {"color": style.INK, "linewidth": 0.7}
        if not frame["failed"]:
            frame_look = {"color": self.color, "linewidth": 2.5}
        self.ax.spines[:].set(visible=True, zorder=5, **frame_look)


def _state(frame, is_last):
    """Return the state of a run in words."""
    n_failed, iterations = len(frame["failed"]), f"{frame['iteration']:,} iterations"
    if not n_failed:
        return f"complete after {iterations}"
    words = f"{n_failed} failed cell{'' if n_failed == 1 else 's'}"
    return f"{words} after {iterations}" if is_last else words


@dataclass
class Curve:
    """The failed cells of the best grid of a run."""

    run: dict
    line: Line2D
    end: Line2D

    def show(self, iteration):
        """Draw the curve up to an iteration."""
        before = _until(self.run, iteration)
        x = [frame["iteration"] for frame in before]
        y = [len(frame["failed"]) for frame in before]
        self.line.set_data(x, y)
        self.end.set_data(x[-1:], y[-1:])


def _curves(fig, runs, colors):
    """Return the curves of all runs, in axes that fit the longest."""
    ax = _axes(fig, 0.3, 3.78, WIDTH - 0.55, 0.68)
    n_most = max(len(frame["failed"]) for run in runs for frame in run["frames"])
    last = max(run["frames"][-1]["iteration"] for run in runs)
    ax.set(xscale="log", xlim=(0.95, last), ylim=(0, n_most + 1), yticks=[0, 10])
    ax.set_xticks([1, 10, 100, 1000, 10_000], ["1", "10", "100", "1,000", "10,000"])
    ax.tick_params(labelsize=9)
    ax.minorticks_off()
    curves = []
    for run, color in zip(runs, colors):
        look = {"color": color, "clip_on": False}
        (line,) = ax.plot([], [], drawstyle="steps-post", lw=1.8, **look)
        (end,) = ax.plot([], [], "o", ms=5, **look)
        curves.append(Curve(run, line, end))
    return curves


def _key(fig):
    """Draw the key of the squares below the boards."""
    squares = [Patch(color=color, label=label) for label, color in COLORS.items()]
    corner = {"loc": "upper left", "bbox_to_anchor": (0.0, 1 - 3.24 / HEIGHT)}
    look = {"ncols": 4, "fontsize": 9, "handlelength": 1, "handleheight": 1, "borderpad": 0}
    fig.legend(handles=squares, columnspacing=1.4, handletextpad=0.5, **corner, **look)


if __name__ == "__main__":
    main()
