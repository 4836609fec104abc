"""The plan: a table with a row for each run (`columns.PLAN_COLUMNS`), made from the configuration.

A part of an experiment is a job. It has every n-th pair of an instance and a repetition, with all
variants on it: whatever slows a machine down slows them alike, and parts take equally long. No
other code partitions runs, limits them or names them.
"""

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import numpy as np
import pandas as pd

from antdoku.columns import NONE, PLAN_COLUMNS
from antdoku.errors import InputError
from antdoku.files import write_table
from antdoku.instances.family import is_random, seed_of
from antdoku.instances.recipes import planned
from antdoku.papers import published
from antdoku.runs.job import hash_of
from antdoku.solvers import code_of, make_params, orders

if TYPE_CHECKING:
    from antdoku.config import Settings

LEAST_S = 150  # CPU seconds of a part, if every run meets its limit, where an experiment is small
USUAL_PARTS = 16  # of an experiment that is not small: some for each core
PAIR = ["repetition", "place"]  # a repetition and an instance, by its place in the experiment


def make(settings: "Settings") -> pd.DataFrame:
    """Plan all runs of a configuration; the rows of a part are in the order of the runs."""
    plans = []
    for name, block in settings.blocks.items():
        families = block.families(settings.seed)
        instances = [planned(each).assign(family=each.name, order=each.order) for each in families]
        variants = [row for each in families for row in _variants(settings, name, each)]
        runs = cross(pd.concat(instances), pd.DataFrame(variants), settings.seed)
        plans.append(_cut(runs.assign(experiment=name), settings.jobs))
    return pd.concat(plans, ignore_index=True)[list(PLAN_COLUMNS)].astype(PLAN_COLUMNS)


def cross(instances: pd.DataFrame, variants: pd.DataFrame, root_seed: int) -> pd.DataFrame:
    """Plan runs of variants on instances, the runs on a pair in the order of their seeds.

    Variants have the columns of `variant_row`, and family where they differ by it. The plan lacks
    experiment and part, and has `PAIR`.
    """
    keys = ["family"] if "family" in variants else None
    known = ["family", "instance_id", "order", "fixed_fraction"]
    instances = instances[known].assign(place=np.arange(len(instances)))
    pairs = instances.merge(variants, on=keys, how="inner" if keys else "cross")
    runs = pairs.loc[pairs.index.repeat(pairs["repetitions"])]
    runs = runs.assign(repetition=runs.groupby(level=0).cumcount()).reset_index(drop=True)
    named = zip(runs["instance_id"], runs["variant"], runs["repetition"])
    runs["seed"] = [seed_of(root_seed, *names) for names in named]
    return runs.sort_values([*PAIR, "seed"], ignore_index=True)


def variant_row(variant: str, solver: str, params: dict, **limits) -> dict:
    """Describe a variant as a row for `cross`; without limits where none is given."""
    text = json.dumps(attrs.asdict(make_params(solver, params)), sort_keys=True)
    return {
        **{"variant": variant, "solver": solver, "params": text, "repetitions": 1},
        **{"limit_s": math.nan, "limit_steps": NONE, "work_steps": NONE, "reach": math.nan},
        **limits,
    }


def _variants(settings, experiment, family) -> list[dict]:
    """Describe the variants that are run on a family, with their limits."""
    variants = settings.blocks[experiment].variants
    rows = [
        variant_row(name, variant.solver, params, **_limits(settings, experiment, family, variant))
        for entry, variant in variants.items()
        if family.order in orders(variant.solver)
        for name, params in variant.points(entry)
    ]
    if not rows:
        solvers = ", ".join(sorted({each.solver for each in variants.values()}))
        raise InputError(
            f"{experiment}: {family.name}: none of {solvers} works at order {family.order}"
        )
    return rows


def _limits(settings, experiment, family, variant) -> dict:
    """Return the name of a family, with repetitions, limits and reach of a variant on it."""
    own_s = variant.limits_s if is_random(family.name) else {}
    has_own = "limit_steps" in variant.model_fields_set
    steps = variant.limit_steps if has_own else settings.blocks[experiment].limit_steps
    work = published.most_steps(experiment, variant.solver, family.order)
    reach = None
    if variant.reach and work and not steps and settings.limit_by == "work":
        reach, steps = variant.reach, max(1, round(variant.reach * work))
    return {
        "repetitions": variant.repetitions or family.repetitions,
        "limit_s": own_s.get(f"order{family.order}", family.limit_s),
        "limit_steps": steps or NONE,
        "work_steps": work or NONE,
        "reach": reach or math.nan,
        "family": family.name,
    }


def _cut(runs, jobs) -> pd.DataFrame:
    """Deal the pairs of an experiment to its parts."""
    pair = runs.groupby(PAIR, sort=False).ngroup()
    longest_s = runs["limit_s"].sum()
    wanted = min(jobs.parts or USUAL_PARTS, longest_s / LEAST_S)
    n_parts = max(longest_s / jobs.longest_s, wanted)
    n_parts = min(pair.max() + 1, math.ceil(n_parts))
    return runs.assign(part=runs["experiment"] + "--" + (pair % n_parts).astype(str))


def write(plan: pd.DataFrame, path: str | Path) -> None:
    """Write a plan as a Parquet file, complete or not at all."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    write_table(plan, path)


def experiment_of(part: str) -> str:
    """Return the experiment of a part."""
    return part.rpartition("--")[0]


def digests(plan: pd.DataFrame) -> dict[str, str]:
    """Hash the rows of each part: a parameter of its job, which is done anew when they change."""
    hashes = pd.util.hash_pandas_object(plan, index=False)
    by_part = hashes.groupby(plan["part"], sort=False)
    return {part: hash_of(rows.tolist())[:12] for part, rows in by_part}


def minutes(plan: pd.DataFrame) -> dict[str, int]:
    """Return the minutes to ask a cluster for, by part: a quarter over its limits, and a start."""
    longest_s = plan.groupby("part")["limit_s"].sum()
    return (np.ceil(1.25 * longest_s / 60) + 5).astype(int).to_dict()


def sources(plan: pd.DataFrame, part: str) -> list[str | Path]:
    """Return the source files of the solvers of a part, as `files.fingerprint` takes them."""
    solvers = sorted(plan.loc[plan["part"] == part, "solver"].unique())
    return [file for solver in solvers for file in code_of(solver)[0]]
