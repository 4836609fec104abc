"""``antdoku solvers | new-solver | check-solver``: the solvers, and one of your own."""

import json
from pathlib import Path

import click

from antdoku.cli.options import NOT_ALL, OK, with_install_command
from antdoku.errors import InputError

TEMPLATE = '''\
"""Backtracking: blank cells in order, each with the first value that its peers do not have."""

from antdoku.solver import EXHAUSTED, SOLVED, TIMEOUT, Outcome, peers

KIND = "exact"  # it can prove that there is no solution; others are "stochastic"
COMPLETE = False  # but hard puzzles may keep it busy for ever


def solve(puzzle, params, rng, budget):
    """puzzle.givens: values row by row, 0 is blank; rng: a random generator of NumPy."""
    grid, blank, depth = puzzle.givens.copy(), (puzzle.givens == 0).nonzero()[0], 0
    for quota in budget.slices():  # you may do so many steps, then you are asked again
        for step in range(quota):
            if depth == len(blank):
                return Outcome(SOLVED, grid, budget.steps + step)  # antdoku checks it
            if depth < 0:
                return Outcome(EXHAUSTED, None, budget.steps + step)
            cell = blank[depth]
            taken = set(grid[peers(puzzle.order)[cell]])
            left = [v for v in range(grid[cell] + 1, puzzle.size + 1) if v not in taken]
            grid[cell] = left[0] if left else 0
            depth += 1 if left else -1
        budget.spend(quota)  # what is a step is up to you
    return Outcome(TIMEOUT, None, budget.steps)
'''


@click.command("new-solver")
@click.argument("file", type=click.Path())
@click.option("--force", is_flag=True, help="Overwrite the file.")
def new_solver(file, force):
    """Write a first solver into FILE, which runs at once.

    \b
    Example:
      antdoku new-solver mine.py
      antdoku solve named:sabuncu1 --solver ./mine.py
      antdoku compare named:soto -s acs -s ./mine.py --timeout 1
    """
    if not file.endswith(".py"):
        raise InputError(f"{file}: the name of a solver's file ends in .py")
    if Path(file).exists() and not force:
        raise InputError(f"{file}: is there already: --force overwrites it")
    Path(file).write_text(TEMPLATE)
    place = file if "/" in file else f"./{file}"
    click.echo(f"{file}: try  antdoku solve named:sabuncu1 --solver {place}")
    return OK


@click.command("check-solver")
@click.argument("solver")
def check_solver(solver):
    """Ask SOLVER to keep the rules of all solvers, at orders up to 5: a line for each.

    Exit status 1 means that it breaks one; its line says what to do.

    \b
    Example:
      antdoku check-solver ./mine.py
    """
    from antdoku import contract
    from antdoku.solvers import get

    get(solver)
    broken = {}
    for name, order in contract.cases(solver, most=5):
        if complaint := contract.complaint(solver, name, order):
            broken.setdefault(name, []).append(f"{order**2}x{order**2}: {complaint}")
    for name, check in contract.CHECKS.items():
        click.echo(f"{'BROKEN' if name in broken else 'ok    '}  {check.promise}")
        for line in broken.get(name, ()):
            click.echo(f"        {line}")
    return NOT_ALL if broken else OK


@click.command()
@click.argument("solver", required=False)
@click.option("--json", "as_json", is_flag=True, help="As a JSON array.")
def solvers(solver, as_json):
    """List the solvers, with orders, parameters, defaults and sources; or show one SOLVER.

    \b
    Example:
      antdoku solvers acs
    """
    from antdoku.solvers import describe, get, list_solvers

    if solver and not as_json:
        _describe(get(solver), describe(solver))
        return
    found = [
        each | {"missing": with_install_command(each["missing"])} if "missing" in each else each
        for each in ([describe(solver)] if solver else list_solvers())
    ]
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    for solver in found:
        title = click.style(solver["name"], bold=True)
        if "missing" in solver:
            reason = solver["missing"].removeprefix(f"solver {solver['name']}: ")
            click.echo(f"{title}  not installed, {reason}")
            continue
        params = " ".join(f"{name}={value}" for name, value in solver["params"].items())
        least, most = solver["orders"][0], solver["orders"][-1]
        click.echo(f"{title}  {solver['title']}, {solver['kind']}, orders {least} to {most}")
        if summary := (get(solver["name"]).__doc__ or "").strip().partition("\n")[0]:
            click.echo(f"    {summary}")
        click.echo(f"    parameters: {params or 'none'}")
        click.echo(f"    source: {solver['source']}")


def _describe(module, solver):
    """Print all that is known about one solver."""
    least, most = solver["orders"][0], solver["orders"][-1]
    title = click.style(solver["name"], bold=True)
    click.echo(f"{title}  {solver['title']}, {solver['kind']}, orders {least} to {most}\n")
    click.echo((module.__doc__ or "").strip() + "\n")
    for each in solver["parameters"]:
        click.echo(f"{click.style(each['name'], bold=True)} = {each['default']}  {each['doc']}")
        for word, meaning in each.get("words", {}).items():
            click.echo(f"    {word}: {meaning}")
        if "range" in each:
            click.echo("    from {} to {}".format(*each["range"]))
    if not solver["parameters"]:
        click.echo("no parameters")
