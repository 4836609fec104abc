"""What Python users call: `import antdoku`."""

import doctest
import inspect
import json
import pickle
import pydoc
import re
import sys
import traceback
import warnings
from collections.abc import Iterator
from html import escape
from importlib import import_module
from io import BytesIO
from itertools import islice
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from IPython.core.interactiveshell import InteractiveShell
from PIL import Image
from traitlets.config import Config

import antdoku
from antdoku import answers, api, bulk, cli, columns, files
from antdoku.figures import puzzles as pictures
from antdoku.figures import style
from antdoku.puzzle.drawing import html
from antdoku.reading import formats, tables
from antdoku.runs.job import hash_of
from antdoku.solvers import shipped
from antdoku.tables.comparison import as_text
from antdoku.times import duration

EXAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
BLANK_81 = antdoku.Puzzle(9, np.zeros(81**2, int))


def test_the_examples_of_the_docstrings_are_true():
    assert all(doctest.testmod(module).failed == 0 for module in (api, bulk))
    for name in ("solve", "solve_all", "watch", "count", "check", "generate", "compare"):
        assert ">>> " in getattr(antdoku, name).__doc__


def test_a_result_prints_as_a_grid_in_a_notebook_too():
    run = antdoku.solve(EXAMPLE, "dlx", max_steps=1000)
    assert run and antdoku.read(run.line) == antdoku.read(run.solution)
    headline, top, first, *_ = str(run).splitlines()
    assert headline.endswith(f"solved (DLX, {run.steps} steps, {duration(run.cpu_s)} CPU)")
    assert (top[0], first[:8]) == ("┌", "│ 5 3 4 ")
    assert repr(run) == f"<Result {headline}>"
    unsolved = str(antdoku.solve("." * 625, "dlx", max_steps=1))
    assert "not solved" in unsolved and " . . " in unsolved
    run = antdoku.solve(EXAMPLE, "bs")
    grid = html(run.puzzle, run.solution.ravel())
    assert run._repr_html_() == f"<p>{run.headline}</p>\n{grid}"


def test_numbers_may_come_as_whole_floats_and_from_numpy(tmp_path):
    plain = antdoku.solve(EXAMPLE, "acs", seed=2, timeout=5, max_steps=1000)
    meant = antdoku.solve(EXAMPLE, "acs", seed=2.0, timeout=np.float32(5), max_steps=1e3)
    assert (plain.status, plain.steps) == (meant.status, meant.steps)
    (puzzle,) = antdoku.generate(3.0, 0.4, count=1.0, seed=np.int64(7))
    assert [puzzle] == antdoku.generate(3, 0.4, count=1, seed=7)
    names = [antdoku.generate(3, clues=clues, seed=7)[0].name for clues in (25, 25.0)]
    assert names == 2 * ["order3-25clues-seed7-000"]
    grids = [puzzle.givens]
    counts = antdoku.solve_grids(grids, limit=2.0, jobs=1.0, max_steps=1e4).counts
    assert counts == antdoku.solve_grids(grids, limit=2).counts
    output = tmp_path / "runs.parquet"
    numbers = {"seed": np.int64(3), "max_steps": np.int64(500)}
    first = antdoku.compare(EXAMPLE, ["dlx"], **numbers, output=output)
    assert (first["seed"] == antdoku.compare(EXAMPLE, ["dlx"], seed=3, max_steps=500)["seed"]).all()
    pd.testing.assert_frame_equal(first, pd.read_parquet(output))
    assert hash_of([np.float32(0.5)]) == hash_of([0.5]) != hash_of([0.25])


def test_results_of_equal_runs_are_equal():
    runs = [antdoku.solve(EXAMPLE, "acs", max_steps=2, seed=seed) for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2] and len({*runs}) == 2
    assert antdoku.solve(EXAMPLE) != antdoku.solve(EXAMPLE, "dlx") != EXAMPLE


def test_one_puzzle_has_one_result_and_several_have_an_iterator():
    names = [puzzle.name for puzzle in antdoku.read("named:soto")]
    for solver in ("dlx", "auto"):
        results = antdoku.solve_all("named:soto", solver, max_steps=10**6)
        assert isinstance(results, Iterator)
        assert [result.puzzle.name for result in results] == names
    (only,) = antdoku.solve_all(EXAMPLE, "dlx")
    alone = antdoku.solve([antdoku.read(EXAMPLE)[0]], "dlx")
    assert (only.status, only.steps) == (alone.status, alone.steps)
    assert alone.status == "solved" and alone.params == {"items": "columns"}


def test_puzzles_of_an_iterator_are_read_as_their_results_are_taken():
    taken = []

    def puzzles():
        for size in (4, 16, 4):  # solved one by one
            taken.append(size)
            yield antdoku.generate(size=size, fixed=0.5)[0]

    results = antdoku.solve_all(puzzles(), "bs")
    assert taken == []
    next(results)
    assert taken == [4]


def test_iterators_of_other_things_than_puzzles_are_read_as_lists(tmp_path):
    other = str(antdoku.generate(3, 0.4)[0].line)
    texts = [EXAMPLE, other]
    lines = [run.line for run in antdoku.solve_all(texts)]
    (tmp_path / "puzzles.txt").write_text("\n".join(texts))
    with (tmp_path / "puzzles.txt").open() as file:
        iterators = [
            (text for text in texts),
            map(str, texts),
            iter(pd.Series(texts)),
            (antdoku.read(text)[0].grid for text in texts),
            zip("ab", texts),
            file,
        ]
        for iterator in iterators:
            assert [run.line for run in antdoku.solve_all(iterator)] == lines
    assert list(antdoku.solve_all(iter(()))) == []


def test_puzzles_solved_together_have_the_answers_of_each_alone():
    puzzles = antdoku.read("named:mantere_koljonen_46")
    for result in antdoku.solve_all(puzzles, max_steps=20, jobs=2):
        alone = antdoku.solve(result.puzzle, max_steps=20)
        assert (result.status, result.line) == (alone.status, alone.line)
        assert result.steps == alone.steps or result.status == "timeout"


def test_the_least_cost_so_far_is_kept_and_drawn():
    (puzzle,) = antdoku.generate(order=4, fixed=0.4, count=1, seed=3)
    run = antdoku.solve(puzzle, "tabu_col", max_steps=10**6)
    steps, costs = zip(*run.trace)
    assert list(steps) == sorted(steps) and list(costs) == sorted({*costs}, reverse=True)
    assert (steps[-1], costs[-1]) == (run.steps, 0)  # cost 0 is the solution
    (ax,) = run.plot().axes
    assert ax.lines[0].get_xydata()[:-1].tolist() == np.array(run.trace).tolist()
    named = ", ".join(answers.WITH_COSTS)
    with pytest.raises(antdoku.InputError, match=rf"solver dlx: notes no costs.*{named} do"):
        antdoku.solve(EXAMPLE, "dlx").plot()
    with pytest.raises(antdoku.InputError, match="propagation answers it, without costs"):
        antdoku.solve(EXAMPLE, "acs").plot()


@pytest.mark.parametrize("solver, steps", [("acs", 5), ("tabu_col", 0)])
def test_an_unsolved_puzzle_that_propagation_refutes_is_said_to_have_no_solution(solver, steps):
    run = antdoku.solve(EXAMPLE[:2] + "1" + EXAMPLE[3:], solver, max_steps=5)
    assert (run.status, run.steps) == ("timeout", steps)
    assert "not solved: propagation finds a contradiction, so there is no solution" in str(run)
    assert "contradiction" not in str(antdoku.solve(antdoku.generate(3, 0.3)[0], "sa", max_steps=5))


