"""The command line: what a user types, what comes out, and one line when it is wrong."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
from conftest import random_table
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from antdoku import api, cli
from antdoku.columns import RUN_COLUMNS
from antdoku.instances import random
from antdoku.kernels import compilation
from antdoku.puzzle import named, writing
from antdoku.puzzle.grid import is_solution, root_grid
from antdoku.puzzle.symbols import symbols_of
from antdoku.reading.sources import read
from antdoku.runs import job
from antdoku.tables import read_runs

EXAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
NO_SOLUTION = "12345678." + "." * 17 + "9" + "." * 54
# Not solvable, but propagation does not find out.
HARD = "12...7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
JSON_KEYS = [
    *("name", "puzzle", "symbols", "order", "solver", "params", "seed", "status", "solution"),
    *("steps", "cpu_s", "wall_s", "trivial", "message"),
]
PROGRAM = [sys.executable, "-m", "antdoku"]


@pytest.fixture()
def antdoku(capsys, monkeypatch):
    """Run a command in this process: status, output, complaint."""

    def call(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin))))
        status = cli.main([str(argument) for argument in arguments])
        return status, *capsys.readouterr()

    return call


def program(*arguments, **options):
    """Start a command as a process of its own."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.Popen([*PROGRAM, *map(str, arguments)], **pipes)


def is_one_complaint(text):
    return text.startswith("antdoku: error: ") and text.count("\n") == 1 and text[:-1].isprintable()


def on_a_terminal(*arguments, **options):
    """What a command prints on a terminal, which takes at most a buffer of it."""
    ours, theirs = os.openpty()
    process = program(*arguments, stdout=theirs, stderr=theirs, **options)
    os.close(theirs)
    assert process.wait() == 0
    printed = b""
    with suppress(OSError):  # the end of a terminal
        while part := os.read(ours, 10_000):
            printed += part
    os.close(ours)
    return printed.decode()


def interrupted_at(number, function):
    """`function`, which is interrupted when it is called for the time `number`, from 1."""
    calls = iter(range(1, number + 1))

    def call(*arguments):
        if next(calls) == number:
            raise KeyboardInterrupt
        return function(*arguments)

    return call


# --- solve ---------------------------------------------------------------------------------------


def test_solve_json(antdoku):
    status, out, err = antdoku(
        *("solve", EXAMPLE, "named:sabuncu1", "--json"),
        *("--solver", "acs", "--param", "m=3", "--seed", 7),
    )
    assert (status, err) == (0, "")
    first, second = map(json.loads, out.splitlines())
    assert list(first) == JSON_KEYS
    assert (first["puzzle"], first["solution"], first["symbols"]) == (EXAMPLE, SOLUTION, "1-9")
    assert [first[key] for key in ("order", "solver", "seed")] == [3, "acs", 7]
    assert (first["status"], first["params"]["m"], first["trivial"]) == ("solved", 3, True)
    assert (first["name"], second["name"]) == ("puzzle 1", "sabuncu1")
    assert is_solution(*named.puzzles("sabuncu1"), [*map(int, second["solution"])])


@pytest.mark.parametrize("form", ["--draw", "--lines", "--json"])
def test_what_solve_prints_can_be_read_again(antdoku, tmp_path, form):
    status, out, _ = antdoku("solve", "named:soto", NO_SOLUTION, "--solver", "bs", form)
    assert status == 1 and len(out.splitlines()) == 10 * (15 if form == "--draw" else 1)
    (tmp_path / "solved.jsonl").write_text(out)
    puzzles = writing.format_file([*named.puzzles("soto"), *read(NO_SOLUTION)])
    status, checked, _ = antdoku("check", "-", tmp_path / "solved.jsonl", stdin=puzzles.encode())
    *lines, last = checked.splitlines()
    flaw = "the grid is missing or blank" if form == "--json" else "r1c9 is blank"
    assert status == 1 and last.endswith(f": no: {flaw}")
    assert len(lines) == 9 and all(line.endswith(": yes, a solution") for line in lines)


def test_names_that_two_files_have_are_said_once(antdoku, tmp_path):
    table = f"id,puzzle\n1,{EXAMPLE}\n2,{EXAMPLE}\n"
    files = [tmp_path / name for name in ("a.csv", "b.csv")]
    for file in files:
        file.write_text(table)
    text = "antdoku: 1: puzzles of two files have this name\n"
    assert antdoku("count", *files)[1:] == ("1: 1\n2: 1\n" * 2, text)
    assert antdoku("solve", *files)[2] == text
    files[1].write_text(table.replace("\n1", "\n3").replace("\n2", "\n4"))
    assert antdoku("solve", *files)[2] == antdoku("solve", files[0])[2] == ""


