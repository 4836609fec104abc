"""A checked configuration: experiments, their families of instances, and what is run on them."""

from dataclasses import dataclass, field
from itertools import product

from antdoku.config.model import Block, Settings
from antdoku.families import family_name, is_random
from antdoku.runs.plans import Plan


@dataclass(frozen=True)
class Family:
    """Instances of one kind: what is run on them, and for how long, is the same for all.

    Parameters
    ----------
    recipe : dict
        How it is made, see `instances.recipes`.
    """

    name: str
    order: int
    n_instances: int
    repetitions: int
    limit_s: float
    recipe: dict = field(default_factory=dict)

    @property
    def is_given(self) -> bool:
        """Whether it holds given puzzles, and not the random instances of a point."""
        return not is_random(self.name)

    @property
    def made_with(self) -> str:
        """Name of what is made together: all random instances, or a family of given puzzles."""
        return self.name if self.is_given else "random"

    @property
    def batch(self) -> str:
        """Name of what is run together: a family, or an order with repetitions (``order5x3``)."""
        many = "" if self.repetitions == 1 else f"x{self.repetitions}"
        return self.name if self.is_given else f"order{self.order}{many}"


@dataclass(frozen=True)
class Experiment:
    """One block of the configuration.

    Parameters
    ----------
    families : dict of str to Family
        The random families first.
    plans : dict of str to Plan
        What is run, by variant: without the limits that depend on the family. Zero repetitions
        stand for those of the family.
    reaches : dict of str to float
        By variant, when its runs end: after so many times the work that the paper's program did
        within the paper's limit, where that is known. Other variants are limited by their plan, or
        by seconds.
    limits_s : dict of str to dict of str to float
        By variant and order (``order5``), seconds that take the place of those of the families of
        random instances.
    """

    name: str
    families: dict[str, Family]
    plans: dict[str, Plan]
    reaches: dict[str, float] = field(default_factory=dict)
    limits_s: dict[str, dict[str, float]] = field(default_factory=dict)

    def grouped(self, name: str) -> dict[str, list[Family]]:
        """Its families by a property of theirs, `made_with` or `batch`."""
        groups = {}
        for family in self.families.values():
            groups.setdefault(getattr(family, name), []).append(family)
        return groups


@dataclass(frozen=True)
class Config:
    """A checked configuration; `model` says what the keys mean."""

    name: str
    seed: int
    experiments: dict[str, Experiment]
    longest_s: float
    memory_mb: int


def config_of(settings: Settings) -> Config:
    """Expand a configuration."""
    by_work = settings.limit_by == "work"
    experiments = {
        name: experiment_of(name, settings.model_extra[name], settings.seed, by_work)
        for name in settings.experiments
    }
    jobs = settings.jobs
    return Config(settings.name, settings.seed, experiments, jobs.longest_s, jobs.memory_mb)


def experiment_of(name: str, block: Block, seed: int, by_work: bool = True) -> Experiment:
    """Expand a block, whose variants with a reach end `by_work` or not."""
    families, plans, reaches, limits_s = _families(block, seed), {}, {}, {}
    for entry, variant in block.variants.items():
        has_own = "limit_steps" in variant.model_fields_set
        steps = variant.limit_steps if has_own else block.limit_steps
        for point, params in variant.points(entry):
            how = variant.solver, params, variant.repetitions or 0, seed
            plans[point] = Plan(point, *how, limit_steps=steps)
            limits_s[point] = variant.limits_s
            if variant.reach and by_work:
                reaches[point] = variant.reach
    return Experiment(name, {each.name: each for each in families}, plans, reaches, limits_s)


def _families(block, seed):
    random = block.random
    for order, fraction in product(random.orders, random.fixed_fractions) if random else ():
        numbers, limit_s = random.numbers(order, fraction), random.limits_s[f"order{order}"]
        recipe = random.recipe(order, fraction, seed)
        yield Family(family_name(order, fraction), order, *numbers, limit_s, recipe)
    for name, each in block.puzzles.items():
        recipe = each.recipe(name, seed)
        yield Family(name, *each.size(), each.repetitions, each.limit_s, recipe)
