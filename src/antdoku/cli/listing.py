"""``antdoku solvers``: which there are."""

import json

import click

from antdoku.cli.usage import with_install_command


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As a JSON array.")
def solvers(as_json):
    """List the solvers, with orders, parameters, defaults and sources."""
    from antdoku.solvers import catalogue

    found = [
        solver | {"missing": with_install_command(solver["missing"])}
        if "missing" in solver
        else solver
        for solver in catalogue()
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
        click.echo(f"    parameters: {params or 'none'}")
        click.echo(f"    source: {solver['source']}")
