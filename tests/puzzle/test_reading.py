"""Puzzles are read from whatever a user has at hand, and mistakes cost one line."""

import io
import sys

import numpy as np
import pytest

from antdoku.errors import InputError
from antdoku.puzzle import named
from antdoku.puzzle.grid import ORDERS, Puzzle, root_grid
from antdoku.puzzle.reading import read

EXAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
VALUES = [0 if sign == "." else int(sign) for sign in EXAMPLE]
ARRAY = np.array(VALUES)
NUMBERS = {
    "list": VALUES,
    "rows": ARRAY.reshape(9, 9).tolist(),
    "flat": ARRAY.astype(np.uint8),
    "square": ARRAY.reshape(9, 9),
    "floats": ARRAY.astype(float),
    "missing": np.where(ARRAY == 0, np.nan, ARRAY),
    "none": [value or None for value in VALUES],
    "texts": [EXAMPLE[at : at + 9] for at in range(0, 81, 9)],
    "text": [EXAMPLE],
    "signs": [list(EXAMPLE[at : at + 9]) for at in range(0, 81, 9)],
    "mixed": [[value or "" for value in row] for row in ARRAY.reshape(9, 9).tolist()],
}


@pytest.mark.parametrize("place", ["path", "name", "stdin", "literal", *NUMBERS])
def test_reads_from_everywhere(tmp_path, monkeypatch, place):
    file = tmp_path / "x.txt"
    file.write_text(EXAMPLE)
    stdin = io.BufferedReader(io.BytesIO(EXAMPLE.encode()))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stdin))
    texts = {"path": file, "name": str(file), "stdin": "-", "literal": EXAMPLE}
    (puzzle,) = read((texts | NUMBERS)[place])
    assert puzzle.order == 3
    assert puzzle.givens.tolist() == VALUES


@pytest.mark.parametrize("order", ORDERS)
def test_the_order_of_an_array_is_that_of_its_cells(order):
    (puzzle,) = read(root_grid(order), what="mine")
    assert (puzzle.order, puzzle.name) == (order, "puzzle 1")
    several = np.stack([root_grid(order)] * 3)
    found = read(several, first=5) + read(several.reshape(3, -1))
    assert found == [puzzle] * 6
    assert [each.name for each in found[:3]] == ["puzzle 5", "puzzle 6", "puzzle 7"]


def test_makes_puzzles_of_the_kind_that_is_asked_for():
    class Mine(Puzzle):
        pass

    assert [type(each) for source in (EXAMPLE, VALUES) for each in read(source, Mine)] == [Mine] * 2


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("folder/puzzle.txt.gz", "'folder/puzzle.txt.gz': there is no such file"),
        ("", "'': there is no such file, nor is it a puzzle"),
        ("a\0b", "there is no such file, nor is it a puzzle"),
        ("long_name_of_a_file.doc", "a row of it 25; nor is there a file long_name_of_a_file.doc"),
        ("named:sotto", "named:sotto: there is no such puzzle or collection (did you mean soto?)"),
        (VALUES[1:], "the argument:1: 80 cells: a 9x9 puzzle has"),
        ([np.zeros((2, 2)), np.zeros((2, 3))], "the argument: arrays of several shapes"),
        ([], "the argument: there is no puzzle in it"),
        ([[1, 2], [3]], "the argument:1: 2 cells: a 9x9 puzzle has"),
        (np.full(81, 1.5), "the argument: '1.5': cells must be whole numbers"),
        ([True] * 81, "the argument: 'True': cells must be whole numbers"),
        ([3, *VALUES[1:]], "the argument:1: r1c1 and r1c2: the row has the given 3 twice"),
        (None, "the argument: NoneType: allowed are a path, a text or an array of numbers"),
        ([[], [], 5, [6, 0]], "the argument:3: 1 cell: a 9x9 puzzle has"),
        ('[[[], 6], 0, "x"]', ""),
    ],
)
def test_what_is_wrong(source, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as error:
        read(source)
    assert message in str(error.value)
    assert str(error.value).isprintable()


def test_a_missing_path_and_a_closed_standard_input(tmp_path, monkeypatch):
    with pytest.raises(InputError, match=r"missing\.txt: cannot be read: No such file"):
        read(tmp_path / "missing.txt")
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="standard input is closed"):
        read("-")


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
