"""The plan: a row for each run, dealt to parts; and the runs of all parts in one file."""

import json
import shutil

import attrs
import numpy as np
import pandas as pd
import pytest
from conftest import ROOT, configured, random_table, read_yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from runs_by_hand import runs_of

from antdoku import papers, solvers
from antdoku.columns import COLUMNS, PLAN_COLUMNS
from antdoku.errors import InputError
from antdoku.instances.families import GeneratedFamily, make_all
from antdoku.outcome import ERROR, INVALID, SOLVED
from antdoku.papers import published
from antdoku.papers.lewis import tables as lewis
from antdoku.puzzle.unavoidable import unavoidable_sets
from antdoku.runs import job, plan
from antdoku.runs.collection import check, collect
from antdoku.runs.job import RUN_KEY
from antdoku.runs.run import columns_of_solver
from antdoku.solvers import make_params
from antdoku.tables.summary import labelled

CONFIG = ROOT / "config"
PUBLISHED = ROOT / "docs" / "results" / "tables" / "runs.parquet"
KEY = ["experiment", *RUN_KEY]


def planned(*overlays):
    return plan.make(configured(*overlays))


@pytest.fixture(scope="module")
def default():
    return planned()


def test_the_published_runs_are_in_the_plan_of_the_default(default):
    assert {name: str(dtype) for name, dtype in default.dtypes.items()} == PLAN_COLUMNS
    runs = pd.read_parquet(PUBLISHED).set_index(KEY).sort_index()
    rows = default.set_index(KEY).sort_index()
    assert runs.index.isin(rows.index).all()
    rows = rows.loc[runs.index]
    for name in ("order", "fixed_fraction", "seed", "limit_s", "limit_steps"):
        assert (rows[name] == runs[name]).all(), name


NAMED = ["experiment", "variant", "solver", "params"]


@pytest.fixture(scope="module")
def variants(default):
    """Solver and parameters of each experiment and variant of the default configuration."""
    return default[NAMED].drop_duplicates().set_index(NAMED[:2])


def test_the_configuration_runs_the_algorithms_that_were_published(variants):
    published_variants = pd.read_parquet(PUBLISHED, columns=NAMED).drop_duplicates()
    for row in published_variants.itertuples():
        solver, given = row.solver, json.loads(row.params)
        if solver == "acs_restart":  # it was a solver of its own
            given["restart"] = given.pop("schedule")
            solver = "acs"
        now = variants.loc[(row.experiment, row.variant)]
        defaults = attrs.asdict(solvers.get(solver).Params())
        assert (now["solver"], json.loads(now["params"])) == (solver, defaults | given), row.variant


def test_the_plan_has_the_labels_of_the_papers_or_of_the_configuration(default):
    labels = dict(zip(default["variant"], default["label"]))
    assert {name: papers.variants()[name].label for name in labels} == labels
    grid = {"m": [3, 5]}
    entries = {
        "acs": {"label": "Mine", "color": "#123456"},
        "few": {"solver": "acs", "label": "Few", "grid": grid},
        "plain": {"solver": "acs", "grid": grid},
    }
    puzzles = {"named": {"repetitions": 1}}
    block = {"random": None, "puzzles": puzzles, "variants": entries}
    rows = planned({"experiments": ["lloyd_amos"], "lloyd_amos": block})
    labels = dict(zip(rows["variant"], rows["label"]))
    assert (labels["acs"], labels["dlx"]) == ("Mine", "DLX")
    assert (labels["few__3"], labels["few__5"]) == ("Few, m=3", "Few, m=5")
    assert (labels["plain__3"], labels["plain__5"]) == ("ACS, m=3", "ACS, m=5")
    assert dict(zip(rows["variant"], rows["color"]))["acs"] == "#123456"
    assert plan.digests(rows) == plan.digests(rows.assign(label="other", color="#000000"))


