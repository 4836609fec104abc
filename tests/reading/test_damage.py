"""Puzzles in values and records are read rightly; damaged at one place, they are refused."""

import io
import json
import os
from itertools import chain, combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_texts import BLANKS, SYMBOLS

from antdoku.errors import InputError
from antdoku.puzzle.grid import root_grid
from antdoku.puzzle.symbols import numbers, symbols_of
from antdoku.reading.beside import stand_beside
from antdoku.reading.sources import read

EXAMPLES = int(os.environ.get("ANTDOKU_EXAMPLES", 100))
NUMBERS = [symbols_of(name) for name in ("1-4", "0-3", "1-9", "0-8")]
NUMBERS += [numbers(order, first) for order in (4, 5) for first in (0, 1)]
OF_CHARACTERS = [symbols for symbols in SYMBOLS if not symbols.gap]
NAMES = (("puzzle", "solution"), ("question", "answer"), ("start", "solved"))


def numbered(rows, blank):
    return [[blank if cell is None else int(cell) for cell in row] for row in rows]


def masked(grids):
    data = np.array([numbered(rows, 0) for rows in grids])
    return np.ma.array(
        data, mask=[[[cell is None for cell in row] for row in rows] for rows in grids]
    )


def flat(grids):
    return [list(chain.from_iterable(numbered(rows, None))) for rows in grids]


def frame_of_cells(grids):
    return pd.DataFrame(np.array(flat(grids)), dtype="Int64")


def npy(grids):
    file = io.BytesIO()
    np.save(file, np.array([numbered(rows, -1) for rows in grids]))
    return file.getvalue()


def wide(grids):
    """Write a table with a column for each cell; of 4x4 puzzles, which have too few, rows."""
    if len(grids[0]) == 4:
        rows = (["." if cell is None else str(cell) for cell in row] for row in flat(grids))
        return "".join(",".join(row) + "\n" for row in rows).encode()
    header = ",".join(["id", *(f"c{at}" for at in range(len(grids[0]) ** 2))])
    rows = (",".join(map(str, [7, *row])) for row in numbered_cells(grids))
    return "\n".join([header, *rows]).encode()


def columns(grids):
    """Return columns of cells by their names, or of 4x4 puzzles, which have too few, lists."""
    cells = [[7, *row] for row in flat(grids)]
    names = ["id", *(f"r{at // 100}c{at % 100}" for at in range(len(cells[0]) - 1))]
    table = dict(zip(names, map(list, zip(*cells, strict=True)), strict=True))
    return table if len(table) > 17 else flat(grids)


def numbered_cells(grids):
    return [["" if cell is None else cell for cell in row] for row in flat(grids)]


VALUES = {  # None is a blank
    "lists": lambda grids: [numbered(rows, None) for rows in grids],
    "minus one": lambda grids: [numbered(rows, -1) for rows in grids],
    "flat": flat,
    "arrays": lambda grids: [np.array(numbered(rows, -1)) for rows in grids],
    "floats": lambda grids: np.array([numbered(rows, np.nan) for rows in grids]),
    "masked": masked,
    "frame": frame_of_cells,
    "columns": columns,
    "json": lambda grids: json.dumps([numbered(rows, None) for rows in grids]),
    "objects": lambda grids: [{"board": numbered(rows, None), "level": 3} for rows in grids],
    "table": lambda grids: pd.DataFrame({"puzzle": [numbered(rows, None) for rows in grids]}),
    "x.npy": npy,
    "x.tsv": wide,
    "x.csv": lambda grids: "\n\n".join(
        "\n".join(",".join(cell or "" for cell in row) for row in rows) for rows in grids
    ).encode(),
}


def line(rows):
    """Write cells as a field of a line or a table."""
    return "".join(chain.from_iterable(rows))


def objects(write):
    """Return a function that makes objects of puzzles and solutions."""
    return lambda grids, solutions, names: [
        dict(zip(names, map(write, pair))) for pair in zip(grids, solutions)
    ]


def in_rows(rows):
    return "\n".join(map(" ".join, rows))


def frame(*pairs):
    return pd.DataFrame(objects(line)(*pairs))


def lines(*pairs):
    objects_of_lines = objects(line)(*pairs)
    return "".join(",".join(record.values()) + "\n" for record in objects_of_lines).encode()


def markdown(*pairs):
    records = (" | ".join(record.values()) for record in objects(line)(*pairs))
    return "".join(
        f"| {row} |\n" for row in ["puzzle | solution", ":--- | ---:", *records]
    ).encode()


def psql(*pairs):
    records = objects(line)(*pairs)
    rows = "".join(f"{' | '.join(record.values())}\n" for record in records)
    return f" puzzle | solution\n--------+---------\n{rows}({len(records)} rows)\n".encode()


def mysql(*pairs):
    records = objects(line)(*pairs)
    rows = "".join(f"| {record['puzzle']} | {record['solution']} |\n" for record in records)
    rule = "+--------+---------+\n"
    below = f"{rule}{len(records)} rows in set (0.00 sec)\n"
    return f"{rule}| puzzle | solution |\n{rule}{rows}{below}".encode()


