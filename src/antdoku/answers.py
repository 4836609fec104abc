"""Return types of `antdoku.api`, with readable text and HTML."""

from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import numpy as np

from antdoku.errors import InputError, one_line
from antdoku.extras import naming_extra
from antdoku.files import check_output
from antdoku.kernels.closure import profile
from antdoku.outcome import EXHAUSTED, SOLVED, TIMEOUT
from antdoku.puzzle import drawing
from antdoku.puzzle.forms import format_integers, format_line
from antdoku.puzzle.grid import Puzzle
from antdoku.report import player
from antdoku.texts import duration

if TYPE_CHECKING:
    from matplotlib.figure import Figure


ANSWERS = {SOLVED: "solved", TIMEOUT: "not solved", EXHAUSTED: "there is no solution"}


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """A run of a solver on a puzzle: true if it is solved. Prints as a grid, also in notebooks.

    Attributes
    ----------
    puzzle : Puzzle
    solver : str
    params
        All parameters of the solver.
    seed : int
    status : str
        ``solved``, ``timeout`` (a limit was reached), ``exhausted`` (it is proved that there is no
        solution), ``invalid`` or ``error`` (the solver failed).
    solution : ndarray of int16, shape (d, d), or None
        Verified.
    steps : int
        In the solver's unit of work.
    cpu_s, wall_s : float
        Seconds, compilation excluded; of several 9x9 puzzles that `auto` solves together the mean.
    message : str
        What went wrong, if the solver failed.
    trace : tuple of pairs
        Steps and the least cost so far, whenever the solver noted it (`Budget.note`: `acs`,
        `acs_closure`, `sa`, `cp_sa` and `tabu_col`). It notes by the clock, so the pairs of another
        run with this seed may be others.
    """

    puzzle: Puzzle
    solver: str
    params: "attrs.AttrsInstance"
    seed: int
    status: str
    solution: np.ndarray | None
    steps: int
    cpu_s: float
    wall_s: float
    message: str = ""
    trace: tuple[tuple[int, float], ...] = ()

    def __bool__(self):
        return self.status == SOLVED

    @property
    def headline(self) -> str:
        """Puzzle, answer and effort in words."""
        answer = ANSWERS.get(self.status, self.status)
        answer += f": {self.message}" if self.message else ""
        steps = f"{self.steps:,} step{'s' * (self.steps != 1)}"
        effort = f"{self.solver}, {steps}, {duration(self.cpu_s)} CPU"
        return one_line(f"{self.puzzle.name}: {answer} ({effort})")

    @property
    def line(self) -> str:
        """The solution, or the puzzle if there is none, in the form that the puzzle was read in."""
        return format_line(self._values, self.puzzle.symbols)

    def as_dict(self) -> dict:
        """The result as plain values, which JSON can hold; grids are lists row by row."""
        return {
            "name": self.puzzle.name,
            "puzzle": format_integers(self.puzzle),
            "order": self.puzzle.order,
            "solver": self.solver,
            "params": attrs.asdict(self.params),
            "seed": self.seed,
            "status": self.status,
            "solution": None if self.solution is None else self.solution.ravel().tolist(),
            "steps": self.steps,
            "cpu_s": self.cpu_s,
            "wall_s": self.wall_s,
            "trivial": profile(self.puzzle).trivial,
            "message": self.message,
        }

    def __repr__(self):
        return f"<Result {self.headline}>"

    def __str__(self):
        return f"{self.headline}\n{drawing.draw(self.puzzle, self._values, bold=False)}"

    def _repr_html_(self):
        return f"<p>{escape(self.headline)}</p>\n{drawing.html(self.puzzle, self._values)}"

    def plot(self) -> "Figure":
        """Draw the least cost so far against steps; needs matplotlib.

        Raises
        ------
        InputError
            If there are none: the solver notes no costs, or propagation alone has answered.
        """
        with naming_extra():
            from antdoku.figures import comparison
        if not self.trace:
            if not self.steps:
                why = "propagation answers it, without costs to draw: take a harder puzzle"
                raise InputError(f"{self.puzzle.name}: {why}")
            remedy = "acs, sa and tabu_col do, or yours with Budget.note"
            raise InputError(f"solver {self.solver}: notes no costs to draw: {remedy}")
        return comparison.costs(self.trace, self.steps, self.headline)

    @property
    def _values(self):
        return self.puzzle.givens if self.solution is None else self.solution.ravel()