def test_the_configuration_s_variants_have_their_labels(variants):
    for _, of_experiment in variants.groupby("experiment"):
        rows = (
            columns_of_solver(row.solver, make_params(row.solver, json.loads(row.params)))
            | {"variant": row.Index[1]}
            for row in of_experiment.itertuples()
        )
        for row in labelled(pd.DataFrame(rows), papers.variants()).itertuples():
            assert row.label == papers.variants()[row.variant].label


def test_all_shipped_configurations_give_a_fit_number_of_parts(default):
    assert 50 < default["part"].nunique() < 200
    for name, low, high in (("quick", 0, 25), ("paper", 300, 5000)):
        assert low < planned(read_yaml(CONFIG / f"{name}.yaml"))["part"].nunique() < high


def test_the_first_look_has_each_point_and_each_repeated_puzzle(default):
    look = plan.first_look(default)
    assert 0.04 < len(look) / len(default) < 1 / 16
    points = ["experiment", "family", "variant"]
    assert len(look[points].drop_duplicates()) == len(default[points].drop_duplicates())
    for family in ("named", "soto"):
        puzzles = (rows.loc[rows["family"] == family, "instance_id"] for rows in (look, default))
        assert len({*map(frozenset, puzzles)}) == 1
    assert plan.first_look(planned(read_yaml(CONFIG / "quick.yaml"))).empty


@settings(deadline=None, max_examples=20)
@given(
    count=st.integers(1, 40),
    repetitions=st.integers(1, 40),
    limit=st.floats(0.01, 1000),
    longest=st.floats(1, 100_000),
    parts=st.integers(1, 20),
)
def test_pairs_are_dealt_so_that_no_part_takes_too_long(count, repetitions, limit, longest, parts):
    random = {"count": count, "orders": [4], "fixed_fractions": [0.45, 0.5]}
    puzzles = {"named": {"repetitions": repetitions, "limit_s": limit}}
    random |= {"limits_s": {"order4": limit}, "more": []}
    block = {"random": random, "puzzles": puzzles}
    jobs = {"longest_s": longest, "parts": parts}
    rows = planned({"experiments": ["lloyd_amos"], "lloyd_amos": block, "jobs": jobs})
    n_variants = rows["variant"].nunique()
    assert not rows.duplicated(KEY).any()
    assert len(rows) == n_variants * (2 * count + 16 * repetitions)
    pairs = rows.groupby(["family", "instance_id", "repetition"])["part"].nunique()
    assert (pairs == 1).all()  # all variants side by side
    sizes = rows.groupby("part").size() / n_variants
    assert sizes.max() - sizes.min() <= 1
    assert (sizes.max() - 1) * n_variants * limit <= longest * (1 + 1e-9)
    before, part = plan.digests(rows), rows.loc[5, "part"]
    rows.loc[5, "limit_s"] += 1
    after = plan.digests(rows)
    assert {name for name in after if after[name] != before[name]} == {part}


def test_jobs_are_as_many_as_is_asked_or_as_their_length_needs():
    random = {"count": 10, "orders": [4], "fixed_fractions": [0.45], "limits_s": {"order4": 60}}
    variants = {"cpsat": None, "cdcl": None}
    block = {"random": random, "puzzles": {"named": None}, "variants": variants}
    small = {"experiments": ["lloyd_amos"], "lloyd_amos": block}
    for jobs, number in (({}, 10), ({"parts": 2}, 2), ({"parts": 2, "longest_s": 1000}, 6)):
        assert planned(small, {"jobs": jobs})["part"].nunique() == number  # of ten instances


