"""The tables of the studies find what is known of runs by hand; their answers hold."""

import numpy as np
import pandas as pd
import pytest
import studies_by_hand as by_hand
from conftest import ROOT
from runs_by_hand import check
from scipy import stats

from antdoku import figures, papers, tables
from antdoku.errors import InputError
from antdoku.outcome import SOLVED
from antdoku.papers import study
from antdoku.papers.bve.tables import EFFECTS, _under_luby
from antdoku.papers.tails.tables import fit_weibull
from antdoku.statistics import MARGIN, cluster_weights, interval_columns

PUBLISHED = ROOT / "docs" / "results"
ANSWERED = [name for name, entry in study.every().items() if entry.answer]


def row(table, **values):
    """Return the only row of a table with these values."""
    for column, value in values.items():
        table = table[table[column] == value]
    assert len(table) == 1
    return table.iloc[0]


# --- Each study ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", study.every())
def test_a_study_has_a_question_an_analysis_and_a_page(name):
    entry = study.every()[name]
    assert papers.get(name).ours and entry.question.endswith("?") and len(entry.analysis) > 2
    page = " ".join((ROOT / "docs" / "studies" / f"{name}.md").read_text("utf-8").split())
    assert " ".join(entry.question.split()) in page
    assert " ".join(entry.answer.split()) in page
    assert bool(entry.answer) == bool(entry.headline) == bool(entry.holds)


def test_the_answer_on_mutants_has_the_numbers_of_the_table():
    table = tables.read("mutants", PUBLISHED / "mutants" / "tables" / "mutants.csv")
    sums = table[table["margin"] == MARGIN].sum(numeric_only=True).astype(int)
    words = papers.get("mutants").answer
    assert f"Each of {sums['n_claims']} tests" in words
    assert f"{sums['n_reproduced']} tests reproduce" in words
    assert f"{sums['n_real']} with the real one" in words


@pytest.mark.parametrize("name", ANSWERED)
def test_the_published_tables_make_the_answer_true(name):
    folder = PUBLISHED / name / "tables"
    failures = study.every()[name].failures(
        lambda table: tables.read(table, folder / f"{table}.csv")
    )
    assert not failures


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"column": "n", "above": 1}, ""),
        ({"column": "n", "where": {"name": "b"}, "below": 3}, ""),
        ({"column": "n", "above": 2}, "2, 3 is not between 2 and inf"),
        ({"column": "n", "where": {"name": "c"}}, "there is no such row"),
    ],
)
def test_a_condition_says_what_is_wrong(entry, words):
    rows = pd.DataFrame({"name": ["a", "b"], "n": [3, 2]})[::-1]
    failure = study.Condition("t", **entry).failure(rows)
    assert failure.endswith(words) and bool(failure) == bool(words)


def test_a_mistake_in_study_yaml_is_one_line(tmp_path):
    (tmp_path / "study.yaml").write_text("question: a?\nanalysis: [b]\nanswr: c\n")
    with pytest.raises(InputError, match=r"study\.yaml:3: answr: unknown key"):
        study.read(tmp_path / "study.yaml")


# --- bve -----------------------------------------------------------------------------------------


def test_effects_of_factors_are_found():
    table = tables.make("bve_effects", by_hand.of_bve(n=60)).set_index("effect")
    assert len(table) == 7 and {*table.columns} == {*EFFECTS} - {"effect"}
    # Log odds: 0.9 against 0.5 without restarts, nothing with restarts.
    low, high = table.loc["evaporation", ["log_odds_low", "log_odds_high"]]
    assert low < np.log(9) / 2 < high
    assert table.loc["restart", "log_odds_low"] > 0
    assert table.loc["evaporation × restart", "log_odds_high"] < 0
    low, high = table.loc["complete propagation", ["log_odds_low", "log_odds_high"]]
    assert low < 0 < high


def test_work_is_iterations_over_solutions_and_a_restart_cures_stagnation():
    runs = by_hand.of_bve(n=100)
    work = row(tables.make("bve_work", runs), variant="acs_restart", fixed_fraction=0.45)
    assert work["solved"] == 100 and work["work_low"] < by_hand.SOLUTION_STEPS < work["work_high"]
    restarts = tables.make("bve", runs)
    assert (restarts.groupby(["fixed_fraction", "variant"])["is_best"].sum() == 1).all()
    place = {"variant": "acs_no_bve", "fixed_fraction": 0.45}
    never, luby = (row(restarts, cutoff=name, **place) for name in ("none", "Luby"))
    cut = row(restarts, cutoff="1000", **place)
    # Half of the runs stagnate: a cut-off t costs t for each, beside the mean of a truncated run.
    expected = (1000 + by_hand.SOLUTION_STEPS * (1 - np.exp(-2.5))) / (1 - np.exp(-2.5))
    assert cut["work"] == pytest.approx(expected, rel=0.35)
    assert cut["work"] < luby["work"] * 2 < never["work"]
    answer = tables.make("bve_answer", runs)
    first = row(answer, propagation="authors", comparison="restart / evaporation")
    assert first["work_first"] / first["work_second"] == pytest.approx(first["ratio"])
    # Evaporation cures nothing that a restart after stagnation does not.
    stagnation = answer[answer["comparison"].str.startswith("after stagnation")]
    assert (stagnation["ratio_low"] < 1).all() and (stagnation["ratio_high"] > 1).all()


