"""Repeated runs, and the commit in the provenance."""

import json
import subprocess

import pytest
from click.testing import CliRunner
from runs_by_hand import runs_of

from antdoku.config.model import Block
from antdoku.instances.families import make_all
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.puzzle.writing import read_integers
from antdoku.runs import provenance, verification
from antdoku.runs.run import Call, columns_of_solver, run_once
from antdoku.solvers import make_params

RANDOM = {"source": "shuffle", "count": 3, "orders": [3], "fixed_fractions": [0.35]}
RANDOM["limits_s"] = {"order3": 1}
UNIQUE = {"order": 3, "fixed_fraction": 0.36, "count": 2}
PUZZLES = {
    "soto": {"from": "named:soto", "limit_s": 1},
    "hard": {"from": "named:goldennugget", "limit_s": 1},
    "steered": {"unique": UNIQUE | {"fixed_after_cp": [0.6, 1]}, "limit_s": 1},
}
BLOCK = {"random": RANDOM, "puzzles": PUZZLES, "variants": {"bs": {"solver": "bs"}}}
CONFIG = {"seed": 7, "lloyd_amos": BLOCK}
VARIANTS = {"acs": ("acs", {}, 40), "bs": ("bs", {}, 1000), "ga_200": ("ga", {}, 200)}


def rows_on(instance, number):
    """Rows of the runs of all variants on an instance."""
    puzzle = read_integers(instance["puzzle"], instance["instance_id"])
    for variant, (solver, given, limit) in VARIANTS.items():
        params = make_params(solver, given)
        run = run_once(Call(puzzle, solver, params, number, max_steps=limit))
        facts = {name: instance[name] for name in ("instance_id", "family", "order")}
        facts |= {"fixed_fraction": instance["fixed_fraction"], "limit_steps": limit}
        result = {"status": run.status, "steps": run.steps, "cpu_s": run.cpu_s, "seed": number}
        yield facts | {"variant": variant} | columns_of_solver(solver, params) | result


@pytest.fixture(scope="module")
def honest():
    """Runs as the solvers did them."""
    instances = make_all("lloyd_amos", Block.model_validate(BLOCK).families(7)).to_dict("records")
    return runs_of(*(row for k, instance in enumerate(instances) for row in rows_on(instance, k)))


def write_results(folder, runs, config=CONFIG):
    (folder / "tables").mkdir()
    runs.to_parquet(folder / "tables" / "runs.parquet", index=False)
    (folder / "provenance.json").write_text(json.dumps({"config": config}))
    return folder


def verify(folder):
    """Exit status, lines on standard output, and those on standard error."""
    result = CliRunner().invoke(verification.main, [str(folder)])
    return result.exit_code, result.stdout.splitlines(), result.stderr.strip()


def test_honest_runs_are_the_same(tmp_path, honest):
    with_steps = (honest["steps"] > 0).sum()
    assert set(honest["status"]) == {SOLVED, TIMEOUT} and 20 < with_steps < len(honest)
    status, (line,), first = verify(write_results(tmp_path, honest))
    assert status == 0 and first.startswith(f"verify: {with_steps} of {with_steps} runs, ")
    start = f"verify: {with_steps} of {with_steps} runs the same, status and steps to the bit ("
    assert line.startswith(start)


@pytest.mark.parametrize(
    ("ended", "changed", "line"),
    [
        (SOLVED, {"steps": 39}, "solved after 39 steps, now solved after "),
        (TIMEOUT, {"status": SOLVED}, "solved after 40 steps, now timeout after 40"),
        (SOLVED, {"steps": 39, "source_hash": "another"}, "; its code has changed since"),
    ],
)
def test_a_row_that_was_changed_is_found(tmp_path, honest, ended, changed, line):
    runs = honest.copy()
    at = ((runs["variant"] == "acs") & (runs["status"] == ended) & (runs["steps"] > 2)).idxmax()
    runs.loc[at, [*changed]] = [*changed.values()]
    status, (difference, last), _ = verify(write_results(tmp_path, runs))
    assert status == 1 and line in difference
    assert difference.startswith(f"lloyd_amos/acs, {runs['instance_id'][at]}, repetition 0: ")
    n_runs = (runs["steps"] > 0).sum()
    assert last.startswith(f"verify: {n_runs - 1} of {n_runs} runs the same")


