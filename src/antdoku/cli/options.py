"""Exit statuses, types of arguments and options, and their help: shared by the commands."""

import math
import re
import shlex
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial, reduce
from pathlib import Path
from threading import current_thread, main_thread

import click

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
    """Anything that `antdoku.read` takes."""

    name = "puzzle"


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
    option_with_default("--solver", default="auto", help=SOLVER_HELP),
    click.option(
        "--param", "params", type=_Parameter(), multiple=True, help="Of the solver; repeatable."
    ),
    limit_options,
)


def progress(rows: Iterable, total: int, quiet: bool = False) -> Iterable:
    """Yield rows, and show on a terminal how many there have been."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    # The thread that draws it uses CPU time of the runs: 1 % at rich's ten times a second.
    how = {"transient": True, "refresh_per_second": 2}
    return track(rows, "", total, console=console, disable=quiet or not console.is_terminal, **how)


@contextmanager
def compilation_announced() -> Iterator[None]:
    """Print a line on a terminal when Numba begins to compile, which takes seconds.

    An interrupt meanwhile waits for the end of the kernel: raised within, it gets lost in a
    callback of the compiler, or leaves a kernel without code.
    """
    from numba.core import event

    class Compiling(event.Listener):
        depth, is_interrupted, is_silent = 0, False, not sys.stderr.isatty()

        def on_start(self, event):
            self.depth += 1
            if not self.is_silent:
                self.is_silent = True
                click.echo("compiling once ...", err=True)

        def on_end(self, event):
            self.depth -= 1
            if self.is_interrupted and not self.depth:
                raise KeyboardInterrupt

        def interrupt(self, *_):
            if not self.depth or self.is_interrupted:
                raise KeyboardInterrupt
            self.is_interrupted = True

    with event.install_listener("numba:compile", Compiling()) as listener:
        usual = signal.getsignal(signal.SIGINT)
        heeds = usual is signal.default_int_handler and current_thread() is main_thread()
        if heeds:
            signal.signal(signal.SIGINT, listener.interrupt)
        try:
            yield
        finally:
            if heeds:
                signal.signal(signal.SIGINT, usual)


def with_install_command(message: str) -> str:
    """A message that names an extra of the package, as it is installed from a checkout in one."""
    if not (CHECKOUT / "pyproject.toml").exists():
        return message
    return re.sub(
        r"'antdoku(\[\w+\])'", lambda found: f"-e {shlex.quote(f'{CHECKOUT}{found[1]}')}", message
    )
