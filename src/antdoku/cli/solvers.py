"""``antdoku solvers | new-solver | check-solver``: the solvers, and how users add one."""

import json
import sys
from importlib.resources import files
from shlex import quote

import click

from antdoku.cli.options import NOT_ALL, OK
from antdoku.errors import InputError
from antdoku.files import atomic_write, check_output


def template() -> str:
    """Return the text of a first solver."""
    return (files("antdoku") / "data" / "new_solver.py").read_text(encoding="utf-8")


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

    descriptions = [describe(solver)] if solver else list_solvers()
    if solver:
        get(solver)  # raises the error that `describe` only notes
    if as_json:
        click.echo(json.dumps(descriptions, indent=2))
        return
    for description in descriptions:
        name = click.style(description["name"], bold=True)
        if "missing" in description:
            click.echo(f"{name}  not installed, {description['missing']}")
            continue
        first, *_, last = description["orders"]
        title = f"{description['title']}, {description['kind']}"
        click.echo(f"{name}  {title}, orders {first} to {last}")
        if solver:
            text = (get(solver).__doc__ or "").strip()
            click.echo(f"\n{text}\n\n{_parameters(description) or 'no parameters'}")
        else:
            defaults = " ".join(f"{name}={value}" for name, value in description["params"].items())
            parameters = f"parameters: {defaults or 'none'}"
            for line in filter(None, (description["about"], parameters, description["source"])):
                click.echo(f"    {line}")


def _parameters(description):
    lines = []
    for parameter in description["parameters"]:
        name = click.style(parameter["name"], bold=True)
        lines.append(f"{name} = {parameter['default']}  {parameter['doc']}")
        lines += [f"    {word}: {text}" for word, text in parameter.get("words", {}).items()]
        if "range" in parameter:
            lines.append("    from {} to {}".format(*parameter["range"]))
    return "\n".join(lines)


@click.command("new-solver")
@click.argument("file", type=click.Path())
@click.option("--force", is_flag=True, help="Overwrite the file.")
def new_solver(file, force):
    """Write a first solver into FILE, ready to run.

    \b
    Example:
      antdoku new-solver mine.py
      antdoku solve named:sabuncu1 --solver ./mine.py
      antdoku compare named:soto -s acs -s ./mine.py --timeout 1
    """
    check_output(file, [".py"], force)
    with atomic_write(file) as unfinished:
        unfinished.write_text(template(), encoding="utf-8")
    path = quote(file if "/" in file else f"./{file}")
    click.echo(f"{file}: try  antdoku solve named:sabuncu1 --solver {path}")


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
    from antdoku import contract
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
    """Show the rule that is checked, until its verdict is printed over it."""
    click.echo(f"{'...':9}  {promise}\r", nl=False)
