"""Tables of runs made by hand, for tests of tables, figures and claims."""

import pandas as pd
import pytest

from antdoku import papers
from antdoku.claims import mutation
from antdoku.claims.samples import Sample
from antdoku.columns import COLUMNS
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.papers.soto.tables import VARIANTS

NAN = float("nan")
DEFAULTS = {
    "experiment": "lloyd_amos",
    "instance_id": "order5-p045-000",
    "family": "order5-p045",
    "order": 5,
    "fixed_fraction": 0.45,
    "variant": "acs",
    "solver": "acs",
    "label": "ACS",
    "kind": "stochastic",
    "params": "{}",
    "repetition": 0,
    "seed": 1,
    "limit_s": 120.0,  # of 25x25 in the experiment
    "limit_steps": -1,
    "status": SOLVED,
    "cpu_s": 1.0,
    "setup_s": 0.0,
    "wall_s": 1.0,
    "steps": 10,
    "trivial": False,
    "fixed_after_cp": 0.5,
    "source": "shuffle",
    "given_fraction": 0.45,
    "unavoidable_sets": NAN,
    "message": "",
    "limited_by": "seconds",
    "n_timed": 1,
    "spread_s": 0.0,
    "mean_value_set_size": 3.0,
    "version": "0",
    "source_hash": "x",
}


def runs_of(*rows):
    """Return a table of runs. Each row is a dict of the columns that differ from `DEFAULTS`."""
    table = pd.DataFrame([DEFAULTS | row for row in rows], columns=list(COLUMNS)).astype(COLUMNS)
    is_random = table["family"].str.startswith("order")
    return table.assign(family_kind=is_random.map({True: "random", False: "given"}))


def point(fraction, number, order=5, **row):
    """Return the row of a run on an instance of a random family; `row` overrides columns."""
    family = f"order{order}-p{round(100 * fraction):03d}"
    instance = {"instance_id": f"{family}-{number:03d}", "family": family, "order": order}
    return instance | {"fixed_fraction": fraction} | row


def check(table, **columns):
    """Assert the values of columns: a list, or one value for all rows. NaN equals NaN."""
    for name, values in columns.items():
        expected = values if isinstance(values, list) else [values] * len(table)
        assert table[name].tolist() == pytest.approx(expected, nan_ok=True), name


NOTHING = runs_of()


def runs(n_solved, n, variant="acs", cpu_s=1.0, repetitions=1, order=5, fixed_fraction=0.45, **row):
    """Return runs on n random instances; the runs on the first n_solved are solved."""
    return runs_of(
        *(
            point(fixed_fraction, number, order, variant=variant, repetition=repetition)
            | {"status": SOLVED, "cpu_s": cpu_s + number / 1000}
            | ({"status": TIMEOUT, "cpu_s": 12.0} if number >= n_solved else {})
            | row
            for number in range(n)
            for repetition in range(repetitions)
        )
    )


def on_puzzle(n_solved, n, variant="acs", cpu_s=1.0, puzzle="mk_s12a", **row):
    """Return n runs on one puzzle, n_solved of them solved."""
    table = runs(n_solved, n, variant, cpu_s, order=3, **row)
    names = {"instance_id": puzzle, "family": "soto", "family_kind": "given"}
    return table.assign(**names, repetition=range(n))


def sample(*tables, variants=("acs",), same_puzzles=False, from_archive=False):
    """Return the sample of a claim with these runs, at the paper's work."""
    table = pd.concat(tables, ignore_index=True)
    table = table.assign(solved=table["status"] == SOLVED, work_multiple=1.0)
    return Sample(table, variants, same_puzzles, from_archive)


def of_soto(n=31):
    """Return runs of all systems of Soto et al. on their nine puzzles, from easy to hard."""
    rows = []
    for rank, puzzle in enumerate(papers.get("soto").puzzles):
        for number, (variant, (system, iterations, _)) in enumerate(VARIANTS.items()):
            setting = {"experiment": "soto", "family": "soto", "order": 3, "fixed_fraction": 0.3}
            setting |= {
                "instance_id": puzzle,
                "variant": variant,
                "label": papers.variants()[variant].label,
            }
            setting |= {"solver": system, "limit_s": 60.0, "limit_steps": iterations or 150_000}
            n_solved = max(0, n - rank * (number % 5))
            for repetition in range(n):
                cpu_s = 1e-4 * 3.0**rank * (1 + number % 3) * (1 + repetition / n)
                status = SOLVED if repetition < n_solved else TIMEOUT
                rows.append(setting | {"repetition": repetition, "status": status, "cpu_s": cpu_s})
    return runs_of(*rows)


def of_mutants():
    """Return a table of mutants. Each reproduces some claims, more of them for wider margins."""
    rows = []
    for number, mutant in enumerate(papers.mutations().values()):
        n_claims = 3 + number % 9
        for rank, margin in enumerate(mutation.MARGINS):
            counts = {"n_claims": n_claims, "n_real": n_claims - (rank < number % 4)}
            counts["n_reproduced"] = n_claims * (number % 4 + rank) // 7
            names = {"system": mutant.system, "variant": mutant.variant, "mistake": mutant.mistake}
            rows.append(names | {"margin": margin} | counts)
    return pd.DataFrame(rows)
