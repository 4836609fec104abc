"""Puzzles are read from whatever a user has at hand, and mistakes cost one line."""

import io
import os
import sys
import threading

import numpy as np
import pandas as pd
import pytest

import antdoku
from antdoku.errors import InputError
from antdoku.puzzle import named
from antdoku.puzzle.grid import ORDERS, root_grid
from antdoku.puzzle.reading import has_solutions, read, read_parts

EXAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
VALUES = [0 if sign == "." else int(sign) for sign in EXAMPLE]
ARRAY = np.array(VALUES)
SQUARE = ARRAY.reshape(9, 9)
SOLVED = np.array(list(map(int, SOLUTION)))
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
    "objects": [{"board": EXAMPLE, "level": 3, "diagonal": False}],
    "question": {"question": EXAMPLE, "answer": SOLUTION},
    "answer first": [{"solved": SOLVED.tolist(), "start": VALUES}],
}


@pytest.mark.parametrize("place", ["path", "name", "stdin", "literal", *VALUES_OF])
def test_reads_from_everywhere(tmp_path, monkeypatch, place):
    file = tmp_path / "x.txt"
    file.write_text(EXAMPLE)
    stdin = io.BufferedReader(io.BytesIO(EXAMPLE.encode()))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stdin))
    texts = {"path": file, "name": str(file), "stdin": "-", "literal": EXAMPLE}
    (puzzle,) = read((texts | VALUES_OF)[place])
    assert puzzle.order == 3
    assert puzzle.givens.tolist() == VALUES


@pytest.mark.parametrize("order", ORDERS)
def test_the_order_of_an_array_is_that_of_its_cells(order):
    (puzzle,) = read(root_grid(order), source_name="mine")
    assert (puzzle.order, puzzle.name) == (order, "puzzle 1")
    several = np.stack([root_grid(order)] * 3)
    found = read(several, first=5) + read(several.reshape(3, -1))
    assert found == [puzzle] * 6
    assert [each.name for each in found[:3]] == ["puzzle 5", "puzzle 6", "puzzle 7"]


def test_names_and_solutions_of_a_table():
    frame = pd.DataFrame({"ID": ["a", "b"], "Puzzle": [EXAMPLE] * 2, "solution": [SOLUTION, None]})
    assert [puzzle.name for puzzle in read(frame)] == ["a", "b"]
    # Without a solution, the puzzle: its blanks are what is wrong with it.
    found = read(frame, column="solution")
    assert [puzzle.givens.tolist() for puzzle in found] == [SOLVED.tolist(), VALUES]
    for source in (f"{EXAMPLE} {SOLUTION}", {"question": EXAMPLE, "answer": SOLUTION}):
        (solution,) = read(source, column="solution")
        assert solution.line == SOLUTION


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl", "x.parquet"])
def test_whether_solutions_stand_beside_puzzles(tmp_path, name):
    frame = pd.DataFrame({"puzzle": [EXAMPLE], "solution": [SOLUTION]})
    for columns in (["puzzle"], ["puzzle", "solution"]):
        table = frame[columns]
        if name == "x.csv":
            table.to_csv(tmp_path / name)
        elif name == "x.jsonl":
            table.to_json(tmp_path / name, orient="records", lines=True)
        else:
            table.to_parquet(tmp_path / name)
        assert has_solutions(tmp_path / name) == ("solution" in columns)
        assert read(tmp_path / name)[0].line == EXAMPLE


def test_the_symbols_of_an_array():
    grid = root_grid(4) - 1
    array = np.where(np.indices((16, 16)).sum(axis=0) % 2, -1, grid)
    (puzzle,) = read(array, symbols="0-15")
    assert (puzzle.n_givens, puzzle.symbols.name) == (128, "0-15")
    assert read(array) == [puzzle]  # 0 stands beside -1
    assert read(np.where(array < 0, 0, array + 1)) == [puzzle]


def test_a_puzzle_that_breaks_the_rules_is_read_if_that_is_asked_for():
    twice = [3, *VALUES[1:]]
    for source in (twice, f"3{EXAMPLE[1:]}"):
        with pytest.raises(InputError, match="r1c1 and r1c"):
            read(source)
        assert read(source, rules=False)[0].givens[0] == 3


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


