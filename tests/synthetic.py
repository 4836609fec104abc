"""Plausible runs of all experiments, as many as in the default and in the quick configuration."""

import re
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from runs_by_hand import DEFAULTS

from antdoku import papers
from antdoku.columns import COLUMNS
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.papers.published import most_steps
from antdoku.runs.history import COLUMNS as TRACE_COLUMNS
from antdoku.runs.history import checkpoints

NAMED_PUZZLES = papers.get("lloyd_amos").puzzles
SOTO_PUZZLES = papers.get("soto").puzzles


class System(NamedTuple):
    """How a variant does: times are to those of ACS at each order, hardness is at the peak."""

    solver: str
    typical: float
    hard: float
    stuck: float = 0.0  # share of the runs that would never solve, at the peak of order 5
    missing: int = 0  # cells without a value in the grids of a colony that stagnates


SYSTEMS = {
    "acs": System("acs", 1.0, 3.0, 0.15, 2),
    "acs_no_bve": System("acs", 1.5, 5.0, 0.45, 6),
    "ils": System("ils", 3.0, 6.0),
    "dlx": System("dlx", 2.0, 5.0),
    "bs": System("bs", 0.7, 7.0),
    "acs_closure": System("acs", 0.5, 2.5, 0.1, 2),
    "acs_closure_no_bve": System("acs", 0.7, 4.0, 0.35, 5),
    "bs_closure": System("bs", 0.5, 6.0),
    "acs_restart": System("acs", 1.0, 2.0, 0.0, 3),
    "tabu_col": System("tabu_col", 0.3, 1.0),
    "cdcl": System("cdcl", 20.0, 0.5),
    "cpsat": System("cpsat", 100.0, 0.4),
    "sa": System("sa", 2.0, 6.0),
    "sa_hybrid": System("sa", 2.5, 6.5),
    "cp_sa": System("cp_sa", 1.0, 5.0),
}
LEWIS = ("sa", "sa_hybrid", "cp_sa")
LLOYD_AMOS = [name for name in SYSTEMS if name not in LEWIS]
FRONTIER = ("tabu_col", "acs_restart", "cdcl", "cpsat", "sa")
LABELS = {
    **{"acs": "ACS", "ils": "ILS", "dlx": "DLX", "bs": "BS", "acs_restart": "ACS with restarts"},
    **{"ac3_tabu": "AC3-tabu", "ac3_cuckoo": "AC3-cuckoo", "ga": "GA", "tabu_col": "TabuCol"},
    **{"cdcl": "CDCL", "cpsat": "CP-SAT", "sa": "SA", "cp_sa": "CP+SA"},
}
# By experiment the source of its grids, and how many unavoidable sets these have at each order.
SOURCES = {
    "lloyd_amos": ("shuffle", {3: 11, 4: 28, 5: 58}),
    "generators": ("acs", {3: 11, 4: 28, 5: 58}),
    "generators_root": ("shuffle root", {3: 0, 4: 64, 5: 0}),
}
LIMITS = {3: 5.0, 4: 20.0, 5: 120.0}
LITTLE = 0.1  # reach of the quick configuration, in papers' work; 1 in the default
FASTER = 10  # than the papers' programs in steps a second
# Chance that a run solves an easy, a medium and a hard puzzle, by variant.
CHANCES = {
    "ac3_tabu_1000": (1.0, 0.8, 0.4),
    "ac3_tabu_100000": (1.0, 1.0, 0.9),
    "ac3_tabu": (1.0, 1.0, 1.0),
    "ac3_cuckoo_100000": (1.0, 1.0, 0.9),
    "ac3_cuckoo": (1.0, 1.0, 1.0),
    "ga_100000": (1.0, 0.7, 0.05),
    "ga": (1.0, 1.0, 0.0),
    "ac3_tabu_1000_as_printed": (0.9, 0.7, 0.3),
    "ac3_tabu_100000_as_printed": (1.0, 0.9, 0.6),
    "ac3_tabu_as_printed": (1.0, 1.0, 0.9),
    "ac3_cuckoo_100000_as_printed": (1.0, 0.9, 0.5),
    "ac3_cuckoo_as_printed": (1.0, 1.0, 0.9),
    "ga_100000_as_printed": (1.0, 0.6, 0.0),
    "ga_as_printed": (1.0, 0.9, 0.0),
    "ac3_tabu_1000_construction": (1.0, 0.9, 0.5),
    "ac3_tabu_100000_construction": (1.0, 1.0, 1.0),
    "ac3_tabu_construction": (1.0, 1.0, 1.0),
    "ga_100000_generations": (1.0, 0.9, 0.1),
}
SOTO_TYPICAL = {"ac3": 1e-4, "ga": 1e-2}  # seconds on an easy puzzle
# What all runs have that say nothing else.
USUAL = DEFAULTS | {"order": 3, "fixed_fraction": 0.3, "kind": "exact", "steps": 1}
USUAL |= {"limit_s": np.nan, "mean_value_set_size": np.nan}

