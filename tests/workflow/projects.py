"""Copies of the project for tests that call the workflow, and that may hold its jobs."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import yaml
from conftest import ROOT, configured

from antdoku.files import write_table
from antdoku.instances.families import make_all
from antdoku.runs import verification

# The variants that a test leaves out, but for one.
OTHERS = (
    *("acs_no_bve", "ils", "dlx", "bs", "acs_closure", "acs_closure_no_bve", "bs_closure"),
    *("acs_restart", "tabu_col", "cdcl", "cpsat"),
)
ACS_ALONE = f"{{{', '.join(f'{name}: null' for name in OTHERS)}}}"
# Limited by steps, so that executions can be compared: two parts of six runs.
TWO_PARTS = f"""\
name: two
experiments: [lloyd_amos]
lloyd_amos:
  random: {{count: 12, orders: [4], fixed_fractions: [0.45], limits_s: {{order4: 1}}}}
  puzzles: {{named: null}}
  limit_steps: 60
  variants: {ACS_ALONE}
jobs: {{longest_s: 6}}
"""
PATIENCE_S = 1800
HELD = Path(__file__).parent / "held"


def make_project(folder: Path) -> Path:
    """A project that shares the package, and so its compiled kernels, with this one."""
    shutil.copy2(ROOT / "Snakefile", folder)
    for part in ("config", "profiles", "workflow"):
        shutil.copytree(ROOT / part, folder / part)
    (folder / "src").symlink_to(ROOT / "src")
    (folder / ".venv").symlink_to(sys.prefix)
    script = folder / "workflow/scripts/run.py"
    imports = "    from antdoku.runs.job"
    script.write_text(script.read_text().replace(imports, f"    import held\n{imports}", 1))
    return folder


def make_two_parts(folder: Path) -> Path:
    """Make a project with the configuration `TWO_PARTS` and its instances."""
    (make_project(folder) / "two.yaml").write_text(TWO_PARTS)
    settings = configured(yaml.safe_load(TWO_PARTS))
    families = settings.blocks["lloyd_amos"].families(settings.seed)
    instances = folder / "results" / "two" / "instances"
    instances.mkdir(parents=True)
    write_table(make_all("lloyd_amos", families), instances / "lloyd_amos.parquet")
    return folder


def environment(project: Path) -> dict:
    """The environment of a call of the workflow in a project."""
    path = f"{HELD}{os.pathsep}{project / 'src'}"
    return os.environ | {"PYTHONPATH": path, "ANTDOKU_TEST_HOLD": str(project / "hold")}


def start(project: Path, *options: str, **changes: str) -> subprocess.Popen:
    """Start the workflow in an environment with changes."""
    command = [project / ".venv/bin/python", "-m", "snakemake", *options]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.Popen(command, cwd=project, env=environment(project) | changes, **streams)


def finish(project: Path, *options: str, **changes: str) -> str:
    """The output of the workflow, which must succeed, in an environment with changes."""
    return output_of(start(project, *options, **changes))


def output_of(process: subprocess.Popen) -> str:
    """The output of a started workflow, which must succeed."""
    output, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, output
    return output


def planned(project: Path, *options: str, **changes: str) -> tuple[dict, set]:
    """The number of jobs by rule, and the parts that would run, by a dry run of the workflow."""
    # Without the profile Snakemake lists the jobs.
    plain = ("--cores", "2", "--dry-run", "--workflow-profile", "none")
    output = finish(project, *options, *plain, **changes)
    stats = re.findall(r"^(\w+) +(\d+)$", output, re.MULTILINE)
    jobs = {rule: int(number) for rule, number in stats if rule != "total"}
    return jobs, set(re.findall(r"output: \S+/runs/(\S+)\.parquet", output))


def runs_at(project: Path, name: str) -> pd.DataFrame:
    """The runs of the results that have this name."""
    return pd.read_parquet(project / "results" / name / "runs.parquet")


def differences(project: Path, name: str) -> list[str]:
    """Return a line for each run of the results `name` that differs when this process repeats it.

    All parts must have ended; their runs need not be collected.
    """
    folder = project / "results" / name
    instances = pd.concat(map(pd.read_parquet, folder.glob("instances/*.parquet")))
    runs = pd.concat(map(pd.read_parquet, folder.glob("runs/*.parquet")))
    plan = pd.read_parquet(folder / "plan.parquet")
    assert len(runs) == len(plan)
    return verification.differences(runs, verification.again(plan, instances))


def hold(project: Path, lines: int) -> None:
    """Stop jobs between two runs once the journals have this many lines, until `release`."""
    (project / "hold").write_text(str(lines))


def release(project: Path) -> None:
    """Let the jobs that `hold` has stopped go on."""
    (project / "hold").unlink(missing_ok=True)


def lines(project: Path) -> list[bytes]:
    """Complete lines of all journals: runs that are done."""
    journals = sorted(project.glob("results/*/journals/*/*.jsonl"))
    parts = (part for journal in journals for part in journal.read_bytes().splitlines(True))
    return [part for part in parts if part.endswith(b"\n")]
