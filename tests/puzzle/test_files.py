"""Files of puzzles: text and tables, and one line for those that cannot be read."""

import gzip
import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from conftest import format_archive
from pyarrow import parquet

from antdoku.errors import InputError
from antdoku.puzzle import forms, reading

EXAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
VALUES = [0 if sign == "." else int(sign) for sign in EXAMPLE]
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ROWS = "\n".join(EXAMPLE[at : at + 9] for at in range(0, 81, 9))
NESTED = [[value or None for value in VALUES[at : at + 9]] for at in range(0, 81, 9)]
SHEET = "".join(",".join(str(value or "") for value in row) + "\r\n" for row in NESTED)
SHARED = (
    *("api.json", "assignment.txt", "c_array.txt", "framed.ss", "latin1_comment.txt"),
    *("markdown_table.txt", "numpy_print.txt", "pandas_print.txt", "question_marks.txt"),
    *("quoted_lines.txt", "semicolon_header.csv", "separated_grids.txt"),
)
SAME_NAME = "two columns of puzzles have the same name"
TORN = gzip.compress(ROWS.encode(), mtime=0)[:-9]


def test_archive_files_read_and_write_to_the_byte(shared_data):
    found = sorted((shared_data / "lloyd_amos_archive_sample").glob("inst*.txt"))
    assert found
    for file in found:
        text = file.read_bytes().decode()
        (puzzle,) = reading.read_file(file)
        size, percent = file.stem.removeprefix("inst").split("x")[0], file.stem.split("_")[1]
        assert puzzle.size == int(size)
        assert abs(puzzle.fixed_fraction - int(percent) / 100) < 0.5 / puzzle.size
        assert format_archive(puzzle, text.split()[1]) == text


def test_files_of_windows_and_with_odd_names(tmp_path):
    file = tmp_path / "windows.txt"
    file.write_bytes(b"\xef\xbb\xbf" + f"{EXAMPLE}\r\n{EXAMPLE}".encode())
    assert [puzzle.name for puzzle in reading.read_file(file)] == [f"{file}:1", f"{file}:2"]
    (tmp_path / "a\nb.txt").write_text("123")
    with pytest.raises(InputError, match=r"b\.txt':1: 3 cells") as error:
        reading.read_file(tmp_path / "a\nb.txt")
    assert str(error.value).isprintable()


# --- Forms of others -----------------------------------------------------------------------------

SUDOCUE = f"#AA. Uthor\n#D A random puzzle \n#LEasy\n{ROWS}\n"
ROWS_1_2 = ["{}: row 1", "{}: row 2"]
SADMAN = f"[Puzzle]\n{ROWS}\n\n[State]\n{SOLUTION}\n[PencilMarks]\n12,3\n"


@pytest.mark.parametrize(
    ("name", "text", "names"),
    [
        ("x.sdk", SUDOCUE, ["A random puzzle"]),
        ("x.sdk", SADMAN, ["{}:2"]),
        ("x.sdk", f"#D\n#D \n{ROWS}", ["{}:3"]),
        ("x.sdk", SUDOCUE.replace("\n", "\r\n") + SADMAN, ["{}:4", "{}:14"]),
        ("x.txt", SUDOCUE, ["{}:4"]),
        ("x.sdm", f"{EXAMPLE}\n{EXAMPLE}\n", ["{}:1", "{}:2"]),
        ("x.txt", f"{EXAMPLE} 9.3\n{EXAMPLE};11.9;1.2 (a rating)\n", ["{}:1", "{}:2"]),
        ("x.txt", f"{EXAMPLE},{SOLUTION}\n{EXAMPLE}: hard\n", ["{}:1", "{}:2"]),
        ("x.txt", f"0000183b305c {EXAMPLE}  1.2\nsecond,{EXAMPLE}", ["0000183b305c", "second"]),
        ("x.csv", f"quizzes,solutions\n{EXAMPLE},{SOLUTION}\n", ["{}: row 1"]),
        ("x.csv", f"id,puzzle,solution,clues\n7,{EXAMPLE},{SOLUTION},30\n", ["7"]),
        ("x.jsonl", json.dumps({"name": "é", "puzzle": EXAMPLE}), ["é"]),
        ("x.json", json.dumps([EXAMPLE, EXAMPLE]), ["{}:1", "{}:2"]),
        ("x.json", json.dumps(VALUES), ["{}:1"]),
        ("x.json", json.dumps(NESTED, indent=1), ["{}:1"]),
        ("x.json", json.dumps([NESTED] * 2), ["{}:1", "{}:11"]),
        ("x.json", json.dumps([{"puzzle": each} for each in (NESTED, EXAMPLE)]), ROWS_1_2),
        ("x.csv", SHEET, ["{}:1"]),
        ("x.csv", f'puzzle,name\r\n"{ROWS}",a\r\n', ["a"]),
        ("x.csv", f"{SHEET}\r\n{SHEET}".replace(",", ";"), ["{}:1", "{}:11"]),
        ("x.txt", SHEET.replace(",", "\t"), ["{}:1"]),
        ("x.json", f'\n{{"puzzle": {VALUES}, "solution": null}}\r\n\n', ["{}: row 1"]),
    ],
)
@pytest.mark.parametrize("compressed", ["", ".gz"])
def test_forms_of_others(tmp_path, name, text, names, compressed):
    file = tmp_path / f"{name}{compressed}"
    file.write_bytes(gzip.compress(text.encode()) if compressed else text.encode())
    found = reading.read_file(file)
    assert [puzzle.givens.tolist() for puzzle in found] == [VALUES] * len(names)
    assert [puzzle.name for puzzle in found] == [each.format(file) for each in names]


