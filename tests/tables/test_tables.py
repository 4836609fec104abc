"""Tables, of Lloyd & Amos, Lewis and Soto et al., against answers computed by hand."""

import json
from itertools import chain

import pandas as pd
import pytest
from published_runs import few_runs
from runs_by_hand import NAN, check, runs_of

from antdoku import papers, tables
from antdoku.columns import dtypes, interval
from antdoku.errors import InputError
from antdoku.instances.family import family_name
from antdoku.outcome import ERROR, SOLVED, TIMEOUT
from antdoku.papers import published
from antdoku.puzzle.grid import ORDERS
from antdoku.statistics import interval_columns
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
    came = {"acs": "ACS", "g__5": "ACS, m=5", "g__10": "ACS", "my__acs": "ACS", "mine": "ACS, m=5"}
    came |= {"acs_no_bve": "ACS, f_bve=0", "acs:m=7": "ACS, m=7", "acs:m=10": "ACS"}
    runs = pd.DataFrame({"label": came, "solver": "acs"}).rename_axis("variant").reset_index()
    params = [f'{{"m": {5 if "=5" in label else 10}, "q0": 0.9}}' for label in came.values()]
    looks = papers.variants()
    labels = dict(zip(came, summary.labelled(runs.assign(params=params), looks)["label"]))
    assert (labels["g__5"], labels["g__10"]) == ("ACS, m=5", "ACS, m=10")
    assert (labels["acs:m=7"], labels["acs:m=10"]) == ("ACS, m=7", "ACS, default values")
    assert (labels["mine"], labels["my__acs"]) == ("ACS (mine)", "ACS (my__acs)")
    runs.loc[0, "label"] = "ACS, m=5"
    labels = dict(zip(came, summary.labelled(runs, looks)["label"]))
    assert labels["acs"] == "ACS, m=5 (acs)" and len({*labels.values()}) == len(came)


@pytest.mark.parametrize(
    ("params", "title", "label"),
    [
        ({"m": 5}, "ACS, m=5", "Few"),
        ({"m": 5, "q0": 0.5}, "ACS, m=5, q0=0.5", "Few, q0=0.5"),
        ({"m": 7}, "ACS, m=7", "ACS, m=7"),  # another value than the label stands for
    ],
)
def test_changed_parameters_follow_the_label_of_the_paper(params, title, label):
    runs = pd.DataFrame({"variant": "few", "label": title, "solver": "acs"}, index=[0])
    runs["params"] = json.dumps({"m": 10, "q0": 0.9} | params)
    looks = {"few": papers.Look("Few", solver="acs", params={"m": 5})}
    assert [*summary.labelled(runs, looks)["label"]] == [label]


# --- reading -------------------------------------------------------------------------------------


def test_runs_without_kinds_of_families_get_them_from_the_names(tmp_path):
    points = [(order, number / 10_000) for order in ORDERS for number in (0, 1, 4500, 9999, 10_000)]
    random = [family_name(*point) for point in points]
    puzzles = ["named", "seventeen_clue", "unique_order4_p040", "order3", f"unique_{random[0]}"]
    families = [*random, *puzzles]
    runs = runs_of(*({"family": family} for family in families)).drop(columns="family_kind")
    runs.to_parquet(tmp_path / "runs.parquet")
    is_random = registry.is_random(tables.read_runs(tmp_path / "runs.parquet"))
    assert is_random.tolist() == [family in random for family in families]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda runs: runs.drop(columns="status"), "is no file of runs: .*status"),
        (lambda runs: runs.assign(cpu_s="x"), "is no file of runs: .*'x'"),
        (lambda runs: runs.assign(status="maybe"), "row 1: status 'maybe': known"),
        (lambda runs: None, "there is no such file"),
        (lambda runs: b"not parquet at all\n", "is no file of runs: .*Parquet"),
    ],
)
def test_a_file_that_is_no_runs_table_is_refused(tmp_path, spoil, message):
    path, content = tmp_path / "bad.parquet", spoil(FIVE)
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content is not None:
        content.to_parquet(path)
    with pytest.raises(InputError, match=rf"bad\.parquet: {message}") as caught:
        tables.read_runs(path)
    assert "\n" not in str(caught.value)
    # The part is left out. Files of antdoku 0.4 have no messages.
    FIVE.drop(columns="message").assign(part="lloyd_amos--0", reach=0.1).to_parquet(path)
    pd.testing.assert_frame_equal(tables.read_runs(path), FIVE.assign(reach=0.1))


# --- summaries -----------------------------------------------------------------------------------


