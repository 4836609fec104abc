"""The provenance of results: machine, versions, configuration, and the time of the runs."""

import json
import os
import platform
import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import distributions
from pathlib import Path

import pandas as pd
import psutil

from antdoku import __version__

CPU_INFO = Path("/proc/cpuinfo")
CODE = (":/Snakefile", ":/src", ":/workflow", ":/config")  # the files that results depend on


def write(path, config: dict, runs, started: Iterable) -> None:
    """Write the provenance of a folder of results as JSON.

    Parameters
    ----------
    path : path
        The file to write.
    config : dict
        The configuration with its overlays.
    runs : path
        The table of all runs (Parquet).
    started : iterable of paths
        The files that the workflow made first.
    """
    content = {
        "antdoku": {"version": __version__, "commit": commit()},
        "machine": machine(),
        "software": software(),
        "config": config,
        "runs": summary(pd.read_parquet(runs, columns=["status", "cpu_s"])),
        "time": time_of_run(started),
    }
    Path(path).write_text(json.dumps(content, indent=2) + "\n")


def machine() -> dict:
    """Return the model of the processor, cores, memory in bytes, operating system."""
    lines = CPU_INFO.read_text().splitlines() if CPU_INFO.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "processor": models[0] if models else platform.processor(),
        "architecture": platform.machine(),
        "cores": os.cpu_count(),
        "memory_bytes": psutil.virtual_memory().total,
        "system": platform.platform(),
    }


def software() -> dict:
    """Return the versions of Python and of all installed packages."""
    packages = {package.metadata["Name"]: package.version for package in distributions()}
    return {
        "python": platform.python_version(),
        "packages": dict(sorted(packages.items(), key=lambda item: item[0].lower())),
    }


def commit() -> str | None:
    """Return the commit of the working directory; None outside of git.

    It ends in ``-dirty`` if code or configurations differ from it. An untracked file counts as a
    difference, because any file in the folder of the solvers is a solver.
    """
    try:
        changes = _git("status", "--porcelain", "--", *CODE)
        return _git("rev-parse", "HEAD") + ("-dirty" if changes else "")
    except (OSError, subprocess.CalledProcessError):
        return None


def _git(*words):
    process = subprocess.run(["git", *words], capture_output=True, text=True, check=True)
    return process.stdout.strip()


def summary(runs: pd.DataFrame) -> dict:
    """Return the number of runs, the sum of their CPU seconds, and their number by status."""
    return {
        "number": len(runs),
        "cpu_s": round(float(runs["cpu_s"].sum()), 3),
        "by_status": runs["status"].value_counts().to_dict(),
    }


def time_of_run(started: Iterable) -> dict:
    """Return the time from the oldest of the files `started` to now, with all pauses."""
    begin = datetime.fromtimestamp(min(Path(file).stat().st_mtime for file in started), UTC)
    end = datetime.now(UTC)
    return {
        "begin": begin.isoformat(timespec="seconds"),
        "end": end.isoformat(timespec="seconds"),
        "wall_s": round((end - begin).total_seconds(), 1),
    }
