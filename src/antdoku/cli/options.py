"""What the commands share: exit statuses, options and their help, and the bar of progress."""

from collections.abc import Iterable
from functools import reduce

import click

OK, NOT_ALL, BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141
MOST = 2**53  # of whole numbers that are limits
SOLVER_HELP = "A name that antdoku solvers lists, or a file of yours: ./mine.py."
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


def parameters(context, option, words: tuple[str, ...]) -> dict[str, str]:
    """Parameters of a solver by name, from words NAME=VALUE."""
    for word in words:
        name, equals, text = word.partition("=")
        if not (name.strip() and equals and text.strip()):
            raise click.BadParameter(f"{word!r} is not NAME=VALUE, such as m=20", context, option)
    return {name.strip(): text.strip() for name, _, text in (word.partition("=") for word in words)}


def together(*options):
    """Make one decorator of several options, which stand in this order in the help."""
    return lambda command: reduce(lambda so_far, option: option(so_far), reversed(options), command)


positive = click.FloatRange(min=0, min_open=True)
processes = click.IntRange(1, 1024)
param = click.option(
    "--param",
    "params",
    metavar="NAME=VALUE",
    multiple=True,
    callback=parameters,
    help="Of the solver; repeatable.",
)
symbols = click.option(
    "--symbols",
    metavar="SYMBOLS",
    help="Of the puzzles, where they may be in several: 1-G, 0-F, A-P, 0-15, or all of them.",
)
limits = together(
    click.option(
        "--timeout",
        type=positive,
        help="CPU seconds for one puzzle.  [default: 10; none with --max-steps]",
    ),
    click.option(
        "--max-steps",
        type=click.IntRange(min=1),
        help="Steps for one puzzle, counted by the solver: the same on any machine.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(min=0),
        default=1,
        help="The same seed gives the same random numbers.",
    ),
)
one_solver = together(click.option("--solver", default="auto", help=SOLVER_HELP), param, limits)


def progress(rows: Iterable, total: int, quiet: bool = False) -> Iterable:
    """Yield rows, and show on a terminal how many there have been."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    hidden = quiet or not console.is_terminal
    # The thread that draws it uses CPU time of the runs: 1 % at rich's ten times a second.
    how = {"transient": True, "refresh_per_second": 2, "disable": hidden}
    return track(rows, "", total, console=console, **how)