@pytest.mark.parametrize("name", SHARED)
def test_shared_formats(shared_data, name):
    begins = ["53..7....6..", "..3.2.6..9.."][name == "separated_grids.txt"]
    first, *others = reading.read_file(shared_data.parent / "formats" / name)
    assert first.line.startswith(begins)
    assert [each.line[:9] for each in others] == ["2...8.3.."] * (name == "separated_grids.txt")


GRID = [[str(value) for value in VALUES[at : at + 9]] for at in range(0, 81, 9)]
DRAWN = "\n".join(
    "| " + " | ".join(" ".join(row[at : at + 3]).replace("0", " ") for at in (0, 3, 6)) + " |"
    for row in GRID
)
TEXTS = {
    "columns of boxes": DRAWN,
    "boxes of three signs": "\n".join(
        "|".join("".join(row[at : at + 3]).replace("0", " ") for at in (0, 3, 6)) for row in GRID
    ),
    "a frame of stars": f"*{'-' * 23}*\n{DRAWN}\n*{'-' * 23}*\n",
    "matlab": f"A = [{'; '.join(map(' '.join, GRID))}];",
    "r": f"matrix(c({','.join(map(','.join, GRID))}), nrow=9)",
    "c": "int g[9][9] = {" + ",".join(f"{{{','.join(row)}}}" for row in GRID) + "};",
    "tuples of None": repr(tuple(tuple(int(v) or None for v in row) for row in GRID)),
    "rows as texts": repr(["".join(row) for row in GRID]),
    "numpy, missing": repr(np.where(np.array(VALUES) == 0, np.nan, VALUES).reshape(9, 9)),
    "labels": "A B C D E F G H I\n"
    + "\n".join(f"{letter} {' '.join(row)}" for letter, row in zip("ABCDEFGHI", GRID)),
    "middle dots": "\n".join("".join(row).replace("0", "·") for row in GRID),
    "letters for blanks": EXAMPLE.replace(".", "x"),
    "quoted in prose": f"17: '{EXAMPLE}' (30 clues)",
    "json with a solution": json.dumps({"grids": [{"value": NESTED, "solution": NESTED}]}),
    "json with another key": json.dumps({"board": EXAMPLE, "id": 3}),
    "utf-16": EXAMPLE.encode("utf-16"),
}


@pytest.mark.parametrize("kind", TEXTS)
def test_grids_are_found_in_texts(tmp_path, kind):
    file = tmp_path / "x.txt"
    text = TEXTS[kind]
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    (puzzle,) = reading.read_file(file)
    assert puzzle.givens.tolist() == VALUES
    assert puzzle.line == EXAMPLE


def test_a_name_and_a_comment_stand_beside_puzzles_of_every_order_in_characters():
    for order, blank in ((3, "."), (4, "*"), (5, ".")):
        (puzzle,) = reading.text_puzzles(f"a-1 {blank * order**4} 3.5 # {'1' * 81}")
        assert (puzzle.order, puzzle.name) == (order, "a-1")


