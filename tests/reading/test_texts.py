"""Text forms and symbols: a text is read as it is written, or refused in one line."""

import json
import os
import re
import sys
from collections import Counter
from itertools import chain, combinations, pairwise

import numpy as np
import pandas as pd
import pytest
from conftest import format_archive, format_grid
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import antdoku
from antdoku.errors import InputError
from antdoku.puzzle import writing
from antdoku.puzzle.grid import ORDERS, Puzzle, root_grid
from antdoku.puzzle.symbols import CHARACTERS, numbers, symbols_of, usual
from antdoku.reading.beside import stand_beside
from antdoku.reading.cells import Options
from antdoku.reading.sources import read
from antdoku.reading.texts import text_batches

EXAMPLES = int(os.environ.get("ANTDOKU_EXAMPLES", 100))
WRITERS = {"line": str, "integers": writing.format_integers}
WRITERS |= {"grid": format_grid, "archive": format_archive}
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
EXAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [EXAMPLE[at : at + 9] for at in range(0, 81, 9)]
NUMBERED = "\n".join(ROWS).replace(".", "0")
VALUES = [*map(int, EXAMPLE.replace(".", "0"))]


@st.composite
def puzzles(draw, orders=ORDERS):
    """A solved grid with renamed values and any set of cells blank."""
    order = draw(st.sampled_from(list(orders)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    values = rng.permutation(order**2)[root_grid(order).ravel() - 1] + 1
    keep = rng.random(order**4) < draw(st.sampled_from([0, 0.01, 0.02, 0.3, 0.9, 0.97, 1]))
    return Puzzle(order, values * keep, "made")


def puzzles_in(text, symbols=None):
    return [*chain.from_iterable(text_batches(text, "x", Options(symbols)))]


def refusal(text, symbols=None):
    with pytest.raises(InputError) as error:
        puzzles_in(text, symbols)
    assert str(error.value).isprintable()
    return str(error.value)


# --- Forms ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", WRITERS)
@given(some=st.lists(puzzles(), min_size=1, max_size=1) | st.lists(puzzles([2, 3, 7]), min_size=2))
@settings(max_examples=40, deadline=None)
def test_reads_what_it_writes(form, some):
    pairs = combinations(some, 2)
    assume(not any(stand_beside(first.givens, second.givens) for first, second in pairs))
    text = "\n\n".join(map(WRITERS[form], some))
    orders = [puzzle.order for puzzle in some if puzzle.order > 3]
    symbols = numbers(orders[0]).name if form == "grid" and orders else None  # not 0-15
    again = puzzles_in(text, symbols)
    assert again == some
    assert [*map(WRITERS[form], again)] == [*map(WRITERS[form], some)]
    assert puzzles_in(writing.format_file(some)) == some


FORMS = {
    "line": lambda rows: "".join(map("".join, rows)),
    "integers": lambda rows: " ".join(map(" ".join, rows)),
    "rows": lambda rows: "\n".join(map("".join, rows)),
    "spaced rows": lambda rows: "\n".join(map(" ".join, rows)),
    "titled": lambda rows: "Medium, for Sunday\n" + "\n".join(map(" ".join, rows)),
    "r": lambda rows: "".join(f" [{n},]   {'   '.join(row)}\n" for n, row in enumerate(rows, 1)),
    "boxes": lambda rows: boxes(rows, "|", ""),
    "spaced boxes": lambda rows: boxes(rows, " | ", " "),
    "framed boxes": lambda rows: framed(emptied(rows, " "), ""),
    "spaced frame": lambda rows: framed(emptied(rows, " "), " "),
    "csv": lambda rows: "\n".join(map(",".join, rows)),
    "csv, ended": lambda rows: "\n".join(",".join(row) + "," for row in rows),
    "tsv": lambda rows: "\n".join(map("\t".join, rows)),
    "csv with empty columns": lambda rows: "\n".join(",".join(row) + ",,," for row in rows),
    "csv with empty rows": lambda rows: in_empty_rows(rows),
    "csv with an index": lambda rows: indexed(rows),
    "csv with gaps": lambda rows: spread(rows),
    "size above": lambda rows: f"{len(rows)} {len(rows)}\n" + "\n".join(map(" ".join, rows)),
    "fenced": lambda rows: "```text\n" + "\n".join(map("".join, rows)) + "\n```\n",
    "quoted in Python": lambda rows: 'grid = """\n' + "\n".join(map(" ".join, rows)) + '\n"""\n',
    "marked": lambda rows: "\ufeff" + "\n".join(map("\u200b".join, rows)),
    "frame": lambda rows: "\n".join(f"|{'|'.join(row)}|" for row in rows),
    "empty frame": lambda rows: "\n".join(f"|{'|'.join(row)}|" for row in emptied(rows, " ")),
    "empty csv": lambda rows: "\n".join(map(",".join, emptied(rows, ""))),
    "c": lambda rows: f"int g[9] = {{{','.join(f'{{{chr(44).join(row)}}}' for row in rows)}}};",
    "python": lambda rows: f"board = {rows!r}",
    "masked": lambda rows: "[[" + "]\n [".join(map(" ".join, emptied(rows, "--"))) + "]]",
    "integers of r": lambda rows: f"rbind({', '.join(map(in_r, rows))})",
    "yaml": lambda rows: "puzzle:\n" + "".join(f"  - '{''.join(row)}'\n" for row in rows),
    "quoted": lambda rows: "".join(f"> {''.join(row)}\n" for row in rows),
    "minizinc": lambda rows: f"start=[| {' | '.join(map(', '.join, rows))} |];",
    "json": lambda rows: json.dumps({"board": emptied(rows, None)}),
    "json texts": lambda rows: json.dumps(list(map("".join, rows))),
    "fields": lambda rows: f"name;{''.join(map(''.join, rows))};3.4",
}
OF_CHARACTERS = {"line", "rows", "boxes", "json texts", "fields", "fenced", "marked"}
OF_CHARACTERS |= {"yaml", "quoted", "framed boxes"}


def in_r(row):
    """Write numbers as integers of R, and letters in quotes."""
    cells = [
        cell if cell == "NA" else f"{cell}L" if cell.isdecimal() else repr(cell) for cell in row
    ]
    return f"c({', '.join(cells)})"


def in_empty_rows(rows):
    """Write a grid as a spreadsheet with empty rows around it."""
    empty = "," * (len(rows) - 1)
    return "\n".join([empty, *map(",".join, rows), empty, empty])


def indexed(rows):
    """Write a grid with names of columns and numbers of rows, as R does."""
    names = ['""', *(f'"V{n}"' for n in range(1, len(rows) + 1))]
    return "\n".join(map(",".join, [names, *([f'"{n}"', *row] for n, row in enumerate(rows, 1))]))


def spread(rows):
    """Write a grid as a spreadsheet with empty columns and rows between the boxes."""
    n = round(len(rows) ** 0.5)
    lines = [",,".join(",".join(row[at : at + n]) for at in range(0, len(row), n)) for row in rows]
    empty = "," * (n * n + n - 2)
    return f"\n{empty}\n".join("\n".join(lines[at : at + n]) for at in range(0, n * n, n))


def boxes(rows, bar, gap):
    """Draw a grid with lines between its boxes."""
    n = round(len(rows) ** 0.5)
    lines = [bar.join(gap.join(row[at : at + n]) for at in range(0, len(row), n)) for row in rows]
    return f"\n{'-' * 3}+{'-' * 3}\n".join(
        "\n".join(lines[at : at + n]) for at in range(0, n * n, n)
    )


def framed(rows, gap):
    """Draw a frame and lines around the boxes, all cells as wide as the widest."""
    n, width = round(len(rows) ** 0.5), max(len(cell) for row in rows for cell in row)
    cells = [[cell.rjust(width) for cell in row] for row in rows]
    lines = [
        "|" + "|".join(gap + gap.join(row[at : at + n]) + gap for at in range(0, len(row), n)) + "|"
        for row in cells
    ]
    bands = ["\n".join(lines[at : at + n]) for at in range(0, n * n, n)]
    return "\n".join(["+---+", "\n+---+\n".join(bands), "+---+"])


def emptied(rows, sign):
    return [[sign if cell in BLANKS else cell for cell in row] for row in rows]


BLANKS = (".", "*", "_", "-1")
SYMBOLS = [symbols_of(name) for names in CHARACTERS.values() for name in names]
SYMBOLS += [numbers(order, first) for order in (4, 5) for first in (0, 1)]


@settings(max_examples=2 * EXAMPLES, deadline=None)
@given(st.data())
def test_a_grid_in_any_form_and_symbols_is_read_and_a_damaged_one_refused(data):
    symbols = data.draw(st.sampled_from(SYMBOLS))
    form = data.draw(
        st.sampled_from([*FORMS] if not symbols.gap else [*FORMS.keys() - OF_CHARACTERS])
    )
    if form == "fields" and symbols.order == 2:  # may be a row of another grid
        form = "line"
    blank = data.draw(st.sampled_from(BLANKS[: 3 if form in OF_CHARACTERS else 4]))
    puzzle, d = data.draw(puzzles([symbols.order])), symbols.order**2
    signs = [blank, *symbols.signs[1:]]
    rows = [[signs[value] for value in row] for row in puzzle.grid.tolist()]
    text = FORMS[form](rows).ljust(16)  # shorter texts are names of files
    assert read(text, symbols=symbols.name) == [puzzle]
    try:
        has_zero = symbols.order > 3 or not symbols.has_zero or any("0" in row for row in rows)
        assert read(text) == [puzzle] or not has_zero  # 0-8 without a 0 looks like 1-9
    except InputError as error:
        assert "may be in" in str(error) or "lines of" in str(error)
    row, column = data.draw(st.integers(0, d - 1)), data.draw(st.integers(0, d - 1))
    damage = data.draw(st.sampled_from(["cut", "widened", "spoilt"]))
    if damage == "cut":
        del rows[row][column]
    elif damage == "widened":
        rows[row].insert(column, data.draw(st.sampled_from(signs)))
    else:
        rows[row][column] = data.draw(st.sampled_from("!~é"))
    for name in (symbols.name, None):
        with pytest.raises(InputError):
            read(FORMS[form](rows), symbols=name)


ARRAYS = ["c", "python", "masked", "minizinc", "integers of r"]
BESIDE_ARRAYS = ["rows", "spaced rows", "titled", "boxes", "framed boxes", "spaced frame"]
BESIDE_ARRAYS += ["csv", "tsv", "frame", "empty frame", "empty csv"]


@pytest.mark.parametrize("form", BESIDE_ARRAYS)
@pytest.mark.parametrize("array", ARRAYS)
@pytest.mark.parametrize("name", ["1-9", "1-G"])
def test_grids_beside_an_array_are_not_left_out(array, form, name):
    symbols = symbols_of(name)
    puzzle = antdoku.generate(symbols.order, 0.5, seed=1)[0]
    rows = [[symbols.signs[value] for value in row] for row in puzzle.grid]
    texts = [FORMS[array](rows), FORMS[form](rows)]
    for text in map("\n\n".join, (texts, texts[::-1])):
        assert re.search(r"x:\d+: (cells outside of the array|.* a line of|.* bars)", refusal(text))


def test_a_row_of_a_drawing_is_no_title():
    rows = [["."] * 25 for _ in range(25)]
    for word, at in {"N": 1, "M": 3, "J": 8, "K5": 17, "P": 21}.items():  # as words of a title
        rows[16][at : at + len(word)] = word
    (puzzle,) = read(FORMS["framed boxes"](rows), symbols="1-P")
    assert puzzle.n_givens == 6


def test_source_code_around_an_array_is_left_out():
    above, below = "#define N 9\n// 9 9\nint n = 9;\n", ";\nint main(void) {\n  return 0;\n}\n"
    above += "names = {'id': '5f3a9c1b2d4e6f70', 'level': 3};\n" * 3
    above += "[i for i in range(9)]; f('solve_by_lines', 'solve_by_columns_')\n"
    text = above + FORMS["c"]([*map(list, ROWS)]) + below
    assert puzzles_in(text) == puzzles_in(EXAMPLE)


NOT_ROWS = ["A B C D E F G H I", *(f"{ab} {' '.join(row)}" for ab, row in zip("ABCDEFGHI", ROWS))]
NOT_CELLS = [",0,1,2,3,4,5,6,7,8", *(f"{at},{','.join(row)}" for at, row in enumerate(ROWS))]
R_PRINT = f"    {' '.join(f'[,{n}]' for n in range(1, 10))}\n" + "".join(
    f"[{n},]   {'   '.join(row)}\n" for n, row in enumerate(ROWS, 1)
)
LATEX = "\n".join(f"{' & '.join(row)} \\\\" for row in ROWS)
BOXES = "\n".join("|".join(row[at : at + 3] for at in (0, 3, 6)) for row in ROWS)
SAME = [None]  # names are not looked at
SPACED = "\n".join(" ".join(row.replace(".", "0")) for row in ROWS)
SHEET = "\n".join(",".join(row).replace(".", "") for row in ROWS)
EMPTY = f"\n{',' * 8}\n"
TYPED = "\n".join(["│ c0 ┆ c1 ┆ c2 ┆ c3 ┆ c4 ┆ c5 ┆ c6 ┆ c7 ┆ c8 │", f"│{' i64 ┆' * 8} i64 │"])
FRAMED = [f"│ {' ┆ '.join(row)} │" for row in SPACED.replace(" ", "").split()]
INDEXED = "\n".join(f'"{at}",{",".join(row)}' for at, row in enumerate(ROWS, 1))
OF_NUMPY = re.sub(r"(\d)", r"\g<1>.000000000000000000e+00", SPACED)
OF_R = "".join(
    f" [{at + 1}] {' '.join(EXAMPLE[at : at + 20].replace('.', '0'))}\n" for at in range(0, 81, 20)
)
OF_DUCKDB = f"┌───┐\n│ id │ puzzle │\n│ int32 │ varchar │\n├───┤\n│ 7 │ {EXAMPLE} │\n└───┘"
MARKDOWN = f"{'|' * 10}\n{'|:-:' * 9}|\n" + "\n".join(f"|{'|'.join(row)}|" for row in ROWS)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        *((EXAMPLE.replace(".", blank), SAME) for blank in ".0*_-?x#·"),
        ("# a comment\n\n" + EXAMPLE + "   # Wikipedia\r\n", ["x:3"]),
        (" ".join(EXAMPLE).replace(".", "-1"), SAME),
        ("\n".join(" ".join(EXAMPLE)[start : start + 22] for start in range(0, 161, 22)), SAME),
        (f"1\n{EXAMPLE}", ["x:2"]),  # the number of puzzles above them
        (f"9\n{NUMBERED}", ["x:2"]),  # or the size of their grids
        (f"www.sudoku.com.au/1V0-{NUMBERED}.html".replace("\n", ""), SAME),
        (f"https://example.org/sudoku?bd={NUMBERED}&level=2".replace("\n", ""), SAME),
        (f":0000:x:{EXAMPLE.replace('7', '+7')}:::", SAME),  # HoDoKu
        (f"17: '{EXAMPLE}' (30 clues)", ["17"]),
        (f"A = [{'; '.join(map(' '.join, ROWS))}];".replace(".", "0"), SAME),
        (f"matrix(c({','.join(EXAMPLE.replace('.', '0'))}), 9, byrow=TRUE)", SAME),
        (repr(tuple(tuple(int(sign) for sign in row) for row in NUMBERED.split())), SAME),
        ("\n".join(NOT_ROWS), SAME),
        ("\n".join(NOT_CELLS), SAME),
        (BOXES.replace(".", " "), SAME),
        ("".join(f" {' '.join(line)} \n" for line in BOXES.splitlines()).replace(".", " "), SAME),
        ("\n\n".join("\n".join(ROWS[at : at + 3]) for at in (0, 3, 6)), ["x:1"]),
        (format_grid(Puzzle(3, [*map(int, "".join(NUMBERED.split()))])).replace("-", "─"), SAME),
        (f"Grid 01\n{NUMBERED}\nGrid 02\n{NUMBERED}\n", ["Grid 01", "Grid 02"]),
        (f"Easy 12:\n{NUMBERED}\n", ["Easy 12"]),
        (f"Medium, for Sunday\n\n{NUMBERED}\nHard:\n{NUMBERED}", ["Medium, for Sunday", "Hard"]),
        *((f"{word}\n{NUMBERED}\n", [word]) for word in ("beta", "Difficult", "abba")),
        *((f"7{end} {EXAMPLE}\n", ["7"]) for end in (".", ")", ":")),
        (f"puzzle: |\n  {NUMBERED}".replace("\n", "\n  "), SAME),  # a block of YAML
        (f"sep=;\n{';'.join(EXAMPLE)}".replace(".", ""), SAME),  # of Excel
        (R_PRINT, SAME),
        *((f"{SHEET}{EMPTY}{SHEET}{end}", ["x:1", "x:11"]) for end in ("", EMPTY)),
        (f"{EMPTY}{SHEET}", ["x:3"]),
        (EMPTY.join([SHEET] * 11), [f"x:{n}" for n in range(1, 111, 10)]),
        (f"{','.join(EXAMPLE).replace('.', '')}\n{',' * 80}", SAME),
        ('"",' + ",".join(f'"V{n}"' for n in range(1, 10)) + f"\n{INDEXED}", SAME),  # of R
        (f"   {' '.join(f'c{n}' for n in range(9))}\n{INDEXED}".replace(",", " "), SAME),
        (",".join("ABCDEFGHI") + f"\n{SHEET}\n{SHEET}", ["x:1", "x:11"]),
        (OF_NUMPY, SAME),
        (OF_R, SAME),
        (f"A =\n\n{SPACED}\n\n", SAME),  # of Matlab
        (f"9×9 Matrix{{Int64}}:\n{SPACED}", SAME),
        ("\n".join(["shape: (9, 9)", "┌───┐", TYPED, "╞═══╡", *FRAMED, "└───┘"]), SAME),
        (OF_DUCKDB, ["7"]),
        (MARKDOWN, SAME),
        *(
            ("\n".join([lead + "," * 8, *("," * n + row for row in SHEET.split())]), SAME)
            for n in (0, 1, 3)
            for lead in ("," * n, "Sudoku of the week")
        ),
        (f"[easy]\npuzzle={EXAMPLE}\n[hard]\npuzzle={EXAMPLE}", ["easy", "hard"]),
        (f"#D A random puzzle \n#LEasy\n{NUMBERED}", ["A random puzzle"]),
        (f"# two\n{EXAMPLE}\n\n{EXAMPLE}\n{NUMBERED}", ["x:2", "x:4", "x:5"]),
        *((f"{EXAMPLE.replace('.', sign)},{SOLUTION}\n", SAME) for sign in "+?~#"),
        (f"a-1 {EXAMPLE} 3.5 # {'1' * 81}\nsecond,{EXAMPLE}", ["a-1", "second"]),
        (f"[Puzzle]\n{NUMBERED}\n\n[State]\n{SOLUTION}\n[PencilMarks]\n12,3\n", ["x:2"]),
    ],
)
def test_forms_and_names_of_one_puzzle(text, names):
    puzzles = puzzles_in(text)
    assert [puzzle.givens.tolist() for puzzle in puzzles] == [VALUES] * len(names)
    assert names is SAME or [puzzle.name for puzzle in puzzles] == names


