"""Draw a recorded run of ACS as an animation.

python docs/pictures.py docs/results docs/results/recording.json
"""

import json
from pathlib import Path

import click
import numpy as np
from matplotlib.animation import FuncAnimation, PillowWriter
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from antdoku.figures import style

SECONDS, DPI = 0.7, 80  # duration of a frame of the run; dots per inch
REPEATED = 4  # frames that show the solution at the end


@click.command()
@click.argument("results", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("recording", type=click.File(encoding="utf-8"))
def main(results, recording):
    """Draw player.gif into the folder of published RESULTS."""
    play(json.load(recording), results / "player.gif")


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
