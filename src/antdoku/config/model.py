"""The keys of a configuration, each with its type, its default, its range and its meaning.

Pydantic checks a configuration against these classes, and makes the JSON schema of the manual.
"""

import itertools
from collections.abc import Iterator
from math import isqrt
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    field_validator,
    model_validator,
)

from antdoku import papers
from antdoku.columns import NONE
from antdoku.config import design
from antdoku.errors import as_int, unknown
from antdoku.instances.families import ArchiveFamily, Family, GeneratedFamily, GivenFamily
from antdoku.instances.family import GIVEN, MAX_COUNT, RANDOM, family_name
from antdoku.instances.given import given_puzzles
from antdoku.instances.random import as_size, check_source
from antdoku.instances.unique import check_unique
from antdoku.puzzle.grid import MAX_ORDER, MIN_ORDER, ORDERS
from antdoku.solvers import get, make_params, parameters
from antdoku.yaml_files import at_key, check_different


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
            names = [field.alias or name for name, field in cls.model_fields.items()]
            for key in keys:
                if key not in names:
                    raise at_key(unknown("key", key, names), str(key))
        return keys


def _without_null(entries):
    """Leave out the entries that an overlay has removed by null."""
    if not isinstance(entries, dict | None):
        return entries
    return {name: entry for name, entry in (entries or {}).items() if entry is not None}


def _four_decimals(fraction):
    if fraction != round(fraction, 4):
        raise ValueError("must be a multiple of 0.0001")
    return fraction


def _color(text):
    if not papers.COLOR.fullmatch(text):
        raise ValueError(papers.COLOR_RULE)
    return text


def _whole_numbers(lowest, highest):
    return Annotated[int, Field(ge=lowest, le=highest), BeforeValidator(as_int)]


def _orders(highest):
    """Return the type of orders; its message for 9 or 16 says that these are sizes of grids."""

    def check_order(order):
        if isinstance(order, int) and order > highest and isqrt(order) ** 2 == order:
            raise ValueError(f"{order}: must be from {MIN_ORDER} to {highest}; {as_size(order)}")
        return order

    allowed = Field(ge=MIN_ORDER, le=highest)
    return Annotated[int, allowed, BeforeValidator(check_order), BeforeValidator(as_int)]


