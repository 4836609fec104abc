"""Slow, obvious twin of the solver `dlx`: Knuth's algorithm X on lists that are simply copied.

No links, no arrays, no matrix without the givens: columns and their options are lists in a
dictionary, and undoing a choice is going back to the copy from before.
"""


def search(puzzle, max_nodes=None, order="columns"):
    """Try options until the tree or `max_nodes` is exhausted.

    Returns
    -------
    nodes : list of (cell, value)
        Every option tried, in order.
    n_updates : int
        Headers and nodes taken out of their lists, after the givens.
    solutions : list of list of int
    """
    found = _Log(puzzle, max_nodes)
    columns = _columns(puzzle, order)
    for cell, value in enumerate(puzzle.givens.tolist()):
        if value:
            for item in items(puzzle, cell, value):
                _cover(puzzle, columns, item)
    _visit(puzzle, columns, {}, found)
    return found.nodes, found.n_updates, found.solutions


def items(puzzle, cell, value):
    """The four columns in which the option (cell, value) has a node."""
    row, column = divmod(cell, puzzle.size)
    box = row // puzzle.order * puzzle.order + column // puzzle.order
    return [("cell", cell), ("row", row, value), ("column", column, value), ("box", box, value)]


class _Log:
    def __init__(self, puzzle, max_nodes):
        self.givens = puzzle.givens.tolist()
        self.max_nodes = max_nodes
        self.nodes = []
        self.n_updates = 0
        self.solutions = []

    @property
    def is_full(self):
        return len(self.nodes) == self.max_nodes


def _columns(puzzle, order):
    """Map columns, from left to right, to their lists of options, from top to bottom."""
    size, values = range(puzzle.size), range(1, puzzle.size + 1)
    by_row = [[row * puzzle.size + column for column in size] for row in size]
    lines = by_row if order == "rows" else zip(*by_row, strict=True)
    names = [("cell", cell) for line in lines for cell in line]
    kinds = ("row", "column", "box") if order == "rows" else ("column", "row", "box")
    for kind in kinds:
        names += [(kind, number, value) for number in size for value in values]
    columns = {name: [] for name in names}
    for cell in range(puzzle.n_cells):
        for value in values:
            for item in items(puzzle, cell, value):
                columns[item].append((cell, value))
    return columns


def _visit(puzzle, columns, chosen, found):
    if not columns:
        values = [chosen.get(cell, given) for cell, given in enumerate(found.givens)]
        found.solutions.append(values)
        return
    smallest = min(columns, key=lambda item: len(columns[item]))  # the first of equals
    options = columns[smallest]
    columns = _copy(columns)
    found.n_updates += _cover(puzzle, columns, smallest)
    for cell, value in options:
        if found.is_full:
            return
        found.nodes.append((cell, value))
        rest = _copy(columns)
        for item in items(puzzle, cell, value):
            if item != smallest:
                found.n_updates += _cover(puzzle, rest, item)
        _visit(puzzle, rest, {**chosen, cell: value}, found)


def _cover(puzzle, columns, item):
    """Remove a column, and its options from all others; count what is removed."""
    n_updates = 1
    for option in columns.pop(item):
        for other in items(puzzle, *option):
            if other != item:
                columns[other].remove(option)
                n_updates += 1
    return n_updates


def _copy(columns):
    return {item: list(options) for item, options in columns.items()}