# Runs of one variant on some instances are a dict of columns: arrays, or one value for all.


def family_runs(rng, order, percent, variant, count, repetitions=1, reach=1):
    """Runs on random instances: hardest at 45 %, log-normal times, censored."""
    peak = np.exp(-(((percent - 45) / 12) ** 2)) * (order - 2) / 3
    system, n = SYSTEMS[variant], count * repetitions
    scale = 1e-4 * 10 ** (order - 3) * system.typical
    times = scale * np.exp(rng.normal(system.hard * 1.6 * peak, 0.4 + 2 * peak, n))
    times[rng.random(n) < system.stuck * peak] = np.inf
    name = f"order{order}-p{percent:03d}"
    fixed = np.clip(1 / (1 + np.exp((35 + 5 * order - percent) / 3)), percent / 100, 1)
    trivial = np.random.default_rng(percent).random(count) < (percent - 45) / 40
    instance = np.repeat(range(count), repetitions)
    return limited(times, variant, order, reach) | {
        "instance_id": [f"{name}-{number:03d}" for number in instance],
        "family": name,
        "fixed_fraction": percent / 100,
        "repetition": np.tile(range(repetitions), count),
        "trivial": trivial[instance],
        "fixed_after_cp": np.linspace(fixed, percent / 100, count)[instance],
        "given_fraction": percent / 100,
        "mean_value_set_size": 1 + (order**2 - 1) * max(0.0, 1 - percent / 60) ** 2,
    }


def named_runs(rng, number, puzzle, variant, count, reach=1):
    """Runs on a named puzzle: times log-normal around a level that rises with its number."""
    level = 3e-4 * 1.5**number * SYSTEMS[variant].typical
    times = level * np.exp(rng.normal(0, 0.05 if variant in ("dlx", "bs") else 1.2, count))
    return limited(times, variant, 3, reach) | {
        "instance_id": puzzle,
        "family": "named",
        "repetition": np.arange(count),
    }


def limited(times, variant, order, reach):
    """Runs that would take so long, and end after `reach` times the papers' work, if it is known.

    All end at the papers' limit in seconds.
    """
    solver = SYSTEMS[variant].solver
    steps = most_steps("lewis" if solver in LEWIS else "lloyd_amos", solver, order)
    ends = LIMITS[order]
    known = {"variant": variant, "order": order, "limit_s": ends}
    if steps is not None:
        rate = FASTER * steps / ends
        ends = min(ends, reach * steps / rate)
        known |= {"limit_steps": round(reach * steps), "limited_by": "steps"}
        known |= {"steps": np.ceil(np.minimum(times, ends) * rate)}
    status = np.where(times < ends, SOLVED, TIMEOUT)
    return known | {"status": status, "cpu_s": np.minimum(times, ends)}


def soto_runs(rng, puzzle, variant, count):
    """Runs on one of the nine puzzles of Soto et al."""
    level = ("easy", "medium", "hard").index(SOTO_PUZZLES[puzzle].split("_")[0])
    steps = re.search(r"_(\d+)", variant)
    limits = {"limit_steps": int(steps[1])} if steps else {"limit_s": 10.0}
    solved = rng.random(count) < CHANCES[variant][level]
    return {
        "instance_id": puzzle,
        "family": "soto",
        "variant": variant,
        "repetition": np.arange(count),
        **limits,
        "status": np.where(solved, SOLVED, TIMEOUT),
        "cpu_s": SOTO_TYPICAL[variant.split("_")[0]] * 4**level * rng.lognormal(0, 0.7, count),
    }


def completed(experiment, parts):
    """A runs table of one experiment, with what the parts leave out."""
    rows = []
    for part in parts:
        variant = part["variant"]
        solver = SYSTEMS[variant].solver if variant in SYSTEMS else variant
        named = {"solver": solver, "label": LABELS.get(solver, solver)}
        row = USUAL | named | part | {"experiment": experiment, "wall_s": part["cpu_s"]}
        rows.append(row | grids(experiment, row["order"], len(row["cpu_s"])))
    columns = {
        name: np.concatenate([np.broadcast_to(row[name], len(row["cpu_s"])) for row in rows])
        for name in COLUMNS
    }
    return pd.DataFrame(columns).astype(COLUMNS)


