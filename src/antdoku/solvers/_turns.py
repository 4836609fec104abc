"""A search that is done in turns, so that several can take them.

A solver loops until its budget is used up. Here it does so in a thread of its own, with a budget
that lets it go on for one turn and then waits: of all threads only one runs at a time, and what is
computed does not depend on the clock.
"""

import threading
from collections.abc import Iterator
from copy import deepcopy
from types import ModuleType

import numpy as np

from antdoku.budget import Budget
from antdoku.outcome import Outcome
from antdoku.puzzle.grid import Puzzle


class Searcher:
    """A run of a solver, with its default parameters, that goes on when it is told to.

    It is a context manager, at whose end the search is given up.

    Parameters
    ----------
    solver : module
        One of `antdoku.solvers`.
    rng : numpy.random.Generator
        The search gets a copy, so that it is the one that the solver does alone.
    """

    def __init__(self, solver: ModuleType, puzzle: Puzzle, rng: np.random.Generator):
        self.solver = solver
        self._budget = _Turns()
        self._found: list[Outcome | Exception] = []
        call = puzzle, solver.Params(), deepcopy(rng), self._budget
        self._thread = threading.Thread(target=self._run, args=(solver.solve, call), daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        # The solver finds that nothing is left, returns, and so cleans up.
        self._budget.steps_of_turn = 0
        self._budget.go.release()
        self._thread.join()

    def advance(self, steps: int) -> Outcome | None:
        """Do up to so many steps, after the set-up in the first turn; returns what is found."""
        self._budget.steps_of_turn = steps
        self._budget.go.release()
        self._budget.done.acquire()
        found = self._found[0] if self._found else None
        if isinstance(found, Exception):
            raise found
        return found

    def _run(self, solve, call):
        self._budget.go.acquire()
        try:
            if self._budget.steps_of_turn:
                self._found.append(solve(*call))
        except Exception as error:  # for the thread that waits
            self._found.append(error)
        finally:
            self._budget.done.release()


class _Turns(Budget):
    """A budget that stops after each turn until another one is allowed; one of no steps ends it."""

    def __init__(self):
        super().__init__()
        self.go, self.done = threading.Semaphore(0), threading.Semaphore(0)
        self.steps_of_turn = 0

    def slices(self) -> Iterator[int]:
        """One slice a turn."""
        while self.steps_of_turn:
            yield self.steps_of_turn
            self.done.release()
            self.go.acquire()
