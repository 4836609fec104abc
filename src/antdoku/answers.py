"""The results that `antdoku.api` returns, with readable text and HTML."""

from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from antdoku.errors import InputError, naming_extra, one_line
from antdoku.kernels.closure import closure, profile, profile_of
from antdoku.outcome import EXHAUSTED, SOLVED, TIMEOUT
from antdoku.puzzle import drawing
from antdoku.puzzle.grid import Puzzle
from antdoku.times import duration

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# The solvers that note costs: all stochastic ones.
WITH_COSTS = ("ac3_cuckoo", "ac3_tabu", "acs", "acs_closure", "cp_sa", "ga", "ils", "sa")
WITH_COSTS += ("tabu_col",)
# Stochastic solvers prove nothing: they search such a puzzle up to their limits, or give up.
REFUTED = "propagation finds a contradiction, so there is no solution"
ANSWERS = {SOLVED: "solved", TIMEOUT: "not solved", EXHAUSTED: "there is no solution"}


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """The judged run of a solver on a puzzle: true if it is solved. Prints as a grid.

    Two results are equal if puzzle, solver, parameters, seed, status, solution and steps are.

    Attributes
    ----------
    puzzle : Puzzle
    solver : str
        The name of the solver.
    params : dict
        All parameters of the solver by name.
    seed : int
    status : str
        ``solved``, ``timeout`` (a limit was reached), ``exhausted`` (it is proved that there is no
        solution), ``invalid`` (the solver claimed something false) or ``error`` (it failed).
    solution : ndarray of int16, shape (d, d), or None
        The verified solution.
    steps : int
        Work done, in the solver's own unit.
    cpu_s, wall_s : float
        CPU and wall seconds, set-up included, compilation excluded. Puzzles that are solved
        together share the mean.
    message : str
        What went wrong, if the status is ``invalid`` or ``error``, or the answer came too late.
    setup_s : float
        CPU seconds before the first step.
    n_timed : int
        Number of timed repetitions. If there are several, all seconds are medians.
    spread_s : float
        Distance of the quartiles of the repetitions' CPU seconds.
    trace : tuple of pairs
        Steps and the least cost so far, whenever the solver noted it (`Budget.note`, see
        `antdoku.answers.WITH_COSTS`). Solvers note costs by the clock, so the pairs differ from run
        to run.
    title : str
        The solver's name in tables and figures, and in the first line of a print.
    """

    puzzle: Puzzle
    solver: str
    params: dict[str, float | str]
    seed: int
    status: str
    solution: np.ndarray | None = None
    steps: int = 0
    cpu_s: float = 0.0
    wall_s: float = 0.0
    message: str = ""
    setup_s: float = 0.0
    n_timed: int = 1
    spread_s: float = 0.0
    trace: tuple[tuple[int, float], ...] = ()
    title: str = ""

    def __bool__(self):
        return self.status == SOLVED

    def __eq__(self, result):
        return isinstance(result, Result) and self._outcome() == result._outcome()

    def __hash__(self):
        return hash(self._outcome())

    def _outcome(self):
        """Return the run and its answer, without seconds."""
        run = self.puzzle, self.solver, frozenset(self.params.items()), self.seed
        return *run, self.status, self.values.tobytes(), self.steps

    @property
    def headline(self) -> str:
        """Puzzle, answer and effort in words."""
        answer = ANSWERS.get(self.status, self.status)
        is_refuted = self.status == TIMEOUT and not self.message and not closure(self.puzzle)[1]
        message = REFUTED if is_refuted else self.message
        answer += f": {message}" if message else ""
        steps = f"{self.steps:,} step{'s' * (self.steps != 1)}"
        effort = f"{self.title or self.solver}, {steps}, {duration(self.cpu_s)} CPU"
        return one_line(f"{self.puzzle.name}: {answer} ({effort})")

    @property
    def line(self) -> str:
        """The solution, or else the puzzle, in the form in which the puzzle was read."""
        return self.puzzle.writing.line(self.values.tolist())

    @property
    def values(self) -> np.ndarray:
        """The cells of the solution, or else of the puzzle, row by row; 0 for a blank."""
        return self.puzzle.givens if self.solution is None else self.solution.ravel()

    def as_dict(self) -> dict:
        """Return the result as values that JSON can hold.

        `puzzle` and `solution` are lines in `symbols`, as `Puzzle.line`.
        """
        return {
            "name": self.puzzle.name,
            "puzzle": self.puzzle.line,
            "symbols": self.puzzle.writing.name,
            "order": self.puzzle.order,
            "solver": self.solver,
            "params": self.params,
            "seed": self.seed,
            "status": self.status,
            "solution": None if self.solution is None else self.line,
            "steps": self.steps,
            "cpu_s": self.cpu_s,
            "wall_s": self.wall_s,
            "trivial": profile(self.puzzle).trivial,
            "message": self.message,
        }

    def __repr__(self):
        return f"<Result {self.headline}>"

    def __str__(self):
        return f"{self.headline}\n{drawing.draw(self.puzzle, self.values, bold=False)}"

    def _repr_html_(self):
        return f"<p>{escape(self.headline)}</p>\n{drawing.html(self.puzzle, self.values)}"

    def plot(self) -> "Figure":
        """Draw the least cost so far against steps; needs matplotlib.

        Raises
        ------
        InputError
            If there is no cost: the solver notes none, or propagation alone solved the puzzle.
        """
        with naming_extra("plot"):
            from antdoku.figures import comparison
        if self.trace:
            return comparison.costs(self.trace, self.steps, self.headline)
        candidates, is_consistent = closure(self.puzzle)
        is_refuted_or_filled = not is_consistent or profile_of(candidates, is_consistent).trivial
        if not self.steps and is_refuted_or_filled:
            reason = "propagation answers it, without costs to draw"
            raise InputError(reason, self.puzzle.name, remedy="take a harder puzzle")
        remedy = f"{', '.join(WITH_COSTS)} do, or yours with Budget.note"
        raise InputError("notes no costs to draw", f"solver {self.solver}", remedy=remedy)