LABEL = r"^[^\s_$][^\n$]{0,59}$"  # Matplotlib hides a label after _, and sets $ as mathematics
Count = _whole_numbers(1, MAX_COUNT)
Steps = _whole_numbers(1, 4 * 10**18)
Order = _orders(MAX_ORDER)
Fraction = Annotated[float, Field(ge=0, le=1)]
FixedFraction = Annotated[
    Fraction, AfterValidator(_four_decimals)
]  # the names of families contain it
Seconds = Annotated[float, Field(gt=0, le=1e6)]
SecondsByOrder = dict[Literal[tuple(f"order{order}" for order in ORDERS)], Seconds]
Name = Annotated[str, Field(pattern="^[a-z][a-z0-9_]*$")]  # files and folders have such names
Folder = Annotated[str, Field(pattern="^[A-Za-z0-9][A-Za-z0-9._-]*$")]


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
    """Random instances. The instances of one order and fixed fraction are a family."""

    source: Literal["shuffle", "acs", "search", "archive"] = "shuffle"
    """Where the solved grids come from: Lewis's shuffle operators (shuffle), ACS on a blank grid
    (as Lloyd & Amos; up to order 8) or tabu search on a blank grid (search). The source archive
    reads whole puzzles from files with the names that Lloyd & Amos use."""
    base: Literal["random", "root"] = "random"
    """The grid that the source shuffle begins with: for each instance a random grid, found by tabu
    search (random), or always Lewis's root solution, which gives untypical grids (root)."""
    deletion: Literal["exact", "bernoulli"] = "exact"
    """Blank an exact number of cells (Lloyd & Amos) or each cell with the same probability (Lewis).
    The source archive ignores it."""
    archive: str | None = None
    """Folder with the files of the source archive."""
    count: Count
    """Instances in each family."""
    orders: Annotated[list[Order], Field(min_length=1), AfterValidator(check_different)]
    """Orders n; grids have n*n rows."""
    fixed_fractions: Annotated[
        list[FixedFraction], Field(min_length=1), AfterValidator(check_different)
    ]
    """Fixed fractions p, given cells / all cells, to four decimals."""
    repetitions: Count = 1
    """Runs of each variant on each instance."""
    more: list[Points] = []
    """Points with another count or other repetitions; the last entry for a point counts."""
    limits_s: SecondsByOrder
    """CPU seconds that one run may take, by order; each order needs an entry. Where steps limit the
    runs, the seconds are a guard: claims stay undecided if the guard ends runs."""

    @model_validator(mode="after")
    def _can_be_made(self):
        for order in self.orders:
            check_source(self.source, self.base, order)
            if f"order{order}" not in self.limits_s:
                size = order**2
                is_size = isqrt(order) ** 2 == order  # of a grid, written in place of its order
                note = f"{as_size(order)}; for {size}x{size} " if is_size else ""
                remedy = f"add order{order}: SECONDS to limits_s, for one run"
                raise at_key(f"{order}: no limit: {note}{remedy}", "orders")
        if self.source == "archive" and not (self.archive and Path(self.archive).is_dir()):
            text = f"{self.archive}: must be an existing folder, as the source is archive"
            raise at_key(text, "archive")
        return self

    def families(self, seed: int) -> Iterator[Family]:
        """Yield the family of each point, order by order."""
        for order, fraction in itertools.product(self.orders, self.fixed_fractions):
            fields = self._numbers(order, fraction) | {
                "name": family_name(order, fraction),
                "kind": RANDOM,
                "order": order,
                "limit_s": self.limits_s[f"order{order}"],
                "fixed": fraction,
            }
            if self.source == "archive":
                yield ArchiveFamily(**fields, folder=self.archive)
            else:
                choices = self.model_dump(include={"source", "base", "deletion"})
                yield GeneratedFamily(**fields, **choices, seed=seed)

    def _numbers(self, order, fraction):
        """Return the numbers of instances and of repetitions at a point."""
        numbers = {"count": self.count, "repetitions": self.repetitions}
        for points in self.more:
            if order in points.orders and fraction in points.fixed_fractions:
                numbers |= points.model_dump(include=numbers.keys(), exclude_none=True)
        return numbers


class UniquePuzzles(Keys):
    """Random puzzles that have exactly one solution."""

    order: _orders(6)
    """Order n; grids have n*n rows."""
    fixed_fraction: Fraction
    """Given cells / all cells."""
    fixed_after_cp: list[Fraction] = []
    """Fractions of the cells that are fixed after propagation, to within 0.01 and at least the
    fraction of given cells. The puzzles take the fractions in turn, so a family can mix puzzles
    that propagation solves (1) with others. Empty: any fraction."""
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
    """Random puzzles that have exactly one solution; replaces `from`."""
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
        fields = self.model_dump(include={"repetitions", "limit_s"}) | {"name": name, "kind": GIVEN}
        if self.unique is None:
            order = given_puzzles(self.source)[0].order
            return GivenFamily(**fields, order=order, source=self.source)
        return GeneratedFamily(
            **fields,
            order=self.unique.order,
            fixed=self.unique.fixed_fraction,
            count=self.unique.count,
            seed=seed,
            deletion="unique",
            fixed_after_cp=tuple(self.unique.fixed_after_cp),
        )


Range = Annotated[list[int | float], Field(min_length=2, max_length=2)]


