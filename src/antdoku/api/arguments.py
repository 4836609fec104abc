"""Arguments that several functions of `antdoku.api` take: checked, and made what runs need."""

from __future__ import annotations  # `help` shows the types as they are written here

import secrets
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

from antdoku import solvers
from antdoku.bulk import checked_limits
from antdoku.errors import InputError, check_whole, one_line
from antdoku.puzzle.grid import Puzzle
from antdoku.reading.sources import Source, read
from antdoku.solvers import SolverLike

DEFAULT_TIMEOUT_S = 10.0
Params = Mapping[str, float | str]  # values of parameters by name
Limits = tuple[float | None, int | None]  # CPU seconds and steps


class Request(NamedTuple):
    """How puzzles are solved; all of it is checked."""

    solver: str
    params: Any
    seed: int
    limits: Limits
    jobs: int | None


def checked_request(
    solver: SolverLike,
    params: Params | None,
    seed: int | None,
    timeout: float | None,
    max_steps: int | None,
    jobs: int | None = None,
) -> Request:
    """Check how puzzles are to be solved; a solver may be given with parameters."""
    name, params = solvers.with_parameters(solvers.reference(solver), checked_params(params))
    values = solvers.make_params(name, params)
    jobs = None if jobs is None else check_whole("jobs", jobs, 1)
    return Request(name, values, checked_seed(seed), limits_of(timeout, max_steps), jobs)


def checked_params(params: Any) -> Any:
    if params is not None and not isinstance(params, Mapping):
        text = one_line(repr(params))
        raise InputError(f"params {text}: must be a dict of values by name: {{'m': 20}}")
    return params or {}


def checked_seed(seed: int | None) -> int:
    """Return a seed, checked; for None draw one and print it on standard error."""
    if seed is None:
        seed = secrets.randbelow(10**9)
        print(f"antdoku: seed {seed}", file=sys.stderr)
    return check_whole("seed", seed, 0)


def limits_of(timeout: float | None, max_steps: int | None) -> Limits:
    """Return the limits in CPU seconds and steps; by default 10 s without a limit in steps."""
    seconds = DEFAULT_TIMEOUT_S if timeout is None and max_steps is None else timeout
    return checked_limits(seconds, max_steps)


def checked_seconds(timeout: float | None) -> float | None:
    return checked_limits(timeout, None)[0]


def read_one(
    puzzle: Puzzle | Source,
    several: str = "take one of them",
    symbols: str | None = None,
) -> Puzzle:
    puzzles = read(puzzle, symbols=symbols)
    if len(puzzles) != 1:
        raise InputError(f"{len(puzzles)} puzzles where one is wanted", remedy=several)
    return puzzles[0]
