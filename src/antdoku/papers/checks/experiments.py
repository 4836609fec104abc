"""The experiments in the folders of papers: their variants, and the points at which these run."""

from collections.abc import Iterable
from functools import cached_property, wraps
from itertools import chain, product, starmap
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from attrs import field, frozen

from antdoku import papers
from antdoku.errors import InputError
from antdoku.instances.family import instance_names
from antdoku.instances.given import given_puzzles
from antdoku.reading.cells import NAMES, OTHER_PUZZLES, PUZZLES
from antdoku.reading.files import ending


class Point(NamedTuple):
    """A point of an experiment: of random instances, or a given puzzle."""

    order: int
    fixed_fraction: float | None = None
    family: str | None = None
    instance_id: str | None = None


def _checked(read):
    """Return a method that reads a block; one that is no experiment is an `InputError`."""

    @wraps(read)
    def checked(experiment, *args):
        try:
            return read(experiment, *args)
        except InputError:  # of puzzles that it names
            raise
        except (AttributeError, KeyError, TypeError, ValueError):
            remedy = "run it, which names its mistake"
            place = f"{experiment.file}: {experiment.name}"
            raise InputError("is no experiment", place, remedy=remedy) from None

    return checked


def _part(read):
    """Return a property that is read once."""
    return cached_property(_checked(read))


@frozen
class Experiment:
    """An experiment as the file of its paper has it."""

    file: Path
    name: str
    block: dict = field(eq=False)

    @_part
    def variants(self) -> list[str]:
        """Return the names of the variants; one with a sample has the name of its declaration."""
        names = []
        for name, keys in self.block["variants"].items():
            grid = product(*(keys.get("grid") or {}).values())
            names += [papers.variant_name(name, values) for values in grid]
        return names

    @_part
    def solvers(self) -> dict[str, str]:
        """Return the solvers of the variants by name, without folder and ending."""
        variants = papers.declared_variants(self.file.parent)
        return {name: variants[name]["solver"] for name in self.block["variants"]}

    def limit_steps(self, variant: str) -> int | None:
        """Return the steps after which the runs of a variant end; None if work or seconds do."""
        return papers.limit_steps(self.block, variant)

    @_checked
    def limit_s(self, variant: str, point: Point) -> float | None:
        """Return the seconds after which the runs of a variant end; None if work or steps do."""
        keys = self.block["variants"].get(papers.declared(variant, self.solvers), {})
        if self.limit_steps(variant) or keys.get("reach"):
            return None
        return float(papers.limit_s(self.block, variant, point.order, point.family))

    @property
    def most_instances(self) -> int:
        """Return the largest number of random instances at a point."""
        random = self.block.get("random") or {"count": 0}
        return max([random["count"], *(part.get("count") or 0 for part in random.get("more", ()))])

    def runs(self, variant: str) -> bool:
        """Whether a variant runs, a point of a sample as well."""
        return variant in self.variants or variant.rpartition("__")[0] in self.variants

    @_part
    def points(self) -> list[Point]:
        """Return the random points, and each given puzzle."""
        random = self.block.get("random") or {"orders": [], "fixed_fractions": []}
        points = [*starmap(Point, product(random["orders"], random["fixed_fractions"]))]
        for family, keys in (self.block.get("puzzles") or {}).items():
            puzzles = _puzzles(family, keys, self.file.parent)
            points += [Point(order, None, family, name) for name, order in puzzles.items()]
        return points

    @_part
    def fractions(self) -> dict[str, float]:
        """Return the fixed fractions of the puzzles that somebody gives, by their names."""
        blocks = [keys for keys in (self.block.get("puzzles") or {}).values() if "from" in keys]
        puzzles = (given_puzzles(_source(keys, self.file.parent)) for keys in blocks)
        return {puzzle.name: puzzle.fixed_fraction for puzzle in chain.from_iterable(puzzles)}


def _puzzles(family, keys, folder):
    """Return the orders of the puzzles of a family by their names."""
    if unique := keys.get("unique"):
        return dict.fromkeys(instance_names(family, unique["count"]), unique["order"])
    return {puzzle.name: puzzle.order for puzzle in given_puzzles(_source(keys, folder))}


def _source(keys, folder):
    """Return the source of given puzzles; a file in the folder of the paper comes first."""
    file = folder / keys["from"]
    return str(file) if file.exists() else keys["from"]


def without_names(experiments: Iterable[Experiment]) -> str:
    """Return, as a text, the first CSV file of puzzles without a column of names; else nothing."""
    for entry in experiments:
        for keys in (entry.block.get("puzzles") or {}).values():
            source = _source(keys, entry.file.parent) if keys.get("from") else ""
            columns = _columns(source) if ending(source) == ".csv" else []
            if {*columns} & {*PUZZLES, *OTHER_PUZZLES} and not {*columns} & {*NAMES}:
                return f"; {source} has no column name: its columns are {', '.join(columns)}"
    return ""


def _columns(source):
    """Return the columns of a CSV file in small letters."""
    options = {"engine": "python", "encoding_errors": "replace"}
    try:
        columns = pd.read_csv(source, sep="[,;\t]", nrows=0, **options).columns
    except ValueError:
        return []
    return [name.strip(' "').lower() for name in columns]


def every() -> dict[str, Experiment]:
    """Return the experiments in the folders of all papers by name."""
    return {
        name: Experiment(paper.folder / papers.EXPERIMENTS, name, block)
        for paper in papers.every().values()
        for name, block in papers.blocks_in(paper.folder).items()
    }


def of_paper(paper: papers.Paper, experiments: dict[str, Experiment]) -> list[Experiment]:
    """Return those of all `experiments` that a paper has, in its order."""
    return [experiments[name] for name in paper.experiments if name in experiments]


def families(experiments: Iterable[Experiment]) -> dict[str, list[str]]:
    """Return the names of the puzzles in each family of given puzzles."""
    puzzles = {}
    for point in chain.from_iterable(experiment.points for experiment in experiments):
        if point.family:
            puzzles.setdefault(point.family, {})[point.instance_id] = None
    return {family: [*names] for family, names in puzzles.items()}
