"""Families of instances, a class for each kind: random, archived, with one solution, given.

A family names its instances before they are made, so that their runs can be planned.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pandas as pd

from antdoku.files import fingerprint
from antdoku.instances.family import GIVEN, RANDOM, family_table
from antdoku.instances.given import (
    archive_digest,
    archive_family,
    archive_files,
    given_family,
    given_puzzles,
)
from antdoku.instances.random import generate, grid_solver, instance_names
from antdoku.instances.unique import generate_unique
from antdoku.puzzle.named import PREFIX


@dataclass(frozen=True, kw_only=True)
class Family(ABC):
    """Instances of one order, and how often and how long the solvers run on them."""

    name: str
    order: int
    repetitions: int  # runs of each variant on each instance
    limit_s: float  # CPU seconds of a run
    kind: ClassVar[str] = GIVEN

    @abstractmethod
    def fixed_fractions(self) -> dict[str, float]:
        """Return the fixed fraction of each instance by its name, without making the instances."""

    @abstractmethod
    def rows(self) -> Iterable[dict] | Iterable[tuple]:
        """Make the rows of the instances, with the columns `columns.INSTANCE_COLUMNS`."""

    def fingerprint(self) -> str:
        """Hash the solver or the files of puzzles that the instances come from."""
        return ""


@dataclass(frozen=True, kw_only=True)
class RandomFamily(Family):
    """Random instances, see `random.generate`."""

    kind = RANDOM
    fixed: float
    count: int
    seed: int
    source: str
    base: str
    deletion: str

    def fixed_fractions(self):
        """Return the fixed fraction of each instance by its name."""
        return dict.fromkeys(instance_names(self.name, self.count), self.fixed)

    def rows(self):
        """Generate the rows."""
        request = self.order, self.fixed, self.count, self.seed
        return generate(*request, self.source, self.deletion, self.base)

    def fingerprint(self):
        """Hash the code of the solver that makes the grids."""
        return _fingerprint_of_solver(self.source, self.base)


@dataclass(frozen=True, kw_only=True)
class UniqueFamily(Family):
    """Random puzzles with exactly one solution, see `unique.generate_unique`."""

    fixed: float
    count: int
    seed: int
    fixed_after_cp: list[float]

    def fixed_fractions(self):
        """Return the fixed fraction of each instance by its name."""
        return dict.fromkeys(instance_names(self.name, self.count), self.fixed)

    def rows(self):
        """Generate the rows."""
        request = self.order, self.fixed, self.count, self.seed
        return generate_unique(*request, family=self.name, fixed_after_cp=self.fixed_after_cp)

    def fingerprint(self):
        """Hash the code of the solver that makes the grids."""
        return _fingerprint_of_solver("shuffle", "random")


@dataclass(frozen=True, kw_only=True)
class ArchiveFamily(Family):
    """Random instances from a folder of files, see `given.archive_family`."""

    kind = RANDOM
    fixed: float
    count: int
    folder: str

    def fixed_fractions(self):
        """Return the fixed fraction of each instance by its name."""
        return dict.fromkeys(archive_files(*self._request), self.fixed)

    def rows(self):
        """Read the rows from the files."""
        return archive_family(*self._request)

    def fingerprint(self):
        """Hash the files of this order."""
        return archive_digest(self.folder, self.order)

    @property
    def _request(self):
        return self.folder, self.order, self.fixed, self.count


@dataclass(frozen=True, kw_only=True)
class GivenFamily(Family):
    """Puzzles of a collection of the package or of a file, see `given.given_family`."""

    source: str

    def fixed_fractions(self):
        """Return the fixed fraction of each puzzle by its name."""
        return {puzzle.name: puzzle.fixed_fraction for puzzle in given_puzzles(self.source)}

    def rows(self):
        """Read the rows."""
        return given_family(self.source, self.name)

    def fingerprint(self):
        """Hash the file; the collections belong to the code."""
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


def _fingerprint_of_solver(source, base):
    solver = grid_solver(source, base)
    return fingerprint(f"solvers.{solver}") if solver else ""
