"""Check the configuration of the workflow, and expand it into families and jobs.

A mistake is an `InputError` of one line that names the file, the line and the key, and says what is
allowed there. What a key may hold stands in the schema; what the schema cannot say is checked here.
"""

import difflib
import itertools
import json
import math
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path

import jsonschema
import yaml

from antdoku.errors import InputError, one_line
from antdoku.instances.given import given_puzzles
from antdoku.instances.random import check_unique
from antdoku.instances.table import MAX_COUNT
from antdoku.kernels.propagation import mask_dtype
from antdoku.puzzle.grid import ORDERS
from antdoku.record import family_name
from antdoku.runs.job import MAX_RUNS, Plan
from antdoku.solvers import make_params

MAX_BYTES, MAX_ENTRIES = 100_000, 20_000  # of a file: to read one takes a second at most
MAX_LIST = 1000  # entries; to look for equal ones takes the square of their number
MAX_NUMBER = 2**63  # no key needs more, and Python does not write numbers of thousands of digits
MAX_VARIANTS = 10_000  # of an experiment, the points of grids included
MAX_BATCH_RUNS, MAX_JOBS = 10**9, 100_000  # of one variant on one batch; of a configuration
TEMPLATE = "__use_yte__"  # the key that makes a file a template of Snakemake
START_MINUTES = 5
COMMAND_LINE = "--config"  # the place of a key that stands in no file


@dataclass(frozen=True)
class Family:
    """Instances of one kind: what is run on them, and for how long, is the same for all.

    Parameters
    ----------
    given : dict
        Of given puzzles, the arguments of `families.write_puzzles` beside the file. Empty for
        random instances, which are made by order, see `Experiment.random`.
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
        What is run, by variant: without the limit in seconds, which depends on the family. Zero
        repetitions stand for those of the family.
    """

    name: str
    random: dict
    orders: tuple[int, ...]
    fixed_fractions: tuple[float, ...]
    families: dict[str, Family]
    plans: dict[str, Plan]


@dataclass(frozen=True)
class Config:
    """A checked configuration; the schema says what the keys mean."""

    name: str
    experiments: dict[str, Experiment]
    longest_s: float
    memory_mb: int


@dataclass(frozen=True)
class Job:
    """Part `part` (from 0) of `n_parts` of the runs of one plan on a batch of families.

    Parameters
    ----------
    batch : str
        The random instances of an order (``order5``), or a family of given puzzles.
    families : tuple of str
        Families of the batch: of one order, with the same limits.
    longest_s : float
        CPU seconds that it takes when every run takes as long as it may; limits in steps count as
        those in seconds of the families.
    """

    experiment: str
    plan: Plan
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
    def kernels(self) -> str:
        """What has to be compiled: solver and bits of the masks, ``acs-32``."""
        return f"{self.plan.solver}-{8 * mask_dtype(self.order)().itemsize}"

    @property
    def instances(self) -> list[str]:
        """Files of the families, in the folder of results."""
        return [f"instances/{self.experiment}/{family}.parquet" for family in self.families]

    @property
    def stem(self) -> str:
        """Stem of the files of all parts: ``lloyd_amos/acs--order5``."""
        return f"{self.experiment}/{self.plan.variant}--{self.batch}"

    @property
    def name(self) -> str:
        """Stem of its own files: ``lloyd_amos/acs--order5--0``."""
        return f"{self.stem}--{self.part}"


def read(file) -> dict:
    """What a configuration file holds.

    Raises
    ------
    InputError
        If it is not YAML, has a key twice or is a template: Snakemake evaluates the expressions of
        templates as Python, and a configuration must not be code.
    """
    return _Written(file).data


