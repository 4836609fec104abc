"""Puzzles are read from whatever a user has at hand, and mistakes cost one line."""

import gzip
import io
import json
import logging
import os
import re
import sys
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from conftest import format_archive
from pyarrow import parquet
from scipy.sparse import csr_array

import antdoku
from antdoku.answers import Result
from antdoku.errors import InputError
from antdoku.puzzle import named, writing
from antdoku.puzzle.grid import ORDERS, Puzzle, root_grid
from antdoku.puzzle.symbols import ALPHABET, CHARACTERS, symbols_of
from antdoku.reading import formats
from antdoku.reading.cells import Options
from antdoku.reading.sources import read, read_parts

EXAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
VALUES = [*map(int, EXAMPLE.replace(".", "0"))]
ROWS = "\n".join(EXAMPLE[at : at + 9] for at in range(0, 81, 9))
NESTED = [[value or None for value in VALUES[at : at + 9]] for at in range(0, 81, 9)]
SHORT = [",".join(row[: 8 if at == 4 else 9]) for at, row in enumerate(ROWS.split())]
SHEET = "".join(",".join(str(value or "") for value in row) + "\r\n" for row in NESTED)
OBJECT = {"puzzle": VALUES, "solution": None}
ARRAY = np.array(VALUES)
SQUARE = ARRAY.reshape(9, 9)
SOLVED = np.array(list(map(int, SOLUTION)))
BOTH = (EXAMPLE, SQUARE.tolist())
WIDE = pd.DataFrame([VALUES]).add_prefix("c")
EMPTY_TEXTS = ("", "   ", "# ?", "---", "-" * 81, "Easy", f"{EXAMPLE}\n{EXAMPLE}")
SYMBOLS = [name for names in CHARACTERS.values() for name in names]
NAMED_COLUMNS = [
    ",".join(f"c{n}" for n in range(1, 10)) + "\n" + SHEET,
    ";".join(f'"r{n}c{m}"' for n in range(1, 10) for m in range(1, 10)) + "\n" + ";".join(EXAMPLE),
]
MISSING = pd.DataFrame(SQUARE).replace(0, pd.NA)
VALUES_OF = {
    "list": VALUES,
    "rows": SQUARE.tolist(),
    "flat": ARRAY.astype(np.uint8),
    "square": SQUARE,
    "floats": ARRAY.astype(float),
    "nan": np.where(ARRAY == 0, np.nan, ARRAY),
    "none": [value or None for value in VALUES],
    "masked": np.ma.array(SOLVED, mask=ARRAY == 0),
    "frame": pd.DataFrame(SQUARE),
    "missing": MISSING,
    "Int64": MISSING.astype("Int64"),
    "pyarrow": MISSING.astype("Int64").astype("int64[pyarrow]"),
    "string": MISSING.astype("Int64").astype("string"),
    "texts": [EXAMPLE[at : at + 9] for at in range(0, 81, 9)],
    "text": [EXAMPLE],
    "series": pd.Series([EXAMPLE], dtype="string"),
    "signs": [list(EXAMPLE[at : at + 9]) for at in range(0, 81, 9)],
    "hashes": [list(EXAMPLE[at : at + 9].replace(".", "#")) for at in range(0, 81, 9)],
    "mixed": [[value or "" for value in row] for row in SQUARE.tolist()],
    "table": pd.DataFrame({"puzzle": [EXAMPLE], "solution": [SOLUTION]}),
    "object": {"puzzle": SQUARE.tolist(), "moves": [0] * 81},
    "link": f"https://example.org/{EXAMPLE}/index.html",
    "objects": [{"board": EXAMPLE, "level": 3, "diagonal": False, "type": "classic"}],
    "prose": {"board": EXAMPLE, "text": "A puzzle for Sunday, of many words" * 3, "tags": ["a"]},
    "start": {"start": ROWS, "solved": SOLUTION},
    "deep": {"data": [{"grid": SQUARE.tolist()}], "page": 1},
    "arrow": pa.table({"puzzle": [EXAMPLE], "solution": [SOLUTION]}),
    "column of arrays": pd.DataFrame({"puzzle": [SQUARE]}),
    "memoryview": memoryview(SQUARE),
    "column of puzzles": pd.Series(antdoku.read(EXAMPLE)),
    "one channel": SQUARE[:, :, None],
    "columns of cells": pd.DataFrame([[7, *VALUES]], columns=["id", *range(81)]),
    "columns of a table": {"puzzle": [EXAMPLE], "clues": [30]},
    "structured": np.array([("a", EXAMPLE)], [("name", "U9"), ("puzzle", "U81")]),
    "sparse": csr_array(SQUARE),
    "text in an array": np.array(EXAMPLE),
    "row of a table": pd.DataFrame({"puzzle": [EXAMPLE], "clues": [30]}).iloc[0],
    "padded signs": [[f" {sign} " for sign in row] for row in ROWS.split()],
    "lists by column": {"puzzle": {0: EXAMPLE}, "clues": {0: 30}},
    "link of percents": f"https://example.org/{EXAMPLE.replace('.', '%2E')}",
    "question": {"question": EXAMPLE, "answer": SOLUTION},
    "row of a database": [(1, EXAMPLE)],
    "row with a solution": [("#1", EXAMPLE, SOLUTION)],
    "list below a name": {"easy": [EXAMPLE], "pages": 3},
    "grids below a name": {"data": {"easy": [SQUARE.tolist()]}},
    "answer first": [{"solved": SOLVED.tolist(), "start": VALUES}],
}


@pytest.mark.parametrize("source", ["path", "name", "stdin", "literal", *VALUES_OF])
def test_reads_from_everywhere(tmp_path, monkeypatch, source):
    file = tmp_path / "x.txt"
    file.write_text(EXAMPLE)
    stdin = io.BufferedReader(io.BytesIO(EXAMPLE.encode()))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stdin))
    texts = {"path": file, "name": str(file), "stdin": "-", "literal": EXAMPLE}
    (puzzle,) = read((texts | VALUES_OF)[source])
    assert (puzzle.order, puzzle.givens.tolist()) == (3, VALUES)


@pytest.mark.parametrize("order", ORDERS)
def test_the_number_of_cells_of_an_array_is_its_order(order):
    (puzzle,) = read(root_grid(order))
    assert (puzzle.order, puzzle.name) == (order, "puzzle 1")
    several = np.stack([root_grid(order)] * 3)
    puzzles = read(several, first=5)
    assert puzzles == read(several.reshape(3, -1)) == [puzzle] * 3
    assert [puzzle.name for puzzle in puzzles] == ["puzzle 5", "puzzle 6", "puzzle 7"]


def test_names_of_a_column_with_gaps_are_whole_numbers():
    frame = pd.DataFrame({"id": [1, None, 0], "puzzle": [EXAMPLE] * 3})
    for source in (frame, frame.to_dict("list"), frame.to_dict("records"), frame.to_json()):
        assert [puzzle.name for puzzle in read(source)] == ["1", "puzzle 2", "0"]


def test_names_in_an_index_in_rows_and_above_lists():
    frame = pd.DataFrame({"puzzle": [EXAMPLE] * 2}, index=pd.Index(["a", "b"], name="id"))
    cells = pd.DataFrame([VALUES] * 2, index=frame.index)
    for source in (frame, frame["puzzle"], cells, [("a", EXAMPLE), ("b", EXAMPLE)]):
        assert [puzzle.name for puzzle in read(source)] == ["a", "b"]
    names = [puzzle.name for puzzle in read({"easy": [EXAMPLE] * 2, "hard": [EXAMPLE]})]
    assert names == ["easy 1", "easy 2", "hard 1"]


def test_names_and_solutions_of_a_table():
    frame = pd.DataFrame({"ID": ["a", "b"], "Puzzle": [EXAMPLE] * 2, "solution": [SOLUTION, None]})
    assert [puzzle.name for puzzle in read(frame)] == ["a", "b"]
    # Without a solution, a blank grid, as in a table without puzzles.
    grids = [puzzle.givens.tolist() for puzzle in read(frame, column="solution")]
    assert grids == [SOLVED.tolist(), [0] * 81]
    for source in (f"{EXAMPLE} {SOLUTION}", {"question": EXAMPLE, "answer": SOLUTION}):
        (solution,) = read(source, column="solution")
        assert solution.line == SOLUTION


@pytest.mark.parametrize("name", ["x.csv", "x.txt", "x.jsonl", "x.parquet"])
def test_puzzles_are_read_with_the_solutions_beside_them(tmp_path, name):
    frame = pd.DataFrame({"puzzle": [EXAMPLE], "solution": [SOLUTION]})
    for columns in (["puzzle"], ["puzzle", "solution"]):
        table = frame[columns]
        if name == "x.csv":
            table.to_csv(tmp_path / name)
        elif name == "x.txt":
            table.to_csv(tmp_path / name, header=False, index=False)
        elif name == "x.jsonl":
            table.to_json(tmp_path / name, orient="records", lines=True)
        else:
            table.to_parquet(tmp_path / name)
        (batch,) = read_parts(tmp_path / name, Options(column="both"))
        assert batch.grids.tolist() == [VALUES]
        solutions = None if batch.beside is None else batch.beside.tolist()
        assert solutions == ([SOLVED.tolist()] if "solution" in columns else None)
        assert read(tmp_path / name)[0].line == EXAMPLE


