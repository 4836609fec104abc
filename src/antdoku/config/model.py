"""The keys of a configuration, each with its type, its default, its range and its meaning.

Pydantic checks a configuration against these classes, and makes the JSON schema of the manual.
"""

import itertools
import re
from collections.abc import Iterator
from math import isqrt
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from antdoku.errors import unknown
from antdoku.instances.family import MAX_COUNT, Family, family_name
from antdoku.instances.given import given_puzzles
from antdoku.instances.random import check_source
from antdoku.instances.unique import check_unique
from antdoku.puzzle.grid import MAX_ORDER, MIN_ORDER, ORDERS
from antdoku.solvers import make_params


def mistake(text: str, *path: str) -> ValidationError:
    """Make the error that a validator raises: a mistake at a key below its own."""
    context = {"error": ValueError(text)}
    problem = {"type": "value_error", "loc": path, "input": None, "ctx": context}
    return ValidationError.from_exception_data("", [problem])


class Keys(BaseModel):
    """Keys with values; any other key is a mistake."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        allow_inf_nan=False,
        use_attribute_docstrings=True,
    )

    @model_validator(mode="before")
    @classmethod
    def _has_known_keys(cls, keys):
        if cls.model_config["extra"] == "forbid" and isinstance(keys, dict):
            known = [field.alias or name for name, field in cls.model_fields.items()]
            for key in keys:
                if key not in known:
                    raise mistake(unknown("key", key, known), str(key))
        return keys


def _whole(value):
    """Return a whole number that YAML takes for a real one: 1.0e+5."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _without_null(entries):
    """Return the entries that no overlay has taken away."""
    if not isinstance(entries, dict | None):
        return entries
    return {name: entry for name, entry in (entries or {}).items() if entry is not None}


def _different(entries):
    if any(entry in entries[:number] for number, entry in enumerate(entries)):
        raise ValueError("must be a list of different values")
    return entries


def _four_decimals(fraction):
    if fraction != round(fraction, 4):
        raise ValueError("must be a multiple of 0.0001")
    return fraction


def _whole_numbers(least, most):
    return Annotated[int, Field(ge=least, le=most), BeforeValidator(_whole)]


def _orders(most):
    """Make the type of orders, which says of 9 or 16 that they may be meant as a size."""

    def is_order(order):
        if isinstance(order, int) and order > most and isqrt(order) ** 2 == order:
            raise ValueError(f"{order}: must be from {MIN_ORDER} to {most}; {_as_size(order)}")
        return order

    within = Field(ge=MIN_ORDER, le=most)
    return Annotated[int, within, BeforeValidator(is_order), BeforeValidator(_whole)]


def _as_size(order):
    return f"{order}x{order} is order {isqrt(order)}"


Count = _whole_numbers(1, MAX_COUNT)
Steps = _whole_numbers(1, 4 * 10**18)
Order = _orders(MAX_ORDER)
Fraction = Annotated[float, Field(ge=0, le=1)]
Point = Annotated[Fraction, AfterValidator(_four_decimals)]  # families are named after it
Seconds = Annotated[float, Field(gt=0, le=1e6)]
SecondsByOrder = dict[Literal[tuple(f"order{order}" for order in ORDERS)], Seconds]
NAME, FOLDER = "^[a-z][a-z0-9_]*$", "^[A-Za-z0-9][A-Za-z0-9._-]*$"
Name = Annotated[str, Field(pattern=NAME)]
Folder = Annotated[str, Field(pattern=FOLDER)]


class Points(Keys):
    """Points with another count or other repetitions."""

    orders: Annotated[list[Order], Field(min_length=1)]
    """Orders of the points."""
    fixed_fractions: Annotated[list[Fraction], Field(min_length=1)]
    """Fixed fractions of the points."""
    count: Count | None = None
    """Instances in each family."""
    repetitions: Count | None = None
    """Runs of each variant on each instance."""