def test_variants_run_on_an_instance_before_the_next_in_an_order_of_its_own():
    instances = pd.DataFrame({"instance_id": [*"123456"], "family": "f", "order": 3})
    repetitions = {"a": 4, "b": 2, "c": 2, "d": 2}
    rows = [plan.variant_row(name, "bs", {}, repetitions=n) for name, n in repetitions.items()]
    runs = plan.cross(instances.assign(fixed_fraction=0.5), pd.DataFrame(rows), 1)
    names = runs["variant"].tolist()
    pairs = list(zip(runs["repetition"], runs["instance_id"]))
    assert pairs == sorted(pairs)
    groups = [tuple(names[k : k + 4]) for k in range(0, 2 * 6 * 4, 4)]
    assert all(sorted(group) == list("abcd") for group in groups) and len({*groups}) > 6
    assert names[48:] == ["a"] * 12


def limits_of(overlay, family="order5-p045"):
    rows = planned({"experiments": ["lloyd_amos"]}, overlay)
    rows = rows[rows["family"] == family].drop_duplicates("variant").set_index("variant")
    return dict(zip(rows.index, zip(rows["limit_steps"], rows["limit_s"])))


def test_work_limits_the_papers_systems_at_their_orders_and_seconds_the_others():
    limits, named = limits_of({}), limits_of({}, "named")
    # Twice the most work of any fixed fraction: 15,000 iterations, 37 million nodes, 500,000 tries.
    assert (limits["acs"], limits["acs_closure"]) == ((30_000, 120), (30_000, 120))
    assert limits["dlx"] == (74_000_000, 120)
    assert limits["cpsat"] == (-1, 120)
    assert (named["bs"], named["cdcl"]) == ((1_000_000, 5), (-1, 5))
    assert set(limits_of({"limit_by": "seconds"}).values()) == {(-1, 120)}
    random = {"orders": [6], "limits_s": {"order6": 7}}
    limits = limits_of({"lloyd_amos": {"random": random}}, "order6-p045")
    assert set(limits.values()) == {(-1, 7)}
    overlay = {"limit_steps": 7, "variants": {"dlx": {"limit_steps": None}}}
    overlay["variants"]["acs"] = {"limit_steps": 99}
    limits = limits_of({"lloyd_amos": overlay})
    assert limits["bs"] == limits["cpsat"] == (7, 120)
    assert limits["acs"] == (99, 120)
    assert limits["dlx"] == (74_000_000, 120)
    overlay = {"lloyd_amos": {"variants": {"cpsat": {"limits_s": {"order5": 7}}}}}
    assert limits_of(overlay)["cpsat"] == (-1, 7)
    assert limits_of(overlay, "named")["cpsat"] == (-1, 5)


def test_runs_go_on_to_the_upper_end_of_the_range_of_each_papers_work(default):
    rows = default[default["experiment"].isin(["lloyd_amos", "lewis"]) & default["reach"].notna()]
    for row in rows.drop_duplicates(["variant", "order", "fixed_fraction"]).itertuples():
        for edition in papers.of_experiment(row.experiment).editions:
            work = published.work(edition, row.solver, row.order, row.fixed_fraction)
            assert not work or row.limit_steps >= work.steps * work.factor, row


def test_a_solver_is_left_out_at_orders_that_it_does_not_take():
    random = {"orders": [8, 9], "limits_s": {"order8": 1, "order9": 2}}
    systems = {"sa": None, "sa_hybrid": None, "cp_sa": None, "acs": {"solver": "acs"}}
    overlay = {"experiments": ["lewis"], "lewis": {"random": random, "variants": systems}}
    with pytest.raises(InputError, match="lewis: order9-p000: none of acs works at order 9"):
        planned(overlay)
    del systems["sa"]
    rows = planned(overlay)
    variants = rows[rows["family"].str.startswith("order")].groupby("order")["variant"].unique()
    assert set(variants[8]) == {"sa", "acs"} and set(variants[9]) == {"sa"}
    assert plan.exceptions(configured(overlay)) == [
        "sa: limited by seconds at 64 × 64, where no work.csv has their work",
        "sa: limited by seconds at 81 × 81, where no work.csv has their work",
        "acs: not at 81 × 81 (ORDERS)",
    ]
    assert plan.exceptions(configured(overlay, {"limit_by": "seconds"})) == [
        "acs: not at 81 × 81 (ORDERS)"
    ]


