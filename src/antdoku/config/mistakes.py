"""What is wrong with a configuration, as pairs of a key's path and a text.

What a key may hold stands in the schema; what the schema cannot say is checked here.
"""

import json
import math
import re
from functools import cache
from pathlib import Path

import jsonschema
import yaml

from antdoku import published
from antdoku.config.entries import points, present
from antdoku.errors import InputError, unknown
from antdoku.instances.family import MAX_COUNT
from antdoku.instances.given import given_puzzles
from antdoku.instances.random import check_base, check_source, check_unique
from antdoku.puzzle.grid import ORDERS
from antdoku.solvers import make_params

MAX_VARIANTS = 10_000  # of one grid


def schema_mistakes(schema, merged):
    """Mistakes that the schema finds."""
    for error in _validator(schema).iter_errors(merged):
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


def semantic_mistakes(merged):
    """Mistakes in a configuration that fits the schema."""
    for name in merged["experiments"]:
        if name not in merged:
            yield ("experiments",), f"the key {name} is missing: experiments has {name}"
            continue
        block = merged[name]
        if block["random"] is not None:
            yield from _random_mistakes((name, "random"), block["random"])
        for family, puzzles in present(block["puzzles"]):
            yield from _puzzles_mistakes((name, "puzzles", family), puzzles)
        if block["random"] is None and not any(block["puzzles"].values()):
            yield (name,), "has neither random instances nor puzzles"
        yield from _variants_mistakes((name, "variants"), block["variants"])
        yield from _reach_mistakes(name, block["variants"])


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
    try:
        check_base(random["source"], random.get("base", "random"))
    except InputError as error:
        yield (*path, "base"), str(error)
    archive = random.get("archive")
    if random["source"] == "archive" and "archive" not in random:
        yield (*path, "source"), "archive: the key archive is missing"
    elif random["source"] == "archive" and not (archive and Path(archive).is_dir()):
        allowed = f"an existing folder, as {'.'.join(path)}.source is archive"
        yield (*path, "archive"), _must_be(archive, allowed)


def _puzzles_mistakes(path, puzzles):
    """A family must come from one place, which can be read, and be of one order."""
    if re.fullmatch(r"order\d+(x\d+)?", path[-1]):
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
    variants = present(variants)
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
        for point, _ in points(name, variant):
            if point in names:
                yield place, f"the name {point} stands for two variants"
                break
            names.add(point)


def _variant_mistakes(path, variant):
    """An unknown solver, or parameters that it refuses: the first one refused alone, else all."""
    solver, params, grid = variant["solver"], variant.get("params", {}), variant.get("grid", {})
    together = [(("params",), point) for _, point in points(path[-1], variant)]
    if text := _refusal(solver, {}):
        yield (*path, "solver"), text
    elif any(_refusal(solver, point) for _, point in together):
        alone = [(("params", name), {name: value}) for name, value in params.items()]
        alone += [(("grid", name), {name: value}) for name in grid for value in grid[name]]
        tried = ((place, _refusal(solver, given)) for place, given in [*alone, *together])
        yield next(((*path, *place), text) for place, text in tried if text)
    for name in params.keys() & grid.keys():
        yield (*path, "grid", name), "stands in params as well"


def _refusal(solver, params):
    """What a solver says against parameters; None if it takes them."""
    try:
        make_params(solver, params)
    except InputError as error:
        return str(error)
    return None


def _reach_mistakes(experiment, variants):
    """A reach where the work of no program is known."""
    paper = published.WORK_OF.get(experiment)
    for name, variant in present(variants):
        solver = variant["solver"]
        if "reach" in variant and not any(published.work(paper, solver, n) for n in ORDERS):
            path = (experiment, "variants", name, "reach")
            yield path, f"{experiment} knows no work of a program like {solver}"


def _must_be(value, allowed):
    shown = json.dumps(value, default=str)
    return f"{shown if len(shown) <= 60 else shown[:57] + '...'}: must be {allowed}"
