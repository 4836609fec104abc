"""Where results come from: machine, versions, configuration, and what the runs took."""

import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import distributions
from pathlib import Path

import pandas as pd
import psutil

from antdoku import __version__

CPU_INFO = Path("/proc/cpuinfo")
CODE = (":/Snakefile", ":/src", ":/workflow", ":/config")  # decide what comes out
SUMMARISED = ["solver", "variant", "status", "cpu_s", "source_hash"]


def write(path, config: dict, runs, started, cores: int | None = None) -> None:
    """Write the provenance of a result folder as JSON, from its table of all runs (Parquet).

    `config` has the overlays applied, `started` are the files that were made first, and `cores` how
    many the workflow used.
    """
    table = pd.read_parquet(runs, columns=SUMMARISED)
    content = {
        "antdoku": {"version": __version__, "commit": commit()},
        "machine": machine(),
        "software": software(),
        "config": config,
        "runs": summary(table),
        "time": time_of_run(started, float(table["cpu_s"].sum()), cores),
        "peak_memory_mb": table.attrs.get("peak_memory_mb"),
    }
    Path(path).write_text(json.dumps(content, indent=2) + "\n")


def machine() -> dict:
    """Model of the processor, cores, memory in bytes, operating system."""
    return {
        "processor": _processor(),
        "architecture": platform.machine(),
        "cores": os.cpu_count(),
        "physical_cores": psutil.cpu_count(logical=False),
        "memory_bytes": psutil.virtual_memory().total,
        "system": platform.platform(),
    }


def software() -> dict:
    """Versions of Python and of all installed packages."""
    packages = {found.metadata["Name"]: found.version for found in distributions()}
    return {
        "python": sys.version.split()[0],
        "packages": dict(sorted(packages.items(), key=lambda item: item[0].lower())),
    }


def commit() -> str | None:
    """Commit of the working directory, with ``-dirty`` for local changes; None outside of git.

    A file that git does not know is one, too, if it lies where code and configurations do: a solver
    is found by the name of its file.
    """
    try:
        found = _git("describe", "--always", "--dirty", "--abbrev=40", "--match=")
        # Those that .gitignore names left aside. From the top, wherever the workflow works.
        unknown = _git("ls-files", "--others", "--exclude-standard", "--", *CODE)
    except (OSError, subprocess.CalledProcessError):
        return None
    return f"{found.removesuffix('-dirty')}-dirty" if unknown else found


def _git(*words):
    done = subprocess.run(["git", *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def summary(runs: pd.DataFrame) -> dict:
    """Number of runs and their CPU seconds in all, by status, and source hashes by solver."""
    hashes = runs.groupby("solver")["source_hash"].unique()
    return {
        "number": len(runs),
        "cpu_s": round(float(runs["cpu_s"].sum()), 3),
        "by_status": runs["status"].value_counts().to_dict(),
        "cpu_s_by_variant": runs.groupby("variant")["cpu_s"].sum().round(3).to_dict(),
        "source_hashes": {solver: sorted(found) for solver, found in hashes.items()},
    }


def time_of_run(started, cpu_s: float, cores: int | None) -> dict:
    """From the oldest of the files `started` to now; pauses of a resumed workflow included.

    The overhead is the share of that time in which `cores` cores did not solve: start of processes,
    instances, tables, figures, idle cores. None if the cores are not known, as on a cluster.
    """
    begin = min(Path(file).stat().st_mtime for file in started)
    now = datetime.now(UTC)
    wall_s = now.timestamp() - begin
    return {
        "begin": datetime.fromtimestamp(begin, UTC).isoformat(timespec="seconds"),
        "end": now.isoformat(timespec="seconds"),
        "wall_s": round(wall_s, 1),
        "cores": cores,
        "overhead": round(1 - cpu_s / cores / wall_s, 4) if cores else None,
    }


def _processor():
    """Name of the processor as Linux gives it, or what Python knows of it."""
    if CPU_INFO.exists():
        for line in CPU_INFO.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor()
