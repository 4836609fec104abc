"""The workflow as a user runs it: the quick configuration end to end, reruns, a kill, wrong runs.

Everything runs in a copy of the project, with the copy's package and a cache of its own.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import copy_project

from antdoku import figures, tables
from antdoku.errors import InputError
from antdoku.instances import example, random
from antdoku.outcome import ERROR, INVALID, SOLVED
from antdoku.puzzle.forms import format_archive
from antdoku.puzzle.grid import Puzzle, is_solution
from antdoku.record import COLUMNS
from antdoku.runs import provenance
from antdoku.sources import sources

QUICK = ("--configfile", "config/quick.yaml")
LLOYD_AMOS = (
    *("acs", "acs_no_bve", "ils", "dlx", "bs"),
    *("acs_restart", "cdcl", "cdcl_cadical", "cpsat"),
)
SOTO = (
    *("ac3_tabu_1000", "ac3_tabu_100000", "ac3_tabu"),
    *("ac3_cuckoo_100000", "ac3_cuckoo", "ga_100000", "ga"),
)
OFF = {"beyond_sensitivity"}  # the experiment is not among those of the default
FIGURES = [name for name in figures.names() if name not in OFF]
TABLES = [name for name in tables.names() if name not in OFF]
TIMES = ["cpu_s", "setup_s", "wall_s"]

# Limited by steps, so that two executions can be compared: one job of a few seconds.
STEADY = """\
name: {name}
experiments: [lloyd_amos]
lloyd_amos:
  random: {{count: 150, orders: [5], fixed_fractions: [0.45]}}
  puzzles: {{named: {{repetitions: 1}}}}
  limit_steps: 100
  variants:
    {{acs_no_bve: null, ils: null, dlx: null, bs: null,
    acs_restart: null, cdcl: null, cdcl_cadical: null, cpsat: null}}