def test_solve_is_a_filter_that_keeps_the_symbols(antdoku, tmp_path):
    grid = root_grid(4).ravel()
    for name in ("1-G", "0-F", "A-P", "0-15"):
        symbols = symbols_of(name)
        lines = [symbols.line(grid * (np.arange(256) % 7 != rest)) for rest in range(2)]
        stdin = "\n".join(lines).encode()
        named = ("--symbols", name) if symbols.has_zero else ()
        status, out, err = antdoku("solve", "-", *named, stdin=stdin)
        assert (status, err) == (0, "")
        if named:  # 0 stands beside a dot
            assert antdoku("solve", "-", stdin=stdin)[:2] == (2, "")
        solutions = read(out)
        assert [str(solution.symbols) for solution in solutions] == [name] * 2
        assert [solution.n_givens for solution in solutions] == [256] * 2
    one_given = symbols_of("1-G").line(grid * (np.arange(256) == 0))
    for command in (["run", "-o", tmp_path / "runs.csv"], ["solve"]):
        status, out, err = antdoku(*command, one_given)
        assert (status, out) == (2, "") and is_one_complaint(err) and "--symbols" in err
        status, out, _ = antdoku(*command, one_given, "--symbols", "0-F")
        assert status == 0
    assert {*out.strip()} == {*"0123456789ABCDEF"}


def test_not_all_solved_is_status_1(antdoku):
    status, out, _ = antdoku("solve", NO_SOLUTION, EXAMPLE, "--solver", "bs", "--json")
    results = [json.loads(line) for line in out.splitlines()]
    assert status == 1 and [result["status"] for result in results] == ["exhausted", "solved"]
    assert results[0]["solution"] is None
    assert antdoku("solve", HARD, "--max-steps", 3, "--json")[0] == 1
    status, out, err = antdoku("solve", NO_SOLUTION)
    assert (status, out) == (1, f"{NO_SOLUTION}\n") and "puzzle 1: there is no solution" in err
    assert "not solved" in antdoku("solve", HARD, "--solver", "acs", "--timeout", 0.05, "--draw")[1]


# --- generate, run -------------------------------------------------------------------------------


def test_generate(antdoku, tmp_path):
    file = tmp_path / "made.csv"
    request = ["--order", 5, "--fixed", 0.5, "--count", 16, "--seed", 3]
    assert antdoku("generate", *request, "-o", file) == (0, f"{file}: 16 puzzles\n", "")
    givens = [puzzle.givens.tolist() for puzzle in read(file)]
    assert [sum(map(bool, cells)) for cells in givens] == [313] * 16
    assert os.listdir(tmp_path) == [file.name]
    lines = antdoku("generate", *request)[1]
    assert [puzzle.givens.tolist() for puzzle in read(lines)] == givens
    request = ["--order", 2, "--fixed", 0.5, "-o", file]
    status, _, err = antdoku("generate", *request)
    assert status == 2 and "is there already: name another, or overwrite it with --force" in err
    assert antdoku("generate", *request, "--force")[0] == 0


def test_minimal_puzzles_are_drawn(antdoku):
    request = ["generate", "--size", 9, "--clues", 24, "--minimal", "--seed", 2]
    status, drawn, err = antdoku(*request, "--draw")
    assert (status, err) == (0, "") and drawn.startswith("┌───────┬")
    (puzzle,) = read(drawn)
    assert writing.format_file([puzzle]) == antdoku(*request)[1]
    assert puzzle.n_givens == 24
    assert antdoku("check", "-", stdin=drawn.encode())[:2] == (0, "valid, unique, minimal\n")
    status, out, err = antdoku(*request[:4], 40, "--minimal")
    assert (status, out) == (2, "") and is_one_complaint(err)
    assert "; ask for a number that was reached" in err


def test_size_and_order_are_told_apart(antdoku):
    request = ["--fixed", 0.5, "--base", "root"]
    status, out, err = antdoku("generate", "--order", 9, *request, "--count", 2)
    assert status == 0 and [puzzle.size for puzzle in read(out)] == [81, 81]
    assert err == "antdoku: order 9 is 81x81; 9x9 is order 3, or --size 9\n"
    status, out, err = antdoku("generate", "--size", 9, *request)
    assert (status, len(out), err) == (0, 82, "")
    for order, clues in ((2, 5), (3, 0), (3, 81), (4, 97), (5, 281)):
        out = antdoku("generate", "--order", order, "--clues", clues, "--base", "root")[1]
        cells = out.split() if " " in out else out.strip()
        assert len(cells) - sum(cell in ("0", ".") for cell in cells) == clues


def test_puzzles_are_printed_as_soon_as_they_are_made(antdoku, monkeypatch, tmp_path):
    command = ["generate", "--order", 2, "--fixed", 0.5, "--count", 9]
    complete = antdoku(*command)[1]
    for output in ([], ["-o", tmp_path / "x.txt"]):
        with monkeypatch.context() as patch:
            patch.setattr(random, "delete", interrupted_at(5, random.delete))
            status, out, err = antdoku(*command, *output)
        assert (status, err) == (130, "antdoku: error: interrupted\n")
        assert complete.startswith(out) and len(out.split()) == (0 if output else 4)
    assert os.listdir(tmp_path) == []


@pytest.fixture()
def family(antdoku, tmp_path):
    file = tmp_path / "family.csv"
    antdoku("generate", "--order", 3, "--fixed", 0.4, "--count", 4, "-o", file)
    return file


