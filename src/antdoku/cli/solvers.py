"""``antdoku solvers | new-solver | check-solver``: which there are, and a solver of one's own."""

import json
import sys
from pathlib import Path
from shlex import quote

import click

from antdoku.cli.options import NOT_ALL, OK
from antdoku.errors import InputError
from antdoku.files import check_output

TEMPLATE = '''\
"""Backtracking: blank cells in order, each with the values that its peers do not have."""

from antdoku.solver import EXHAUSTED, SOLVED, TIMEOUT, Outcome, integer, parameters, peers

KIND = "exact"  # it can prove that there is no solution; others are "stochastic"
ALWAYS_ENDS = False  # but hard puzzles may keep it busy for ever


@parameters
class Params:
    restart = integer(100_000, 1, 10**9, "Steps after which it begins anew.")


def solve(puzzle, params, rng, budget):
    """puzzle.givens: values row by row, 0 is blank; rng: NumPy's, the only source of chance."""
    blank = (puzzle.givens == 0).nonzero()[0]
    for quota in budget.slices():  # you may do so many steps, then you are asked again
        for step in range(budget.steps, budget.steps + quota):
            if step % params.restart == 0:  # also at step 0
                grid, left, depth = puzzle.givens.copy(), [], 0  # left: values to try
            if depth == len(blank):
                return Outcome(SOLVED, grid, step)  # antdoku checks it
            if depth < 0:
                return Outcome(EXHAUSTED, None, step)
            cell = blank[depth]
            if depth == len(left):
                free = {*range(1, puzzle.size + 1)} - {*grid[peers(puzzle.order)[cell]].tolist()}
                left.append(rng.permutation([*free]).tolist())
            grid[cell] = left[depth].pop() if left[depth] else 0
            if not grid[cell]:
                left.pop()
            depth += 1 if grid[cell] else -1
        budget.note(len(blank) - depth)  # the least cost so far, for Result.plot()
        budget.spend(quota)  # what is a step is up to you
    return Outcome(TIMEOUT, None, budget.steps)
'''


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

    found = [describe(solver)] if solver else list_solvers()
    if solver:
        get(solver)  # raises what `describe` only notes
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    for each in found:
        name = click.style(each["name"], bold=True)
        if "missing" in each:
            click.echo(f"{name}  not installed, {each['missing']}")
            continue
        least, most = each["orders"][0], each["orders"][-1]
        click.echo(f"{name}  {each['title']}, {each['kind']}, orders {least} to {most}")
        text = (get(solver or each["name"]).__doc__ or "").strip()
        if solver:
            click.echo(f"\n{text}\n\n{_parameters(each) or 'no parameters'}")
        else:
            defaults = " ".join(f"{name}={value}" for name, value in each["params"].items())
            lines = each["about"], f"parameters: {defaults or 'none'}", each["source"]
            click.echo("".join(f"    {line}\n" for line in lines if line), nl=False)


def _parameters(solver):
    lines = []
    for each in solver["parameters"]:
        lines.append(f"{click.style(each['name'], bold=True)} = {each['default']}  {each['doc']}")
        lines += [f"    {word}: {text}" for word, text in each.get("words", {}).items()]
        if "range" in each:
            lines.append("    from {} to {}".format(*each["range"]))
    return "\n".join(lines)


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
    check_output(file, [".py"], force)
    Path(file).write_text(TEMPLATE)
    place = quote(file if "/" in file else f"./{file}")
    click.echo(f"{file}: try  antdoku solve named:sabuncu1 --solver {place}")


@click.command("check-solver")
@click.argument("solver")
def check_solver(solver):
    """Ask SOLVER to keep the rules of all solvers, at orders up to 5: a line for each.

    Exit status 1 means that it breaks one; its line says what to do. A check that could not decide
    anything is undecided.

    \b
    Example:
      antdoku check-solver ./mine.py
    """
    from antdoku.runs import contract
    from antdoku.solvers import with_parameters

    name, given = with_parameters(solver)
    if given:
        raise InputError(f"{solver}: check-solver asks with the default parameters: {name}")
    is_broken, tell = False, _show_question if sys.stdout.isatty() else str
    for promise, verdict, lines in contract.verdicts(solver, 5, tell):
        click.echo(f"{verdict:9}  {promise}")
        for line in lines:
            click.echo(f"           {line}")
        is_broken |= verdict == contract.BROKEN
    return NOT_ALL if is_broken else OK


def _show_question(promise):
    """Show what is asked, until its verdict is printed over it."""
    click.echo(f"{'...':9}  {promise}\r", nl=False)
