"""The configuration: a mistake is one line that names file, line and key; expansion into jobs."""

import copy
import itertools
import re
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from conftest import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from snakemake.utils import update_config

from antdoku import config as configuration
from antdoku import published
from antdoku.errors import InputError
from antdoku.papers.generators.tables import OTHERS
from antdoku.papers.lewis import tables as lewis

BASE = ROOT / "config" / "config.yaml"
QUICK = BASE.with_name("quick.yaml")
DEFAULT = configuration.read(BASE)


def merged(*overlays):
    """The default configuration with dictionaries laid over it, as in the workflow."""
    config = copy.deepcopy(DEFAULT)
    for overlay in overlays:
        update_config(config, copy.deepcopy(overlay))
    return configuration.laid_over_papers(config)


def checked(*overlays):
    return configuration.check(merged(*overlays), [])


def mistake(text, tmp_path):
    """Message about an overlay that holds `text`."""
    file = tmp_path / "mine.yaml"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        configuration.check(merged(configuration.read(file)), [file, BASE])
    return str(caught.value)


def block(*lines, experiment="lloyd_amos", part="random"):
    """Text of an overlay with lines in a part of an experiment."""
    return "\n    ".join([f"{experiment}:\n  {part}:", *lines])


variants = partial(block, part="variants")
puzzles = partial(block, part="puzzles")
ONCE = "repetitions: 1, limit_s: 1"
UNIQUE = "unique: {order: 3, fixed_fraction: 0.4, count: 2"
TABU_COL = "mine: {solver: tabu_col, params: {least_factor: 0.6}}"
MISTAKES = {
    # text of an overlay: the key, and words about it
    "nmae: x": ("nmae", "unknown key 'nmae' (did you mean name?)"),
    "lewsi: {random: null}": ("lewsi", "did you mean lewis?"),
    "name: ../x": ("name", '"../x": must be a plain folder name'),
    'name: "mine\\n"': ("name", "plain folder name"),
    "seed: -1": ("seed", "-1: must be greater than or equal to 0"),
    "seed: {2018-01-01: 1}": ("seed", "must be a valid integer"),
    "limit_by: time": ("limit_by", "\"time\": must be 'work' or 'seconds'"),
    f"experiments: [{99 * 'lewis, '}]": ("experiments", "a list of different values"),
    "experiments: [sudoku]": ("experiments", "unknown experiment 'sudoku'", "lloyd_amos"),
    "experiments: []": ("experiments", "must have at least 1 item"),
    '? "a\\nb"\n: 1': ("a b", "unknown key"),
    "soto:\n  puzzles: {soto: null}": ("soto", "neither random instances nor puzzles"),
    "jobs:\n  longest: 5": ("jobs.longest", "did you mean longest_s?"),
    block("cuont: 5"): ("random.cuont", "unknown key 'cuont' (did you mean count?)"),
    block("source: magic"): ("random.source", "'shuffle', 'acs', 'search' or 'archive'"),
    block("source: acs", "base: root"): ("random", "the source must be shuffle, not acs"),
    block("source: archive", "archive: /nowhere"): ("random.archive", "/nowhere: must be an"),
    block("orders: [3, 11]"): ("random.orders.1", "11: must be less than or equal to 10"),
    block("orders: [9]", "source: acs", "limits_s: {order9: 1}"): (
        *("random", "source acs: order 9: must be from 2 to 8"),
    ),
    block("fixed_fractions: [.nan]"): ("random.fixed_fractions.0", "NaN: must be a finite number"),
    block("fixed_fractions: [0.12345]"): ("fixed_fractions.0", "must be a multiple of 0.0001"),
    block("limits_s: {order11: 1}"): ("limits_s.order11", "must be 'order2', ", "or 'order10'"),
    puzzles("named: {from: 'named:mine'}"): ("named.from", "no such puzzle or collection"),
    puzzles("named: {from: /nowhere.txt}"): ("named.from", "/nowhere.txt: cannot be read"),
    puzzles("named: {from: null}"): ("named", "must have one of the keys from and unique"),
    puzzles(f"named: {{{UNIQUE}}}}}"): ("named", "must have one of the keys from and unique"),
    puzzles("Mine: {limit_s: 1}"): ("puzzles.Mine", "must be a name of small letters"),
    puzzles("named: {equivalents: 1000000}"): ("named.equivalents", "1,000,000 puzzles at most"),
    puzzles(f"order5: {{from: named:soto, {ONCE}}}"): ("puzzles.order5", "for random instances"),
    puzzles(f"mine: {{unique: {{order: 3, fixed_fraction: 0.1, count: 2}}, {ONCE}}}"): (
        *("puzzles.mine.unique", "at least 17"),
    ),
    puzzles(f"mine: {{{UNIQUE}, fixed_after_cp: [0.3]}}, {ONCE}}}"): (
        *("puzzles.mine.unique", "fixed_after_cp 0.3: must be from 0.4074"),
    ),
    variants("mine: {}"): ("variants.mine", "the key solver is missing"),
    variants("mine: {solver: asc}"): ("mine.solver", "unknown solver 'asc' (did you mean acs?)"),
    variants("mine: {extends: asc}"): ("mine.extends", "unknown variant 'asc' (did you mean acs?)"),
    variants("mine: {extends: acs, params: 3}"): ("mine.params", "3: must be a valid dictionary"),
    variants("mine: {extends: mine}"): ("mine.extends", "mine extends itself"),
    variants("a: {extends: b}", "b: {extends: a}"): ("b.extends", "a extends itself"),
    variants("cpsat: null", "mine: {extends: cpsat}"): ("mine.extends", "unknown variant 'cpsat'"),
    variants("acs: {params: {f_bvd: 0}}"): ("variants.acs", "'f_bvd' (did you mean f_bve?)"),
    variants("acs: {params: {m: 0}}"): ("variants.acs", "parameter m = 0: must be from 1 to 10000"),
    variants("acs: {grid: {q0: [0.5, 2]}}"): ("variants.acs", "q0 = 2: must be from 0 to 1"),
    variants("acs: {grid: {m: [4, 4]}}"): ("variants.acs.grid.m", "different values"),
    variants(TABU_COL): ("variants.mine", "must be at most most_factor, 0.5"),
    variants("acs_no_bve: {grid: {f_bve: [0.1]}}"): ("grid.f_bve", "stands in params as well"),
    variants('acs: {grid: {m: [4, "4"]}}'): ("variants.acs", "acs__4 stands for two variants"),
    variants("mine__4: {solver: acs}", "mine: {solver: acs, grid: {m: [4]}}"): (
        *("variants.mine", "mine__4 stands for two variants"),
    ),
    variants(f"acs: {{grid: {{m: &m {list(range(1, 102))}, f_bve: *m}}}}"): (
        *("variants.acs.grid", "10201 variants: at most 10000"),
    ),
    variants("cpsat: {reach: 2}"): ("variants.cpsat.reach", "no work of a program like cpsat"),
    "experiments: [sensitivity]\n"
    + block("orders: [9]", "limits_s: {order9: 1}", experiment="sensitivity"): (
        *("sensitivity.random.orders", "none of acs_closure works at order 9"),
    ),
    "lewis:\n  variants: {sa: null, sa_hybrid: null, cp_sa: null}": (
        *("lewis.variants", "must have at least 1 item"),
    ),
    block("count: 1000000", "repetitions: 1000000"): ("lloyd_amos", "of them for order5"),
    puzzles("named: {equivalents: 62500, repetitions: 1000000}"): (
        *("lloyd_amos", "of them for named: at most 100,000 are allowed"),
    ),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_one_line_with_file_and_key(text, tmp_path):
    key, *words = MISTAKES[text]
    message = mistake(text, tmp_path)
    assert "\n" not in message
    assert re.match(rf"(?:.*/)?mine\.yaml: (\w+\.)*{re.escape(key)}: ", message)
    for word in words:
        assert word in message


def test_what_an_overlay_leaves_to_the_paper_is_reported_there(tmp_path):
    place = r"^src/antdoku/papers/lloyd_amos/experiment\.yaml: lloyd_amos\.random\.limits_s: "
    assert re.match(place + "the key order6", mistake(block("orders: [3, 6]"), tmp_path))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name: [", ["mine.yaml:", "not valid YAML"]),
        ("name: a\nseed: 1\nname: b", ["mine.yaml:3:", "name stands here twice"]),
        ("- a\n- b", ["mine.yaml:1:", "keys with values"]),
        ("", ["mine.yaml:1:", "keys with values"]),
        ("name: \x07", ["mine.yaml", "not valid YAML"]),
        ("*a", ["mine.yaml:1:", "not valid YAML"]),
        ("seed: 2018-13-45", ["mine.yaml:", "not valid YAML", "month"]),
        ('"a\\nb": 1\n"a\\nb": 2', ["mine.yaml:2:", "a b stands here twice"]),
        ("seed: 3\n\tx: 1", ["mine.yaml:2:", "not valid YAML"]),
        ("a: " + "[" * 2000 + "]" * 2000, ["mine.yaml: "]),
        ("a: !!python/object/apply:os.system [echo]", ["not valid YAML"]),
        ("a: \0", ["not valid YAML"]),
        ("\ufeffname: x".encode("utf-16"), ["not valid YAML"]),
        (b"name: \xff\xfe", ["mine.yaml: not valid YAML"]),
    ],
    ids=lambda text: repr(text[:20]),
)
def test_a_file_that_is_not_yaml_is_one_line(text, words, tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as caught:
        configuration.read(file)
    assert "\n" not in str(caught.value)
    assert all(word in str(caught.value) for word in words)


def test_a_missing_key_is_named():
    config = merged()
    del config["lewis"]["random"]["count"]
    place = r"^src/.*/lewis/experiment\.yaml: lewis\.random: "
    with pytest.raises(InputError, match=place + "the key count is missing"):
        configuration.check(config, [BASE])
    config = merged()
    del config["lewis"]
    with pytest.raises(InputError, match=r"config\.yaml: experiments: unknown experiment 'lewis'"):
        configuration.check(config, [BASE])
    del config["experiments"]
    with pytest.raises(InputError, match="the key experiments is missing"):
        configuration.check(config, [BASE])


def test_a_key_given_on_the_command_line_is_reported_there():
    with pytest.raises(InputError, match=r"^--config: seed: -3: must be greater"):
        configuration.check(merged({"seed": -3}), [BASE])


words = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Z"]), max_size=9)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)


@settings(deadline=None)  # the time of a check depends on the load of the machine
@given(st.sampled_from(list(DEFAULT)), anything)
def test_whatever_a_key_holds_it_is_accepted_or_refused_in_one_line(key, value):
    config = merged() | {key: value}
    try:
        configuration.jobs(configuration.check(config, [QUICK]))
    except InputError as error:
        assert len(str(error).splitlines()) == 1
        assert key in str(error)


def test_the_schema_says_what_every_key_means():
    schema = configuration.Settings.model_json_schema()
    for level in [schema, *schema["$defs"].values()]:
        assert level["description"]
        for key, entry in level["properties"].items():
            assert entry.get("description") or "$ref" in entry, key


def test_all_shipped_configurations_are_right_and_give_a_fit_number_of_jobs():
    configs = {"default": checked()}
    for name in ("quick", "paper"):
        configs[name] = checked(configuration.read(BASE.with_name(f"{name}.yaml")))
    assert all(config.name == name for name, config in configs.items())
    numbers = {name: len(configuration.jobs(config)) for name, config in configs.items()}
    assert numbers["quick"] < 25
    assert 40 < numbers["default"] < 120
    assert 300 < numbers["paper"] < 5000


def test_the_frontier_takes_three_hours_on_two_cores_at_most():
    frontier = configuration.read(BASE.with_name("frontier.yaml"))
    archive = configuration.read(BASE.with_name("frontier_archive.yaml"))
    archive["frontier"]["random"]["archive"] = str(ROOT)  # there, if empty
    most = (2 * 3 - 0.5) * 3600  # without what else there is to do
    for overlays, n_points in (([frontier], 8), ([frontier, archive], 4)):
        config = checked(*overlays)
        jobs = configuration.jobs(config).values()
        assert sum(job.n_runs for job in jobs) == (5 * 5 - 1) * n_points * 20
        assert 0.9 * most < sum(job.longest_s for job in jobs) < most
        assert max(job.longest_s for job in jobs) <= config.longest_s


def test_experiments_are_switched_on_by_name():
    readings = {"lewis_walk", "lewis_root", "lewis_propagation"}
    others = readings | {"generators", "generators_root"}
    assert set(checked().experiments) == {"lloyd_amos", "lewis", "soto"} | others
    alone = checked({"experiments": ["lewis"]})
    assert {job.experiment for job in configuration.jobs(alone).values()} == {"lewis"}


@settings(deadline=None, max_examples=30)
@given(
    count=st.integers(1, 40),
    repetitions=st.integers(1, 40),
    limit=st.floats(0.01, 1000),
    longest=st.floats(1, 100_000),
)
def test_jobs_are_cut_so_that_none_can_take_too_long(count, repetitions, limit, longest):
    random = {"count": count, "orders": [4], "fixed_fractions": [0.45, 0.5]}
    config = checked(
        {
            "experiments": ["lloyd_amos"],
            "lloyd_amos": {
                "random": {**random, "limits_s": {"order4": limit}},
                "puzzles": {"named": {"repetitions": repetitions, "limit_s": limit}},
            },
            "jobs": {"longest_s": longest},
        }
    )
    n_variants = len(config.experiments["lloyd_amos"].plans)
    n_runs = {"order4": 2 * count * n_variants, "named": 16 * repetitions * n_variants}
    groups = {}
    for job in configuration.jobs(config).values():
        groups.setdefault(job.batch, []).append(job)
    for batch, parts in groups.items():
        assert [job.part for job in parts] == list(range(len(parts)))
        assert {job.n_parts for job in parts} == {len(parts)}
        shares = [job.n_runs for job in parts]
        assert sum(shares) == n_runs[batch]
        assert min(shares) >= n_variants
        # Equal shares: the runs on one instance more at most than the limit allows.
        assert (max(shares) - n_variants) * limit <= longest * (1 + 1e-9)


@pytest.mark.parametrize(("limit_s", "n_jobs"), [(5e-324, 56), (0.1, 467)])
def test_millions_of_runs_are_cut_into_jobs_that_a_process_can_hold(limit_s, n_jobs):
    random = {"count": 200_000, "orders": [3, 4, 5], "repetitions": 100, "more": []}
    limits_s = {f"order{order}": limit_s for order in (3, 4, 5)}
    generators = {"random": {**random, "limits_s": limits_s}}
    config = checked({"experiments": ["generators"], "generators": generators})
    jobs = configuration.jobs(config).values()
    assert len(jobs) == 3 * n_jobs
    assert max(job.n_runs for job in jobs) <= 10**7
    assert sum(job.n_runs for job in jobs) == 4 * 3 * 7 * 200_000 * 100


def test_every_row_of_lewis_table_1_has_a_family_that_is_made_like_it():
    families = checked().experiments["lewis"].families
    printed = published.values("lewis_hybrid", "fixed_after_cp").itertuples()
    given = {name for name, family in families.items() if family.is_given}
    assert given == set(lewis.COUNTERPARTS.values()) and len(given) == 9
    for row in printed:
        family = families[lewis.COUNTERPARTS[row.order, row.instance]]
        assert family.order == row.order
        if (made := family.recipe)["by"] == "unique":
            after = itertools.islice(itertools.cycle(made["fixed_after_cp"]), made["count"])
            assert np.mean([*after]) == pytest.approx(row.value, abs=0.005)
            assert made["fixed"] == pytest.approx(row.fixed_fraction, abs=0.005)


def plans(experiment_name, config):
    return config.experiments[experiment_name].plans


def test_variants_are_changed_and_taken_away():
    config = checked({"lloyd_amos": {"variants": {"ils": None, "acs": {"params": {"m": 4}}}}})
    found = plans("lloyd_amos", config)
    assert set(plans("lloyd_amos", checked({}))) - set(found) == {"ils"}
    assert found["acs"].params == {"m": 4}
    assert found["acs_no_bve"].params == {"f_bve": 0}


def test_a_variant_differs_from_the_one_it_extends_in_what_it_names():
    variants = {
        "more": {"extends": "less", "params": {"m": 20}},
        "less": {"extends": "acs_no_bve", "params": {"m": 5}, "reach": None},
        "greed": {"extends": "more", "grid": {"q0": [0.5, 0.7]}, "limits_s": {"order3": 7}},
        "same": {"extends": "acs"},
    }
    # What an overlay changes in a variant it changes in those that extend it.
    overlay = {"variants": {**variants, "acs": {"params": {"rho": 0.5}, "reach": 0.1}}}
    found = checked({"lloyd_amos": overlay}).experiments["lloyd_amos"]
    assert found.plans["more"].params == {"f_bve": 0, "m": 20}
    assert found.plans["less"].params == {"f_bve": 0, "m": 5}
    assert found.plans["greed__0_7"].params == {"f_bve": 0, "m": 20, "q0": 0.7}
    assert found.limits_s["greed__0_7"] == {"order3": 7} and found.limits_s["more"] == {}
    assert found.plans["same"].params == found.plans["acs"].params == {"rho": 0.5}
    assert found.reaches["same"] == 0.1 and not {"more", "less"} & found.reaches.keys()


def test_parameters_are_judged_together_and_a_grid_multiplies_variants():
    params = {"least_factor": 0.6, "most_factor": 0.8}
    grid = {"solver": "tabu_col", "params": {"most_factor": 0.9}, "grid": {"least_factor": [0.6]}}
    variants = {"high": {"solver": "tabu_col", "params": params}, "mine": grid}
    found = plans("lewis", checked({"lewis": {"variants": variants}}))
    assert found["high"].params == params
    assert found["mine__0_6"].params == {"most_factor": 0.9, "least_factor": 0.6}
    grid = {"solver": "acs", "params": {"m": 4}, "grid": {"q0": [0.5, 1], "greedy_rule": ["arxiv"]}}
    variants = {"mine": grid, "sa": None, "sa_hybrid": None, "cp_sa": None}
    found = plans("lewis", checked({"lewis": {"variants": variants}}))
    assert {name: plan.params for name, plan in found.items()} == {
        "mine__0_5__arxiv": {"m": 4, "q0": 0.5, "greedy_rule": "arxiv"},
        "mine__1__arxiv": {"m": 4, "q0": 1, "greedy_rule": "arxiv"},
    }


def test_the_maps_of_parameters_give_all_colonies_as_many_walks():
    found = plans("sensitivity", checked({"experiments": ["sensitivity"]}))
    assert len(found) == 100
    walks = {plan.limit_steps * plan.params.get("m", 10) for plan in found.values()}
    assert walks == {100_000}


def test_the_generators_are_compared_at_points_and_limits_of_the_main_experiment():
    for overlay in ("quick", "paper", "archive"):
        content = configuration.read(BASE.with_name(f"{overlay}.yaml"))
        there = {"lloyd_amos": {"random": {"archive": str(ROOT)}}}  # if empty
        experiments = checked(content, there).experiments
        main, n_others = experiments["lloyd_amos"], 0
        for other in (experiments[name] for name in OTHERS if name in experiments):
            for name, family in other.families.items():
                assert family.limit_s == main.families[name].limit_s
            assert set(other.plans) <= set(main.plans)
            n_others += 1
        assert n_others == (3 if overlay == "archive" else 2)


def test_whole_numbers_with_a_point_are_whole():
    steps = {"limit_steps": 1e5, "variants": {"dlx": {"limit_steps": 7.0}}}
    random = {"orders": [3.0, 4], "count": 2.0}
    puzzles = {"unique": {"order": 3.0, "fixed_fraction": 1, "count": 3.0}}
    puzzles = {"mine": {**puzzles, "repetitions": 2.0, "limit_s": 1}}
    overlay = {**steps, "random": random, "puzzles": puzzles}
    found = checked({"lloyd_amos": overlay}).experiments["lloyd_amos"]
    unique, family = found.families["mine"].recipe, found.families["order3-p050"]
    whole = [found.plans["bs"].limit_steps, found.plans["dlx"].limit_steps]
    whole += [unique["order"], unique["count"], family.n_instances, family.order]
    assert whole == [100_000, 7, 3, 3, 2, 3]
    assert {type(number) for number in whole} == {int}


def limits_of(overlay, batch="order5"):
    jobs = configuration.jobs(checked(overlay)).values()
    (job, *_) = [job for job in jobs if (job.experiment, job.batch) == ("lloyd_amos", batch)]
    return {plan.variant: (plan.limit_steps, plan.limit_s) for plan in job.plans}


def test_work_limits_the_papers_systems_at_their_orders_and_seconds_the_others():
    limits, named = limits_of({}), limits_of({}, "named")
    assert (limits["acs"], limits["acs_closure"]) == ((10_700, 120), (10_700, 120))
    assert limits["dlx"] == (37_000_000, 120)
    assert limits["cpsat"] == (None, 120)
    assert (named["bs"], named["cdcl"]) == ((500_000, 5), (None, 5))
    assert set(limits_of({"limit_by": "seconds"}).values()) == {(None, 120)}
    random = {"orders": [6], "limits_s": {"order6": 7}}
    assert set(limits_of({"lloyd_amos": {"random": random}}, "order6").values()) == {(None, 7)}
    overlay = {"limit_steps": 7, "variants": {"dlx": {"limit_steps": None}}}
    overlay["variants"]["acs"] = {"limit_steps": 99}
    limits = limits_of({"lloyd_amos": overlay})
    assert limits["bs"] == limits["cpsat"] == (7, 120)
    assert limits["acs"] == (99, 120)
    assert limits["dlx"] == (37_000_000, 120)


def test_a_variant_may_have_seconds_of_its_own_on_random_instances():
    random = {"count": 10, "orders": [4, 5], "fixed_fractions": [0.5]}
    variants = dict.fromkeys(["acs_no_bve", "ils", "bs", "dlx", "tabu_col", "cpsat"])
    variants |= {"acs_closure": None, "acs_closure_no_bve": None, "bs_closure": None}
    variants["acs_restart"] = {"limits_s": {"order5": 7}}
    overlay = {"lloyd_amos": {"random": random, "variants": variants}}
    limits, smaller = limits_of(overlay), limits_of(overlay, "order4")
    assert (limits["acs_restart"], limits["cdcl"]) == ((None, 7), (None, 120))
    assert smaller["acs_restart"] == smaller["cdcl"] == (None, 20)
    assert limits_of(overlay, "named")["acs_restart"] == (None, 5)
    jobs = configuration.jobs(checked(overlay, {"experiments": ["lloyd_amos"]}))
    assert jobs["lloyd_amos/order5--0"].longest_s == 10 * (120 + 7 + 120)


def test_a_solver_is_left_out_at_orders_that_it_does_not_take():
    random = {"orders": [8, 9], "limits_s": {"order8": 1, "order9": 2}}
    overlay = {"lewis": {"random": random, "variants": {"acs": {"solver": "acs"}}}}
    jobs = configuration.jobs(checked({"experiments": ["lewis"]}, overlay)).values()
    found = {job.batch: {plan.variant for plan in job.plans} for job in jobs}
    assert found["order8"] == {"sa", "sa_hybrid", "cp_sa", "acs"}
    assert found["order9"] == {"sa", "sa_hybrid", "cp_sa"}
    (job,) = [job for job in jobs if job.batch == "order9"]
    assert job.n_runs == 3 * 100 * 21 and job.solvers == ["cp_sa", "sa"]


def test_what_is_compiled_names_all_words_among_the_parameters():
    found = configuration.compiled(configuration.jobs(checked()).values())
    assert found["bs-32"] == [{}, {"propagation": "complete"}]
    assert found["acs-32"] == [{}, {"propagation": "complete"}]


def test_repetitions_are_those_of_the_family_unless_the_variant_has_its_own():
    for job in configuration.jobs(checked()).values():
        for plan in job.plans:
            if job.experiment == "lloyd_amos":
                assert plan.repetitions == (100 if job.batch == "named" else 1)
            if job.experiment == "soto":
                assert plan.repetitions == (30 if plan.solver == "ac3_cuckoo" else 100)
            assert plan.seed == 2018


def test_families_of_given_puzzles_come_from_collections_files_or_a_generator(tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text("12" + 14 * "." + "\n" + "21" + 14 * "." + "\n")
    limits = {"repetitions": 1, "limit_s": 1}
    puzzles = {
        "mine": {"from": str(file), **limits},
        "many": {"from": str(file), "equivalents": 5, **limits},
        "made": {"unique": {"order": 4, "fixed_fraction": 0.5, "count": 7}, **limits},
    }
    families = checked({"lewis": {"puzzles": puzzles}}).experiments["lewis"].families
    found = {name: (families[name].order, families[name].n_instances) for name in puzzles}
    assert found == {"mine": (2, 2), "many": (2, 10), "made": (4, 7)}


def test_files_are_read_before_snakemake_reads_them(tmp_path):
    """`make reproduce` does: Snakemake itself names neither file nor line."""
    good, bad = BASE, tmp_path / "bad.yaml"
    bad.write_text("name: bad\nlewis:\n  random: [1, 2\n  count: 3\n")
    command = [sys.executable, "-m", "antdoku.config", good]
    assert subprocess.run(command, capture_output=True).returncode == 0
    done = subprocess.run([*command, bad], capture_output=True, text=True)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(f"antdoku: error: {bad}:4: not valid YAML: ")


def test_snakemake_prints_the_line_and_exits_with_status_2(tmp_path):
    mine = tmp_path / "mine.yaml"
    mine.write_text("name: mine\n" + block("cuont: 5"))
    command = [sys.executable, "-m", "snakemake", "--dry-run", "--quiet", "--configfile", mine]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    errors = [line for line in done.stderr.splitlines() if "error" in line.lower()]
    assert len(errors) == 1
    assert errors[0].startswith("antdoku: error: ")
    assert "mine.yaml: lloyd_amos.random.cuont: unknown key 'cuont' (did you mean" in errors[0]
    assert "Traceback" not in done.stderr
