"""Draw the two pictures of the README: verdicts with success at 25 x 25, and a run of ACS.

python docs/pictures.py docs/results docs/results/recording.json
"""

import json
from pathlib import Path

import click
import numpy as np
import pandas as pd
from matplotlib.animation import FuncAnimation, PillowWriter
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from antdoku.claims import VERDICTS
from antdoku.figures import panels, style

SHOWN = (0.3, 0.55)  # fixed fractions
GREY = style.VERDICT_COLORS[-1]
LOOKS = [{"color": color, "edgecolor": color} for color in style.VERDICT_COLORS]
LOOKS += [{"color": "white", "edgecolor": GREY, "hatch": "/////"}]  # as on the pages
SECONDS, DPI = 0.7, 80  # duration of a frame of the run; dots per inch
REPEATED = 4  # frames that show the solution at the end


@click.command()
@click.argument("results", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("recording", type=click.File(encoding="utf-8"))
def main(results, recording):
    """Draw overview.png and player.gif into the folder of published RESULTS."""
    style.styled(overview(results).savefig)(
        results / "overview.png", dpi=200, metadata={"Software": None}
    )
    play(json.load(recording), results / "player.gif")


@style.styled
def overview(results: Path) -> Figure:
    """Draw the verdicts of record, and success printed and ours, from the published tables."""
    counts = pd.read_csv(results / "claims.csv")["verdict"].value_counts()
    table = pd.read_csv(results / "archive" / "tables" / "lloyd_amos_fig7.csv")
    fig = style.figure(f"{counts.sum()} claims of six papers", 6.0, 3.9)
    bar, below = fig.subplots(2, height_ratios=(1, 6))
    left = 0
    for verdict, look in zip(VERDICTS, LOOKS, strict=True):
        number = counts.get(verdict, 0)
        bar.barh(0, number, left=left, label=verdict, **look)
        if number:
            bar.text(left + number / 2, 0, str(number), ha="center", va="center", weight="bold")
        left += number
    bar.set(xlim=(0, left), yticks=[], xticks=[])
    bar.spines[:].set_visible(False)
    bar.grid(visible=False)
    bar.legend(loc="upper left", bbox_to_anchor=(-0.01, -0.05), ncols=5, handlelength=1.0)
    looks = style.looks_of(table["variant"])
    for _, look, rows in style.series(table[table["fixed_fraction"].between(*SHOWN)], looks):
        x = 100 * rows["fixed_fraction"]
        below.plot(x, 100 * rows["success_rate"], **style.entry(look))
        panels.open_markers(below, x, 100 * rows["journal_success_rate"], "journal", look.color)
    below.set_title("Lloyd & Amos, Figure 7: solved of the authors' random 25 × 25 puzzles")
    below.set(ylim=(-4, 104), ylabel="Solved (%)", xlabel="Fixed cells (%)")
    handles, labels = below.get_legend_handles_labels()
    printed = fig.artists[0]
    below.legend(
        [*handles, printed], [*(f"{label}, ours" for label in labels), printed.get_label()]
    )
    return fig


def play(recording: dict, path: Path) -> None:
    """Draw the iterations of a recorded run of ACS as an animated GIF."""
    fig = Figure(figsize=(4.4, 4.8), layout="constrained")
    ax, last = fig.subplots(), len(recording["iterations"])
    frames = [*range(1, last + 1), *[last] * (REPEATED - 1)]
    animation = FuncAnimation(
        fig, lambda k: _draw(ax, recording, k), frames, init_func=lambda: None
    )
    style.styled(animation.save)(path, PillowWriter(fps=1 / SECONDS), dpi=DPI)


def _draw(ax, content, k):
    """Draw the grid after iteration `k`: the candidates, their pheromone, the best ant's choice."""
    puzzle, now = content["puzzle"], content["iterations"][k - 1]
    order, is_over = puzzle["order"], k == len(content["iterations"])
    size = order**2
    levels = np.array([int(level, 36) for level in now["tau"]]).reshape(-1, size)
    ax.clear()
    ax.set(xlim=(0, size), ylim=(size, 0), aspect="equal", xticks=[], yticks=[])
    state = "solved" if is_over else f"the best ant fixes {max(now['ants'])} cells"
    ax.set_title(f"Iteration {k} of {len(content['iterations'])}: {state}", fontsize=10)
    for line in range(size + 1):
        look = {"color": style.INK if line % order == 0 else "#C8C8C8", "lw": 0.6}
        ax.axhline(line, **look)
        ax.axvline(line, **look)
    for cell, (given, candidates) in enumerate(zip(puzzle["givens"], content["candidates"])):
        y, x = divmod(cell, size)
        middle = {"ha": "center", "va": "center"}
        if given or len(candidates) == 1 or is_over:
            value = given or now["grid"][cell]
            color = style.INK if given else style.DEDUCED_COLOR
            ax.text(x + 0.5, y + 0.5, str(value), fontsize=13, color=color, **middle)
            continue
        for value in candidates:
            row, column = divmod(value - 1, order)
            left, top = x + column / order, y + row / order
            share = levels[cell, value - 1] / (content["tau"]["levels"] - 1)
            third = {"width": 1 / order, "height": 1 / order, "lw": 0}
            ax.add_patch(Rectangle((left, top), fc="#E69F00", alpha=share, **third))
            is_chosen = now["grid"][cell] == value
            look = {"weight": "bold", "color": style.INK} if is_chosen else {"color": style.MUTED}
            center = left + 0.5 / order, top + 0.5 / order
            ax.text(*center, str(value), fontsize=5.5, **middle, **look)


if __name__ == "__main__":
    main()