def test_the_symbols_of_an_array():
    grid = root_grid(4) - 1
    array = np.where(np.indices((16, 16)).sum(axis=0) % 2, -1, grid)
    (puzzle,) = read(array, symbols="0-15")
    assert (puzzle.n_givens, puzzle.symbols.name) == (128, "0-15")
    assert read(np.where(array < 0, 0, array + 1)) == [puzzle]
    assert read(np.ma.array(grid, mask=array < 0), symbols="0-15") == [puzzle]
    with pytest.raises(InputError, match="may be in 1-16 or 0-15"):
        read(np.where(array < 1, -1, array))  # -1 may be the blank of values from 0


@pytest.mark.parametrize("size", [4, 9, 16, 25])
def test_a_zero_beside_another_blank_is_refused_if_it_may_be_a_value(size):
    """Without the largest value, a 0 may be a value, or a blank by mistake, at each order."""
    (puzzle,) = antdoku.generate(size=size, fixed=0.4, seed=4)
    grid = np.where(puzzle.grid == size, -1, np.where(puzzle.grid, puzzle.grid, -1))
    first = np.argwhere(grid == -1)[3]
    grid[*first] = 0
    blank = np.where(grid < 0, np.nan, grid)
    signs = [["." if value < 0 else str(value) for value in row] for row in grid.tolist()]
    numbered = "\n".join(map(" ".join, signs))
    letters = "".join("." if value < 0 else ALPHABET[value] for value in grid.ravel())
    for source in (grid, pd.DataFrame(blank), grid[None], signs, numbered, letters):
        for read_it in (read, antdoku.read_grids):
            with pytest.raises(InputError, match=r"may be in .* or 0-.*; say which: --symbols"):
                read_it(source)
    (puzzle,) = read(grid, symbols=f"1-{size}")
    assert (puzzle.grid == np.maximum(grid, 0)).all()


@pytest.mark.parametrize("name", [*SYMBOLS, "0-15", "1-16", "ABCDEFGHI", "MASTERING"], ids=str)
def test_puzzles_keep_their_symbols(tmp_path, name):
    symbols = symbols_of(str(name))
    solution = root_grid(symbols.order)
    values = np.where(np.arange(symbols.order**4) % 3, solution.ravel(), 0)
    (puzzle,) = read(symbols.line(values), symbols=str(name))
    result = Result(puzzle, "by hand", {}, 1, "solved", solution)
    for ending in ("txt", "csv", "parquet", "json"):
        antdoku.write([puzzle], tmp_path / f"x.{ending}")
        (again,) = read(tmp_path / f"x.{ending}")
        assert (again.givens.tolist(), again.line) == (values.tolist(), puzzle.line)
    for column, line in (("puzzle", puzzle.line), ("solution", result.line)):
        (again,) = read(json.dumps(result.as_dict()), column=column)
        assert (again.line, again.symbols.signs[1:]) == (line, symbols.signs[1:])
    signs = {symbols.signs[value] for value in values if value}
    for text in (puzzle.draw(), puzzle._repr_html_(), str(result)):
        assert {*re.findall(r"(?<=[ >])[0-9A-Z]{1,2}(?=[ <])", text)} >= signs
    twice = Puzzle.checked(puzzle.order, np.full(puzzle.n_cells, 2), "", symbols)
    assert antdoku.check(twice).note.endswith(f"the given {symbols.signs[2]} twice")


def test_a_puzzle_that_breaks_the_rules_is_read_if_that_is_asked_for():
    twice = [3, *VALUES[1:]]
    for source in (twice, f"3{EXAMPLE[1:]}"):
        with pytest.raises(InputError, match="r1c1 and r1c"):
            read(source)
        assert read(source, rules=False)[0].givens[0] == 3


BAD_TEXTS = [EXAMPLE[:-1], "X" + EXAMPLE[1:], "55" + EXAMPLE[2:], "", None, np.nan, "xy" * 40 + "x"]


@pytest.mark.parametrize("bad", BAD_TEXTS)
@pytest.mark.parametrize("make", [list, pd.Series, lambda texts: np.array(texts, object)])
def test_a_long_list_is_read_in_parts_as_it_is_at_once(make, bad, monkeypatch):
    texts = [puzzle.line for puzzle in read("named:all") if puzzle.order == 3][:80]
    texts[17], texts[33] = bad, ROWS  # a grid of lines is a puzzle, too
    answers = []
    for size in (1000, 8):
        monkeypatch.setattr(formats, "PART", size)
        errors = []
        grids = antdoku.read_grids(make(texts), skip=errors.append)
        answers.append((grids.tolist(), [(error.place, error.line) for error in errors]))
        with pytest.raises(InputError, match="the argument:18: "):
            read(make(texts))
    assert answers[0] == answers[1] and len(grids) == 79 and errors[0].line == 18


def test_a_long_list_of_puzzles_and_then_their_solutions_is_refused(monkeypatch):
    monkeypatch.setattr(formats, "PART", 8)
    puzzles = antdoku.read("named:soto")
    solved = [run.line for run in antdoku.solve_all(puzzles, "dlx")]
    texts = [*(puzzle.line for puzzle in puzzles), *solved]
    assert len(read(solved)) == 9
    with pytest.raises(InputError, match="the argument:10: a solution beside its puzzle"):
        read(texts)
    with pytest.raises(InputError, match="the argument:3: '5' among texts"):
        read([*texts[:2], 5, *texts[3:9], *texts[:9]])


@pytest.mark.parametrize("name", ["x.txt", "x.csv", "x.jsonl"])
def test_a_pipe_is_read_once(tmp_path, name):
    lines = {"x.txt": EXAMPLE, "x.csv": f"{EXAMPLE},1", "x.jsonl": f'{{"puzzle": "{EXAMPLE}"}}'}
    header = "puzzle,level\n" * (name == "x.csv")
    pipe = tmp_path / name
    os.mkfifo(pipe)
    text = header + f"{lines[name]}\n" * 1000
    writer = threading.Thread(target=pipe.write_text, args=[text], daemon=True)
    writer.start()
    assert len(read(pipe)) == 1000
    writer.join()


