"""Tables against answers computed by hand on a few rows."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from published_runs import few_runs
from runs_by_hand import NAN, check, runs_of

from antdoku import papers, tables
from antdoku.errors import InputError
from antdoku.instances.family import family_name, is_random
from antdoku.outcome import ERROR, TIMEOUT
from antdoku.papers import published
from antdoku.tables import registry, summary


def named(puzzle, **row):
    fixed = {"family": "named", "order": 3, "fixed_fraction": 0.3, "limit_s": 5.0}
    return fixed | {"instance_id": puzzle} | row


FIVE = runs_of(
    {"cpu_s": 1.0},
    {"instance_id": "order5-p045-001", "cpu_s": 3.0},
    {"instance_id": "order5-p045-002", "cpu_s": 12.1, "status": TIMEOUT},
    {"instance_id": "order5-p045-003", "cpu_s": 0.1, "status": ERROR},
    {"instance_id": "order5-p045-004", "variant": "zeta", "cpu_s": 5.0},
)


def test_variants_of_a_grid_are_called_by_their_settings_and_no_two_share_a_label():
    came = {"acs": "ACS", "g__5": "ACS, m=5", "g__10": "ACS", "g__0": "ACS, f_bve=0"}
    came |= {"acs_no_bve": "ACS, f_bve=0", "mine": "ACS, m=5"}
    runs = pd.DataFrame({"label": came, "solver": "acs"}).rename_axis("variant").reset_index()
    labels = dict(zip(came, summary.labelled(runs)["label"]))
    assert labels["g__5"] == "ACS, m=5" and labels["g__0"] == "ACS, f_bve=0"
    assert labels["g__10"] == "ACS (g__10)" and labels["mine"] == "ACS (mine)"
    runs.loc[0, "label"] = "ACS, m=5"
    labels = dict(zip(came, summary.labelled(runs)["label"]))
    assert labels["acs"] == "ACS, m=5 (acs)" and len({*labels.values()}) == len(came)


# --- reading -------------------------------------------------------------------------------------


@given(st.integers(2, 10), st.integers(0, 10_000))
def test_random_families_are_known_by_their_names(order, fraction):
    name = family_name(order, fraction / 10_000)
    assert is_random(name)
    given = ["named", "seventeen_clue", "unique_order4_p040", "order3", "", f"unique_{name}"]
    assert not any(map(is_random, given))
    families = pd.DataFrame({"family": [name, *given]})
    assert registry.is_random(families).tolist() == [True, *[False] * len(given)]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda runs: runs.drop(columns="status"), ".*status"),
        (lambda runs: runs.assign(cpu_s="x"), ".*'x'"),
        (lambda runs: runs.assign(status="maybe"), "status 'maybe'"),
        (lambda runs: None, ""),
        (lambda runs: b"not parquet at all\n", ".*Parquet"),
    ],
)
def test_a_file_that_is_no_runs_table_is_refused(tmp_path, spoil, message):
    path, content = tmp_path / "bad.parquet", spoil(FIVE)
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content is not None:
        content.to_parquet(path)
    with pytest.raises(InputError, match=rf"bad\.parquet: is no file of runs: {message}") as caught:
        tables.read_runs(path)
    assert "\n" not in str(caught.value)
    FIVE.assign(part="lloyd_amos--0").to_parquet(path)  # other columns are left out
    pd.testing.assert_frame_equal(tables.read_runs(path), FIVE)


# --- summaries -----------------------------------------------------------------------------------


def test_success_table_by_hand():
    table = tables.make("success", FIVE)
    check(table, variant=["acs", "zeta"])
    acs = table[:1]
    check(acs, n_instances=[4], n=4, solved=2, success_rate=0.5, limit_s=12.0, limit_steps=-1)
    check(acs, wilson_low=0.1500390, wilson_high=0.8499610)
    check(acs, mean_time_solved_s=2.0, mean_time_all_s=(1 + 3 + 12.1 + 0.1) / 4)
    check(acs, median_time_s=NAN)  # two of four failed: the median is beyond the limit
    check(acs, par2_s=(1 + 3 + 24 + 24) / 4)


def test_success_table_joins_equal_fractions_and_leaves_named_puzzles_out():
    runs = runs_of(
        {"fixed_fraction": 3 * 0.05},
        {"fixed_fraction": 0.15, "instance_id": "other"},
        named("coly013", fixed_fraction=0.15),
    )
    check(tables.make("success", runs), order=[5], fixed_fraction=0.15, n=2)


def test_runs_have_one_limit_which_may_be_of_steps_only():
    runs = runs_of({}, {"repetition": 1, "limit_s": 120.0})
    with pytest.raises(InputError, match="acs: limit_s is 12, 120: allowed is one limit"):
        tables.make("success", runs)
    steps = {"limit_s": NAN, "limit_steps": 100}
    runs = runs_of(steps, steps | {"repetition": 1, "status": TIMEOUT})
    check(tables.make("success", runs), limit_steps=[100], limit_s=NAN, par2_s=NAN)


# --- the tables of Lloyd & Amos ------------------------------------------------------------------


def test_fig8_counts_an_instance_once():
    shared = {"trivial": True, "mean_value_set_size": 1.0, "fixed_after_cp": 1.0}
    runs = runs_of(
        *[shared | {"repetition": repetition} for repetition in range(8)],
        shared | {"variant": "bs"},
        {"instance_id": "order5-p045-001", "mean_value_set_size": 4.0},
        named("coly013"),
    )
    table = tables.make("lloyd_amos_fig8", runs)
    check(table, n_instances=[2], trivial=1, fraction_trivial=0.5, mean_value_set_size=2.5)
    check(table, fixed_after_cp=0.75, arxiv_trivial_from=0.55, arxiv_mean_value_set_size=3.6)


NAMED_RUNS = runs_of(
    named("coly013", repetition=1, cpu_s=0.004),
    named("coly013", repetition=0, cpu_s=0.002),
    named("coly013", repetition=2, cpu_s=5.0, status=TIMEOUT),
    named("sabuncu10", variant="acs_no_bve", cpu_s=0.001),
    named("sabuncu2", variant="dlx", cpu_s=0.001),
    named("mk_s16", cpu_s=0.001),
)


def test_table1_by_hand():
    table = tables.make("lloyd_amos_table1", NAMED_RUNS)
    check(table, puzzle=["sabuncu2", "sabuncu10", "coly013"])
    coly = table[2:]
    check(coly, n=[3], solved=2, success_percent=200 / 3, mean_time_ms=3.0, median_time_ms=4.0)
    check(coly, arxiv_success_percent=100)
    # Table 1 has no DLX; sabuncu10 is without BVE.
    check(table, arxiv_mean_time_ms=[NAN, 0.021, 37.95])


MADE_OF_RUNS = [name for name, table in tables.every().items() if table.source == tables.RUNS]


@pytest.mark.parametrize("name", MADE_OF_RUNS)
@pytest.mark.parametrize("runs", [runs_of, few_runs])
def test_tables_are_typed_and_come_back_from_csv(tmp_path, name, runs):
    table = tables.make(name, runs())
    schema = tables.every()[name].columns
    assert {column: str(dtype) for column, dtype in table.dtypes.items()} == schema
    tables.write(table, tmp_path / "table.csv")
    pd.testing.assert_frame_equal(tables.read(name, tmp_path / "table.csv"), table)


def test_unknown_names_and_files_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"unknown table 'nonsense'.*: known are success, "):
        tables.make("nonsense", FIVE)
    with pytest.raises(InputError, match=r"absent\.csv: not a success table"):
        tables.read("success", tmp_path / "absent.csv")
    tables.write(tables.make("lloyd_amos_fig8", FIVE), tmp_path / "other.csv")
    with pytest.raises(InputError, match="not a success table: Usecols do not match"):
        tables.read("success", tmp_path / "other.csv")


# --- published numbers and imports ---------------------------------------------------------------


def test_published_numbers():
    puzzles = published.values("arxiv", "success")["instance"].unique().tolist()
    assert puzzles == [*papers.get("lloyd_amos").puzzles, published.GENERAL]
    success = published.values("journal", "success").set_index(["fixed_fraction", "variant"])
    at = success["value"]
    assert [at[0.4, v] for v in ("acs", "ils", "dlx", "bs")] == pytest.approx(
        [0.98, 0.69, 0.76, 0.21]
    )
    spoilt = published.results()  # a copy: callers cannot spoil the numbers of others
    spoilt["value"] = 0.0
    assert published.results()["value"].max() > 0
