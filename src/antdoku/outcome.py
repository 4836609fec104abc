"""The claim of a solver at the end of a run, and the closed list of statuses.

`solved` and `exhausted` are verified claims. `timeout` also stands for a run that used up its
steps, and for an answer that came after the limit.
"""

from dataclasses import dataclass

import numpy as np

SOLVED = "solved"
TIMEOUT = "timeout"
EXHAUSTED = "exhausted"  # an exact solver has proved that there is no solution
INVALID = "invalid"  # the solver made a false claim: fails the workflow
ERROR = "error"  # the solver raised or died: fails the workflow
STATUSES = (SOLVED, TIMEOUT, EXHAUSTED, INVALID, ERROR)
FAILURES = (INVALID, ERROR)


@dataclass(frozen=True)
class Outcome:
    """The claim of a solver at the end of a run.

    Parameters
    ----------
    status : str
        `SOLVED`, `TIMEOUT` (a limit was reached) or `EXHAUSTED` (exact solvers only).
    solution : ndarray of int16, shape (c,), or None
        The complete grid when solved.
    steps : int
        Work done, in the solver's own unit.
    """

    status: str
    solution: np.ndarray | None
    steps: int
