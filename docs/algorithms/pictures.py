"""Draw a step of each algorithm on a small puzzle: the pictures of the pages in this folder.

python docs/algorithms/pictures.py docs/algorithms

The naive twins of the solvers (tests/naive) do the steps.
"""

import sys
from pathlib import Path
from random import Random

import click
import numpy as np
from matplotlib.patches import Rectangle

sys.path.append(str(Path(__file__).parents[2] / "tests"))

from naive import ac3_cuckoo as naive_cuckoo
from naive import ga as naive_ga
from naive import ils as naive_ils
from naive.ac3_tabu import Ac3Tabu
from naive.authors_propagation import propagate, set_cell
from naive.cdcl import Cdcl
from naive.exact_cover import items
from naive.grid import ac3, domains_of, settle, units
from naive.sa import Sa
from naive.tabu_col import TabuCol

import antdoku
from antdoku import solvers
from antdoku.budget import Budget
from antdoku.figures import style
from antdoku.kernels.closure import closure
from antdoku.kernels.randomness import kernel_state
from antdoku.outcome import SOLVED
from antdoku.solvers import auto as auto_solver
from antdoku.solvers.cdcl import clauses

EMPTY = "1.....2........."  # has many solutions
CHOICE, FAULT = "#F5CF7A", "#F3B7A0"  # shades of a cell that is chosen, and of a cell at fault
TABU = "#B9DAEE"  # shade of a cell whose value is tabu
PARENTS = ("#CFE4F3", "#8FCDB4")  # shades of two parents
KINDS = ("cell", "column", "row", "box")  # of the columns of DLX, from left to right
FOLLOWS = "#CFE4F3"  # shade of a cell that follows from others
WIDTH, BOARD = 3.75, 1.62  # inches: of a picture for phones; the side of a board
HEAD, ROW, COLUMN = 0.7, 2.3, 1.88  # inches: above the first board; from one board to the next
SMALL = 7.5  # points: candidates; 10 pixels
CROSS = "×: no value left"
# For each part of `auto`: steps that take about as long, their name, a colour.
SEARCHES = {
    "bs_closure": (auto_solver.TRIES, "tries", style.MUTED),
    "tabu_col": (auto_solver.MOVES, "moves", style.DEDUCED_COLOR),
    "cdcl": (auto_solver.CONFLICTS, "conflicts", style.CELL_COLOR),
}
PICTURES = {}


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(folder):
    """Write NAME.svg for each algorithm into FOLDER."""
    for name, draw in PICTURES.items():
        style.save(draw(), folder / f"{name}.svg")


def picture(draw):
    """Register a function that returns a figure; its name is the name of the page."""
    PICTURES[draw.__name__] = style.styled(draw)
    return draw


# --- Tools ---------------------------------------------------------------------------------------


