"""Runs made by hand, with as many solved as a test of a claim asks for."""

import pandas as pd
from runs_by_hand import runs_of

from antdoku.claims.samples import Sample
from antdoku.instances.family import family_name
from antdoku.outcome import SOLVED, TIMEOUT

NOTHING = runs_of()


def runs(n_solved, n, variant="acs", cpu_s=1.0, repetitions=1, order=5, fixed_fraction=0.45, **row):
    """Runs on n random instances; all those on the first n_solved are solved."""
    family = family_name(order, fixed_fraction)
    base = {"family": family, "order": order, "fixed_fraction": fixed_fraction, "variant": variant}
    return runs_of(
        *(
            {
                **base,
                "instance_id": f"{family}-{number:03d}",
                "repetition": repetition,
                "status": SOLVED if number < n_solved else TIMEOUT,
                "cpu_s": cpu_s + number / 1000 if number < n_solved else 12.0,
                **row,
            }
            for number in range(n)
            for repetition in range(repetitions)
        )
    )


def on_puzzle(n_solved, n, variant="acs", cpu_s=1.0, puzzle="mk_s12a", **row):
    """Runs on one puzzle."""
    table = runs(n_solved, n, variant, cpu_s, order=3, **row)
    return table.assign(instance_id=puzzle, family="soto", repetition=range(n))


def sample(*tables, variants=("acs",), same_puzzles=False):
    found = pd.concat(tables, ignore_index=True)
    return Sample(found.assign(solved=found["status"] == SOLVED), variants, same_puzzles)


def spread(times, n=100):
    """Runs at several fixed fractions that take about so long, unsolved where it says 12."""
    solved = {fraction: n if time < 12 else n // 2 for fraction, time in times.items()}
    return sample(
        *(runs(solved[p], n, cpu_s=time, fixed_fraction=p) for p, time in times.items()), NOTHING
    )