jobs: {{longest_s: 100000}}
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project."""
    return copy_project(tmp_path_factory.mktemp("project"))


def environment(project):
    own = {"PYTHONPATH": str(project / "src"), "XDG_CACHE_HOME": str(project / "cache")}
    return {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"} | own


def command(*options):
    return [sys.executable, "-m", "snakemake", "--cores", "2", *options]


def snakemake(project, *options):
    return subprocess.run(
        command(*options),
        cwd=project,
        env=environment(project),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def planned(project, *options):
    """Number of jobs by rule, and the runs among them, that a call would execute."""
    done = snakemake(project, "--dry-run", *options)
    assert done.returncode == 0, done.stdout
    stats = re.findall(r"^(\w+) +(\d+)$", done.stdout, re.MULTILINE)
    jobs = {rule: int(number) for rule, number in stats if rule != "total"}
    return jobs, set(re.findall(r"output: \S+/runs/[a-z_]+/([a-z0-9_]+)--", done.stdout))


@pytest.fixture(scope="module")
def quick(project):
    """The project after the quick workflow, and its results."""
    done = snakemake(project, *QUICK)
    assert done.returncode == 0, done.stdout
    return project / "results" / "quick"


def test_quick_makes_every_file_of_the_paper(quick):
    expected = [f"figures/{name}.{form}" for name in FIGURES for form in ("png", "pdf", "svg")]
    expected += [f"tables/{name}.csv" for name in TABLES]
    expected += ["tables/runs.parquet", "provenance.json", "report.html", "check.txt"]
    sizes = {name: (quick / name).stat().st_size for name in expected}
    assert min(sizes.values()) > 0
    for name in TABLES:
        table = tables.read(name, quick / "tables" / f"{name}.csv")
        assert len(table) > 0, name
    assert (quick / "figures" / "lloyd_amos_fig1.png").read_bytes()[:4] == b"\x89PNG"
    assert (quick / "figures" / "lloyd_amos_fig1.pdf").read_bytes()[:4] == b"%PDF"


def test_quick_does_all_runs_once(quick):
    runs = pd.read_parquet(quick / "tables" / "runs.parquet")
    assert list(runs.columns) == list(COLUMNS)
    key = ["experiment", "variant", "family", "instance_id", "repetition"]
    assert not runs.duplicated(key).any()
    expected = {
        # orders, fractions, instances, repetitions; then given puzzles and their repetitions
        **{("lloyd_amos", name): 3 * 5 * 5 + 16 * 2 for name in LLOYD_AMOS},
        **{("lewis", name): 3 * 5 * 3 * 2 + 3 * 2 + 20 + 2 * 2 for name in ("sa", "cp_sa")},
        **{("generators", name): 2 * 3 for name in ("acs", "dlx", "bs")},
        **{("soto", name): 9 * (5 if name == "ac3_tabu_1000" else 3) for name in SOTO},
    }
    assert runs.groupby(["experiment", "variant"]).size().to_dict() == expected
    main = runs[runs["experiment"] == "lloyd_amos"]
    assert (main["status"] == SOLVED).mean() > 0.8
    assert (quick / "check.txt").read_text() == f"{len(runs)} runs, none invalid or error\n"


def test_quick_tells_where_its_results_come_from(quick):
    content = json.loads((quick / "provenance.json").read_text())
    runs = pd.read_parquet(quick / "tables" / "runs.parquet")
    assert content["config"]["name"] == "quick"
    assert content["config"]["lewis"]["random"]["orders"] == [3, 4, 5]
    assert content["machine"]["cores"] == os.cpu_count()
    assert content["software"]["packages"]["numba"]
    assert content["runs"]["number"] == len(runs)
    assert sum(content["runs"]["by_status"].values()) == len(runs)
    assert set(content["runs"]["source_hashes"]) == set(runs["solver"])
    assert 0 < content["time"]["wall_s"] < 1800


def test_a_second_call_has_nothing_to_do(quick, project):
    done = snakemake(project, *QUICK)
    assert done.returncode == 0
    assert "Nothing to be done" in done.stdout


@pytest.mark.parametrize(
    ("file", "rules", "variants"),
    [
        (
            "solvers/acs.py",
            {"run", "compile", "collect"},
            {"acs", "acs_no_bve", "acs_restart", "dlx", "bs"},  # dlx, bs: on grids made by ACS
        ),
        ("solvers/dlx.py", {"run", "compile", "collect"}, {"dlx"}),
        ("solvers/_annealing.py", {"run", "compile", "collect"}, {"sa", "cp_sa"}),
        (
            "figures/style.py",
            {"check", "all", "report_html", *(f"figure_{name}" for name in FIGURES)},
            set(),
        ),
        ("report/charts.py", {"check", "all", "report_html"}, set()),
        ("cli.py", set(), set()),
    ],
)
def test_editing_code_reruns_what_depends_on_it(quick, project, file, rules, variants):
    code = project / "src" / "antdoku" / file
    before, times = code.read_text(), code.stat()
    code.write_text(f"{before}\n# edited\n")
    try:
        jobs, runs = planned(project, *QUICK)
    finally:
        code.write_text(before)
        os.utime(code, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert runs == variants
    assert rules <= set(jobs)
    made = {rule.split("_")[1] for rule in jobs if rule.startswith("instances")}
    assert made == ({"generators"} if file == "solvers/acs.py" else set())  # grids made by ACS
    if not variants:
        assert set(jobs) == rules


def test_changing_a_parameter_reruns_its_variant_only(quick, project):
    (project / "mine.yaml").write_text("lloyd_amos: {variants: {acs_no_bve: {params: {m: 9}}}}\n")
    jobs, runs = planned(project, *QUICK, "mine.yaml")
    assert runs == {"acs_no_bve"}
    assert jobs["run"] == 4  # three orders and the named puzzles


FILES = """\
name: files
experiments: [lloyd_amos]
lloyd_amos:
  random: {source: archive, archive: archived, count: 1, orders: [3], fixed_fractions: [0.3]}
  puzzles: {named: null, mine: {from: "m{in}<e>.txt", repetitions: 1, limit_s: 1}}