class Count(int):
    """Number of solutions of a puzzle: an int that prints as ``27`` or ``at least 100``.

    Attributes
    ----------
    is_exact : bool
        Whether all solutions were counted.
    in_time : bool
        Whether the count ended before the time was up.
    solutions : list of ndarray, or None
        The solutions, int16 of shape (d, d), if they were kept.
    puzzle : Puzzle
    """

    is_exact: bool
    in_time: bool
    solutions: list[np.ndarray] | None
    puzzle: Puzzle | None

    def __new__(
        cls,
        number: int,
        is_exact: bool = True,
        in_time: bool = True,
        solutions: list[np.ndarray] | None = None,
        puzzle: Puzzle | None = None,
    ) -> "Count":
        count = super().__new__(cls, number)
        count.is_exact, count.in_time, count.solutions = is_exact, in_time, solutions
        count.puzzle = puzzle
        return count

    def as_dict(self) -> dict:
        """Return the count as values that JSON can hold; solutions are lists, row by row."""
        values = {"count": int(self), "is_exact": self.is_exact, "in_time": self.in_time}
        if self.solutions is None:
            return values
        return values | {"solutions": [grid.ravel().tolist() for grid in self.solutions]}

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
    puzzle : Puzzle
    """

    flaw: str | None
    puzzle: Puzzle | None = field(default=None, compare=False)

    def __bool__(self):
        return self.flaw is None

    def as_dict(self) -> dict:
        """Return the judgement as plain values."""
        return {"correct": bool(self), "flaw": self.flaw}

    def __repr__(self):
        return "yes, a solution" if self else f"no: {self.flaw}"


@dataclass(frozen=True)
class PuzzleCheck:
    """The judgement of a puzzle: true if it has exactly one solution.

    Attributes
    ----------
    unique : bool, or None
        Whether there is exactly one solution; None if the puzzle is not valid or time was up.
    minimal : bool, or None
        Whether every given is needed; None if the puzzle is not unique or time was up.
    note : str
        The reason, if the puzzle is not valid, unique and minimal. ``r1c2`` is row 1, column 2.
    valid : bool
        Whether no unit has a given twice.
    puzzle : Puzzle
    """

    unique: bool | None
    minimal: bool | None
    note: str = ""
    valid: bool = True
    puzzle: Puzzle | None = field(default=None, compare=False)

    def __bool__(self):
        return self.unique is True

    def as_dict(self) -> dict:
        """Return the judgement as plain values."""
        names = ("unique", "minimal", "note", "valid")
        return {name: getattr(self, name) for name in names}

    def __repr__(self):
        verdicts = {"valid": self.valid, "unique": self.unique, "minimal": self.minimal}
        words = [
            name if verdict else f"not {name}"
            for name, verdict in verdicts.items()
            if verdict is not None
        ]
        if self.note == ANSWERS[EXHAUSTED]:
            return f"valid, but {self.note}"
        if self.unique and self.minimal is None:
            words.append("perhaps minimal")
        return ", ".join(words) + (f": {self.note}" if self.note else "")
