"""Shared by the commands: exit statuses, options and their help, and the bar of progress."""

import os
from collections import Counter
from collections.abc import Iterable
from functools import partial, reduce, wraps

import click

from antdoku.errors import InputError

OK, NOT_ALL, BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141
SOLVER_HELP = "As antdoku solvers lists them, or your file ./mine.py; with parameters: acs:m=20."
PUZZLE_HELP = """\b
PUZZLE is one of
  a file     text (81 characters, letters, grids, integers), .sdk, .csv, .parquet,
             JSON as of solve --json; also .gz
  -          standard input
  named:X    a named puzzle or collection: named:platinumblond,
             named:lloyd_amos_named, named:mantere_koljonen_46, named:soto,
             named:seventeen_clue, named:all
  a literal  '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28...'
"""
INSTANCES_HELP = PUZZLE_HELP.replace("PUZZLE is", "INSTANCES is")


def _parameters(context, option, words):
    """Parameters of a solver by name, from words NAME=VALUE."""
    pairs = [[part.strip() for part in word.partition("=")] for word in words]
    for word, (name, _, value) in zip(words, pairs):
        if not (name and value):
            raise click.BadParameter(f"{word!r} is not NAME=VALUE, such as m=20", context, option)
    return {name: value for name, _, value in pairs}


def together(*options):
    """Make one decorator of several options, which stand in this order in the help."""
    return lambda command: reduce(lambda so_far, option: option(so_far), reversed(options), command)


def output(text: str):
    """Make the option that names a file."""
    return click.option("-o", "--output", metavar="FILE", help=text)


force = click.option("--force", is_flag=True, help="Overwrite the file.")


def jobs(default: int | None, text: str):
    """Make the option that says how many processes there are."""
    return click.option("--jobs", type=click.IntRange(1, 1024), default=default, help=text)


def _sources(context, argument, given):
    """Refuse what holds no puzzles: a solver, and standard input for the second time."""
    from antdoku.solvers import names

    words = [context.params.get("puzzle"), *([given] if isinstance(given, str) else given or [])]
    if words.count("-") > 1:
        raise InputError("standard input (-) can be read once: name a file in place of the other")
    for word in filter(None, words):
        if word.partition(":")[0] in names() and not os.path.lexists(word):
            raise InputError(f"{word} is a solver, where puzzles are wanted: write -s {word}")
    return given


source = partial(click.argument, callback=_sources)
puzzles = source("puzzles", metavar="PUZZLE...", nargs=-1, required=True)
symbols = click.option("--symbols", help="Of the puzzles: 1-G, 0-F, A-P, 0-15, or all of them.")


def skip_bad(command):
    """Add an option to go on after bad lines, which is named when a line is refused."""

    @click.option("--skip-bad", is_flag=True, help="List lines that are no puzzles, and go on.")
    @wraps(command)
    def hinting(**given):
        try:
            return command(**given)
        except InputError as error:
            in_solution = error.place in ("SOLUTION", given.get("solution"))
            if given["skip_bad"] or in_solution or error.line is None:
                raise
            remedy = "--skip-bad goes on after such lines"
            raise InputError(error.what, error.place, error.line, remedy) from None

    return hinting


as_json = click.option("--json", "as_json", is_flag=True, help="A line of JSON for each puzzle.")
seconds = click.option("--timeout", type=float, default=60.0, help="CPU seconds for one puzzle.")
seed = click.option("--seed", type=click.IntRange(0), default=1, help="Same seed, same result.")
timeout_help = "CPU seconds for one puzzle.  [default: 10; none with --max-steps]"
steps_help = "Steps for one puzzle: the same on any machine. Own solvers may need --timeout, too."
limits = together(
    click.option("--timeout", type=float, help=timeout_help),
    click.option("--max-steps", type=int, help=steps_help),
    seed,
)
param = partial(click.option, "--param", "params", metavar="NAME=VALUE", multiple=True)
one_solver = together(
    click.option("-s", "--solver", default="auto", help=SOLVER_HELP),
    param(callback=_parameters, help="Of the solver; repeatable."),
    limits,
)


def several(number: int, word: str) -> str:
    """Write a number and what it counts: 1 puzzle, 2 puzzles."""
    return f"{number} {word}{'s' * (number != 1)}"


def listed(found: Counter) -> str:
    """Write how many there are of each status, the most frequent first."""
    return ", ".join(f"{number} {status}" for status, number in found.most_common())


def progress(rows: Iterable, total: int, quiet: bool = False) -> Iterable:
    """Yield rows, and show on a terminal how many there have been."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    hidden = quiet or not console.is_terminal
    # The thread that draws it uses CPU time of the runs: 1 % at rich's ten times a second.
    how = {"transient": True, "refresh_per_second": 2, "disable": hidden}
    return track(rows, "", total, console=console, **how)