def test_parameters_are_compared_from_one_line(antdoku, tmp_path, family, monkeypatch):
    monkeypatch.chdir(tmp_path)
    two = "-s", "acs:f_bve=0", "-s", "acs"
    status, out, err = antdoku("compare", family, *two, "--max-steps", 9)
    assert (status, err) == (0, "") and out.startswith("family_acs-f_bve-0_acs.parquet: 8 runs")
    table = read_runs("family_acs-f_bve-0_acs.parquet", RUN_COLUMNS)
    labels = dict(table[["variant", "label"]].to_numpy())
    assert labels == {"acs": "ACS", "acs:f_bve=0": "ACS, f_bve=0.0"}
    assert antdoku("compare", family, "-s", "acs:m=2", "-s", "acs:m=2")[0] == 2
    _, out, _ = antdoku("solve", EXAMPLE, "-s", "acs:m=3,q0=0.8", "--json")
    assert json.loads(out)["params"]["m"] == 3
    assert antdoku("run", family, "-s", "acs:m=3", "--max-steps", 9, "-o", "run.csv")[0] == 0
    assert "ACS, m=3" in set(read_runs("run.csv", RUN_COLUMNS)["label"])
    status, out, err = antdoku("solve", EXAMPLE, "-s", "acs:m=")
    assert (status, out) == (2, "") and "'m=' is not NAME=VALUE" in err


def test_run_and_resume(antdoku, tmp_path, monkeypatch, family):
    runs, journal = tmp_path / "runs.parquet", tmp_path / "runs.parquet.journal"
    command = ["run", family, "--solver", "dlx", "--repetitions", 2, "-o", runs]
    with monkeypatch.context() as patch:
        patch.setattr(job, "_row", interrupted_at(3, job._row))
        status, out, err = antdoku(*command)
    assert (status, out, err) == (130, "", "antdoku: error: interrupted\n")
    lines = journal.read_text()
    assert lines.count("\n") == 2
    status, out, err = antdoku(*command)
    assert (status, err) == (0, "")
    ended, titles, ranking = out.splitlines()
    assert ended == f"{runs}: 8 runs: 8 solved"
    assert titles.startswith("solver  solved ") and ranking.startswith("DLX     8 of 8 (")
    assert not journal.exists()
    table = pd.read_parquet(runs)
    assert sum(seconds in lines for seconds in table["cpu_s"].astype(str)) == 2  # as they were
    assert {*table["family"]} == {"family"} and {*table["order"]} == {3}


def test_a_file_of_runs_is_only_overwritten_by_force(antdoku, tmp_path, family):
    runs = tmp_path / "runs.csv"
    command = ["run", family, "--solver", "dlx", "-o", runs]
    assert antdoku(*command)[0] == 0
    before = runs.read_bytes()
    assert antdoku(*command)[:2] == antdoku(*command)[:2]  # the finished runs are shown again
    status, out, err = antdoku(*command, "--seed", 2)
    assert (status, out) == (2, "") and is_one_complaint(err)
    assert "runs.csv: is there already" in err and runs.read_bytes() == before
    family.write_text(family.read_text().replace(",9 ", ",8 "))
    assert antdoku(*command, "--repetitions", 2, "--force")[1].startswith(f"{runs}: 8 runs")


