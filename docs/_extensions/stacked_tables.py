"""Stack the cells of wide tables on a phone.

A table that a phone cannot show gets the class ``stacked``, and each cell the heading of its
column, which the style sheet shows only where it stacks the cells. Tables of parameters are always
stacked: their meanings would stand in a narrow column.
"""

from docutils import nodes

PHONE = 325  # pixels of a table, somewhat less than a screen of 390 shows
LETTER, SIGN_OF_CODE, PADDING = 7.2, 7, 9  # pixels; of a table's text, its code and a column
PARAMETERS = ["parameter", "default", "allowed", "meaning"]  # headings
MOST_LEVEL = 5  # columns; the headings of more columns stand upright (manual.css)


def setup(app):
    """Connect the functions below to the events of a build."""
    app.connect("doctree-read", stack)
    return {"parallel_read_safe": True}


def stack(app, doctree) -> None:
    """Mark the tables of a page that are too wide, and name the column in each of their cells."""
    for table in doctree.findall(nodes.table):
        rows = [list(row.findall(nodes.entry)) for row in table.findall(nodes.row)]
        has_verdicts = any("verdict" in raw.astext() for raw in table.findall(nodes.raw))
        headings = [cell.astext() for cell in rows[0]]
        fits = headings != PARAMETERS and least_width(rows) <= PHONE
        if has_verdicts or fits:  # manual.css has rules for verdicts
            continue
        table["classes"].append("stacked")
        for row in rows[1:]:
            for heading, cell in list(zip(headings, row))[1:]:
                name_column(cell, heading)


def least_width(rows) -> float:
    """Return the width in pixels below which words of a table, as lists of cells, are broken."""
    rows = rows[len(rows[0]) > MOST_LEVEL :]
    columns = zip(*[[longest_word(cell) for cell in row] for row in rows])
    return sum(max(column) + PADDING for column in columns)


def longest_word(cell) -> float:
    """Return the width of the longest word of a cell in pixels."""
    lengths = [0]
    for text in cell.findall(nodes.Text):
        size = SIGN_OF_CODE if isinstance(text.parent, nodes.literal) else LETTER
        lengths += [size * len(word) for word in text.replace("-", "- ").split()]
    return max(lengths)


def name_column(cell, heading: str) -> None:
    """Begin a cell that has a text with the heading of its column."""
    if heading and cell.children and cell.astext():
        cell[0].insert(0, nodes.inline("", f"{heading}: ", classes=["of-column"]))