def boards(title, number):
    """Return a figure and its axes, two in a row, each with room for its texts."""
    height = HEAD + ROW * (number // 2) - 0.08
    fig = style.figure(title, WIDTH, height)
    fig.set_layout_engine("none")
    axes = []
    for index in range(number):
        left = style.MARGIN + COLUMN * (index % 2)
        bottom = height - HEAD - ROW * (index // 2) - BOARD
        box = left / WIDTH, bottom / height, BOARD / WIDTH, BOARD / height
        axes.append(fig.add_axes(box))
    return fig, axes


def params_of(solver, **values):
    return solvers.get(solver).Params(**values)


def random_of(seed):
    return kernel_state(np.random.default_rng(seed))


def givens_of(puzzle):
    return set(np.flatnonzero(puzzle.givens).tolist())


def name_of(cell):
    """Return the name of a cell of a 4x4 grid, such as r1c3."""
    return f"r{cell // 4 + 1}c{cell % 4 + 1}"


def sets_of(values):
    """Return a set for each value; None for 0, a blank."""
    return [{int(value)} if value else None for value in values]


def draw_grid(ax, title, cells, givens, note="", shades=None, margins=False):
    """Draw a grid, with its title above and a note below it.

    `cells` are sets: of one value, of candidates, or empty (drawn as a cross); None is a blank.
    `givens` are bold. `shades` maps cells to colours. With `margins` numbers beside the
    rows and columns count their absent values.
    """
    size = round(len(cells) ** 0.5)
    end = size * (1.16 if margins else 1.02)
    ax.set(xlim=(-0.02 * size, end), ylim=(end, -0.02 * size), aspect="equal")
    ax.set_title(title)
    ax.axis("off")
    write_note(ax, note)
    for cell, shade in (shades or {}).items():
        ax.add_patch(Rectangle((cell % size, cell // size), 1, 1, fc=shade, lw=0, zorder=1))
    for line in range(size + 1):
        is_thick = line % round(size**0.5) == 0
        look = {"lw": 1.2, "color": style.INK} if is_thick else {"lw": 0.5, "color": style.MUTED}
        ax.hlines(line, 0, size, **look)
        ax.vlines(line, 0, size, **look)
    for cell, values in enumerate(cells):
        if values is not None:
            write_cell(ax, cell, values, size, cell in givens)
    if margins:
        write_margins(ax, cells, size)


def write_note(ax, note):
    """Write lines below a board."""
    ax.text(0.01, -0.03, note, va="top", linespacing=1.35, transform=ax.transAxes)


def write_cell(ax, cell, values, size, is_given):
    """Write the value of a cell, or its candidates, each at its own place."""
    x, y, order = cell % size, cell // size, round(size**0.5)
    middle = {"ha": "center", "va": "center_baseline"}
    if len(values) > 1:
        for value in values:
            row, column = divmod(value - 1, order)
            position = x + 0.1 + 0.8 * (column + 0.5) / order, y + 0.12 + 0.8 * (row + 0.5) / order
            ax.text(*position, value, fontsize=SMALL, color=style.MUTED, **middle)
        return
    look = {"color": style.INK, "weight": "bold"} if is_given else {"color": style.DEDUCED_COLOR}
    if not values:
        look = {"color": style.CELL_COLOR, "weight": "bold"}
    ax.text(x + 0.5, y + 0.53, *(values or "×"), fontsize=13 - 0.7 * size, **look, **middle)


def write_margins(ax, cells, size):
    """Write the number of absent values beside each row and column."""
    look = {"ha": "center", "va": "center_baseline", "color": style.CELL_COLOR}
    for line in range(size):
        row = set().union(*cells[line * size : (line + 1) * size])
        column = set().union(*cells[line::size])
        ax.text(size + 0.35, line + 0.53, size - len(row), **look)
        ax.text(line + 0.5, size + 0.4, size - len(column), **look)


# --- Propagation ---------------------------------------------------------------------------------


@picture
def propagation():
    """Three propagations: each finds one more hidden single than the one before."""
    (puzzle,) = antdoku.read("...11........31.")
    givens, naked = givens_of(puzzle), ac3(2, domains_of(2, puzzle.givens))
    weaker, complete = propagate(2, puzzle.givens), settle(2, propagate(2, puzzle.givens))
    (first,), (cell,) = new_cells(naked, weaker), new_cells(weaker, complete)
    (value,), shades = complete[cell], {first: FOLLOWS, cell: CHOICE}
    title = f"The authors' propagation overlooks a hidden single: {name_of(cell)} = {value}"
    fig, axes = boards(title, 4)
    note = f"{len(givens)} givens;\nall other cells are open"
    draw_grid(axes[0], "(a) puzzle", sets_of(puzzle.givens), givens, note)
    n_naked = sum(map(is_set, naked)) - len(givens)
    note = f"values leave the peers;\nnaked singles: {n_naked or 'none'}"
    draw_grid(axes[1], "(b) AC3", naked, givens, note)
    note = f"sets {name_of(first)}; {line_of(weaker, cell, value)} has no\n"
    note += f"other place for {value} than {name_of(cell)}"
    draw_grid(axes[2], "(c) authors' propagation", weaker, givens, note, shades)
    note = f"sets {name_of(cell)} = {value}, too"
    draw_grid(axes[3], "(d) complete", complete, givens, note, shades)
    return fig


def is_set(values):
    return len(values) == 1


def new_cells(before, after):
    """Return the cells that are open before, and set after."""
    return [cell for cell in range(16) if is_set(after[cell]) and not is_set(before[cell])]


def line_of(candidates, cell, value):
    """Return the row or column in which only this cell can have the value."""
    row, column = divmod(cell, 4)
    names = {f"row {row + 1}": units(2)[row], f"column {column + 1}": units(2)[4 + column]}
    cells = {name: [k for k in unit if value in candidates[k]] for name, unit in names.items()}
    return next(name for name in names if cells[name] == [cell])


# --- Search by construction ----------------------------------------------------------------------


@picture
def acs():
    """An ant walks over a puzzle."""
    (puzzle,), random = antdoku.read("....1.....4..1.."), Random(31)
    candidates, start = propagate(2, puzzle.givens), 3
    (fig, axes), chosen, first = boards("", 6), [], sorted(candidates[start])
    note = f"the ant goes row by row from\n{name_of(start)}; all pheromone is 1/16"
    draw_grid(axes[0], "(a) after propagation", candidates, givens_of(puzzle), note)
    for cell in [*range(start, 16), *range(start)]:
        if len(candidates[cell]) > 1:
            value = random.choice(sorted(candidates[cell]))
            set_cell(2, candidates, cell, value)
            chosen.append(cell)
            title = f"({'abcd'[len(chosen)]}) choice {len(chosen)}: {name_of(cell)} = {value}"
            ax, shades = axes[len(chosen)], {cell: CHOICE}
            draw_grid(ax, title, candidates, givens_of(puzzle), shades=shades)
    f = sum(map(bool, candidates))
    deposit = f"16 / (16 − {f}) = {16 / (16 - f):g}"
    axes[2].texts[0].set_text(CROSS)
    ax.texts[0].set_text(f"f = {f} cells are fixed:\nΔτ = {deposit}")
    style.set_title(fig, f"ACS: an ant fixes {f} of 16 cells, so Δτ = {16 / (16 - f):g}")
    (value,) = candidates[start]
    draw_deposit(axes[4:], start, first, value, 16 / (16 - f))
    return fig


def draw_deposit(axes, cell, values, best, delta):
    """Draw the pheromone of a cell before and after the deposit `delta` on the value `best`."""
    before = dict.fromkeys(values, 1 / 16)
    after = before | {best: 0.1 / 16 + 0.9 * delta}  # equation 6
    share = after[best] / sum(after.values())
    note = f"each value of {name_of(cell)} has\nthe pheromone 1/16"
    draw_pheromone(axes[0], "(e) pheromone before", before, note)
    note = f"a draw in proportion takes\nvalue {best} with probability {share:.2f}"
    draw_pheromone(axes[1], "(f) pheromone after", after, note)


def draw_pheromone(ax, title, pheromone, note):
    """Draw a bar for the pheromone of each value of a cell, in the size of a 4x4 grid."""
    ax.set(title=title, xlim=(-0.08, 4.08), ylim=(4.08, -0.08), aspect="equal")
    ax.axis("off")
    ax.hlines(3.4, 0, 4, lw=0.5, color=style.MUTED)
    for x, (value, amount) in enumerate(pheromone.items()):
        height = amount * 0.38
        ax.add_patch(Rectangle((x + 0.2, 3.4 - height), 0.6, height, fc=style.DEDUCED_COLOR))
        label = f"{amount:.1f}" if amount > 1 else f"{amount:.2f}"
        ax.text(x + 0.5, 3.3 - height, label, ha="center")
        ax.text(x + 0.5, 3.5, value, ha="center", va="top")
    write_note(ax, note)


@picture
def bs():
    """A choice is refuted, the next one solves the puzzle."""
    (puzzle,) = antdoku.read("..2...4.3......4")
    root = propagate(2, puzzle.givens)
    sizes = [len(values) for values in root]
    cell = sizes.index(min(size for size in sizes if size > 1))
    fig, axes = boards("BS: the first value fails, the second does not", 4)
    shades = {cell: CHOICE}
    note = f"{name_of(cell)} is the first cell\nwith fewest candidates"
    draw_grid(axes[0], "(a) after propagation", root, givens_of(puzzle), note, shades)
    for ax, letter, value in zip(axes[1:3], "bc", sorted(root[cell]), strict=True):
        candidates = draw_try(ax, letter, root, cell, value, givens_of(puzzle))
    sizes = [len(values) for values in candidates]
    cell = sizes.index(min(size for size in sizes if size > 1))
    draw_try(axes[3], "d", candidates, cell, min(candidates[cell]), givens_of(puzzle))
    return fig


def draw_try(ax, letter, before, cell, value, givens):
    """Draw the grid after a try of BS; return its candidates."""
    candidates = [set(values) for values in before]
    set_cell(2, candidates, cell, value)
    note = "each cell has a candidate:\nchoose the next cell"
    if not all(candidates):
        note = f"{CROSS}:\ngo back, try the next value"
    elif all(len(values) == 1 for values in candidates):
        note = "no cell is open: solved"
    title = f"({letter}) try {name_of(cell)} = {value}"
    draw_grid(ax, title, candidates, givens, note, {cell: CHOICE})
    return candidates


@picture
def ac3_tabu():
    """The best grid gets one more feature: two candidates, of which one is taken."""
    (puzzle,) = antdoku.read(EMPTY)
    search, givens = Ac3Tabu(puzzle, params_of("ac3_tabu"), random_of(0)), givens_of(puzzle)
    fig, axes = boards("AC3-tabu takes the candidate with fewer open cells", 4)
    candidates = []
    n_open = sum(len(values) > 1 for values in search.best)
    draw_grid(axes[0], "(a) best grid", search.best, givens, f"cost {n_open}: open cells")
    for ax, letter in zip(axes[1:], "bc"):
        cell, value = search.spin(sum(search.weights()))
        candidate, filled = search.fill(cell, value)
        candidates.append((candidate, filled))
        title = f"({letter}) feature {name_of(cell)} = {value}"
        note = f"AC3 fills {len(filled) - 1} more cells:\ncost {n_open - len(filled)}"
        draw_grid(ax, title, candidate, givens, note, {cell: CHOICE})
    candidate, filled = max(candidates, key=lambda pair: len(pair[1]))
    note = "the values of the shaded\ncells become tabu"
    draw_grid(axes[3], "(d) next best grid", candidate, givens, note, dict.fromkeys(filled, TABU))
    return fig


@picture
def dlx():
    """A column is covered, then the other columns of one of its options."""
    (puzzle,) = antdoku.read("...22..31234..21")
    options, columns = matrix_of(puzzle)
    smallest = min(columns, key=lambda item: len(columns[item]))
    option = columns[smallest][0]
    # The solver covers the smallest column first, then the others of the option.
    covered = [smallest, *(item for item in items(puzzle, *option) if item != smallest)]
    fig = style.figure("DLX: a column with the fewest options comes first", WIDTH, 7.7)
    axes = fig.subplots(3, 1, height_ratios=[5, 5, 2.6])
    title = f"(a) cover {label_of(smallest)} (shaded): its options\n"
    title += "leave the other columns (hollow)"
    draw_matrix(axes[0], title, columns, options, covered[:1])
    title = f"(b) try {name_of(option[0])} = {option[1]}: cover its columns\n"
    title += "(shaded); blue: options that are left"
    draw_matrix(axes[1], title, columns, options, covered)
    gone = {option for item in covered for option in columns[item]}
    for item, nodes in columns.items():
        if item not in covered and [node in gone for node in nodes] == [False, True, False]:
            draw_dance(axes[2], item, nodes)
            return fig


def matrix_of(puzzle):
    """Return the options of a puzzle, and for each column its options."""
    allowed = naive_ils.open_candidates(2, puzzle.givens.tolist())
    options = [(cell, value) for cell in sorted(allowed) for value in sorted(allowed[cell])]
    columns = {}
    for option in options:
        for item in items(puzzle, *option):
            columns.setdefault(item, []).append(option)
    return options, dict(sorted(columns.items(), key=lambda column: rank_of(column[0])))


def draw_dance(ax, item, nodes):
    """Draw the links of three nodes of a column: at first, after the middle one left, and back."""
    ax.set(xlim=(-0.1, 3.9), ylim=(2.5, -0.85))
    ax.set_title(f"(c) the links of {label_of(item)}, down and up")
    ax.axis("off")
    for x, title in ((1, "at first"), (2.1, "x has left"), (3.2, "x is back")):
        is_gone = title == "x has left"
        ax.text(x, -0.5, title, ha="center")
        links = [(1, 2), (1, 0), (0, 2), (2, 0)] if is_gone else [(0, 1), (1, 2), (1, 0), (2, 1)]
        for start, end in links:
            draw_link(ax, x, start, end)
        for y in range(3):
            fill = "white" if is_gone and y == 1 else style.DEDUCED_COLOR
            ax.plot(x, y, "o", ms=7, mfc=fill, mec=style.DEDUCED_COLOR)
    for y, (cell, value) in enumerate(nodes):
        label = f"{name_of(cell)} = {value}"
        ax.text(0, y, f"{label}: x" if y == 1 else label, va="center")


def draw_link(ax, x, start, end):
    """Draw an arrow between two nodes: down at the right, up at the left."""
    x += 0.09 if end > start else -0.09
    arrow = {"arrowstyle": "->", "color": style.INK, "lw": 0.8, "shrinkA": 3, "shrinkB": 3}
    if abs(end - start) == 2:
        arrow["connectionstyle"] = "arc3,rad=-0.5"
    ax.annotate("", (x, end), (x, start), arrowprops=arrow)


def rank_of(item):
    """Return a key that sorts columns as the solver does."""
    kind, number, *value = item
    return KINDS.index(kind), *(divmod(number, 4)[::-1] if kind == "cell" else (number, *value))


def label_of(item):
    """Return r1c2 for a cell, r1=4 for the row that needs a 4, and so on."""
    return name_of(item[1]) if item[0] == "cell" else f"{item[0][0]}{item[1] + 1}={item[2]}"


def draw_matrix(ax, title, columns, options, covered):
    """Draw the nodes of all options after the columns `covered` are covered, in this order.

    The nodes that leave their lists are hollow; the nodes that stay in a covered column are grey.
    """
    gone, stay = set(), set()
    for item in covered:
        stay |= {(item, option) for option in columns[item] if option not in gone}
        gone |= set(columns[item])
    ax.set(title=title, xlim=(-0.6, len(columns) - 0.4), ylim=(len(options) - 0.4, -0.6))
    names = [label_of(item) if item in covered else "" for item in columns]
    ax.set_xticks(range(len(columns)), names, rotation=90)
    labels = [f"{name_of(cell)} = {value}" for cell, value in options]
    ax.set_yticks(range(len(options)), labels)
    ax.tick_params(length=0, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)
    write_kinds(ax, [item[0] for item in columns], len(options))
    for x, (item, members) in enumerate(columns.items()):
        if item in covered:
            ax.axvspan(x - 0.45, x + 0.45, fc=CHOICE, lw=0, zorder=0)
        for option in members:
            edge = style.MUTED if (item, option) in stay else style.DEDUCED_COLOR
            fill = "white" if option in gone and (item, option) not in stay else edge
            ax.plot(x, options.index(option), "o", ms=4, mfc=fill, mec=edge, mew=0.8)


def write_kinds(ax, kinds, bottom):
    """Write each kind of columns below them, and draw lines between the kinds."""
    for kind in KINDS:
        first, count = kinds.index(kind), kinds.count(kind)
        middle = first + (count - 1) / 2
        ax.text(middle, bottom - 0.2, kind, ha="center", va="top")
        if first:
            ax.axvline(first - 0.5, color=style.MUTED, lw=0.5)


# --- Search by repair ----------------------------------------------------------------------------


@picture
def sa():
    """Two swaps: one lowers the cost, the other one raises it."""
    (puzzle,) = antdoku.read(EMPTY)
    search, givens = Sa(2, puzzle.givens, params_of("sa"), random_of(2)), givens_of(puzzle)
    steps = search.steps()
    next(steps)  # the grid is filled
    values, cost = search.values, search.cost
    fig, axes = boards("SA: better swaps are accepted, worse by chance", 4)
    note = f"cost {cost}: the values absent\nfrom rows and columns"
    draw_grid(axes[0], "(a) filled at random", sets_of(values), givens, note, margins=True)
    pairs = [
        (cell, partner) for box in search.boxes for cell in box for partner in box if cell < partner
    ]
    deltas = {pair: naive_ils.cost(2, naive_ils.swapped(values, *pair)) - cost for pair in pairs}
    notes = "δ = −{}: accepted", "δ = +{0}: accepted with\nprobability exp(−{0} / t)"
    for ax, letter, choose, note in zip(axes[1:3], "bc", (min, max), notes, strict=True):
        pair = choose(deltas, key=deltas.get)
        title = f"({letter}) swap {' and '.join(map(name_of, pair))}"
        after, shades = sets_of(naive_ils.swapped(values, *pair)), dict.fromkeys(pair, CHOICE)
        note = note.format(abs(deltas[pair]))
        draw_grid(ax, title, after, givens, note, shades, margins=True)
    note = f"{len(list(steps)) + 1} proposed swaps later:\nsolved"
    draw_grid(axes[3], "(d) at the end", sets_of(search.values), givens, note, margins=True)
    return fig


@picture
def ils():
    """A round: local search, perturbation, a forward check without success."""
    (puzzle,) = antdoku.read(EMPTY)
    params = params_of("ils", patience=3, reset=0.2, node_limit=1000)
    search, fault = naive_ils.Ils(puzzle, params, random_of(5)), "shaded: free, in conflict"
    naive_ils.fill(2, search.values, search.random)
    locked, free = {*range(16)} - {*search.free}, search.free
    fig, axes = boards("ILS: a round empties cells and fills them at random", 4)
    note = f"cost {naive_ils.cost(2, search.values)}: values absent;\n{fault}"
    shades = dict.fromkeys(naive_ils.conflicts(2, search.values, free), FAULT)
    draw_grid(axes[0], "(a) filled at random", sets_of(search.values), locked, note, shades)
    list(search._local_search())
    shades = dict.fromkeys(naive_ils.conflicts(2, search.best, free), FAULT)
    note = f"cost {naive_ils.cost(2, search.best)}, the least of\nthis local search"
    draw_grid(axes[1], "(b) after some swaps", sets_of(search.best), locked, note, shades)
    search._perturb()
    shades = dict.fromkeys((cell for cell in free if not search.values[cell]), CHOICE)
    note = f"{len(shades)} cells are emptied: all in\nconflict, and some others"
    draw_grid(axes[2], "(c) perturbation", sets_of(search.values), locked, note, shades)
    n_nodes = len(list(search._forward_check()))
    naive_ils.fill(2, search.values, search.random)
    cost = naive_ils.cost(2, search.values)
    note = f"{n_nodes} nodes find no completion,\nso values are drawn; cost {cost}"
    draw_grid(axes[3], "(d) filled at random again", sets_of(search.values), locked, note, shades)
    return fig


@picture
def ga():
    """A child gets each box from one of two parents; then it is mutated."""
    (puzzle,) = antdoku.read(EMPTY)
    twin, givens = naive_ga.Ga(puzzle, params_of("ga"), random_of(12)), givens_of(puzzle)
    parents = [twin._random_individual(0).values for _ in range(2)]
    fig, axes = boards("GA: a child takes whole boxes of its parents", 4)
    child, shades = [0] * 16, {}
    for box, parent in zip(twin.boxes, (0, 1, 1, 0), strict=True):
        for cell in box:
            child[cell], shades[cell] = parents[parent][cell], PARENTS[parent]
    for ax, title, values, shade in zip(axes, ("(a) mother", "(b) father"), parents, PARENTS):
        note, all_cells = faults_of(values), dict.fromkeys(range(16), shade)
        draw_grid(ax, title, sets_of(values), givens, note, all_cells)
    draw_grid(axes[2], "(c) child", sets_of(child), givens, faults_of(child), shades)
    mutated = twin._mutated(child)
    moved = {cell: CHOICE for cell in range(16) if mutated[cell] != child[cell]}
    note = f"three swaps in one box:\n{faults_of(mutated)}"
    draw_grid(axes[3], "(d) mutated", sets_of(mutated), givens, note, moved)
    return fig


def faults_of(values):
    return f"faults: {naive_ga.faults(2, values) // 2}"


@picture
def ac3_cuckoo():
    """Each row of a nest takes values of the best nest, by exchanges inside the row."""
    (puzzle,) = antdoku.read(EMPTY)
    params = params_of("ac3_cuckoo", nests=6)
    twin, givens = naive_cuckoo.Cuckoo(puzzle, params, random_of(4)), givens_of(puzzle)
    best = twin.nests[twin.best]
    nest = max(twin.nests, key=lambda rows: naive_cuckoo.cost(2, rows))
    cuts = [sorted(twin._draw_two(4)) for _ in nest]
    rows = zip(nest, best, cuts, twin.domains, strict=True)
    child = [naive_cuckoo.pmx(row, of_best, *cut, domains) for row, of_best, cut, domains in rows]
    between = [4 * row + k for row, (low, high) in enumerate(cuts) for k in range(low, high + 1)]
    fig, axes = boards("AC3-cuckoo: a nest takes parts of the best one", 4)
    grids = {"(a) nest": nest, "(b) best nest": best, "(c) child": child}
    notes = "", "; shaded: between\nthe two cuts of each row", "; rows are still\npermutations"
    for ax, text, (title, grid) in zip(axes, notes, grids.items()):
        cells = sets_of(value for row in grid for value in row)
        note, shades = f"cost {naive_cuckoo.cost(2, grid)}{text}", dict.fromkeys(between, CHOICE)
        draw_grid(ax, title, cells, givens, note, shades if grid is not nest else None)
    draw_exchanges(axes[3], nest[2], best[2], cuts[2], twin.domains[2])
    return fig


def draw_exchanges(ax, row, of_best, cut, domains):
    """Draw row 3 of a nest, of the best nest, and of the child after each exchange."""
    rows, labels = [row, of_best], ["nest", "best nest"]
    for column in range(cut[0], cut[1] + 1):
        row = naive_cuckoo.pmx(row, of_best, column, column, domains)
        rows.append(row)
        labels.append(f"{row[column]} to c{column + 1}")
    ax.set(title="(d) row 3 of the child", xlim=(-0.1, 5.1), ylim=(5.1, -0.1), aspect="equal")
    ax.axis("off")
    middle = {"va": "center_baseline"}
    for y, (values, label) in enumerate(zip(rows, labels, strict=True)):
        for x, value in enumerate(values):
            is_taken = y > 0 and cut[0] <= x <= cut[1] and value == of_best[x]
            look = {"fc": CHOICE if is_taken else "white", "ec": style.MUTED, "lw": 0.5}
            ax.add_patch(Rectangle((0.75 * x, 1.15 * y), 0.75, 0.9, **look))
            ax.text(0.75 * x + 0.375, 1.15 * y + 0.48, value, ha="center", **middle)
        ax.text(3.2, 1.15 * y + 0.48, label, **middle)
    write_note(ax, "each value changes places\nwith the value that was there")


@picture
def tabu_col():
    """A cell in conflict gets another candidate."""
    (puzzle,) = antdoku.read(EMPTY)
    candidates, _ = closure(puzzle)
    twin = TabuCol(candidates, 2, params_of("tabu_col"), random_of(1))
    lists = [{int(value) + 1 for value in np.flatnonzero(row)} for row in candidates]
    fixed = {cell: min(values) for cell, values in enumerate(lists)}
    fig, axes = boards("", 4)
    givens, before, cost = givens_of(puzzle), dict(twin.value), twin.cost
    draw_grid(axes[0], "(a) lists of candidates", lists, givens, "each open cell gets\none of them")
    shades = dict.fromkeys(twin.in_conflict, FAULT)
    note = f"cost {cost}: pairs in conflict;\ntheir cells are shaded"
    draw_grid(axes[1], "(b) at random", sets_of((fixed | before).values()), givens, note, shades)
    twin.move()
    style.set_title(fig, f"TabuCol: the best move cuts conflicts: {cost} → {twin.cost}")
    ((cell, value),) = before.items() - twin.value.items()
    title = f"(c) {name_of(cell)}: {value} becomes {twin.value[cell]}"
    note = f"cost {twin.cost}; {value} is tabu here\nin moves 2 to {twin.ends[cell, value]}"
    shades = dict.fromkeys(twin.in_conflict, FAULT) | {cell: CHOICE}
    draw_grid(axes[2], title, sets_of((fixed | twin.value).values()), givens, note, shades)
    while twin.cost:
        twin.move()
    cells, title = sets_of((fixed | twin.value).values()), f"(d) after {twin.now} moves"
    draw_grid(axes[3], title, cells, givens, "cost 0: solved")
    return fig


# --- Libraries and combinations ------------------------------------------------------------------


@picture
def cdcl():
    """Two choices, a conflict that the second one causes alone, and the clause that is learned."""
    (puzzle,) = antdoku.read("..3.....4....14.")
    cells, values = np.nonzero(closure(puzzle)[0])
    variables = [*zip(cells.tolist(), (values + 1).tolist())]
    search, givens = Cdcl(list(clauses(cells, values, 2))), givens_of(puzzle)
    search.propagate()
    fig, axes = boards("CDCL: the learned clause undoes both choices", 4)
    draw_level(axes[0], "(a)", (0, 1), search, variables, givens)
    conflict = draw_level(axes[1], "(b)", (4, 2), search, variables, givens)
    faults = {variables[abs(literal) - 1][0]: FAULT for literal in conflict}
    note = f"false: {clause_of(conflict, variables)}"
    draw_grid(axes[2], "(c) conflict", domains_after(search, variables), givens, note, faults)
    learned = search.learn(conflict)
    search = Cdcl([*search.clauses, learned])
    search.propagate()
    note = f"{clause_of(learned, variables)} stays true;\nboth choices are undone"
    shades = {variables[abs(literal) - 1][0]: CHOICE for literal in learned}
    draw_grid(axes[3], "(d) learned", domains_after(search, variables), givens, note, shades)
    return fig


def draw_level(ax, letter, choice, search, variables, givens):
    """Draw the grid after a choice, and what it implies; return the conflict, or None."""
    search.choose(variables.index(choice) + 1)
    n_before, conflict = len(search.trail), search.propagate()
    implied = [variables[k - 1][0] for k in [*search.trail][n_before:] if k > 0]
    title = f"{letter} choose {name_of(choice[0])} = {choice[1]}"
    note = f"{len(implied)} more values are implied"
    shades = dict.fromkeys(implied, FOLLOWS) | {choice[0]: CHOICE}
    draw_grid(ax, title, domains_after(search, variables), givens, note, shades)
    return conflict


def domains_after(search, variables):
    """Return for each cell its true value, or the values that are not false."""
    domains = [set() for _ in range(16)]
    for literal, (cell, value) in enumerate(variables, 1):
        if -literal not in search.trail:
            domains[cell].add(value)
    for cell, value in (variables[literal - 1] for literal in search.trail if literal > 0):
        domains[cell] = {value}
    return domains


def clause_of(literals, variables):
    """Return a clause in words, such as r1c1 ≠ 2 or r1c2 = 2."""
    words = []
    for literal in sorted(literals, key=abs):
        cell, value = variables[abs(literal) - 1]
        words.append(f"{name_of(cell)} {'=' if literal > 0 else '≠'} {value}")
    return "\nor ".join(words)


@picture
def cpsat():
    """Probes remove values where singles find nothing; then a value is chosen."""
    (puzzle,) = antdoku.read("43..........34..")
    domains, givens = settle(2, domains_of(2, puzzle.givens)), givens_of(puzzle)
    fig, axes = boards("CP-SAT: a probe removes a value before the search", 4)
    cell, value = next(probe for probe in probes(domains) if settled(domains, *probe) is None)
    unit = units(2)[cell // 4]
    cells = [other for other in unit if value in domains[other]]
    note = f"{value} stands once in row {cell // 4 + 1}:\n{len(cells)} cells may have it"
    draw_grid(axes[0], "(a) exactly one", domains, givens, note, dict.fromkeys(cells, FOLLOWS))
    probed = [{value} if at == cell else values for at, values in enumerate(domains)]
    for other in unit:
        if other != cell and not is_set(domains[other]):
            probed[other] = domains[other] - {value}
    faults = [other for other in unit if other != cell and is_set(probed[other])]
    values = f"{' and '.join(map(name_of, faults))} would be {min(probed[faults[0]])}"
    note = f"{values}:\na conflict, the probe ends"
    shades = dict.fromkeys(faults, FAULT) | {cell: CHOICE}
    draw_grid(axes[1], f"(b) probe {name_of(cell)} = {value}", probed, givens, note, shades)
    left = probe_all(domains)
    narrower = [at for at in range(16) if left[at] != domains[at]]
    note = "after all probes nothing\nelse can be removed"
    draw_grid(axes[2], "(c) all probes", left, givens, note, dict.fromkeys(narrower, FOLLOWS))
    draw_choice(axes[3], left, givens)
    return fig


def draw_choice(ax, domains, givens):
    """Draw the domains after the first open cell gets its least value, and all singles."""
    cell = next(cell for cell in range(16) if not is_set(domains[cell]))
    chosen = settled(domains, cell, min(domains[cell]))
    implied = [new for new in new_cells(domains, chosen) if new != cell]
    shades = dict.fromkeys(implied, FOLLOWS) | {cell: CHOICE}
    title = f"(d) choose {name_of(cell)} = {min(domains[cell])}"
    draw_grid(ax, title, chosen, givens, f"{len(implied)} more values follow", shades)


def probes(domains):
    """Return each value of each open cell."""
    cells = [cell for cell in range(16) if not is_set(domains[cell])]
    return [(cell, value) for cell in cells for value in sorted(domains[cell])]


def settled(domains, cell, value):
    """Return the domains after a cell gets a value, and all singles; None on a contradiction."""
    return settle(2, [{value} if at == cell else {*values} for at, values in enumerate(domains)])


def probe_all(domains):
    """Return the domains without the values whose probes end in a contradiction."""
    before = None
    while before != domains:
        before = domains
        for cell, value in probes(domains):
            if settled(domains, cell, value) is None:
                domains = [
                    values - {value} if at == cell else {*values}
                    for at, values in enumerate(domains)
                ]
                domains = settle(2, domains)
    return domains


@picture
def auto():
    """The searches of `auto` on a 25x25 puzzle, in turn, until one finds a solution."""
    fig = style.figure("auto: searches in turn; their length doubles", WIDTH, 2.8)
    ax, begin, labels = fig.subplots(), 0, []
    for solver, limit, steps in searches_of_auto():
        name = solver.__name__.split(".")[-1]
        unit, steps_name, color = SEARCHES[name]
        ax.barh(len(labels), limit / unit, left=begin, fc="white", ec=style.MUTED, lw=0.6)
        ax.barh(len(labels), steps / unit, left=begin, fc=color)
        labels.append(f"{name}: {limit:,} {steps_name}")
        begin += steps / unit
    ax.text(begin + 0.3, len(labels) - 1, "solved", va="center_baseline")
    ax.set_yticks(range(len(labels)), labels)
    ax.set(xlabel=f"time (1: about {auto_solver.MOVES:,} moves)", xticks=range(0, 11, 2))
    ax.tick_params(axis="y", length=0)
    ax.invert_yaxis()
    return fig


def searches_of_auto():
    """Return solver, limit and steps of each search on a puzzle."""
    (puzzle,) = antdoku.generate(order=5, fixed=0.45, seed=13)
    random, (candidates, _), searches = np.random.default_rng(1), closure(puzzle), []
    for solver, limit in auto_solver._searches(candidates, puzzle.order):
        outcome = solver.solve(puzzle, solver.Params(), random, Budget(max_steps=limit))
        searches.append((solver, limit, outcome.steps))
        if outcome.status == SOLVED:
            return searches


if __name__ == "__main__":
    main()