def test_work_under_the_luby_sequence_is_that_of_its_runs_one_after_the_other():
    rng, luby = np.random.default_rng(2), [1]
    while len(luby) < 2047:
        luby = [*luby, *luby, len(luby) + 1]
    steps = rng.integers(1, 5000, 60)
    solved = steps < 2000
    group = pd.DataFrame({"steps": steps, "solved": solved, "instance_id": np.arange(60) % 20})
    work, is_unsolved = 0.0, 1.0
    for length in luby:
        work += is_unsolved * np.minimum(steps, 30 * length).mean()
        is_unsolved *= 1 - (solved & (steps <= 30 * length)).mean()
    assert _under_luby(group)["work"] == pytest.approx(work)


def test_the_interval_of_the_work_to_a_solution_holds_it_in_about_95_percent():
    """Fifty instances whose means differ by a factor of e**2 between quartiles, three runs each."""
    rng, n, limit = np.random.default_rng(3), 50, 5000
    means = 300 * np.exp(1.5 * rng.normal(size=200_000))
    truth = (means * -np.expm1(-limit / means)).sum() / -np.expm1(-limit / means).sum()
    hits = 0
    for _ in range(400):
        lengths = rng.exponential(rng.choice(means, (n, 1)), (n, 3))
        sums = np.array([np.minimum(lengths, limit).sum(axis=1), (lengths < limit).sum(axis=1)]).T
        ratios = np.divide(*(cluster_weights(n, 500) @ sums).T)
        interval = interval_columns("work", np.divide(*sums.sum(axis=0)), ratios, n)
        hits += interval["work_low"] < truth < interval["work_high"]
    assert hits / 400 >= 0.9


def test_a_run_that_stagnates_is_not_solved_later():
    table = tables.make("bve_stagnation", by_hand.of_bve(n=100))
    alone = row(table, variant="acs_no_bve")
    assert alone["solved_first"] + alone["n_left"] == 100 and alone["solved_later"] == 0
    assert alone["expected_later"] > 0.9 * alone["n_left"]


# --- sensitivity ---------------------------------------------------------------------------------


def test_sobol_indices_of_an_additive_response():
    table = tables.make("sensitivity_indices", by_hand.of_sensitivity())
    shares = np.square([0.5, 3.0, 1.0, 0.0, 0.0])
    for rule in ("preprint", "journal"):
        part = table[table["greedy_rule"] == rule].set_index("parameter")
        np.testing.assert_allclose(part["total"], shares / shares.sum(), atol=0.06)
        assert part["matters"].tolist() == [False, True, True, False, False]


def test_the_setting_of_the_paper_is_ranked_and_tested():
    table = tables.make("sensitivity_rank", by_hand.of_sensitivity())
    best = row(table, setting="best", greedy_rule="preprint")
    assert best["share_better"] == 0 and best["q0"] < 0.2
    assert row(table, setting="paper", greedy_rule="preprint")["share_better"] > 0.5
    tested = tables.make("sensitivity_test", by_hand.of_sensitivity_test())
    check(tested[tested["variant"] == "paper"], ratio=1, ratio_low=1, ratio_high=1)
    assert row(tested, variant="best")["ratio"] == pytest.approx(0.53, abs=0.02)


def test_the_page_has_the_settings_of_the_table():
    page = (ROOT / "docs/studies/sensitivity.md").read_text("utf-8")
    rank = tables.read("sensitivity_rank", PUBLISHED / "sensitivity/tables/sensitivity_rank.csv")
    for row in rank[rank["propagation"] == "complete"].itertuples():
        greedy = 100 * (row.q0 if row.greedy_rule == "journal" else 1 - row.q0)
        name = {"paper": "paper's", "best": "best"}[row.setting]
        values = f"{row.m:.0f} | {row.q0:.2f} | {row.rho:.2f} | {row.xi:.2f} | {row.f_bve:.3f}"
        assert f"| {name}, {row.greedy_rule}'s rule | {values} | {greedy:.0f} % |" in page


