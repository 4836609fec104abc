"""From file to file: whatever the form, the answers are the ones of `solve`, in their order."""

import gzip
import io
import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import antdoku
from antdoku import api
from antdoku.cli import main, writing
from antdoku.puzzle import named
from antdoku.puzzle.writing import format_file
from antdoku.reading import formats, tables, texts
from antdoku.reading.cells import Options
from antdoku.reading.files import ending
from antdoku.reading.sources import read, read_parts

LINES = [puzzle.line for puzzle in named.puzzles("mantere_koljonen_46")]
UNSOLVABLE = "123456..." + "......789" + "." * 63  # three places of the first row, no value left


def set_batch(patch, rows):
    """Let parts of files have so many puzzles."""
    for module in (formats, tables, texts):
        patch.setattr(module, "BATCH", rows)


def solved(source, output, *options):
    """Exit status of the command."""
    return main(["solve", *map(str, [source, "-o", output, *options])])


def solutions_in(path):
    """Solutions that a file holds, in order; None for a puzzle in their place, or nothing."""
    if ending(path) == ".txt":
        text = (gzip.decompress if path.suffix == ".gz" else bytes)(path.read_bytes()).decode()
        solutions = [line if "." not in line else None for line in text.split()]
    else:
        cells = pd.read_csv(path, dtype=str)["solution"].astype(object)
        solutions = cells.where(cells.notna(), None)
    return list(solutions)


@pytest.mark.parametrize("ending", ["txt", "csv", "txt.gz", "csv.gz"])
@pytest.mark.parametrize("rows", [7, 10**4])
def test_every_form_holds_the_same(ending, rows, tmp_path, monkeypatch, capsys):
    set_batch(monkeypatch, rows)  # of one part, or of several
    lines = [*LINES[:20], UNSOLVABLE, *LINES[20:]]
    source, output, back = (tmp_path / name for name in ("in.txt", f"output.{ending}", "back.txt"))
    source.write_text("\n".join(lines))  # the last without an end
    assert solved(source, output) == 1, "one has no solution"
    grids = (antdoku.solve(line).solution for line in lines)
    expected = [None if grid is None else "".join(map(str, grid.ravel())) for grid in grids]
    assert solutions_in(output) == expected
    if not ending.startswith("txt"):
        assert solved(output, back) == 1
        assert back.read_text().split() == [text or UNSOLVABLE for text in solutions_in(output)]
    assert f"{output}: 47 puzzles: 46 solved, 1 exhausted\n" in capsys.readouterr().out


@pytest.mark.parametrize("options", [(), ("--unique",), ("--solver", "dlx")])
def test_tables_keep_the_names(options, tmp_path):
    names = ["plain", "two words", 'with, comma and "quotes"', "two\nlines", None]
    table = pd.DataFrame({"id": names, "puzzle": LINES[:5]})
    table.to_csv(tmp_path / "in.csv", index=False)
    table.to_parquet(tmp_path / "in.parquet")
    for source in ("in.csv", "in.parquet"):
        output = tmp_path / "out.csv"
        assert solved(tmp_path / source, output, "--force", *options) == 0
        solutions = pd.read_csv(output)
        assert solutions["name"].tolist() == [*names[:4], f"{tmp_path / source}: row 5"]
        assert solutions["puzzle"].tolist() == LINES[:5]
        again = antdoku.read(output)
        assert [puzzle.name for puzzle in again] == solutions["name"].tolist()


OTHER_LINES = [LINES[2].replace(".", "*"), f"name {LINES[0]} 3.5", f"{LINES[1]}\r"]
OTHER_LINES += ["# a comment", "", "Grid 7"]
GRID = "\n".join(LINES[3][at : at + 9] for at in range(0, 81, 9)) + "\n"


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    pieces=st.lists(st.sampled_from([*LINES[:3], *OTHER_LINES, GRID]), min_size=1),
    rows=st.integers(1, 5),
)
def test_plain_lines_and_others_are_read_as_by_the_reader_of_all_forms(pieces, rows, tmp_path):
    text = "\n".join(piece for part in pieces for piece in (part, *[""] * (part == GRID)))
    file = tmp_path / "in.txt"
    file.write_bytes(text.encode())
    try:
        expected = [puzzle.givens.tolist() for puzzle in read(file)]
    except antdoku.InputError as error:
        with pytest.raises(antdoku.InputError, match=f"^{re.escape(str(error))}$"):
            list(read_parts(str(file)))
        assert re.search("there is no puzzle in it|'Grid 7'.* is no puzzle", str(error))
        return
    grids = []
    with pytest.MonkeyPatch.context() as patch:
        set_batch(patch, rows)
        for part in read_parts(str(file)):
            grids += part.grids.tolist()
    assert grids == expected


