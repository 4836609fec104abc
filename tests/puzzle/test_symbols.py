"""Symbols: a text is read in those that it is written in, or refused where it may be in others."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from antdoku.errors import InputError
from antdoku.puzzle import forms
from antdoku.puzzle.grid import Puzzle, root_grid
from antdoku.puzzle.symbols import OF_ORDER, numbers, symbols_of, usual

ALL = [symbols_of(name) for names in OF_ORDER.values() for name in names]
ALL += [numbers(order, first) for order in (4, 5, 7) for first in (0, 1)]
ROW = "123456789ABCDEFG"


def row_of(signs, n_cells=256, blank="."):
    return signs + blank * (n_cells - len(signs))


@st.composite
def written(draw, symbols):
    """A few puzzles, and a text of them in some symbols with a sign for blanks and in some case."""
    order, rng = symbols.order, np.random.default_rng(draw(st.integers(0, 2**32)))
    blanks = ".*_?" if symbols.signs[1] == "0" else ".*_?0"  # lines of - are rules
    blank = draw(st.sampled_from(blanks if not symbols.gap else [*blanks, "-1"]))
    case = draw(st.sampled_from([str.upper, str.lower]))
    puzzles, lines = [], []
    for _ in range(draw(st.integers(1, 3))):
        values = rng.permutation(order**2)[root_grid(order).ravel() - 1] + 1
        given_values = values * (rng.random(order**4) < draw(st.sampled_from([0.02, 0.3, 0.97, 1])))
        puzzles.append(Puzzle(order, given_values))
        signs = [blank, *map(case, symbols.signs[1:])]
        lines.append(symbols.gap.join(signs[value] for value in given_values))
    return puzzles, "\n\n".join(lines)


@pytest.mark.parametrize("symbols", ALL, ids=str)
@given(st.data())
@settings(max_examples=12, deadline=None)
def test_what_is_written_in_any_symbols_is_read_or_refused(symbols, data):
    puzzles, text = data.draw(written(symbols))
    name = symbols.name
    assert forms.read_puzzles(text, symbols=name) == puzzles
    assert forms.read_puzzles(f"# symbols: {name}\n{text}") == puzzles
    try:
        found = forms.read_puzzles(text, "x")
    except InputError as error:
        assert str(error).startswith(f"x: puzzles of order {symbols.order} may be in ")
        return
    assert found == puzzles
    # The answer comes in the same symbols, and can be read again.
    if all(puzzle.n_givens for puzzle in puzzles):
        grid = root_grid(symbols.order).ravel().tolist()
        solution = forms.format_line(grid, found[0].symbols)
        assert solution.upper() == symbols.line(grid)
        assert solution.isupper() or text.islower() or not solution.islower()
        assert forms.read_puzzles(solution)[0].givens.tolist() == grid


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (row_of(ROW), "1-G"),
        (row_of(ROW.lower()), "1-G"),
        (row_of(ROW[:15], blank="0"), "1-G"),  # in 0-F, a row would have 0 twice
        (row_of("0" + ROW[:15]), "0-F"),  # there is another blank
        (row_of("0" + ROW[:15]) + "\n" + row_of("G"), "1-G"),  # all of a text decide
        (row_of(ROW[:15]) + "\n" + row_of("00"), "1-G"),
        (row_of(ROW[:15]), None),
        (row_of(ROW[:9]), None),
        (row_of("abcdefgh"), "A-P"),
        (row_of("ABCDEFG"), None),
        (row_of("H", blank="0"), "A-P"),
        (row_of(""), "1-G"),  # whatever they are
        (row_of("Y", 625), "A-Y"),
        (row_of("1O", 625), None),
        (row_of("1P", 625), "1-P"),
        (row_of("Z0", 1296), "0-Z"),
        (" ".join(["0", "15", *["-1"] * 254]), "0-15"),
        (" ".join(["1", "15", *["-1"] * 254]), None),
        (" ".join(["15", *["."] * 255]), None),
        (" ".join(["15", *["0"] * 255]), "1-16"),
        (" ".join(["0", "16", *["."] * 254]), "1-16"),
    ],
)
def test_a_text_is_in_the_only_symbols_that_fit(text, name):
    if name:
        assert {each.symbols.name for each in forms.read_puzzles(text)} == {name}
    else:
        with pytest.raises(InputError, match=r"x: puzzles of order . may be in .* or .*--symb"):
            forms.read_puzzles(text, "x")


def test_a_complete_grid_has_no_blank_that_may_be_a_value():
    grid = root_grid(4).ravel()
    for name in (*OF_ORDER[4], "0-15", "1-16"):
        assert forms.read_puzzles(symbols_of(name).line(grid))[0].givens.tolist() == grid.tolist()


def test_symbols_in_any_order():
    (puzzle,) = forms.read_puzzles(row_of("CBA", 81), symbols="IHGFEDCBA")
    assert puzzle.givens[:3].tolist() == [7, 8, 9]
    assert puzzle.line == row_of("CBA", 81)


@pytest.mark.parametrize("order", [3, 4, 5, 6])
def test_what_is_written_by_default_has_one_meaning(order):
    for value in range(order**2 + 1):
        puzzle = Puzzle(order, np.eye(1, order**4, dtype=int)[0] * value)
        assert forms.read_puzzles(forms.format_file([puzzle])) == [puzzle]
        assert usual(order, [value]) == usual(order, [value, 0])


@pytest.mark.parametrize(
    ("text", "symbols", "message"),
    [
        (row_of("z", 625), None, "x:1: r1c1: 'z' is not a cell of order 5: allowed are A-Y or 1-P"),
        (row_of("g"), "0-F", "x:1: r1c1: 'g' is not a cell of order 4: allowed are 0-F, and"),
        (row_of("1G") + "\n" + row_of("P"), None, "x:2: r1c1: 'P' is not a cell of order 4"),
        (row_of("11"), None, "the row has the given 1 twice (written in 1-G)"),
        (row_of("1", 81), "1-G", "x: symbols 1-G: no puzzle in it has so many"),
        (row_of("1"), "1-16", "x: symbols 1-16: these are numbers with spaces between"),
        (row_of("1"), "1-H", "symbols '1-H': must be 1-9, 1-G, 0-F"),
        (row_of("1"), "1122", "symbols '1122': must be"),
        (row_of("1"), "2-17", "symbols '2-17': must be"),
        (row_of("1"), "é" * 16, "must be"),
        (row_of("1"), "-", "must be"),
    ],
)
def test_what_is_wrong(text, symbols, message):
    with pytest.raises(InputError) as error:
        forms.read_puzzles(text, "x", symbols=symbols)
    assert message in str(error.value) and str(error.value).isprintable()