class Sample(Keys, extra="allow"):
    """A Sobol' design: points in a box of parameters. Each further key is a parameter's range."""

    __pydantic_extra__: dict[str, Range] = Field(init=False)

    sobol: _whole_numbers(2, 1024)
    """Base points n, a power of 2. With k parameters the design has n * (k + 2) points."""
    seed: _whole_numbers(0, 2**53 - 1) = 0
    """Of the points."""

    @field_validator("sobol")
    @classmethod
    def _is_power_of_2(cls, n):
        if n & (n - 1):
            raise ValueError("must be a power of 2")
        return n

    @model_validator(mode="after")
    def _has_ranges(self):
        if len(self.ranges) < 2:
            raise ValueError("must have the ranges of two or more parameters, such as q0: [0, 1]")
        for name, (low, high) in self.ranges.items():
            if not low < high:
                raise at_key("must be [LOW, HIGH]", name)
        return self

    @property
    def ranges(self) -> dict[str, Range]:
        """Return the ends of the range of each parameter."""
        return self.model_extra

    def points(self, types: dict[str, str]) -> list[dict[str, int | float]]:
        """Return the parameters of each point; `types` are ``int`` or ``float`` by parameter."""
        cube = design.saltelli(self.sobol, len(self.ranges), self.seed)
        are_whole = [types[name] == "int" for name in self.ranges]
        for name, ends in self.ranges.items():
            if types[name] == "int" and not all(isinstance(end, int) for end in ends):
                raise at_key("must be whole numbers", name)
        values = design.scaled(cube, [*self.ranges.values()], are_whole)
        return [dict(zip(self.ranges, point)) for point in values]


class Point(NamedTuple):
    """A variant: a combination of the values of a grid, and a point of a sample."""

    name: str
    params: dict[str, Any]
    number: int  # of the point in the sample; -1 without a sample
    label: str  # as configured; empty: none


class Variant(Keys):
    """A solver with parameters."""

    solver: str
    """A solver of the package (`antdoku solvers` lists them) or the path of your own file."""
    label: Annotated[str, Field(pattern=LABEL)] = ""
    """Its name in tables, figures and charts. The variants of a grid add their values. By default
    the label of its paper, or the title of its solver."""
    color: Annotated[str, AfterValidator(_color)] = ""
    """Its colour, such as "#1F77B4". By default the colour of its paper, or a free one."""
    params: dict[str, Any] = {}
    """Parameters that differ from the solver's defaults; `antdoku solvers` lists them."""
    grid: dict[str, Annotated[list[Any], Field(min_length=1), AfterValidator(check_different)]] = {}
    """Lists of values of further parameters, added to params. Each combination is a variant, whose
    name is the name of the entry with the values: q0_rho__arxiv__0_9__0_5."""
    sample: Sample | None = None
    """A Sobol' design over ranges of further parameters: {sobol: 64, q0: [0, 1], m: [2, 20]}. Each
    point is a variant, whose name ends in the number of the point; with a grid, each combination of
    the grid has all points."""
    reach: Annotated[float, Field(gt=0, le=1e6)] | None = None
    """A run ends after this many times the steps that the paper's program did within the paper's
    limit. Success at every smaller work can be read from it. At an order without a published
    limit, seconds limit the runs, and the terminal says so."""
    limit_steps: Steps | None = None
    """Replaces the experiment's limit_steps, and reach, for this variant."""
    limits_s: SecondsByOrder = {}
    """Replaces the limits_s of the random instances for this variant, at the orders that it names.
    Measures that count failures, such as PAR2, do not compare variants with different limits."""
    repetitions: Count | None = None
    """Replaces the repetitions of the families for this variant."""

    @field_validator("solver")
    @classmethod
    def _is_known(cls, solver):
        make_params(solver, {})
        return solver

    @model_validator(mode="after")
    def _can_be_run(self):
        ranges = self.sample.ranges if self.sample else {}
        for key, names in (("grid", self.grid), ("sample", ranges)):
            for name in self.params.keys() & names.keys():
                raise at_key("is in params, too", key, name)
        for name in self.grid.keys() & ranges.keys():
            raise at_key("is in grid, too", "sample", name)
        make_params(self.solver, {name: low for name, (low, _) in ranges.items()})
        for point in self.points("variant"):
            make_params(self.solver, point.params)
        return self

    def points(self, name: str) -> Iterator[Point]:
        """Yield a point for each combination of the grid and each point of the sample."""
        sampled = self._sampled()
        for values in itertools.product(*self.grid.values()):
            params = self.params | dict(zip(self.grid, values))
            for number, chosen in sampled:
                ending = [f"{number:04d}"] if self.sample else []
                settings = (f"{key}={value}" for key, value in zip(self.grid, values))
                label = self.label and ", ".join([self.label, *settings, *ending])
                variant = papers.variant_name(name, [*values, *ending])
                yield Point(variant, params | chosen, number, label)

    def _sampled(self):
        """Return numbers and parameters of the points of the sample; one empty point without it."""
        if self.sample is None:
            return [(NONE, {})]
        types = {entry["name"]: entry["type"] for entry in parameters(self.solver)}
        return list(enumerate(self.sample.points(types)))