def test_the_solvers_that_note_costs_are_those_that_the_message_names():
    (puzzle,) = antdoku.generate(order=3, fixed=0.35, seed=2)  # propagation does not solve it
    noted = {name for name in shipped() if antdoku.solve(puzzle, name, max_steps=1).trace}
    assert noted == {*answers.WITH_COSTS}


@pytest.mark.parametrize("solver", answers.WITH_COSTS)
def test_costs_fall_to_0_at_the_step_that_solves_a_puzzle(solver):
    run = antdoku.solve("1.....2.........", solver, max_steps=10**5)
    assert run.status == "solved" and run.trace[-1] == (run.steps, 0)
    assert all(0 <= cost <= 2 * 4**2 for _, cost in run.trace)  # lines lack at most all values


def test_a_figure_is_a_picture_in_a_notebook_without_pyplot():
    run = antdoku.solve(antdoku.generate(order=3, fixed=0.3, seed=2)[0], "sa", max_steps=10**5)
    picture, size = run.plot()._repr_png_()
    assert Image.open(BytesIO(picture)).size == (2 * size["width"], 2 * size["height"])


def test_without_matplotlib_a_plot_names_the_extra(monkeypatch):
    run = antdoku.solve(EXAMPLE, "dlx")
    for name in [name for name in sys.modules if name.startswith("antdoku.figures")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys.modules["antdoku"], "figures", None, raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    draws = (run.plot, lambda: antdoku.plot("runs.parquet"))
    for draw in (*draws, lambda: import_module("antdoku.figures").puzzle(EXAMPLE)):
        with pytest.raises(antdoku.InputError, match=r"^needs matplotlib: .*'antdoku\[plot\]'$"):
            draw()


@pytest.mark.parametrize(
    "package, module, extra",
    [
        ("matplotlib", "figures.puzzles", "plot"),
        ("pandas", "figures.comparison", "plot"),
        ("pandas", "tables", "tables"),
        ("scipy", "tables.comparison", "tables"),
    ],
)
def test_the_import_of_a_figure_or_a_table_names_its_extra(monkeypatch, package, module, extra):
    folder = f"antdoku.{module.partition('.')[0]}"
    for name in [name for name in sys.modules if name.startswith(folder)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(antdoku.InputError, match=rf"^needs {package}: .*'antdoku\[{extra}\]'$"):
        import_module(f"antdoku.{module}")


def test_help_opens_with_what_a_function_does():
    for name in antdoku.__all__:
        if inspect.isfunction(function := getattr(antdoku, name)):
            text = pydoc.plain(pydoc.render_doc(function))
            signature, *_ = text.split(function.__doc__.splitlines()[0])
            assert 0 < len(signature) < 600, name


def test_a_colony_can_be_watched_in_a_notebook_and_in_a_file(tmp_path):
    (puzzle,) = antdoku.generate(order=4, fixed=0.42, seed=3)
    ants = {"m": 5}
    watched = antdoku.watch(puzzle, params=ants, max_steps=40)
    run = antdoku.solve(puzzle, "acs", seed=1, params=ants, max_steps=40)
    (colony,) = watched.data["runs"]
    assert colony["frames"][-1]["iteration"] == run.steps
    watched.save(tmp_path / "run.html")
    page = (tmp_path / "run.html").read_text("utf-8")
    assert f'srcdoc="{escape(page)}"' in watched._repr_html_()
    assert f"<em>{puzzle.name}</em>, {run.steps} iterations" in page and "$" not in page[:1000]
    assert antdoku.watch(EXAMPLE).data["runs"][0]["frames"] == []  # propagation solves it
    refuted = "12345678." + 8 * "." + "9" + 63 * "."
    for wrong, words in (("." * 36**2, "up to 25x25"), (refuted, "no sol")):
        with pytest.raises(antdoku.InputError, match=words):
            antdoku.watch(wrong)
    with pytest.raises(antdoku.InputError, match=r"solver sa: cannot be watched.*take acs"):
        antdoku.watch(puzzle, "sa")


def test_puzzles_that_share_processes_come_in_their_order():
    puzzles = antdoku.generate(order=4, fixed=0.5, count=40, seed=1)
    alone = list(antdoku.solve_all(puzzles, "bs", max_steps=1000))
    for jobs in (1, 3):
        results = list(antdoku.solve_all(puzzles, "bs", max_steps=1000, jobs=jobs))
        assert [result.puzzle.name for result in results] == [puzzle.name for puzzle in puzzles]
        for result, first in zip(results, alone, strict=True):
            assert (result.status, result.steps) == (first.status, first.steps)
            assert result.line == first.line


def test_checks_say_what_is_wrong():
    run = antdoku.solve(EXAMPLE, "bs")
    blank = np.where(run.solution == run.solution[0, 2], 0, run.solution)
    assert antdoku.check(EXAMPLE, run.solution) and antdoku.check(EXAMPLE, run)
    assert str(antdoku.check(EXAMPLE, run.solution)) == "yes, a solution"
    unsolved = antdoku.solve("." * 81, "bs", max_steps=1)
    assert str(antdoku.check(EXAMPLE, unsolved)) == "no: not solved"
    assert str(antdoku.check(EXAMPLE, unsolved.solution)) == "no: there is no grid"
    checked = antdoku.check(EXAMPLE, blank)
    assert not checked and checked.flaw == "r1c3 is blank"


def test_the_grids_of_results_are_judged_without_reading_them(monkeypatch):
    puzzles = antdoku.read("named:soto")
    results, solved = list(antdoku.solve_all(puzzles)), antdoku.solve_grids(puzzles)
    results[3].solution[0, 0] += 1
    checks = list(antdoku.check_all(puzzles, [result.solution for result in results]))
    with pytest.raises(antdoku.InputError, match=r"answers of solve_grids .* \.solutions"):
        antdoku.check_all(puzzles, solved)
    monkeypatch.setattr(api.checking, "read_parts", None)
    assert list(antdoku.check_all(puzzles, results)) == checks and not checks[3]
    small = antdoku.solve(antdoku.generate(2, 0.5)[0])
    with pytest.raises(antdoku.InputError, match="a grid of order 2, but its puzzle of order 3"):
        antdoku.check(puzzles[0], small)


@pytest.mark.parametrize("collect", [list, tuple, iter])
def test_results_in_another_order_are_joined_by_names_or_refused(collect):
    puzzles = antdoku.read("named:soto")
    results = list(antdoku.solve_all(puzzles))
    results[3].solution[0, 0] += 1
    for order in (results, results[::-1]):
        checks = list(antdoku.check_all(puzzles, collect(order)))
        assert [bool(check) for check in checks] == [at != 3 for at in range(len(puzzles))]
    lines = [puzzle.line for puzzle in puzzles]
    assert sum(map(bool, antdoku.check_all(lines, collect(results)))) == len(puzzles) - 1
    with pytest.raises(
        antdoku.InputError, match=r"mk_.*: the result of another puzzle than puzzle 1;"
    ):
        antdoku.check_all(lines, collect(results[::-1]))
    with pytest.raises(antdoku.InputError, match="the result of another puzzle than mk_"):
        antdoku.check_all(puzzles, collect(results[:1] * len(puzzles)))


def test_figures_take_puzzles_texts_and_results(tmp_path):
    run = antdoku.solve(EXAMPLE)
    fig = pictures.puzzle(run)
    assert "".join(text.get_text() for text in fig.axes[0].texts) == run.line
    assert fig.get_suptitle() == "A solution: 30 of 81 cells are given"
    figures = [pictures.puzzle_and_solution(*of) for of in ((run, run), (EXAMPLE, run.solution))]
    drawn = [[text.get_text() for ax in fig.axes for text in ax.texts] for fig in figures]
    assert drawn[0] == drawn[1] and len(drawn[0]) == 30 + 81
    with pytest.raises(antdoku.InputError, match="there is no solution to draw"):
        pictures.puzzle_and_solution(EXAMPLE, None)
    (only,) = style.save(pictures.puzzle(EXAMPLE), tmp_path / "p.png")
    assert only == tmp_path / "p.png" and only.exists()


def test_many_are_counted_checked_tabled_and_tracked(tmp_path, capsys):
    (tmp_path / "one.txt").write_text(EXAMPLE)
    sources = [str(tmp_path / "one.txt"), "named:sabuncu3", tmp_path / "one.txt"]
    puzzles = antdoku.read(sources)
    assert list(antdoku.count_all(sources)) == [1, 27, 1]
    assert [bool(answer) for answer in antdoku.check_all(sources)] == [True, False, True]
    numbers = []

    def track(rows, total):
        numbers.append(total)
        return rows

    results = list(antdoku.solve_all(puzzles, "dlx", track=track))
    assert numbers == [3] and list(antdoku.solve_all(iter(puzzles), "dlx", track=True))
    for grids in (results, iter(results), [result.solution for result in results]):
        assert all(antdoku.check_all(puzzles, grids))
    with pytest.raises(antdoku.InputError, match="2 grids for 3 puzzles: must be as many"):
        antdoku.check_all(puzzles, results[:2])
    table = antdoku.frame(results)
    assert table["solution"].tolist() == [result.line for result in results]
    assert [*antdoku.frame([])] == ["name", "puzzle"]
    runs = antdoku.frame([*results, antdoku.solve(puzzles[0], "acs", max_steps=1)])
    runs.to_parquet(tmp_path / "runs.parquet")
    assert pd.read_parquet(tmp_path / "runs.parquet")["params"].tolist() == runs["params"].tolist()
    compared = antdoku.compare(puzzles[0], ["dlx", "acs"], max_steps=1)["params"]
    assert [*runs["params"].drop_duplicates()] == [*compared]
    counts = antdoku.frame(antdoku.count_all(puzzles))
    assert counts["count"].tolist() == [1, 27, 1]
    kept, judged = antdoku.count_all(puzzles, keep=True), antdoku.check_all(puzzles)
    tables = [antdoku.frame(answers) for answers in (kept, judged)]
    checks = antdoku.frame(antdoku.check_all(puzzles, results))
    names = [puzzle.name for puzzle in puzzles]
    for table in (counts, *tables, checks):
        assert table["name"].tolist() == names
        assert table["puzzle"].tolist() == [puzzle.line for puzzle in puzzles]


def test_symbols_are_named_where_a_text_may_be_in_two():
    text = EXAMPLE.translate(str.maketrans("123456789", "012345678"))
    with pytest.raises(antdoku.InputError, match="may be in 1-9 or 0-8; say which: --symbols, sym"):
        antdoku.solve(text)
    named = {"symbols": "0-8"}
    run = antdoku.solve(text, **named)
    solution = antdoku.solve(EXAMPLE).solution
    assert (run.solution == solution).all()
    assert [again.line for again in antdoku.solve_all(iter([text]), **named)] == [run.line]
    assert (antdoku.solve_grids([text], **named).solutions[0] == solution.ravel()).all()
    assert [antdoku.count(text, **named), *antdoku.count_all(text, **named)] == [1, 1]
    assert antdoku.check(text, **named) and all(antdoku.check_all(text, **named))
    for grid in (run, run.solution, run.line):
        assert antdoku.check(text, grid, **named) and all(antdoku.check_all(text, [run], **named))


def test_a_puzzle_is_an_array_and_a_solver_may_return_one():
    (puzzle,) = antdoku.read(EXAMPLE)
    array = np.array(puzzle)
    assert (array == puzzle.grid).all() and np.asarray(puzzle, float).dtype == float
    run = antdoku.solve(puzzle, lambda puzzle, params, rng, budget: antdoku.solve(puzzle).solution)
    assert run.status == "solved" and antdoku.check(puzzle, run)


def test_a_seed_that_is_none_is_drawn_and_printed(capsys):
    def printed():
        return int(capsys.readouterr().err.removeprefix("antdoku: seed "))

    (puzzle,) = antdoku.generate(size=9, clues=30, seed=None)
    assert [puzzle] == antdoku.generate(size=9, clues=30, seed=printed())
    run = antdoku.solve(puzzle, "acs", seed=None)
    assert run.seed == printed()
    table = antdoku.compare(puzzle, "acs", seed=None, max_steps=9)
    assert (
        table["seed"] == antdoku.compare(puzzle, "acs", seed=printed(), max_steps=9)["seed"]
    ).all()


def test_names_of_generated_puzzles_tell_what_they_are():
    first, second = (antdoku.generate(size=9, clues=30, seed=seed, count=2) for seed in (1, 2))
    assert first[1].name == "order3-30clues-seed1-001"
    assert len(antdoku.compare([*first, *second], "dlx", max_steps=9)) == 4
    for option in ("unique", "minimal"):
        (puzzle,) = antdoku.generate(2, 0.375, seed=5, **{option: True})
        assert puzzle.name == f"{option}-order2-p037_5-seed5-000"


DIFFERENCES = {
    (("puzzles", EXAMPLE.replace("53", "5.")),): "cells of puzzle 1",
    (("puzzles", "named:sabuncu1"),): "files or .*; puzzles: puzzle 1 only there",
    (("solvers", ("dlx", "bs")),): "solvers: acs only there",
    (("solvers", ("acs",)),): "solvers: dlx only there",
    (("max_steps", 60), ("timeout", 2)): "limit in seconds: none there, 2.0 here; "
    "limit in steps: 50 there, 60 here",
    (("seed", 2),): "seed",
}


def test_runs_that_are_finished_are_returned_again(tmp_path):
    output = tmp_path / "runs.parquet"
    request: dict = {"solvers": ["dlx", "acs"], "max_steps": 50, "output": output}
    first = antdoku.compare(EXAMPLE, **request)
    written = output.stat().st_mtime_ns
    pd.testing.assert_frame_equal(first, antdoku.compare(EXAMPLE, **request))
    assert output.stat().st_mtime_ns == written
    namesake = EXAMPLE.replace("53", "5.")
    for change, words in DIFFERENCES.items():
        with pytest.raises(antdoku.InputError, match=rf"is there already, .* \({words}\); name an"):
            antdoku.compare(**request | {"puzzles": EXAMPLE} | dict(change))
    repeated = antdoku.compare([EXAMPLE, namesake], **request, force=True)
    pd.concat([repeated, repeated]).to_parquet(output)
    with pytest.raises(antdoku.InputError, match=r"\(a run twice\)"):
        antdoku.compare([EXAMPLE, namesake], **request)
    antdoku.compare(namesake, **request, force=True)
    assert output.stat().st_mtime_ns != written
    with pytest.raises(antdoku.InputError, match=r"runs \(cells of puzzle 1\); name another"):
        antdoku.compare(EXAMPLE, **request)


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_more_puzzles_solvers_and_repetitions_are_added_to_finished_runs(ending, tmp_path):
    puzzles, output = antdoku.generate(2, 0.5, 3), tmp_path / f"runs{ending}"
    first = antdoku.compare(puzzles[:2], "dlx", max_steps=50, output=output)
    request: dict = {"solvers": ["acs", "dlx"], "max_steps": 50, "repetitions": 2}
    second = antdoku.compare(puzzles, **request, output=output)
    at_once = antdoku.compare(puzzles, **request)
    same = ["instance_id", "variant", "repetition", "seed", "status", "steps", "puzzle"]
    pd.testing.assert_frame_equal(second[same], at_once[same])
    kept = first.merge(second, on=["instance_id", "variant", "repetition"])
    assert len(kept) == len(first) and (kept["cpu_s_x"] == kept["cpu_s_y"]).all()
    assert [*tmp_path.iterdir()] == [output]
    pd.testing.assert_frame_equal(antdoku.compare(puzzles, **request, output=output), second)
    if ending == ".csv":
        pd.read_csv(output).assign(note="mine").to_csv(output, index=False)
    else:
        pd.read_parquet(output).assign(note="mine").to_parquet(output)
    antdoku.compare(puzzles, **request, output=output, force="changed")  # there is nothing to do
    with pytest.raises(antdoku.InputError, match="its column 'note' would be lost"):
        antdoku.compare(puzzles, **request | {"repetitions": 3}, output=output)
    turned = antdoku.compare(puzzles[::-1], **request, output=output)
    assert turned["instance_id"].tolist() == second["instance_id"].tolist()[::-1]


def test_names_that_look_like_numbers_stay_texts_in_a_file(tmp_path):
    puzzles = [
        puzzle.renamed(name) for puzzle, name in zip(antdoku.generate(2, 0.5, 2), ("007", "1e3"))
    ]
    request: dict = {"solvers": {"1": "dlx", "01": "bs"}, "output": tmp_path / "runs.csv"}
    runs = antdoku.compare(puzzles, **request)
    assert {*runs["instance_id"]} == {"007", "1e3"}
    pd.testing.assert_frame_equal(antdoku.compare(puzzles, **request), runs)
    assert {*antdoku.summary(request["output"])["label"]} == {*antdoku.summary(runs)["label"]}


def test_force_changed_keeps_runs_that_would_be_the_same(tmp_path, capsys):
    puzzles, output = antdoku.generate(2, 0.5, 3), tmp_path / "runs.csv"
    request: dict = {"output": output, "force": "changed"}
    first = antdoku.compare(puzzles, {"a": "dlx", "b": "acs"}, max_steps=50, **request)
    changed = {"a": "dlx", "b": {"solver": "acs", "params": {"m": 2}}, "c": "bs"}
    second = antdoku.compare(puzzles, changed, max_steps=50, **request)
    times = [table.set_index("variant")["cpu_s"] for table in (first, second)]
    assert times[0]["a"].tolist() == times[1]["a"].tolist()
    assert second.query("variant == 'b'")["params"].str.contains('"m": 2').all()
    pd.testing.assert_frame_equal(
        antdoku.compare(puzzles, changed, max_steps=50, **request), second
    )
    with pytest.raises(antdoku.InputError, match=r"runs \(.*-002 only there; solvers: b, c only"):
        antdoku.compare(puzzles[:2], {"a": "dlx"}, max_steps=50, **request)
    assert len(pd.read_csv(output)) == 9
    antdoku.write(puzzles, tmp_path / "p.txt")
    assert [*tmp_path.glob("*journal*")] == []
    command = f"compare {tmp_path}/p.txt -s dlx -s bs -q -o {tmp_path}/new.csv --max-steps".split()
    assert cli.main([*command, "8"]) == 0
    command.append("9")
    assert cli.main(command) == 2
    assert "--force-changed" in capsys.readouterr().err
    assert cli.main([*command, "--force-changed"]) == 0


@pytest.mark.parametrize("form", ["DataFrame", "Series", "array", "arrays", "table of Arrow"])
def test_runs_on_a_table_or_an_array_are_continued_too(form, tmp_path):
    column = pd.DataFrame({"puzzle": [EXAMPLE, EXAMPLE.replace("53", "5.")]})
    forms = {
        "DataFrame": column,
        "Series": column["puzzle"],
        "array": antdoku.read_grids(column["puzzle"]),
        "arrays": list(antdoku.read_grids(column["puzzle"])),
        "table of Arrow": pa.Table.from_pandas(column),
    }
    output = tmp_path / "runs.csv"
    first = antdoku.compare(forms[form], "dlx", max_steps=50, output=output)
    for force in (False, "changed"):
        again = antdoku.compare(forms[form], "dlx", max_steps=50, output=output, force=force)
        pd.testing.assert_frame_equal(again, first)
    assert len(antdoku.compare(forms[form], ["dlx", "bs"], max_steps=50, output=output)) == 4
    with pytest.raises(antdoku.InputError, match="is read: name another file to write to"):
        antdoku.compare([forms[form], output], "dlx", output=output)


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("cpu_s", None, "cpu_s: there is no value"),
        ("steps", None, "steps: there is no value"),
        ("status", None, "status: there is no value"),
        ("status", "solvd", "status 'solvd': known are solved, "),
    ],
)
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_wrong_value_in_a_file_of_runs_is_named_with_its_row(
    ending, column, value, words, tmp_path
):
    puzzles, output = antdoku.generate(2, 0.5, 3), tmp_path / f"runs.{ending}"
    runs = antdoku.compare(puzzles, "dlx", max_steps=50, output=output).astype({column: object})
    runs.loc[1, column] = value
    if ending == "csv":
        runs.to_csv(output, index=False)
    else:
        runs.to_parquet(output)
    for call in (
        lambda: antdoku.compare(puzzles, "dlx", max_steps=50, output=output),
        lambda: antdoku.compare(puzzles, "dlx", max_steps=50, output=output, force="changed"),
        lambda: antdoku.summary(output),
    ):
        with pytest.raises(antdoku.InputError, match=rf"runs.{ending}: row 2: {words}"):
            call()


