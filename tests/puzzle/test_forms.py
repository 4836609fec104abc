"""Text forms and symbols: a text is read as it is written, or refused in one line."""

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
from antdoku.puzzle.cells import Options
from antdoku.puzzle.reading import text_puzzles as read_text
from antdoku.puzzle.symbols import CHARACTERS, numbers, symbols_of, usual

WRITERS = {"line": forms.format_line, "integers": forms.format_integers}
WRITERS |= {"grid": format_grid, "archive": format_archive}
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
EXAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [EXAMPLE[at : at + 9] for at in range(0, 81, 9)]
NUMBERED = "\n".join(ROWS).replace(".", "0")
TWO_IN_A_LINE = f"{EXAMPLE} {EXAMPLE}", f"a,{EXAMPLE},{EXAMPLE},b"


@st.composite
def puzzles(draw, orders=ORDERS):
    """A solved grid with renamed values and any set of cells blank."""
    order = draw(st.sampled_from(list(orders)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    values = rng.permutation(order**2)[root_grid(order).ravel() - 1] + 1
    keep = rng.random(order**4) < draw(st.sampled_from([0, 0.01, 0.02, 0.3, 0.9, 0.97, 1]))
    return Puzzle(order, values * keep, "made")


def givens(text, name="text"):
    (puzzle,) = read_text(text, name)
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
    (found,) = read_text(text, options=Options(symbols=known(form, [puzzle])))
    assert found.order == puzzle.order
    assert np.array_equal(found.givens, puzzle.givens)
    assert WRITERS[form](found) == text


@pytest.mark.parametrize("form", WRITERS)
@given(many=st.lists(puzzles(orders=[2, 3, 7]), min_size=1, max_size=20))
@settings(max_examples=15, deadline=None)
def test_reads_files_of_many_puzzles(form, many):
    for text in ("\n\n".join(map(WRITERS[form], many)), forms.format_file(many)):
        symbols = known(form, many) if text != forms.format_file(many) else None
        assert read_text(text, options=Options(symbols)) == many


def test_sixteen_small_puzzles_are_not_one_grid():
    found = read_text(forms.format_file([Puzzle(2, [0] * 16)] * 16), "text")
    assert [puzzle.order for puzzle in found] == [2] * 16


@pytest.mark.parametrize("n_lines", [1, 2, 81, 82])
def test_lines_of_order_3_as_integers_are_no_rows_of_order_9(n_lines):
    text = f"{' '.join(EXAMPLE)}\n" * n_lines
    assert [puzzle.order for puzzle in read_text(text, "text")] == [3] * n_lines
    mixed = read_text(f"{text}{EXAMPLE}\n{'0 ' * 256}", "text")
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
    assert read_text(text, options=Options(names[puzzle.order])) == [puzzle]


@pytest.mark.parametrize(
    "text",
    [
        *(EXAMPLE.replace(".", blank) for blank in ".0*_-"),
        "# a comment\n\n" + EXAMPLE + "   # Wikipedia\r\n",
        " ".join(EXAMPLE),
        " ".join(EXAMPLE).replace(".", "-1"),
        "\n".join(" ".join(EXAMPLE)[start : start + 22] for start in range(0, 161, 22)),
    ],
)
def test_forms_of_order_3(text):
    assert givens(text) == [0 if sign == "." else int(sign) for sign in EXAMPLE]


def test_grid_with_boxes_and_blank_lines_between_the_bands():
    plain = "\n\n".join("\n".join(ROWS[at : at + 3]) for at in (0, 3, 6))
    drawn = format_grid(Puzzle(3, givens(EXAMPLE))).replace("|", "│").replace("-", "─")
    both = read_text(f"{plain}\n\n{drawn}\n\n{plain}", "text")
    assert [puzzle.givens.tolist() for puzzle in both] == [givens(EXAMPLE)] * 3


def test_a_row_of_dashes_is_one_of_blanks_where_a_grid_lacks_one():
    rows = [row.replace(".", "-") for row in ROWS]
    rows[1] = "-" * 9
    values = [int(sign) if sign != "-" else 0 for sign in "".join(rows)]
    drawn = [f"{row[:3]}|{row[3:6]} | {row[6:]}" for row in rows]
    assert givens("\n".join(rows)) == givens("\n".join(drawn)) == values


def test_blocks_with_a_title():
    found = read_text(f"Grid 01\n{NUMBERED}\nGrid 02\n{NUMBERED}\n")
    assert [puzzle.name for puzzle in found] == ["Grid 01", "Grid 02"]
    assert [puzzle.givens.tolist() for puzzle in found] == [givens(EXAMPLE)] * 2


def test_puzzles_are_named_after_their_lines():
    text = f"# two\n{EXAMPLE}\n\n{EXAMPLE}\n{format_grid(Puzzle(3, givens(EXAMPLE)))}"
    names = [puzzle.name for puzzle in read_text(text, "some.txt")]
    assert names == ["some.txt:2", "some.txt:4", "some.txt:6"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x: there is no puzzle in it"),
        ("\n".join([*ROWS[:8], "", *ROWS, ROWS[8]]), "x:1: 18 rows of 9 cells"),  # 8 and 10
        (f"{SOLUTION},{EXAMPLE}", "x:1: a complete grid before a puzzle"),
        *((text, "x:1: 2 puzzles: a line holds one") for text in TWO_IN_A_LINE),
        (f"Grid 01\n{NUMBERED[:79]}\nGrid 02\n{NUMBERED}\n", "x:2: 8 rows of 9 cells"),
        ("# nothing\n\n---\n", "x: there is no puzzle in it"),
        (f"{EXAMPLE}\n{EXAMPLE[1:]}\n{EXAMPLE}", "x:2: 80 cells: a 9x9 puzzle has"),
        ("0 " * 256 + "\n" + "0 " * 255, "x:2: 255 cells: a 9x9 puzzle has 81, a row of it"),
        ("1234\n3412\n214\n4321", "x:3: 3 cells in this row: a grid of order 2 has 4"),
        ("1234\n3412\n2143", "x:1: 3 rows of 4 cells: a grid of order 2 has 4"),
        (f"{'0 ' * 80}10\n" * 80, "x:1: 80 rows of 81 cells: a grid of order 9 has 81"),
        ("A B C D\n10 11 12 13\n" * 2, "x:1: '10' in a grid of characters: cells are digits"),
        ("12345\n" * 4, "x:1: 5 cells: a 9x9 puzzle has 81, a row of it 9; a 4x4 puzzle has 16"),
        ("3\n1\n" + "-1 " * 80, "x:1: 80 cells after the lines with the order"),
        ("11\n1\n" + "-1 " * 14641, "the ignored number: there is no order 11"),
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
        read_text(text, "x")
    assert message in str(error.value)
    assert str(error.value).isprintable()


@given(st.text(st.sampled_from("0123456789abcdefgxyz.*-|+,;:[] \t\r\n#=é\x00٣"), max_size=400))
@example("1 " * 18)
@example("-" * 81)
@settings(max_examples=300, deadline=None)
def test_any_text_is_puzzles_or_an_input_error(text):
    try:
        assert read_text(text, "x")
    except InputError as error:
        assert str(error).isprintable()


def test_reading_takes_linear_time():
    assert n_calls(f"{EXAMPLE}\n" * 400) < 2.2 * n_calls(f"{EXAMPLE}\n" * 200)


def n_calls(text):
    """Count the calls of functions that reading a text takes."""
    calls = Counter()
    sys.setprofile(lambda frame, event, argument: calls.update([event]))
    try:
        read_text(text)
    except InputError:
        pass
    finally:
        sys.setprofile(None)
    return calls["call"] + calls["c_call"]


# --- Symbols -------------------------------------------------------------------------------------

ALL = [symbols_of(name) for names in CHARACTERS.values() for name in names]
ALL += [numbers(order, first) for order in (4, 5, 7) for first in (0, 1)]
ROW = "123456789ABCDEFG"


def row_of(signs, n_cells=256, blank="."):
    return signs + blank * (n_cells - len(signs))


MANY = {n: st.lists(puzzles([n]), min_size=1, max_size=3) for n in ORDERS}


@st.composite
def written(draw, symbols):
    """A few puzzles, and a text of them in some symbols with a sign for blanks and in some case."""
    blanks = ".*_?" if symbols.signs[1] == "0" else ".*_?0"  # lines of - are rules
    blank = draw(st.sampled_from(blanks if not symbols.gap else [*blanks, "-1"]))
    case = draw(st.sampled_from([str.upper, str.lower]))
    some, signs = draw(MANY[symbols.order]), [blank, *map(case, symbols.signs[1:])]
    lines = [symbols.gap.join(signs[value] for value in puzzle.givens) for puzzle in some]
    return some, "\n\n".join(lines)


@pytest.mark.parametrize("symbols", ALL, ids=str)
@given(st.data())
@settings(max_examples=12, deadline=None)
def test_what_is_written_in_any_symbols_is_read_or_refused(symbols, data):
    puzzles, text = data.draw(written(symbols))
    name = symbols.name
    assert read_text(text, options=Options(name)) == puzzles
    assert read_text(f"# symbols: {name}\n{text}") == puzzles
    try:
        found = read_text(text, "x")
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
        assert read_text(solution)[0].givens.tolist() == grid


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
        assert {each.symbols.name for each in read_text(text)} == {name}
    else:
        with pytest.raises(InputError, match=r"x: puzzles of order . may be in .* or .*--symb"):
            read_text(text, "x")


def test_a_complete_grid_has_no_blank_that_may_be_a_value():
    grid = root_grid(4).ravel()
    for name in (*CHARACTERS[4], "0-15", "1-16"):
        assert read_text(symbols_of(name).line(grid))[0].givens.tolist() == grid.tolist()


def test_symbols_in_any_order():
    (puzzle,) = read_text(row_of("CBA", 81), options=Options("IHGFEDCBA"))
    assert puzzle.givens[:3].tolist() == [7, 8, 9]
    assert puzzle.line == row_of("CBA", 81)


@pytest.mark.parametrize("order", [3, 4, 5, 6])
def test_what_is_written_by_default_has_one_meaning(order):
    for value in range(order**2 + 1):
        puzzle = Puzzle(order, np.eye(1, order**4, dtype=int)[0] * value)
        assert read_text(forms.format_file([puzzle])) == [puzzle]
        assert usual(order, [value]) == usual(order, [value, 0])


@pytest.mark.parametrize(
    ("text", "symbols", "message"),
    [
        (row_of("z", 625), None, "x:1: r1c1: 'z' is not a cell of order 5: allowed are A-Y or 1-P"),
        (row_of("LKJIHGZO"), None, "x:1: r1c7: 'Z' is not a cell of order 4"),
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
def test_symbols_that_are_wrong(text, symbols, message):
    with pytest.raises(InputError) as error:
        read_text(text, "x", options=Options(symbols))
    assert message in str(error.value) and str(error.value).isprintable()