RECORDS = {
    "frame": frame,
    "columns": lambda *pairs: frame(*pairs).to_dict("list"),
    "structured": lambda *pairs: frame(*pairs).to_records(index=False),
    "x.psql": psql,
    "x.mysql": mysql,
    "x.csv": lambda *pairs: frame(*pairs).to_csv(index=False).encode(),
    "x.tsv": lambda *pairs: frame(*pairs).to_csv(sep="\t").encode(),
    "objects": objects(list),
    "pandas by columns": lambda *pairs: frame(*pairs).to_json(),
    "pandas, split": lambda *pairs: frame(*pairs).to_json(orient="split"),
    "pandas table": lambda *pairs: frame(*pairs).to_json(orient="table"),
    "x.md": markdown,
    "json": lambda *pairs: json.dumps(objects(list)(*pairs)),
    "json of lines": lambda *pairs: json.dumps(objects(line)(*pairs)),
    "json of rows": lambda *pairs: json.dumps(objects(in_rows)(*pairs)),
    "x.jsonl": lambda *pairs: "\n".join(map(json.dumps, objects(line)(*pairs))).encode(),
    "x.txt": lines,
}


@st.composite
def several(draw, symbols):
    """Return one to three puzzles and their solutions, as values of shape (d, d)."""
    order, pairs = symbols.order, []
    for _ in range(draw(st.integers(1, 3))):
        rng = np.random.default_rng(draw(st.integers(0, 2**32)))
        solution = rng.permutation(order**2)[root_grid(order) - 1] + 1
        keep = rng.random(solution.shape) < draw(st.sampled_from([0, 0.02, 0.3, 0.9, 1]))
        pairs.append((solution * keep, solution))
    for (first, _), (second, _) in combinations(pairs, 2):
        assume(not stand_beside(first.ravel(), second.ravel()))
    return pairs


def written(grids, signs):
    return [[[signs[value] for value in row] for row in grid.tolist()] for grid in grids]


def damage(data, grids, spoilt):
    """Cut, widen or spoil one row of one grid."""
    rows = data.draw(st.sampled_from(grids))
    row = data.draw(st.sampled_from(rows))
    at = data.draw(st.integers(0, len(row) - 1))
    kind = data.draw(st.sampled_from(["cut", "widened", "spoilt"]))
    if kind == "cut":
        del row[at]
    elif kind == "widened":
        row.insert(at, data.draw(st.sampled_from(row)))
    else:
        row[at] = data.draw(st.sampled_from(spoilt))


def reads(source, folder, name, symbols):
    """Read a source, which is the content of a file if it is bytes."""
    if isinstance(source, bytes):
        (folder / name).write_bytes(source)
        source = folder / name
    return read(source, symbols=symbols)


def check_right(source, folder, name, grids, symbols):
    """Check that grids are read in their symbols, and without these rightly or not at all."""
    values = [grid.ravel().tolist() for grid in grids]
    puzzles = reads(source, folder, name, symbols.name)
    assert [puzzle.givens.tolist() for puzzle in puzzles] == values
    if symbols.has_zero and not any(1 in grid for grid in values):
        return  # 0-8 without a 0 looks like 1-9
    try:
        puzzles = reads(source, folder, name, None)
        assert [puzzle.givens.tolist() for puzzle in puzzles] == values
    except InputError as error:
        assert any(reason in str(error) for reason in ("may be in", "lines of", "name the"))


def check_refused(source, folder, name, symbols):
    for names in (symbols.name, None):
        with pytest.raises(InputError):
            reads(source, folder, name, names)


@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data())
def test_values_are_read_and_damaged_ones_refused(data, tmp_path_factory):
    folder = tmp_path_factory.getbasetemp()
    symbols, name = data.draw(st.sampled_from(NUMBERS)), data.draw(st.sampled_from([*VALUES]))
    puzzles = [puzzle for puzzle, _ in data.draw(several(symbols))]
    rows = written(puzzles, [None, *symbols.signs[1:]])
    check_right(VALUES[name](rows), folder, name, puzzles, symbols)
    damage(data, rows, [str(symbols.order**2 + 1), "-2"])
    try:
        source = VALUES[name](rows)
    except ValueError:  # NumPy has no rows of several lengths
        return
    check_refused(source, folder, name, symbols)


@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data())
def test_records_are_read_and_damaged_ones_refused(data, tmp_path_factory):
    folder = tmp_path_factory.getbasetemp()
    symbols, name = (
        data.draw(st.sampled_from(OF_CHARACTERS)),
        data.draw(st.sampled_from([*RECORDS])),
    )
    assume(name not in ("x.txt", "x.mysql", "columns") or symbols.order > 2)
    names = data.draw(st.sampled_from(NAMES if name[:4] in ("json", "obje") else NAMES[:1]))
    puzzles, solutions = zip(*data.draw(several(symbols)))
    assume(not any(puzzle.all() for puzzle in puzzles))
    signs = [data.draw(st.sampled_from(BLANKS[:3])), *symbols.signs[1:]]
    rows, solved = written(puzzles, signs), written(solutions, signs)
    check_right(RECORDS[name](rows, solved, names), folder, name, puzzles, symbols)
    damage(data, rows, "!~é")
    check_refused(RECORDS[name](rows, solved, names), folder, name, symbols)