def test_several_files_are_compared_without_their_bad_lines(antdoku, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, lines in (("a.txt", [EXAMPLE, "xx"]), ("b.txt", [HARD])):
        (tmp_path / name).write_text("\n".join(lines))
    command = ["compare", "a.txt", "b.txt", "-s", "dlx", "--max-steps", 500]
    status, out, err = antdoku(*command)
    assert (status, out) == (2, "") and "a.txt:2: 2 cells" in err and "--skip-bad" in err
    status, out, err = antdoku(*command, "--skip-bad")
    assert status == 1 and out.startswith("a-and-1_dlx.parquet: 2 runs: ")
    assert err.splitlines()[-1] == "antdoku: lines skipped: 1"
    status, out, err = antdoku(*command, "--skip-bad", "--json", "-q", "-o", "again.csv")
    assert (status, err) == (1, "") and json.loads(out)["n"] == 2
    out = antdoku(*command, "--skip-bad", "-o", "-", "-q")[1]
    table = pd.read_csv(io.StringIO(out))
    assert table["instance_id"].tolist() == ["a.txt:1", "b.txt:1"]
    assert table["family"].tolist() == ["a", "b"]


@pytest.mark.parametrize("text", ["id,puzzle\n1,{0}\n2,{0}\n1,{0}\n", "1 {0}\n1 {0}\n"])
@pytest.mark.parametrize("command", ["solve", "count", "check"])
def test_a_name_twice_in_a_file_is_noted(antdoku, tmp_path, text, command):
    (tmp_path / "a.csv").write_text(text.format(EXAMPLE))
    status, _, err = antdoku(command, tmp_path / "a.csv")
    assert (status, err.count("antdoku: 1: two puzzles have this name\n")) == (0, 1)


def test_lines_that_are_skipped_are_counted_without_the_file(antdoku, tmp_path):
    (tmp_path / "a.txt").write_text("5x\nhello 1\n")
    status, _, err = antdoku("solve", tmp_path / "a.txt", "--skip-bad")
    assert (status, err.count(": skipped: ")) == (1, 3) and "there is no puzzle in it" in err
    assert err.splitlines()[-1] == "antdoku: lines skipped: 2"


def test_equal_puzzles_of_a_comparison_are_noted(antdoku, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text(f"{EXAMPLE}\n{EXAMPLE}\n")
    command = ["compare", "a.txt", "-s", "dlx", "--max-steps", 500, "-o"]
    note = "antdoku: a.txt:1 and a.txt:2 are the same puzzle (1 different of 2 puzzles); "
    assert antdoku(*command, "a.csv")[2].count(note) == 1
    assert "same puzzle" not in antdoku(*command, "b.csv", "-q")[2]


def test_a_drawn_seed_is_printed_and_stands_in_the_names(antdoku, tmp_path):
    request = ["generate", "--size", 4, "--clues", 6, "--count", 2, "--json"]
    _, out, err = antdoku(*request, "--seed", "random")
    seed = int(err.removeprefix("antdoku: seed "))
    names = [json.loads(line)["instance_id"] for line in out.splitlines()]
    assert names == [f"order2-6clues-seed{seed}-{number:03d}" for number in range(2)]
    assert all(next(iter(json.loads(line))) == "instance_id" for line in out.splitlines())
    assert antdoku(*request, "--seed", seed) == (0, out, "")
    for command in (["solve", "named:sabuncu1"], ["solve", "named:sabuncu1", "-s", "acs"]):
        _, out, err = antdoku(*command, "--json", "--seed", "random")
        assert err == f"antdoku: seed {json.loads(out)['seed']}\n"


def test_a_quiet_command_prints_no_notes(antdoku, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text(f"{EXAMPLE}\n{HARD}\n")
    commands = [[command, "a.txt"] for command in ("solve", "count", "check")]
    commands += [["generate", "--order", 2, "--fixed", 0.5]]
    for number, command in enumerate(commands):
        assert antdoku(*command, "-q", "-o", f"{number}.csv")[1:] == ("", "")
        assert antdoku(*command, "-o", f"loud{number}.csv")[1].startswith(f"loud{number}.csv: ")
    assert not antdoku("compare", "a.txt", "-s", "dlx", "-q")[1].startswith("a_dlx.parquet")


def test_solvers_are_compared_in_one_line(antdoku, tmp_path, monkeypatch, family):
    monkeypatch.chdir(tmp_path)
    code = "from antdoku.solver import *\ndef solve(*_):\n    return Outcome(TIMEOUT, None, 1)\n"
    (tmp_path / "mine.py").write_text(code)
    command = ["compare", family, "-s", "dlx", "-s", "bs", "-s", "./mine.py", "--timeout", 1]
    status, out, err = antdoku(*command, "--seeds", 2, "--figure", "curves.svg")
    assert (status, err) == (0, "")
    ended, _, *ranking = out.splitlines()
    assert ended == "family_dlx_bs_mine.parquet: 24 runs: 16 solved, 8 timeout"
    assert {line.split()[0] for line in ranking[:2]} == {"DLX", "BS"}
    cells = re.split(r"  +", ranking[2])
    assert cells[:2] == ["mine", "0 of 8 (0% - 49%)"] and cells[-2] == "0 : 4"
    assert cells[-1] == "undecided: too few to tell"
    assert "<svg" in (tmp_path / "curves.svg").read_text()
    assert "two solvers are called dlx" in antdoku("compare", family, "-s", "dlx", "-s", "dlx")[2]


# --- count, check, solvers -----------------------------------------------------------------------


def test_counts_are_exact_up_to_a_limit_and_a_time(antdoku):
    assert antdoku("count", "named:sabuncu3")[:2] == (0, "27\n")
    assert antdoku("count", NO_SOLUTION)[:2] == (0, "0\n")
    assert antdoku("count", "." * 81, "--limit", 10)[:2] == (0, "at least 10\n")
    assert antdoku("count", EXAMPLE, NO_SOLUTION)[1].splitlines() == ["puzzle 1: 1", "puzzle 2: 0"]
    status, out, _ = antdoku("count", "." * 256, "--limit", 10**12, "--timeout", 0.2)
    assert status == 1 and out.startswith("at least ") and out.endswith(" (time is up)\n")


def test_solutions_are_listed_up_to_a_limit(antdoku):
    puzzle, *_ = named.puzzles("sabuncu3")
    *lines, number = antdoku("count", "named:sabuncu3", "--list")[1].splitlines()
    assert number == "# 27" and len({*lines}) == 27
    assert all(is_solution(puzzle, [*map(int, line)]) for line in lines)
    status, out, _ = antdoku("count", "named:sabuncu3", "--list", "--limit", 3)
    assert (status, out.splitlines()) == (0, [*lines[:3], "# at least 3"])
    status, out, _ = antdoku("count", "." * 16, "--list", "--limit", 400)
    assert len(read(out)) == 288 and out.endswith("# 288\n")
    assert antdoku("count", NO_SOLUTION, SOLUTION, "--list")[1].splitlines() == [
        *("# puzzle 1: 0", SOLUTION, "# puzzle 2: 1")
    ]


def test_count_and_check_as_json(antdoku):
    status, out, _ = antdoku("count", "named:sabuncu3", NO_SOLUTION, "--json")
    first, second = map(json.loads, out.splitlines())
    assert status == 0 and len(first["puzzle"]) == 81
    assert [first[key] for key in ("name", "count", "is_exact")] == ["sabuncu3", 27, True]
    assert (second["name"], second["count"], second["in_time"]) == ("puzzle 2", 0, True)
    listed = json.loads(antdoku("count", EXAMPLE, "--json", "--list")[1])
    assert listed["solutions"] == [SOLUTION]
    answer = json.loads(antdoku("check", EXAMPLE, SOLUTION, "--json")[1])
    assert (answer["correct"], answer["flaw"]) == (True, None)
    answer = json.loads(antdoku("check", "named:platinumblond", "--json")[1])
    assert [answer[key] for key in ("valid", "unique", "minimal")] == [True, True, True]


@pytest.mark.parametrize(
    "words, last, completed",
    [
        ("antdoku check-", 1, "plain,check-solver\n"),
        ("antdoku solve -s ac3_", 3, "plain,ac3_cuckoo\nplain,ac3_tabu\n"),
        ("antdoku compare x.txt -s dlx -s tabu", 6, "plain,tabu_col\n"),
        ("antdoku solve na", 2, "plain,named:\n"),
        ("antdoku solve named:plat", 2, "plain,named:platinumblond\n"),
        ("antdoku run named : plat", 4, "plain,platinumblond\n"),  # as bash splits it
        ("antdoku check named : plat", 4, "plain,platinumblond\n"),
        ("antdoku check x.txt named:plat", 3, "plain,named:platinumblond\n"),
        ("antdoku solve puzzles.t", 2, "file,puzzles.t\n"),
    ],
)
def test_a_shell_completes_commands_solvers_and_puzzles(
    antdoku, monkeypatch, words, last, completed
):
    monkeypatch.setenv("COMP_CWORD", str(last))
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("_ANTDOKU_COMPLETE", "bash_complete")
    assert antdoku() == (0, completed, "")


def test_answers_are_written_in_all_forms(antdoku, tmp_path):
    rows = f'id,puzzle\na,{EXAMPLE}\n"b, c",{NO_SOLUTION}\n'
    (tmp_path / "in.csv").write_text(rows)
    for command, column in (("solve", "status"), ("count", "count"), ("check", "unique")):
        tables = []
        for ending in ("csv", "csv.gz", "CSV.GZ", "parquet", "json", "jsonl.gz"):
            output = tmp_path / f"{command}.{ending}"
            status, out, err = antdoku(command, tmp_path / "in.csv", "-o", output)
            assert (status, err) == (0 if command == "count" else 1, "")
            assert out.startswith(f"{output}: 2 puzzles")
            options = {"lines": True} if "json" in ending else {}
            form = ending.lower().removesuffix(".gz").removesuffix("l")
            read = getattr(pd, f"read_{form}")
            tables.append(read(output, **options)[["name", "puzzle", column]].to_dict("list"))
        assert tables == [tables[0]] * 6
        assert tables[0]["name"] == ["a", "b, c"] and tables[0]["puzzle"] == [EXAMPLE, NO_SOLUTION]
        lines = antdoku(command, tmp_path / "in.csv", "-q", "-o", "-")
        assert lines[1] == antdoku(command, tmp_path / "in.csv")[1] and lines[2] == ""
        assert antdoku(command, tmp_path / "in.csv", "-o", tmp_path / f"{command}.txt")[1]
        assert (tmp_path / f"{command}.txt").read_text() == lines[1]


@pytest.mark.parametrize("suffix", ["csv", "json", "txt"])
def test_solutions_beside_puzzles_are_checked(antdoku, tmp_path, suffix):
    wrong = SOLUTION[:-1] + "1"
    header, line = {"csv": ("puzzle,solution\n", "{},{}\n"), "txt": ("", "{} {}\n")}.get(
        suffix, ("", '{{"puzzle": "{}", "solution": "{}"}}\n')
    )
    file = tmp_path / f"in.{suffix}"
    file.write_text(header + line.format(EXAMPLE, SOLUTION) + line.format(EXAMPLE, wrong))
    answers = antdoku("check", file)
    assert answers == antdoku("check", file, file) and answers[0] == 1
    piped = antdoku("check", "-", stdin=file.read_bytes())
    assert piped[1].replace("standard input", str(file)) == answers[1] and piped[::2] == (1, "")
    right, wrong = answers[1].splitlines()
    assert right.endswith(": yes, a solution") and wrong.endswith(": no: r9c9 is 1, but 9 is given")


def test_solutions_beside_some_puzzles_only_are_refused(antdoku):
    lines = f"{EXAMPLE} {SOLUTION}\n{EXAMPLE}\n".encode()
    status, _, err = antdoku("check", "-", stdin=lines)
    assert status == 2 and "standard input:2: solutions stand beside some of the puzzles" in err


@pytest.mark.parametrize(
    ("blocks", "words"),
    [
        ([2, 3], "an empty line stands"),
        ([2, 2, 3], "2 empty lines stand"),
        ([2, 1, 2], "2 empty lines stand"),
        ([2, 2, 1], ""),
        ([1, 1, 1], ""),
    ],
)
def test_empty_lines_among_puzzles_are_said_unless_they_part_blocks(
    antdoku, tmp_path, blocks, words
):
    file = tmp_path / "x.txt"
    file.write_text("\n".join(f"{EXAMPLE}\n" * n for n in blocks) + "\n")
    status, out, err = antdoku("solve", file, "--lines")
    assert (status, out.count("\n")) == (0, sum(blocks))
    assert words in err if words else "empty line" not in err


def test_a_column_is_named(antdoku, tmp_path):
    (tmp_path / "x.csv").write_text(f"text,clues\n{EXAMPLE},30\n")
    for command in ("solve", "count", "check"):
        assert antdoku(command, tmp_path / "x.csv", "--column", "text")[0] == 0
        status, _, err = antdoku(command, tmp_path / "x.csv", "--column", "txt")
        assert status == 2 and "no column 'txt'; columns: 'text', 'clues'" in err


def test_the_ranking_is_not_lost_beside_runs_on_standard_output(antdoku, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = ("compare", EXAMPLE, "-s", "dlx", "-s", "bs", "--max-steps", 9, "-o", "-")
    status, out, err = antdoku(*command)
    assert status == 0 and out.count("\n") == 3 and "against the first" in err
    assert antdoku(*command, "-q")[2] == ""
    status, out, err = antdoku(*command, "--json")
    assert (status, out) == (2, "") and "--json prints the ranking, --output - the runs" in err


def test_signs_of_patterns_in_names_of_files(antdoku, tmp_path, monkeypatch):
    folder = tmp_path / "[x] {a,b}"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "p[1]*?.txt").write_text(EXAMPLE)
    assert antdoku("solve", "p[1]*?.txt", "-o", "s[1]*.csv")[0] == 0
    assert antdoku("check", "s[1]*.csv") == (0, "yes, a solution\n", "")
    for command in ("run", "compare"):
        for _ in range(2):  # the finished runs are shown again
            out = antdoku(command, "p[1]*?.txt", "-s", "dlx")[1]
            assert out.startswith("p[1]*?_dlx.parquet: 1 run: 1 solved")


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["right", "wrong", "twice", "blank"]), max_size=9))
def test_many_solutions_are_judged_as_one_by_one(antdoku, tmp_path, kinds):
    solutions = {"right": SOLUTION, "wrong": SOLUTION[::-1], "blank": EXAMPLE}
    twice, kinds = "55" + "." * 79, ["right", "wrong", *kinds]
    lines = {
        "puzzles.txt": [twice if kind == "twice" else EXAMPLE for kind in kinds],
        "solutions.txt": [solutions[kind] for kind in kinds if kind != "twice"],  # of bad ones none
    }
    for name, texts in lines.items():
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts))
    status, out, err = antdoku("check", *(tmp_path / name for name in lines), "--skip-bad")
    answers = [str(api.check(EXAMPLE, solution)) for solution in lines["solutions.txt"]]
    assert status == 1 and [line.partition(": ")[2] for line in out.splitlines()] == answers
    assert err.count("antdoku: skipped: ") == kinds.count("twice")