def test_rows_and_lines_that_look_like_titles():
    row = "ABC.1".ljust(16, ".")
    rows = [row, *["." * 16] * 15]
    assert puzzles_in("\n".join(rows), "1-G")[0].givens[:5].tolist() == [10, 11, 12, 0, 1]
    lines = puzzles_in(f"{'1G'.ljust(256, '.')}\n{row.ljust(256, '.')}", "1-G")
    assert [puzzle.n_givens for puzzle in lines] == [2, 4]


def test_lines_of_order_3_as_integers_are_no_rows_of_order_9():
    mixed = puzzles_in(f"{' '.join(EXAMPLE)}\n" * 82 + f"{EXAMPLE}\n{'0 ' * 256}")
    assert [puzzle.order for puzzle in mixed] == [3] * 83 + [4]


@pytest.mark.parametrize(
    ("widths", "is_read"),
    [
        ([27, 27, 27], True),
        ([20, 20, 20, 20, 1], True),
        ([20, 20, 20, 21], False),
        ([20, 21, 20, 20], False),
        ([10, 8, *[9] * 7], False),
        ([9, 10, 8, *[9] * 6], False),
    ],
)
@pytest.mark.parametrize("start", ["", "3\n3\n"])
def test_integers_in_lines_of_one_length_are_a_puzzle(widths, is_read, start):
    cells = iter(NUMBERED.replace("\n", ""))
    text = start + "\n".join(" ".join(next(cells) for _ in range(width)) for width in widths)
    if is_read:
        assert [str(puzzle) for puzzle in read(text)] == [EXAMPLE]
    else:
        with pytest.raises(InputError, match="cells"):
            read(text)


