"""Shared by the commands: exit statuses, options with their help, the progress bar."""

import logging
import os
from collections import Counter
from functools import reduce, wraps

import click
from click.shell_completion import CompletionItem

from antdoku.errors import InputError

OK, NOT_ALL, BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141
OUTPUT_HELP = "File .txt, .csv, .json or .parquet, also .gz; - is standard output."
SOLVER_HELP = "As antdoku solvers lists them, or your file ./mine.py; with parameters: acs:m=20."
PUZZLE_HELP = """\b
PUZZLE is one of
  a file     text (81 characters, letters, grids, integers), .sdk, .csv, .parquet,
             JSON, .npy; also .gz, and pipes
  -          standard input
  named:X    a named puzzle or collection: named:platinumblond,
             named:lloyd_amos_named, named:mantere_koljonen_46, named:soto,
             named:seventeen_clue, named:all
  a literal  '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28...'
"""
INSTANCES_HELP = PUZZLE_HELP.replace("PUZZLE is", "INSTANCES is")
_logger = logging.getLogger("antdoku")
note = _logger.info  # prints a line on standard error, unless the command is quiet


def _parameters(context, option, words):
    """Return the parameters of a solver by name, from words NAME=VALUE."""
    from antdoku.solvers import values_of

    return values_of(words, "--param")


def together(*options):
    """Make one decorator of several options, which the help lists in this order."""
    return lambda command: reduce(lambda result, option: option(result), reversed(options), command)


def output(text: str):
    """Make the option that names a file."""
    return click.option("-o", "--output", metavar="FILE", help=text)


def _set_quiet(context, option, is_quiet):
    _logger.setLevel(logging.WARNING if is_quiet else logging.INFO)


quiet = click.option(
    *("-q", "--quiet"),
    is_flag=True,
    expose_value=False,
    callback=_set_quiet,
    help="No progress bar, no notes.",
)


def is_quiet() -> bool:
    """Whether the command prints nothing on standard error but errors."""
    return _logger.level > logging.INFO


force = click.option("--force", is_flag=True, help="Overwrite the file.")


def jobs(default: int | None, text: str):
    """Make the option that sets the number of processes."""
    return click.option("--jobs", type=click.IntRange(1, 1024), default=default, help=text)


def _sources(context, argument, value):
    """Return the argument; refuse solvers in place of puzzles, and standard input twice."""
    from antdoku.solvers import names

    if value.count("-") > 1:
        remedy = "name a file in place of the other"
        raise InputError("can be read once", "standard input (-)", remedy=remedy)
    for source in value:
        if source.partition(":")[0] in names() and not os.path.lexists(source):
            remedy = f"write -s {source}"
            raise InputError(f"{source} is a solver, where puzzles are wanted", remedy=remedy)
    return value


def _only(context, option, words):
    """Return the only value of an option that may be given once."""
    if len(words) > 1:
        names = " and ".join(words)
        raise click.UsageError(f"one solver is wanted, not {names}: antdoku compare takes several")
    return words[0]


def _complete_solver(context, option, word):
    """Return the solvers whose names begin with a word; other words may be files."""
    from antdoku.solvers import names

    return _completions(names(), word)


def _complete_puzzle(context, argument, word):
    """Return the named puzzles and collections that begin with a word; other words may be files.

    Bash takes the part before a colon, and the colon, for words of their own.
    """
    from antdoku.puzzle import named

    names = [*named.collections(), named.ALL, *named.names()]
    if named.PREFIX[:-1] in (context.params.get(argument.name) or ()):
        return _completions(names, word.lstrip(":"))
    if not word.startswith(named.PREFIX):
        return _completions([named.PREFIX], word)
    return _completions([f"{named.PREFIX}{name}" for name in names], word)


def word(name: str, choices: str, default: str, text: str):
    """Make an option of a word; the shell completes it by a tuple of `instances.random`."""

    def complete(context, option, word):
        from antdoku.instances import random

        return _completions(getattr(random, choices), word)

    return click.option(f"--{name}", default=default, shell_complete=complete, help=text)


def _completions(choices, word):
    """Return the choices that begin with `word`; without one the shell completes files."""
    words = [CompletionItem(choice) for choice in choices if choice.startswith(word)]
    return words or [CompletionItem(word, type="file")]


def several_sources(name: str, metavar: str):
    """Make the argument that names one or more sources of puzzles."""
    settings = {"metavar": metavar, "nargs": -1, "required": True}
    return click.argument(name, callback=_sources, shell_complete=_complete_puzzle, **settings)


symbols = click.option("--symbols", help="Of the puzzles: 1-G, 0-F, A-P, 0-15, or all of them.")

column = click.option(
    "--column", metavar="NAME", help="The column of puzzles, or their key in JSON, by its name."
)


def is_file(place: str | None) -> bool:
    """Whether the place of an error is a file, or standard input."""
    return place == "standard input" or os.path.lexists(place or "")


def skip_bad(command):
    """Add an option to go on after bad lines, which is named when a line is refused."""

    @click.option("--skip-bad", is_flag=True, help="List lines that are no puzzles, and go on.")
    @wraps(command)
    def hinting(**values):
        try:
            return command(**values)
        except InputError as error:
            solutions = values.get("sources", ())[1:]  # of `check`
            is_line = (
                is_file(error.place) and error.line is not None and error.place not in solutions
            )
            if values["skip_bad"] or not is_line:
                raise
            remedy = error.remedy or "--skip-bad goes on after such lines"
            raise InputError(error.what, error.place, error.line, remedy) from None

    return hinting


as_json = click.option("--json", "as_json", is_flag=True, help="A line of JSON for each puzzle.")
seconds = click.option("--timeout", type=float, default=60.0, help="CPU seconds for one puzzle.")


class _Seed(click.IntRange):
    """A whole number; the word ``random`` becomes None, for which `api` draws a seed."""

    def convert(self, value, param, context):
        """Return the seed or None."""
        return None if value == "random" else super().convert(value, param, context)


seed_help = "Same seed, same result; random draws one and prints it."
seed = click.option("--seed", type=_Seed(0), default=1, help=seed_help)
timeout_help = "CPU seconds for one puzzle.  [default: 10; none with --max-steps]"
steps_help = "Steps for one puzzle: the same on any machine. Own solvers may need --timeout, too."
limits = together(
    click.option("--timeout", type=float, help=timeout_help),
    click.option("--max-steps", type=int, help=steps_help),
    seed,
)
one_solver = together(
    click.option(
        *("-s", "--solver"),
        multiple=True,
        default=["auto"],
        callback=_only,
        shell_complete=_complete_solver,
        help=SOLVER_HELP,
    ),
    click.option(
        *("--param", "params"),
        metavar="NAME=VALUE",
        multiple=True,
        callback=_parameters,
        help="Of the solver; repeatable.",
    ),
    limits,
)
several_solvers = click.option(
    *("-s", "--solver", "solvers"),
    multiple=True,
    required=True,
    shell_complete=_complete_solver,
    help=f"Repeatable. {SOLVER_HELP}",
)


def listed(counts: Counter) -> str:
    """Return the count of each status, the most frequent first."""
    return ", ".join(f"{number} {status}" for status, number in counts.most_common())
