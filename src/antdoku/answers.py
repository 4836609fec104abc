"""What the functions of `antdoku.api` answer with: values that print as one would say them."""

from dataclasses import dataclass
from html import escape

import attrs
import numpy as np

from antdoku.errors import one_line
from antdoku.kernels.closure import profile
from antdoku.outcome import EXHAUSTED, SOLVED, TIMEOUT
from antdoku.puzzle import drawing
from antdoku.puzzle.forms import format_integers
from antdoku.puzzle.grid import Puzzle

_SAID = {SOLVED: "solved", TIMEOUT: "not solved", EXHAUSTED: "there is no solution"}


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """A run of a solver on a puzzle. Prints as a grid, also in notebooks.

    Parameters
    ----------
    puzzle : Puzzle
    solver : str
    params : object
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
        Seconds, compilation excluded.
    message : str
        What went wrong, if the solver failed.
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

    @property
    def headline(self) -> str:
        """Puzzle, answer and effort in one line."""
        answer = _SAID.get(self.status, f"{self.status}: {self.message}")
        effort = f"{self.solver}, {self.steps} steps, {self.cpu_s:.3f} s CPU"
        return one_line(f"{self.puzzle.name}: {answer} ({effort})")

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
        }

    def __repr__(self):
        return f"<Result {self.headline}>"

    def __str__(self):
        return f"{self.headline}\n{drawing.draw(self.puzzle, self._values, bold=False)}"

    def _repr_html_(self):
        return f"<p>{escape(self.headline)}</p>\n{drawing.html(self.puzzle, self._values)}"

    @property
    def _values(self):
        return self.puzzle.givens if self.solution is None else self.solution.ravel()


@dataclass(frozen=True)
class Count:
    """Number of solutions of a puzzle; prints as ``27`` or ``at least 100``.

    Parameters
    ----------
    number : int
        Solutions that were found.
    is_exact : bool
        Whether there are no others.
    in_time : bool
        False if the time was up before the limit was reached or all were found.
    """

    number: int
    is_exact: bool
    in_time: bool = True

    def __int__(self):
        return self.number

    def __str__(self):
        bound = "" if self.is_exact else "at least "
        return f"{bound}{self.number}{'' if self.in_time else ' (time is up)'}"

    __repr__ = __str__


@dataclass(frozen=True)
class Check:
    """Whether a grid solves a puzzle: true or false, and `flaw` is the first reason why not."""

    flaw: str | None

    def __bool__(self):
        return self.flaw is None

    def __str__(self):
        return "yes, a solution" if self else f"no: {self.flaw}"

    __repr__ = __str__