def stopped(results, total):
    """Track three runs, and then interrupt the call."""
    yield from islice(results, 3)
    raise KeyboardInterrupt


@pytest.mark.parametrize("force", [False, "changed", True])
def test_a_journal_belongs_to_its_own_output(force, tmp_path):
    puzzles = antdoku.generate(order=2, fixed=0.5, count=4, seed=1)
    request: dict = {"puzzles": puzzles, "solvers": "dlx", "max_steps": 50}
    with pytest.raises(KeyboardInterrupt):
        antdoku.compare(**request, output=tmp_path / "monday.csv", track=stopped)
    (tmp_path / "notes.journal").mkdir()
    (tmp_path / "dead.journal").symlink_to(tmp_path / "nothing")
    lines = (tmp_path / "monday.csv.journal").read_text().splitlines()
    times = {json.loads(line)["row"]["wall_s"] for line in lines}
    runs = antdoku.compare(**request, output=tmp_path / "tuesday.csv", force=force)
    assert len(times) == 3 and not times & {*runs["wall_s"]}
    runs = antdoku.compare(**request, output=tmp_path / "monday.csv", force=force)
    assert len(times & {*runs["wall_s"]}) == (0 if force is True else 3)


def test_force_begins_anew_each_time(tmp_path):
    puzzles = antdoku.generate(order=2, fixed=0.5, count=4, seed=1)
    request: dict = {"puzzles": puzzles, "solvers": "dlx", "output": tmp_path / "runs.csv"}
    for max_steps in (50, 51):
        with pytest.raises(KeyboardInterrupt):
            antdoku.compare(**request, max_steps=max_steps, force=True, track=stopped)
    lines = (tmp_path / "runs.csv.journal").read_text().splitlines()
    assert [json.loads(line)["row"]["limit_steps"] for line in lines] == [51] * 3
    assert len(antdoku.compare(**request, max_steps=51)) == 4  # continues