def test_several_files(tmp_path):
    paths = [tmp_path / f"{number}.txt" for number in range(3)]
    for path in paths:
        path.write_text(EXAMPLE)
    puzzles = read(paths)
    assert [puzzle.name for puzzle in puzzles] == [f"{path}:1" for path in paths]
    assert read(map(str, paths)) == puzzles


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("folder/puzzle.txt.gz", "'folder/puzzle.txt.gz': there is no such file"),
        ("https://example.org/a?b", "'https://example.org/a?b': a link without a puzzle; download"),
        (["x.txt", EXAMPLE], "; if it is the name of a file, read files"),
        ("", "'': there is no such file, nor is it a puzzle"),
        ("a\0b", "there is no such file, nor is it a puzzle"),
        ("soto", "'soto': there is no such file, nor is it a puzzle; did you mean named:soto?"),
        ("long_name_of_a_file.doc", "'long_name_of_a_file.doc': there is no such file"),
        ("named:sotto", "named:sotto: there is no such puzzle or collection (did you mean soto?)"),
        ("named:lloyd_amos", "collections: lloyd_amos_named, mantere_koljonen_46"),
        ("named:", "named:: there is no such puzzle or collection"),
        ("named:a\nb", r"named:a\nb: there is no such puzzle"),
        (f"named:{'x' * 10_000}", "...: there is no such puzzle or collection; collections"),
        (Path("missing.txt"), "missing.txt: cannot be read: No such file"),
        *((Path(f"a\0b{ending}"), "cannot be read: ") for ending in (".txt", ".csv", ".parquet")),
        *((Path(f"\ud800{ending}"), "cannot be read: ") for ending in (".txt", ".csv", ".parquet")),
        (VALUES[1:], "the argument:1: 80 cells: a 9x9 puzzle has"),
        ([np.zeros((2, 2)), np.zeros((2, 3))], "the argument:1: 2 cells: a 9x9 puzzle has"),
        ([SQUARE, None], "the argument: element 2 is None; leave it out"),
        ([ARRAY.ravel().tolist(), np.nan], "the argument: element 2 is nan; leave it out"),
        ([SQUARE, np.full((16, 16), 3)], "the argument: element 2: r1c1 and r1c2: the row has"),
        ([SQUARE, [*NESTED[:8], [1] * 8]], "the argument: element 2: row 9: 8 cells"),
        ([[81, 3, 3, *[0] * 78], *[[0] * 81] * 80], "the argument:1: r1c2 and r1c3: the row"),
        ([SQUARE, np.array([])], "the argument: element 2: there is no puzzle in it"),
        *(
            ({"a": grid, "b": empty, **more}, "the argument: 'b' is empty; leave it out")
            for empty in (None, np.nan, "", " ", [], {})
            for grid, more in ((EXAMPLE, {"c": SOLVED}), (ARRAY, {}), (VALUES, {"c": SOLVED}))
        ),
        ([], "the argument: there is no puzzle in it"),
        ([[1, 2], [3]], "the argument:1: 2 cells: a 9x9 puzzle has"),
        (np.full(81, 1.5), "the argument:1: '1.5': cells must be whole numbers"),
        ([True] * 81, "the argument:1: 'True': cells must be whole numbers"),
        ([3, *VALUES[1:]], "the argument:1: r1c1 and r1c2: the row has the given 3 twice"),
        (np.where(ARRAY == 9, 0, np.where(ARRAY, ARRAY, -1)), "may be in 1-9 or 0-8; say which"),
        (None, "the argument: NoneType: allowed are a path, a text, an array of numbers or a"),
        ([[], [], 5, [6, 0]], "the argument:1: 0 cells: a 9x9 puzzle has"),
        ([(EXAMPLE, SOLUTION)], "a solution beside its puzzle: leave it out"),
        ([EXAMPLE, np.zeros((9, 9), int)], "the argument:2: '0' among texts; read texts and arr"),
        ([EXAMPLE, None], "the argument:2: the puzzle is empty"),
        ([EXAMPLE[:30], None], "the argument:2: 'None' among texts"),
        *(([EXAMPLE, empty, EXAMPLE], "the argument:2: ") for empty in EMPTY_TEXTS),
        (pd.Series([EXAMPLE, "", EXAMPLE]), "the argument:2: the puzzle is empty"),
        (pd.DataFrame({"puzzle": [EXAMPLE, None]}), "the argument: row 2: the puzzle is empty"),
        (
            {"columns": ["id", "puzzle"], "data": [[1, EXAMPLE], [EXAMPLE]]},
            "rows of other lengths than the columns; columns: 'id', 'puzzle'",
        ),
        *(
            ({"puzzle": SOLUTION, "solution": grid}, "puzzle and solution swapped?")
            for grid in BOTH
        ),
        (
            pd.DataFrame(SQUARE).to_json(),
            "write a grid as lists of cells (orient='values' in pandas)",
        ),
        *(
            (WIDE.assign(**{name: 2}), message)
            for name, message in (
                ("level", "256 for 16x16, and at most an id; others: 'level'"),
                ("c81", "82 columns of cells: allowed are 81 for 9x9 and 256 for 16x16"),
            )
        ),
        (
            {"id": [1], **WIDE.iloc[:, ::-1].to_dict("list")},
            "the argument: 'c80' stands before 'c79'",
        ),
        ({"puzzle": {"0": EXAMPLE, "1": None}}, "row 2: the puzzle is empty"),
        ({"puzzle": {"0": EXAMPLE}, "cages": {"0": [1]}}, "'cages': rules of a variant"),
        ([[EXAMPLE, 30], EXAMPLE], "'30' among texts; write records (orient='records' in pandas)"),
        ({"easy": [EXAMPLE], "hard": [EXAMPLE[1:]]}, "'hard': 80 cells: a 9x9 puzzle has 81"),
        ({"easy": [EXAMPLE], "hard": [EXAMPLE, "x"]}, "'hard': 1 cell: a 9x9 puzzle has 81"),
        ({"easy": [EXAMPLE, EXAMPLE], "hard": [EXAMPLE, EXAMPLE[1:]]}, "'hard': 80 cells"),
        ({"easy": [EXAMPLE, EXAMPLE[1:]], "hard": [EXAMPLE]}, "'easy': 80 cells"),
        ({"easy": [SQUARE.tolist(), SQUARE.tolist()[1:]], "hard": [EXAMPLE]}, "'easy': 8 rows"),
        (SHEET.replace(",5,", ",[5],", 1).replace(",", "\t"), "'[5]' cannot be read"),
        ("\n".join([EXAMPLE.replace(".", "#")] * 2 + ["#" + "1" * 79]), "# begins a comment"),
        ({"meta": {"rows": EXAMPLE[1:]}, "data": [{"grid": EXAMPLE}]}, "'rows': 80 cells"),
        ({"grid": None}, "row 1: the puzzle is empty"),
        (pd.DataFrame(SQUARE.T).add_prefix("row").to_json(orient="split"), "rows are columns"),
        (np.array([EXAMPLE.encode()]), "cells must be whole numbers; decode them"),
        ([antdoku.solve(EXAMPLE)], "cells must be whole numbers; take result.puzzle"),
        (pd.DataFrame({"puzzle": antdoku.read(EXAMPLE)}), "read takes a list of puzzles"),
        (pd.DataFrame({"puzzle": []}), "there is no puzzle in it"),
        (json.dumps({"cells": [{"source": [EXAMPLE]}], "nbformat": 4}), "a notebook is not read"),
        (EXAMPLE.encode(), "bytes: decode them"),
        (bytearray(EXAMPLE.encode()), "bytes: decode them"),
        ([*antdoku.read("named:soto"), EXAMPLE], "a list of puzzles and other things"),
        (["named:aiescargot", EXAMPLE], "a list of names and other things"),
        ([EXAMPLE, "named:aiescargot"], "a list of names and other things"),
        (["named:aiescargot", "puzles.txt"], "'puzles.txt': there is no such file"),
        (np.full((9, 9), 1e30), "a number of 31 digits is no cell"),
        (pd.DataFrame({"clues": [EXAMPLE], "result": [SOLUTION]}), "columns: 'clues', 'result'"),
        ({"grid": SQUARE.tolist(), "moves": [0] * 81}, "2 puzzles in it: name the puzzle 'puzzle'"),
        ({"start": EXAMPLE, "now": EXAMPLE}, "columns: 'start', 'now'"),
        ({"puzzle": EXAMPLE, "cages": [[1, 2]]}, "'cages': rules of a variant"),
        ({"puzzle": EXAMPLE, "rules": {"anti-knight": True}}, "'rules': rules of a variant"),
        ({"grid": EXAMPLE, "type": "Killer"}, "'type': rules of a variant"),
        ([{"Thermos": [1], "data": [{"grid": EXAMPLE}]}], "'Thermos': rules of a variant"),
        ({"question": EXAMPLE[1:], "answer": SOLUTION}, "'question': 80 cells: a 9x9 puzzle"),
        ({"question": VALUES[1:], "answer": SOLUTION}, "'question': 80 cells: a 9x9 puzzle"),
        ({"one": EXAMPLE, "two": f"{EXAMPLE}."}, "'two': 82 cells: a 9x9 puzzle has"),
        ({"a": [{"grid": EXAMPLE}], "b": VALUES}, "puzzles inside of an object with a puzzle"),
        ({"grids": [{"grid": EXAMPLE}, EXAMPLE]}, "row 2: must be a JSON object"),
        ({"puzzle": EXAMPLE, "symbols": "1-G"}, "symbols 1-G: the puzzle has not so many values"),
        (f'{{"puzzle": "{EXAMPLE}", "puzzle": "{EXAMPLE}"}}', "two keys of an object are called"),
        ({1: EXAMPLE, 2: EXAMPLE}, "2 puzzles in it: name the puzzle 'puzzle'"),
        (np.array([[EXAMPLE, EXAMPLE[::-1]], [SOLUTION, SOLUTION[::-1]]]), "a solution beside its"),
        (f"{EXAMPLE[1:]},{SOLUTION}", "80 cells beside a puzzle of 81"),
        (pd.DataFrame({"puzzle": [8]}), "read them as texts (dtype=str in pandas)"),
        ('[[[], 6], 0, "x"]', ""),
    ],
)
def test_mistakes_in_sources(source, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as error:
        read(source)
    assert message in str(error.value)
    assert str(error.value).isprintable() and len(str(error.value)) < 300


def test_metadata_beside_records_and_spaces_before_quotes_are_no_puzzles(tmp_path):
    data = {"meta": {"author": "x", "n": 1}, "data": [{"puzzle": EXAMPLE}]}
    (tmp_path / "x.json").write_text(json.dumps(data))
    (tmp_path / "x.csv").write_text(f'"id", "puzzle"\n"1", "{EXAMPLE}"\n')
    np.savetxt(tmp_path / "nan.csv", np.where(SQUARE, SQUARE, np.nan), "%.1f", ",")
    for name in ("x.json", "x.csv", "nan.csv"):
        assert read(tmp_path / name)[0].givens.tolist() == VALUES


def test_a_closed_standard_input_and_symbols_of_another_order(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="standard input is closed"):
        read("-")
    for source in ("named:soto", EXAMPLE, VALUES, *read(EXAMPLE)):
        with pytest.raises(InputError, match=r"symbols 1-G: no puzzle in it has so many"):
            read(source, symbols="1-G")
    for source in ("named:soto", *read(EXAMPLE)):
        with pytest.raises(InputError, match=r"symbols 0-8: the puzzles are in 1-9 already"):
            read(source, symbols="0-8")
        assert read(source, symbols="1-9") == read(source)


# --- Files ---------------------------------------------------------------------------------------


def test_archive_files_read_and_write_to_the_byte(shared_data):
    files = sorted((shared_data / "lloyd_amos_archive_sample").glob("inst*.txt"))
    assert files
    for file in files:
        text = file.read_bytes().decode()
        (puzzle,) = read(file)
        size, percent = file.stem.removeprefix("inst").split("x")[0], file.stem.split("_")[1]
        assert puzzle.size == int(size)
        assert abs(puzzle.fixed_fraction - int(percent) / 100) < 0.5 / puzzle.size
        assert format_archive(puzzle, text.split()[1]) == text


@pytest.mark.parametrize(
    ("name", "text", "names"),
    [
        ("x.sdm", f"{EXAMPLE}\n{EXAMPLE}\n", ["{}:1", "{}:2"]),
        ("x.txt", f"{EXAMPLE} 9.3\n{EXAMPLE};11.9;1.2 (a rating)\n", ["{}:1", "{}:2"]),
        ("x.txt", f"{EXAMPLE},{SOLUTION}\n{EXAMPLE}: hard\n", ["{}:1", "{}:2"]),
        ("x.csv", f"quizzes,solutions\n{EXAMPLE},{SOLUTION}\n", ["{}: row 1"]),
        ("x.csv", pd.DataFrame(SQUARE).to_csv(index=False), ["{}:1"]),
        ("x.csv", f"id, puzzle\n7, {EXAMPLE}\n", ["7"]),
        ("x.csv", f"name,id,puzzle\neasy,7,{EXAMPLE}\n", ["7"]),
        ("x.txt", f"source,question,answer\nx,{EXAMPLE},{SOLUTION}\n", ["{}: row 1"]),
        *(("x.txt", f"{word}\n{EXAMPLE}\n", ["{}:2"]) for word in ("grid", "Board:", "puzzles")),
        ("x.txt", f"Sudoku, easy\n{EXAMPLE}\n", ["Sudoku, easy"]),
        *(("x.csv", text, ["{}:2"]) for text in NAMED_COLUMNS),
        ("x.csv", pd.DataFrame(np.where(SQUARE, SQUARE, np.nan)).to_csv(), ["{}:1"]),
        ("x.csv", f"# Kaggle\n\nid,PUZZLE,solution,clues\n7,{EXAMPLE},{SOLUTION},30\n", ["7"]),
        ("x.csv", f'puzzle,name\r\n"{ROWS}",a\r\n', ["a"]),
        ("x.txt", f"name;puzzle\na;{EXAMPLE}\n", ["a"]),
        ("x.csv", f"name,puzzle\ra,{EXAMPLE}\rb,{EXAMPLE}\r", ["a", "b"]),  # of Excel on a Mac
        ("x.csv", f"sep=;\r\nid;puzzle\r\n7;{EXAMPLE}\r\n", ["7"]),  # of Excel
        ("x.txt", f"# symbols: 1-9\n{EXAMPLE}\n", ["{}:2"]),
        ("x.txt", f"My little puzzles\n{EXAMPLE}\n{EXAMPLE}\n", ["My little puzzles", "{}:3"]),
        ("x.csv", SHEET, ["{}:1"]),
        ("x.csv", f"{SHEET}\r\n{SHEET}".replace(",", ";"), ["{}:1", "{}:11"]),
        *(("x.csv", f"Weekly,,,,,,,,\n{SHEET}".replace(",", sign), ["Weekly"]) for sign in ",;"),
        ("x.txt", SHEET.replace(",", "\t"), ["{}:1"]),
        ("x.jsonl", json.dumps({"name": "é", "puzzle": EXAMPLE}), ["é"]),
        ("x.jsonl", f"\n{json.dumps(OBJECT)}\n\n{json.dumps(OBJECT)}\n", ["{}:2", "{}:4"]),
        ("x.json", json.dumps([EXAMPLE, EXAMPLE]), ["{}:1", "{}:2"]),
        ("x.json", json.dumps(VALUES), ["{}:1"]),
        ("x.json", json.dumps(NESTED, indent=1), ["{}:1"]),
        ("x.json", json.dumps([NESTED] * 2), ["{}:1", "{}:10"]),
        ("x.json", json.dumps([OBJECT, {"id": 3, "board": EXAMPLE}]), ["{}: row 1", "3"]),
        ("x.json", json.dumps({"grids": [{"value": NESTED, "solution": NESTED}]}), ["{}: row 1"]),
        ("x.txt", f"\ufeff{EXAMPLE}\r\n{EXAMPLE}", ["{}:1", "{}:2"]),  # of Windows
    ],
)
def test_forms_of_files(tmp_path, monkeypatch, name, text, names):
    file, packed_file = tmp_path / name, tmp_path / f"{name}.gz"
    file.write_bytes(text.encode())
    packed_file.write_bytes(gzip.compress(text.encode()))
    stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(text.encode())))
    monkeypatch.setattr(sys, "stdin", stdin)
    for source in (file, packed_file, "-"):
        puzzles = read(source)
        assert [puzzle.givens.tolist() for puzzle in puzzles] == [VALUES] * len(names)
        file_name = "standard input" if source == "-" else source
        assert [puzzle.name for puzzle in puzzles] == [name.format(file_name) for name in names]


