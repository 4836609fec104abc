"""What a user sees while the workflow works: how far it is, and what was found."""

import json
import re
from functools import partial

import pytest
from projects import finish, make_project
from test_forecast import config, plan  # noqa: F401 (a fixture)

from antdoku.forecast import RUN_S, Forecast
from antdoku.progress import TRUSTED_S, Work, rest_s
from antdoku.runs.plans import Job


def test_the_time_left_is_a_forecast_at_first_and_measured_at_the_end():
    left_s = partial(rest_s, 10_000, 0, cores=2)
    assert left_s(0, 0) == 5000
    # The first job of many is much slower than expected.
    assert left_s(0, 90) < 1.5 * 5000
    # Three times as slow as expected.
    assert 5000 < left_s(2 * 10, 30) < 3 * 5000
    assert left_s(2 * 4000, 12_000) == pytest.approx(3 * 1000, rel=0.05)
    assert left_s(10_000, 15_000) == 0
    left_s = partial(rest_s, 1000, 900, cores=1)
    assert left_s(900, 0) == 100
    assert left_s(910, TRUSTED_S) == pytest.approx(90 * 60 / 40)


def line(key="k", variant="acs", family="f", limit_s=2.0):
    row = {"variant": variant, "family": family, "limit_s": limit_s, "limit_steps": -1}
    return json.dumps({"key": key, "row": row}) + "\n"


def test_runs_count_as_soon_as_their_journal_has_them(config, tmp_path):  # noqa: F811
    job = Job("e", (plan(limit_s=2),), "b", ("f",), 5, 0, 1, n_runs=10, longest_s=20)
    jobs = {1: ("run", job), 2: ("tables_soto", None)}
    work = Work(Forecast(config, tmp_path / "none.parquet"), jobs, tmp_path)
    assert work.total_s == pytest.approx(10 * (2 + RUN_S) + work.seconds[2])
    assert work.done_s() == 0
    journal = tmp_path / "e" / "b--0.jsonl"
    journal.parent.mkdir()
    # A damaged one, those of other limits and variants, and one that is being written.
    others = line("m", limit_s=3.0) + line("n", variant="ils") + line("o", family="new")
    journal.write_text(line() + "damaged\n" + others + line("l")[:20])
    assert work.done_s() == pytest.approx(2 + RUN_S)
    with journal.open("a") as file:
        file.write(line("l")[20:])
    assert work.done_s() == pytest.approx(2 * (2 + RUN_S))
    work.finished |= {1, 2}
    assert work.done_s() == work.total_s


CONFIG = """\
name: seen
experiments: [lloyd_amos]
lloyd_amos:
  random: {count: 4, orders: [3], fixed_fractions: [0.45], limits_s: {order3: 1}}
  puzzles: {named: null}
  limit_steps: 60
  variants:
    {acs: null, acs_no_bve: null, ils: null, bs: null,
    acs_closure: null, acs_closure_no_bve: null, bs_closure: null,
    acs_restart: null, tabu_col: null, cdcl: null, cpsat: null}
"""
TOUCH = ("--cores", "1", "--touch")  # calls all that is needed done, and does nothing
CALL = ("--cores", "2", "results/seen/tables/runs.parquet", "--configfile", "seen.yaml")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = make_project(tmp_path_factory.mktemp("seen"))
    (folder / "seen.yaml").write_text(CONFIG)
    return folder


def test_a_dry_run_says_how_long_it_would_take(project):
    output = finish(project, *CALL, "--dry-run")
    first, last = re.findall("^antdoku: .*", output, re.MULTILINE)
    assert output.rstrip().endswith(last) and first == last
    assert re.match("antdoku: 4 runs in 1 job on 2 cores: about [0-9]+ s, (at most|by the)", first)


FIGURE = "results/seen/figures/lloyd_amos_fig5.png"


@pytest.mark.parametrize("wanted", ["all", pytest.param(FIGURE, marks=pytest.mark.thorough)])
def test_findings_are_told_where_their_report_was_wanted(wanted, tmp_path):
    project = make_project(tmp_path)
    (project / "seen.yaml").write_text(CONFIG)
    results = project / "results" / "seen"
    results.mkdir(parents=True)
    for name in ("report.html", "findings.txt"):  # of an earlier call
        (results / name).write_text("Ants are slow.\n")
    output = finish(project, *TOUCH, wanted, "--configfile", "seen.yaml")
    told = "Ants are slow.\nReport: results/seen/report.html\n"
    assert output.endswith(told) == (wanted == "all")