@pytest.mark.parametrize("labels", ["123456789", "ABCDEFGHI"])
def test_a_message_on_rows_with_labels_counts_their_cells_alone(labels):
    rows = [f"{label} {' '.join(row)}" for label, row in zip(labels, NUMBERED.split())]
    rows[4] = rows[4][:-2]
    with pytest.raises(InputError, match=r":5: 8 cells in this row: a grid of order 3 has 9"):
        read("\n".join(rows))


def test_braces_in_texts_of_json_are_no_braces():
    assert read(f'p = {{"name": "a}}}}b", "grid": "{EXAMPLE}"}}')[0].n_givens == 30


def test_lists_and_arrays_are_checked_as_wholes():
    with pytest.raises(InputError, match=r"'missing\.csv': there is no such file"):
        read(["missing.csv", "missing.txt"])
    for other in (np.array([VALUES]), [VALUES], EXAMPLE):
        with pytest.raises(InputError, match="a dictionary of puzzles and other things"):
            read({"x": other, "y": read(EXAMPLE)[0]})
    with pytest.raises(InputError, match="no column 'x': it is no table"):
        read([EXAMPLE, EXAMPLE], column="x")
    with pytest.raises(InputError, match=r"an array of shape \(2, 10\): allowed are"):
        read(np.zeros((2, 10), int))


def test_lines_that_may_be_puzzles_or_rows_are_asked(tmp_path):
    for d, small in ((16, 4), (81, 9)):
        text = f"{'0 ' * d}\n" * d
        for lines in (text, text.replace(" ", "")):
            assert f"x:1: {d} lines of {d} cells: {d} puzzles of order" in refusal(lines)
            assert len(puzzles_in(lines, f"1-{small}")) == d
        (tmp_path / "x.txt").write_text(lines)
        with pytest.raises(InputError, match=f"{d} lines of {d} cells"):
            read(tmp_path / "x.txt")
        assert [puzzle.size for puzzle in puzzles_in(text, f"1-{d}")] == [d]
        apart = puzzles_in(text.replace("\n", "\n\n"))
        assert [puzzle.size for puzzle in apart] == [small] * d
        (puzzle,) = read(root_grid(round(d**0.5)))
        bands = "\n\n".join(" ".join(map(str, row)) for row in puzzle.grid)
        assert puzzles_in(bands) == [puzzle]