@pytest.mark.parametrize(
    "text",
    [
        EXAMPLE,
        f"puzzle,level\n{EXAMPLE},1\n",
        json.dumps(NESTED),
        json.dumps([EXAMPLE], indent=1),  # its first line is one sign
    ],
)
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16(tmp_path, text, encoding):
    (tmp_path / "x.csv").write_bytes(text.encode(encoding))
    assert read(tmp_path / "x.csv")[0].givens.tolist() == VALUES


@pytest.mark.parametrize("header", ["puzzle,solution", "level,puzzle,other", "quiz,rating"])
def test_a_table_is_read_from_a_text_as_from_a_file(header, tmp_path):
    fields = {"puzzle": EXAMPLE, "quiz": EXAMPLE, "solution": SOLUTION, "level": "very easy"}
    text = f"{header}\n{','.join(fields.get(name, '1') for name in header.split(','))}\n"
    (tmp_path / "x.csv").write_text(text)
    assert read(text)[0].line == read(tmp_path / "x.csv")[0].line == EXAMPLE


def test_symbols_that_a_comment_names_hold_for_the_plain_lines_below(tmp_path):
    (tmp_path / "x.txt").write_text(f"# symbols: 0-8\n{EXAMPLE.replace('9', '.')}\n")
    (puzzle,) = read(tmp_path / "x.txt")
    assert (puzzle.symbols.name, puzzle.givens[0]) == ("0-8", 6)


def test_an_array_of_numpy_in_a_file(tmp_path):
    np.save(tmp_path / "x.npy", [VALUES] * 3)
    assert [puzzle.givens.tolist() for puzzle in read(tmp_path / "x.npy")] == [VALUES] * 3
    np.save(tmp_path / "x.npy", np.array([None]), allow_pickle=True)
    with pytest.raises(InputError, match="an array of objects; save whole numbers"):
        read(tmp_path / "x.npy")


PUZZLE_FILES = (
    *("api.json", "assignment.txt", "c_array.txt", "framed.ss", "latin1_comment.txt"),
    *("markdown_table.txt", "numpy_print.txt", "pandas_print.txt", "question_marks.txt"),
    *("quoted_lines.txt", "semicolon_header.csv", "05_question_answer.jsonl"),
    "14_hash_is_the_blank.ipuz",
)
SHARED = {  # the first cells of the puzzles, or the reason why a file is refused
    **dict.fromkeys(PUZZLE_FILES, ("53..7",)),
    "separated_grids.txt": ("..3.2", "2...8"),
    "01_zero_to_eight.json": "may be in 1-9 or 0-8; say which: --symbols",
    "02_index_and_81_cells.csv": "82 cells",
    "02d_index_and_81_cells_wrong_solution.csv": "82 cells",
    "03_last_row_too_short.sdk": "r9c9: an empty cell beside other blanks",
    "04_letter_beside_zeros.txt": "r1c2: 'l' is not a cell",
}


@pytest.mark.parametrize("name", SHARED)
def test_shared_files(shared_data, name):
    folder = shared_data.parent / ("failing" if name[0].isdecimal() else "formats")
    if isinstance(SHARED[name], tuple):
        assert tuple(puzzle.line[:5] for puzzle in read(folder / name)) == SHARED[name]
    else:
        with pytest.raises(InputError, match=SHARED[name]):
            read(folder / name)


def packed(**columns):
    """The bytes of a Parquet file."""
    data = io.BytesIO()
    parquet.write_table(pa.table(columns), data)
    return data.getvalue()


APART = [  # solutions in another part of a file than their puzzles
    *("\n\n", "\n# solution\n", "\nSpoiler:\n", "\n---\n", "\nGrid 02\n"),
]


@pytest.mark.parametrize("between", APART)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_solutions_apart_from_their_puzzles_are_refused(tmp_path, between, n):
    file, several = tmp_path / "x.txt", antdoku.generate(3, 0.4, n, unique=True)
    solved = [result.line for result in antdoku.solve_all(several)]
    lines = [puzzle.line for puzzle in several]
    pairs = between.join(f"{line}{between}{grid}" for line, grid in zip(lines, solved))
    for text in (between.join([*lines, *solved]), pairs, "\n".join([*lines, between, *solved])):
        file.write_text(text)
        with pytest.raises(InputError, match="a solution beside its puzzle"):
            read(file)
        assert len(read(file, column="solution")) == 2 * n
    file.write_text(between.join(lines))
    assert len(read(file)) == n


@pytest.mark.parametrize("ending", ["csv", "json", "txt"])
def test_check_refuses_to_ignore_solutions_beside_puzzles(tmp_path, ending):
    wrong = SOLUTION[::-1]
    table = pd.DataFrame({"puzzle": [EXAMPLE] * 2, "solution": [SOLUTION, wrong]})
    file = tmp_path / f"x.{ending}"
    if ending == "json":
        table.to_json(file, orient="records")
    else:
        table.to_csv(file, index=False)
    for source in (file, table, table.to_dict("records")):
        with pytest.raises(InputError, match="solutions stand beside the puzzles; check"):
            antdoku.check_all(source)
        assert list(map(bool, antdoku.check_all(source, source))) == [True, False]
        assert all(antdoku.check_all(read(source)))
    with pytest.raises(InputError, match="solutions stand beside"):
        antdoku.check(table[:1])
    assert antdoku.check(table["puzzle"][:1].tolist()).unique


def test_a_list_of_objects_in_json_that_is_damaged_is_refused(tmp_path):
    file = tmp_path / "x.json"
    objects = [{"puzzle": EXAMPLE, "clues": 30}] * 3
    for text in (json.dumps(objects), json.dumps([NESTED] * 3), json.dumps({"a": objects})):
        cuts = [text[:at] for at in range(1, len(text), 5)]
        for damaged in [*cuts, *(text[:at] + text[at + 1 :] for at in range(0, len(text), 7))]:
            file.write_text(damaged)
            try:
                puzzles = read(file)
            except InputError:
                continue
            assert [puzzle.givens.tolist() for puzzle in puzzles] == [VALUES] * 3