def test_success_table_by_hand():
    table = tables.make("success", FIVE)
    check(table, variant=["acs", "zeta"])
    acs = table[:1]
    check(acs, n_instances=[4], n=4, solved=2, success_rate=0.5, limit_s=120.0, limit_steps=-1)
    check(acs, wilson_low=0.1500390, wilson_high=0.8499610)
    check(acs, mean_time_solved_s=2.0, mean_time_all_s=(1 + 3 + 12.1 + 0.1) / 4)
    check(acs, median_time_s=NAN)  # two of four failed: the median is beyond the limit
    check(acs, par2_s=(1 + 3 + 240 + 240) / 4)


def test_repeated_runs_narrow_no_interval_but_on_one_puzzle_or_the_authors_instances():
    """Runs of equal results on the same instances say nothing about other instances."""
    again = pd.concat([FIVE.assign(repetition=number) for number in range(5)], ignore_index=True)
    check(tables.make("success", again)[:1], n=20, wilson_low=0.1500390, wilson_high=0.8499610)
    of_runs = {"n": 20, "wilson_low": 0.2992980, "wilson_high": 0.7007020}
    check(tables.make("success", again.assign(source="archive"))[:1], **of_runs)
    check(tables.make("success", again.assign(instance_id="one"))[:1], **of_runs)


def test_success_table_has_one_limit_and_leaves_named_puzzles_out():
    runs = runs_of({}, {"instance_id": "other"}, named("coly013", fixed_fraction=0.45))
    check(tables.make("success", runs), order=[5], n=2)
    runs = runs_of({"limit_s": 12.0}, {"repetition": 1})
    with pytest.raises(InputError, match="acs: limits are 12 s, 120 s; solvers are comp"):
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


def test_an_interval_has_the_columns_that_are_computed():
    schema = interval("work", "E[T]", "iterations")
    assert [*schema] == [*interval_columns("work", 1.0, [1.0, 2.0], 2)]
    assert {column.unit for column in schema.values()} == {"iterations"}


MADE_OF_RUNS = [name for name, table in tables.every().items() if not table.thresholds]


@pytest.mark.parametrize("name", MADE_OF_RUNS)
@pytest.mark.parametrize("runs", [runs_of, few_runs])
def test_tables_are_typed_and_come_back_from_csv(tmp_path, name, runs):
    table = tables.make(name, runs())
    schema = dtypes(tables.every()[name].columns)
    assert {column: str(dtype) for column, dtype in table.dtypes.items()} == schema
    tables.write(table, tmp_path / "table.csv")
    pd.testing.assert_frame_equal(tables.read(name, tmp_path / "table.csv"), table)


def test_unknown_tables_and_other_files_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"unknown table 'nonsense'.*: known are "):
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
    fields = {"acs": 0.98, "ils": 0.69, "dlx": 0.76, "bs": 0.21}
    assert success["value"][0.4][[*fields]].to_dict() == pytest.approx(fields)
    spoilt = published.results()  # a copy: callers cannot spoil the numbers of others
    spoilt["value"] = 0.0
    assert published.results()["value"].max() > 0


# --- Lewis ---------------------------------------------------------------------------------------


POINT = {"experiment": "lewis", "family": "order4-p040", "order": 4, "fixed_fraction": 0.40}
LIMIT_S = 40.0


def rows_of(fields, *ends):
    """A row of each repetition, which ended with this status after so many seconds."""
    return [
        fields | {"repetition": repetition, "status": status, "cpu_s": cpu_s}
        for repetition, (status, cpu_s) in enumerate(ends)
    ]


def runs(variant, times, instance="order4-p040-000", **row):
    """Runs of a variant on one instance: their times, None for a failure."""
    fields = POINT | {"instance_id": instance, "variant": variant, "limit_s": LIMIT_S} | row
    late = TIMEOUT, LIMIT_S + 0.3
    return rows_of(fields, *(late if time is None else (SOLVED, time) for time in times))


def puzzles(family, order, fixed_fraction, times=(1.0,), variants=("sa_hybrid", "cp_sa"), **row):
    """Runs on an instance of a family of given puzzles."""
    given = {"family": family, "order": order, "fixed_fraction": fixed_fraction} | row
    rows = (runs(variant, times, f"{family}-{fixed_fraction}", **given) for variant in variants)
    return [*chain(*rows)]


def table_of(name, *groups):
    return tables.make(f"lewis_{name}", runs_of(*chain(*groups)))


def test_each_paper_of_lewis_has_its_own_work():
    """At 16x16: 15.5 million swaps in the hybrid paper, 11.6 million in the journal."""
    fields = {"solver": "sa", "limit_steps": 30 * 10**6, "steps": 12 * 10**6}
    late = runs("sa", [12.0], **fields)
    given = puzzles("lewis_t1_order4_easy", 4, 0.4, [12.0], ["sa_hybrid"], **fields)
    fig3, table1 = (table_of(name, late, given) for name in ("fig3", "table1"))
    check(fig3, solved=[0], limit_steps=11_600_000, work_factor=1.3)
    check(fig3, rate_at_less=0.0, rate_at_more=1.0)
    check(table1, solved=[1], work_steps=15_500_000)