@pytest.mark.parametrize("name", ["/proc/runs.csv", "/proc/runs.parquet", "folder.csv", "dead.csv"])
def test_an_output_that_cannot_be_written_is_one_line(name, tmp_path):
    (tmp_path / "folder.csv.journal").mkdir()
    (tmp_path / "dead.csv.journal").symlink_to(tmp_path / "nothing" / "here")
    with pytest.raises(antdoku.InputError, match=rf"{name}.*: cannot be written: ") as caught:
        antdoku.compare(EXAMPLE, "dlx", max_steps=50, output=tmp_path / name)
    assert "\n" not in str(caught.value)
    if name.startswith("/proc"):
        with pytest.raises(antdoku.InputError, match=rf"{name}: cannot be written: "):
            antdoku.write(EXAMPLE, name)


def test_runs_of_an_interrupted_call_are_not_lost(tmp_path):
    def interrupted(**change):
        with pytest.raises(KeyboardInterrupt):
            antdoku.compare(**request | change, track=stopped)
        return journal.read_text()

    puzzles = antdoku.generate(order=2, fixed=0.5, count=4, seed=1)
    output, journal = tmp_path / "runs.csv", tmp_path / "runs.csv.journal"
    request = {"puzzles": puzzles, "solvers": ["dlx"], "max_steps": 50, "output": output}
    kept = interrupted()
    namesakes = [puzzle.renamed(name.name) for puzzle, name in zip(puzzles[::-1], puzzles)]
    changes = [
        ({"puzzles": puzzles[:2]}, "puzzles: .*-002.* only there"),
        ({"max_steps": 51}, "limit in steps: 50 there, 51 here"),
        ({"solvers": ["bs"]}, "solvers: dlx only there"),
        ({"puzzles": namesakes}, "other puzzles of these names"),
    ]
    for change, words in changes:
        with pytest.raises(antdoku.InputError, match=rf"csv.journal: .*drop \({words}\); repeat"):
            antdoku.compare(**request | change)
        assert journal.read_text() == kept
    with pytest.raises(antdoku.InputError, match=r"drop \(puzzles: .*-002.* only there\); repeat"):
        antdoku.compare(**request | {"puzzles": puzzles[:2]}, force="changed")
    assert journal.read_text() == kept
    assert interrupted(solvers=["dlx", "bs"], repetitions=2).startswith(kept)
    assert len(antdoku.compare(**request | {"max_steps": 51}, force=True)) == 4
    assert not journal.exists()
    of_51 = output.read_bytes()
    begun = interrupted(solvers=["dlx"], force="changed")  # other limits: all runs are repeated
    assert output.read_bytes() == of_51
    assert len(begun.splitlines()) == 3
    table = antdoku.compare(**request, force="changed")
    rows = [json.loads(line)["row"] for line in begun.splitlines()]
    kept_s = {row["instance_id"]: row["cpu_s"] for row in rows}
    assert kept_s.items() <= dict(zip(table["instance_id"], table["cpu_s"])).items()


