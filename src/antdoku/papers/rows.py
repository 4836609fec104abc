"""The rows of the CSV files of a paper: the columns of each file, with types and ranges.

A column with a default may be left out, or have empty cells.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field, model_validator

from antdoku.errors import unknown
from antdoku.puzzle.grid import MAX_ORDER, MIN_ORDER
from antdoku.yaml_files import at_key

HIGHEST = {"%": 100, "fraction": 1}  # rate, by its unit
TIMES = ("s", "ms")  # units of metrics that end in ``time``
Order = Annotated[int, Field(ge=MIN_ORDER, le=MAX_ORDER)]
Fraction = Annotated[float, Field(ge=0, le=1)]


class Row(BaseModel, allow_inf_nan=False):
    """A row, whose cells are texts."""

    KEY: ClassVar[tuple[str, ...]]  # the columns in which no two rows are alike
    # What rows with equal keys share, and what to do with them, for messages.
    PLACE: ClassVar[str] = "place"
    REMEDY: ClassVar[str] = "keep one of them"


class Number(Row):
    """A printed number, in `published.csv`; one that is printed twice has one row."""

    PLACE = "number"
    REMEDY = "keep one of them, even if the paper prints it in two places"
    KEY = ("edition", "order", "fixed_fraction", "instance", "variant", "metric")
    edition: str  # a key of `papers.editions`
    item: str  # table or section
    order: Order
    fixed_fraction: Fraction | None = None
    instance: str
    solver: str
    metric: str
    value: float
    unit: str  # of a rate `%` or `fraction`, of a time `s` or `ms`
    note: str | None = None
    iterations: Annotated[int, Field(ge=0)] | None = None  # the limit of a run; 0: none

    @property
    def variant(self) -> str:
        """The solver with its iterations, if they are limited: ``ac3_tabu_1000``."""
        return f"{self.solver}_{self.iterations}" if self.iterations else self.solver

    @model_validator(mode="after")
    def _fits_its_unit(self):
        is_rate, is_time = self.metric == "success", self.metric.endswith("time")
        units = HIGHEST if is_rate else TIMES
        if (is_rate or is_time) and self.unit not in units:
            raise at_key(unknown(f"unit of {self.metric}", self.unit, units), "unit")
        if is_rate and not 0 <= self.value <= HIGHEST[self.unit]:
            raise at_key(f"must be from 0 to {HIGHEST[self.unit]} {self.unit}", "value")
        if is_rate and self.unit == "%" and 0 < self.value < 1:
            text = f"less than 1 %: write {100 * self.value:g} for a share of {self.value:g}, or "
            text += f"{self.value / 100:g} with the unit fraction for so low a rate"
            raise at_key(text, "value")
        if is_time and self.value < 0:
            raise at_key("must be 0 or more", "value")
        return self


class Untested(Row):
    """A printed number that no run of ours tests, in `untested.csv`.

    If it is in `published.csv`, the columns item to metric name its rows there; an empty cell
    stands for any value.
    """

    KEY = ("edition", "place", "printed")
    edition: str
    place: str
    printed: str
    reason: str
    item: str | None = None
    order: Order | None = None
    fixed_fraction: Fraction | None = None
    instance: str | None = None
    solver: str | None = None
    metric: str | None = None

    def names(self, number: Number) -> bool:
        """Whether it names a row of `published.csv`; without an item it names none."""
        columns = ("edition", "item", "order", "fixed_fraction", "instance", "solver", "metric")
        pairs = [(getattr(self, name), getattr(number, name)) for name in columns]
        return self.item is not None and all(ours in (None, theirs) for ours, theirs in pairs)


class Work(Row):
    """The work of a paper's program within the paper's limit, in `work.csv`."""

    KEY = ("edition", "solver", "order", "fixed_fraction")
    edition: str
    solver: str
    program: str  # programs have one speed, whichever solver they run
    order: Order
    fixed_fraction: Fraction | None = None  # none: all points without a row of their own
    limit_s: Annotated[float, Field(gt=0)]  # the paper's
    unit: str
    steps: Annotated[int, Field(ge=1)]  # in the unit of our solver
    factor: Annotated[float, Field(ge=1)]  # the steps are from steps / factor to steps * factor
    basis: Literal["measured", "calibrated"]  # on the program, or on printed times
    how: str


FILES = {"published.csv": Number, "untested.csv": Untested, "work.csv": Work}