class RandomInstances(Keys):
    """Random instances. Those of one order and fixed fraction are a family."""

    source: Literal["shuffle", "acs", "search", "archive"] = "shuffle"
    """Where the solved grids come from: Lewis's shuffle operators (shuffle), ACS on a blank grid
    (as Lloyd & Amos; up to order 8), tabu search on a blank grid (search), or, puzzles included,
    files named as those of Lloyd & Amos (archive)."""
    base: Literal["random", "root"] = "random"
    """The first grid of the source shuffle: a random grid for each instance, which tabu search
    finds on a blank one, or always the root solution of Lewis, from which grids are not typical."""
    deletion: Literal["exact", "bernoulli"] = "exact"
    """Blank an exact number of cells (Lloyd & Amos) or each cell with the same probability (Lewis).
    Not used by the source archive."""
    archive: str | None = None
    """Folder with the files of the source archive."""
    count: Count
    """Instances in each family."""
    orders: Annotated[list[Order], Field(min_length=1), AfterValidator(_different)]
    """Orders n; grids have n*n rows."""
    fixed_fractions: Annotated[list[Point], Field(min_length=1), AfterValidator(_different)]
    """Fixed fractions p, given cells / all cells, to four decimals."""
    repetitions: Count = 1
    """Runs of each variant on each instance."""
    more: list[Points] = []
    """Points with another count or other repetitions; the last entry of a point counts."""
    limits_s: SecondsByOrder
    """CPU seconds that one run may take, by order; each order needs one. Where steps limit the runs
    these are a guard: a run that meets it before its steps leaves claims undecided."""

    @model_validator(mode="after")
    def _can_be_made(self):
        for order in self.orders:
            check_source(self.source, self.base, order)
            if f"order{order}" not in self.limits_s:
                note = f" ({_as_size(order)})" if isqrt(order) ** 2 == order else ""
                remedy = f"add order{order}: SECONDS to limits_s, for one run"
                raise mistake(f"{order}{note}: no limit: {remedy}", "orders")
        if self.source == "archive" and not (self.archive and Path(self.archive).is_dir()):
            text = f"{self.archive}: must be an existing folder, as the source is archive"
            raise mistake(text, "archive")
        return self

    def families(self, seed: int) -> Iterator[Family]:
        """Yield the family of each point, order by order."""
        for order, fraction in itertools.product(self.orders, self.fixed_fractions):
            numbers = {"count": self.count, "repetitions": self.repetitions}
            for points in self.more:
                if order in points.orders and fraction in points.fixed_fractions:
                    numbers |= points.model_dump(include=numbers.keys(), exclude_none=True)
            name, limit_s = family_name(order, fraction), self.limits_s[f"order{order}"]
            recipe = {"order": order, "fixed": fraction, "count": numbers["count"]}
            if self.source == "archive":
                recipe |= {"by": "archive", "folder": self.archive}
            else:
                how = self.model_dump(include={"source", "base", "deletion"})
                recipe |= {"by": "random", "seed": seed, **how}
            yield Family(name, order, numbers["repetitions"], limit_s, recipe)


class UniquePuzzles(Keys):
    """Random puzzles that have exactly one solution."""

    order: _orders(6)
    """Order n; grids have n*n rows."""
    fixed_fraction: Fraction
    """Given cells / all cells."""
    fixed_after_cp: list[Fraction] = []
    """Fractions of the cells that propagation leaves fixed in each puzzle: to 0.01, no less than is
    given. The puzzles take the fractions in turn, so that a family can hold some that
    propagation solves (1) beside others. Without it they are as they come."""
    count: _whole_numbers(1, 100_000)
    """Puzzles in the family."""

    @model_validator(mode="after")
    def _can_be_made(self):
        check_unique(self.order, self.fixed_fraction, self.fixed_after_cp)
        return self


class Puzzles(Keys):
    """Puzzles of one order: from a collection, from a file, or made with one solution."""

    source: str | None = Field(None, alias="from")
    """A collection of the package (`named:lloyd_amos_named`), or a file of puzzles."""
    unique: UniquePuzzles | None = None
    """Random puzzles that have exactly one solution, in place of `from`."""
    repetitions: Count = 1
    """Runs of each variant on each puzzle."""
    limit_s: Seconds
    """CPU seconds that one run may take."""

    @field_validator("source")
    @classmethod
    def _is_of_one_order(cls, source):
        if source is not None and len({puzzle.order for puzzle in given_puzzles(source)}) > 1:
            raise ValueError("must hold puzzles of one order")
        return source

    @model_validator(mode="after")
    def _can_be_made(self):
        if (self.source is None) == (self.unique is None):
            raise ValueError("must have one of the keys from and unique")
        return self

    def family(self, name: str, seed: int) -> Family:
        """Return the family of this name."""
        if self.unique:
            how = self.unique.model_dump()
            recipe = {"by": "unique", "seed": seed, "fixed": how.pop("fixed_fraction"), **how}
            order = self.unique.order
        else:
            recipe = {"by": "given", "source": self.source}
            order = given_puzzles(self.source)[0].order
        recipe["family"] = name
        return Family(name, order, self.repetitions, self.limit_s, recipe)


