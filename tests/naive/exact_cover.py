"""Slow, obvious twin of the solver `dlx`: Knuth's algorithm X on lists that are copied."""


def search(puzzle, max_nodes=None, order="columns"):
    """Try options until the whole tree, or `max_nodes` nodes, are visited.

    Return the options (cell, value) in the order of the search, the number of headers and nodes
    that are removed from lists after the givens, and the solutions.
    """
    nodes, solutions, n_updates = [], [], 0

    def cover(columns, item):
        """Remove a column, and its options from all other columns; count the removals."""
        nonlocal n_updates
        n_updates += 1
        for option in columns.pop(item):
            for neighbour in items(puzzle, *option):
                if neighbour != item:
                    columns[neighbour].remove(option)
                    n_updates += 1

    def visit(columns, chosen):
        if not columns:
            solutions.append([chosen[cell] for cell in range(puzzle.n_cells)])
            return
        smallest = min(columns, key=lambda item: len(columns[item]))  # the first of equals
        options, columns = columns[smallest], _copy(columns)
        cover(columns, smallest)
        for cell, value in options:
            if len(nodes) == max_nodes:
                return
            nodes.append((cell, value))
            rest = _copy(columns)
            for item in items(puzzle, cell, value):
                if item != smallest:
                    cover(rest, item)
            visit(rest, {**chosen, cell: value})

    columns, givens = _columns(puzzle, order), dict(enumerate(puzzle.givens.tolist()))
    for cell, value in givens.items():
        if value:
            for item in items(puzzle, cell, value):
                cover(columns, item)
    n_updates = 0
    visit(columns, givens)
    return nodes, n_updates, solutions


def items(puzzle, cell, value):
    """Return the four columns in which the option (cell, value) has a node."""
    row, column = divmod(cell, puzzle.size)
    box = row // puzzle.order * puzzle.order + column // puzzle.order
    return [("cell", cell), ("row", row, value), ("column", column, value), ("box", box, value)]


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


def _copy(columns):
    return {item: list(options) for item, options in columns.items()}
