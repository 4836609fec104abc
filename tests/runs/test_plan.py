"""The plan: a row for each run, with its limits and its seed, dealt to parts."""

import copy

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT, read_yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from snakemake.utils import update_config

from antdoku import config as configuration
from antdoku.columns import PLAN_COLUMNS
from antdoku.errors import InputError
from antdoku.instances.recipes import make_all
from antdoku.papers import published
from antdoku.papers.lewis import tables as lewis
from antdoku.runs import plan
from antdoku.runs.job import RUN_KEY

CONFIG = ROOT / "config"
PUBLISHED = ROOT / "docs" / "results" / "tables" / "runs.parquet"
KEY = ["experiment", *RUN_KEY]


def planned(*overlays):
    config = read_yaml(CONFIG / "config.yaml")
    for overlay in overlays:
        update_config(config, copy.deepcopy(overlay))
    return plan.make(configuration.load(config))


def of_file(name):
    return read_yaml(CONFIG / f"{name}.yaml")


@pytest.fixture(scope="module")
def default():
    return planned()


def test_the_published_runs_are_in_the_plan_of_the_default(default):
    assert {name: str(dtype) for name, dtype in default.dtypes.items()} == PLAN_COLUMNS
    runs = pd.read_parquet(PUBLISHED).set_index(KEY).sort_index()
    rows = default.set_index(KEY).sort_index()
    assert runs.index.equals(rows.index)
    for name in ("order", "fixed_fraction", "seed", "limit_s", "limit_steps"):
        assert (rows[name] == runs[name]).all(), name


def test_all_shipped_configurations_give_a_fit_number_of_parts(default):
    assert 50 < default["part"].nunique() < 200
    assert planned(of_file("quick"))["part"].nunique() < 25
    assert 300 < planned(of_file("paper"))["part"].nunique() < 5000


@settings(deadline=None, max_examples=20)
@given(
    count=st.integers(1, 40),
    repetitions=st.integers(1, 40),
    limit=st.floats(0.01, 1000),
    longest=st.floats(1, 100_000),
    parts=st.integers(1, 20),
)
def test_pairs_are_dealt_so_that_no_part_can_take_too_long(
    count, repetitions, limit, longest, parts
):
    random = {"count": count, "orders": [4], "fixed_fractions": [0.45, 0.5]}
    block = {
        "random": {**random, "limits_s": {"order4": limit}, "more": []},
        "puzzles": {"named": {"repetitions": repetitions, "limit_s": limit}},
    }
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
    changed = {each for each, digest in plan.digests(rows).items() if digest != before[each]}
    assert changed == {part}


SMALL = {
    "experiments": ["lloyd_amos"],
    "lloyd_amos": {
        "random": {
            "count": 10,
            "orders": [4],
            "fixed_fractions": [0.45],
            "limits_s": {"order4": 60},
        },
        "puzzles": {"named": None},
        "variants": {"cpsat": None, "cdcl": None},
    },
}


def of_small(*overlays):
    config = read_yaml(CONFIG / "config.yaml")
    for overlay in (SMALL, *overlays):
        update_config(config, copy.deepcopy(overlay))
    return configuration.load(config)


def test_jobs_are_as_many_as_is_asked_or_as_their_length_needs():
    for jobs, number in (({}, 10), ({"parts": 2}, 2), ({"parts": 2, "longest_s": 1000}, 6)):
        assert plan.make(of_small({"jobs": jobs}))["part"].nunique() == number  # of ten instances


def test_variants_run_on_an_instance_before_the_next_in_an_order_of_its_own():
    instances = pd.DataFrame({"instance_id": [*"123456"], "family": "f", "order": 3})
    rows = [
        plan.variant_row(name, "bs", {}, repetitions=4 if name == "a" else 2) for name in "abcd"
    ]
    runs = plan.cross(instances.assign(fixed_fraction=0.5), pd.DataFrame(rows), 1)
    names = runs["variant"].tolist()
    places = list(zip(runs["repetition"], runs["instance_id"]))
    assert places == sorted(places)
    groups = [tuple(names[k : k + 4]) for k in range(0, 2 * 6 * 4, 4)]
    assert all(sorted(group) == list("abcd") for group in groups) and len({*groups}) > 6
    assert names[48:] == ["a"] * 12


def limits_of(overlay, family="order5-p045"):
    rows = planned({"experiments": ["lloyd_amos"]}, overlay)
    rows = rows[rows["family"] == family].drop_duplicates("variant").set_index("variant")
    return dict(zip(rows.index, zip(rows["limit_steps"], rows["limit_s"])))