def check(config: dict, files, schema) -> Config:
    """Check a configuration that was merged from `files`.

    Parameters
    ----------
    config : dict
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
    written = [_Written(file) for file in files]
    validator = jsonschema.Draft202012Validator(yaml.safe_load(Path(schema).read_text()))
    # Each step relies on what the ones before it have let pass.
    for step in (_odd_values, partial(_schema_mistakes, validator), _semantic_mistakes):
        _refuse(step(config), config, written)
    made = _normalised(config)
    _refuse(islice(_size_mistakes(config, made), 1), config, written)
    return made


def _refuse(mistakes, config, written):
    """Raise the mistake that comes first in the files, if there is one."""
    located = [_located(mistake, config, written) for mistake in mistakes]
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
    found = [
        job
        for experiment in config.experiments.values()
        for batch, families in _batches(experiment)
        for plan in experiment.plans.values()
        for job in _jobs(experiment.name, batch, families, plan, config.longest_s)
    ]
    return {job.name: job for job in found}


def _batches(experiment):
    """Families that one job may hold, by name: those of an order, or one of given puzzles."""
    random = [family for family in experiment.families.values() if not family.given]
    for order, families in itertools.groupby(random, lambda family: family.order):
        yield random_batch(order), list(families)
    for family in experiment.families.values():
        if family.given:
            yield family.name, [family]


def _jobs(experiment, batch, families, plan, longest_s):
    """Jobs of one plan on a batch."""
    like = families[0]
    # Steps limit a run, or else time.
    limit_s = None if plan.limit_steps else like.limit_s
    plan = replace(plan, limit_s=limit_s, repetitions=plan.repetitions or like.repetitions)
    n_runs, n_parts = _cut(families, plan.repetitions, longest_s)
    names = tuple(family.name for family in families)
    for part in range(n_parts):
        share = len(range(part, n_runs, n_parts))
        longest = share * like.limit_s
        yield Job(experiment, plan, batch, names, like.order, part, n_parts, share, longest)


def _cut(families, repetitions, longest_s):
    """Numbers of runs and jobs of a variant on a batch.

    As few jobs as can be, so that none can take longer than allowed, or hold too many runs.
    """
    n_runs = repetitions * sum(family.n_instances for family in families)
    n_parts = max(n_runs * families[0].limit_s / longest_s, n_runs / MAX_RUNS)
    return n_runs, min(n_runs, max(1, math.ceil(n_parts)))


def effort(chosen: Iterable[Job]) -> str:
    """One line: how many runs some jobs are, and how long they can take at most."""
    chosen = list(chosen)
    n_runs, hours = sum(job.n_runs for job in chosen), sum(job.longest_s for job in chosen) / 3600
    return f"{n_runs:,} runs in {len(chosen):,} jobs, at most {hours:.1f} h of CPU time"


# A mistake is a pair: the path of its key (a tuple of strings), and what is wrong.


def _schema_mistakes(validator, config):
    """Mistakes that the schema finds."""
    for error in validator.iter_errors(config):
        path = tuple(map(str, error.absolute_path))
        if error.validator == "additionalProperties":
            known = error.schema["properties"]
            for key in set(error.instance) - set(known):
                yield (
                    (*path, str(key)),
                    f"unknown key{_hint(key, known)}: known are {', '.join(known)}",
                )
        elif error.validator == "required":
            missing = [key for key in error.validator_value if key not in error.instance]
            yield path, f"the key {missing[0]} is missing"
        elif "propertyNames" in error.absolute_schema_path:
            yield (*path, str(error.instance)), f"must be {error.schema['allowed']}"
        else:
            yield path, _must_be(error.instance, error.schema["allowed"])


def _odd_values(value, path=()):
    """What the schema would let pass, or take too long for."""
    if isinstance(value, tuple):
        yield path, _must_be(value, "a plain value, not one of !!pairs")
    elif isinstance(value, dict | list):
        if isinstance(value, list) and len(value) > MAX_LIST:
            yield path, f"{len(value)} entries: a list has at most {MAX_LIST}"
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        for key, entry in entries:
            yield from _odd_values(entry, (*path, str(key)))
    elif isinstance(value, float) and not math.isfinite(value):
        yield path, _must_be(value, "a finite number")
    elif isinstance(value, int) and abs(value) > MAX_NUMBER:
        yield path, _must_be(value, "a number of at most 2**63")


def _semantic_mistakes(config):
    """Mistakes in a configuration that fits the schema."""
    for name in config["experiments"]:
        if name not in config:
            yield ("experiments",), f"the key {name} is missing: experiments has {name}"
            continue
        experiment = config[name]
        if experiment["random"] is not None:
            yield from _random_mistakes((name, "random"), experiment["random"])
        for family, puzzles in _present(experiment["puzzles"]):
            yield from _puzzles_mistakes((name, "puzzles", family), puzzles)
        if experiment["random"] is None and not any(experiment["puzzles"].values()):
            yield (name,), "has neither random instances nor puzzles"
        yield from _variants_mistakes((name, "variants"), experiment["variants"])


def _present(entries):
    """Names and contents of the entries that no overlay has taken away."""
    return [(name, content) for name, content in entries.items() if content is not None]


def _random_mistakes(path, random):
    """Fractions that no family can be named after, orders without a limit, a missing archive."""
    names = []
    for number, fraction in enumerate(random["fixed_fractions"]):
        names.append(family_name(2, fraction))
        place = (*path, "fixed_fractions", str(number))
        if abs(1e4 * fraction - round(1e4 * fraction)) > 1e-6:
            yield place, _must_be(fraction, "a multiple of 0.0001")
        elif names[-1] in names[:-1]:
            yield place, f"{fraction} stands here twice"
    for order in map(int, random["orders"]):
        if f"order{order}" not in random["limits_s"]:
            yield (*path, "limits_s"), f"the key order{order} is missing: orders has {order}"
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
            check_unique(int(puzzles[key]["order"]), puzzles[key]["fixed_fraction"])
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
    """Too many variants or none, two of one name, and what is wrong with each."""
    numbers = {name: _n_points(variant) for name, variant in _present(variants)}
    if not numbers:
        yield path, "none is left"
    if sum(numbers.values()) > MAX_VARIANTS:
        text = f"{sum(numbers.values())} variants: an experiment has at most {MAX_VARIANTS}"
        yield (*path, max(numbers, key=numbers.get), "grid"), text
        return
    names = set()
    for name, variant in _present(variants):
        yield from _variant_mistakes((*path, name), variant)
        place = (*path, name, "grid") if variant.get("grid") else (*path, name)
        for point, _ in _points(name, variant):
            if point in names:
                yield place, f"the name {point} stands for two variants"
                break
            names.add(point)


def _variant_mistakes(path, variant):
    """An unknown solver, or the first parameter that it refuses, alone or beside the others."""
    solver, params, grid = variant["solver"], variant.get("params", {}), variant.get("grid", {})
    tried = [(("solver",), {})]
    tried += [(("params", str(name)), {name: value}) for name, value in params.items()]
    tried += [
        (("grid", str(name)), {name: value}) for name, values in grid.items() for value in values
    ]
    tried += [(("params",), point) for _, point in _points(path[-1], variant)]
    complaints = ((place, _refuses(solver, these)) for place, these in tried)
    for place, complaint in itertools.islice(filter(lambda found: found[1], complaints), 1):
        yield (*path, *place), complaint
    for name in params.keys() & grid.keys():
        yield (*path, "grid", str(name)), "stands in params as well"


def _size_mistakes(config, made):
    """More runs or jobs than can be planned, counted before any job is made."""
    n_jobs = 0
    for name, experiment in made.experiments.items():
        batches, variants = _batches(experiment), _present(config[name]["variants"])
        for (batch, families), (variant, content) in itertools.product(batches, variants):
            repetitions = int(content.get("repetitions", families[0].repetitions))
            n_runs, n_parts = _cut(families, repetitions, made.longest_s)
            if n_runs > MAX_BATCH_RUNS:
                place = ("puzzles", batch) if families[0].given else ("random",)
                place = ("variants", variant) if "repetitions" in content else place
                text = f"{n_runs} runs of {variant} on {batch}: at most {MAX_BATCH_RUNS}"
                yield (name, *place, "repetitions"), f"{text} are allowed"
            n_jobs += n_parts * _n_points(content)
            if n_jobs > MAX_JOBS:
                allowed = f"greater, or the runs fewer: they are more than {MAX_JOBS} jobs"
                yield ("jobs", "longest_s"), _must_be(config["jobs"]["longest_s"], allowed)
                return


def _n_points(variant):
    """Number of the variants that an entry stands for."""
    return math.prod(map(len, variant.get("grid", {}).values()))


def _points(name, variant):
    """Names and parameters of the variants that an entry stands for: one, or those of a grid."""
    grid = variant.get("grid", {})
    for values in itertools.product(*grid.values()):
        words = [re.sub(r"[^a-z0-9]", "_", str(value).lower()) for value in values]
        yield "__".join([name, *words]), {**variant.get("params", {}), **dict(zip(grid, values))}


def _refuses(solver, params):
    """What a solver has against parameters; None if it takes them."""
    try:
        make_params(solver, params)
    except InputError as error:
        return str(error)
    return None


def _must_be(value, allowed):
    try:
        shown = json.dumps(value, default=str)
    except (TypeError, ValueError):  # keys that are dates, numbers of more than 4300 digits
        shown = type(value).__name__
    return f"{shown if len(shown) <= 60 else shown[:57] + '...'}: must be {allowed}"


def _hint(key, known):
    close = difflib.get_close_matches(str(key), known, n=1)
    return f" (did you mean {close[0]}?)" if close else ""


_TOO_MANY = f"more than the allowed {MAX_ENTRIES} entries"


class _Loader(yaml.SafeLoader):
    """Reads YAML; stops at too many entries, and knows where a value is that cannot be made."""

    n_nodes = 0

    def compose_node(self, parent, index):
        self.n_nodes += 1
        if self.n_nodes > MAX_ENTRIES:
            raise InputError(_TOO_MANY)
        return super().compose_node(parent, index)

    def construct_object(self, node, deep=False):
        try:
            return super().construct_object(node, deep)
        except (ValueError, LookupError, AttributeError, TypeError, ArithmeticError) as error:
            # A date of month 13; a value that its tag does not fit: !!bool perhaps
            reason = str(error) if isinstance(error, ValueError) else f"no value of {node.tag!r}"
            raise yaml.MarkedYAMLError(problem=reason, problem_mark=node.start_mark) from None


class _Written:
    """A configuration file, with the line of every key.

    Attributes
    ----------
    data : dict
        What it holds.
    lines : dict of tuple of str to int
        Line, from 1, by the path of a key or a list entry.
    """

    def __init__(self, file):
        here = Path(file).absolute().is_relative_to(Path.cwd())
        self.file = file = os.path.relpath(file) if here else file
        try:
            loader = _Loader(_text(file))
            node = loader.get_single_node()
            # Aliases of aliases can stand for more entries than any memory holds: so before all
            # that goes through them.
            lines = list(islice(_lines(node), MAX_ENTRIES + 1)) if node else []
            if len(lines) > MAX_ENTRIES:
                raise InputError(_TOO_MANY)
            self.lines, self.data = dict(lines), loader.construct_document(node) if node else None
        except InputError as error:
            raise InputError(f"{file}: {error}") from None
        except OSError as error:
            raise InputError(f"{file}: cannot be read: {error.strerror}") from None
        except yaml.MarkedYAMLError as error:
            line = error.problem_mark.line + 1
            reason = one_line(str(error.problem))
            raise InputError(f"{file}:{line}: not valid YAML: {reason}") from None
        except (yaml.YAMLError, ValueError) as error:  # bytes that are no text
            reason = one_line(str(error).splitlines()[0])
            raise InputError(f"{file}: not valid YAML: {reason}") from None
        except RecursionError:
            raise InputError(f"{file}: nested too deeply") from None
        if not isinstance(self.data, dict):
            raise InputError(f"{file}:1: must hold keys with values")
        if TEMPLATE in self.data:
            line, reason = self.lines.get((TEMPLATE,), 1), "templates are code"
            raise InputError(f"{file}:{line}: {TEMPLATE}: {reason}: write the values themselves")

    def line_of(self, path, value):
        """Line of the key at `path` if this file gives it this value, else None."""
        if path in self.lines and (isinstance(value, dict) or _same(_at(self.data, path), value)):
            return self.lines[path]
        return None


def _text(file):
    """Text of a file that is none of a device, a pipe or an image of a disk."""
    with open(os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data or b"") > MAX_BYTES:
        raise InputError(f"more than the allowed {MAX_BYTES} bytes")
    return (data or b"").decode("utf-8")


def _lines(node, path=()):
    """Pairs of path and line: the keys and the list entries under a YAML node, and the root."""
    yield path, node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        seen = set()
        for key, value in node.value:
            name = _name(key)
            if name in seen:
                text = f"the key {name} stands here twice"
                raise yaml.MarkedYAMLError(problem=text, problem_mark=key.start_mark)
            seen.add(name)
            yield from _lines(value, (*path, name))
            yield (*path, name), key.start_mark.line + 1
    elif isinstance(node, yaml.SequenceNode):
        for number, entry in enumerate(node.value):
            yield from _lines(entry, (*path, str(number)))


def _name(key):
    """A key as text; YAML reads some words as what they are not: no is False."""
    if not isinstance(key, yaml.ScalarNode):
        raise yaml.MarkedYAMLError(problem="a key must be a name", problem_mark=key.start_mark)
    if key.value == "<<":  # merges another mapping
        return key.value
    return str(_Loader("").construct_object(key))


def _at(data, path):
    """Value at a path of strings, in dictionaries and lists; None where there is none."""
    for name in path:
        if isinstance(data, list):
            data = data[int(name)]
        elif name in (data or {}):
            data = data[name]
        else:
            data = {str(key): value for key, value in (data or {}).items()}.get(name)
    return data


def _same(value, other):
    try:
        return repr(value) == repr(other)  # as NaN is not equal to itself
    except ValueError:  # numbers of more than 4300 digits
        return value == other


def _located(mistake, config, written):
    """Sort key and message of a mistake: (number of its file, line, message).

    A key that is missing is reported where the one above it stands, a key that stands in no file
    as given on the command line.
    """
    path, text = mistake
    name = f"{'.'.join(path)}: " if path else ""
    value = _at(config, path)
    for number, file in enumerate(written):
        if line := file.line_of(path, value):
            return number, line, f"{file.file}:{line}: {name}{text}"
    return len(written), 0, f"{COMMAND_LINE}: {name}{text}"


def _normalised(config):
    """`Config` of a dictionary without mistakes."""
    seed = int(config["seed"])
    return Config(
        name=config["name"],
        experiments={name: _experiment(name, config[name], seed) for name in config["experiments"]},
        longest_s=float(config["jobs"]["longest_s"]),
        memory_mb=int(config["jobs"]["memory_mb"]),
    )


def _experiment(name, block, seed):
    random = block["random"]
    families = [*(_random(random) if random else ()), *_given(block["puzzles"], seed)]
    how = {key: random[key] for key in ("source", "deletion", "archive")} if random else {}
    return Experiment(
        name=name,
        random=how | {"count": int(random["count"]), "seed": seed} if random else {},
        orders=tuple(map(int, random["orders"])) if random else (),
        fixed_fractions=tuple(map(float, random["fixed_fractions"])) if random else (),
        families={family.name: family for family in families},
        plans=dict(_plans(block, seed)),
    )


def _random(random):
    """Families of random instances."""
    for order in map(int, random["orders"]):
        for fraction in random["fixed_fractions"]:
            limit_s = float(random["limits_s"][f"order{order}"])
            repetitions, count = int(random["repetitions"]), int(random["count"])
            yield Family(family_name(order, fraction), order, count, repetitions, limit_s)


def _given(entries, seed):
    """Families of given puzzles."""
    for name, puzzles in _present(entries):
        unique, equivalents = puzzles.get("unique"), int(puzzles.get("equivalents", 0))
        if unique:
            order, count = int(unique["order"]), int(unique["count"])
            fixed = float(unique["fixed_fraction"])
            how = {"unique": {"order": order, "fixed_fraction": fixed, "count": count}}
        else:
            found = given_puzzles(puzzles["from"])
            order, count = found[0].order, len(found) * max(1, equivalents)
            how = {"source": puzzles["from"], "equivalents": equivalents}
        how = {"family": name, "seed": seed, **how}
        repetitions, limit_s = int(puzzles["repetitions"]), float(puzzles["limit_s"])
        yield Family(name, order, count, repetitions, limit_s, how)


def _plans(block, seed):
    for name, variant in _present(block["variants"]):
        steps = variant.get("limit_steps", block["limit_steps"])
        steps = None if steps is None else int(steps)  # 1e5 is a whole number to the schema
        solver, repetitions = variant["solver"], int(variant.get("repetitions", 0))
        for point, params in _points(name, variant):
            yield point, Plan(point, solver, params, repetitions, seed, limit_steps=steps)