ONE_SHORT = "\n".join(f"{','.join(row[:8].replace('.', '0'))}," for row in ROWS)
DASHES = "\n".join(row.replace(".", "-") for row in [*ROWS[:8], "." * 9])
NOT_ORDER_4 = "x:1: r1c1: '-2' is not a cell of order 4: allowed are 1-16 or 0-15"
BY_COLUMNS = f"matrix(c({','.join(EXAMPLE.replace('.', '0'))}), nrow=9)"
HASHES = "\n".join(row.replace(".", "#") for row in ROWS)
SIZES = "sizes are 4x4, 9x9, 16x16, 25x25"
GROUPS = " ".join(ROWS)
BESIDE = "x:1: a complete grid beside other cells: write each as one word"
PARTS = "cells beside a puzzle of 81"
OF_16 = symbols_of("1-G")
SOLVED_16 = OF_16.line(root_grid(4).ravel().tolist())
GROUPS_16 = " ".join([*[SOLVED_16[:3].ljust(16, ".")] * 5])
ARRAY = repr(np.array([VALUES] * 3).reshape(3, 9, 9).tolist())
FRAME = [f"|{'|'.join(row.replace('.', ' '))}|" for row in ROWS]
FRAME_OF_BOXES = framed([*map(list, ROWS)], " ")
DOT = FRAME_OF_BOXES.replace("8 . 3", "8. . 3")
CUT_FRAME = FRAME_OF_BOXES.replace(".", " ").replace("| 4 1 9 |", "| 4 1 9|")
HEAD_IS_CUT = "x:1: a brace is closed that was not opened: is the beginning cut off"
TABLE_OF_MISTAKES = [
    *(
        (f"{first}\n{EXAMPLE}", None, "+80 in place of the digits of a puzzle, most of")
        for first in ("7.23e+80", "2.01040000400096E+80", "2,0104E+80", "id;2.5e+80", '"1.0E+80"')
    ),
    *(
        (f'{start}"solution": "{SOLUTION}"}}', None, HEAD_IS_CUT)
        for start in (", ", f'{EXAMPLE[70:]}", ', f'"{EXAMPLE}", ', f'zle": "{EXAMPLE}", ')
    ),
    (f'{SOLUTION}"}}\n{{"puzzle": "{EXAMPLE}"}}', None, HEAD_IS_CUT),
    *((f"{GROUPS}{mark}{SOLUTION}", None, BESIDE) for mark in (" ", ";", " solution: ")),
    *((f"{mark.join(EXAMPLE)};{SOLUTION}", None, BESIDE) for mark in " ,"),
    (f"{EXAMPLE[:20]} {SOLUTION}", None, BESIDE),
    *((f"{EXAMPLE[:n]} {SOLUTION}", None, f"x:1: {n} {PARTS}") for n in (60, 70)),
    (f"{EXAMPLE},{SOLUTION}{EXAMPLE[::-1]},{SOLUTION[::-1]}", None, f"x:1: 162 {PARTS}"),
    (f"{EXAMPLE},{SOLUTION * 2}", None, f"x:1: 162 {PARTS}"),
    (f"{GROUPS_16} {SOLVED_16}", None, BESIDE),
    (f"{SOLUTION} {GROUPS}", None, BESIDE),
    (re.sub(r"\], \[\[.*\], \[\[", "], ..., [[", ARRAY), None, "rows are left out of this array"),
    (repr(np.zeros((50, 25, 25), int)), None, "cells are left out of this array"),
    (str(np.zeros((36, 36), int)), None, "cells are left out of this array"),
    (re.sub(r"\], \[\[.*\], \[\[", "],\n …\n [[", ARRAY), None, "rows are left out of this"),
    (ARRAY[: ARRAY.rindex("[") - 2], None, "a bracket of this array is missing"),
    (ARRAY.replace("[", "{").replace("]", "}")[:-1], None, "a bracket of this array is missing"),
    ("\n".join([*FRAME[:8], FRAME[8][:-3]]), None, "x:9: a row without one of its outer bars"),
    ("\n".join([FRAME[0][1:], *FRAME[1:]]), None, "x:1: a row without one of its outer bars"),
    (BY_COLUMNS, None, "'matrix(': an array by columns, or transposed; write its rows"),
    (HASHES, None, "# begins a comment; write a dot for a blank"),
    (" ".join(HASHES), None, "# begins a comment; write a dot for a blank"),
    ("\n".join(map(" ".join, HASHES.split())), None, "# begins a comment; write a dot for a blank"),
    (LATEX, None, "; of LaTeX, write the cells alone, with spaces between"),
    *(("<b>".join(row), None, "cannot be read") for row in ROWS[:1]),
    (f"<table>\n<tr><td>{'</td><td>'.join(ROWS[0])}</td></tr>", None, "; of HTML, write"),
    (SPACED.replace("0", "&nbsp;"), None, "; of HTML, write the cells alone"),
    (f"-[ RECORD 1 ]---\npuzzle | {EXAMPLE}", None, "; of a database, print a row a line, without"),
    ("\n".join(f"{row[:4]}…{row[5:]}" for row in ROWS), None, r"'\u2026' stands for cells that"),
    (
        f"{SHEET[: SHEET.rindex(chr(10))]}{EMPTY}{EMPTY[1:]}{SHEET}",
        None,
        "x:1: 19 rows of 9 cells, 2 of them empty; write a",
    ),
    (",".join(f"row{n}" for n in range(9)) + f"\n{SHEET}", None, "rows are columns; transpose"),
    (f"- name: easy\n  grid: |\n{NUMBERED}", None, "x:2: 5 cells: a 9x9 puzzle has 81"),
    (f"Sudoku Weekly\nMedium\n{NUMBERED}", None, "x:2: 6 cells: a 9x9 puzzle has 81"),
    (f"Sudoku\n{NUMBERED}\nHave a nice day\n", None, "x:11: 'Have a nice day' is no puzzle, nor"),
    (f"badhacfig\n{NUMBERED}", None, "x:10: 1 row of 9 cells"),  # it may be a row
    ("1.2..." * 6, None, f"x:1: 6x6 puzzles: {SIZES}"),
    *(("\n".join(["." * n] * n), None, f"x:1: {n}x{n} puzzles: {SIZES}") for n in (6, 8, 12)),
    ("\n".join(EXAMPLE[1:]), None, "x:1: 80 cells: a 9x9 puzzle has 81"),
    ("# nothing\n\n---\n", None, "x: there is no puzzle in it"),
    ("\n".join([*ROWS[:8], "", *ROWS, ROWS[8]]), None, "x:1: 8 rows of 9 cells"),
    (DASHES, None, "x:1: 8 rows of 9 cells: a grid of order 3 has 9; a line of dashes is no row"),
    (f"{SOLUTION},{EXAMPLE}", None, "x:1: a complete grid before a puzzle"),
    (f"{EXAMPLE}\n\n{SOLUTION}", None, "x:3: a solution beside its puzzle: leave it out"),
    (f"{EXAMPLE} {EXAMPLE}", None, "x:1: 2 puzzles: a line holds one"),
    (f"5\n{EXAMPLE}\n{EXAMPLE}", None, "x:1: 5 above 2 puzzles"),
    (f"Grid 01\n{NUMBERED[:79]}\nGrid 02\n{NUMBERED}\n", None, "x:2: 8 rows of 9 cells"),
    (f"{EXAMPLE}\n{EXAMPLE[1:]}\n{EXAMPLE}", None, "x:2: 80 cells: a 9x9 puzzle has"),
    ("1" * 79, None, "79 cells: a 9x9 puzzle has 81, a row of it 9"),
    (
        "10" * 39 + "1",
        None,
        "a row of it 9; has a spreadsheet dropped the zeros before it? write dots",
    ),
    ("12 3 456 789 1 2 3 45 6\n" * 9, None, "x:1: '456' cannot be read: cells are digits"),
    ("1234\n3412\n214\n4321", None, "x:3: 3 cells in this row: a grid of order 2 has 4"),
    (f"{'0 ' * 80}10\n" * 80, None, "x:1: 80 rows of 81 cells: a grid of order 9 has 81"),
    ("12345\n" * 4, None, "x:1: 5 cells: a 9x9 puzzle has 81, a row of it 9; a 4x4 puzzle has 16"),
    ("3\n1\n" + "-1 " * 80, None, "x:1: 80 cells after the lines with the order"),
    ("10 " + "0 " * 80, None, "x:1: r1c1: '10' is not a cell of order 3: allowed are 1-9, and"),
    ("-2 " + "0 " * 255, None, NOT_ORDER_4),
    ("0l" + "0" * 79, None, "x:1: r1c2: 'l' is not a cell of order 3"),  # no blank beside zeros
    (SOLUTION[:80] + "x", None, "x:1: r9c9: 'x' is not a cell of order 3"),  # nor is one alone
    (ONE_SHORT, None, "x:1: r1c9: an empty cell beside other blanks"),
    ("1 \x1b[31m 2", None, "x:1: '\\x1b[31m' cannot be read"),
    ("٣" + "." * 80, None, "cannot be read: cells are digits"),
    (DOT, None, "x:7: '8.' beside dots for blanks"),
    ("4. 1 2 .\n" + ". . . .\n" * 3, None, "x:1: '4.' beside dots for blanks"),
    (repr([[*row] for row in ROWS]).replace("'3'", "'3.'", 1), None, "'3.' beside dots for blanks"),
    (CUT_FRAME, None, "x:11: cells out of the columns of other rows; write a dot for a blank"),
    ("0?" * 2 + "123?" * 19 + "?", None, "r1c2: '?' is not a cell of order 3"),
    ("0?" * 2 + "123?" * 19 + "?", None, "is 0 a value? give --symbols 0-8"),
    ("z".ljust(625, "."), None, "x:1: r1c1: 'z' is not a cell of order 5: allowed are A-Y or 1-P"),
    ("g".ljust(256, "."), "0-F", "x:1: r1c1: 'g' is not a cell of order 4: allowed are 0-F, and"),
    ("1G".ljust(256, ".") + "\n" + "P".ljust(256, "."), None, "x:2: r1c1: 'P' is not a cell"),
    ("11".ljust(256, "."), None, "the row has the given 1 twice (written in 1-G)"),
    ("1".ljust(81, "."), "1-G", "x: symbols 1-G: no puzzle in it has so many"),
    ("1".ljust(256, "."), "1-16", "x: symbols 1-16: these are numbers with spaces between"),
    *(("." * 256, name, "must be 1-9") for name in ("1-H", "1122", "2-17", "é" * 16, "-")),
]