def test_counts_are_numbers():
    count = antdoku.count("named:sabuncu3")
    assert (count, count.is_exact, count.in_time) == (27, True, True)
    bound = antdoku.count(np.zeros((9, 9), int), limit=5)
    assert bound == 5 and isinstance(bound, int) and str(bound) == "at least 5"
    assert str(pickle.loads(pickle.dumps(bound))) == "at least 5"


@pytest.mark.parametrize("ending", files.ENDINGS)
def test_puzzles_are_written_and_read_back(ending, tmp_path):
    puzzles = antdoku.generate(order=4, fixed=0.4, count=3, seed=5)
    antdoku.write(puzzles, tmp_path / f"x{ending}")
    again = antdoku.read(tmp_path / f"x{ending}")
    assert [p.givens.tolist() for p in again] == [p.givens.tolist() for p in puzzles]
    if not ending.startswith(".txt"):
        assert [puzzle.name for puzzle in again] == [puzzle.name for puzzle in puzzles]


@pytest.mark.parametrize("ending", [".txt", ".csv", ".json", ".parquet"])
def test_tables_and_texts_are_written_with_the_names_of_their_puzzles(ending, tmp_path):
    table = pd.DataFrame({"id": ["a", "b"], "puzzle": [EXAMPLE, EXAMPLE[::-1]], "note": [1, 2]})
    by_id = table.set_index("id")
    for number, source in enumerate((table, by_id, by_id["puzzle"], antdoku.read(table))):
        path = tmp_path / f"{number}{ending}"
        antdoku.write(source, path)
        again = antdoku.read(path)
        assert [puzzle.line for puzzle in again] == [EXAMPLE, EXAMPLE[::-1]]
        assert ending == ".txt" or [puzzle.name for puzzle in again] == ["a", "b"]
    with pytest.raises(antdoku.InputError, match="row 1: 3 cells"):
        antdoku.write(pd.DataFrame({"puzzle": ["123"]}), tmp_path / f"x{ending}")
    assert not (tmp_path / f"x{ending}").exists()


def test_puzzles_that_cannot_be_read_are_skipped():
    errors: list[antdoku.InputError] = []
    table = pd.DataFrame({"quiz": [EXAMPLE, EXAMPLE[1:], "5" + EXAMPLE[1:]], "x": "text"})
    assert len(antdoku.read(table, skip=errors.append)) == 2 and "row 2: 80 cells" in str(errors[0])
    grids = np.array([[1, 1, *[0] * 79], [1, 2, *[0] * 79]])
    for source, n_left, place in ((table, 2, "row 2"), (grids, 1, "the argument:1: ")):
        errors.clear()
        assert antdoku.read_grids(source, skip=errors.append).shape == (n_left, 81)
        assert place in str(errors[0]) and len(errors) == 1
    with pytest.raises(antdoku.InputError, match="Python column=NAME"):
        antdoku.solve_all(table.rename(columns={"quiz": "q"}))
    assert antdoku.read_grids(table[:1].rename(columns={"quiz": "q"}), column="q").shape == (1, 81)


@pytest.mark.parametrize("n_rows", [2, 9, 80, 82, 200])
def test_rows_of_an_array_are_puzzles_even_if_one_has_a_wrong_value(n_rows):
    errors: list[antdoku.InputError] = []
    grids = np.tile(antdoku.read_grids(EXAMPLE), (n_rows, 1))
    grids[1, 0] = 10
    puzzles = antdoku.read(grids, skip=errors.append)
    assert len(puzzles) == n_rows - 1 and "2: r1c1: 10: must be a whole number" in str(errors[0])
    assert [puzzle.name[-2:] for puzzle in puzzles[:2]] == [":1", ":3"][: n_rows - 1]


