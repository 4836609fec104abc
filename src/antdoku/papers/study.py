"""Studies: a question, an analysis that is declared before the runs, and an answer.

`study.yaml` in the folder of a paper of ours holds them. The answer is a sentence; `holds` has the
conditions on the tables that make it true.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
from attrs import Factory, evolve, field, frozen

from antdoku import papers, yaml_files

FILE = "study.yaml"


@frozen
class Condition:
    """A condition on a table: all chosen rows have a value of a column within bounds."""

    table: str
    column: str
    where: dict[str, Any] = field(factory=dict)  # values of columns that choose the rows
    above: float = float("-inf")
    below: float = float("inf")

    def failure(self, rows: pd.DataFrame) -> str:
        """Return a line that says why the condition fails; empty if it holds."""
        for column, value in self.where.items():
            rows = rows[rows[column] == value]
        name = f"{self.table}: {self.column}" + f" {self.where}" * bool(self.where)
        if rows.empty:
            return f"{name}: there is no such row"
        values = rows[self.column]
        if not ((values > self.above) & (values < self.below)).all():
            listed = ", ".join(f"{value:g}" for value in values)
            return f"{name}: {listed} is not between {self.above:g} and {self.below:g}"
        return ""


@frozen
class Study:
    """The content of `study.yaml`."""

    question: str
    analysis: list[str]  # declared before the runs
    headline: str = ""  # written after them, as the answer, in one line
    answer: str = ""
    holds: tuple[Condition, ...] = Factory(tuple)

    def failures(self, read: Callable[[str], pd.DataFrame]) -> list[str]:
        """Return the conditions of the answer that fail; `read` returns a table by its name."""
        failures = [condition.failure(read(condition.table)) for condition in self.holds]
        return [failure for failure in failures if failure]


def every() -> dict[str, Study]:
    """Return all studies by the names of their folders."""
    return {file.parent.name: read(file) for file in papers.with_file(FILE)}


def read(file: Path) -> Study:
    """Read a `study.yaml`; a mistake is an `InputError`."""
    study = yaml_files.build(Study, yaml_files.read(file, "question: ..."), file)
    if not isinstance(study.holds, list | tuple):
        raise yaml_files.mistake("must be a list", file, "holds")
    conditions = [
        yaml_files.build(Condition, entry, file, "holds", number)
        for number, entry in enumerate(study.holds)
    ]
    return evolve(study, holds=tuple(conditions))
