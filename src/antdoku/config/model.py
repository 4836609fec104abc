"""A checked configuration: experiments, their families of instances, and what is run on them."""

from dataclasses import dataclass, field

from antdoku.record import family_name
from antdoku.runs.job import Plan


@dataclass(frozen=True)
class Family:
    """Instances of one kind: what is run on them, and for how long, is the same for all.

    Parameters
    ----------
    given : dict
        Of given puzzles, the arguments of `instances.files.write_puzzles` beside the file. Empty
        for random instances, which are made by order, see `Experiment.random`.
    """

    name: str
    order: int
    n_instances: int
    repetitions: int
    limit_s: float
    given: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Experiment:
    """One block of the configuration.

    Parameters
    ----------
    random : dict
        How random instances are made (source, deletion, archive, seed); empty if there are none.
    families : dict of str to Family
        The random families first.
    plans : dict of str to Plan
        What is run, by variant: without the limits that depend on the family. Zero repetitions
        stand for those of the family.
    reaches : dict of str to float
        By variant, when its runs end: after so many times the work that the paper's program did
        within the paper's limit, where that is known. Other variants are limited by their plan, or
        by seconds.
    limits_s: dict of str to dict of str to float
        By variant and batch of random instances (``order5``), seconds that take the place of those
        of the families.
    """

    name: str
    random: dict
    orders: tuple[int, ...]
    fixed_fractions: tuple[float, ...]
    families: dict[str, Family]
    plans: dict[str, Plan]
    reaches: dict[str, float]
    limits_s: dict[str, dict[str, float]]


@dataclass(frozen=True)
class Config:
    """A checked configuration; the schema says what the keys mean."""

    name: str
    experiments: dict[str, Experiment]
    longest_s: float
    memory_mb: int


def random_batch(order: int, repetitions: int = 1) -> str:
    """Name of random instances of an order with as many runs each: ``order5``, ``order5x3``."""
    return f"order{order}" + (f"x{repetitions}" if repetitions > 1 else "")


def random_families(experiment: Experiment, order: int) -> list[str]:
    """Names of the families of random instances of one order."""
    return [family_name(order, fraction) for fraction in experiment.fixed_fractions]


def random_counts(experiment: Experiment, order: int) -> dict[float, int]:
    """Number of random instances of one order, by fixed fraction."""
    names = random_families(experiment, order)
    counts = (experiment.families[name].n_instances for name in names)
    return dict(zip(experiment.fixed_fractions, counts, strict=True))