def test_damaged_utf_16_and_columns_of_other_names_are_refused(tmp_path):
    text = f"puzzle,level\n{EXAMPLE},1\n{EXAMPLE},2\n".encode("utf-16")
    for at in range(40, len(text)):
        (tmp_path / "x.csv").write_bytes(text[:at] + text[at + 1 :])
        with pytest.raises(InputError):
            read(tmp_path / "x.csv")
    for column in ("sudoku", "both", "", None):
        with pytest.raises(InputError, match=r"it is no table|must be the name of a column"):
            read(EXAMPLE, column=column)


WIDE = "+---+\n|   3 | 1 2 | 4 |\n| 2 4 | 3 1 |\n+---+\n| 1 2 | 4 3 |\n| 4 3 | 1 2 |\n+---+"
NO_TEXT = "row 1: the puzzle is empty"
LABELLED = [  # the fifth row has lost a cell
    "\n".join([head, *(f"{labels[at]},{row}" for at, row in enumerate(SHORT))])
    for head, labels in ((",0,1,2,3,4,5,6,7,8", "012345678"), ("A,B,C,D,E,F,G,H,I", "ABCDEFGHI"))
]
NO_PYTHON = (  # columns that Python has no values for
    pa.array([2**30], "int32").cast(pa.date32()),
    pa.array([0]).cast(pa.timestamp("s", "Nowhere/X")),
    pa.array([b"\xff"]).view(pa.string()),
)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("empty.txt", "", "there is no puzzle in it"),
        ("torn.txt.gz", gzip.compress(b"53")[:-9], "cannot be read: Compressed file ended"),
        ("no.csv.gz", b"\x1f\x8b123456789", "cannot be read: Unknown compression method"),
        ("state.sdk", f"[State]\n{ROWS}", "there is no puzzle in it"),
        ("torn.json", '{"puzzle": "', "torn.json: not JSON: Unterminated string"),
        ("list.jsonl", '{"puzzle": []}', "row 1: there is no puzzle in it"),
        ("deep.jsonl", '{"puzzle":' + "[" * 10**5, "deep.jsonl: not JSON: "),
        ("two.jsonl", f'{{"puzzle": "{EXAMPLE}"}}\n[]', "two.jsonl:2: must be a JSON object"),
        ("short.jsonl", '{"puzzle": "1"}', "row 1: 1 cell: a 9x9 puzzle has"),
        (
            "other.json",
            '{"a": 1}',
            "no puzzle in it: name the puzzle 'puzzle'; columns: 'a'",
        ),
        ("nul.txt", "12\0", "a binary file"),
        ("latin.txt", b"abc\xe9\nfgh\xe9", "cannot be read"),
        ("a\nb.txt", "123", ":1: 3 cells"),
        ("bad.parquet", b"PAR1", "cannot be read"),
        ("empty.csv", "puzzle\n", "there is no puzzle in it"),
        ("other.csv", "\nid,clues\n1,2\n", "no column 'puzzle': rename it (commands take --col"),
        ("s.csv", "id,result\n1,2\n", ", and call solutions 'solution'; columns: 'id', 'result'"),
        ("bad.csv", "puzzle\n123\n", "row 1: 3 cells"),
        ("long.csv", "puzzle\n1,2\n", "row 1: 2 cells in a row, and 1 column"),
        ("x.csv", f'puzzle,a\n{EXAMPLE},b\n{EXAMPLE},"b\n{EXAMPLE},b\n', "row 2: unexpected end"),
        ("x.csv", f'puzzle,a\n{EXAMPLE},"b\n{EXAMPLE},"b\n', "row 1: ',' expected after"),
        ("x.csv", f'"puzzle,a\n{EXAMPLE},b\n', "x.csv:1: unexpected end of data; close the"),
        ("x.txt", f"0  {EXAMPLE[:44]}...\n", "pandas cuts texts: set display.max_colwidth to None"),
        ("x.csv", f"puzzle,solution\n{SOLUTION},{EXAMPLE}\n", "puzzle and solution swapped?"),
        (
            "x.csv",
            f"puzzle\n{SOLUTION}\n".encode().replace(b"53", b"\xff\xff"),
            "write the file in",
        ),
        ("x.txt", f"< {EXAMPLE[1:]}\n", "x.txt:1: 80 cells: a 9x9 puzzle has 81"),
        ("x.xml", "<?xml?>", "XML, HTML or PHP is not read: allowed are text, JSON, .csv"),
        ("torn.npy", b"\x93NUMPY", "cannot be read: "),
        ("same.csv", "puzzle,name,puzzle\n1,a,1\n", "two columns are called 'puzzle'; rename one"),
        ("ids.csv", f"id,ID,puzzle\n1,2,{EXAMPLE}\n", "two columns are called 'id'; rename one"),
        ("c.txt", f"{EXAMPLE}#hard\n", "a row of it 9; write a space before the comment"),
        ("b.txt", "53|.7.|...\n6..|195|...\n", "b.txt:1: 8 cells: a 9x9 puzzle has 81, a row"),
        ("wide.txt", WIDE, "wide.txt:2: cells out of the columns of other rows; write a dot"),
        ("short.csv", f"name,Puzzle\na,{EXAMPLE}\nb,\n", "row 2: the puzzle is empty"),
        ("x.csv", f"id,puzzle1,{EXAMPLE}\n2,{EXAMPLE}\n", "x.csv:1: a header and a puzzle in one"),
        ("x.csv", f"puzzle,level{EXAMPLE},1\n{EXAMPLE},2\n", "x.csv:1: a header and a puzzle in"),
        (
            "x.txt",
            f" id | puzzle\n----+---- 1 | {EXAMPLE}\n 2 | {EXAMPLE}\n",
            "a rule and a row in",
        ),
        (
            "x.csv",
            ",".join(["id", "level", *(f"c{n}" for n in range(80))]) + f"\n1,2{',0' * 80}\n",
            "80 columns of cells: allowed are 81 for 9x9",
        ),
        *(("x.csv", text, "x.csv:6: 8 cells in this row") for text in LABELLED),
        ("x.sql", f"INSERT INTO t (id, puzzle) VALUES\n(1,'{EXAMPLE}'),", "SQL is not read"),
        ("two.csv", f'puzzle\n"{EXAMPLE}\n{EXAMPLE}"\n', "row 1: 2 puzzles: a row holds"),
        *(("x.parquet", packed(puzzle=["1"], name=odd), "cannot be read: ") for odd in NO_PYTHON),
        ("x.parquet", packed(puzzle=pa.array([None], "string")), NO_TEXT),
        ("x.parquet", packed(puzzle=[1]), "row 1: int: must be a text or a list of"),
        ("x.parquet", packed(puzzle=[b"1"]), "row 1: bytes: must be a text or a list"),
        ("x.parquet", packed(**{"a\nb": [1], "\u2028": [2]}), r"columns: 'a\nb', '\u2028'"),
    ],
    ids=lambda value: value if isinstance(value, str) and "." in value[:9] else "",
)
def test_mistakes_in_files(tmp_path, name, data, message):
    (tmp_path / name).write_bytes(data.encode() if isinstance(data, str) else data)
    with pytest.raises(InputError) as error:
        read(tmp_path / name)
    text = str(error.value)
    assert message in text and ascii(name)[1:-1] in text and text.isprintable()


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
def test_a_table_names_its_puzzles(tmp_path, ending):
    file, texts = tmp_path / f"x{ending}", [EXAMPLE, writing.format_integers(VALUES)] * 3
    frame = pd.DataFrame({"instance_id": list("abcdef"), "order": 3, "puzzle": texts})
    (frame.to_parquet if ending == ".parquet" else frame.to_csv)(file)
    puzzles = read(file)
    assert [puzzle.name for puzzle in puzzles] == list("abcdef")
    assert [puzzle.givens.tolist() for puzzle in puzzles] == [VALUES] * 6


def test_a_torn_table(tmp_path):
    file = tmp_path / "x.parquet"
    pd.DataFrame({"puzzle": [EXAMPLE] * 100}).to_parquet(file)
    whole = file.read_bytes()
    for length in range(0, len(whole), 50):
        file.write_bytes(whole[:length])
        with pytest.raises(InputError, match="cannot be read: "):
            read(file)


# --- Named puzzles -------------------------------------------------------------------------------


def test_there_are_262_puzzles_of_order_3_in_four_collections():
    sizes = {"lloyd_amos_named": 16, "mantere_koljonen_46": 46, "soto": 9, "seventeen_clue": 200}
    assert {name: len(named.puzzles(name)) for name in named.collections()} == sizes
    assert len(named.names()) == len(set(named.names())) == len(named.puzzles("all")) == 262
    assert not set(named.names()) & set(sizes)
    assert {puzzle.n_givens for puzzle in named.puzzles("seventeen_clue")} == {17}
    for name in named.names():
        (puzzle,) = named.puzzles(name)
        assert (puzzle.name, puzzle.order) == (name, 3)
        assert 17 <= puzzle.n_givens < 81
    several = {row.name: row.n_solutions for row in named.table() if row.n_solutions != 1}
    assert several == {"sabuncu3": 27}
    assert named.puzzles("PlatinumBlond")[0].name == "platinumblond"
    # A puzzle may belong to two collections.
    soto = named.find("soto")
    assert [row.name for row in soto] == [f"mk_s{k}{part}" for k in (10, 11, 12) for part in "abc"]
    assert all(row in named.find("mantere_koljonen_46") for row in soto)
    assert all("Soto et al." in row.note for row in soto)


FEWER = "." + EXAMPLE[1:]


class OfArrow:
    """A table or a column of a package that hands it over as Arrow does, and nothing else."""

    def __init__(self, held):
        self.__arrow_c_stream__ = held.__arrow_c_stream__
        if hasattr(held, "columns"):
            self.columns = held.column_names


