"""Recipes: how families of instances are made, as the configuration writes it.

A recipe is a dictionary: under ``by`` the kind of instances, beside it the arguments of the
function that makes their rows.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from antdoku.files import fingerprint
from antdoku.instances.family import Family, family_table
from antdoku.instances.given import archive_digest, archive_family, archive_files, given_family
from antdoku.instances.random import generate, grid_solver, instance_names
from antdoku.instances.unique import generate_unique
from antdoku.puzzle.named import PREFIX

MAKERS = {
    "archive": archive_family,
    "given": given_family,
    "random": generate,
    "unique": generate_unique,
}


def make(recipe: dict) -> pd.DataFrame:
    """Make the family of a recipe: a table with the columns `columns.INSTANCE_COLUMNS`."""
    how = {key: value for key, value in recipe.items() if key != "by"}
    return family_table(MAKERS[recipe["by"]](**how))


def make_all(experiment: str, families: Iterable[Family]) -> pd.DataFrame:
    """Make all families of an experiment: one table, whose column experiment has its name."""
    tables = [make(family.recipe) for family in families]
    return pd.concat(tables, ignore_index=True).assign(experiment=experiment)


def planned(family: Family) -> pd.DataFrame:
    """Name the instances of a family before they are made: instance_id, fixed_fraction."""
    recipe = family.recipe
    if recipe["by"] == "given":
        return make(recipe)[["instance_id", "fixed_fraction"]]
    if recipe["by"] == "archive":
        names = [*archive_files(*(recipe[key] for key in ("folder", "order", "fixed", "count")))]
    else:
        names = instance_names(family.name, recipe["count"])
    return pd.DataFrame({"instance_id": names, "fixed_fraction": float(recipe["fixed"])})


def stamp(families: Iterable[Family]) -> list[str]:
    """Hash all that families depend on beside their recipes: code, and files of puzzles."""
    solvers, digests = set(), set()
    for recipe in (family.recipe for family in families):
        if recipe["by"] in ("random", "unique"):
            solvers.add(grid_solver(recipe.get("source", "shuffle"), recipe.get("base", "random")))
        elif recipe["by"] == "archive":
            digests.add(archive_digest(recipe["folder"], recipe["order"]))
        elif not recipe["source"].startswith(PREFIX):
            digests.add(hashlib.sha256(Path(recipe["source"]).read_bytes()).hexdigest()[:12])
    code = [f"solvers.{name}" for name in sorted(solvers - {None})]
    return [fingerprint("instances.recipes", *code), *sorted(digests)]