def test_work_limits_the_papers_systems_at_their_orders_and_seconds_the_others():
    limits, named = limits_of({}), limits_of({}, "named")
    assert (limits["acs"], limits["acs_closure"]) == ((10_700, 120), (10_700, 120))
    assert limits["dlx"] == (37_000_000, 120)
    assert limits["cpsat"] == (-1, 120)
    assert (named["bs"], named["cdcl"]) == ((500_000, 5), (-1, 5))
    assert set(limits_of({"limit_by": "seconds"}).values()) == {(-1, 120)}
    random = {"orders": [6], "limits_s": {"order6": 7}}
    found = limits_of({"lloyd_amos": {"random": random}}, "order6-p045")
    assert set(found.values()) == {(-1, 7)}
    overlay = {"limit_steps": 7, "variants": {"dlx": {"limit_steps": None}}}
    overlay["variants"]["acs"] = {"limit_steps": 99}
    limits = limits_of({"lloyd_amos": overlay})
    assert limits["bs"] == limits["cpsat"] == (7, 120)
    assert limits["acs"] == (99, 120)
    assert limits["dlx"] == (37_000_000, 120)
    overlay = {"lloyd_amos": {"variants": {"cpsat": {"limits_s": {"order5": 7}}}}}
    assert limits_of(overlay)["cpsat"] == (-1, 7)
    assert limits_of(overlay, "named")["cpsat"] == (-1, 5)


def test_a_solver_is_left_out_at_orders_that_it_does_not_take():
    random = {"orders": [8, 9], "limits_s": {"order8": 1, "order9": 2}}
    systems = {"sa": None, "sa_hybrid": None, "cp_sa": None, "acs": {"solver": "acs"}}
    overlay = {"experiments": ["lewis"], "lewis": {"random": random, "variants": systems}}
    with pytest.raises(InputError, match="lewis: order9-p000: none of acs works at order 9"):
        planned(overlay)
    del systems["sa"]
    rows = planned(overlay)
    found = rows[rows["family"].str.startswith("order")].groupby("order")["variant"].unique()
    assert set(found[8]) == {"sa", "acs"} and set(found[9]) == {"sa"}


def test_parameters_are_judged_together_and_a_grid_multiplies_variants():
    grid = {"solver": "acs", "params": {"m": 4}, "grid": {"q0": [0.5, 1], "greedy_rule": ["arxiv"]}}
    variants = {"mine": grid, "sa": None, "sa_hybrid": None, "cp_sa": None}
    rows = planned({"experiments": ["lewis"], "lewis": {"variants": variants}})
    assert {*rows["variant"]} == {"mine__0_5__arxiv", "mine__1__arxiv"}
    params = rows.drop_duplicates("variant").set_index("variant")["params"]
    assert '"m": 4' in params["mine__1__arxiv"] and '"q0": 1' in params["mine__1__arxiv"]


def test_every_row_of_lewis_table_1_has_a_family_that_is_made_like_it():
    config = configuration.load(read_yaml(CONFIG / "config.yaml"))
    families = {family.name: family for family in config.blocks["lewis"].families(0)}
    assert set(lewis.COUNTERPARTS.values()) <= families.keys()
    for row in published.values("lewis_hybrid", "fixed_after_cp").itertuples():
        family = families[lewis.COUNTERPARTS[row.order, row.instance]]
        assert family.order == row.order
        if (made := family.recipe)["by"] == "unique":
            after = np.resize(made["fixed_after_cp"], made["count"])
            assert after.mean() == pytest.approx(row.value, abs=0.005)
            assert made["fixed"] == pytest.approx(row.fixed_fraction, abs=0.005)


def test_instances_are_planned_by_the_names_that_they_get(tmp_path):
    (tmp_path / "mine.txt").write_text("12" + 14 * "." + "\n" + "21" + 14 * "." + "\n")
    source = {"from": str(tmp_path / "mine.txt"), "limit_s": 1}
    made = {"unique": {"order": 2, "fixed_fraction": 0.5, "count": 7}, "limit_s": 1}
    puzzles = {"mine": source, "made": made}
    variants = {"dlx": {"solver": "dlx"}}
    own = {"puzzles": puzzles, "variants": variants}
    settings = configuration.load({"experiments": ["own"], "own": own})
    table = make_all("own", settings.blocks["own"].families(settings.seed))
    rows = plan.make(settings)
    for name in ("family", "instance_id", "fixed_fraction"):
        assert rows[name].tolist() == table[name].tolist()
