"""Run the programs of Figure 4 of Lloyd & Amos, a hundred times on each of the sixteen puzzles.

    python benchmarks/programs.py FOLDER docs/results/programs.parquet

FOLDER contains the executables sudoku_acs, dlx-cpp and Sudoku_ils. They take their seed from the
environment variable SEED, and print the seconds of solving on standard error, such as
`seconds 0.000018300`, without start-up and output (docs/results/peers.md describes the interval).
The result is a table of runs with the columns `columns.COLUMNS` and the experiment `programs`. It
decides the claims about the speed of the programs (`antdoku.report.record`).
"""

import subprocess
import tempfile
from pathlib import Path

import click
import numpy as np
import pandas as pd
from peers import ILS, archive

from antdoku.columns import COLUMNS, NONE
from antdoku.files import write_table
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.puzzle import named
from antdoku.tables.summary import typed

LIMIT_S, RUNS = 5, 100
SOLVES = ("0\n", "Multiple solutions\n")  # beginnings of the output if the puzzle is solved
# Variant, program and options.
PROGRAMS = (
    ("acs", "sudoku_acs", f"--file {{file}} --timeout {LIMIT_S}"),
    ("bs", "sudoku_acs", f"--file {{file}} --alg 1 --timeout {LIMIT_S}"),
    ("dlx", "dlx-cpp", ""),
    ("ils", "Sudoku_ils", f"{ILS} --iterationLimit 1000 --timeLimit {LIMIT_S}"),
)


def run(program: Path, options: str, file: Path, seed: int) -> tuple[bool, float]:
    """Run a program; return whether it solves the puzzle, and the seconds of solving."""
    command = [program, *options.format(file=file).split()]
    with file.open() as puzzle:
        process = subprocess.run(
            command, stdin=puzzle, capture_output=True, text=True, env={"SEED": str(seed)}
        )
    return process.stdout.startswith(SOLVES), float(process.stderr.split()[-1])


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("out", type=click.Path(dir_okay=False))
def main(folder, out):
    """Run the programs in turn, and write the table of runs."""
    rows, rng = [], np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as scratch:
        for puzzle in named.puzzles("lloyd_amos_named"):
            file = Path(scratch) / "puzzle.txt"
            file.write_text(archive(puzzle))
            for repetition in range(RUNS):
                for variant, name, options in rng.permutation(PROGRAMS).tolist():
                    is_solved, cpu_s = run(folder.resolve() / name, options, file, repetition + 1)
                    row = {"instance_id": puzzle.name, "variant": variant, "solver": name}
                    row |= {"repetition": repetition, "seed": repetition + 1, "cpu_s": cpu_s}
                    rows.append(row | {"status": SOLVED if is_solved else TIMEOUT})
    fixed = {"experiment": "programs", "family": "lloyd_amos_named", "order": 3, "limit_s": LIMIT_S}
    fixed |= {"family_kind": "given"}
    fixed |= {"limit_steps": NONE, "limited_by": "seconds", "steps": NONE, "trivial": False}
    fixed |= {"n_timed": 1, "spread_s": 0.0, "kind": "", "label": "", "params": "{}"}
    table = pd.DataFrame(rows).assign(**fixed, source="named", version="", source_hash="")
    write_table(typed(table.reindex(columns=[*COLUMNS]), COLUMNS), out)
    print(table.groupby(["instance_id", "variant"])["cpu_s"].median().unstack())


if __name__ == "__main__":
    main()
