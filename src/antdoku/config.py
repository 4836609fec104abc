"""Check the configuration of the workflow, and expand it into families and jobs.

A mistake is an `InputError` of one line that names the file, the line and the key, and says what is
allowed there. What a key may hold stands in the schema; what the schema cannot say is checked here.
"""

import itertools
import json
import math
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import jsonschema
import yaml

from antdoku import published
from antdoku.errors import InputError, one_line, unknown
from antdoku.instances.family import MAX_COUNT
from antdoku.instances.given import given_puzzles
from antdoku.instances.random import check_source, check_unique
from antdoku.kernels.propagation import mask_dtype
from antdoku.puzzle.grid import ORDERS
from antdoku.record import family_name
from antdoku.runs.job import MAX_RUNS, Plan, most_repetitions
from antdoku.solvers import make_params, orders

MAX_VARIANTS, MAX_JOBS = 10_000, 100_000  # of one grid; of a configuration
START_MINUTES = 5


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
        How random instances are made (source, deletion, archive, count, seed); empty if there are
        none.
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


@dataclass(frozen=True)
class Job:
    """Part `part` (from 0) of `n_parts` of the runs of all plans on a batch of families.

    Parameters
    ----------
    plans : tuple of Plan
        Run side by side on each instance.
    batch : str
        The random instances of an order (``order5``), or a family of given puzzles.
    families : tuple of str
        Families of the batch: of one order, with the same limits.
    longest_s : float
        CPU seconds that it takes when every run takes as long as it may.
    """

    experiment: str
    plans: tuple[Plan, ...]
    batch: str
    families: tuple[str, ...]
    order: int
    part: int
    n_parts: int
    n_runs: int
    longest_s: float

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


def kernels_of(solver: str, order: int) -> str:
    """What has to be compiled for runs at an order: solver and bits of the masks, ``acs-32``."""
    return f"{solver}-{8 * mask_dtype(order)().itemsize}"


def read(file) -> dict:
    """What a configuration file holds.

    Raises
    ------
    InputError
        If it is not YAML, or has a key twice.
    """
    return _File(file).data


def check(merged: dict, files, schema) -> Config:
    """Check a configuration that was merged from `files`.

    Parameters
    ----------
    merged : dict
        All keys, overlays applied.
    files : list of path
        Where the keys were written. The first that gives a key its value is named.
    schema : path
        The JSON schema, in YAML.

    Raises
    ------
    InputError
        For the mistake that comes first in the files.
    """
    merged, files = _with_text_keys(merged), [_File(file) for file in files]
    # Each step relies on what the ones before it have let pass.
    _raise_first(_schema_mistakes(_validator(schema), merged), merged, files)
    _raise_first(_semantic_mistakes(merged), merged, files)
    config = _config_of(merged)
    _raise_first(_order_mistakes(config), merged, files)
    _raise_first(_size_mistakes(config), merged, files)
    return config


@cache
def _validator(schema):
    standard = jsonschema.Draft202012Validator
    is_type = standard.TYPE_CHECKER.is_type
    # NaN is no number here: no bound would refuse it.
    types = standard.TYPE_CHECKER.redefine(
        "number", lambda _, value: is_type(value, "number") and value == value
    )
    validator = jsonschema.validators.extend(standard, type_checker=types)
    return validator(yaml.safe_load(Path(schema).read_text()))


def _raise_first(mistakes, merged, files):
    """Raise the mistake that comes first in the files, if there is one."""
    located = [_located(mistake, merged, files) for mistake in mistakes]
    if located:
        raise InputError(one_line(min(located)[-1]))


def random_batch(order: int) -> str:
    """Name of all random instances of one order: ``order5``."""
    return f"order{order}"


def random_families(experiment: Experiment, order: int) -> list[str]:
    """Names of the families of random instances of one order."""
    return [family_name(order, fraction) for fraction in experiment.fixed_fractions]


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


def _batches(config):
    """Experiment, batch, its families and the plans on it: what is cut into jobs."""
    for experiment in config.experiments.values():
        random = [family for family in experiment.families.values() if not family.given]
        given = [family for family in experiment.families.values() if family.given]
        by_order = itertools.groupby(random, lambda family: family.order)
        batches = [(random_batch(order), list(families)) for order, families in by_order]
        for batch, families in batches + [(family.name, [family]) for family in given]:
            yield experiment.name, batch, families, _limited(experiment, families[0])


def _limited(experiment, family):
    """Plans of an experiment with the limits and the repetitions that they have on a family.

    Those of solvers that do not work at its order are left out.
    """
    return [
        replace(
            plan,
            limit_s=_seconds(experiment, plan, family),
            limit_steps=plan.limit_steps or _reached(experiment, plan, family.order),
            repetitions=plan.repetitions or family.repetitions,
        )
        for plan in experiment.plans.values()
        if family.order in orders(plan.solver)
    ]


