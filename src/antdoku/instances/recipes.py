"""How families of instances are made: recipes, which the configuration writes.

A recipe is a dictionary: under ``by`` the kind of instances, beside it the arguments of the
function that makes them.
"""

from collections.abc import Iterable

import pandas as pd

from antdoku.files import fingerprint
from antdoku.instances import archive, given
from antdoku.instances.family import Family
from antdoku.instances.random import generate, grid_solver, instance_names
from antdoku.instances.unique import generate_unique
from antdoku.puzzle.named import PREFIX

MAKERS = {
    "archive": archive.archive_family,
    "given": given.given_family,
    "random": generate,
    "unique": generate_unique,
}


def make(recipe: dict) -> pd.DataFrame:
    """Make the family of a recipe: a table with the columns `columns.INSTANCE_COLUMNS`."""
    how = dict(recipe)
    return MAKERS[how.pop("by")](**how)


def make_all(experiment: str, families: Iterable[Family]) -> pd.DataFrame:
    """Make all families of an experiment: one table, whose column experiment has its name."""
    tables = [make(family.recipe) for family in families]
    return pd.concat(tables, ignore_index=True).assign(experiment=experiment)


def planned(family: Family) -> pd.DataFrame:
    """Name the instances of a family before they are made: instance_id, fixed_fraction."""
    recipe = family.recipe
    if recipe["by"] == "given":
        return given.given_names(recipe["source"], recipe["equivalents"])
    if recipe["by"] == "archive":
        names = archive.archive_names(
            *(recipe[key] for key in ("folder", "order", "fixed", "count"))
        )
    else:
        names = instance_names(family.name, recipe["count"])
    return pd.DataFrame({"instance_id": names, "fixed_fraction": float(recipe["fixed"])})


def stamp(families: Iterable[Family]) -> list[str]:
    """Hash all that families depend on beside their recipes: code, and files of puzzles."""
    recipes = [family.recipe for family in families]
    drawn = [recipe for recipe in recipes if recipe["by"] in ("random", "unique")]
    names = {
        grid_solver(each.get("source", "shuffle"), each.get("base", "random")) for each in drawn
    }
    archives = {(each["folder"], each["order"]) for each in recipes if each["by"] == "archive"}
    files = {each["source"] for each in recipes if each["by"] == "given"}
    return [
        fingerprint("instances.recipes", *(f"solvers.{name}" for name in sorted(names - {None}))),
        *(archive.archive_digest(*each) for each in sorted(archives)),
        *(given.file_digest(file) for file in sorted(files) if not file.startswith(PREFIX)),
    ]