# --- tails ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [0.6, 1.0, 2.5])
def test_weibull_shapes_agree_with_scipy(shape):
    times = 300 * np.random.default_rng(1).weibull(shape, 300)
    cut, observed = np.minimum(times, 500), times < 500
    sample = stats.CensoredData(uncensored=cut[observed], right=cut[~observed])
    expected, *_ = stats.weibull_min.fit(sample, floc=0)
    fitted = fit_weibull(cut, observed)
    assert fitted["shape"] == pytest.approx(expected, rel=1e-3)
    assert fitted["shape_low"] < shape < fitted["shape_high"]


def test_the_interval_of_a_shape_holds_it_in_95_percent():
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(400):
        times = rng.weibull(0.7, 60)
        fitted = fit_weibull(np.minimum(times, 1.5), times < 1.5)
        hits += fitted["shape_low"] < 0.7 < fitted["shape_high"]
    assert 0.92 <= hits / 400 <= 0.98


def test_heavy_tails_gain_from_a_restart():
    summary = tables.make("tails_summary", by_hand.of_tails([0.4] * 5)).iloc[0]
    assert summary["n_surely_below"] == 5 and summary["ratio_high"] < 1
    summary = tables.make("tails_summary", by_hand.of_tails([3.0] * 5)).iloc[0]
    assert summary["n_below"] == 0 and summary["ratio"] == pytest.approx(1, abs=0.15)


SECONDS = {
    "bs_closure": (0.001, None),
    "tabu_col": (0.01, 0.1),
    "cdcl": (0.1, 0.4),
    "auto": (0.002, 0.2),
}


def test_a_tree_that_knows_the_order_is_the_virtual_best():
    table = tables.make("portfolio", by_hand.of_portfolio(SECONDS)).set_index("strategy")
    assert table["share"].round(9).to_dict() == pytest.approx(
        {"single best": 0, "auto": (0.055 - 0.101) / 0.0045, "tree": 1, "virtual best": 1}
    )
    costs = tables.make("portfolio_solvers", by_hand.of_portfolio(SECONDS))
    assert row(costs, variant="bs_closure", order=5)["par10_s"] == 10
    assert row(costs, variant="bs_closure", order=3)["n_best"] == 40


def test_a_tie_goes_to_the_solver_with_the_least_mean():
    seconds = {"acs": (0.1, None), "tabu_col": (0.001, None), "auto": (0.001, None)}
    runs = by_hand.of_portfolio(seconds)
    is_late = (runs["repetition"] >= 3) & (runs["order"] == 5) & (runs["variant"] == "tabu_col")
    runs.loc[is_late, ["status", "cpu_s"]] = [SOLVED, 0.2]
    table = tables.make("portfolio", runs).set_index("strategy")
    assert table.loc["virtual best", "par10_s"] == pytest.approx((0.001 + 0.2) / 2)


def test_unequal_limits_are_refused():
    runs = by_hand.of_portfolio(SECONDS)
    runs.loc[0, "limit_s"] = 2.0
    with pytest.raises(InputError, match="limit_s differs"):
        tables.make("portfolio", runs)


# --- scaling -------------------------------------------------------------------------------------


def test_the_width_exponent_is_found():
    measured = by_hand.thresholds_of(exponent=-0.5)
    table = tables.make("scaling_trend", by_hand.of_hardest(), measured).set_index("threshold")
    trend = table.loc["solved"]
    assert trend["exponent_low"] < -0.5 < trend["exponent_high"]
    assert trend["last_rise"] == pytest.approx(0.02, abs=0.005) and trend["collapse"] < 0.1


def test_medians_and_hardest_points():
    measured, runs = by_hand.thresholds_of(), by_hand.of_hardest()
    assert tables.make("scaling_thresholds", runs).empty
    table = tables.make("scaling_thresholds", runs, measured)
    median = row(table, source="search", order=5, threshold="unique")
    assert median["median"] == pytest.approx(0.6, abs=0.01) and median["n_same"] == median["n"]
    hardest = tables.make("scaling_hardest", runs)
    check(hardest, hardest_low=0.45, hardest_high=0.45, is_located=True, par2_s=1.0)
    curves = tables.make("scaling", runs, measured)
    one = curves[(curves["order"] == 5) & (curves["source"] == "search")]
    assert one.groupby("threshold")["share"].is_monotonic_increasing.all()


@pytest.mark.parametrize("name", by_hand.DRAWN)
def test_figures_are_drawn(name, tmp_path):
    file = tmp_path / f"{name}.csv"
    tables.write(by_hand.DRAWN[name](), file)
    assert figures.make(name, tables.read(name, file)).axes
