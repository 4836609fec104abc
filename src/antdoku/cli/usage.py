"""What the commands share: exit statuses, types of arguments and options, and their help."""

import math
import re
import shlex
from functools import partial, reduce
from pathlib import Path

import click
from click.shell_completion import CompletionItem

OK, NOT_ALL, BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141
MAX_STEPS = 2**53  # whole numbers that every JSON reader knows
CHECKOUT = Path(__file__).parents[3]

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


option_with_default = partial(click.option, show_default=True)


class PuzzleCommand(click.Command):
    """A command whose arguments are puzzles."""

    def parse_args(self, ctx, args):
        # A literal may begin like an option: with the integer -1 or with the frame of a grid.
        literal = re.compile(r"(-1|--[-+])[^=]*\s")
        return super().parse_args(ctx, [f" {arg}" if literal.match(arg) else arg for arg in args])


class PuzzleSource(click.ParamType):
    """What `antdoku.puzzle.reading.read` takes; a shell completes files and named puzzles."""

    name = "puzzle"

    def shell_complete(self, ctx, param, incomplete):
        from antdoku.puzzle import named

        names = map(named.PREFIX.__add__, [*named.collections(), named.ALL, *named.names()])
        begun = [
            CompletionItem(name) for name in names if incomplete and name.startswith(incomplete)
        ]
        return [CompletionItem(incomplete, type="file"), *begun]


class Positive(click.ParamType):
    """A number more than 0; not NaN, but perhaps infinite."""

    name = "seconds"

    def convert(self, value, param, ctx):
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not number > 0:
            self.fail(f"{value!r} is not a number of seconds more than 0", param, ctx)
        return number


class _Parameter(click.ParamType):
    """NAME=VALUE, as a pair."""

    name = "name=value"

    def convert(self, value, param, ctx):
        name, equals, text = value.partition("=")
        if not (name.strip() and equals and text.strip()):
            self.fail(f"{value!r} is not NAME=VALUE, such as m=20", param, ctx)
        return name.strip(), text.strip()


# As `antdoku.solvers.shipped`, without what that loads.
FOLDER = Path(__file__).parents[1] / "solvers"
SOLVERS = sorted(file.stem for file in FOLDER.glob("[a-z]*.py"))
SOLVER_HELP = f"One of {', '.join(SOLVERS)}; or a file of yours: ./mine.py."


def complete_solver(ctx, param, incomplete):
    """Names of solvers, and files."""
    from antdoku.solvers import names

    if "/" in incomplete or incomplete.startswith("."):
        return [CompletionItem(incomplete, type="file")]
    return [name for name in names() if name.startswith(incomplete)]


def together(*options):
    """One decorator for several options, which stand in this order in the help."""
    return lambda command: reduce(lambda so_far, option: option(so_far), reversed(options), command)


# How long to solve, and with which random numbers.
limit_options = together(
    click.option(
        "--timeout",
        type=Positive(),
        help="CPU seconds for one puzzle.  [default: 10; none with --max-steps]",
    ),
    click.option(
        "--max-steps",
        type=click.IntRange(1, MAX_STEPS),
        help="Steps for one puzzle, counted by the solver: the same on any machine.",
    ),
    option_with_default(
        "--seed",
        type=click.IntRange(min=0),
        default=1,
        help="The same seed gives the same random numbers.",
    ),
)
# How to solve, for `solve` and `run`.
solver_options = together(
    option_with_default(
        "--solver", default="auto", shell_complete=complete_solver, help=SOLVER_HELP
    ),
    click.option(
        "--param", "params", type=_Parameter(), multiple=True, help="Of the solver; repeatable."
    ),
    limit_options,
)


def with_install_command(message: str) -> str:
    """A message that names an extra of the package, as it is installed from a checkout in one."""
    if not (CHECKOUT / "pyproject.toml").exists():
        return message
    return re.sub(
        r"'antdoku(\[\w+\])'", lambda found: f"-e {shlex.quote(f'{CHECKOUT}{found[1]}')}", message
    )