def test_where_solutions_stand_beside_puzzles_grids_are_these(tmp_path):
    values = [int(sign) for sign in SOLUTION]
    texts = {
        "x.csv": f"quizzes,solutions\n{EXAMPLE},{SOLUTION}\n",
        "y.csv": f"puzzle\n{SOLUTION}\n",
        "x.jsonl": json.dumps({"puzzle": EXAMPLE, "solution": values}),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        (grid,) = reading.read(tmp_path / name, column="solution")
        assert grid.givens.tolist() == values
    file, both = tmp_path / "x.parquet", {"puzzle": [EXAMPLE] * 2, "solution": [SOLUTION, None]}
    pd.DataFrame(both).to_parquet(file)
    found = reading.read(file, column="solution")
    # Without a solution, the puzzle: its blanks are what is wrong with it.
    assert [grid.givens.tolist() for grid in found] == [values, VALUES]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("empty.txt", b"", "there is no puzzle in it"),
        ("torn.txt.gz", TORN, "cannot be read: Compressed file ended"),
        ("no.csv.gz", b"\x1f\x8b123456789", "cannot be read: Unknown compression method"),
        ("state.sdk", f"[State]\n{ROWS}".encode(), "there is no puzzle in it"),
        ("torn.json", b'{"puzzle": "', "torn.json: not JSON: Unterminated string"),
        ("list.jsonl", b'{"puzzle": []}', "row 1: there is no puzzle in it"),
        ("deep.jsonl", b'{"puzzle":' + b"[" * 10**5, "deep.jsonl: not JSON: "),
        ("two.jsonl", f'{{"puzzle": "{EXAMPLE}"}}\n[]'.encode(), "row 2: must be a JSON object"),
        ("short.jsonl", b'{"puzzle": "1"}', "row 1: 1 cell: a 9x9 puzzle has"),
        ("other.json", b'{"a": 1}', "row 1: no text in a column 'puzzle'; columns: 'a'"),
        ("nul.txt", b"12\0", "a binary file"),
        ("latin.txt", b"abc\xe9", "cannot be read"),
        ("bad.parquet", b"PAR1", "cannot be read"),
        ("empty.csv", b"puzzle\n", "there is no puzzle in it"),
        ("other.csv", b"\na,b\n1,2\n", "no column 'puzzle': name the column"),
        ("bad.csv", b"puzzle\n123\n", "row 1: 3 cells"),
        ("long.csv", b"puzzle\n1,2\n", "rows have more cells than there are columns"),
        ("same.csv", f"puzzle,name,puzzle\n{EXAMPLE},a,{EXAMPLE}\n".encode(), SAME_NAME),
        ("short.csv", f"name,puzzle\na,{EXAMPLE}\nb,\n".encode(), "row 2: no text in a column"),
        ("two.csv", f'puzzle\n"{EXAMPLE}\n{EXAMPLE}"\n'.encode(), "row 1: 2 puzzles: a row holds"),
    ],
)
def test_bad_files(tmp_path, name, data, message):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=name) as error:
        reading.read_file(tmp_path / name)
    assert message in str(error.value)


@pytest.mark.parametrize("name", ["a\0b", "\ud800"], ids=["nul", "surrogate"])
@pytest.mark.parametrize("suffix", [".txt", ".csv", ".parquet"])
def test_names_that_no_file_can_have(name, suffix):
    with pytest.raises(InputError, match="cannot be read: ") as error:
        reading.read_file(name + suffix)
    assert str(error.value).isprintable()


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
def test_a_table_names_its_puzzles(tmp_path, ending):
    file, texts = tmp_path / f"x{ending}", [EXAMPLE, forms.format_integers(VALUES)] * 3
    frame = pd.DataFrame({"instance_id": list("abcdef"), "order": 3, "puzzle": texts})
    (frame.to_parquet if ending == ".parquet" else frame.to_csv)(file)
    found = reading.read_file(file)
    assert [puzzle.name for puzzle in found] == list("abcdef")
    assert [puzzle.givens.tolist() for puzzle in found] == [VALUES] * 6


NO_TEXT = "row 1: no text in a column 'puzzle'; columns: 'puzzle'"
HELD_BY_NO_PYTHON = (
    pa.array([2**30], "int32").cast(pa.date32()),
    pa.array([0]).cast(pa.timestamp("s", "Nowhere/X")),
    pa.array([b"\xff"]).view(pa.string()),
)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        *(({"puzzle": [EXAMPLE], "name": odd}, "cannot be read: ") for odd in HELD_BY_NO_PYTHON),
        *(({"puzzle": [puzzle]}, NO_TEXT) for puzzle in (1, None, b"1")),
        ({"a\nb": [1], "\u2028": [2]}, r"name the column of puzzles so; columns: 'a\nb', '\u2028'"),
    ],
)
def test_bad_tables(tmp_path, columns, message):
    parquet.write_table(pa.table(columns), tmp_path / "x.parquet")
    with pytest.raises(InputError, match=r"x\.parquet: ") as error:
        reading.read_file(tmp_path / "x.parquet")
    assert message in str(error.value)
    assert str(error.value).isprintable()


def test_a_torn_table(tmp_path):
    file = tmp_path / "x.parquet"
    pd.DataFrame({"puzzle": [EXAMPLE] * 100}).to_parquet(file)
    whole = file.read_bytes()
    for length in range(0, len(whole), 50):
        file.write_bytes(whole[:length])
        with pytest.raises(InputError, match="cannot be read: "):
            reading.read_file(file)
