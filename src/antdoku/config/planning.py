"""A checked configuration to jobs: families of instances, what is run on them, and the cut."""

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from antdoku import published
from antdoku.config.model import Block, Settings
from antdoku.families import family_name, is_random
from antdoku.kernels.propagation import mask_dtype
from antdoku.runs.plans import MAX_RUNS, Job, Plan, most_repetitions
from antdoku.solvers import orders

MAX_JOBS = 100_000


@dataclass(frozen=True)
class Family:
    """Instances of one kind: what is run on them, and for how long, is the same for all."""

    name: str
    order: int
    n_instances: int
    repetitions: int
    limit_s: float
    recipe: dict = field(default_factory=dict)  # how it is made, see `instances.recipes`

    @property
    def is_given(self) -> bool:
        """Whether it holds given puzzles, and not the random instances of a point."""
        return not is_random(self.name)

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
        By variant, the work after which its runs end, in that of the paper's program. Where this is
        not known, and for other variants, plans or seconds limit the runs.
    limits_s : dict of str to dict of str to float
        By variant and order (``order5``), seconds that take the place of those of the families of
        random instances.
    """

    name: str
    families: dict[str, Family]
    plans: dict[str, Plan]
    reaches: dict[str, float] = field(default_factory=dict)
    limits_s: dict[str, dict[str, float]] = field(default_factory=dict)

    @property
    def batches(self) -> dict[str, list[Family]]:
        """Families that are run together, by the name of their batch."""
        groups = {}
        for family in self.families.values():
            groups.setdefault(family.batch, []).append(family)
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
    """Expand the experiments of a configuration."""
    by_work = settings.limit_by == "work"
    seed, jobs = settings.seed, settings.jobs
    experiments = {
        name: experiment_of(name, settings.model_extra[name], seed, by_work)
        for name in settings.experiments
    }
    return Config(settings.name, seed, experiments, jobs.longest_s, jobs.memory_mb)


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
    for order, fraction in (
        itertools.product(random.orders, random.fixed_fractions) if random else ()
    ):
        numbers, limit_s = random.numbers(order, fraction), random.limits_s[f"order{order}"]
        recipe = random.recipe(order, fraction, seed)
        yield Family(family_name(order, fraction), order, *numbers, limit_s, recipe)
    for name, each in block.puzzles.items():
        recipe = each.recipe(name, seed)
        yield Family(name, *each.size(), each.repetitions, each.limit_s, recipe)


def jobs(config: Config) -> dict[str, Job]:
    """All jobs, by name."""
    found = (_jobs_of(*batch, config.longest_s) for batch in _batches(config))
    return {job.name: job for job in itertools.chain.from_iterable(found)}


def compiled(chosen: Iterable[Job]) -> dict[str, list[dict]]:
    """Words among the parameters of some jobs, by what has to be compiled (`kernels_of`).

    A word, unlike a number, may choose another kernel.
    """
    found = {}
    for job in chosen:
        for plan in job.plans:
            known = found.setdefault(kernels_of(plan.solver, job.order), [])
            words = {name: value for name, value in plan.params.items() if isinstance(value, str)}
            known += [words] if words not in known else []
    return found


def kernels_of(solver: str, order: int) -> str:
    """What has to be compiled for runs at an order: solver and bits of the masks, ``acs-32``."""
    return f"{solver}-{8 * mask_dtype(order)().itemsize}"


def effort(chosen: Iterable[Job]) -> str:
    """One line: how many runs some jobs are."""
    chosen = list(chosen)
    jobs = "1 job" if len(chosen) == 1 else f"{len(chosen):,} jobs"
    return f"{sum(job.n_runs for job in chosen):,} runs in {jobs}"


def _batches(config):
    """Experiment, batch, its families and the plans on it: what is cut into jobs."""
    for experiment in config.experiments.values():
        for batch, families in experiment.batches.items():
            yield experiment.name, batch, families, _limited(experiment, families[0])


def _limited(experiment, family):
    """Plans of an experiment with the limits and the repetitions that they have on a family.

    Those of solvers that do not work at its order are left out. On random instances a variant may
    have seconds of its own.
    """
    return [
        replace(
            plan,
            limit_s=own.get(f"order{family.order}", family.limit_s),
            limit_steps=plan.limit_steps or _reached(experiment, plan, family.order),
            repetitions=plan.repetitions or family.repetitions,
        )
        for plan in experiment.plans.values()
        if family.order in orders(plan.solver)
        for own in [{} if family.is_given else experiment.limits_s.get(plan.variant, {})]
    ]


def _reached(experiment, plan, order):
    """Steps after which a run ends, where the work of the paper's program is known."""
    reach = experiment.reaches.get(plan.variant)
    steps = published.most_steps(experiment.name, plan.solver, order)
    return max(1, round(reach * steps)) if reach and steps else None


def _jobs_of(experiment, batch, families, plans, longest_s):
    """Jobs on a batch: every n-th pair of an instance and a repetition, with all plans."""
    n_parts, n_instances = _cut(families, plans, longest_s)
    names, order = tuple(family.name for family in families), families[0].order
    for part in range(n_parts):
        # Pairs come by repetitions, so those of a plan with fewer are the first ones.
        counts = [len(range(part, n_instances * plan.repetitions, n_parts)) for plan in plans]
        longest = sum(count * plan.limit_s for count, plan in zip(counts, plans))
        common = experiment, tuple(plans), batch, names, order
        yield Job(*common, part, n_parts, sum(counts), longest)


def _cut(families, plans, longest_s):
    """As few jobs as keep to the longest time and to `MAX_RUNS`, and the number of instances."""
    n_instances = sum(family.n_instances for family in families)
    all_s = n_instances * sum(plan.repetitions * plan.limit_s for plan in plans)
    n_pairs = n_instances * most_repetitions(plans)
    n_parts = max(all_s / longest_s, n_pairs / (MAX_RUNS // len(plans)))
    return min(n_pairs, max(1, math.ceil(n_parts))), n_instances


def order_mistakes(config):
    """Instances of an order at which no solver of the experiment works."""
    for experiment, batch, families, plans in _batches(config):
        if not plans:
            solvers = {plan.solver for plan in config.experiments[experiment].plans.values()}
            text = f"none of {', '.join(sorted(solvers))} works at order {families[0].order}"
            path = ("puzzles", batch) if families[0].is_given else ("random", "orders")
            yield (experiment, *path), text


def size_mistakes(config):
    """More jobs than can be planned, counted before any is made."""
    cuts = [
        (_cut(families, plans, config.longest_s)[0], experiment, batch)
        for experiment, batch, families, plans in _batches(config)
    ]
    n_jobs = sum(n_parts for n_parts, *_ in cuts)
    if n_jobs > MAX_JOBS:
        n_most, name, batch = max(cuts)
        most = f"{n_most:,} of them for {batch}"
        remedy = f"at most {MAX_JOBS:,} are allowed: fewer runs, or a greater jobs.longest_s"
        yield (name,), f"{n_jobs:,} jobs, {most}: {remedy}"