def test_equal_puzzles_of_a_family_are_named(tmp_path):
    file = tmp_path / "own.csv"
    rows = ["a,1" + 80 * ".", "b,2" + 80 * ".", "c,1" + 80 * "."]
    file.write_text("\n".join(["name,puzzle", *rows]))
    own = {"puzzles": {"own": {"from": str(file), "limit_s": 1}}, "limit_steps": 10}
    settings = configured(
        {"experiments": ["mine"], "mine": own | {"variants": {"dlx": {"solver": "dlx"}}}}
    )
    (line,) = plan.exceptions(settings)
    assert line.startswith("mine: own: a and c are the same puzzle (2 different of 3 ")


def test_parameters_are_judged_together_and_a_grid_multiplies_variants():
    grid = {"solver": "acs", "params": {"m": 4}, "grid": {"q0": [0.5, 1], "greedy_rule": ["arxiv"]}}
    variants = {"mine": grid, "sa": None, "sa_hybrid": None, "cp_sa": None}
    rows = planned({"experiments": ["lewis"], "lewis": {"variants": variants}})
    assert {*rows["variant"]} == {"mine__0_5__arxiv", "mine__1__arxiv"}
    params = rows.drop_duplicates("variant").set_index("variant")["params"]
    assert '"m": 4' in params["mine__1__arxiv"] and '"q0": 1' in params["mine__1__arxiv"]


def test_every_row_of_lewis_table_1_has_a_family_that_is_made_like_it():
    families = {family.name: family for family in configured().blocks["lewis"].families(0)}
    assert set(lewis.COUNTERPARTS.values()) <= families.keys()
    for row in published.values("lewis_hybrid", "fixed_after_cp").itertuples():
        family = families[lewis.COUNTERPARTS[row.order, row.instance]]
        assert family.order == row.order
        if isinstance(family, GeneratedFamily):
            after = np.resize(family.fixed_after_cp, family.count)
            assert after.mean() == pytest.approx(row.value, abs=0.005)
            assert family.fixed == pytest.approx(row.fixed_fraction, abs=0.005)


def test_instances_are_planned_by_the_names_that_they_get(tmp_path):
    (tmp_path / "mine.txt").write_text("12" + 14 * "." + "\n" + "21" + 14 * "." + "\n")
    source = {"from": str(tmp_path / "mine.txt"), "limit_s": 1}
    unique = {"unique": {"order": 2, "fixed_fraction": 0.5, "count": 7}, "limit_s": 1}
    puzzles = {"mine": source, "made": unique}
    variants = {"dlx": {"solver": "dlx"}}
    block = {"puzzles": puzzles, "variants": variants}
    settings = configured({"experiments": ["own"], "own": block})
    table = make_all("own", settings.blocks["own"].families(settings.seed))
    rows = plan.make(settings)
    for name in ("family", "family_kind", "instance_id", "fixed_fraction"):
        assert rows[name].tolist() == table[name].tolist()


# --- All runs in one file ------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    """Two jobs of an experiment, their plan and its instances."""
    facts = {"experiment": "mine", "family_kind": "random"}
    instances = random_table(3, 0.5, 4, 1).assign(**facts)
    instances.to_parquet(tmp_path / "mine.parquet")
    variants = pd.DataFrame([plan.variant_row("bs", "bs", {}, limit_steps=50)])
    rows = plan.cross(instances, variants, 1)
    parts = [f"mine--{number % 2}" for number in range(len(rows))]
    plan.write(rows.assign(part=parts, **facts)[list(PLAN_COLUMNS)], tmp_path / "plan")
    for part in {*parts}:
        paths = tmp_path / "mine.parquet", tmp_path / "journals", tmp_path / part
        job.run_part(tmp_path / "plan", part, *paths)
    return tmp_path


