"""``antdoku solvers``: which there are, and one of them in full."""

import json

import click

from antdoku.cli.usage import complete_solver, with_install_command


@click.command()
@click.argument("solver", required=False, shell_complete=complete_solver)
@click.option("--json", "as_json", is_flag=True, help="As a JSON array.")
def solvers(solver, as_json):
    """List the solvers, with orders, parameters, defaults and sources; or show one SOLVER.

    \b
    Example:
      antdoku solvers acs
    """
    from antdoku.solvers import describe, get, list_solvers

    if solver and not as_json:
        _show(get(solver), describe(solver))
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


def _show(module, solver):
    """All that is known about one solver."""
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