def _seconds(experiment, plan, family):
    """Seconds that a run may take: of random instances a variant may have its own."""
    own = {} if family.given else experiment.limits_s.get(plan.variant, {})
    return own.get(random_batch(family.order), family.limit_s)


def _reached(experiment, plan, order):
    """Steps after which a run ends, where the work of the paper's program is known."""
    reach = experiment.reaches.get(plan.variant)
    work = published.work(published.WORK_OF.get(experiment.name), plan.solver, order)
    return max(1, round(reach * work.steps)) if reach and work else None


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


def effort(chosen: Iterable[Job]) -> str:
    """One line: how many runs some jobs are."""
    chosen = list(chosen)
    jobs = "1 job" if len(chosen) == 1 else f"{len(chosen):,} jobs"
    return f"{sum(job.n_runs for job in chosen):,} runs in {jobs}"


# A mistake is a pair: the path of its key (a tuple of strings), and what is wrong.


def _schema_mistakes(validator, merged):
    """Mistakes that the schema finds."""
    for error in validator.iter_errors(merged):
        path = tuple(map(str, error.absolute_path))
        if error.validator == "additionalProperties":
            known = error.schema["properties"]
            for key in error.instance.keys() - known.keys():
                yield (*path, key), unknown("key", key, known)
        elif error.validator == "required":
            missing = [key for key in error.validator_value if key not in error.instance]
            yield path, f"the key {missing[0]} is missing"
        elif "propertyNames" in error.absolute_schema_path:
            yield (*path, error.instance), f"must be {error.schema['allowed']}"
        else:
            yield path, _must_be(error.instance, error.schema["allowed"])


def _semantic_mistakes(merged):
    """Mistakes in a configuration that fits the schema."""
    for name in merged["experiments"]:
        if name not in merged:
            yield ("experiments",), f"the key {name} is missing: experiments has {name}"
            continue
        block = merged[name]
        if block["random"] is not None:
            yield from _random_mistakes((name, "random"), block["random"])
        for family, puzzles in _present(block["puzzles"]):
            yield from _puzzles_mistakes((name, "puzzles", family), puzzles)
        if block["random"] is None and not any(block["puzzles"].values()):
            yield (name,), "has neither random instances nor puzzles"
        yield from _variants_mistakes((name, "variants"), block["variants"])
        yield from _reach_mistakes(name, block["variants"])


def _present(entries):
    """Names and contents of the entries that no overlay has taken away."""
    return [(name, content) for name, content in entries.items() if content is not None]


def _random_mistakes(path, random):
    """Fractions that no family can be named after, orders without a limit, a missing archive."""
    for number, fraction in enumerate(random["fixed_fractions"]):
        if fraction != round(fraction, 4):
            place = (*path, "fixed_fractions", str(number))
            yield place, _must_be(fraction, "a multiple of 0.0001")
    for order in map(int, random["orders"]):
        if f"order{order}" not in random["limits_s"]:
            yield (*path, "limits_s"), f"the key order{order} is missing: orders has {order}"
        try:
            check_source(random["source"], order)
        except InputError as error:
            yield (*path, "source"), str(error)
    archive = random["archive"]
    if random["source"] == "archive" and not (archive and Path(archive).is_dir()):
        allowed = f"an existing folder, as {'.'.join(path)}.source is archive"
        yield (*path, "archive"), _must_be(archive, allowed)


def _puzzles_mistakes(path, puzzles):
    """A family must come from one place, which can be read, and be of one order."""
    if path[-1] in map(random_batch, ORDERS):
        yield path, "a name like this is for random instances"
    if (puzzles.get("from") is None) == (puzzles.get("unique") is None):
        yield path, "must have one of the keys from and unique"
        return
    key = "unique" if puzzles.get("from") is None else "from"
    try:
        if key == "unique":
            unique = puzzles[key]
            after = unique.get("fixed_after_cp", ())
            check_unique(int(unique["order"]), unique["fixed_fraction"], after)
        else:
            yield from _collection_mistakes(path, puzzles, given_puzzles(puzzles[key]))
    except InputError as error:
        yield (*path, key), str(error)


def _collection_mistakes(path, puzzles, given):
    """Puzzles of several orders, and more equivalents than a family may have instances."""
    if len({puzzle.order for puzzle in given}) > 1:
        yield (*path, "from"), "must hold puzzles of one order"
    equivalents, most = puzzles.get("equivalents", 0), MAX_COUNT // len(given)
    if equivalents > most:
        allowed = f"at most {most}: of {len(given)} puzzles, for a family of {MAX_COUNT}"
        yield (*path, "equivalents"), _must_be(equivalents, allowed)


