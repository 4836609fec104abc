"""The plan: a table with a row for each run (`columns.PLAN_COLUMNS`), made from the configuration.

A part of an experiment is a job. It has every n-th pair of an instance and a repetition, with all
variants on it. So a slow hour slows all variants alike, all parts take equally long, and each part
is a fair sample of the instances. Only this module deals runs to jobs, limits them and names them.
"""

import math
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import numpy as np
import pandas as pd

from antdoku import papers
from antdoku.columns import NONE, PLAN_COLUMNS
from antdoku.errors import InputError
from antdoku.files import write_table
from antdoku.instances.families import Family, GivenFamily
from antdoku.instances.family import RANDOM, family_table, seed_of
from antdoku.instances.given import equal_puzzles
from antdoku.papers import published
from antdoku.runs.job import hash_of, hash_of_files
from antdoku.runs.run import label_of_run, text_of_params
from antdoku.solvers import code_of, get, make_params, shipped, short_name
from antdoku.tables.summary import labelled

if TYPE_CHECKING:
    from antdoku.config import Settings

LEAST_S = 150  # CPU seconds of a part of a small experiment, if every run meets its limit
USUAL_PARTS = 16  # of an experiment that is not small: some for each core
LOOKS = ["label", "color"]  # columns that change no run
PAIR = ["repetition", "instance_number"]  # instances are numbered within their experiment


def make(settings: "Settings") -> pd.DataFrame:
    """Plan all runs of a configuration; the rows of a part are in the order of the runs."""
    plans = []
    for name, block in settings.blocks.items():
        families = block.families(settings.seed)
        instances = pd.concat(map(_instances, families))
        rows = [row for family in families for row in _variants(settings, name, family)]
        variants = pd.DataFrame(rows)
        variants["label"] = labels(variants)
        runs = cross(instances, variants, settings.seed)
        kinds = runs["family"].map({family.name: family.kind for family in families})
        plans.append(_deal(runs.assign(experiment=name, family_kind=kinds), settings.jobs))
    return pd.concat(plans, ignore_index=True)[list(PLAN_COLUMNS)].astype(PLAN_COLUMNS)


def _instances(family: Family) -> pd.DataFrame:
    """Return the instances of a family, which need not exist yet, as `cross` takes them."""
    fractions = family.fixed_fractions()
    return pd.DataFrame(
        {
            "family": family.name,
            "instance_id": list(fractions),
            "order": family.order,
            "fixed_fraction": list(fractions.values()),
        }
    )


def cross(instances: pd.DataFrame, variants: pd.DataFrame, root_seed: int) -> pd.DataFrame:
    """Plan runs of variants on instances, the runs on a pair in the order of their seeds.

    Parameters
    ----------
    instances : DataFrame
        Columns family, instance_id, order, fixed_fraction.
    variants : DataFrame
        The rows of `variant_row`. With a column family, a variant runs on that family only.
    root_seed : int
        All seeds of runs derive from it.

    Returns
    -------
    DataFrame
        `columns.PLAN_COLUMNS` without experiment, family_kind and part, and with `PAIR`.
    """
    keys = ["family"] if "family" in variants else None
    columns = ["family", "instance_id", "order", "fixed_fraction"]
    instances = instances[columns].assign(instance_number=np.arange(len(instances)))
    pairs = instances.merge(variants, on=keys, how="inner" if keys else "cross")
    runs = pairs.loc[pairs.index.repeat(pairs["repetitions"])]
    runs = runs.assign(repetition=runs.groupby(level=0).cumcount()).reset_index(drop=True)
    names = (runs[name].tolist() for name in ("instance_id", "variant", "repetition"))
    runs["seed"] = [seed_of(root_seed, *run) for run in zip(*names)]
    return runs.sort_values([*PAIR, "seed"], ignore_index=True)


def variant_row(variant: str, solver: str, params: dict, **others) -> dict:
    """Return the row of a variant for `cross`: one repetition without limits, but for `others`."""
    values = make_params(solver, params)
    row = {
        "variant": variant,
        "solver": solver,
        "label": label_of_run(solver, values),
        "color": "",
        "configured_label": "",
        "params": text_of_params(attrs.asdict(values)),
        "repetitions": 1,
        "limit_s": math.nan,
        "limit_steps": NONE,
        "work_steps": NONE,
        "reach": math.nan,
        "point": NONE,
    }
    return row | others


def labels(variants: pd.DataFrame) -> pd.Series:
    """Return the labels of variants, rows of `variant_row`: as configured, or as tables have them.

    A variant has no label of a paper that stands for a solver of the package if another one runs:
    a user's file, or function, may have the name of that solver.
    """
    configured, looks = variants["configured_label"], papers.variants()
    others = variants[configured == ""].drop(columns="color")
    for row in others.itertuples():
        if row.variant in looks and looks[row.variant].solver in {*shipped()} - {row.solver}:
            looks = {name: look for name, look in looks.items() if name != row.variant}
    others = others.assign(solver=others["solver"].map(short_name))
    return configured.where(configured != "", labelled(others, looks)["label"])


def _variants(settings, experiment, family) -> list[dict]:
    """Return the rows of the variants that run on a family, with their limits."""
    variants = settings.blocks[experiment].variants
    rows = [
        variant_row(point.name, variant.solver, point.params, **_looks(variant, point), **limits)
        for entry, variant in variants.items()
        if family.order in get(variant.solver).ORDERS
        for limits in [_limits(settings, experiment, family, variant)]
        for point in variant.points(entry)
    ]
    if not rows:
        solvers = ", ".join(sorted({variant.solver for variant in variants.values()}))
        text = f"none of {solvers} works at order {family.order}"
        raise InputError(text, f"{experiment}: {family.name}")
    return rows