class Variant(Keys):
    """A solver with parameters."""

    solver: str
    """A solver of the package, `antdoku solvers` lists them; or the path of a file of your own."""
    params: dict[str, Any] = {}
    """Parameters that differ from the solver's defaults; `antdoku solvers` lists them."""
    grid: dict[str, Annotated[list[Any], Field(min_length=1), AfterValidator(_different)]] = {}
    """Lists of values of further parameters. Each combination is a variant of its own, beside
    params; its name is that of the entry and the values: q0_rho__arxiv__0_9__0_5."""
    reach: Annotated[float, Field(gt=0, le=1e6)] | None = None
    """A run ends after so many times the steps that the paper's program did within the paper's
    limit, so that success can be read at every smaller work. At an order without a published limit,
    seconds limit the runs."""
    limit_steps: Steps | None = None
    """Takes the place of the experiment's limit_steps, and of reach, for this variant."""
    limits_s: SecondsByOrder = {}
    """Takes the place of the limits_s of the random instances for this variant, at the orders that
    it names. Variants with different limits are not comparable by what counts failures, as PAR2."""
    repetitions: Count | None = None
    """Takes the place of the families' repetitions for this variant."""

    @field_validator("solver")
    @classmethod
    def _is_known(cls, solver):
        make_params(solver, {})
        return solver

    @model_validator(mode="after")
    def _can_be_run(self):
        for name in self.params.keys() & self.grid.keys():
            raise mistake("stands in params as well", "grid", name)
        for _, params in self.points("variant"):
            make_params(self.solver, params)
        return self

    def points(self, name: str):
        """Yield name and parameters of each variant that this is: one, or those of a grid."""
        for values in itertools.product(*self.grid.values()):
            words = [re.sub(r"[^a-z0-9]", "_", str(value).lower()) for value in values]
            yield "__".join([name, *words]), self.params | dict(zip(self.grid, values))


class Block(Keys):
    """An experiment: its instances, and what is run on them."""

    random: RandomInstances | None = None
    """Random instances. Those of one order and fixed fraction are a family."""
    puzzles: Annotated[dict[Name, Puzzles], BeforeValidator(_without_null)] = {}
    """Families of given puzzles, by name. An overlay adds families, changes them, or takes one away
    by giving it the value null."""
    limit_steps: Steps | None = None
    """Steps for one run, counted as the solver counts them: what it gives is the same on every
    machine, unless it meets its limit in seconds before."""
    variants: Annotated[dict[Name, Variant], BeforeValidator(_without_null), Field(min_length=1)]
    """The variants that run: name -> solver and parameters. An overlay adds variants, changes them,
    or takes one away by giving it the value null."""

    @field_validator("variants")
    @classmethod
    def _have_names_of_their_own(cls, variants):
        names = set()
        for name, variant in variants.items():
            for point, _ in variant.points(name):
                if point in names:
                    raise mistake(f"the name {point} stands for two variants", name)
                names.add(point)
        return variants

    @model_validator(mode="after")
    def _has_instances(self):
        if self.random is None and not self.puzzles:
            raise ValueError("has neither random instances nor puzzles")
        return self

    def families(self, seed: int) -> list[Family]:
        """Return the families of instances: the random ones, then the given puzzles."""
        random = self.random.families(seed) if self.random else []
        return [*random, *(each.family(name, seed) for name, each in self.puzzles.items())]


class Jobs(Keys):
    """The jobs into which the runs of an experiment are cut."""

    parts: _whole_numbers(1, 10_000) | None = None
    """Jobs of an experiment, by default 16. There are fewer if the experiment is small, and more if
    a job would take too long. On more than 16 cores, give their number."""
    longest_s: Annotated[float, Field(ge=1, le=1e8)] = 120_000
    """CPU seconds that a job may take if every run meets its limit; as a rule it takes a hundredth
    of that."""
    memory_mb: _whole_numbers(500, 10**6) = 2000
    """Megabytes that the process of a solver may allocate (on Linux). A run that needs more is an
    error. A cluster is asked for 500 more (the resource mem_mb of a job)."""


class Settings(Keys, extra="allow"):
    """All that is run. Each further key is an experiment, of a paper or of your own."""

    __pydantic_extra__: dict[str, Block] = Field(init=False)

    name: Folder = "default"
    """Results go to the folder results/NAME/."""
    seed: _whole_numbers(0, 2**53 - 1) = 2018
    """Root of all random numbers, of the instances and of the runs."""
    experiments: Annotated[list[str], Field(min_length=1), AfterValidator(_different)]
    """The switch: which experiments are run, with their tables and figures."""
    limit_by: Literal["work", "seconds"] = "work"
    """The limit of the runs of the papers' systems: work (variants with a reach end after so many
    steps, which are the same on every machine; seconds are a guard) or the papers' seconds."""
    jobs: Jobs = Jobs()
    """The cut of the runs into jobs."""

    @property
    def blocks(self) -> dict[str, Block]:
        """Return the chosen experiments by name, in their order."""
        return {name: self.model_extra[name] for name in self.experiments}