@pytest.mark.parametrize(
    ("text", "symbols", "message"), TABLE_OF_MISTAKES, ids=lambda text: repr(text)[:20]
)
def test_mistakes(text, symbols, message):
    assert message in refusal(text, symbols)


def test_an_empty_grid_of_a_spreadsheet_is_asked_for_its_size():
    text = spread([["."] * 16] * 16)
    assert "16 puzzles of order 2, or one of order 4" in refusal(text)
    (puzzle,) = read(text, symbols="0-15")
    assert puzzle.order == 4 and not puzzle.n_givens


@pytest.mark.parametrize(
    "text",
    [
        *("1 " * 50_000, "1\n" * 50_000, "1\n\n" * 5000, "some words\n\n" * 50_000, "|" * 100_000),
        *("," * 50_000 + "1", "1" + "," * 50_000 + "1"),
        *("&" * 100_000, "# " * 50_000 + "1", "1 #" * 30_000, ": |" * 30_000, "a" * 100_000),
        *("12341234\n" * 10_000, "1234123412341234\n" * 1000, (". " * 32_000 + "\n\n") * 3),
    ],
    ids=lambda text: repr(text[:9]),
)
def test_long_texts_that_are_no_puzzles(text):
    assert refusal(text).startswith("x:")


@given(st.text(st.sampled_from("0123456789abcdefgxyz.*-|+,;:[] \t\r\n#=é\x00٣"), max_size=400))
@example("1 " * 18)
@example("-" * 81)
@settings(max_examples=300, deadline=None)
def test_any_text_is_puzzles_or_an_input_error(text):
    try:
        assert puzzles_in(text)
    except InputError as error:
        assert str(error).isprintable()


def test_reading_takes_linear_time():
    assert n_calls(f"{EXAMPLE}\n" * 400) < 2.2 * n_calls(f"{EXAMPLE}\n" * 200)


def test_skipping_takes_linear_time(tmp_path):
    for name, n_lines in (("short", 200), ("long", 400)):
        (tmp_path / name).write_text(f"{EXAMPLE}\n{EXAMPLE[1:]}\n" * n_lines)
    calls = [
        n_calls(tmp_path / name, lambda path: read(path, skip=str)) for name in ("long", "short")
    ]
    assert calls[0] < 2.2 * calls[1]


def test_a_line_longer_than_a_puzzle_is_refused_at_once(tmp_path):
    text = EXAMPLE * 14_000
    (tmp_path / "x").write_text(f"{EXAMPLE}\n{text}\n")
    with pytest.raises(InputError, match=r"x:2: 1134000 characters in a line: are line ends lost"):
        read(tmp_path / "x")
    assert n_calls(text, lambda text: refusal(text)) < 200


def n_calls(text, reading=puzzles_in):
    """Count the calls of functions that reading a text takes."""
    calls = Counter()
    sys.setprofile(lambda frame, event, argument: calls.update([event]))
    try:
        reading(text)
    finally:
        sys.setprofile(None)
    return calls["call"] + calls["c_call"]


# --- Symbols -------------------------------------------------------------------------------------

ROW = "123456789ABCDEFG"


def row_of(signs, n_cells=256, blank="."):
    return signs + blank * (n_cells - len(signs))


@pytest.mark.parametrize("symbols", [*SYMBOLS, numbers(7), numbers(7, 0)], ids=str)
@given(st.data())
@settings(max_examples=12, deadline=None)
def test_puzzles_are_written_in_the_symbols_in_which_they_were_read(symbols, data):
    some = data.draw(st.lists(puzzles([symbols.order]), min_size=1, max_size=3))
    pairs = pairwise(some)
    assume(not any(stand_beside(first.givens, second.givens) for first, second in pairs))
    case = data.draw(st.sampled_from([str.upper, str.lower]))
    text = "\n\n".join(case(symbols.line(puzzle.givens)) for puzzle in some)
    read_again = puzzles_in(text, symbols.name)
    assert read_again == some == puzzles_in(f"# symbols: {symbols.name}\n{text}")
    assert read_again[0].line.upper() == symbols.line(some[0].givens)
    written = writing.format_file(read_again)
    again = puzzles_in(written)
    assert again == some and writing.format_file(again) == written


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (row_of(ROW), "1-G"),
        (row_of(ROW.lower()), "1-G"),
        (row_of(ROW[:15], blank="0"), "1-G"),  # in 0-F, a row would have 0 twice
        (row_of("0" + ROW[:15]), None),  # 0-F, or two kinds of blanks
        (row_of(ROW[:15]) + "\n" + row_of("G" + 20 * "." + "G"), "1-G"),  # all decide
        (row_of(ROW[:15]), None),
        (row_of("abcdefgh"), "A-P"),
        (row_of("ABCDEFG"), None),
        (row_of("H", blank="0"), "A-P"),
        (row_of(""), "1-G"),  # whatever they are
        (row_of("Y", 625), "A-Y"),
        (row_of("1O", 625), None),
        (row_of("1P", 625), "1-P"),
        (row_of("Z0", 1296), "0-Z"),
        (" ".join(row_of(ROW)), "1-G"),
        (" ".join(["0", "15", *["-1"] * 254]), None),
        (" ".join(["1", "15", *["-1"] * 254]), None),
        (" ".join(["15", *["0"] * 255]), "1-16"),
        (row_of("0123", 81), None),  # 0-8, or two kinds of blanks
        (SOLUTION.translate(str.maketrans("123456789", "012345678")), None),
        (" ".join(["0", "3", *["-1"] * 14]), "1-4, 0-3"),
    ],
)
def test_a_text_is_in_the_only_symbols_that_fit(text, name):
    if name and "," not in name:
        assert {puzzle.symbols.name for puzzle in puzzles_in(text)} == {name}
    else:
        assert " may be in " in refusal(text) and "--symbols" in refusal(text)


@pytest.mark.parametrize(
    ("text", "place", "name"),
    [
        (row_of("0" + ROW[:15]) + "\n" + row_of("G"), "2: r1c1: 'G' is not a cell", "1-G"),
        (row_of(ROW[:15]) + "\n" + row_of("00"), "2: r1c1 and r1c2: .* 0 twice", "1-G"),
        (" ".join(["0", "16", *["."] * 254]), "1: r1c2: '16' is not a cell", "1-16"),
        (row_of("0123", 81) + "\n" + row_of("9", 81), "2: r1c1: '9' is not a cell", "1-9"),
        (row_of("0123", 81) + "\n" + row_of("00", 81), "2: r1c1 and r1c2: .* 0 twice", "1-9"),
    ],
)
def test_one_wrong_cell_does_not_make_blanks_of_zeros(text, place, name):
    assert re.search(f"{place}.*or is 0 a blank. give --symbols {name} .in Python", refusal(text))
    assert {puzzle.symbols.name for puzzle in puzzles_in(text, name)} == {name}