@dataclass(frozen=True, eq=False, repr=False)
class Recording:
    """A run of ACS to watch: a notebook plays it.

    Attributes
    ----------
    data : dict
        All of it, as `runs.recording.record` returns it.
    """

    data: dict

    def save(self, path: str | Path) -> None:
        """Write the player as a page for any browser; the name ends in .html."""
        check_output(path, [".html"])
        Path(path).write_text(player.page(self.data), encoding="utf-8")

    def __repr__(self):
        return f"<Recording of {self.data['puzzle']['name']!r}: {player.length(self.data)}>"

    def _repr_html_(self):
        page, is_large = escape(player.page(self.data)), self.data["puzzle"]["order"] > 3
        size = f"width: 100%; height: {64 if is_large else 55}rem; border: 0"  # shows Play
        fit = "this.style.height = this.contentDocument.documentElement.scrollHeight + 'px'"
        how = f'title="Watch the colony" style="{size}" onload="{fit}"'
        return f'<iframe srcdoc="{page}" {how}></iframe>'


class Count(int):
    """Number of solutions of a puzzle: an int that prints as ``27`` or ``at least 100``.

    Attributes
    ----------
    is_exact : bool
        Whether there are no others.
    in_time : bool
        False if the time was up before the limit was reached or all were found.
    solutions : list of ndarray, or None
        The solutions, int16 of shape (d, d), if they were kept.
    """

    is_exact: bool
    in_time: bool
    solutions: list[np.ndarray] | None

    def __new__(
        cls,
        number: int,
        is_exact: bool = True,
        in_time: bool = True,
        solutions: list[np.ndarray] | None = None,
    ) -> "Count":
        count = super().__new__(cls, number)
        count.is_exact, count.in_time, count.solutions = is_exact, in_time, solutions
        return count

    def as_dict(self) -> dict:
        """The count as plain values, which JSON can hold; solutions are lists row by row."""
        known = {"count": int(self), "is_exact": self.is_exact, "in_time": self.in_time}
        if self.solutions is None:
            return known
        return known | {"solutions": [grid.ravel().tolist() for grid in self.solutions]}

    def __repr__(self):
        bound = "" if self.is_exact else "at least "
        return f"{bound}{int(self)}{'' if self.in_time else ' (time is up)'}"

    __str__ = __repr__


@dataclass(frozen=True)
class Check:
    """The judgement of a grid: true if it solves its puzzle.

    Attributes
    ----------
    flaw : str, or None
        The first reason why it does not. ``r1c2`` is row 1, column 2, from the top left.
    """

    flaw: str | None

    def __bool__(self):
        return self.flaw is None

    def as_dict(self) -> dict:
        """The judgement as plain values."""
        return {"correct": bool(self), "flaw": self.flaw}

    def __repr__(self):
        return "yes, a solution" if self else f"no: {self.flaw}"


@dataclass(frozen=True)
class PuzzleCheck:
    """The judgement of a puzzle: true if it has exactly one solution.

    Attributes
    ----------
    unique : bool, or None
        None if it is not valid, or the time was up before.
    minimal : bool, or None
        Whether every given is needed; None if it is not unique, or the time was up.
    note : str
        In words, why not. ``r1c2`` is row 1, column 2, from the top left.
    valid : bool
        Whether no unit has a given twice.
    """

    unique: bool | None
    minimal: bool | None
    note: str = ""
    valid: bool = True

    def __bool__(self):
        return self.unique is True

    def as_dict(self) -> dict:
        """The judgement as plain values."""
        return asdict(self)

    def __repr__(self):
        found = {"valid": self.valid, "unique": self.unique, "minimal": self.minimal}
        words = [name if yes else f"not {name}" for name, yes in found.items() if yes is not None]
        if self.note == ANSWERS[EXHAUSTED]:
            return f"valid, but {self.note}"
        if self.unique and self.minimal is None:
            words.append("perhaps minimal")
        return ", ".join(words) + (f": {self.note}" if self.note else "")