def test_an_odd_row_of_a_table_is_named():
    table = pd.DataFrame({"puzzle": [EXAMPLE] * 40_000, "note": "text"})
    table.loc[33_333, "puzzle"] = " ".join(EXAMPLE)
    assert (antdoku.read_grids(table) == antdoku.read_grids(EXAMPLE)).all()
    table.loc[33_333, "puzzle"] = "123"
    with pytest.raises(antdoku.InputError, match="row 33334: 3 cells"):
        antdoku.read_grids(table)


def test_a_notebook_shows_bad_input_as_one_line(capsys):
    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    result = shell.run_cell("import antdoku\nantdoku.solve('5')")
    shown = "".join(capsys.readouterr())
    assert isinstance(result.error_in_exec, antdoku.InputError)
    assert shown.strip() == f"InputError: {result.error_in_exec}"
    assert traceback.format_exception(result.error_in_exec)[0].startswith("Traceback")


def test_comparing_gives_a_row_a_run():
    puzzles = antdoku.generate(size=9, clues=29, count=3, seed=2)
    assert puzzles[0].n_givens == 29 and antdoku.read({0: puzzles[0]}.values()) == puzzles[:1]
    variants = {"few": {"solver": "acs", "params": {"m": 2}}, "bs": {"solver": "bs"}}
    table = antdoku.compare(puzzles, variants, max_steps=300, repetitions=2)
    assert list(table) == [*columns.RUN_COLUMNS, "puzzle"]
    assert table.groupby("variant").size().to_dict() == {"bs": 6, "few": 6}
    assert set(table["instance_id"]) == {puzzle.name for puzzle in puzzles}
    again = antdoku.compare(puzzles, variants, max_steps=300, repetitions=2, jobs=2)
    kept = ["instance_id", "variant", "repetition", "status", "steps", "seed"]
    pd.testing.assert_frame_equal(table[kept], again[kept])
    assert list(antdoku.compare(puzzles[0], "dlx", max_steps=999)["status"]) == ["solved"]
    named = {"few": "acs:m=3", "second": {"solver": "dlx"}}
    runs = antdoku.compare(EXAMPLE, named, max_steps=999)
    assert dict(runs[["variant", "label"]].to_numpy()) == {
        "few": "ACS (few)",
        "second": "DLX (second)",
    }


def test_runs_say_why_they_failed_and_a_summary_counts_them(tmp_path, capfd):
    def fails(puzzle, params, rng, budget):
        return 1 / 0

    request = ["named:soto", {"mine": fails, "dlx": "dlx"}]
    runs = antdoku.compare(*request, max_steps=99, output=tmp_path / "runs.csv")
    assert capfd.readouterr().err.count("ZeroDivisionError") == 3
    reasons = {"error": "test_api.py:.*: ZeroDivisionError: division by zero", "solved": ""}
    assert all(map(re.fullmatch, runs["status"].map(reasons), runs["message"]))
    again = antdoku.compare(*request, max_steps=99, output=tmp_path / "runs.csv")
    assert again["message"].equals(runs["message"])
    for source in (runs, tmp_path / "runs.csv"):
        assert antdoku.summary(source)["failed"].to_dict() == {"dlx": 0, "mine": 9}
    ranking = as_text(antdoku.summary(runs))
    assert list(ranking["failed"]) == ["0", "9"]
    assert "failed" not in as_text(antdoku.summary(runs[runs["variant"] == "dlx"]))