def test_a_puzzle_is_valid_unique_and_minimal_or_not(antdoku):
    puzzle = named.puzzles("platinumblond")[0].line
    blank = puzzle.index(".")
    with_clue = puzzle[:blank] + antdoku("solve", puzzle)[1][blank] + puzzle[blank + 1 :]
    cell = f"r{blank // 9 + 1}c{blank % 9 + 1}"
    assert antdoku("check", puzzle) == (0, "valid, unique, minimal\n", "")
    status, out, _ = antdoku("check", with_clue)
    assert (status, out) == (0, f"valid, unique, not minimal: {cell} can go\n")
    several = "valid, not unique: there are several solutions\n"
    assert antdoku("check", "named:sabuncu3") == (1, several, "")
    assert antdoku("check", NO_SOLUTION)[:2] == (1, "valid, but there is no solution\n")
    twice, flaw = "55" + "." * 79, "r1c1 and r1c2: the row has the given 5 twice"
    assert antdoku("check", twice) == (1, f"not valid: {flaw}\n", "")
    lines = f"{twice}\n{puzzle}\n{'.' * 54}55{'.' * 25}\n".encode()
    _, out, _ = antdoku("check", "-", stdin=lines)
    first, second, third = [line.partition(": ")[2] for line in out.splitlines()]
    assert (first, second) == (f"not valid: {flaw}", "valid, unique, minimal")
    assert third.startswith("not valid: r7c1 and r7c2")
    grid = "\n".join(twice[at : at + 9] for at in range(0, 81, 9)).encode()
    assert antdoku("check", "-", stdin=grid)[:2] == (1, f"not valid: {flaw}\n")
    status, out, err = antdoku("check", twice, SOLUTION)
    assert (status, out) == (2, "") and flaw in err
    hard = random_table(order=6, fixed=0.42, count=1, seed=1)["puzzle"][0]
    assert antdoku("check", hard, "--timeout", 0.1) == (1, "valid: the time is up\n", "")


