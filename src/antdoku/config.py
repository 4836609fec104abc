"""Check the configuration of the workflow, and expand it into families and jobs.

A mistake is an `InputError` of one line that names the file, the line and the key, and says what is
allowed there. What a key may hold stands in the schema; what the schema cannot say is checked here.
"""

import difflib
import json
import math
import os
from dataclasses import dataclass, replace
from pathlib import Path

import jsonschema
import yaml

from antdoku import named
from antdoku.errors import InputError
from antdoku.job import Plan
from antdoku.propagation import mask_dtype
from antdoku.record import NAMED_FAMILY, family_name
from antdoku.run import make_params

COMMAND_LINE = "--config"  # the place of a key that stands in no file


@dataclass(frozen=True)
class Config:
    """A checked configuration; the schema says what the keys mean.

    Parameters
    ----------
    how : dict
        How random instances are made: source, deletion, archive, count, seed.
    limits_s : dict of str to float
        CPU seconds for one run, by family.
    plans : dict of str to Plan
        What is run, by variant: a single repetition, without a limit in seconds.
    """

    name: str
    seed: int
    experiments: tuple[str, ...]
    how: dict
    orders: tuple[int, ...]
    fixed_fractions: tuple[float, ...]
    collection: str
    repetitions: int
    limits_s: dict[str, float]
    plans: dict[str, Plan]
    longest_s: float


@dataclass(frozen=True)
class Job:
    """Part `part` (from 0) of `n_parts` of the runs of one plan on one family."""

    plan: Plan
    family: str
    order: int
    part: int
    n_parts: int

    @property
    def kernels(self) -> str:
        """What has to be compiled: solver and bits of the masks, ``acs-32``."""
        return f"{self.plan.solver}-{8 * mask_dtype(self.order)().itemsize}"

    @property
    def name(self) -> str:
        """Stem of its files: ``acs--order5-p045--0``."""
        return f"{self.plan.variant}--{self.family}--{self.part}"


def read(file) -> dict:
    """What a configuration file holds; `InputError` if it is not YAML, or has a key twice."""
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
    mistakes = [*_not_finite(config), *_schema_mistakes(validator, config)]
    mistakes = mistakes or list(_semantic_mistakes(config))
    if mistakes:
        raise InputError(min(_located(mistake, config, written) for mistake in mistakes)[-1])
    return _normalised(config)


def families(config: Config, order: int) -> list[str]:
    """Names of the families of random instances of one order."""
    return [family_name(order, fraction) for fraction in config.fixed_fractions]


def jobs(config: Config) -> dict[str, Job]:
    """All jobs, by name."""
    found = [
        Job(_plan(config, variant, family), family, order, part, n_parts)
        for family, order in _orders(config).items()
        for variant in config.plans
        for n_parts in [_n_parts(config, family)]
        for part in range(n_parts)
    ]
    return {job.name: job for job in found}


def _orders(config):
    """Order by family."""
    random = {family: order for order in config.orders for family in families(config, order)}
    return {**random, NAMED_FAMILY: 3}


def _plan(config, variant, family):
    """What a job does to each instance: steps limit it, or else time."""
    plan = config.plans[variant]
    limit_s = None if plan.limit_steps else config.limits_s[family]
    return replace(plan, limit_s=limit_s, repetitions=_repetitions(config, family))


def _n_parts(config, family):
    """Parts of a family: so many that none can take longer than `longest_s`, none without a run."""
    n_instances = config.how["count"]
    if family == NAMED_FAMILY:
        n_instances = len(named.find(config.collection))
    runs = n_instances * _repetitions(config, family)
    return min(runs, math.ceil(runs * config.limits_s[family] / config.longest_s))


def _repetitions(config, family):
    return config.repetitions if family == NAMED_FAMILY else 1


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


def _not_finite(value, path=()):
    """Numbers that are infinite or none: comparisons in a schema let them pass."""
    if isinstance(value, dict | list):
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        for key, entry in entries:
            yield from _not_finite(entry, (*path, str(key)))
    elif isinstance(value, float) and not math.isfinite(value):
        yield path, _must_be(value, "a finite number")


def _semantic_mistakes(config):
    """Mistakes in a configuration that fits the schema."""
    yield from _instances_mistakes(config["instances"])
    for order in config["instances"]["orders"]:
        if f"order{order}" not in config["limits_s"]:
            yield ("limits_s",), f"the key order{order} is missing: instances.orders has {order}"
    collection = config["named"]["collection"]
    if collection not in named.collections():
        known = ", ".join(named.collections())
        yield ("named", "collection"), f"unknown collection {collection!r}: known are {known}"
    for name, variant in config["variants"].items():
        if variant is not None:
            yield from _variant_mistakes(("variants", name), variant)
    if not any(config["variants"].values()):
        yield ("variants",), "none is left"