WITH_PARAMS = [
    lambda params: antdoku.solve(EXAMPLE, "acs", params=params),
    lambda params: antdoku.solve_all(EXAMPLE, "acs", params=params),
    lambda params: antdoku.watch(EXAMPLE, params=params),
    lambda params: antdoku.compare(EXAMPLE, {"a": {"solver": "acs", "params": params}}),
]
WRONG = [(antdoku.solve("." * 81).solution, "is given")]
TWICE = pd.DataFrame({"Id": ["a", "a"], "puzzle": [EXAMPLE, EXAMPLE]})
NO_ANSWERS = [antdoku.solve(EXAMPLE), antdoku.count(EXAMPLE), [1], 1, None, [None], "text"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: antdoku.solve(EXAMPLE, "acs", max_steps=1.5), "step limit 1.5: must be"),
        (lambda: antdoku.solve(EXAMPLE, timeout=float("nan")), "time limit nan: must be more"),
        (lambda: antdoku.solve(EXAMPLE, timeout="soon"), "time limit 'soon': must be a number"),
        (lambda: antdoku.solve_all(EXAMPLE, jobs=0), "jobs 0: must be a whole number, 1 or more"),
        (lambda: antdoku.solve("named:soto"), "9 puzzles where one is wanted; .*solve_all"),
        (
            lambda: list(antdoku.solve_all(iter([*antdoku.read(EXAMPLE), EXAMPLE]))),
            "str among the puzzles",
        ),
        (lambda: antdoku.generate(3, 0.4, seed=1.5), "seed 1.5: must be a whole number, 0 or"),
        (lambda: antdoku.solve(EXAMPLE, 5), "solver 5: must be a name, a file, a module or a"),
        (
            lambda: antdoku.solve(EXAMPLE, SimpleNamespace(solve=max)),
            "a file, a module or a function; give its method solve",
        ),
        (lambda: antdoku.compare(EXAMPLE, []), "there is no solver to compare: name some"),
        (lambda: antdoku.compare([BLANK_81] * 2, "dlx"), "twice: each puzzle needs its own name"),
        (lambda: antdoku.compare(TWICE, "dlx"), "puzzles: column Id: a stands there twice: each"),
        (lambda: antdoku.compare(TWICE.set_index("Id"), "dlx"), "puzzles: column Id: a stands the"),
        (lambda: antdoku.check(TWICE, TWICE), "2 puzzles where one is wanted; check_all checks"),
        (lambda: antdoku.check(antdoku.solve(EXAMPLE)), r"check\(puzzle, result\) checks the"),
        (lambda: antdoku.check_all([antdoku.solve(EXAMPLE)]), r"check_all\(puzzles, results\)"),
        (
            lambda: antdoku.read(antdoku.solve(EXAMPLE)),
            "Result: allowed are .*; take result.puzzle",
        ),
        (lambda: antdoku.compare(EXAMPLE, ["dlx", "dlx"]), "two solvers are called dlx: give one"),
        (lambda: antdoku.solve(BLANK_81, "acs"), "solver acs: order 9: must be from 2 to 8"),
        (lambda: antdoku.compare([BLANK_81], ["sa", "ga"]), "solver ga: order 9: must be from"),
        (lambda: antdoku.check(EXAMPLE, f"{EXAMPLE}\n{EXAMPLE}"), "2 grids for 1 puzzle: must be"),
        (lambda: antdoku.check(EXAMPLE, "." * 16), "a grid of order 2, but its puzzle of order 3"),
        (lambda: antdoku.Puzzle(EXAMPLE), "these are whole numbers; antdoku.read makes puzzles"),
        (lambda: antdoku.Puzzle(3), "0 cells: a puzzle of order 3 has 81"),
        (lambda: antdoku.solve(EXAMPLE, "acs", params={"ro": 0.9}), "did you mean rho?"),
        (lambda: antdoku.solve(EXAMPLE, "ACS"), "did you mean acs?"),
        (lambda: antdoku.solve(EXAMPLE, "acs:m=3", params={"m": 4}), "acs:m=3: m is given twice"),
        (lambda: antdoku.count("named:soto"), "9 puzzles where one is wanted; count_all"),
        (lambda: antdoku.generate(3), "fixed or clues: give one of the two"),
        (lambda: antdoku.generate(size=10, fixed=0.4), "size 10: must be one of 4, 9"),
        (lambda: antdoku.count(EXAMPLE, limit=0), "limit 0: must be a whole number from 1"),
        (lambda: antdoku.generate(3, 0.4, unique=True, deletion="bernoulli"), "unique puzzles"),
        (lambda: antdoku.compare(EXAMPLE, {"a": {"solvr": "acs"}}), "variant a: solvr: must be so"),
        *((lambda call=call: call([1]), r"params \[1\]: must be a dict") for call in WITH_PARAMS),
        *((lambda wrong=wrong: antdoku.frame(wrong), "frame takes a list") for wrong in NO_ANSWERS),
        (lambda: pictures.puzzle(EXAMPLE, EXAMPLE), "ax: must be axes; .*puzzle_and_solution"),
        *(
            (lambda wrong=wrong: pictures.puzzle_and_solution(EXAMPLE, wrong), f": not a .*{words}")
            for wrong, words in [(EXAMPLE, "r1c3 is blank"), ("1" * 16, "16 cells"), *WRONG]
        ),
        (lambda: antdoku.check_all(EXAMPLE, antdoku.compare(EXAMPLE, "dlx")), "of runs has no sol"),
        (lambda: antdoku.check_all([EXAMPLE] * 2, [WRONG[0][0], None]), "2 is None; give results"),
        (lambda: antdoku.read({}), "the argument: the dictionary is empty"),
        (lambda: antdoku.read(np.full((2, 81), 5.0000001)), "r1c1: 5.0000001: must be a whole"),
        (lambda: antdoku.write([antdoku.solve(EXAMPLE)], "x.csv"), "take result.puzzle"),
        (lambda: antdoku.write("x.csv", [EXAMPLE]), "list in place of the path of a file"),
        (lambda: antdoku.compare(EXAMPLE, "dlx", output=5), "int in place of the path of a file"),
        (lambda: antdoku.compare(EXAMPLE, {5: "dlx"}), "variant 5: its name must be a text"),
        (lambda: antdoku.compare(EXAMPLE, np.array(["dlx", "x"])), "unknown solver .*'x'"),
        (lambda: antdoku.solve_all(EXAMPLE, track=5), "track 5: must be True, False or"),
        (
            lambda: antdoku.compare(EXAMPLE, "dlx", force="x"),
            "force 'x': must be True, False or 'c",
        ),
        (lambda: antdoku.read([]), "there is no puzzle in it"),
        (lambda: antdoku.compare(pd.DataFrame(), "dlx"), "there is no puzzle in it"),
        (lambda: antdoku.solve_all(EXAMPLE, track=print), "must return or yield the rows"),
        (lambda: antdoku.read(EXAMPLE, skip=True), "skip True: must be a function"),
        (lambda: antdoku.read(EXAMPLE, symbols=9), "symbols 9: must be a text"),
        (lambda: antdoku.solve_grids(EXAMPLE, timeout="1"), "time limit '1': must be a number"),
        (lambda: antdoku.solve_grids(EXAMPLE, max_steps=10**30), "step limit 10*: must be a whole"),
        (lambda: antdoku.generate(size=[9], clues=30), r"size \[9\]: must be a whole number"),
        (lambda: antdoku.compare(EXAMPLE, "dlx,acs"), r"must be a list of names: \['dlx', 'acs'\]"),
        (lambda: antdoku.summary("x.csv.gz"), "x.csv.gz: the name must end in .parquet or .csv"),
        (lambda: antdoku.plot("x.pkl"), "x.pkl: the name must end in .parquet or .csv"),
        (lambda: antdoku.solve(EXAMPLE, params=pd.Series({"m": 5})), "params m 5 dtype: .*: must"),
    ],
)
def test_mistakes_are_one_line(call, words):
    with pytest.raises(antdoku.InputError, match=words) as caught:
        call()
    assert len(str(caught.value).splitlines()) == 1


def test_tables_and_arrays_are_compared_and_a_table_of_runs_is_read_again():
    puzzle = antdoku.read(EXAMPLE)[0]
    for source in (pd.DataFrame({"puzzle": [EXAMPLE]}), pd.Series([EXAMPLE]), puzzle.grid):
        runs = antdoku.compare(source, ["dlx"], max_steps=1000)
        assert len(runs) == 1 and antdoku.read(runs)[0].line == EXAMPLE


def test_two_puzzles_of_one_name_are_named(tmp_path):
    table = pd.DataFrame({"id": ["a", "b", "a"], "puzzle": [EXAMPLE] * 3})
    for function in (antdoku.solve_all, antdoku.count_all):
        with pytest.warns(UserWarning, match="^a: two puzzles have this name$") as caught:
            list(function(table))
        assert caught[0].filename == __file__
    with warnings.catch_warnings(action="error"):
        list(antdoku.solve_all(table[:2]))
    (tmp_path / "a.txt").write_text(EXAMPLE)
    with pytest.raises(antdoku.InputError, match=r"a\.txt: is given twice; name it once$"):
        antdoku.compare([str(tmp_path / "a.txt")] * 2, "dlx")


def test_equal_puzzles_of_several_names_are_named():
    other = EXAMPLE.replace("5", ".", 1)
    with pytest.warns(UserWarning) as caught:
        antdoku.compare([EXAMPLE, other, EXAMPLE, EXAMPLE], "dlx", max_steps=1000)
    words = "puzzle 1 and puzzle 3 are the same puzzle (2 different of 4 puzzles); each"
    assert [str(warning.message) for warning in caught] == [f"{words} name counts as a puzzle"]
    assert caught[0].filename == __file__
    with warnings.catch_warnings(action="error"):
        antdoku.compare([EXAMPLE, other], "dlx", max_steps=1000)


def test_runs_are_in_the_order_of_the_puzzles_and_of_the_solvers():
    grids = antdoku.read_grids(antdoku.generate(order=2, fixed=0.5, count=12, seed=1))
    grids = [" ".join(map(str, row)) for row in grids]
    runs = antdoku.compare(grids, ["dlx", "bs"], max_steps=100, repetitions=2)
    assert runs["puzzle"].tolist() == [grid for grid in grids for _ in range(4)]
    assert runs["variant"].tolist()[:4] == ["dlx", "dlx", "bs", "bs"]
    assert runs["repetition"].tolist()[:4] == [0, 1, 0, 1]


def test_other_puzzles_have_other_names():
    options: list[dict] = [{}, {"base": "root"}, {"source": "search"}, {"deletion": "bernoulli"}]
    options += [{"unique": True}, {"minimal": True}, {"unique": True, "base": "root"}]
    names = [antdoku.generate(2, 0.3, seed=1, **option)[0].name for option in options]
    assert len({*names}) == len(names)
    assert names[:2] == ["order2-p030-seed1-000", "root-order2-p030-seed1-000"]