def _variants_mistakes(path, variants):
    """No variant, too many, two of one name, and what is wrong with each."""
    variants = _present(variants)
    if not variants:
        yield path, "none is left"
    names = set()
    for name, variant in variants:
        grid = variant.get("grid", {})
        place = (*path, name, "grid") if grid else (*path, name)
        n_points = math.prod(map(len, grid.values()))
        if n_points > MAX_VARIANTS:
            yield place, f"{n_points} variants: at most {MAX_VARIANTS} are allowed"
            continue
        yield from _variant_mistakes((*path, name), variant)
        for point, _ in _points(name, variant):
            if point in names:
                yield place, f"the name {point} stands for two variants"
                break
            names.add(point)


def _variant_mistakes(path, variant):
    """An unknown solver, or the first parameter that it refuses, alone or beside the others."""
    solver, params, grid = variant["solver"], variant.get("params", {}), variant.get("grid", {})
    tried = [(("solver",), {})]
    tried += [(("params", name), {name: value}) for name, value in params.items()]
    tried += [(("grid", name), {name: value}) for name in grid for value in grid[name]]
    tried += [(("params",), point) for _, point in _points(path[-1], variant)]
    for place, given in tried:
        try:
            make_params(solver, given)
        except InputError as error:
            yield (*path, *place), str(error)
            break
    for name in params.keys() & grid.keys():
        yield (*path, "grid", name), "stands in params as well"


def _reach_mistakes(experiment, variants):
    """A reach where the work of no program is known."""
    paper = published.WORK_OF.get(experiment)
    for name, variant in _present(variants):
        solver = variant["solver"]
        if "reach" in variant and not any(published.work(paper, solver, n) for n in ORDERS):
            path = (experiment, "variants", name, "reach")
            yield path, f"{experiment} knows no work of a program like {solver}"


def _order_mistakes(config):
    """Instances of an order at which no solver of the experiment works."""
    for experiment, batch, families, plans in _batches(config):
        if not plans:
            solvers = {plan.solver for plan in config.experiments[experiment].plans.values()}
            text = f"none of {', '.join(sorted(solvers))} works at order {families[0].order}"
            path = ("puzzles", batch) if families[0].given else ("random", "orders")
            yield (experiment, *path), text


def _size_mistakes(config):
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


def _points(name, variant):
    """Names and parameters of the variants that an entry stands for: one, or those of a grid."""
    grid = variant.get("grid", {})
    for values in itertools.product(*grid.values()):
        words = [re.sub(r"[^a-z0-9]", "_", str(value).lower()) for value in values]
        yield "__".join([name, *words]), {**variant.get("params", {}), **dict(zip(grid, values))}


def _must_be(value, allowed):
    shown = json.dumps(value, default=str)
    return f"{shown if len(shown) <= 60 else shown[:57] + '...'}: must be {allowed}"


class _File:
    """A configuration file.

    Attributes
    ----------
    data : dict
        What it holds.
    lines : dict of tuple of str to int
        Line, from 1, by the path of a key or a list entry.
    """

    def __init__(self, path):
        here = Path(path).absolute().is_relative_to(Path.cwd())
        self.name = os.path.relpath(path) if here else str(path)
        try:
            loader = yaml.SafeLoader(Path(path).read_text("utf-8"))
            root = loader.get_single_node()
            # First the lines: to read the values copies what << merges.
            self.lines = dict(_lines(root)) if root else {}
            self.data = _with_text_keys(loader.construct_document(root)) if root else None
        except OSError as error:
            raise InputError(f"{self.name}: cannot be read: {error.strerror}") from None
        except RecursionError:
            raise InputError(f"{self.name}: nested too deeply") from None
        except Exception as error:  # PyYAML lets pass what int() or date() raise, and more
            mark = getattr(error, "problem_mark", None)
            place = f"{self.name}:{mark.line + 1}" if mark else self.name
            reason = one_line(str(getattr(error, "problem", error)))
            raise InputError(f"{place}: not valid YAML: {reason}") from None
        if not isinstance(self.data, dict):
            raise InputError(f"{self.name}:1: must hold keys with values")

    def line_of(self, path, value):
        """Line of the key at `path` if this file gives it this value, else None."""
        if path not in self.lines:
            return None
        # As text, since NaN is not equal to itself.
        same = isinstance(value, dict) or repr(_value_at(self.data, path)) == repr(value)
        return self.lines[path] if same else None