"""


def test_instances_are_made_again_when_their_files_have_changed(project):
    (project / "files.yaml").write_text(FILES)
    (project / "archived").mkdir()
    archived, mine = project / "archived/inst9x9_30_0.txt", project / "m{in}<e>.txt"
    blank = Puzzle(3, np.zeros(81, int))
    archived.write_text(format_archive(blank))
    mine.write_text("." * 81)
    families = ("mine", "order3-p030")
    made = [f"results/files/instances/lloyd_amos/{family}.parquet" for family in families]
    options = (*made, "--configfile", "files.yaml")
    assert snakemake(project, *options).returncode == 0
    assert planned(project, *options)[0] == {}
    archived.write_text(format_archive(blank).replace("-1", "5", 1))
    assert planned(project, *options)[0] == {"instances_lloyd_amos_order3": 1}
    assert snakemake(project, *options).returncode == 0
    mine.write_text("5" + "." * 80)
    assert planned(project, *options)[0] == {"instances_lloyd_amos_mine": 1}


def steady(project, name):
    """Run file of the steady experiment `name`, and the options that choose it."""
    file = project / f"{name}.yaml"
    file.write_text(STEADY.format(name=name))
    target = f"results/{name}/runs/lloyd_amos/acs--order5--0.parquet"
    return target, ("--configfile", str(file))


def wait_for(condition, process):
    """Wait until `condition` holds while `process` lives."""
    for _ in range(1200):
        if condition():
            return
        assert process.poll() is None, "it ended too soon"
        time.sleep(0.05)
    pytest.fail("nothing happened for a minute")


def test_the_maps_of_parameters_are_an_experiment_of_their_own(project):
    (project / "maps.yaml").write_text(
        "name: maps\nexperiments: [sensitivity]\nsensitivity:\n"
        "  random: {count: 2, orders: [3], limits_s: {order3: 1}}\n"
        "  variants: {q0_rho: {limit_steps: 10, grid: {q0: [0.9], rho: [0.5, 0.9]}},"
        " m2: null, m5: null, m10: null, m20: null, m40: null}\n"
    )
    done = snakemake(project, "--configfile", "maps.yaml")
    assert done.returncode == 0, done.stdout
    assert "antdoku: 8 runs in 4 jobs, at most 0.0 h of CPU time on 2 cores" in done.stdout
    table = tables.read(
        "beyond_sensitivity", project / "results/maps/tables/beyond_sensitivity.csv"
    )
    assert len(table) == 4
    assert (project / "results/maps/figures/beyond_sensitivity.pdf").exists()


def test_killed_and_called_again_it_goes_on_and_gives_the_same(quick, project):
    target, options = steady(project, "whole")
    done = snakemake(project, target, *options)
    assert done.returncode == 0, done.stdout
    whole = pd.read_parquet(project / target)

    target, options = steady(project, "killed")
    journal = project / "results/killed/journals/lloyd_amos/acs--order5--0.jsonl"
    process = subprocess.Popen(
        command(target, *options),
        cwd=project,
        env=environment(project),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    wait_for(lambda: journal.exists() and journal.read_bytes().count(b"\n") >= 5, process)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    kept = journal.read_bytes()
    kept = kept[: kept.rfind(b"\n") + 1]
    assert not (project / target).exists()
    assert kept.count(b"\n") < len(whole)

    done = snakemake(project, target, *options)
    assert done.returncode == 0, done.stdout
    assert "results/killed: goes on where a killed workflow was" in done.stdout
    assert journal.read_bytes().startswith(kept)
    assert journal.read_bytes().count(b"\n") == len(whole)
    resumed = pd.read_parquet(project / target)
    pd.testing.assert_frame_equal(resumed.drop(columns=TIMES), whole.drop(columns=TIMES))


def some_runs(statuses):
    """A runs table with these statuses."""
    rows = len(statuses)
    table = pd.DataFrame({name: [0] * rows for name in COLUMNS}).astype(COLUMNS)
    return table.assign(status=statuses, variant="acs", instance_id=[f"i{n}" for n in range(rows)])


def test_a_wrong_run_fails_the_check_in_one_line(tmp_path):
    file = tmp_path / "runs.parquet"
    some_runs([SOLVED, INVALID, ERROR, INVALID]).to_parquet(file)
    with pytest.raises(SystemExit) as caught:
        provenance.write_check(tmp_path / "check.txt", file, [], {})
    message = caught.value.code
    assert "acs: 1 error, acs: 2 invalid" in message
    assert "acs, i1, 0" in message
    assert "\n" not in message
    assert not (tmp_path / "check.txt").exists()


@pytest.mark.parametrize("number", [2, 3, 4])
def test_a_run_that_is_missing_fails_the_check_in_one_line(tmp_path, number):
    runs, family = tmp_path / "runs.parquet", tmp_path / "lewis" / "order3-p035.parquet"
    family.parent.mkdir()
    random.generate(3, 0.35, 3, 1).to_parquet(family)
    some_runs([SOLVED] * number).assign(experiment="lewis", family=family.stem).to_parquet(runs)
    check = tmp_path / "check.txt", runs, [family], {"lewis/acs/order3-p035": 1}
    if number == 3:
        provenance.write_check(*check)
        assert check[0].read_text() == "3 runs, none invalid or error\n"
        return
    with pytest.raises(SystemExit) as caught:
        provenance.write_check(*check)
    assert f"lewis/acs/order3-p035: {number} runs instead of 3" in caught.value.code
    assert "\n" not in caught.value.code


def test_the_overhead_is_the_share_of_the_time_in_which_the_cores_did_not_solve(tmp_path):
    (tmp_path / "first").touch()
    then = time.time() - 100
    os.utime(tmp_path / "first", (then, then))
    time_ = provenance.duration([tmp_path / "first"], cpu_s=150.0, cores=2)
    assert time_["wall_s"] == pytest.approx(100, abs=5)
    assert time_["overhead"] == pytest.approx(0.25, abs=0.05)
    assert provenance.duration([tmp_path / "first"], 150.0, None)["overhead"] is None


def test_bad_input_of_a_script_is_one_line_in_its_log(tmp_path):
    log = tmp_path / "log"
    code = "from antdoku.workflow import logged\n"
    code += "from antdoku.instances.families import write_families\n"
    code += f"with logged({str(log)!r}):\n"
    code += "    write_families('.', 3, [0.5], source='archive', archive='/nowhere', count=1)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == ""
    (line,) = log.read_text().splitlines()
    assert line.startswith("antdoku: error: /nowhere: ")


def test_sources_follow_imports_and_leave_out_what_is_not_imported():
    found = {Path(file).name for file in sources("runs.job", "solvers.bs")}
    assert {"job.py", "run.py", "bs.py", "propagation.py", "grid.py", "record.py"} <= found
    assert not found & {"acs.py", "dlx.py", "ils.py", "cli.py", "tables", "config.py"}
    figures = {Path(file).name for file in sources("figures")}
    assert {"style.py", "lloyd_amos.py"} <= figures
    assert not figures & {"run.py", "propagation.py"}
    assert all(Path(file).exists() for file in sources("config", "solvers.ils"))


def test_sources_can_leave_out_a_module():
    with_acs, without = (
        {Path(file).name for file in sources("instances.families", without=left_out)}
        for left_out in ((), ("solvers.acs",))
    )
    assert "acs.py" in with_acs - without
    assert "families.py" in without


def test_the_example_is_a_puzzle_with_its_solution(tmp_path):
    file = tmp_path / "example.json"
    example.write(file)
    givens, solution = example.read("lloyd_amos_fig1", file)
    assert is_solution(Puzzle(3, givens), solution)
    same, before, after = example.read("lloyd_amos_fig3", file)
    assert (same == givens).all()
    assert before.shape == after.shape == (81, 9)
    assert (after <= before).all()
    assert after[range(81), solution - 1].all()
    assert 1 < after.sum(axis=1).mean() < before.sum(axis=1).mean()


def test_the_example_must_be_known(tmp_path):
    with pytest.raises(InputError):
        example.write(tmp_path / "example.json", "no_such_puzzle")
