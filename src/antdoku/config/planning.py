"""A configuration to jobs: which runs are done together, and with which limits."""

import itertools
import math
from collections.abc import Iterable
from dataclasses import replace

from antdoku import published
from antdoku.config.experiments import Config
from antdoku.kernels.propagation import mask_dtype
from antdoku.runs.plans import MAX_RUNS, Job, most_repetitions
from antdoku.solvers import orders

MAX_JOBS = 100_000


def jobs(config: Config) -> dict[str, Job]:
    """All jobs, by name."""
    found = (_jobs_of(*batch, config.longest_s) for batch in _batches(config))
    return {job.name: job for job in itertools.chain.from_iterable(found)}


def compiled(chosen: Iterable[Job]) -> dict[str, list[dict]]:
    """Words that some jobs give to solvers as parameters, by what has to be compiled.

    A word, unlike a number, may choose another kernel. What is compiled has the names that
    `kernels_of` gives.
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
        for batch, families in experiment.grouped("batch").items():
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
    """Numbers of jobs and of instances of a batch.

    As few jobs as can be, so that none can take longer than allowed, or hold too many runs.
    """
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
