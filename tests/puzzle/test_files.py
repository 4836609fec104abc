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
from antdoku.puzzle.reading import read

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
FAILING = {
    "01_zero_to_eight.json": "may be in 1-9 or 0-8; say which: --symbols",
    "02_index_and_81_cells.csv": "82 cells",
    "02d_index_and_81_cells_wrong_solution.csv": "82 cells",
    "03_last_row_too_short.sdk": "r9c9: an empty cell beside other blanks",
    "04_letter_beside_zeros.txt": "r1c2: 'l' is not a cell",
    "05_question_answer.jsonl": None,
    "14_hash_is_the_blank.ipuz": None,
}
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

OBJECT = {"puzzle": VALUES, "solution": None}


@pytest.mark.parametrize(
    ("name", "text", "names"),
    [
        ("x.sdm", f"{EXAMPLE}\n{EXAMPLE}\n", ["{}:1", "{}:2"]),
        ("x.txt", f"{EXAMPLE} 9.3\n{EXAMPLE};11.9;1.2 (a rating)\n", ["{}:1", "{}:2"]),
        ("x.txt", f"{EXAMPLE},{SOLUTION}\n{EXAMPLE}: hard\n", ["{}:1", "{}:2"]),
        ("x.csv", f"quizzes,solutions\n{EXAMPLE},{SOLUTION}\n", ["{}: row 1"]),
        ("x.csv", f"# Kaggle\n\nid,PUZZLE,solution,clues\n7,{EXAMPLE},{SOLUTION},30\n", ["7"]),
        ("x.csv", f'puzzle,name\r\n"{ROWS}",a\r\n', ["a"]),
        ("x.txt", f"name;puzzle\na;{EXAMPLE}\n", ["a"]),
        ("x.csv", SHEET, ["{}:1"]),
        ("x.csv", f"{SHEET}\r\n{SHEET}".replace(",", ";"), ["{}:1", "{}:11"]),
        ("x.txt", SHEET.replace(",", "\t"), ["{}:1"]),
        ("x.jsonl", json.dumps({"name": "é", "puzzle": EXAMPLE}), ["é"]),
        ("x.jsonl", f"\n{json.dumps(OBJECT)}\n\n{json.dumps(OBJECT)}\n", ["{}:2", "{}:4"]),
        ("x.json", json.dumps([EXAMPLE, EXAMPLE]), ["{}:1", "{}:2"]),
        ("x.json", json.dumps(VALUES), ["{}:1"]),
        ("x.json", json.dumps(NESTED, indent=1), ["{}:1"]),
        ("x.json", json.dumps([NESTED] * 2), ["{}:1", "{}:10"]),
        ("x.json", json.dumps([OBJECT, {"id": 3, "board": EXAMPLE}]), ["{}: row 1", "3"]),
        ("x.json", json.dumps({"grids": [{"value": NESTED, "solution": NESTED}]}), ["{}: row 1"]),
        ("x.txt", "\ufeff" + EXAMPLE, ["{}:1"]),
    ],
)
@pytest.mark.parametrize("compressed", ["", ".gz"])
def test_forms_of_others(tmp_path, name, text, names, compressed):
    file = tmp_path / f"{name}{compressed}"
    file.write_bytes(gzip.compress(text.encode()) if compressed else text.encode())
    found = reading.read_file(file)
    assert [puzzle.givens.tolist() for puzzle in found] == [VALUES] * len(names)
    assert [puzzle.name for puzzle in found] == [each.format(file) for each in names]


@pytest.mark.parametrize("text", [EXAMPLE, f"puzzle,level\n{EXAMPLE},1\n", json.dumps(NESTED)])
def test_utf_16(tmp_path, text):
    (tmp_path / "x.csv").write_bytes(text.encode("utf-16"))
    assert reading.read_file(tmp_path / "x.csv")[0].givens.tolist() == VALUES


def test_arrays_of_numpy(tmp_path):
    np.save(tmp_path / "x.npy", [VALUES] * 3)
    assert [puzzle.givens.tolist() for puzzle in read(tmp_path / "x.npy")] == [VALUES] * 3
    np.save(tmp_path / "x.npy", np.array([None]), allow_pickle=True)
    with pytest.raises(InputError, match="cannot be read: Object arrays"):
        read(tmp_path / "x.npy")


@pytest.mark.parametrize("name", SHARED)
def test_shared_formats(shared_data, name):
    begins = ["53..7....6..", "..3.2.6..9.."][name == "separated_grids.txt"]
    first, *others = reading.read_file(shared_data.parent / "formats" / name)
    assert first.line.startswith(begins)
    assert [each.line[:9] for each in others] == ["2...8.3.."] * (name == "separated_grids.txt")


@pytest.mark.parametrize("name", [*FAILING])
def test_shared_failing(shared_data, name):
    file = shared_data.parent / "failing" / name
    if FAILING[name] is None:
        (puzzle,) = reading.read_file(file)
        assert puzzle.line == EXAMPLE
        return
    with pytest.raises(InputError, match=FAILING[name]):
        reading.read_file(file)


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
        (
            "two.jsonl",
            f'{{"puzzle": "{EXAMPLE}"}}\n[]'.encode(),
            "two.jsonl:2: must be a JSON object",
        ),
        ("short.jsonl", b'{"puzzle": "1"}', "row 1: 1 cell: a 9x9 puzzle has"),
        (
            "other.json",
            b'{"a": 1}',
            "row 1: no puzzle in it: name the puzzle 'puzzle'; columns: 'a'",
        ),
        ("nul.txt", b"12\0", "a binary file"),
        ("latin.txt", b"abc\xe9", "cannot be read"),
        ("bad.parquet", b"PAR1", "cannot be read"),
        ("empty.csv", b"puzzle\n", "there is no puzzle in it"),
        ("other.csv", b"\nid,grid\n1,2\n", "no column 'puzzle': name the column"),
        ("bad.csv", b"puzzle\n123\n", "row 1: 3 cells"),
        ("long.csv", b"puzzle\n1,2\n", "row 1: 2 cells in a row, and 1 columns"),
        ("x.xml", b"<?xml?>", "XML is not read: allowed are text, JSON, .csv"),
        ("torn.npy", b"\x93NUMPY", "cannot be read: "),
        ("same.csv", f"puzzle,name,puzzle\n{EXAMPLE},a,{EXAMPLE}\n".encode(), SAME_NAME),
        (
            "short.csv",
            f"name,puzzle\na,{EXAMPLE}\nb,\n".encode(),
            "row 2: no puzzle in it: name the puzzle",
        ),
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


NO_TEXT = "row 1: no puzzle in it: name the puzzle 'puzzle'; columns: 'puzzle'"
HELD_BY_NO_PYTHON = (
    pa.array([2**30], "int32").cast(pa.date32()),
    pa.array([0]).cast(pa.timestamp("s", "Nowhere/X")),
    pa.array([b"\xff"]).view(pa.string()),
)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        *(({"puzzle": [EXAMPLE], "name": odd}, "cannot be read: ") for odd in HELD_BY_NO_PYTHON),
        ({"puzzle": [None]}, NO_TEXT),
        ({"puzzle": [1]}, "row 1: int: a puzzle must be a text or a list of cells"),
        ({"puzzle": [b"1"]}, "row 1: bytes: a puzzle must be a text or a list of cells"),
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