def test_tables_of_arrow_are_read_with_their_names(tmp_path):
    frame = pd.DataFrame({"puzzle": [EXAMPLE, FEWER], "id": ["a", "b"]})
    for table in (pa.table(frame), pa.table(frame.set_index("id"))):
        for source in (OfArrow(table), table):
            assert [puzzle.name for puzzle in read(source)] == ["a", "b"]
            assert antdoku.read_grids(source).shape == (2, 81)
    for column in (pa.table(frame)["puzzle"], OfArrow(pa.table(frame)["puzzle"])):
        assert [puzzle.line for puzzle in read(column)] == [EXAMPLE, FEWER]
    frame.set_index("id").to_parquet(tmp_path / "x.parquet")
    assert [puzzle.name for puzzle in read(tmp_path / "x.parquet")] == ["a", "b"]


@pytest.mark.parametrize("index", [None, "id"])
@pytest.mark.parametrize("columns", [["id", "puzzle"], ["puzzle", "id", "solution"]])
def test_a_printed_frame_keeps_its_names(tmp_path, index, columns):
    frame = pd.DataFrame({"id": ["a", "b"], "puzzle": [EXAMPLE, FEWER], "solution": [SOLUTION] * 2})
    frame = frame[columns].set_index(index) if index else frame[columns]
    text = frame.to_string()
    (tmp_path / "x.txt").write_text(text)
    for source in (text, tmp_path / "x.txt"):
        assert [(puzzle.name, puzzle.line) for puzzle in read(source)] == [
            ("a", EXAMPLE),
            ("b", FEWER),
        ]


@pytest.mark.parametrize("name", ["x.csv", "x.parquet", "x.jsonl"])
def test_any_column_of_puzzles_is_read_by_its_name(tmp_path, name):
    frame = pd.DataFrame({"by": "me", "question": [EXAMPLE], "answer": [SOLUTION], "rating": [1]})
    antdoku.files.write_table(frame, tmp_path / name)
    for source in (tmp_path / name, frame):
        assert [puzzle.line for puzzle in read(source)] == [EXAMPLE]
        assert [puzzle.line for puzzle in read(source, column="answer")] == [SOLUTION]
        with pytest.raises(InputError, match=r"no (column|key) 'nope'; (columns|keys): 'by', 'que"):
            read(source, column="nope")
    table = antdoku.compare(frame, "dlx", max_steps=1, column="answer")
    assert table["puzzle"].tolist() == [" ".join(SOLUTION)]


def test_a_column_is_chosen_only_if_no_other_may_be_meant(tmp_path):
    frame = pd.DataFrame({"Board": [EXAMPLE], "grid": [SOLUTION], "puzzle": [FEWER]})
    assert [puzzle.line for puzzle in read(frame)] == [FEWER]
    assert [puzzle.line for puzzle in read(frame, column="Board")] == [EXAMPLE]
    for source in (frame[["Board", "grid"]], EXAMPLE):
        with pytest.raises(
            InputError, match=r"no column 'puzzle': rename it .commands take --column|it is no tab"
        ):
            read(source, column="puzzle" if hasattr(source, "iloc") else "Board")


GRIDDED = {
    "puzzle": [[*map(int, EXAMPLE[at : at + 9].replace(".", "0"))] for at in range(0, 81, 9)]
}


def test_the_key_of_the_only_text_names_it_unless_it_is_a_usual_one():
    for key, name in (("easy", "easy"), ("board", "puzzle 1"), ("data", "puzzle 1")):
        for source in ({key: EXAMPLE}, json.dumps({key: EXAMPLE})):
            assert [puzzle.name for puzzle in read(source)] == [name]
    assert read({"easy": EXAMPLE}, column="easy")[0].line == EXAMPLE
    assert [puzzle.name for puzzle in read([{"q": EXAMPLE}, {"q": EXAMPLE}])] == [
        "puzzle 1",
        "puzzle 2",
    ]


@pytest.mark.parametrize(
    "value",
    [
        {"a": EXAMPLE, "b": FEWER.replace("3", "4", 1)},
        {"a": {"puzzle": EXAMPLE}, "b": {"puzzle": FEWER, "solution": SOLUTION}},
        {"date": "today", "a": {"no": 7, "data": GRIDDED}, "b": {"no": 8, "data": GRIDDED}},
    ],
)
def test_keys_of_an_object_name_the_puzzles(value):
    for source in (value, json.dumps(value)):
        assert [puzzle.name for puzzle in read(source)] == ["a", "b"]


@pytest.mark.parametrize("shape", [(81,), (9, 9)])
def test_keys_of_an_object_name_arrays(shape):
    texts = [puzzle.line for puzzle in read("named:soto")]
    arrays = [puzzle.givens.reshape(shape) for puzzle in read(texts)]
    named = read(dict(zip("abcdefghi", arrays)))
    assert [puzzle.name for puzzle in named] == list("abcdefghi")
    assert [puzzle.line for puzzle in named] == texts
    grids = antdoku.read_grids({1: arrays[0], 2: arrays[1].astype(float)})
    assert (grids == [puzzle.givens for puzzle in named[:2]]).all()
    are_others = np.arange(81).reshape(shape) > 1
    for value, words in ((99, "r1c1: 99: must be"), (5, "r1c1 and r1c2: the row has")):
        with pytest.raises(InputError, match=f"the argument: 'b': {words}"):
            read({"a": arrays[0], "b": np.where(are_others, arrays[1], value)})


def test_inner_keys_name_all_puzzles_of_an_object_of_objects():
    grids = [puzzle.line for puzzle in read("named:soto")[:3]]
    for first, second, third in (grids, [read(grid)[0].grid for grid in grids]):
        nested = {"x": {"a": first, "b": second}, "y": {"c": third}}
        assert [puzzle.name for puzzle in read(nested)] == ["a", "b", "c"]
        assert [puzzle.name for puzzle in read({**nested, "y": {"puzzle": third}})][2] == "y"
        with pytest.raises(InputError, match="y: 'd' is empty; leave it out"):
            read({**nested, "y": {"c": third, "e": first, "d": None}})


@pytest.mark.parametrize("empty", [None, "", []])
def test_an_empty_field_beside_a_puzzle_and_its_solution_changes_nothing(empty):
    solved = SOLVED.tolist() if isinstance(SOLVED, np.ndarray) else SOLVED
    for puzzle, solution in ((EXAMPLE, "".join(map(str, np.ravel(solved)))), (VALUES, solved)):
        (read_again,) = read({"unsolved": puzzle, "solved": solution, "time": empty})
        assert read_again.n_givens == np.count_nonzero(VALUES)


def test_quoted_cells_with_spaces_between_them_are_no_empty_texts():
    rows = [list(EXAMPLE[at : at + 9]) for at in range(0, 81, 9)]
    assert read(str(np.array(rows)))[0].line == EXAMPLE


def test_an_empty_field_beside_one_puzzle_is_told(caplog):
    caplog.set_level("INFO", "antdoku")
    assert len(read({"problem": EXAMPLE, "author": None, "rating": ""})) == 1
    assert caplog.messages == ["the argument: 'author' is empty, and no puzzle"]


def test_keys_of_arrays_that_stand_for_each_other_name_no_puzzles():
    other, fewer = read("named:soto")[0].givens, np.where(np.arange(81) < 40, ARRAY, 0)
    assert len(read({"start": ARRAY, "end": SOLVED})) == 1
    assert len(read({"puzzle": ARRAY, "solution": SOLVED})) == 1
    pairs = [{"a": ARRAY, "b": other, "c": SOLVED}, {"a": fewer, "b": other, "c": ARRAY}]
    for value in (*pairs, {"start": fewer, "now": ARRAY}, {"a": ARRAY, "b": ARRAY}):
        with pytest.raises(InputError, match="puzzles in it: name the puzzle 'puzzle'"):
            read(value)


def test_modules_and_classes_are_no_puzzles():
    for source in (np, pd.DataFrame):
        with pytest.raises(InputError, match=r"a (module|type): allowed are a path, a text"):
            read(source)


def test_keys_of_a_puzzle_and_what_became_of_it_name_no_puzzles():
    with pytest.raises(InputError, match="2 puzzles in it: name the puzzle 'puzzle'"):
        read({"start": FEWER, "now": EXAMPLE})
    assert len(read({"start": FEWER, "end": SOLUTION})) == 1
    assert [puzzle.name for puzzle in read({"data": {"puzzle": FEWER}})] == ["puzzle 1"]


def test_other_ids_are_said_and_titles_lose_their_separators(tmp_path, caplog):
    for name, is_said in (("puzzle_id", True), ("uuid", True), ("id", False), ("level", False)):
        caplog.clear()
        (tmp_path / "x.csv").write_text(f"{name},puzzle\n7,{EXAMPLE}\n")
        with caplog.at_level(logging.INFO, "antdoku"):
            assert len(read(tmp_path / "x.csv")) == 1
        assert ("call column" in caplog.text) == is_said
    rows = "\n".join(",".join(EXAMPLE[at : at + 9]) for at in range(0, 81, 9))
    assert [puzzle.name for puzzle in read(f"Mon café,,,,,,,,\n{rows}")] == ["Mon café"]