@pytest.mark.parametrize("symbols", SYMBOLS[2:], ids=str)
@given(st.data())
@settings(max_examples=EXAMPLES // 5, deadline=None)
def test_a_sign_for_a_blank_in_few_cells_beside_another_one_is_refused(symbols, data):
    size = symbols.order**2
    usual, other = data.draw(st.permutations([*"*_-0", "." if symbols.gap == "" else "-1"]))[:2]
    assume("0" not in (usual, other) or "0" not in symbols.signs[1:])
    (puzzle,) = antdoku.generate(symbols.order, 0.4, seed=data.draw(st.integers(0, 99)))
    signs = [symbols.signs[value] if value else usual for value in puzzle.givens]
    blanks = data.draw(st.permutations([*np.flatnonzero(puzzle.givens == 0)]))
    n_rare = data.draw(st.sampled_from([1, 2, size, size + 1]))
    for at in blanks[:n_rare]:
        signs[at] = other
    rows = ["".join(signs), [[*signs[at : at + size]] for at in range(0, size**2, size)]]
    for source in rows[1:] if symbols.gap else rows:
        if n_rare <= size:
            with pytest.raises(
                InputError, match=r"beside another sign for blanks|may be in|is 0 a blank"
            ):
                read(source)
        else:
            assert read(source, symbols=symbols.name) == [puzzle]


@pytest.mark.parametrize("sign", "0*_-")
def test_one_odd_blank_among_many_puzzles_is_refused(sign, tmp_path):
    odd = EXAMPLE.replace(".", sign, 1)
    table = pd.DataFrame({"puzzle": [*[EXAMPLE] * 3000, odd]})
    table.to_csv(tmp_path / "x.csv", index=False)
    (tmp_path / "x.txt").write_text("\n".join(table["puzzle"]))
    for source in (table, [*table["puzzle"]], tmp_path / "x.csv", tmp_path / "x.txt"):
        with pytest.raises(InputError, match=f"3001: r1c3: '{re.escape(sign)}' beside"):
            read(source)


def test_symbols_of_several_orders_and_in_any_order():
    first, second = puzzles_in(f"# symbols: 0-8 0-F\n{row_of('0', 81)}\n{row_of('0')}")
    assert first.givens[0] == second.givens[0] == 1
    (puzzle,) = puzzles_in(row_of("CBA", 81), "IHGFEDCBA")
    assert puzzle.givens[:3].tolist() == [7, 8, 9]
    assert puzzle.line == row_of("CBA", 81)
    for name in (*CHARACTERS[4], "0-15", "1-16"):
        (puzzle,) = puzzles_in(symbols_of(name).line(root_grid(4).ravel()))
        assert (puzzle.grid == root_grid(4)).all()


@pytest.mark.parametrize("order", [3, 4, 5, 6])
def test_what_is_written_by_default_has_one_meaning(order):
    for value in range(order**2 + 1):
        puzzle = Puzzle(order, np.eye(1, order**4, dtype=int)[0] * value)
        assert puzzles_in(writing.format_file([puzzle])) == [puzzle]
        assert usual(order, [value]) == usual(order, [value, 0])


def in_code(rows, start, row_start, end):
    """Write rows of numbers as an array in a programming language."""
    return start + ", ".join(f"{row_start}{', '.join(map(str, row))}{end}" for row in rows)


@pytest.mark.parametrize(
    ("start", "row_start", "end", "after", "is_read"),
    [
        ("rbind(", "c(", ")", ")", True),
        ("cbind(", "c(", ")", ")", False),
        ("np.array([", "[", "]", "])", True),
        ("np.array([", "[", "]", "]).T", False),
        ("np.array([", "[", "]", "]).reshape(9, 9, order='F')", False),
        ("hcat(", "[", "]", ")", False),
        ("t(rbind(", "c(", ")", "))", False),
        ("np.transpose([", "[", "]", "])", False),
        ("pd.DataFrame.from_dict({", "0: [", "]", "})", False),
        ("Transpose[{", "{", "}", "}]", False),
        ("np.c_[", "[", "]", "]", False),
        ("np.rot90([", "[", "]", "])", False),
        ("structure(rbind(", "c(", ")", "), .Dim = c(9L, 9L))", False),
        ("grid = [", "[", "]", "]\ngrid = np.array(grid).T", False),
        ("data.table(", "c(", ")", ")", False),
        ("np.stack([", "[", "]", "], axis=1)", False),
        ("{'c1': [", "[", "]", "]}", False),
        ("col1: [", "[", "]", "]", False),
        ("V1 <- c(", "c(", ")", ")", False),
        ("pd.DataFrame([", "[", "]", "])  # the puzzle's grid", True),
    ],
)
def test_arrays_by_columns_are_refused(start, row_start, end, after, is_read):
    puzzle = antdoku.read("named:platinumblond")[0]
    text = in_code(puzzle.givens.reshape(9, 9).tolist(), start, row_start, end) + after
    if is_read:
        assert [*antdoku.read(text)[0].givens] == [*puzzle.givens]
    else:
        with pytest.raises(antdoku.InputError, match="by columns, or transposed; write its rows"):
            antdoku.read(text)


def test_lists_beside_puzzles_and_headings_above_are_no_puzzles():
    puzzle = antdoku.read("named:platinumblond")[0]
    cells = "".join(map(str, puzzle.givens))
    for heading in ("## 12", "## PUZZLE 1", "# 5"):
        assert antdoku.read(f"{heading}\n{cells}") == [puzzle]
    lists = ("[0,1,0,0]", "[0,0,0,1]", "[1,0,0,0]", "[0,0,1,0]")
    puzzles = antdoku.read("\n".join(f"{cells} {beside}" for beside in lists))
    assert [[*read.givens] for read in puzzles] == [[*puzzle.givens]] * 4


@pytest.mark.parametrize("kind", ["frame", "csv", "with an id"])
def test_columns_of_cells_stand_row_by_row(kind, tmp_path):
    givens = antdoku.read("named:platinumblond")[0].givens
    places = [(row, column) for row in range(1, 10) for column in range(1, 10)]
    names = [f"r{row}c{column}" for row, column in places]
    frame = pd.DataFrame([givens], columns=names)
    for order, is_read in ((names, True), (sorted(names, key=lambda name: name[::-1]), False)):
        table = frame[order]
        if kind == "with an id":
            table = table.assign(id="a")
        if kind == "csv":
            table.to_csv(tmp_path / "cells.csv", index=False)
            table = tmp_path / "cells.csv"
        if is_read:
            assert [*antdoku.read(table)[0].givens] == [*givens]
        else:
            with pytest.raises(antdoku.InputError, match="write columns of cells row by row"):
                antdoku.read(table)


@pytest.mark.parametrize("blank", ["np.nan", "nil", "Some(0)", "float('nan')", "NA_integer_"])
def test_a_puzzle_in_code_that_cannot_be_read_is_not_left_out(blank):
    solution = antdoku.solve(EXAMPLE).solution.tolist()
    rows = ", ".join(f"[{', '.join(row.replace('.', '0'))}]" for row in ROWS)
    puzzle = re.sub(r"\b0\b", blank, rows)
    with pytest.raises(antdoku.InputError, match="a list of cells cannot be read"):
        antdoku.read(f"puzzle = [{puzzle}]\nsolution = {solution}")


def test_a_word_in_brackets_is_a_title_unless_the_file_has_sections():
    puzzles = antdoku.read(f"[easy]\n{EXAMPLE}\n[hard]\n{EXAMPLE}\n")
    assert [puzzle.name for puzzle in puzzles] == ["easy", "hard"]
    (puzzle,) = antdoku.read(f'[sudoku]\npuzzle = "{EXAMPLE}"\n')  # TOML
    assert puzzle.line == EXAMPLE
    grid = "\n".join(ROWS)
    assert len(antdoku.read(f"[Puzzle]\n{grid}\n[PencilMarks]\n{grid}\n")) == 1


def test_a_pivot_whose_rows_are_columns_is_refused():
    grid = pd.DataFrame(antdoku.read(EXAMPLE)[0].grid).rename_axis("col").rename_axis("row", axis=1)
    with pytest.raises(antdoku.InputError, match="rows are columns; transpose the table"):
        antdoku.read(grid)
    assert antdoku.read(grid.T)[0].name == antdoku.read(EXAMPLE)[0].name


def test_the_rows_of_a_frame_stand_in_order():
    givens = antdoku.read("named:platinumblond")[0].grid
    frame = pd.DataFrame(givens, index=range(1, 10))
    assert (antdoku.read(frame)[0].grid == givens).all()
    with pytest.raises(antdoku.InputError, match="'2' stands before '1'; sort the rows"):
        antdoku.read(frame.loc[[2, 1, *range(3, 10)]])
    assert (antdoku.read(frame.to_csv())[0].grid == givens).all()
    for order in (range(9, 0, -1), [2, 1, *range(3, 10)]):
        with pytest.raises(antdoku.InputError, match=r"stands before '.'; sort the rows"):
            antdoku.read(frame.loc[[*order]].to_csv())
    with pytest.raises(antdoku.InputError, match="'B' stands before 'A'"):
        antdoku.read(pd.DataFrame(givens, columns=list("BACDEFGHI")))
    for axis, letter in (("columns", "r"), ("index", "c")):
        labels = {axis: [f"{letter}{n}" for n in range(9)]}
        with pytest.raises(antdoku.InputError, match="; transpose the table"):
            antdoku.read(pd.DataFrame(givens.T, **labels))
    table = pd.DataFrame({name: ["." * 16] * 4 for name in ("a1", "a2", "a3", "puzzle")})
    assert len(antdoku.read(table.loc[[1, 0, 2, 3], ["puzzle", "a1", "a2", "a3"]])) == 4


def test_labels_of_cells_stand_in_order(tmp_path):
    grids = antdoku.read_grids("named:soto")
    frame = pd.DataFrame(grids, columns=map(str, range(81)))
    cells = frame.loc[0]
    grid = pd.DataFrame(grids[0].reshape(9, 9)).stack()
    right = [frame, cells, cells.reset_index(drop=True), grid.rename_axis(["row", "col"])]
    for source in right:
        assert (antdoku.read_grids(source)[0] == grids[0]).all()
    frame.sort_index(axis=1).to_csv(tmp_path / "x.csv", index=False)
    wrong = [frame.sort_index(axis=1), frame[frame.columns[::-1]], cells[::-1], cells.sort_index()]
    wrong += [grid, grid.rename_axis(["row", "col"]).sort_index(level=1), tmp_path / "x.csv"]
    wrong.append(cells.astype(str).sort_index())
    for source in wrong:
        for function in (antdoku.read, antdoku.read_grids, antdoku.solve_grids):
            with pytest.raises(antdoku.InputError, match=r"stands before|levels|out of order"):
                function(source)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("columns", None),
        ("order", "column-major"),
        ("order", "F"),
        ("orientation", "columns"),
        ("transposed", True),
        ("rowMajor", False),
    ],
)
def test_objects_that_hold_columns_are_refused(key, value):
    columns = antdoku.read("named:platinumblond")[0].givens.reshape(9, 9).T.tolist()
    by_columns = {key: value, "puzzle": columns} if value is not None else {key: columns}
    with pytest.raises(antdoku.InputError, match=f"'{key}': a grid by columns; write its rows"):
        antdoku.read(by_columns)