def _lines(node, path=()):
    """Pairs of path and line: the keys and the list entries under a YAML node, and the root."""
    yield path, node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        names = set()
        for key, value in node.value:
            name = _name(key)
            if name in names:
                text = f"the key {name} stands here twice"
                raise yaml.MarkedYAMLError(problem=text, problem_mark=key.start_mark)
            names.add(name)
            yield from _lines(value, (*path, name))
            yield (*path, name), key.start_mark.line + 1
    elif isinstance(node, yaml.SequenceNode):
        for number, entry in enumerate(node.value):
            yield from _lines(entry, (*path, str(number)))


def _name(key):
    """A key as text; YAML reads some words as what they are not: no is False."""
    if key.value == "<<":  # merges another mapping
        return key.value
    return str(yaml.SafeLoader("").construct_object(key, deep=True))


def _with_text_keys(value):
    """`value` with the names of its keys as `_name` writes them."""
    if isinstance(value, dict):
        return {str(key): _with_text_keys(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_with_text_keys(entry) for entry in value]
    return value


def _value_at(data, path):
    """Value at a path of strings, in dictionaries and lists; None where there is none."""
    for name in path:
        data = data[int(name)] if isinstance(data, list) else (data or {}).get(name)
    return data


def _located(mistake, merged, files):
    """Sort key and message of a mistake: (number of its file, line, message).

    A key that is missing is reported where the one above it stands, a key that stands in no file
    as given on the command line.
    """
    path, text = mistake
    key = f"{'.'.join(path)}: " if path else ""
    value = _value_at(merged, path)
    for number, file in enumerate(files):
        if line := file.line_of(path, value):
            return number, line, f"{file.name}:{line}: {key}{text}"
    return len(files), 0, f"--config: {key}{text}"


def _config_of(merged):
    """`Config` of a dictionary without mistakes."""
    seed = int(merged["seed"])
    return Config(
        name=merged["name"],
        experiments={
            name: _experiment(name, merged[name], seed, merged["limit_by"])
            for name in merged["experiments"]
        },
        longest_s=float(merged["jobs"]["longest_s"]),
        memory_mb=int(merged["jobs"]["memory_mb"]),
    )


def _experiment(name, block, seed, limit_by):
    random = block["random"] or {}
    families = [*_generated_families(random), *_given_families(block["puzzles"], seed)]
    source = {key: random[key] for key in ("source", "deletion", "archive") if random}
    return Experiment(
        name=name,
        random=source | {"count": int(random["count"]), "seed": seed} if random else {},
        orders=tuple(map(int, random.get("orders", ()))),
        fixed_fractions=tuple(map(float, random.get("fixed_fractions", ()))),
        families={family.name: family for family in families},
        plans=dict(_plans(block, seed)),
        reaches=dict(_reaches(block)) if limit_by == "work" else {},
        limits_s=dict(_own_limits(block)),
    )


def _generated_families(random):
    """Families of random instances."""
    for order in map(int, random.get("orders", ())):
        for fraction in random["fixed_fractions"]:
            limit_s = float(random["limits_s"][f"order{order}"])
            repetitions, count = int(random["repetitions"]), int(random["count"])
            yield Family(family_name(order, fraction), order, count, repetitions, limit_s)


def _given_families(entries, seed):
    """Families of given puzzles."""
    for name, puzzles in _present(entries):
        unique, equivalents = puzzles.get("unique"), int(puzzles.get("equivalents", 0))
        if unique:
            order, count = int(unique["order"]), int(unique["count"])
            fixed, after = float(unique["fixed_fraction"]), unique.get("fixed_after_cp", [])
            made = {"order": order, "fixed": fixed, "count": count, "fixed_after_cp": after}
            origin = {"unique": made}
        else:
            found = given_puzzles(puzzles["from"])
            order, count = found[0].order, len(found) * max(1, equivalents)
            origin = {"source": puzzles["from"], "equivalents": equivalents}
        given = {"family": name, "seed": seed, **origin}
        repetitions, limit_s = int(puzzles["repetitions"]), float(puzzles["limit_s"])
        yield Family(name, order, count, repetitions, limit_s, given)


def _plans(block, seed):
    for name, variant in _present(block["variants"]):
        steps = variant.get("limit_steps", block["limit_steps"])
        steps = None if steps is None else int(steps)  # 1e5 is a whole number to the schema
        solver, repetitions = variant["solver"], int(variant.get("repetitions", 0))
        for point, params in _points(name, variant):
            yield point, Plan(point, solver, params, repetitions, seed, limit_steps=steps)


def _reaches(block):
    for name, variant in _present(block["variants"]):
        if "reach" in variant:
            for point, _ in _points(name, variant):
                yield point, float(variant["reach"])


def _own_limits(block):
    for name, variant in _present(block["variants"]):
        limits_s = {batch: float(limit) for batch, limit in variant.get("limits_s", {}).items()}
        for point, _ in _points(name, variant):
            yield point, limits_s