def test_puzzles_of_one_name_and_runs_without_seconds_are_not_compared(tmp_path):
    easy, hard = (antdoku.generate(2, fixed, count=2, seed=1) for fixed in (0.8, 0.3))
    several = [antdoku.compare([p.line for p in part], "dlx", max_steps=9) for part in (easy, hard)]
    runs = pd.concat(several)
    runs.to_parquet(tmp_path / "runs.parquet")
    for source in (runs, tmp_path / "runs.parquet", pa.Table.from_pandas(runs)):
        with pytest.raises(antdoku.InputError, match="puzzle 1: two puzzles have this name; give"):
            antdoku.summary(source)
    assert len(antdoku.summary(pa.Table.from_pandas(several[0]))) == 1
    with pytest.raises(antdoku.InputError, match="cpu_s: must be seconds, 0 or more"):
        antdoku.summary(several[0].assign(cpu_s=-1.0))


def test_runs_are_summed_up_with_any_index_and_as_columns_alone():
    runs = antdoku.compare(antdoku.generate(2, 0.5, count=3), ["dlx", "bs"], max_steps=9)
    expected = antdoku.summary(runs)
    indices = (["instance_id"], ["instance_id", "variant"], ["status"])
    tables = [runs.set_index(names, drop=drop) for names in indices for drop in (True, False)]
    for table in (*tables, runs.reset_index(), runs.groupby("variant").apply(lambda group: group)):
        pd.testing.assert_frame_equal(antdoku.summary(table), expected)
    wrong = {
        "DataFrameGroupBy: must be a table": runs.groupby("variant"),
        "Series: must be a table of runs": runs["status"],
        "DataFrame: two columns are called status": pd.concat([runs, runs[["status"]]], axis=1),
    }
    for words, table in wrong.items():
        with pytest.raises(antdoku.InputError, match=words):
            antdoku.summary(table)


def test_a_dict_names_its_puzzles():
    puzzles = {"b": antdoku.read(EXAMPLE)[0], "a": antdoku.generate(2, 0.5)[0], 3: BLANK_81}
    read = antdoku.read(puzzles)
    assert [puzzle.name for puzzle in read] == ["b", "a", "3"] and read == [*puzzles.values()]
    assert next(antdoku.count_all(puzzles, 1)).puzzle.name == "b"
    grids = {name: puzzles[name].grid for name in ("a", "b")}
    assert [(puzzle.name, puzzle.order) for puzzle in antdoku.read(grids)] == [("a", 2), ("b", 3)]


FORMS = {
    "(81,)": np.ravel,
    "(9, 9)": np.asarray,
    "(1, 81)": lambda grid: grid.reshape(1, 81),
    "list": lambda grid: grid.ravel().tolist(),
    "rows": lambda grid: grid.tolist(),
    "rows of text": lambda grid: ["".join(map(str, row)) for row in grid],
    "texts": lambda grid: "".join(map(str, grid.ravel())),
    "drawn": lambda grid: "\n".join("".join(map(str, row)) for row in grid),
    "objects": lambda grid: np.where(grid, grid.astype(object), None),
    "missing": lambda grid: np.where(grid, grid, np.nan),
    "Series": lambda grid: pd.Series(grid.ravel()),
    "DataFrame": pd.DataFrame,
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("n_grids", [2, 9])
def test_a_dict_names_grids_of_each_form(form, n_grids):
    grid = antdoku.read(EXAMPLE)[0].grid.astype(int)
    grids = {f"n{n}": np.where(grid, (grid + n) % 9 + 1, 0) for n in range(n_grids)}
    named = {name: form(cells) for name, cells in grids.items()}
    puzzles = antdoku.read(named)
    assert [puzzle.name for puzzle in puzzles] == [*grids]
    assert all((puzzle.grid == grids[puzzle.name]).all() for puzzle in puzzles)
    (only,) = antdoku.read(named, column="n1")
    assert (only.grid == grids["n1"]).all()
    solved = {"a": form(grid), "b": form(antdoku.solve(EXAMPLE).solution)}  # which it may solve
    assert [puzzle.n_givens for puzzle in antdoku.read(solved)] == [30]


SHAPES = [(81, 5), (9, 9, 5), (9, 9, 2), (5, 80), (3, 9, 8), (9, 10)]


@pytest.mark.parametrize("shape", SHAPES)
def test_an_array_of_a_shape_that_no_puzzles_have_is_refused_by_its_shape(shape):
    words = rf"argument: an array of shape {shape}: allowed are (81,), (9, 9), (n, 81) or"
    for read in (antdoku.read, antdoku.read_grids):
        with pytest.raises(antdoku.InputError, match=re.escape(words)):
            read(np.zeros(shape, int))


@pytest.mark.parametrize("size", [9, 16])
def test_values_of_arrays_count_from_1_with_a_conflict_too(size):
    grid = np.zeros((size, size), int)
    grid[0, :2] = 5
    for source in (grid, grid.tolist(), grid.ravel(), grid[None], grid.astype(object)):
        assert antdoku.read(source, rules=False)[0].grid.tolist() == grid.tolist()
        with pytest.raises(antdoku.InputError, match="r1c1 and r1c2: the row has the given 5 tw"):
            antdoku.read(source)


def test_complete_grids_from_0_are_told_from_blanks_without_rules_too():
    for rules in (True, False):
        small, large = (antdoku.solve("." * size**2).solution - 1 for size in (9, 16))
        assert (antdoku.read(large, rules=rules)[0].grid == large + 1).all()
        with pytest.raises(antdoku.InputError, match="may be in 1-9 or 0-8"):
            antdoku.read(small, rules=rules)


def test_missing_texts_and_solutions_are_read_as_arrays(tmp_path, monkeypatch):
    """One by one, a million would take half a minute."""
    monkeypatch.setattr(formats, "cells_of_texts", None)
    monkeypatch.setattr(tables, "cells_of_table", None)
    texts = pd.Series([EXAMPLE] * 5000, dtype=object)
    texts[[0, 2500, 4999]] = None, np.nan, pd.NA
    texts[7] = f"55{EXAMPLE[2:]}"
    errors: list = []
    assert antdoku.read_grids(texts, skip=errors.append).shape == (4996, 81)
    assert sorted(error.line for error in errors) == [1, 8, 2501, 5000]
    names = [puzzle.name for puzzle in antdoku.read(texts, skip=errors.append)]
    assert [name.rpartition(":")[2] for name in (names[0], names[-1])] == ["2", "4999"]
    with pytest.raises(antdoku.InputError, match="the argument:1: the puzzle is empty"):
        antdoku.read_grids(texts)
    solution = antdoku.solve(EXAMPLE).line
    pd.DataFrame({"puzzle": EXAMPLE, "solution": [solution] * 3}).to_csv(tmp_path / "x.csv")
    grids = antdoku.read_grids(tmp_path / "x.csv", column="solution")
    assert (grids == antdoku.read_grids(solution)).all() and len(grids) == 3
    assert all(antdoku.check_all(tmp_path / "x.csv", tmp_path / "x.csv"))


def test_puzzles_as_whole_numbers_are_to_be_read_as_texts():
    number = int(EXAMPLE.replace(".", "0"))
    for source in (pd.Series([number] * 2, dtype=object), [number], [1234123412341234]):
        with pytest.raises(antdoku.InputError, match=r"digits is no cell; read them as texts"):
            antdoku.read(source)