WORDS = st.sampled_from(["missing", "nan", "timeout", "ERROR: no puzzle", "not solved"])
LINES = st.integers(1, 4).map(lambda n: f"{EXAMPLE}\n" * n)


@settings(deadline=None, max_examples=EXAMPLES)
@given(LINES, WORDS, LINES, st.booleans())
def test_a_word_among_lines_of_puzzles_is_no_title(tmp_path_factory, above, word, below, is_first):
    file = tmp_path_factory.mktemp("lines") / "x.txt"
    text = f"{word}\n{above}{EXAMPLE}\n" * is_first + f"{above}{word}\n{below}"
    file.write_text(text)
    for source in (text, file):
        with pytest.raises(InputError, match=f"{word}' among lines of puzzles is no puzzle; write"):
            read(source)


@settings(deadline=None, max_examples=EXAMPLES)
@given(st.lists(LINES, min_size=1, max_size=4), st.sampled_from(["Grid", "", "\n"]), WORDS)
def test_titles_of_blocks_are_names(tmp_path_factory, blocks, lead, word):
    """They are numbered, stand below an empty line, or begin a text and differ."""
    titles = [
        f"{lead} {n}" if lead == "Grid" else f"{word}, part {'abcd'[n]}" for n in range(len(blocks))
    ]
    gap = "\n" if lead == "\n" else ""
    text = gap.join(f"{title}\n{block}" for title, block in zip(titles, blocks))
    text = f"{EXAMPLE}\n{text}" if lead == "Grid" else text
    file = tmp_path_factory.mktemp("lines") / "x.txt"
    file.write_text(text)
    for source in (text, file):
        names = [puzzle.name for puzzle in read(source)]
        assert len(names) == text.count(EXAMPLE) and {*titles} <= {*names}


def test_each_puzzle_may_have_its_level_above():
    text = f"Medium\n{EXAMPLE}\n" * 3 + f"Harder\n{EXAMPLE}\n"
    assert [puzzle.name for puzzle in read(text)] == ["Medium"] * 3 + ["Harder"]


OTHER = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
CUT = {  # texts whose mistake is told with its line and cause
    f'puzzles = [\n  "{EXAMPLE}",\n  "{OTHER[:-1]}",\n]': r"x:3: 80 cells: a 9x9 puzzle has 81",
    f'char *p[] = {{"{EXAMPLE}",\n"{OTHER[:-1]}?"}};': r"x:2: r9c9: '\?' is not a cell",
    f"a1 {EXAMPLE[:-1]}\na2 {OTHER}": r"x:1: 80 cells: a 9x9 puzzle has 81",
    f"{EXAMPLE}5,2.3\n{OTHER},2.5": r"x:1: 82 cells",
    f"Puzzle 1\n{NUMBERED}\nPuzzle": r"x:11: 'Puzzle' is no puzzle, nor stands above one",
    f" id | puzzle\n----+---\n 1 | {EXAMPLE}\n 2 | {OTHER}\n(3 rows)": r"2 puzzles, .*\(3 rows\)",
    f"| puzzle |\n| {EXAMPLE} |\n2 rows in set (0.00 sec)": r"1 puzzle, .* 2 rows in set",
    f"{EXAMPLE} # 2378 Easy{OTHER} # 7920 Easy": r"x:1: a comment behind a puzzle holds a puzzle",
    "\n".join([*ROWS, "*" * 16, *ROWS]): r"x:10: '\*+' is a 4x4 puzzle without values; separate",
    f"2024-03-01;{EXAMPLE}2024-03-02;{OTHER}".replace(".", "?"): r"x:1: 91 cells beside a puzzle",
    f"shape: (3, 1)\n| puzzle |\n| {EXAMPLE} |\n| {OTHER} |": r"2 puzzles, .* shape: \(3, 1\)",
    "\n".join("\t".join(row) for row in ROWS).replace("\t".join(ROWS[1]), "\t\t"): (
        r"8 rows of 9 cells: .*; is a row missing, or empty\? write dots"
    ),
}