def _looks(variant, point) -> dict:
    """Return label and colour of a variant as configured, and the number of its point."""
    return {"configured_label": point.label, "color": variant.color, "point": point.number}


def _limits(settings, experiment, family, variant) -> dict:
    """Return the repetitions and the limits of a variant on a family, and the family's name."""
    limits_s = variant.limits_s if family.kind == RANDOM else {}
    sets_steps = "limit_steps" in variant.model_fields_set
    steps = variant.limit_steps if sets_steps else settings.blocks[experiment].limit_steps
    work = published.most_steps(experiment, short_name(variant.solver), family.order)
    reach = None
    if variant.reach and work and not steps and settings.limit_by == "work":
        reach, steps = variant.reach, max(1, round(variant.reach * work))
    return {
        "repetitions": variant.repetitions or family.repetitions,
        "limit_s": limits_s.get(f"order{family.order}", family.limit_s),
        "limit_steps": steps or NONE,
        "work_steps": work or NONE,
        "reach": reach or math.nan,
        "family": family.name,
    }


def exceptions(settings: "Settings") -> list[str]:
    """Return a line for variants that do not run at an order, or that only seconds limit there.

    So is one for each family of given puzzles in which two are equal.
    """
    variants = {}  # by the text about them
    for experiment, block in settings.blocks.items():
        families = block.families(settings.seed)
        for family, (name, variant) in product(families, block.variants.items()):
            size = f"{family.order**2} × {family.order**2}"
            is_by_work = variant.reach and settings.limit_by == "work"
            if family.order not in get(variant.solver).ORDERS:
                variants.setdefault(f"not at {size} (ORDERS)", {})[name] = None
            elif is_by_work and _limits(settings, experiment, family, variant)["limit_steps"] < 0:
                text = f"limited by seconds at {size}, where no {published.WORKS} has their work"
                variants.setdefault(text, {})[name] = None
    lines = [f"{', '.join(names)}: {text}" for text, names in variants.items()]
    return [*lines, *_equal_puzzles(settings)]


def _equal_puzzles(settings):
    """Yield a line for each family of given puzzles in which two are equal."""
    for experiment, block in settings.blocks.items():
        for family in block.families(settings.seed):
            rows = family.rows() if isinstance(family, GivenFamily) else ()
            if text := equal_puzzles(family_table(rows)):
                yield f"{experiment}: {family.name}: {text}"


def _deal(runs, jobs) -> pd.DataFrame:
    """Deal the pairs of an experiment to its parts, instance by instance."""
    pair = runs.groupby(["instance_number", "repetition"]).ngroup()
    total_s = runs["limit_s"].sum()
    usual = min(jobs.parts or USUAL_PARTS, total_s / LEAST_S)
    n_parts = math.ceil(max(total_s / jobs.longest_s, usual))
    n_parts = min(pair.max() + 1, n_parts)
    return runs.assign(part=runs["experiment"] + "--" + (pair % n_parts).astype(str))


def write(plan: pd.DataFrame, path: str | Path) -> None:
    """Write a plan as a Parquet file, complete or not at all.

    Its column code has a hash of the files of each user's solver, which its jobs check.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    codes = {solver: hash_of_files(solver) for solver in plan["solver"].unique()}
    write_table(plan.assign(code=plan["solver"].map(codes)), path)


def first_look(plan: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the parts that run first: part 0 of each experiment.

    An experiment of more than `USUAL_PARTS` parts has a sixteenth of them. If no experiment has so
    many, the plan is short, and no rows are returned.
    """
    numbers = plan["part"].str.rpartition("--")[2].astype(int)
    n_parts = numbers.groupby(plan["experiment"]).transform("max") + 1
    is_sixteenth = (numbers % USUAL_PARTS == 0) & (numbers + USUAL_PARTS <= n_parts)
    return plan[(is_sixteenth | (numbers == 0)) & (n_parts.max() >= USUAL_PARTS)]


def experiment_of(part: str) -> str:
    """Return the experiment of a part."""
    return part.rpartition("--")[0]


def digests(plan: pd.DataFrame) -> dict[str, str]:
    """Hash the rows of each part: a parameter of its job, which runs again when the rows change.

    Labels and colours do not count.
    """
    hashes = pd.util.hash_pandas_object(plan.drop(columns=LOOKS), index=False)
    by_part = hashes.groupby(plan["part"], sort=False)
    return {part: hash_of(rows.tolist())[:12] for part, rows in by_part}


def minutes(plan: pd.DataFrame) -> dict[str, int]:
    """Return the minutes that each part asks of a cluster: 1.25 times its limits, and five."""
    total_s = plan.groupby("part")["limit_s"].sum()
    return (np.ceil(1.25 * total_s / 60) + 5).astype(int).to_dict()


def sources(plan: pd.DataFrame) -> dict[str, list[str | Path]]:
    """Return the source files of the solvers of each part, for `files.fingerprint`."""
    solvers = plan[["part", "solver"]].drop_duplicates().sort_values("solver")
    return {
        part: [file for solver in names for file in code_of(solver)[0]]
        for part, names in solvers.groupby("part")["solver"]
    }
