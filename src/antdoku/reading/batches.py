"""Puzzles as arrays."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from antdoku.errors import InputError
from antdoku.puzzle.grid import Puzzle
from antdoku.puzzle.symbols import Symbols
from antdoku.reading.beside import SOLUTION, solution_beside
from antdoku.reading.cells import Options


@dataclass(frozen=True, eq=False)
class Batch:
    """Puzzles that follow each other in a source, of one order and in the same symbols.

    Puzzles without a name are called after `label` and their number. A slice, or an array of
    indices, makes a smaller batch; iteration yields puzzles.
    """

    grids: np.ndarray  # uint8 (n, c), C-contiguous, 0 for a blank
    symbols: Symbols
    label: str
    numbers: np.ndarray  # (n,), integers or texts
    own_names: np.ndarray | None = None  # object (n,), None or empty where a puzzle has no name
    # As grids: the solutions, or of solutions the puzzles; a puzzle beside none stands for it.
    beside: np.ndarray | None = None

    def __len__(self):
        return len(self.grids)

    def __getitem__(self, rows: slice | np.ndarray) -> "Batch":
        arrays = {"own_names": self.own_names, "beside": self.beside}
        parts = {key: array[rows] for key, array in arrays.items() if array is not None}
        return replace(self, grids=self.grids[rows], numbers=self.numbers[rows], **parts)

    def __iter__(self) -> Iterator[Puzzle]:
        givens = self.grids.astype(np.int16)
        givens.setflags(write=False)
        for row, name in zip(givens, self.names):
            yield Puzzle.checked(self.order, row, name, self.symbols)

    @property
    def order(self) -> int:
        """Order of the puzzles."""
        return self.symbols.order

    @property
    def names(self) -> list[str]:
        """The names of the puzzles."""
        if self.own_names is None:
            return self.labels
        return [name or label for name, label in zip(self.given_names, self.labels)]

    @property
    def given_names(self) -> list[str]:
        """The names in the source, empty where a puzzle has none; no text if no puzzle has one."""
        return [] if self.own_names is None else [*map(text_of, self.own_names)]

    @property
    def labels(self) -> list[str]:
        """Where the puzzles stand, after which they are called if they have no names."""
        return [f"{self.label}{number}" for number in self.numbers.tolist()]

    def numbered(self, label: str, first: int) -> "Batch":
        """Return the puzzles with other labels and with numbers from `first`."""
        return replace(self, label=label, numbers=np.arange(first, first + len(self)))


def text_of(name: object) -> str:
    """Return a name in a table as a text: pandas writes 1.0 for 1 if other rows have no name."""
    is_whole = isinstance(name, float) and name.is_integer()
    return "" if name is None else str(int(name) if is_whole else name).strip()


def batches_of_puzzles(puzzles: Iterable[Puzzle]) -> Iterator[Batch]:
    """Yield puzzles as batches."""
    for symbols, group in groupby(puzzles, lambda puzzle: puzzle.writing):
        members = list(group)
        names = np.array([puzzle.name for puzzle in members], object)
        grids = np.array([puzzle.givens for puzzle in members], np.uint8)
        yield Batch(grids, symbols, "", names, names)


def check_beside(batches: list[Batch], options: Options) -> None:
    """Raise `InputError` if solutions follow their puzzles, one by one or after all of them."""
    are_full = np.concatenate([np.empty(0, bool), *(batch.grids.all(axis=1) for batch in batches)])
    if options.column == "solution" or are_full.all() or not are_full.any():
        return
    grids = [grid for batch in batches for grid in batch.grids]
    at = solution_beside(grids, are_full)
    if at is not None:
        labels = [label for batch in batches for label in batch.labels]
        raise InputError(SOLUTION, labels[at])