ZEROS = OTHER.replace(".", "0")
TWO_IN_A_LINE = "x:1: 2 puzzles: a line holds one, or one and its solution"
C_ROWS = [f"{{{','.join(row)}}}" for row in NUMBERED.split()]
IN_ROW = f"{C_ROWS[0][:6]}{C_ROWS[0]},{C_ROWS[0][6:]}"
CELLS_OF_ROWS = [
    ["" if (row, at) == (2, 3) else sign for at, sign in enumerate(cells)]
    for row, cells in enumerate(ROWS)
]
CUT |= {
    f"{EXAMPLE} {ZEROS}": TWO_IN_A_LINE,
    f"{EXAMPLE},{ZEROS}": TWO_IN_A_LINE,
    f"{EXAMPLE};{ZEROS};3.2": TWO_IN_A_LINE,
    f'- "{EXAMPLE}"{ZEROS}': TWO_IN_A_LINE,
    f":0000:x:{EXAMPLE}:::{ZEROS}": TWO_IN_A_LINE,
    f"{NUMBERED}".replace("\n", "") + f" {EXAMPLE}": TWO_IN_A_LINE,
    **dict.fromkeys(
        [
            f"{EXAMPLE} {' '.join(ZEROS)}",
            f"{EXAMPLE} {' '.join(ROWS)}",
            f"{json.dumps(NUMBERED.split())} {OTHER}",
            f"{json.dumps([*map(list, ROWS)])} {'1'.ljust(256, '.')}",
            f"{'1'.ljust(256, '.')}, {json.dumps([*map(list, NUMBERED.split())])}",
        ],
        "x:1: a puzzle beside cells of another grid: write each alone",
    ),
    f"{EXAMPLE} {SOLUTION} {ZEROS}": "x:1: 3 puzzles: a line holds one",
    f"int g[9][9] = {{{C_ROWS[0]},\n{IN_ROW},\n{', '.join(C_ROWS[2:])}}};": (
        r"x:2: an array among cells: is a row pasted into another one\?"
    ),
    f"grid = [{CELLS_OF_ROWS[0]},\n{CELLS_OF_ROWS[1]},\n{str(CELLS_OF_ROWS[2:])[1:]}": (
        "x:3: an empty cell beside other blanks"
    ),
    f"id  puzzle\n--  ------\n1   {EXAMPLE[:60]}\n    {EXAMPLE[60:]}\n": (
        r"x:3: 60 cells: a 9x9 puzzle has 81, .*; are cells wrapped\? print each in one line"
    ),
    f"{EXAMPLE}\n```{ZEROS}\n{OTHER}": "x:2: 84 cells: a 9x9 puzzle has 81",
}


@pytest.mark.parametrize(("text", "message"), CUT.items())
def test_a_cut_text_is_refused_with_its_line_and_cause(text, message):
    assert re.search(message, refusal(text))


@pytest.mark.parametrize("sign", BLANKS[:3])
def test_an_empty_text_beside_a_sign_in_json_is_refused(sign):
    cells = json.loads(json.dumps(CELLS_OF_ROWS).replace(".", sign))
    for source in (cells, json.dumps(cells), [*chain(*cells)], {"board": cells}):
        with pytest.raises(InputError, match="an empty cell beside other blanks"):
            read(source)
    assert read(emptied(CELLS_OF_ROWS, "")) == read(emptied(CELLS_OF_ROWS, " "))


@pytest.mark.parametrize("gap", ["", " "])
def test_a_solution_in_groups_may_stand_behind_its_puzzle(gap):
    rows = [SOLUTION[at : at + 9] for at in range(0, 81, 9)]
    assert puzzles_in(f"{EXAMPLE} {' '.join(gap.join(row) for row in rows)}") == puzzles_in(EXAMPLE)


def test_a_link_without_its_colon_is_no_comment():
    assert len(puzzles_in(f"{EXAMPLE}\nhttps//x.org/?bd={OTHER}")) == 2


@pytest.mark.parametrize("name", ["1-9", "0-F", "A-Y"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('",\n  "', '",\n  '),
        ('",\n  "', ',\n  "'),
        ('",\n  "', '",\n<<<<<<< HEAD\n  "'),
        ('",\n  "', '" "",\n  "'),
        ('",\n  "', '",\nPuzzle 2\n "'),
    ],
)
def test_damaged_json_of_rows_is_refused_at_the_line_that_json_names(name, old, new, tmp_path):
    symbols = symbols_of(name)
    grids = [puzzle.grid for puzzle in antdoku.generate(symbols.order, 0.5, seed=1, count=3)]
    rows = [["".join(symbols.signs[value] for value in row) for row in grid] for grid in grids]
    text = json.dumps(rows, indent=1)
    at = text.index(old, len(text) // 2)
    text = text[:at] + text[at:].replace(old, new, 1)
    with pytest.raises(json.JSONDecodeError) as error:
        json.loads(text)
    refusal(text, name)
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(InputError, match=f"x.json:{error.value.lineno}: not JSON: "):
        read(tmp_path / "x.json", symbols=name)


def test_each_text_of_a_list_in_code_has_its_line():
    source = f'puzzles = [\n  "{EXAMPLE}",\n\n  "{OTHER}",\n]'
    assert [puzzle.givens.tolist() for puzzle in puzzles_in(source)] == [
        [int(sign) if sign != "." else 0 for sign in text] for text in (EXAMPLE, OTHER)
    ]
    (batch,) = text_batches(source, "x", Options())
    assert [*batch.labels] == ["x:2", "x:4"]


def test_an_empty_row_in_a_frame_around_each_cell_is_a_row():
    rule = 9 * "+---" + "+"
    for rows in (["." * 9, *ROWS[1:]], [*ROWS[:4], "." * 9, *ROWS[5:]], [*ROWS[:8], "." * 9]):
        lines = ["|" + "|".join(f" {sign} " for sign in row) + "|" for row in rows]
        text = "\n".join([rule, *(f"{line}\n{rule}" for line in lines)])
        (puzzle,) = puzzles_in(text.replace(".", " "))
        assert puzzle == puzzles_in("".join(rows))[0]


def test_a_bullet_is_no_name():
    first, second = puzzles_in(f"* {EXAMPLE}\n* {OTHER}")
    assert first.name != second.name


def test_question_marks_are_blanks_beside_a_link_and_a_solution():
    (puzzle,) = puzzles_in(f"a {EXAMPLE.replace('.', '?')} https://x.org/?id=5")
    assert (puzzle.name, puzzle) == ("a", puzzles_in(EXAMPLE)[0])
    (puzzle,) = puzzles_in(f"a {EXAMPLE.replace('.', '?')} {SOLUTION}")
    assert (puzzle.name, puzzle) == ("a", puzzles_in(EXAMPLE)[0])


def test_what_psql_prints_is_a_table_with_its_number_of_rows(tmp_path):
    table = f" id | puzzle \n----+---\n a | {EXAMPLE}\n b | {OTHER}\n({{}} rows)\n\nTime: 1.2 ms\n"
    (tmp_path / "x").write_text(table.format(2))
    assert [puzzle.name for puzzle in read(tmp_path / "x")] == ["a", "b"]
    (tmp_path / "x").write_text(table.format(3))
    with pytest.raises(InputError, match=r"x: 2 rows, where it says \(3 rows\); is a row missing"):
        read(tmp_path / "x")


@pytest.mark.parametrize("unit", [".", "1", ". ", "|.", "a ", ",", '"', "(", "-", EXAMPLE + " "])
def test_a_long_line_in_a_file_is_refused(unit, tmp_path):
    (tmp_path / "x").write_text(400_000 // len(unit) * unit)  # a minute, if the time were quadratic
    with pytest.raises(InputError):
        read(tmp_path / "x")


LARGE = writing.format_file(antdoku.generate(4, 0.5, seed=1)).split()[-1]


@pytest.mark.parametrize("comment", ["# of May", "// 2024, No. 5", "# grids: 5"])
@pytest.mark.parametrize(
    "line", [EXAMPLE, EXAMPLE.replace(".", "_"), EXAMPLE.replace(".", "0"), LARGE]
)
def test_a_comment_that_has_lost_its_line_end_is_refused(comment, line, tmp_path):
    (tmp_path / "x").write_text(f"{comment}{line}\n{line}\n")
    for source in (tmp_path / "x", f"{comment}{line}\n{line}"):
        with pytest.raises(InputError, match=":1: a comment ends in a puzzle: is a line end lost"):
            read(source)
    errors = []
    assert len(read(tmp_path / "x", skip=errors.append)) == 1 == len(errors)
    (tmp_path / "x").write_text(f"{comment} {line}\n{line}\n")
    assert len(read(tmp_path / "x")) == 1  # it is a comment


def test_a_hash_is_the_blank_of_a_puzzle_with_a_field_behind():
    hashes = "#" + EXAMPLE[1:].replace(".", "#")
    for end in (" easy", ",easy", "\teasy", ""):
        first, second = puzzles_in(f"{hashes}{end}\n{hashes}{end}")
        assert first.givens.tolist() == second.givens.tolist() == [0, *VALUES[1:]]


def test_what_stands_in_quotes_is_no_transpose():
    rows = [f"AB.T{'.' * 21}", *["." * 25] * 24]
    for quotes in "'\"":
        text = ",\n".join(f"{quotes}{row}{quotes}" for row in rows)
        assert read(f"grid = [{text}]", symbols="A-Y")[0].n_givens == 3
        assert "transposed" in refusal(f"grid = np.array([{text}]).T", "A-Y")