ZEROS = [line.replace(".", "0") for line in LINES]
SHIFTED = LINES[0].translate(str.maketrans("123456789", "012345678"))  # in 0-8
PIECES = [*ZEROS[:3], LINES[3], ZEROS[4].replace("0", ".", 1), SHIFTED, ZEROS[5][:80], ""]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=4))
def test_spaces_between_the_cells_of_a_table_change_nothing(texts):
    outcomes = []
    for gap in ("", " "):
        table = pd.DataFrame({"puzzle": map(gap.join, texts)})
        try:
            outcomes.append(antdoku.read_grids(table).tolist())
        except antdoku.InputError as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_tables_that_write_has_written_are_read_at_once(ending, tmp_path, monkeypatch):
    puzzles = antdoku.generate(size=9, fixed=0.3, count=9, seed=1)
    file = tmp_path / f"x.{ending}"
    antdoku.write(puzzles, file)
    monkeypatch.setattr(tables, "cells_of_table", None)  # which reads one by one
    again = antdoku.read(file)
    assert again == puzzles and [puzzle.name for puzzle in again] == [p.name for p in puzzles]
    assert antdoku.read_grids(file).tolist() == [puzzle.givens.tolist() for puzzle in puzzles]


TWICE = "55" + "." * 79
OBJECTS = [f'{{"puzzle":"{line}"}}' for line in LINES[:3]]
BROKEN, TORN = OBJECTS[0][:40], "not JSON: Unterminated string starting at: column 11"