FAMILIES = [
    puzzles("lewis_t1_order4_superhard", 4, 125 / 256, fixed_after_cp=0.7),
    puzzles("lewis_t1_order4_easy", 4, 102 / 256, fixed_after_cp=0.5),
    puzzles("lewis_t1_order4_hard", 4, 102 / 256, fixed_after_cp=0.5),
    puzzles("mine", 4, 102 / 256, fixed_after_cp=0.5),
    puzzles("seventeen_clue", 3, 17 / 81, [2.0, None], fixed_after_cp=0.3),
    puzzles("lewis_t1_gentle", 3, 27 / 81, fixed_after_cp=0.6),
    puzzles("lewis_t1_gentle", 3, 28 / 81, fixed_after_cp=0.8),
    puzzles("lewis_t1_order5_hard", 5, 0.45),
]


def test_table1_of_lewis_by_hand():
    table = table_of("table1", *FAMILIES)
    check(table[:1], n_instances=[2], n=2, solved=2, fixed_fraction=27.5 / 81)
    check(table[:1], published_fixed_fraction=0.34, fixed_after_cp=0.7)
    clues = table[(table["family"] == "seventeen_clue") & (table["variant"] == "cp_sa")]
    check(clues, success_rate=[0.5], published_success_rate=0.16, published_mean_time_s=0.64)
    check(clues, mean_time_solved_s=2, mean_time_all_s=(2 + LIMIT_S + 0.3) / 2)
    check(clues, par2_s=(2 + 2 * LIMIT_S) / 2)


# --- Soto et al. ---------------------------------------------------------------------------------

HARD_A, MEDIUM_C = "mk_s12a", "mk_s11c"


def of_soto(variant, solved, puzzle=HARD_A):
    """Runs of a variant on one puzzle: whether each solved; run i takes i + 1 seconds."""
    fields = {"experiment": "soto", "family": "soto", "order": 3, "fixed_fraction": 0.3}
    fields |= {"limit_s": 10.0} if variant in ("ga_as_printed", "ac3_tabu_cell") else {}
    fields |= {"limit_steps": 1000} if "000" in variant else {}
    fields |= {"instance_id": puzzle, "variant": variant}
    ends = [SOLVED if is_solved else TIMEOUT for is_solved in solved]
    return rows_of(fields, *zip(ends, range(1, 1 + len(ends))))


def table_of_soto(name, *groups):
    """Table of groups of runs, given last first: the order of the rows must not matter."""
    return tables.make(name, runs_of(*chain(*map(reversed, groups))))


def test_table1_counts_tries_until_thirty_are_solved():
    main, printed = "ac3_tabu_1000_cell", "ac3_tabu_1000_as_printed"
    table = table_of_soto(
        "soto_2013_table1",
        of_soto(main, [False, True, True] + [True] * 40),
        of_soto(printed, [True] * 20 + [False] * 30),
        of_soto("ac3_tabu_100000_cell", [True] * 30),  # of Table 2
    )
    check(table, puzzle="hard_a", variant=[main, printed], reading=["main", "as printed"])
    check(table, n=[43, 50], solved=[42, 20], tries_for_30_solved=["31", "> 50"])
    check(table, min_time_s=[2, 1], max_time_s=[31, 20], mean_time_s=[(2 + 31) / 2, (1 + 20) / 2])
    check(table, published_tries_for_30_solved=[35, NAN], published_min_time_s=[2.608, NAN])
    check(table, published_mean_time_s=[88.55, NAN], published_max_time_s=[259.61, NAN])


def test_table2_counts_the_first_thirty_runs():
    table = table_of_soto(
        "soto_2013_table2",
        of_soto("ga_as_printed", [True] * 12 + [False] * 30 + [True] * 18),
        of_soto("ga", [True] * 3),
        of_soto("ga_100000_as_printed", [False, True, False]),
        of_soto("ac3_tabu_cell", [True] * 30, MEDIUM_C),
        of_soto("ac3_cuckoo_as_printed", [True]),
    )
    variants = ["ac3_tabu_cell", "ga_100000_as_printed", "ga_as_printed", "ga"]
    check(table, puzzle=["medium_c", "hard_a", "hard_a", "hard_a"], variant=variants)
    check(table, n=[30, 3, 30, 3], solved=[30, 1, 12, 3], published_solved_of_30=[NAN, 2, 30, NAN])
    check(table, limit_s=[10, 120, 10, 120], limit_steps=[-1, 1000, -1, -1])
