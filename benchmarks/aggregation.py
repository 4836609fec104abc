"""Time and memory of the aggregation of many runs: ``python benchmarks/aggregation.py 10000000``.

Rows are generated as jobs write them, 25,000 a file, and then collected and summarised, each in a
process of its own as in the workflow. Goal: 10 million in a minute and 4 GB.
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from antdoku import tables
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.record import RUN_COLUMNS, family_name

ROWS_A_FILE, REPETITIONS = 25_000, 10
VARIANTS = ("acs", "acs_no_bve", "ils", "dlx")
PARAMS = '{"f_bve": 0.005, "m": 10, "q0": 0.9, "rho": 0.9, "rho_bve": 0.005, "xi": 0.1}'


def generate(folder, n_rows):
    """Write `n_rows` runs as files of jobs: families of 2500 instances, four variants of each."""
    rng = np.random.default_rng(1)
    folder.mkdir()
    for number in range(n_rows // ROWS_A_FILE):
        family, variant = number // len(VARIANTS), VARIANTS[number % len(VARIANTS)]
        order, percent = 3 + family % 3, family // 3 % 100
        instance = np.arange(ROWS_A_FILE) // REPETITIONS
        name, part = family_name(order, percent / 100), family // 300
        content = dict.fromkeys(RUN_COLUMNS, 0) | {
            "instance_id": [f"{name}-{part}{number:04d}" for number in instance],
            "family": name,
            "order": order,
            "fixed_fraction": percent / 100,
            "variant": variant,
            "solver": variant,
            "label": variant,
            "kind": "stochastic",
            "params": PARAMS,
            "repetition": np.arange(ROWS_A_FILE) % REPETITIONS,
            "seed": rng.integers(2**62, size=ROWS_A_FILE),
            "limit_s": 10.0,
            "limit_steps": -1,
            "status": np.where(rng.random(ROWS_A_FILE) < 0.7, SOLVED, TIMEOUT),
            "cpu_s": rng.exponential(3.0, ROWS_A_FILE),
            "wall_s": rng.exponential(3.0, ROWS_A_FILE),
            "steps": rng.integers(10**6, size=ROWS_A_FILE),
            "version": "0.1.0",
            "source_hash": "0123456789ab",
        }
        table = pd.DataFrame(content).astype(RUN_COLUMNS)
        table.to_parquet(folder / f"{variant}--{name}--{part}.parquet", index=False)


def stages(folder):
    """Names of the stages, and what each does."""
    runs = folder / "runs.parquet"
    files = sorted((folder / "experiment").iterdir())
    return {
        "collect": lambda: tables.collect(files, runs),
        "success": lambda: tables.make("success", tables.read_shown(runs)),
    }


def main(folder, argument):
    if argument in ("collect", "success"):
        begin = time.perf_counter(), time.process_time()
        stages(folder)[argument]()
        wall_s, cpu_s = time.perf_counter() - begin[0], time.process_time() - begin[1]
        peak_gb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
        print(f"{argument:8} {wall_s:7.1f} s {cpu_s:7.1f} s CPU {peak_gb:5.1f} GB", flush=True)
        return
    generate(folder / "experiment", int(argument))
    for stage in stages(folder):
        subprocess.run([sys.executable, __file__, stage, folder], check=True)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        main(Path(sys.argv[2]), sys.argv[1])
    else:
        with tempfile.TemporaryDirectory() as temporary:
            main(Path(temporary), sys.argv[1] if len(sys.argv) == 2 else "10000000")
