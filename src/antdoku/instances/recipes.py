"""How a family of instances is made: a recipe, which the configuration writes.

A recipe is a dictionary: under ``by`` one of `MAKERS`, beside it the arguments of that function.
Makers are found by name, so that a family depends on the files of its own maker alone.
"""

from importlib import import_module

import pandas as pd

from antdoku.instances.archive import archive_digest
from antdoku.instances.given import file_digest
from antdoku.instances.random import grid_solver
from antdoku.puzzle.named import PREFIX
from antdoku.sources import fingerprint

MAKERS = {
    "archive": "archive.archive_family",
    "given": "given.given_family",
    "random": "random.generate",
    "unique": "unique.generate_unique",
}


def make(recipe: dict) -> pd.DataFrame:
    """The family that a recipe makes."""
    how = dict(recipe)
    module, function = MAKERS[how.pop("by")].split(".")
    return getattr(import_module(f"antdoku.instances.{module}"), function)(**how)


def stamp(recipe: dict) -> list[str]:
    """Hashes of all that the family depends on beside its recipe: code, and files of puzzles."""
    by, source = recipe["by"], recipe.get("source", "shuffle")
    modules = [f"instances.{MAKERS[by].partition('.')[0]}"]
    if by == "archive":
        return [fingerprint(*modules), archive_digest(recipe["folder"], recipe["order"])]
    if by == "given":
        own = [] if source.startswith(PREFIX) else [file_digest(source)]
        return [fingerprint(*modules), *own]
    if solver := grid_solver(source, recipe.get("base", "random")):
        modules.append(f"solvers.{solver}")
    return [fingerprint(*modules)]
