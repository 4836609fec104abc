"""Families of instances: generated, read from an archive, or given puzzles.

A family names its instances before they are made, so that their runs can be planned.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from antdoku.files import fingerprint
from antdoku.instances import archive, given
from antdoku.instances.family import family_table, instance_names
from antdoku.instances.random import Recipe, generate, grid_solver
from antdoku.instances.unique import generate_unique
from antdoku.puzzle.named import PREFIX


@dataclass(frozen=True, kw_only=True)
class Family(ABC):
    """Instances of one order, and how often and how long the solvers run on them."""

    name: str
    kind: str  # RANDOM or GIVEN (`instances.family`)
    order: int
    repetitions: int  # runs of each variant on each instance
    limit_s: float  # CPU seconds of a run

    @abstractmethod
    def fixed_fractions(self) -> dict[str, float]:
        """Return the fixed fraction of each instance by its name, without making the instances."""

    @abstractmethod
    def rows(self) -> Iterable[dict] | Iterable[tuple]:
        """Make the rows of the instances, with the columns `columns.INSTANCE_COLUMNS`."""

    @abstractmethod
    def fingerprint(self) -> str:
        """Hash the solver or the files that the instances come from."""


@dataclass(frozen=True, kw_only=True)
class GeneratedFamily(Family):
    """Instances by `random.generate`, or by `unique.generate_unique` (deletion ``unique``)."""

    fixed: float
    count: int
    seed: int
    source: str = "shuffle"
    base: str = "random"
    deletion: str = "exact"
    fixed_after_cp: tuple[float, ...] = ()  # of the deletion ``unique``

    def fixed_fractions(self):
        """Return the same fraction for each instance."""
        return dict.fromkeys(instance_names(self.name, self.count), self.fixed)

    def rows(self):
        """Generate the rows."""
        recipe = Recipe(self.order, self.fixed, self.count, self.seed, self.source, self.base)
        if self.deletion == "unique":
            return generate_unique(recipe, self.name, self.fixed_after_cp)
        return generate(replace(recipe, deletion=self.deletion))

    def fingerprint(self):
        """Hash the code of the solver that makes the grids."""
        solver = grid_solver(self.source, self.base)
        return fingerprint(f"solvers.{solver}") if solver else ""


@dataclass(frozen=True, kw_only=True)
class ArchiveFamily(Family):
    """Instances from the files of a folder, see `archive.archive_family`."""

    folder: str
    fixed: float
    count: int

    def fixed_fractions(self):
        """Return the same fraction for each file."""
        names = archive.archive_files(self.folder, self.order, self.fixed, self.count)
        return dict.fromkeys(names, self.fixed)

    def rows(self):
        """Read the rows from the files."""
        return archive.archive_family(self.folder, self.order, self.fixed, self.count)

    def fingerprint(self):
        """Hash the files of this order."""
        return archive.archive_digest(self.folder, self.order)


@dataclass(frozen=True, kw_only=True)
class GivenFamily(Family):
    """Puzzles of a collection of the package or of a file, see `given.given_family`."""

    source: str

    def fixed_fractions(self):
        """Return the fraction of given cells of each puzzle."""
        return {puzzle.name: puzzle.fixed_fraction for puzzle in given.given_puzzles(self.source)}

    def rows(self):
        """Read the rows."""
        return given.given_family(self.source, self.name)

    def fingerprint(self):
        """Hash the file. Collections belong to the code of the package."""
        if self.source.startswith(PREFIX):
            return ""
        return hashlib.sha256(Path(self.source).read_bytes()).hexdigest()[:12]


def make_all(experiment: str, families: Iterable[Family]) -> pd.DataFrame:
    """Make the instances of an experiment: one table of all its families.

    The table has the columns experiment and family_kind beside `columns.INSTANCE_COLUMNS`.
    """
    tables = [family_table(family.rows()).assign(family_kind=family.kind) for family in families]
    return pd.concat(tables, ignore_index=True).assign(experiment=experiment)


def fingerprints(families: Iterable[Family]) -> list[str]:
    """Hash everything that instances depend on beside the fields of their families."""
    inputs = {family.fingerprint() for family in families}
    return [fingerprint("instances.families"), *sorted(inputs)]
