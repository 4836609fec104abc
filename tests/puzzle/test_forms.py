"""Text forms: every form reads back what it writes, and bad input costs one line."""

import sys
from collections import Counter

import numpy as np
import pytest
from conftest import format_archive, format_grid
from hypothesis import example, given, settings
from hypothesis import strategies as st

from antdoku.errors import InputError
from antdoku.puzzle import forms
from antdoku.puzzle.grid import ORDERS, Puzzle, root_grid
from antdoku.puzzle.symbols import numbers, symbols_of

WRITERS = {
    "line": forms.format_line,
    "integers": forms.format_integers,
    "grid": format_grid,
    "archive": format_archive,
}
EXAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


@st.composite
def puzzles(draw, orders=ORDERS):
    """A solved grid with renamed values and any set of cells blank."""
    order = draw(st.sampled_from(list(orders)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    values = rng.permutation(order**2)[root_grid(order).ravel() - 1] + 1
    keep = rng.random(order**4) < draw(st.sampled_from([0, 0.01, 0.3, 0.9, 1]))
    return Puzzle(order, values * keep, "made")


def givens(text, name="text"):
    (puzzle,) = forms.read_puzzles(text, name)
    return puzzle.givens.tolist()


def known(form, puzzles):
    """Symbols of drawn grids: beside dots, numbers may be from 0 on."""
    orders = [puzzle.order for puzzle in puzzles if puzzle.order > 3]
    return numbers(orders[0]).name if form == "grid" and orders else None


@pytest.mark.parametrize("form", WRITERS)
@given(puzzle=puzzles())
@settings(max_examples=60, deadline=None)
def test_reads_what_it_writes(form, puzzle):
    text = WRITERS[form](puzzle)
    (found,) = forms.read_puzzles(text, symbols=known(form, [puzzle]))
    assert found.order == puzzle.order
    assert np.array_equal(found.givens, puzzle.givens)
    assert WRITERS[form](found) == text


@pytest.mark.parametrize("form", WRITERS)
@given(many=st.lists(puzzles(orders=[2, 3, 7]), min_size=1, max_size=20))
@settings(max_examples=15, deadline=None)
def test_reads_files_of_many_puzzles(form, many):
    for text in ("\n\n".join(map(WRITERS[form], many)), forms.format_file(many)):
        symbols = known(form, many) if text != forms.format_file(many) else None
        assert forms.read_puzzles(text, symbols=symbols) == many


def test_sixteen_small_puzzles_are_not_one_grid():
    found = forms.read_puzzles(forms.format_file([Puzzle(2, [0] * 16)] * 16), "text")
    assert [puzzle.order for puzzle in found] == [2] * 16


@pytest.mark.parametrize("n_lines", [1, 2, 81, 82])
def test_lines_of_order_3_as_integers_are_no_rows_of_order_9(n_lines):
    text = f"{' '.join(EXAMPLE)}\n" * n_lines
    assert [puzzle.order for puzzle in forms.read_puzzles(text, "text")] == [3] * n_lines
    mixed = forms.read_puzzles(f"{text}{EXAMPLE}\n{'0 ' * 256}", "text")
    assert [puzzle.order for puzzle in mixed] == [3] * (n_lines + 1) + [4]


def test_a_grid_of_order_9_may_have_blank_lines_between_its_bands():
    puzzle = Puzzle(9, root_grid(9).ravel())
    rows = [" ".join(map(str, row)) for row in puzzle.givens.reshape(81, 81)]
    bands = ["\n".join(rows[at : at + 9]) for at in range(0, 81, 9)]
    assert givens("\n\n".join(bands)) == puzzle.givens.tolist()


@given(puzzles(orders=[2, 3, 4, 5]), st.data())
@settings(max_examples=60, deadline=None)
def test_characters_may_stand_in_rows_boxes_and_either_case(puzzle, data):
    size, names = puzzle.size, {2: "1-4", 3: "1-9", 4: "A-P", 5: "A-Y"}
    line = symbols_of(names[puzzle.order]).line(puzzle.givens).lower()
    step = data.draw(st.sampled_from([size, puzzle.order]))
    gap = data.draw(st.sampled_from([" ", "|", " | "]))
    rows = [line[start : start + size] for start in range(0, len(line), size)]
    rows = [gap.join(row[at : at + step] for at in range(0, size, step)) for row in rows]
    rows.insert(puzzle.order, "-" * 10)
    text = data.draw(st.sampled_from(["\n", "\r\n", "\r"])).join(rows)
    text = data.draw(st.sampled_from([text, text.upper()]))
    assert forms.read_puzzles(text, symbols=names[puzzle.order]) == [puzzle]


@pytest.mark.parametrize(
    "text",
    [
        EXAMPLE,
        EXAMPLE.replace(".", "0"),
        EXAMPLE.replace(".", "*"),
        EXAMPLE.replace(".", "_"),
        EXAMPLE.replace(".", "-"),
        "# a comment\n\n" + EXAMPLE + "   # Wikipedia\r\n",
        " ".join(EXAMPLE),
        " ".join(EXAMPLE).replace(".", "-1"),
        "\n".join(" ".join(EXAMPLE)[start : start + 22] for start in range(0, 161, 22)),
    ],
    ids=["dots", "zeros", "stars", "lines", "dashes", "comments", "spaces", "minus", "wrapped"],
)
def test_forms_of_order_3(text):
    assert givens(text) == [0 if sign == "." else int(sign) for sign in EXAMPLE]


def test_grid_with_boxes_and_blank_lines_between_the_bands():
    bands = [EXAMPLE[start : start + 27] for start in range(0, 81, 27)]
    plain = "\n\n".join("\n".join(band[at : at + 9] for at in (0, 9, 18)) for band in bands)
    drawn = format_grid(Puzzle(3, givens(EXAMPLE))).replace("|", "│").replace("-", "─")
    both = forms.read_puzzles(f"{plain}\n\n{drawn}\n\n{plain}", "text")
    assert [puzzle.givens.tolist() for puzzle in both] == [givens(EXAMPLE)] * 3


def test_a_row_of_dashes_is_one_of_blanks_where_a_grid_lacks_one():
    rows = [EXAMPLE[at : at + 9].replace(".", "-") for at in range(0, 81, 9)]
    rows[1] = "-" * 9
    values = [int(sign) if sign != "-" else 0 for sign in "".join(rows)]
    drawn = [f"{row[:3]}|{row[3:6]} | {row[6:]}" for row in rows]
    assert givens("\n".join(rows)) == givens("\n".join(drawn)) == values


def test_blocks_with_a_title():
    rows = "\n".join(EXAMPLE[at : at + 9].replace(".", "0") for at in range(0, 81, 9))
    found = forms.read_puzzles(f"Grid 01\n{rows}\nGrid 02\n{rows}\n")
    assert [puzzle.name for puzzle in found] == ["Grid 01", "Grid 02"]
    assert [puzzle.givens.tolist() for puzzle in found] == [givens(EXAMPLE)] * 2
    with pytest.raises(InputError, match="x:2: 8 rows of 9 cells"):
        forms.read_puzzles(f"Grid 01\n{rows[:79]}\nGrid 02\n{rows}\n", "x")


def test_puzzles_are_named_after_their_lines():
    text = f"# two\n{EXAMPLE}\n\n{EXAMPLE}\n{format_grid(Puzzle(3, givens(EXAMPLE)))}"
    names = [puzzle.name for puzzle in forms.read_puzzles(text, "some.txt")]
    assert names == ["some.txt:2", "some.txt:4", "some.txt:6"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x: there is no puzzle in it"),
        ("# nothing\n\n---\n", "x: there is no puzzle in it"),
        ("1" * 80, "x:1: 80 cells: a 9x9 puzzle has 81"),
        (f"{EXAMPLE}\n{EXAMPLE[1:]}\n{EXAMPLE}", "x:2: 80 cells: a 9x9 puzzle has"),
        ("0 " * 256 + "\n" + "0 " * 255, "x:2: 255 cells: a 9x9 puzzle has"),
        ("0 " * 255, "x:1: 255 cells"),
        ("1234\n3412\n214\n4321", "x:3: 3 cells in this row: a grid of order 2 has 4"),
        ("1234\n3412\n2143", "x:1: 3 rows of 4 cells: a grid of order 2 has 4"),
        (f"{'0 ' * 80}10\n" * 80, "x:1: 80 rows of 81 cells: a grid of order 9 has 81"),
        ("A B C D\n10 11 12 13\n" * 2, "x:1: '10' in a grid of characters: cells are digits"),
        ("12345\n" * 4, "x:1: 5 cells: a 9x9 puzzle has 81"),
        ("3\n1\n" + "-1 " * 80, "x:1: 80 cells after the lines with the order"),
        ("11\n1\n" + "-1 " * 14641, "the ignored number: there is no order 11"),
        ("5.5" + "." * 78, "x:1: r1c1 and r1c3: the row has the given 5 twice"),
        ("10 " + "0 " * 80, "x:1: r1c1: '10' is not a cell of order 3: allowed are 1-9, and"),
        ("-2 " + "0 " * 255, "x:1: r1c1: '-2' is not a cell of order 4: allowed are 1-16 or 0-15"),
        (".x" + "." * 79, "x:1: r1c2: 'x' is not a cell of order 3: allowed are 1-9"),
        ("?!" + "1" * 79, "x:1: r1c1: '?' is not a cell of order 3"),
        ("1 \x1b[31m 2", "x:1: '\\x1b[31m' cannot be read"),
        ("٣" + "." * 80, "cannot be read: cells are digits"),
        ("1 " * 50_000, "x:1: 50000 cells: a 9x9 puzzle has"),
        ("1\n" * 50_000, "x:"),
        ("1\n\n" * 5000, "x:"),
        ("some words\n\n" * 50_000, "x:"),
        ("12341234\n" * 10_000, "x:"),
        ("1234123412341234\n" * 1000, "x:"),
        ((". " * 32_000 + "\n\n") * 3, "x:"),
        ("|" * 100_000, "x:"),
        ("#\n" * 50_000, "x:"),
    ],
    ids=lambda text: repr(text[:20]),
)
def test_what_is_wrong(text, message):
    with pytest.raises(InputError) as error:
        forms.read_puzzles(text, "x")
    assert message in str(error.value)
    assert str(error.value).isprintable()


@given(st.text(st.sampled_from("0123456789abcdefgxyz.*-|+,;:[] \t\r\n#=é\x00٣"), max_size=400))
@example("1 " * 18)
@example("-" * 81)
@settings(max_examples=300, deadline=None)
def test_any_text_is_puzzles_or_an_input_error(text):
    try:
        assert forms.read_puzzles(text, "x")
    except InputError as error:
        assert str(error).isprintable()


def test_reading_takes_linear_time():
    assert n_calls(f"{EXAMPLE}\n" * 400) < 2.2 * n_calls(f"{EXAMPLE}\n" * 200)


def n_calls(text):
    """Count the calls of functions that reading a text takes."""
    calls = Counter()
    sys.setprofile(lambda frame, event, argument: calls.update([event]))
    try:
        forms.read_puzzles(text)
    except InputError:
        pass
    finally:
        sys.setprofile(None)
    return calls["call"] + calls["c_call"]