@pytest.mark.parametrize(
    ("form", "lost", "message"),
    [
        ("Puzzle {},{}", "Puzzle 4,", "'Puzzle 4' among lines of puzzles is no puzzle"),
        ("Puzzle {}\n{}", "Puzzle 4", "'Puzzle 4' is no puzzle, nor stands above one"),
        ("[level{}]\n{}", "[level4]", "'level4' is no puzzle, nor stands above one"),
        ("Sudoku {}\t{}", "Sudoku 4\t", "'Sudoku 4' among lines of puzzles is no puzzle"),
        ("{1} hard {0}", "hard 4", "'hard 4' among lines of puzzles is no puzzle"),
        ('- "{1}"', '- ""', ":4: the puzzle is empty"),
        ("'{1}',", "'',", ":4: the puzzle is empty"),
    ],
)
def test_a_puzzle_that_is_lost_leaves_its_name_behind(tmp_path, form, lost, message):
    lines = [puzzle.line for puzzle in named.puzzles("soto")[:6]]
    texts = [form.format(at, line) for at, line in enumerate(lines, 1)]
    file = tmp_path / "x.txt"
    file.write_text("\n".join(texts))
    assert [puzzle.line for puzzle in read(file)] == lines
    file.write_text("\n".join([*texts[:3], lost, *texts[4:]]))
    with pytest.raises(InputError, match=message):
        read(file)
    if form[0] != "'" and form[0] != "-":
        file.write_text("\n".join([*texts, lost.replace("4", "7")]))  # a file that is cut
        with pytest.raises(InputError, match=r"7' (is no puzzle, nor|among lines)"):
            read(file)


def test_titles_with_a_number_may_stand_above_each_other_or_name_lines(tmp_path):
    file = tmp_path / "x.txt"
    file.write_text(f"Sudoku 2024\nLevel 1\n{EXAMPLE}\nLevel 2\n{EXAMPLE}\n{EXAMPLE}\n")
    assert [puzzle.name for puzzle in read(file)] == ["Level 1", "Level 2", f"{file}:6"]
    file.write_text(f"Level 1\nPuzzle 1, {EXAMPLE}\nPuzzle 2: {EXAMPLE}\n")
    assert [puzzle.name for puzzle in read(file)] == ["Puzzle 1", "Puzzle 2"]


@pytest.mark.parametrize(
    "title",
    [
        *(
            "Puzzle #{}",
            "Puzzle {} (hard)",
            "Puzzle {} - hard",
            "Level 1, puzzle {}",
            "Grid {}: 5.2",
        ),
        *("[hard {}]", "**Puzzle {}**", "No. {}", "P0{}", "puzzle_{}", "hard {} of 12, May 2020"),
    ],
)
def test_titles_hold_words_and_numbers(tmp_path, title):
    file = tmp_path / "x.txt"
    for block in (EXAMPLE, ROWS):
        for gap in ("\n", "\n\n"):
            text = gap.join(f"{title.format(number)}\n{block}" for number in (1, 2))
            file.write_text(text)
            for source in (text, file):
                names = [puzzle.name for puzzle in read(source)]
                assert names == [title.format(number).strip("*") for number in (1, 2)]
    large = antdoku.generate(order=4, fixed=0.5, seed=1)[0]
    rows = re.findall("." * 16, large.line)
    if title != "P0{}":  # it has no other letter than the cells
        named = read("\n".join([title.format(1), *rows]), symbols="A-P")
        assert [puzzle.name for puzzle in named] == [title.format(1).strip("*")]
    rows[7] = title.format(1)
    with pytest.raises(InputError):
        read("\n".join(rows), symbols="A-P")
    with pytest.raises(InputError, match=" is no puzzle, nor stands above one"):
        read(f"{title.format(1)}\n{title.format(1)}\n{ROWS}")


def test_a_line_that_has_lost_its_end_before_a_comment_is_refused():
    with pytest.raises(InputError, match="a comment behind a puzzle holds a puzzle"):
        read(f"{EXAMPLE} # 3.2 {EXAMPLE} # 3.9\n{EXAMPLE} # 2.0\n")
    assert len(read(f"{EXAMPLE} # its solution {SOLUTION}")) == 1


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (f"1,{EXAMPLE},{SOLUTION},x\n2,,{SOLUTION},x\n", ":2"),
        (f"a {EXAMPLE} {SOLUTION}\nb {SOLUTION}\n", ":2"),
        (f'{{"q":"{EXAMPLE}","sol":"{SOLUTION}"}}\n{{"q":null,"sol":"{SOLUTION}"}}\n', ":2"),
        (f"id,puzzle,solution\n1,{EXAMPLE},{SOLUTION}\n2,{SOLUTION},{EXAMPLE}\n", " row 2"),
    ],
)
def test_a_solution_that_has_lost_its_puzzle_is_refused(tmp_path, text, place):
    file, errors = tmp_path / "x.txt", []
    file.write_text(text)
    for function in (read, antdoku.read_grids, antdoku.check_all):
        with pytest.raises(InputError, match=f"{place}: (a solution alone|a complete puzzle, and)"):
            function(file)
    assert len(read(file, skip=errors.append)) == 1 and place in str(errors[0])


@pytest.mark.parametrize("mark", " ,:")
def test_a_solution_alone_among_pairs_is_refused_wherever_it_stands(tmp_path, mark):
    file, pair = tmp_path / "x.txt", f"{EXAMPLE}{mark}{SOLUTION}"
    for at in range(3):
        lines = [pair, pair]
        lines.insert(at, SOLUTION[::-1])
        file.write_text("\n".join(lines))
        with pytest.raises(InputError, match=f"x.txt:{at + 1}: a solution alone"):
            read(file)
    file.write_text(f"{EXAMPLE}\n{pair}\n{EXAMPLE}")
    assert len(read(file)) == 3


def test_the_number_of_puzzles_may_stand_above_them(tmp_path):
    file = tmp_path / "x.txt"
    for number, lines in ((2, [EXAMPLE] * 2), (3, [ROWS, "", EXAMPLE, EXAMPLE]), (9, [EXAMPLE])):
        file.write_text("\n".join([str(number), *lines]))
        assert len(read(file)) == "\n".join(lines).count(EXAMPLE[:9])
    for number in (3, 4, 9):
        text = f"{number}\n{EXAMPLE}\n{EXAMPLE}\n"
        file.write_text(text)
        for source in (text, file):
            with pytest.raises(InputError, match=f":1: {number} above 2 puzzles: must be their nu"):
                read(source)


def test_a_damaged_line_at_the_top_hides_no_lines_of_json(tmp_path):
    line = json.dumps({"id": 1, "puzzle": EXAMPLE, "solution": SOLUTION})
    for at in range(1, len(line)):
        (tmp_path / "x.jsonl").write_text(f"{line[at:]}\n{line}\n{line}\n")
        with pytest.raises(InputError):
            read(tmp_path / "x.jsonl")


@pytest.mark.parametrize("name", ["Puzzle", "sudoku", "Puzzles"])
def test_the_title_of_a_grid_may_be_the_name_of_a_column(tmp_path, name):
    for text in (f"{name}\n{ROWS}\n", f"{name}\n\n{ROWS}\n", f"{name}\n{EXAMPLE}\n"):
        (tmp_path / "x.txt").write_text(text)
        assert read(tmp_path / "x.txt")[0].givens.tolist() == VALUES


def test_a_complete_grid_is_no_solution_of_itself(tmp_path):
    file = tmp_path / "x.txt"
    large = antdoku.solve(antdoku.generate(order=4, fixed=0.5, seed=1)[0]).line
    for text in (f"x {SOLUTION}\n", f"{large}\n", f"a {EXAMPLE}\nb {SOLUTION[::-1]}\n"):
        file.write_text(text)
        assert all(check.unique for check in antdoku.check_all(file))
    file.write_text(f"a {EXAMPLE} {SOLUTION}\nb {EXAMPLE}\n")
    with pytest.raises(InputError, match=r"x.txt:2: solutions stand beside some of the puzzles"):
        antdoku.check_all(file)


def test_a_table_in_latin_1_keeps_its_names_and_says_empty_rows(tmp_path, caplog):
    file = tmp_path / "x.csv"
    file.write_bytes(f"id,puzzle\nM\xe4r,{EXAMPLE}\nM\xf6r,{EXAMPLE}\n".encode("latin-1"))
    assert [puzzle.name for puzzle in read(file)] == ["M\xe4r", "M\xf6r"]
    file.write_text(f"puzzle\n\n{EXAMPLE}\n\n{EXAMPLE}\n\n")
    with caplog.at_level(logging.INFO, "antdoku"):
        assert len(read(file)) == 2
    assert "an empty line stands between puzzles" in caplog.text


def test_letters_from_a_to_i_are_proposed():
    letters = EXAMPLE.translate(str.maketrans("123456789", "ABCDEFGHI"))
    with pytest.raises(InputError, match=r"in letters[?] give --symbols ABCDEFGHI"):
        read(letters)
    assert read(letters, symbols="ABCDEFGHI")[0].givens.tolist() == read(EXAMPLE)[0].givens.tolist()


A, B, C = (puzzle.line for puzzle in named.puzzles("soto")[:3])
GRID_A, GRID_B = (read(line)[0].grid.tolist() for line in (A, B))


@pytest.mark.parametrize(
    "value",
    [
        {"easy": [A, B], "hard": C},
        {"easy": A, "hard": [B, C]},
        {"puzzles": [A, B], "extra": {"puzzle": C}},
        {"puzzles": {"a": A, "b": B}, "extra": [C]},
        {"grids": [GRID_A, GRID_B], "last": GRID_A},
        {"x": {"y": {"z": [A, B]}}, "w": [C]},
    ],
)
def test_no_puzzle_of_an_object_is_left_out(value):
    with pytest.raises(InputError, match=r"would be left out|2 puzzles: a row holds one"):
        read(value)
    with pytest.raises(InputError, match=r"would be left out|2 puzzles: a row holds one"):
        read(json.dumps(value))