def test_a_stream_is_read_as_it_comes(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    may_end = threading.Event()

    def write():
        with open(pipe, "w") as stream:
            print(EXAMPLE, file=stream, flush=True)
            may_end.wait()
            print(EXAMPLE, file=stream)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    parts = read_parts(str(pipe))
    assert len(next(parts).grids) == 1
    may_end.set()
    assert sum(len(part.grids) for part in parts) == 1
    writer.join()


def test_several_files(tmp_path):
    paths = [tmp_path / f"{number}.txt" for number in range(3)]
    for path in paths:
        path.write_text(EXAMPLE)
    found = read(paths)
    assert [puzzle.name for puzzle in found] == [f"{path}:1" for path in paths]
    assert read(map(str, paths)) == found


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("folder/puzzle.txt.gz", "'folder/puzzle.txt.gz': there is no such file"),
        ("", "'': there is no such file, nor is it a puzzle"),
        ("a\0b", "there is no such file, nor is it a puzzle"),
        ("soto", "'soto': there is no such file, nor is it a puzzle; did you mean named:soto?"),
        ("long_name_of_a_file.doc", "a row of it 25; nor is there a file long_name_of_a_file.doc"),
        ("named:sotto", "named:sotto: there is no such puzzle or collection (did you mean soto?)"),
        (VALUES[1:], "the argument:1: 80 cells: a 9x9 puzzle has"),
        ([np.zeros((2, 2)), np.zeros((2, 3))], "the argument:1: 2 cells: a 9x9 puzzle has"),
        ([], "the argument: there is no puzzle in it"),
        ([[1, 2], [3]], "the argument:1: 2 cells: a 9x9 puzzle has"),
        (np.full(81, 1.5), "the argument: '1.5': cells must be whole numbers"),
        ([True] * 81, "the argument: 'True': cells must be whole numbers"),
        ([3, *VALUES[1:]], "the argument:1: r1c1 and r1c2: the row has the given 3 twice"),
        (np.where(ARRAY == 9, 0, np.where(ARRAY, ARRAY, -1)), "may be in 1-9 or 0-8; say which"),
        (None, "the argument: NoneType: allowed are a path, a text, an array of numbers or a"),
        ([[], [], 5, [6, 0]], "the argument:1: 0 cells: a 9x9 puzzle has"),
        ([(EXAMPLE, SOLUTION)], "a solution beside its puzzle: leave it out"),
        ([EXAMPLE, np.zeros((9, 9), int)], "texts and other things in a list"),
        ([EXAMPLE, None], "texts and other things in a list"),
        ([*antdoku.read("named:soto"), EXAMPLE], "a list of puzzles and other things"),
        (pd.DataFrame({"question": [EXAMPLE], "answer": [SOLUTION]}), "columns: 'question', 'ans"),
        ({"grid": SQUARE.tolist(), "moves": [0] * 81}, "2 puzzles in it: name the puzzle 'puzzle'"),
        ({"start": EXAMPLE, "now": EXAMPLE}, "columns: 'start', 'now'"),
        ({"puzzle": EXAMPLE, "cages": [[1, 2]]}, "'cages': rules of a variant"),
        ('[[[], 6], 0, "x"]', ""),
    ],
)
def test_what_is_wrong(source, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as error:
        read(source)
    assert message in str(error.value)
    assert str(error.value).isprintable()


def test_a_missing_path_a_closed_standard_input_and_symbols_of_another_order(tmp_path, monkeypatch):
    with pytest.raises(InputError, match=r"missing\.txt: cannot be read: No such file"):
        read(tmp_path / "missing.txt")
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="standard input is closed"):
        read("-")
    for source in ("named:soto", EXAMPLE, VALUES):
        with pytest.raises(InputError, match=r"symbols 1-G: no puzzle in it has so many"):
            read(source, symbols="1-G")


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


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("platinumblonde", "did you mean platinumblond?"),
        ("lloyd_amos", "collections: lloyd_amos_named, mantere_koljonen_46"),
        ("", "no such puzzle or collection"),
        ("a\nb", r"named:a\nb: there is no such puzzle"),
        ("x" * 10_000, "...: there is no such puzzle or collection; collections"),
    ],
)
def test_unknown_names(name, message):
    with pytest.raises(InputError) as error:
        named.find(name)
    assert message in str(error.value)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 300