@pytest.mark.parametrize(
    "name, lines, message, n_solved",  # 0: --skip-bad does not help
    [
        ("in.txt", [LINES[5], LINES[0][:80], LINES[1]], "in.txt:2: 80 cells: a 9x9 puzzle has", 2),
        ("in.txt.gz", [LINES[5], TWICE], "in.txt.gz:2: r1c1 and r1c2: the row has the given", 1),
        ("in.csv", ["puzzle", TWICE, LINES[1]], "in.csv: row 1: r1c1 and r1c2: the row has the", 1),
        ("in.jsonl", [*OBJECTS, BROKEN], f"in.jsonl:4: {TORN}", 3),
        ("in.jsonl", [BROKEN, "", *OBJECTS], f"in.jsonl:1: {TORN}", 3),
        ("in.jsonl", [OBJECTS[0], "xx", OBJECTS[1]], "in.jsonl:2: not JSON: Expecting value", 2),
        ("in.txt", ["{1},", f"{{'{LINES[0]}'}}", f"{{'{TWICE}'}}"], "in.txt:3: r1c1 and r1c2", 1),
        ("in.json", ['{"puzzle":', BROKEN[10:]], "in.json: not JSON: Unterminated string", 0),
    ],
)
def test_a_bad_puzzle_is_told_with_its_place_and_nothing_is_written(
    name, lines, message, n_solved, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    data = "\n".join(lines).encode()
    Path(name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    assert solved(name, "out.txt") == 2
    err = capsys.readouterr().err
    has_hint = "; --skip-bad goes on after such lines\n" in err
    assert f"antdoku: error: {message}" in err and has_hint == (n_solved > 0)
    assert [path.name for path in Path().iterdir()] == [name]
    assert solved(name, "out.txt", "--skip-bad") == (1 if n_solved else 2)
    assert message in capsys.readouterr().err
    assert not n_solved or len(Path("out.txt").read_text().split()) == n_solved


@pytest.mark.parametrize("output", ["in.txt", "./in.txt", "soft.txt", "hard.txt"])
def test_what_is_read_is_never_overwritten(output, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    content = "\n".join(LINES)
    Path("in.txt").write_text(content)
    Path("soft.txt").symlink_to("in.txt")
    Path("hard.txt").hardlink_to("in.txt")
    assert solved("in.txt", output, "--force") == 2
    assert capfd.readouterr().err.endswith("in.txt: is read: name another file to write to\n")
    pd.DataFrame({"puzzle": LINES[:2]}).to_csv("table.csv")
    with pytest.raises(antdoku.InputError, match="is read: name another"):
        antdoku.compare("table.csv", "dlx", output="table.csv", force=True)
    with open("in.txt", "a") as stdout:
        command = [sys.executable, "-m", "antdoku", "solve", "-"]
        process = subprocess.run(
            command, stdin=open("in.txt"), stdout=stdout, stderr=subprocess.PIPE
        )
    assert process.returncode == 2 and b"standard input: is read: name another" in process.stderr
    assert Path("in.txt").read_text() == content


SKIPPED = {  # number of a line: its message
    3: "r1c1 and r1c2: the row has the given 5 twice",
    4: "80 cells: a 9x9 puzzle has",
    6: "r1c1: 'x' is not a cell",
    8: "1 cell: a 9x9 puzzle has",
    9: "a row of a grid that cannot be read",
    11: "1 row of 9 cells: a grid of order 3 has 9",
}
WITH_BAD_LINES = [
    *("# comment", LINES[0], "55" + "." * 79, LINES[1][:80], f"name {LINES[2]}", "x" + "." * 80),
    *("", "12", "3" + "." * 15, "", LINES[3][:9], LINES[4]),
]


@pytest.mark.parametrize("options", [(), ("--solver", "dlx"), ("--symbols", "1-9"), ("--json",)])
@pytest.mark.parametrize("source", ["in.txt", "-"])
def test_bad_lines_are_skipped_and_told(options, source, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = "\n".join(WITH_BAD_LINES)
    Path("in.txt").write_text(text)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(text.encode()))))
    assert main(["solve", source, "--skip-bad", *options]) == 1
    out, err = capsys.readouterr()
    values = (lambda line: json.loads(line)["solution"]) if "--json" in options else list
    solutions = [[*map(int, values(line))] for line in out.splitlines()]
    assert solutions == [antdoku.solve(LINES[at]).solution.ravel().tolist() for at in (0, 2, 4)]
    *lines, total = err.splitlines()
    printed = [re.fullmatch(r"antdoku: skipped: .*?:(\d+): (.*)", line) for line in lines]
    assert total == f"antdoku: lines skipped: {len(SKIPPED)}"
    assert sorted(int(line[1]) for line in printed) == sorted(SKIPPED)
    for line in printed:
        assert line[2].startswith(SKIPPED[int(line[1])])


def test_bad_rows_are_skipped_and_counted(tmp_path, capsys):
    source, output = tmp_path / "in.csv", tmp_path / "out.csv"
    pd.DataFrame({"puzzle": [LINES[0], "55" + "." * 79, "12", LINES[1]]}).to_csv(source)
    for options in ((), ("--symbols", "1-9", "--force")):
        assert solved(source, output, "--skip-bad", *options) == 1
        out, err = capsys.readouterr()
        assert "out.csv: 4 puzzles: 2 bad, 2 solved\n" in out and err.count("in.csv: row ") == 2
        assert pd.read_csv(output, dtype=str)["puzzle"].tolist() == LINES[:2]
    for command, n_bad in (("count", 2), ("check", 1)):  # a puzzle that is not valid is an answer
        assert main([command, str(source), "--skip-bad"]) == 1
        out, err = capsys.readouterr()
        assert err.count("antdoku: skipped: ") == n_bad
        assert out.count("in.csv: row ") == 4 - n_bad
    assert main(["check", str(source), str(output), "--skip-bad"]) == 1
    assert capsys.readouterr().out.count("yes, a solution") == 2
    assert main(["solve", str(tmp_path / "no.txt"), "--skip-bad"]) == 2
    capsys.readouterr()
    bad = tmp_path / "bad.txt"
    bad.write_text("12\n")
    assert main(["solve", str(bad), str(output), "--skip-bad"]) == 1
    out, err = capsys.readouterr()
    assert len(out.split()) == 2 and "skipped: " in err and "no puzzle in it" in err


def test_an_empty_solution_is_no_solution(tmp_path, capsys):
    (tmp_path / "in.txt").write_text(f"{UNSOLVABLE}\n")
    assert solved(tmp_path / "in.txt", tmp_path / "out.csv") == 1
    capsys.readouterr()
    assert main(["check", str(tmp_path / "out.csv")]) == 1
    assert capsys.readouterr().out == "no: the grid is missing or blank\n"


@pytest.mark.parametrize("options", [(), ("--solver", "dlx"), ("-o", "out.csv"), ("--json",)])
def test_several_solutions_are_told_if_asked(options, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    two = named.puzzles("sabuncu3")[0].line
    large = format_file(antdoku.generate(order=4, fixed=0.3, seed=1))
    Path("in.txt").write_text("\n".join([*LINES[:3], two, UNSOLVABLE, large]))
    assert main(["solve", "in.txt", "--unique", *options]) == 1
    printed = [line for line in capsys.readouterr().err.splitlines() if "several" in line]
    assert printed == [f"antdoku: in.txt:{n}: there are several solutions" for n in (4, 6)]
    if "-o" in options:
        cells = [row.rpartition(",")[2] for row in Path("out.csv").read_text().splitlines()]
        assert cells == ["unique", *["true"] * 3, "false", "", "false"]
    assert main(["solve", two]) == 0 and main(["solve", LINES[0], "--unique"]) == 0
    assert main(["solve", two, "--unique"]) == 1


@pytest.mark.parametrize("as_json", [False, True])
def test_a_pipe_is_answered_as_it_comes(as_json, tmp_path):
    pipe, may_end = tmp_path / "pipe", threading.Event()
    os.mkfifo(pipe)

    def write():
        with open(pipe, "w") as stream:
            print(LINES[0], file=stream, flush=True)
            may_end.wait()
            print(LINES[1], file=stream)
            print("no puzzle", file=stream)

    threading.Thread(target=write, daemon=True).start()
    request = api.checked_request("auto", {}, seed=1, timeout=None, max_steps=None)
    rows = writing.answers(writing.read([str(pipe)], Options()), request, False, as_json)
    assert next(rows).puzzles == LINES[:1]
    may_end.set()
    assert next(rows).puzzles == LINES[1:2]
    with pytest.raises(antdoku.InputError, match="pipe:3: "):
        next(rows)


@pytest.mark.parametrize("unique", [(), ("--unique",)])
def test_a_line_of_json_is_the_dict_of_a_result(unique, tmp_path, capsys):
    source = tmp_path / 'a "b".txt'
    source.write_text("\n".join([*LINES, UNSOLVABLE]))
    assert main(["solve", str(source), "--json", "--seed", "7", *unique]) == 1
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for row, result in zip(objects, antdoku.solve_all(source, seed=7), strict=True):
        expected = result.as_dict() | ({"unique": True if result else None} if unique else {})
        assert list(row) == list(expected)
        for key in expected.keys() - {"cpu_s", "wall_s"}:
            assert (unique and key == "steps") or row[key] == expected[key]


def test_puzzles_of_several_orders_and_another_solver(tmp_path):
    source, output = tmp_path / "in.txt", tmp_path / "out.csv"
    large = antdoku.generate(order=4, fixed=0.6, count=1, seed=1)
    small = antdoku.generate(order=2, fixed=0.5, count=2, seed=1)
    source.write_text(f"{LINES[0]}\n" + format_file([*large, *small]))
    texts = []
    for options in ((), ("--solver", "dlx")):
        assert solved(source, output, "--force", *options) == 0
        table = pd.read_csv(output, dtype=str)
        texts.append(table.values.tolist())
    lines = [LINES[0], *(puzzle.line for puzzle in [*large, *small])]
    assert table["puzzle"].tolist() == lines and texts[0][0] == texts[1][0]
    for line, solution in zip(lines, table["solution"]):
        assert antdoku.check(line, solution)


def test_lines_are_printed_as_they_are_written_to_a_file(tmp_path, capsysbinary):
    source, output = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_text("\n".join([*LINES[:5], UNSOLVABLE, *LINES[5:9]]))
    assert [solved(source, output) for _ in range(2)] == [1, 2], "it is there already"
    assert b"overwrite it with --force" in capsysbinary.readouterr().err
    assert main(["solve", str(source)]) == 1
    out, err = capsysbinary.readouterr()
    assert out == output.read_bytes()
    assert err.decode() == f"antdoku: {source}:6: there is no solution\n"


def test_rows_without_a_puzzle_are_skipped_as_in_other_tables(tmp_path):
    lines = LINES[:20]
    lines[3], lines[7], lines[8] = None, None, "11" + "." * 79
    table = pd.DataFrame({"id": range(20), "puzzle": lines, "level": "easy"})
    table.to_csv(tmp_path / "x.csv", index=False)
    for source in (table, tmp_path / "x.csv"):
        errors, others = [], []
        grids = antdoku.read_grids(source, skip=errors.append)
        assert (grids == antdoku.read_grids(source, symbols="1-9", skip=others.append)).all()
        assert sorted(map(str, errors)) == sorted(map(str, others)) and len(errors) == 3


@pytest.mark.parametrize("blank", ["0", ".", ""])
def test_columns_of_cells_hold_the_same_as_texts(blank, tmp_path):
    cells = [["id", *(f"c{at}" for at in range(81))]]
    cells += [[str(at), *(line.replace(".", "0"))] for at, line in enumerate(LINES)]
    text = "\n".join(
        map(
            ",".join,
            cells[:1]
            + [
                [row[0], *(blank if sign == "0" else sign for sign in row[1:])] for row in cells[1:]
            ],
        )
    )
    (tmp_path / "x.csv").write_text(text)
    assert (antdoku.read_grids(tmp_path / "x.csv") == antdoku.read_grids("\n".join(LINES))).all()
    (tmp_path / "x.csv").write_text(f"{text}\n46,10{text[text.rindex(chr(10)) + 5 :]}")
    with pytest.raises(antdoku.InputError, match="row 47: r1c1: '10' is not a cell"):
        antdoku.read_grids(tmp_path / "x.csv")