def test_the_first_field_of_a_row_is_its_name_as_it_is():
    names = ["New York", "k 1", "#1", "a, b", "it's", "7"]
    rows = [(name, A, None) for name in names]
    assert [puzzle.name for puzzle in read(rows)] == names
    assert [puzzle.name for puzzle in read(json.dumps(rows))] == names
    assert [puzzle.name for puzzle in read(f"New York,{A}\nk 1;{B}\n")] == ["New York", "k 1"]
    assert [puzzle.name for puzzle in read([(3, "hard", A), (4, "easy", B)])] == ["3", "4"]


def test_rows_and_objects_are_read_as_python_prints_them(tmp_path):
    rows = [(7, A, None), ("b", B, None)]
    records = [{"id": name, "puzzle": line, "level": None} for name, line, _ in rows]
    for value in (rows, records, {"7": A, "b": B}):
        for text in (f"{value}\n", f"{value}".replace("), (", "),\n (")):
            (tmp_path / "x.txt").write_text(text)
            for source in (text, tmp_path / "x.txt"):
                assert [(puzzle.name, puzzle.line) for puzzle in read(source)] == [
                    ("7", A),
                    ("b", B),
                ]
    for text in (f"{{'a': '{A}', 'a': '{B}'}}", f"[(1, '{A}'), (2, '{B[1:]}')]", f"{rows}"[:-2]):
        with pytest.raises(InputError):
            read(text)


def test_tables_of_databases_hold_4x4_puzzles_and_no_wrapped_cells():
    rule = f"+----+{'-' * 18}+\n"
    table = f"{rule}| id | puzzle           |\n{rule}"
    table += "".join(f"| {at:2} | 12..34..{'.' * 8} |\n" for at in range(2)) + rule
    assert [(puzzle.name, puzzle.n_givens) for puzzle in read(table)] == [("0", 4), ("1", 4)]
    for width in (60, 30):
        cells = [A[at : at + width].ljust(width) for at in range(0, 81, width)]
        rows = "\n".join(f"│ {' ' if at else 7} │ {cell} │" for at, cell in enumerate(cells))
        for text in (f"│ id │ {'puzzle'.ljust(width)} │\n{rows}", rows.replace("│ 7 ", "")):
            with pytest.raises(InputError, match=r"are cells wrapped\? print each in"):
                read(text)


def test_comments_of_languages_hold_no_puzzles(tmp_path, caplog):
    rows = str(GRID_A)
    mini_zinc = "start=[|" + "|".join(",".join(map(str, row)) for row in GRID_A) + "|];"
    texts = [f"% {mini_zinc}\n{mini_zinc}", f"-- g = {rows}\ng = {rows}", f"/* {rows} */\n{rows}"]
    texts += [f"/* old:\n{rows}\n*/\nint g[] = {rows}", f"! {rows}\n{rows}"]
    for text in texts:
        assert [puzzle.grid.tolist() for puzzle in read(text)] == [GRID_A]
    file = tmp_path / "x.txt"
    file.write_text(f"k0,{A}\n#2,{B}\nk3,{C}\n")
    with caplog.at_level(logging.INFO, "antdoku"):
        assert len(read(file)) == 2
    assert "x.txt:2: a comment holds a puzzle" in caplog.text


def test_a_table_of_markdown_that_lost_a_row_is_refused():
    lines = ["|".join(map(str, range(1, 10))), "|".join(["---"] * 9)]
    lines += ["|".join(EXAMPLE[at : at + 9].replace(".", " ")) for at in range(0, 81, 9)]
    text = "\n".join(f"|{line}|" for line in lines)
    assert read(text)[0].givens.tolist() == VALUES
    with pytest.raises(InputError, match="8 rows of 9 cells below the numbers of the columns"):
        read(text[: text.rindex("\n")])
    solved = [[(3 * (row % 3) + row // 3 + at) % 9 + 1 for at in range(9)] for row in range(9)]
    lines = ["|".join(map(str, row)) for row in solved]
    assert len(read("\n".join([lines[0], "|".join(["---"] * 9), *lines[1:]]))) == 1


def test_a_rule_of_markdown_may_be_short_and_a_grid_by_boxes_is_refused(tmp_path):
    file = tmp_path / "x.md"
    for rule in ("|-|-|", "|--|--|", "|:--|--:|"):
        file.write_text(f"|id|puzzle|\n{rule}\n|a|{A}|\n")
        assert [(puzzle.name, puzzle.line) for puzzle in read(file)] == [("a", A)]
    with pytest.raises(InputError, match="'boxes': a grid by boxes; write its rows"):
        read({"boxes": GRID_A})


def test_a_lost_line_end_beside_ids_is_refused():
    uuid = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
    for separator in " ,;\t":
        lines = [f"{name}{separator}{line}" for name, line in ((uuid, A), ("k-2", B), (uuid, C))]
        assert len(read("\n".join(lines))) == 3
        with pytest.raises(InputError, match="117 cells beside a puzzle of 81"):
            read("\n".join([lines[0], f"k-2{separator}{B}{uuid}{separator}{C}"]))


def test_fences_stand_around_lines_and_levels_above_them(tmp_path):
    file = tmp_path / "x.md"
    fenced = [f"```\n{A}\n{B}\n```\n", f"```text\n{A}\n{B}\n```", f'x = """\n{A}\n{B}\n"""\n']
    for text in (*fenced, f"Easy\n{A}\n\nHard\n{B}\n"):
        file.write_text(text)
        assert [puzzle.line for puzzle in read(file)] == [A, B]
    file.write_text(f"{A}\nmissing 2\n{C}\n")
    with pytest.raises(InputError, match=":2: 'missing 2' among lines of puzzles is no puzzle"):
        read(file)


@pytest.mark.parametrize("blank", "-%!._*")
@pytest.mark.parametrize("order", [4, 5])
def test_a_row_may_begin_with_signs_of_comments(order, blank):
    puzzles, size = antdoku.generate(order=order, fixed=0.4, count=9, seed=3), order**2
    lines = [puzzle.line.replace(".", blank) for puzzle in puzzles]
    lines.append(blank * 4 + lines[0][4:])
    rows = [lines[-1][at : at + size] for at in range(0, size**2, size)]
    assert len(read("\n".join(lines))) == len(lines)
    assert read("\n".join(rows))[0].n_givens == read(lines[-1])[0].n_givens


def test_code_and_links_before_a_puzzle_are_no_names():
    for text in (f'solve(x, "{A}")', f"https://example.org/play?p={A}", f'let b: &str = "{A}";'):
        (puzzle,) = read(text)
        assert puzzle.name == "puzzle 1" and puzzle.line == A


REST = [  # records whose puzzle lost cells, or columns that lost one, and the message
    ({"monday": EXAMPLE[:70], "tuesday": EXAMPLE}, "'monday': 70 cells"),
    ({"monday": VALUES[:63], "tuesday": VALUES}, "'monday': .*63 cells"),
    ({"monday": NESTED[:7], "tuesday": NESTED}, "'monday': 7 rows of 9 cells"),
    ({"easy": [EXAMPLE[:70]], "hard": [EXAMPLE]}, "'easy': 70 cells"),
    ({"id": ["x", "y"], "puzzle": [EXAMPLE]}, "'id' has 2 values, and 'puzzle' 1"),
    ({"puzzle": [EXAMPLE, FEWER], "solution": [SOLUTION]}, "'solution' has 1 .*, and 'puzzle' 2"),
]


@pytest.mark.parametrize(("record", "message"), REST)
def test_the_rest_of_a_puzzle_beside_another_one_is_refused(record, message):
    with pytest.raises(InputError, match=message):
        antdoku.read(record)


@pytest.mark.parametrize("row", ["b", "b,{HARD},x", "b,'x,{HARD}", "b,{HARD},,,"])
@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_rows_of_another_length_are_skipped(tmp_path, row, separator):
    rows = ["name,puzzle", f"a,{EXAMPLE}", row.replace("{HARD}", HARD), "", f"c,{HARD}", ",", "d"]
    file, errors = tmp_path / "a.csv", []
    file.write_text("\n".join(rows).replace(",", separator).replace("x;", "x;;"))
    kept = read(file, skip=errors.append)
    assert [puzzle.name for puzzle in kept] == ["a", "c"]
    assert [re.sub(".*a.csv: ", "", str(error))[:5] for error in errors] == [
        f"row {number}" for number in (2, 4, 5)
    ]
    with pytest.raises(InputError, match=r"row 2: [1-9] cells? in a row, and 2 columns$"):
        read(file)


def test_rows_of_cells_are_skipped_and_rows_within_quotes_are_not(tmp_path):
    rows = [["id", *(f"c{number}" for number in range(81))]]
    rows += [["a", *EXAMPLE], ["b", *EXAMPLE[1:]], ["c", *HARD]]
    (tmp_path / "cells.csv").write_text("\n".join(map(",".join, rows)))
    errors = []
    kept = read(tmp_path / "cells.csv", skip=errors.append)
    assert [puzzle.name for puzzle in kept] == ["a", "c"]
    (error,) = errors
    assert str(error).endswith("cells.csv: row 2: 81 cells in a row, and 82 columns")
    swallowed = f'a,{EXAMPLE}\nb,"x\nc,{HARD}\nd",{HARD},e\n'
    (tmp_path / "quotes.csv").write_text(f"name,puzzle\n{swallowed}")
    with pytest.raises(InputError, match=r"row 2: 4 cells .*; close the quotes of a text"):
        read(tmp_path / "quotes.csv", skip=errors.append)