def test_only_runs_whose_end_steps_decide_are_drawn(tmp_path):
    runs = runs_of(
        {"instance_id": "by steps", "limit_steps": 10, "status": TIMEOUT},
        {"instance_id": "solved before", "limit_steps": 20},
        {"instance_id": "by seconds"},
        {"instance_id": "by the guard", "limit_steps": 20, "status": TIMEOUT},
        {"instance_id": "by propagation", "limit_steps": 20, "steps": 0},
    )
    read, config = verification.read(write_results(tmp_path, runs))
    assert [*read["instance_id"]] == ["by steps", "solved before"]
    # Laid over the experiments of the papers.
    assert config["seed"] == 7 and "generators" in config
    assert config["lloyd_amos"]["random"]["count"] == RANDOM["count"]


def test_runs_are_drawn_equally_of_all_variants_within_a_time():
    rows = [{"variant": "bs" if k % 9 == 0 else "acs", "repetition": k} for k in range(90)]
    runs = runs_of(*rows).assign(cpu_s=[2.0, 2.0] + 88 * [0.1])
    drawn = verification.draw(runs, 30, 100.0)
    assert dict(drawn["variant"].value_counts()) == {"acs": 20, "bs": 10}
    assert drawn["repetition"].is_unique
    assert drawn.equals(verification.draw(runs, 30, 100.0))
    assert not drawn.equals(verification.draw(runs, 30, 100.0, seed=2))
    assert len(verification.draw(runs, 1000, 100.0)) == 90
    assert verification.draw(runs, 50, 3.0)["cpu_s"].sum() <= 3.0
    assert verification.draw(runs, 1000, 100.0, 0.5)["cpu_s"].max() == 0.1


def test_results_without_runs_to_verify_are_refused_in_one_line(tmp_path, honest):
    assert verify(tmp_path)[0] == 2
    write_results(tmp_path, honest.assign(limit_steps=-1))
    assert "no run that is short enough and that steps ended" in verify(tmp_path)[2]


# --- The commit ----------------------------------------------------------------------------------


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with one commit, as the working directory."""
    monkeypatch.chdir(tmp_path)
    for name in ("src/antdoku/solvers/acs.py", "workflow/Snakefile", "config/config.yaml"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    (tmp_path / ".gitignore").write_text("__pycache__/\n")
    me = ("-c", "user.name=me", "-c", "user.email=me@localhost")
    for words in (("init", "--quiet"), ("add", "."), (*me, "commit", "--quiet", "-m", "all")):
        subprocess.run(["git", *words], check=True)
    return tmp_path


@pytest.mark.parametrize(
    ("file", "is_dirty"),
    [
        ("src/antdoku/solvers/mine.py", True),
        ("config/config.yaml", True),  # known, and edited
        ("src/antdoku/solvers/__pycache__/acs.pyc", False),
        ("notes.txt", False),
    ],
)
def test_a_tree_with_a_change_that_decides_results_is_not_clean(
    repository, file, is_dirty, monkeypatch
):
    clean = provenance.commit()
    assert len(clean) == 40
    (repository / file).parent.mkdir(exist_ok=True)
    (repository / file).write_text("edited")
    monkeypatch.chdir(repository / "workflow")
    assert provenance.commit() == clean + "-dirty" * is_dirty


def test_outside_of_git_there_is_no_commit(repository, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(repository.parents[1]))
    monkeypatch.chdir(repository.parent)
    assert provenance.commit() is None