def synthetic_runs(percents, count, repetitions, puzzles, runs_each, reach=1):
    """A runs table like that of the workflow."""
    rng = np.random.default_rng(1)
    named = product(LLOYD_AMOS, enumerate(puzzles))
    lloyd_amos = [named_runs(rng, *each, variant, runs_each, reach) for variant, each in named]
    points = [(order, percent) for order in (3, 4, 5) for percent in percents]
    each = product(points, LLOYD_AMOS)
    lloyd_amos += [family_runs(rng, *at, name, count, 1, reach) for at, name in each]
    few, each = max(3, count // 5), product(points, LEWIS)
    lewis = [family_runs(rng, *at, name, count, repetitions, reach) for at, name in each]
    soto = [soto_runs(rng, name, v, min(runs_each, 40)) for name in SOTO_PUZZLES for v in CHANCES]
    experiments = {"lloyd_amos": lloyd_amos, "lewis": lewis, "soto": soto}
    generators = [
        (*at, name) for at in points for name in ("acs", "ils", "dlx", "bs") if 35 <= at[1] <= 60
    ]
    for name in ("generators", "generators_root"):
        experiments[name] = [family_runs(rng, *each, few, 1, reach) for each in generators]
    experiments["frontier"] = frontier_runs(rng, few)
    return pd.concat([completed(*item) for item in experiments.items()], ignore_index=True)


def grids(experiment, order, n_runs):
    """Where the grids of an experiment come from, and how many unavoidable sets they have."""
    if experiment not in SOURCES:
        return {}
    source, means = SOURCES[experiment]
    deviation = 0 if "root" in source else 3
    sets = np.round(np.random.default_rng(1).normal(means.get(order, 0), deviation, n_runs))
    return {"source": source, "unavoidable_sets": sets}


def frontier_runs(rng, count):
    """Runs on large grids: hardest at 50 %, where TabuCol takes (cells / 30)**4 steps."""
    parts = []
    for order, percent, variant in product(range(5, 10), range(30, 70, 5), FRONTIER):
        if (order, variant) == (9, "acs_restart"):
            continue
        peak = np.exp(-(((percent - 50) / 8) ** 2))
        steps = np.round((order**4 / 30) ** (4 * peak) * rng.lognormal(0, 1, count))
        most, number = (10**8, 1) if variant == "tabu_col" else (10**6, 2)
        name = f"order{order}-p{percent:03d}"
        parts.append(
            {
                "instance_id": [f"{name}-{number:03d}" for number in range(count)],
                **{"family": name, "order": order, "fixed_fraction": percent / 100},
                **{"variant": variant, "limit_s": 20.0 / number},
                "status": np.where(steps < most, SOLVED, TIMEOUT),
                "steps": np.minimum(steps, most),
                "cpu_s": np.minimum(steps / most, 1) * 20 / number,
            }
        )
    return parts


@cache
def traces(count=20):
    """Traces of all variants of ACS at one point, some of which end in a solution."""
    rng, frames = np.random.default_rng(1), []
    marks = checkpoints(10_000)
    colonies = [name for name, system in SYSTEMS.items() if system.missing]
    for variant, number in product(colonies, range(count)):
        end = 10 ** rng.normal(SYSTEMS[variant].hard ** 0.5 + 1, 1)
        best = 560 + rng.normal(14, 4) * np.log10(marks)
        best = np.minimum(best, 625 - SYSTEMS[variant].missing).astype(int)
        held = best - (rng.integers(0, 8, len(marks)) if variant != "acs_no_bve" else 0)
        grids = {"best_fixed": best, "held_fixed": held}
        grids = {name: np.where(marks >= end, 625, fixed) for name, fixed in grids.items()}
        solved = marks >= end
        frames.append(
            pd.DataFrame({"iteration": marks, **grids}).assign(
                **{"instance_id": f"order5-p045-{number:03d}", "order": 5, "fixed_fraction": 0.45},
                **{"variant": variant, "n_cells": 625, "solved": solved},
            )
        )
    return pd.concat(frames, ignore_index=True)[list(TRACE_COLUMNS)].astype(TRACE_COLUMNS)


@cache
def default_runs():
    return synthetic_runs(range(0, 101, 5), 100, 1, tuple(NAMED_PUZZLES), 100)


@cache
def quick_runs():
    puzzles = ("sabuncu6", "platinumblond", "reddwarf")
    return synthetic_runs((30, 45, 60, 80), 5, 2, puzzles, 3, LITTLE)
