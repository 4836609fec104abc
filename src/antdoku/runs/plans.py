"""What is to be run: plans, and the jobs that they are cut into."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

MAX_RUNS = 10_000_000  # of a job: more would not fit into memory
START_MINUTES = 5


@dataclass(frozen=True)
class Plan:
    """What is run on each instance."""

    variant: str  # the name under which the runs stand in the tables
    solver: str
    params: dict = field(default_factory=dict)  # those that differ from the defaults
    repetitions: int = 1  # runs of each instance
    seed: int = 0  # root seed
    limit_s: float | None = None  # CPU seconds of a run
    limit_steps: int | None = None


@dataclass(frozen=True)
class Job:
    """Part `part` (from 0) of `n_parts` of the runs of all plans on a batch of families.

    A batch is the random instances of an order with as many repetitions (``order5``, ``order5x3``),
    or a family of given puzzles.
    """

    experiment: str
    plans: tuple[Plan, ...]  # run side by side on each instance
    batch: str
    families: tuple[str, ...]  # of one order, with the same limits
    order: int
    part: int
    n_parts: int
    n_runs: int
    longest_s: float  # CPU seconds, if every run takes as long as it may

    @property
    def minutes(self) -> int:
        """What to ask a cluster for: a quarter more, and some to start and to compile."""
        return math.ceil(1.25 * self.longest_s / 60) + START_MINUTES

    @property
    def solvers(self) -> list[str]:
        """Names of its solvers, each once."""
        return sorted({plan.solver for plan in self.plans})

    @property
    def instances(self) -> list[str]:
        """Files of the families, in the folder of results."""
        return [f"instances/{self.experiment}/{family}.parquet" for family in self.families]

    @property
    def stem(self) -> str:
        """Stem of the files of all parts: ``lloyd_amos/order5``."""
        return f"{self.experiment}/{self.batch}"

    @property
    def name(self) -> str:
        """Stem of its own files: ``lloyd_amos/order5--0``."""
        return f"{self.stem}--{self.part}"


def most_repetitions(plans: Iterable[Plan]) -> int:
    """Repetitions of the plan that has most."""
    return max(plan.repetitions for plan in plans)
