"""How long the jobs of the workflow will take, by runs that were published.

A run of a variant on a family takes what published runs took there, cut off, or gone on with, at
the limits that it has now. Where a variant or a family is new, runs of the same solver on the same
family or order stand in; where there are none, a run is reckoned at its limit. Seconds are CPU
seconds of the machine of the published runs, so this is right within a factor of two or so.
"""

from collections.abc import Iterable
from functools import cached_property
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from antdoku.config import Config
from antdoku.outcome import TIMEOUT
from antdoku.runs.plans import Job, Plan

USED = ["family", "order", "variant", "solver", "status", "steps", "cpu_s"]
KEYS = (["variant", "family"], ["solver", "family"], ["solver", "order"])
# Of a run beside its own: short ones are repeated, and each is on a disk before the next.
RUN_S = 0.015
NO_LIMIT_S = 60.0
# Jobs that are no runs, CPU seconds with the start of Python, by the beginning of the rule's name.
JOB_S = {"compile": 5, "figures": 9, "tables": 5, "traces": 6, "table_claims": 6, "report": 4}
ANY_JOB_S = 2


class Forecast:
    """Seconds that the runs of a configuration take, by a table of runs, or without it at most."""

    def __init__(self, config: Config, published: str | Path):
        self._config = config
        self._published = Path(published)
        self._known = {}

    @cached_property
    def _runs(self):
        """Published runs, and the rows of each key of them."""
        if not self._published.exists():
            return pd.DataFrame(columns=USED), [{} for _ in KEYS]
        runs = pd.read_parquet(self._published, columns=USED)
        return runs, [runs.groupby(key, sort=False).indices for key in KEYS]

    def run_s(self, experiment: str, plan: Plan, family: str) -> float:
        """Seconds of one run in the mean."""
        key = experiment, plan.variant, family, plan.limit_s, plan.limit_steps
        if key not in self._known:
            order = self._config.experiments[experiment].families[family].order
            self._known[key] = self._mean(plan, family, order)
        return self._known[key] + RUN_S

    def _mean(self, plan, family, order):
        runs, groups = self._runs
        keys = (plan.variant, family), (plan.solver, family), (plan.solver, order)
        for rows, key in zip(groups, keys):
            if key in rows:
                return limited(runs.iloc[rows[key]], plan).mean()
        return plan.limit_s or NO_LIMIT_S

    def job_s(self, job: Job) -> float:
        """Seconds of all runs of a job."""
        families = self._config.experiments[job.experiment].families
        seconds = 0.0
        for plan, family in product(job.plans, job.families):
            n_runs = families[family].n_instances * plan.repetitions
            seconds += n_runs * self.run_s(job.experiment, plan, family)
        return seconds / job.n_parts

    def basis(self) -> str:
        """What the seconds rest on."""
        if self._published.exists():
            return f"by the runs of {self._published}"
        return f"at most: there are no runs in {self._published} to go by"


def limited(runs: pd.DataFrame, plan: Plan) -> np.ndarray:
    """Seconds that runs would have taken with the limits of a plan.

    One that had not ended would have gone on at its speed.
    """
    cpu_s, steps = np.maximum(runs["cpu_s"], 1e-6), np.maximum(runs["steps"], 1)
    share = plan.limit_steps / steps if plan.limit_steps else np.inf
    has_ended = runs["status"] != TIMEOUT
    seconds = cpu_s * np.where(has_ended, np.minimum(share, 1), share)
    return np.minimum(seconds, plan.limit_s or np.inf)


def other_s(rule: str) -> float:
    """Seconds of a job that does no runs."""
    return next((s for name, s in JOB_S.items() if rule.startswith(name)), ANY_JOB_S)


def wall_s(seconds: Iterable[float], cores: int) -> float:
    """Seconds that jobs take on some cores: no less than the longest of them."""
    seconds = list(seconds)
    return max(sum(seconds) / cores, max(seconds, default=0))


def rough_time(seconds: float) -> str:
    """``40 s``, ``5 min``, ``2 h 10 min``, ``3 days``: as precise as a forecast is."""
    minutes = round(seconds / 60)
    if seconds < 55:
        return f"{max(10, round(seconds, -1)):.0f} s"
    if minutes < 60:
        return f"{minutes} min"
    if minutes < 48 * 60:
        hours, rest = divmod(round(minutes, -1), 60)
        return f"{hours} h" + (f" {rest} min" if rest else "")
    return f"{minutes / 60 / 24:.0f} days"