def collected(folder, *parts):
    files = [folder / part for part in parts]
    collect(
        pd.read_parquet(folder / "plan"), files, [folder / "mine.parquet"], folder / "runs.parquet"
    )
    return pd.read_parquet(folder / "runs.parquet")


def test_runs_do_not_depend_on_the_order_of_the_jobs_and_have_facts_of_instances(folder):
    runs = collected(folder, "mine--1", "mine--0")
    pd.testing.assert_frame_equal(runs, collected(folder, "mine--0", "mine--1"))
    assert list(runs)[: len(COLUMNS)] == list(COLUMNS)
    assert runs["instance_id"].tolist() == sorted(runs["instance_id"])
    assert set(runs["source"]) == {"shuffle"}
    assert runs["given_fraction"].to_list() == pytest.approx([41 / 81] * len(runs))
    solutions = pd.read_parquet(folder / "mine.parquet")["solution"]
    sets = [unavoidable_sets(np.array(solution.split(), int)) for solution in solutions]
    assert runs["unavoidable_sets"].tolist() == sets


def test_a_run_that_is_missing_is_named(folder):
    with pytest.raises(
        InputError, match=r"2 runs are missing, the first is mine, order3-p050, or.*; repeat"
    ):
        collected(folder, "mine--1")


def test_runs_by_two_versions_of_the_code_are_refused(folder):
    pd.read_parquet(folder / "mine--1").assign(source_hash="x").to_parquet(folder / "mine--1")
    with pytest.raises(InputError, match=r"mine: runs of bs are by 2 versions of .* --forcerun"):
        collected(folder, "mine--0", "mine--1")


def test_a_wrong_run_fails_the_check_in_one_line():
    runs = runs_of({}, {}, {}, {}).assign(status=[SOLVED, INVALID, ERROR, INVALID])
    runs["instance_id"] = [f"i{number}" for number in range(4)]
    runs["message"] = ["", "no solution", f"mine.py:3: KeyError: 'a', {'b' * 99} c", ""]
    with pytest.raises(InputError) as caught:
        check(runs)
    text = "wrong runs (acs: 1 error, acs: 2 invalid), such as acs, i2, 0: "
    assert str(caught.value).startswith(f"{text}\"mine.py:3: KeyError: 'a'")
    assert str(caught.value).endswith('bbb..."; see report.html, and logs/runs of the results')
    with pytest.raises(InputError, match=r"acs, i1, 0: 'no solution'; see report.html"):
        check(runs[runs["status"] != ERROR])
    with pytest.raises(InputError, match=r"acs, i3, 0; see report.html"):
        check(runs.tail(1))
    assert check(runs.head(1)) == "1 runs, none invalid or error"


def test_an_own_solver_of_a_paper_has_the_work_of_its_name(tmp_path, monkeypatch):
    folder = tmp_path / "newcomer_with_mine"  # works are kept by the names of papers
    shutil.copytree(ROOT / "tests/papers/newcomers/newcomer", folder)
    (folder / "mine.py").write_text("def solve(puzzle, params, rng, budget):\n    pass\n")
    own = "    mine: {solver: ./mine.py, reach: 0.5}\n    walk: {"
    experiment, work = folder / "experiment.yaml", folder / "work.csv"
    experiment.write_text(experiment.read_text().replace("    walk: {", own))
    work.write_text(f"{work.read_text()}newcomer,mine,Mine,3,,5,steps,500,2,measured,on ours\n")
    monkeypatch.setattr(papers, "__path__", [papers.__path__[0], str(tmp_path)])
    table = plan.make(configured({"name": "own", "experiments": ["newcomer"]}))
    rows = table[table["variant"] == "mine"]
    assert len(rows) and {*zip(rows["work_steps"], rows["limit_steps"])} == {(500, 250)}