class Block(Keys):
    """An experiment: its instances, and the variants that run on them."""

    random: RandomInstances | None = None
    """Random instances. The instances of one order and fixed fraction are a family."""
    puzzles: Annotated[dict[Name, Puzzles], BeforeValidator(_without_null)] = {}
    """Families of given puzzles, by name. An overlay adds families, changes them, or removes one by
    the value null."""
    limit_steps: Steps | None = None
    """Steps for one run, in the unit of its solver. The result is the same on every machine, unless
    the limit in seconds ends the run before."""
    variants: Annotated[dict[Name, Variant], BeforeValidator(_without_null), Field(min_length=1)]
    """The variants that run: name -> solver and parameters. An overlay adds variants, changes them,
    or removes one by the value null."""

    @field_validator("variants")
    @classmethod
    def _have_different_names(cls, variants):
        names = set()
        for entry, variant in variants.items():
            for name, *_ in variant.points(entry):
                if name in names:
                    raise at_key(f"two variants have the name {name}", entry)
                names.add(name)
        return variants

    @field_validator("variants")
    @classmethod
    def _have_different_looks(cls, variants):
        """Refuse a label or colour of a variant if another has it, as configured or by default."""
        for key in ("label", "color"):
            owners = {}
            for entry, variant in sorted(variants.items(), key=lambda item: getattr(item[1], key)):
                look = papers.variants().get(entry) or papers.Look(get(variant.solver).TITLE)
                value = getattr(variant, key)
                if value and value in owners:
                    raise at_key(f"{owners[value]} has the {key} {value!r}, too", entry, key)
                owners[value or getattr(look, key)] = entry
        return variants

    @model_validator(mode="after")
    def _has_instances(self):
        if self.random is None and not self.puzzles:
            raise ValueError("has neither random instances nor puzzles")
        return self

    def families(self, seed: int) -> list[Family]:
        """Return the families of instances: the random ones, then the given puzzles."""
        random = self.random.families(seed) if self.random else []
        given = [puzzles.family(name, seed) for name, puzzles in self.puzzles.items()]
        return [*random, *given]


class Jobs(Keys):
    """The jobs into which the runs of an experiment are cut."""

    parts: _whole_numbers(1, 10_000) | None = None
    """Jobs of an experiment, by default 16. A small experiment has fewer, and a long one has more
    (longest_s). On more than 16 cores, set it to their number."""
    longest_s: Annotated[float, Field(ge=1, le=1e8)] = 120_000
    """CPU seconds that a job may take if every run meets its limit. Most jobs take a hundredth of
    this time."""
    memory_mb: _whole_numbers(500, 10**6) = 2000
    """Megabytes that the process of a solver may allocate (on Linux). A run that needs more is an
    error. A job asks a cluster for 500 more (its resource mem_mb)."""


class Settings(Keys, extra="allow"):
    """The whole configuration. Each further key is an experiment, a paper's or your own."""

    __pydantic_extra__: dict[str, Block] = Field(init=False)

    name: Folder = "default"
    """The folder of the results is results/NAME/."""
    seed: _whole_numbers(0, 2**53 - 1) = 2018
    """The root of all random numbers of instances and runs."""
    experiments: Annotated[list[Name], Field(min_length=1), AfterValidator(check_different)]
    """The experiments that run, with their tables and figures."""
    limit_by: Literal["work", "seconds"] = "work"
    """What limits the runs of the papers' systems: work (the steps that reach gives, the same on
    every machine, with seconds as a guard) or the papers' seconds."""
    jobs: Jobs = Jobs()
    """How the runs are dealt to jobs."""

    @property
    def blocks(self) -> dict[str, Block]:
        """Return the chosen experiments by name, in the order of `experiments`."""
        return {name: self.model_extra[name] for name in self.experiments}
