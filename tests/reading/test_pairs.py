"""Puzzles and their solutions in two sources: joined by names, or in their order."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import antdoku
from antdoku.cli import main
from antdoku.errors import InputError
from antdoku.puzzle import named

PUZZLES = [*named.puzzles("soto"), *named.puzzles("mantere_koljonen_46")[:11]]
SOLVED = pd.DataFrame(
    {
        "id": range(100, 100 + len(PUZZLES)),
        "puzzle": [puzzle.line for puzzle in PUZZLES],
        "solution": [result.line for result in antdoku.solve_all(PUZZLES)],
    }
)
QUESTIONS, ANSWERS = SOLVED[["id", "puzzle"]], SOLVED[["id", "solution"]]


@pytest.fixture
def checked(tmp_path, monkeypatch, capfd):
    """Return a function that checks tables by `antdoku check`: exit status, answers and notes."""
    monkeypatch.chdir(tmp_path)

    def check(*tables, options=()):
        files = [f"{name}.csv" for name, _ in zip("ab", tables)]
        for name, table in zip(files, tables):
            table.to_csv(name, index=False)
        status = main(["check", *files, *options])
        return status, *capfd.readouterr()

    return check


@settings(deadline=None, max_examples=20)
@given(st.permutations(range(len(PUZZLES))), st.booleans(), st.booleans())
def test_solutions_in_any_order_belong_to_the_puzzles_of_their_names(order, are_read, is_beside):
    puzzles = antdoku.read(QUESTIONS) if are_read else QUESTIONS
    answers = (SOLVED if is_beside else ANSWERS).iloc[order]
    checks = [*antdoku.check_all(puzzles, answers)]
    assert all(checks) and [check.puzzle.name for check in checks] == [*map(str, SOLVED["id"])]


@settings(deadline=None, max_examples=20)
@given(st.integers(0, len(PUZZLES) - 1), st.integers(0, len(PUZZLES) - 1))
def test_a_wrong_solution_is_told_from_a_right_one_of_another_puzzle(at, other):
    answers = ANSWERS.copy()
    answers.loc[at, "solution"] = answers.loc[other, "solution"]
    checks = antdoku.check_all(QUESTIONS, answers.sample(frac=1, random_state=at))
    # Puzzles of Mantere and Koljonen may have the same solution.
    assert [*map(bool, checks)] == [*(answers["solution"] == ANSWERS["solution"])]


@pytest.mark.parametrize("puzzle", ["puzzle", "quizzes"])
@pytest.mark.parametrize("name", ["solution", "answer", "sol", "Lösung", "target"])
def test_the_column_of_solutions_may_have_any_name(name, puzzle, tmp_path):
    wrong = SOLVED.assign(solution=SOLVED["solution"][::-1].to_numpy())
    for table, is_right in ((SOLVED, True), (wrong, False)):
        table = table.rename(columns={"solution": name, "puzzle": puzzle})
        table.to_csv(tmp_path / "x.csv", index=False)
        table.to_json(tmp_path / "x.jsonl", orient="records", lines=True)
        for source in (table, tmp_path / "x.csv", tmp_path / "x.jsonl"):
            assert {*map(bool, antdoku.check_all(source, source))} == {is_right}
    two = SOLVED.assign(a=SOLVED["solution"], b=SOLVED["solution"]).drop(columns="solution")
    with pytest.raises(InputError, match="2 complete grids: columns: 'a', 'b'; call one of them"):
        antdoku.check_all(two, two)
    assert all(antdoku.solve_all(two))


def test_cells_in_arrays_and_names_in_capitals_are_checked_too():
    arrays = SOLVED.assign(
        puzzle=[np.array([*line.replace(".", "0")], int) for line in SOLVED["puzzle"]],
        solution=[np.array([*line], int) for line in SOLVED["solution"]],
    )
    assert all(antdoku.check_all(arrays, arrays))
    rows = ANSWERS.rename(columns={"solution": "Solution"}).to_dict("records")
    assert all(antdoku.check_all(QUESTIONS, rows))


def test_objects_of_json_hold_solutions_by_names():
    puzzles = dict(zip("abc", SOLVED["puzzle"]))
    solutions = dict(zip("cba", SOLVED["solution"][2::-1]))
    assert [*map(bool, antdoku.check_all(puzzles, solutions))] == [True] * 3


@settings(deadline=None, max_examples=20)
@given(st.permutations(range(len(PUZZLES))), st.integers(0, len(PUZZLES) - 1), st.booleans())
def test_a_solution_that_is_missing_is_told(order, n_missing, are_rows):
    is_there = ~ANSWERS.index.isin(order[:n_missing])
    answers = ANSWERS[is_there].sample(frac=1, random_state=n_missing)
    if are_rows:
        answers = ANSWERS.assign(solution=ANSWERS["solution"].where(is_there, None)).iloc[order]
    checks = [*antdoku.check_all(QUESTIONS, answers)]
    assert [*map(bool, checks)] == [*is_there]
    assert {str(check) for check in checks if not check} <= {"no: the grid is missing or blank"}


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (ANSWERS.assign(id=ANSWERS["id"] + 1), "puzzle 20: '120' names no puzzle; correct this"),
        (ANSWERS.assign(id=[7, *ANSWERS["id"][1:]])[::-1], "puzzle 20: '7' names no puzzle"),
        (ANSWERS.assign(id=[101, *ANSWERS["id"][1:]])[::-1], "puzzle 20: '101' names two grids"),
        (ANSWERS.assign(id=[7, *ANSWERS["id"][1:]]), "called '100', its solution '7'"),
        (ANSWERS.assign(id=[101, *ANSWERS["id"][1:]]), "called '100', its solution '101'"),
        (SOLVED[["puzzle", "solution"]][::-1], "1: a solution of another puzzle than 100"),
        (ANSWERS[["solution"]][1:], "puzzle 20: 19 grids for 20 puzzles"),
        (
            ANSWERS[1:].assign(id=[7, *ANSWERS["id"][2:]]),
            "puzzle 1: '7' names no puzzle",
        ),
        (pd.concat([ANSWERS, ANSWERS[:1].assign(id=7)]), "puzzle 21: '7' names no puzzle"),
        (pd.concat([ANSWERS, ANSWERS[:1]]), "puzzle 21: '100' names two grids"),
        (ANSWERS.assign(solution=None), "row 1: all solutions are empty"),
        (ANSWERS.assign(solution=7), "1: solution: int: must be a text"),
    ],
)
def test_solutions_of_other_puzzles_are_refused(answers, message):
    with pytest.raises(InputError, match=message):
        antdoku.check_all(QUESTIONS, answers)


@pytest.mark.parametrize("word", ["no solution", "None", "timeout", "ERROR: too slow"])
@pytest.mark.parametrize("row", range(6))
def test_a_word_in_place_of_a_solution_is_named(word, row, tmp_path):
    lines = [*SOLVED["solution"][:6]]
    lines[row] = word
    (tmp_path / "s.txt").write_text("\n".join(lines))
    line = f"s.txt:{row + 1}: '{word}' among lines" if row else f"the title '{word}' one of them?"
    with pytest.raises(InputError, match=line):
        [*antdoku.check_all(SOLVED["puzzle"][:6], tmp_path / "s.txt")]


def test_a_word_and_a_number_may_be_an_id():
    table = SOLVED.assign(id=[f"puzzle {at}" for at in range(len(SOLVED))])
    puzzles, answers = table[["id", "puzzle"]], table[["id", "solution"]]
    assert all(antdoku.check_all(puzzles, answers[::-1]))
    for others in (answers.assign(id=[*answers["id"][1:], "puzzle 99"]), answers[::-1]):
        others = others.assign(id=["puzzle 99", *others["id"][1:]])
        with pytest.raises(antdoku.InputError, match="'puzzle 99' names no puzzle"):
            antdoku.check_all(puzzles, others)


def test_two_rows_of_one_name_do_not_change_their_places():
    puzzles, answers = (table.assign(id=7)[:2] for table in (QUESTIONS, ANSWERS))
    assert all(antdoku.check_all(puzzles, answers))
    with pytest.raises(antdoku.InputError, match="two puzzles are called '7': whose solution is"):
        antdoku.check_all(puzzles, answers[::-1])
    wrong = answers.assign(solution=[answers["solution"][0][::-1]] * 2)
    assert [*map(bool, antdoku.check_all(puzzles, wrong))] == [False, False]


def test_names_that_only_count_do_not_join():
    titled = "".join(f"Puzzle {at}\n{line}\n" for at, line in enumerate(SOLVED["puzzle"]))
    solved = "".join(f"Solution {at}\n{line}\n" for at, line in enumerate(SOLVED["solution"]))
    lines = "\n".join(SOLVED["solution"])
    for source in (solved, lines, antdoku.read(lines)):
        assert all(antdoku.check_all(titled, source))
        assert all(antdoku.check_all(QUESTIONS, source))


def test_an_order_that_ids_of_one_file_do_not_ensure_is_said(checked):
    lines, note = ANSWERS[["solution"]], "have names (ids): both are joined in their order"
    for tables, which in (
        ((QUESTIONS, lines), "puzzles"),
        ((QUESTIONS[["puzzle"]], ANSWERS), "solutions"),
    ):
        status, _, err = checked(*tables)
        assert status == 0 and err == f"antdoku: only the {which} {note}\n"
    one, beside = (QUESTIONS[:1], lines[:1]), (QUESTIONS, SOLVED[["puzzle", "solution"]])
    for tables in (one, beside, (QUESTIONS, ANSWERS), (QUESTIONS[["puzzle"]], lines)):
        assert checked(*tables)[::2] == (0, "")


@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("at", [0, 3, len(SOLVED) - 1])
def test_the_solution_of_a_skipped_puzzle_is_skipped(checked, at, is_reversed):
    puzzles = QUESTIONS.assign(puzzle=QUESTIONS["puzzle"].where(QUESTIONS.index != at, "53.."))
    answers = ANSWERS[::-1] if is_reversed else ANSWERS
    status, out, err = checked(puzzles, answers, options=["--skip-bad"])
    assert status == 1 and out.count(": yes, a solution\n") == len(SOLVED) - 1 == out.count("\n")
    row = len(SOLVED) - at if is_reversed else at + 1
    skipped, second, number = err.splitlines()
    assert skipped.startswith(f"antdoku: skipped: a.csv: row {at + 1}: 1 row of 4 cells")
    assert second == f"antdoku: skipped: b.csv: row {row}: '{100 + at}' names no puzzle"
    assert number == "antdoku: lines skipped: 2"
    if not is_reversed:
        other = answers.assign(id=answers["id"] + 1000)
        assert checked(QUESTIONS, other, options=["--skip-bad"])[0] == 2


@pytest.mark.parametrize("solved", [SOLVED["puzzle"][0], SOLVED["solution"][0]])
def test_an_empty_solution_beside_its_puzzle_is_missing(checked, tmp_path, solved):
    table = SOLVED.assign(puzzle=[solved, *SOLVED["puzzle"][1:]])
    table["solution"] = [None, *table["solution"][1:]]
    table.to_json(tmp_path / "x.jsonl", orient="records", lines=True)
    status, out, _ = checked(table)
    assert status == 1 and out.startswith("100: no: the grid is missing or blank\n101: yes")
    for source in (table, tmp_path / "x.jsonl"):
        first, *others = antdoku.check_all(source, source)
        assert first.flaw == "the grid is missing or blank" and all(others)
