"""The four programs of Figure 4 of Lloyd & Amos on the sixteen named puzzles, a hundred runs each.

    python benchmarks/programs.py FOLDER docs/results/programs.parquet

FOLDER has them as docs/results/peers.md says. This table decides the claims about their speed
(`antdoku.claims.record`): runs as in `columns.COLUMNS`, of the experiment `programs`. A run is
timed inside the program, from its first instruction to its end, with reading and conversion.
"""

import re
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

import click
import numpy as np
import pandas as pd
from peers import ILS, PEERS, archive, build

from antdoku.columns import COLUMNS, NONE
from antdoku.files import write_table
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.puzzle import named
from antdoku.tables.summary import typed

LIMIT_S, RUNS = 5, 100
# Each run has a seed: Sudoku_ils takes the time of day for one.
CLOCK = """
#include <cstdio>
#include <cstdlib>
#include <ctime>
static timespec begun;
static void __attribute__((constructor)) begin() {
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begun);
}
static void __attribute__((destructor)) end() {
  timespec ended;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
  fprintf(stderr, "cpu_s %.9f\\n",
          ended.tv_sec - begun.tv_sec + 1e-9 * (ended.tv_nsec - begun.tv_nsec));
}
extern "C" time_t time(time_t*) noexcept { return atol(getenv("SEED")); }
"""
# Variant, program, options, and what it prints when it has found a solution.
PROGRAMS = (
    ("acs", "sudoku_acs", f"--file {{file}} --timeout {LIMIT_S}", r"\A0\n"),
    ("bs", "sudoku_acs", f"--file {{file}} --alg 1 --timeout {LIMIT_S}", r"\A0\n"),
    ("dlx", "dlx-cpp", "", r"Nodes"),
    ("ils", "Sudoku_ils", f"{ILS} --iterationLimit 1000 --timeLimit {LIMIT_S}", r"\A0\n"),
)


def programs(folder: Path, scratch: Path) -> dict[str, Path]:
    """Compile each program with the clock."""
    built = {}
    for name in dict.fromkeys(name for _, name, *_ in PROGRAMS):
        peer, built[name] = PEERS[name], scratch / name
        code = (peer.code or "") + CLOCK
        command = peer.build if peer.code else f"{peer.build} -x c++ -"
        if reason := build(replace(peer, build=command, code=code), folder, built[name]):
            raise SystemExit(f"{name}: {reason}")
    return built


def run(program: Path, options: str, file: Path, seed: int, solved: str) -> tuple[bool, float]:
    """Return whether a run solves the puzzle, and its CPU seconds."""
    command = [program, *options.format(file=file).split()]
    with file.open() as puzzle:
        done = subprocess.run(
            command, stdin=puzzle, capture_output=True, text=True, env={"SEED": str(seed)}
        )
    return bool(re.search(solved, done.stdout)), float(done.stderr.split()[-1])


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("out", type=click.Path(dir_okay=False))
def main(folder, out):
    """Run the programs in turn, and write the table of runs."""
    rows, rng = [], np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as scratch:
        built = programs(folder.resolve(), Path(scratch))
        for puzzle in named.puzzles("lloyd_amos_named"):
            file = Path(scratch) / "puzzle.txt"
            file.write_text(archive(puzzle))
            for repetition in range(RUNS):
                for variant, name, options, solved in rng.permutation(PROGRAMS).tolist():
                    is_solved, cpu_s = run(built[name], options, file, repetition + 1, solved)
                    row = {"instance_id": puzzle.name, "variant": variant, "solver": name}
                    row |= {"repetition": repetition, "seed": repetition + 1, "cpu_s": cpu_s}
                    rows.append(row | {"status": SOLVED if is_solved else TIMEOUT})
    fixed = {"experiment": "programs", "family": "lloyd_amos_named", "order": 3, "limit_s": LIMIT_S}
    fixed |= {"limit_steps": NONE, "limited_by": "seconds", "steps": NONE, "trivial": False}
    fixed |= {"n_timed": 1, "spread_s": 0.0, "kind": "", "label": "", "params": "{}", "source": ""}
    table = pd.DataFrame(rows).assign(**fixed, version="", source_hash="")
    write_table(typed(table.reindex(columns=[*COLUMNS]), COLUMNS), out)
    print(table.pivot_table(index="instance_id", columns="variant", values="cpu_s"))


if __name__ == "__main__":
    main()
