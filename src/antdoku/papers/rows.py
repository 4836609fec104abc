"""The rows of the CSV files of a paper: the columns of each file, with types and ranges.

A column with a default may be left out or have empty cells. Numbers are then NaN.
"""

from math import nan
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from antdoku.errors import unknown
from antdoku.puzzle.grid import MAX_ORDER, MIN_ORDER
from antdoku.yaml_files import at_key

HIGHEST = {"%": 100, "fraction": 1}  # rate, by its unit
TIMES = ("s", "ms")  # units of metrics that end in ``time``
Order = Annotated[int, Field(ge=MIN_ORDER, le=MAX_ORDER)]
Fraction = Annotated[float, Field(ge=0, le=1)]


class Row(BaseModel):
    """A row, whose cells are texts."""

    model_config = ConfigDict(allow_inf_nan=False)
    KEY: ClassVar[tuple[str, ...]]  # the columns in which no two rows are alike


class Number(Row):
    """A printed number, in `published.csv`."""

    KEY = ("edition", "item", "order", "fixed_fraction", "instance", "solver", "metric")
    KEY += ("iterations",)
    edition: str
    item: str
    order: Order
    fixed_fraction: Fraction = nan
    instance: str
    solver: str
    metric: str
    value: float
    unit: str
    note: str | None = None
    iterations: Annotated[int, Field(ge=0)] = nan

    @model_validator(mode="after")
    def _fits_its_unit(self):
        is_rate, is_time = self.metric == "success", self.metric.endswith("time")
        units = HIGHEST if is_rate else TIMES
        if (is_rate or is_time) and self.unit not in units:
            raise at_key(unknown(f"unit of {self.metric}", self.unit, units), "unit")
        if is_rate and not 0 <= self.value <= HIGHEST[self.unit]:
            raise at_key(f"must be from 0 to {HIGHEST[self.unit]} {self.unit}", "value")
        if is_time and self.value < 0:
            raise at_key("must be 0 or more", "value")
        return self


class Untested(Row):
    """A printed number that no run of ours tests, in `untested.csv`."""

    KEY = ("edition", "place", "printed")
    edition: str
    place: str
    printed: str
    reason: str
    item: str | None = None
    order: Order = nan
    fixed_fraction: Fraction = nan
    instance: str | None = None
    solver: str | None = None
    metric: str | None = None


class Work(Row):
    """The work behind a limit, in `work.csv`."""

    KEY = ("edition", "solver", "order", "fixed_fraction")
    edition: str
    solver: str
    program: str
    order: Order
    fixed_fraction: Fraction = nan
    limit_s: Annotated[float, Field(gt=0)]
    unit: str
    steps: Annotated[int, Field(ge=1)]
    factor: Annotated[float, Field(ge=1)]
    basis: Literal["measured", "calibrated"]
    how: str
