"""A dictionary without mistakes to a `Config`."""

from antdoku.config.entries import at_point, points, present
from antdoku.config.model import Config, Experiment, Family
from antdoku.instances.given import given_puzzles
from antdoku.record import family_name
from antdoku.runs.job import Plan


def config_of(merged):
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
    source = {
        key: random[key] for key in ("source", "base", "deletion", "archive") if key in random
    }
    return Experiment(
        name=name,
        random=source | {"seed": seed} if random else {},
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
            count, repetitions = at_point(random, order, fraction).values()
            yield Family(family_name(order, fraction), order, count, repetitions, limit_s)


def _given_families(entries, seed):
    """Families of given puzzles."""
    for name, puzzles in present(entries):
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
    for name, variant in present(block["variants"]):
        steps = variant.get("limit_steps", block["limit_steps"])
        steps = None if steps is None else int(steps)  # 1e5 is a whole number to the schema
        solver, repetitions = variant["solver"], int(variant.get("repetitions", 0))
        for point, params in points(name, variant):
            yield point, Plan(point, solver, params, repetitions, seed, limit_steps=steps)


def _reaches(block):
    for name, variant in present(block["variants"]):
        if "reach" in variant:
            for point, _ in points(name, variant):
                yield point, float(variant["reach"])


def _own_limits(block):
    for name, variant in present(block["variants"]):
        limits_s = {batch: float(limit) for batch, limit in variant.get("limits_s", {}).items()}
        for point, _ in points(name, variant):
            yield point, limits_s