def _instances_mistakes(config):
    """Fractions that no family can be named after, and a missing archive."""
    path, names = ("instances", "fixed_fractions"), []
    for number, fraction in enumerate(config["fixed_fractions"]):
        names.append(family_name(2, fraction))
        if abs(1e4 * fraction - round(1e4 * fraction)) > 1e-6:
            yield (*path, str(number)), _must_be(fraction, "a multiple of 0.0001")
        elif names[-1] in names[:-1]:
            yield (*path, str(number)), f"{fraction} stands here twice"
    archive = config["archive"]
    if config["source"] == "archive" and not (archive and Path(archive).is_dir()):
        allowed = "an existing folder, as instances.source is archive"
        yield ("instances", "archive"), _must_be(archive, allowed)


def _variant_mistakes(path, variant):
    """An unknown solver, and the parameters that it refuses."""
    solver, params = variant["solver"], variant.get("params", {})
    try:
        make_params(solver, params)
    except InputError as error:
        alone = [("params", str(key)) for key in params if _refuses(solver, {key: params[key]})]
        at = ("solver",) if _refuses(solver, {}) else [*alone, ("params",)][0]
        yield (*path, *at), str(error)


def _refuses(solver, params):
    try:
        make_params(solver, params)
    except InputError:
        return True
    return False


def _must_be(value, allowed):
    shown = json.dumps(value, default=str)
    return f"{shown if len(shown) <= 60 else shown[:57] + '...'}: must be {allowed}"


def _hint(key, known):
    close = difflib.get_close_matches(str(key), known, n=1)
    return f" (did you mean {close[0]}?)" if close else ""


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
            text = Path(file).read_text(encoding="utf-8")
            node, self.data = yaml.compose(text), yaml.safe_load(text)
            self.lines = dict(_lines(node)) if node else {}
        except OSError as error:
            raise InputError(f"{file}: cannot be read: {error.strerror}") from None
        except yaml.MarkedYAMLError as error:
            line = error.problem_mark.line + 1
            raise InputError(f"{file}:{line}: not valid YAML: {error.problem}") from None
        except (yaml.YAMLError, ValueError) as error:  # bytes that are no text, impossible dates
            reason = str(error).splitlines()[0]
            raise InputError(f"{file}: not valid YAML: {reason}") from None
        if not isinstance(self.data, dict):
            raise InputError(f"{file}:1: must hold keys with values")

    def line_of(self, path, value):
        """Line of the key at `path` if this file gives it this value, else None."""
        if path in self.lines and (isinstance(value, dict) or _same(_at(self.data, path), value)):
            return self.lines[path]
        return None


def _lines(node, path=()):
    """Pairs of path and line: the keys and the list entries under a YAML node, and the root."""
    yield path, node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        seen = set()
        for key, value in node.value:
            if key.value in seen:
                text = f"the key {key.value} stands here twice"
                raise yaml.MarkedYAMLError(problem=text, problem_mark=key.start_mark)
            seen.add(key.value)
            yield from _lines(value, (*path, key.value))
            yield (*path, key.value), key.start_mark.line + 1
    elif isinstance(node, yaml.SequenceNode):
        for number, entry in enumerate(node.value):
            yield from _lines(entry, (*path, str(number)))


def _at(data, path):
    """Value at a path of strings, in dictionaries and lists; None where there is none."""
    for name in path:
        entries = enumerate(data) if isinstance(data, list) else dict(data or {}).items()
        data = {str(key): value for key, value in entries}.get(name)
    return data


def _same(value, other):
    return repr(value) == repr(other)  # as NaN is not equal to itself


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
    random, special = config["instances"], config["named"]
    limits_s = {
        family_name(order, fraction): float(config["limits_s"][f"order{order}"])
        for order in random["orders"]
        for fraction in random["fixed_fractions"]
    }
    seed = int(config["seed"])
    how = {key: random[key] for key in ("source", "deletion", "archive")}
    return Config(
        name=config["name"],
        seed=seed,
        experiments=tuple(config["experiments"]),
        how={**how, "count": int(random["count"]), "seed": seed},
        orders=tuple(map(int, random["orders"])),
        fixed_fractions=tuple(map(float, random["fixed_fractions"])),
        collection=special["collection"],
        repetitions=int(special["repetitions"]),
        limits_s={**limits_s, NAMED_FAMILY: float(special["limit_s"])},
        plans=dict(_plans(config, seed)),
        longest_s=float(config["jobs"]["longest_s"]),
    )


def _plans(config, seed):
    for name, variant in config["variants"].items():
        if variant is not None:
            steps = variant.get("limit_steps", config["limit_steps"])
            params = dict(variant.get("params", {}))
            yield name, Plan(name, variant["solver"], params, seed=seed, limit_steps=steps)