def test_solvers_are_listed_and_one_is_shown(antdoku):
    status, out, _ = antdoku("solvers", "--json")
    listed = {solver["name"]: solver for solver in json.loads(out)}
    assert status == 0 and {"acs", "bs", "dlx"} <= set(listed)
    assert all(solver["source"] and solver["kind"] for solver in listed.values())
    endless = {name for name, solver in listed.items() if solver["always_ends"] is not True}
    assert endless == {"ac3_cuckoo", "ga"} and listed["acs"]["params"]["rho"] == 0.9
    assert listed["acs"]["orders"] == [2, 3, 4, 5, 6, 7, 8]
    assert "ACS, stochastic, orders 2 to 8\n" in antdoku("solvers")[1]
    status, out, _ = antdoku("solvers", "acs")
    assert status == 0 and "Lloyd & Amos 2018" in out and "tabu_col" not in out
    assert "propagation = authors  The propagation of a choice.\n    authors: that of their" in out
    assert "m = 10  Number of ants.\n    from 1 to 10000\n" in out


# --- Bad input and usage -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["solv"], "No such command 'solv'"),
        (["solve"], "Missing argument 'PUZZLE...' (see antdoku solve --help)"),
        (["solve", "--soler", "acs", EXAMPLE], "No such option '--soler'"),
        (["solve", "-" + EXAMPLE[1:]], "write -- before a puzzle that begins with -"),
        (["generate", "--size", "9", "--clues", "16", "--unique"], "has 17 or more"),
        (["solve", EXAMPLE, "--solver", "axs"], "unknown solver 'axs' (did you mean acs?)"),
        (["solve", EXAMPLE, "--param", "m"], "'m' is not NAME=VALUE"),
        (["solve", EXAMPLE, "--timeout", "-1"], "time limit -1: must be more than 0 seconds"),
        (["solve", EXAMPLE, "--seed", "-1"], "-1 is not in the range x>=0"),
        (["solve", EXAMPLE, "--json", "--draw"], "--draw, --lines, --json: give one of them"),
        (["solve", EXAMPLE, "--draw", "--lines"], "--draw, --lines, --json: give one of them"),
        (["solve", EXAMPLE, "--draw", "-o", "x.txt"], "--draw prints grids: leave out --output"),
        (["generate", "--order", "11"], "order 11: must be a whole number from 2 to 10"),
        (["solve", EXAMPLE, "-o", "x.txt", "--json"], "--json and -o x.txt: name a file .json"),
        (["solve", EXAMPLE, "-o", ".csv"], ".csv: the name must end in .txt or"),
        (["solve", EXAMPLE, "-o", "x.parquet.gz"], "x.parquet.gz: the name must end in .txt or"),
        (["count", EXAMPLE, "-o", "x.csv", "--list"], "--list writes solutions: name a file"),
        (["solve", EXAMPLE, "-s", "acs:m=3", "--param", "m=4"], "acs:m=3: m is given twice"),
        (["solve", EXAMPLE, "-s", "acs:m=3,m=4"], "acs:m=3,m=4: m is given twice"),
        (["run", EXAMPLE, "--param", "m=3", "--param", "m=4"], "--param: m is given twice"),
        (["generate", "--seed", "some"], "'some' is not a valid integer range"),
        (["solve", "\x1b[31m\nred"], "nor is it a puzzle"),
        (["solve", EXAMPLE, "-s", "acs:seed=3"], "unknown parameter 'seed'"),
        (["solve", EXAMPLE, "-s", "sa", "-s", "dlx"], "one solver is wanted, not sa and dlx"),
        (["solve", "-"], "standard input: there is no puzzle in it"),
        (["generate", "--order", "3"], "fixed or clues: give one of the two"),
        (["generate", "--order", "3", "--fixed", "0.5", "-o", "no/x.csv"], "no folder no"),
        (["run", EXAMPLE, "-o", "x.txt"], "x.txt: the name must end in .parquet or .csv"),
        (["check", EXAMPLE, EXAMPLE, EXAMPLE], "a puzzle and its solution are wanted, not more"),
        (["check", EXAMPLE, "named:all"], "262 grids for 1 puzzle: must"),
        (["solve", "-", "-"], "standard input (-): can be read once; name a file"),
        (["solve", "acs", EXAMPLE], "acs is a solver, where puzzles are wanted; write -s acs"),
        (["run", "acs:m=3", "x.txt"], "acs:m=3 is a solver, where puzzles are wanted; write -s"),
        (["run", EXAMPLE, "--repetitions", "9" * 20], "must be a whole number from 1 to 1000000"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_mistakes_cost_one_line_and_status_2(antdoku, tmp_path, monkeypatch, command, message):
    monkeypatch.chdir(tmp_path)
    status, out, err = antdoku(*command)
    assert (status, out) == (2, "")
    assert is_one_complaint(err) and message in err
    assert os.listdir(tmp_path) == []


# --- As a process --------------------------------------------------------------------------------


def test_help_is_quick_and_imports_nothing_heavy(antdoku):
    code = "import sys; from antdoku.cli import main; status = main(); print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, text=True)
    modules = set(out.stdout.splitlines()[-1].split())
    assert "solve" in out.stdout
    assert not modules & {"numpy", "numba", "pandas", "rich", "matplotlib", "snakemake"}
    for command in cli.cli.commands:
        status, out, err = antdoku(command, "--help")
        assert (status, err) == (0, "") and "xample" in out


def test_an_answer_is_not_lost_where_standard_output_is_closed():
    process = program("solve", EXAMPLE, stdout=None, preexec_fn=lambda: os.close(1))
    assert is_one_complaint(process.stderr.read().decode())
    assert process.wait() == 2


def test_a_reader_who_has_enough_is_no_mistake():
    process = program("solve", "named:all", "--json", "--solver", "dlx")
    process.stdout.readline()
    process.stdout.close()
    messages = process.stderr.read().decode().splitlines()
    assert [line for line in messages if "compiling" not in line] == []
    assert process.wait() == 141


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize(
    ("command", "name"),
    [
        (["generate", "--order", 2, "--fixed", 0.5, "-o"], "x.txt"),
        (["run", EXAMPLE, "-o"], "x.parquet"),
        (["solve", EXAMPLE, "-o"], "x.txt.gz"),
        (["new-solver"], "x.py"),
    ],
)
def test_a_full_disk_is_one_line_that_names_the_file(antdoku, tmp_path, command, name):
    file = tmp_path / name
    (tmp_path / f"{name}.{os.getpid()}.unfinished").symlink_to("/dev/full")
    status, out, err = antdoku(*command, file)
    text = f"{file}: cannot be written: No space left on device"
    assert (status, out, err) == (2, "", f"antdoku: error: {text}\n")
    # The journal holds the run that was done.
    assert {file.suffix for file in tmp_path.iterdir()} <= {".journal"}


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is a folder in which nobody can write")
def test_a_cache_that_cannot_be_written_is_one_line(tmp_path):
    variables = {"XDG_CACHE_HOME": str(tmp_path), "NUMBA_CACHE_DIR": ""}
    (tmp_path / "antdoku").mkdir()
    (tmp_path / "antdoku" / compilation.folder("kernels.bits").name).symlink_to("/proc/x")
    process = program("solve", EXAMPLE, env=os.environ | variables)
    _, err = process.communicate()
    assert process.returncode == 2 and is_one_complaint(err.decode())
    assert "set XDG_CACHE_HOME to a folder that can be written" in err.decode()


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is a folder in which nobody can write")
@pytest.mark.parametrize(
    ("chosen", "cache"),
    [
        ({"HOME": "/proc"}, "/proc/.cache/antdoku"),
        ({"XDG_CACHE_HOME": "/proc"}, "/proc/antdoku"),
        ({"NUMBA_CACHE_DIR": "/proc/x"}, "/proc/x"),
    ],
)
def test_a_home_that_cannot_be_written_is_one_warning(tmp_path, chosen, cache):
    variables = {"XDG_CACHE_HOME": "", "NUMBA_CACHE_DIR": "", "TMPDIR": str(tmp_path)} | chosen
    process = program("solvers", "dlx", env=os.environ | variables)
    out, err = process.communicate()
    assert process.returncode == 0 and out.startswith(b"dlx")
    warning = f"{cache} cannot be written: machine code is kept in {tmp_path}/antdoku-{os.getuid()}"
    assert err.decode() == f"antdoku: warning: {warning}\n"
    assert [*tmp_path.glob("antdoku-*/solvers.dlx-*")]


def test_interrupt_is_clean():
    process = program("solve", EXAMPLE, HARD, "--solver", "acs", "--timeout", "60", "--json")
    assert process.stdout.readline()  # the first is solved, so the second is running
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    assert process.stderr.read() == b"antdoku: error: interrupted\n"
    assert process.wait() == 130


# --- On a terminal -------------------------------------------------------------------------------


def test_a_bar_shows_the_progress(tmp_path):
    file = tmp_path / "x.txt"
    request = ["--order", 2, "--fixed", 0.5, "--unique", "--count", 7, "-o", file]
    assert "100%" in on_a_terminal("generate", *request)
    assert len(read(file)) == 7


def test_a_terminal_gets_escapes_only_if_it_takes_them(tmp_path):
    file = tmp_path / "x.csv"
    file.write_text(f"puzzle,solution\n{EXAMPLE},{SOLUTION}\n")
    variables = {"TERM": "xterm", "NO_COLOR": "", "PYTHONWARNINGS": "error"}
    assert "\x1b[1m5" in on_a_terminal("solve", file, env=os.environ | variables)
    for change in ({"TERM": "dumb"}, {"NO_COLOR": "1"}):
        drawn = on_a_terminal("solve", file, env=os.environ | variables | change)
        assert "\x1b" not in drawn and " 5 3 4 " in drawn and "Warning" not in drawn
