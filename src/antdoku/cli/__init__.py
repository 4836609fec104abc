"""The command line: ``antdoku solve``, ``antdoku compare`` and others.

A command reads its arguments, calls `antdoku.api` and prints. It imports modules when it runs, so
that ``--help`` is quick and ``solve`` never loads pandas. Mistakes in usage and in input are one
line on standard error and exit status 2.
"""

import logging
import os
import sys
from errno import ENOSPC

import click
from click.shell_completion import shell_complete

from antdoku import __version__
from antdoku.cli.experiments import compare, run
from antdoku.cli.options import BAD_INPUT, BROKEN_PIPE, INTERRUPTED, OK
from antdoku.cli.puzzles import check, count, generate, solve
from antdoku.cli.solvers import check_solver, new_solver, solvers
from antdoku.errors import (
    InputError,
    interrupts_after_compilation,
    message_of,
    naming_extra,
    one_line,
)
from antdoku.progress import is_plain_terminal

COMPLETION = "_ANTDOKU_COMPLETE"  # the variable by which shells ask programs of Click
EPILOG = "Exit status: 0 yes or all solved, 1 no or not all solved, 2 bad input or usage."
SETTINGS = {
    "help_option_names": ["-h", "--help"],
    "max_content_width": 100,
    "show_default": True,
}


class _Notes(logging.Handler):
    """A handler that prints what the package logs, as one line on standard error."""

    def emit(self, record):
        """Print a record; standard error may be closed."""
        if sys.stderr:
            kind = "warning: " if record.levelno >= logging.WARNING else ""
            print(f"antdoku: {kind}{record.getMessage()}", file=sys.stderr, flush=True)


_logger = logging.getLogger("antdoku")
_logger.setLevel(logging.INFO)
_logger.addHandler(_Notes())


def main(argv: list[str] | None = None) -> int:
    """Run a command and return its exit status; a mistake prints one line."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # for signs that the encoding lacks
    try:
        if sys.stdout is None:
            raise InputError("standard output is closed")
        if instruction := os.environ.get(COMPLETION):
            return shell_complete(cli, {}, "antdoku", COMPLETION, instruction)
        arguments = sys.argv[1:] if argv is None else list(argv)
        color = False if is_plain_terminal() else None  # None lets `click` decide
        with (
            naming_extra(),
            interrupts_after_compilation(),
            cli.make_context("antdoku", arguments, color=color) as context,
        ):
            status = cli.invoke(context)
        sys.stdout.flush()
        return status or OK
    except click.exceptions.Exit as request:
        return request.exit_code
    except click.ClickException as error:
        return _complain(error.format_message().rstrip(".") + _hint(error))
    except InputError as error:
        return _complain(str(error))
    except KeyboardInterrupt as interrupt:
        _complain(f"interrupted{': ' if str(interrupt) else ''}{interrupt}")
        return INTERRUPTED
    except OSError as error:
        _drop_output()
        is_reader_gone = isinstance(error, BrokenPipeError)
        place = "standard output: " if error.errno == ENOSPC and not error.filename else ""
        return BROKEN_PIPE if is_reader_gone else _complain(f"{place}{message_of(error)}")


def _hint(error):
    """Return where the usage is explained, or how a puzzle is written that looks like an option."""
    if not getattr(error, "option_name", "a").lstrip("-")[:1].isalpha():
        return "; write -- before a puzzle that begins with -"
    context = getattr(error, "ctx", None)
    return f" (see {context.command_path} --help)" if context else ""


def _drop_output():
    """Discard buffered output, which the interpreter would try to write again at its exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str) -> int:
    print(f"antdoku: error: {one_line(message)}", file=sys.stderr)
    return BAD_INPUT


class _Commands(click.Group):
    def list_commands(self, ctx):
        return list(self.commands)  # in the order of their addition


@click.group(cls=_Commands, invoke_without_command=True, context_settings=SETTINGS, epilog=EPILOG)
@click.version_option(__version__, prog_name="antdoku")
@click.pass_context
def cli(context):
    """Solve Sudoku of orders 2 to 10 by stochastic and exact search, and run experiments on it.

    \b
    A first try:
      antdoku solve named:platinumblond
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for _command in (solve, generate, run, compare, count, check, solvers, new_solver, check_solver):
    cli.add_command(_command)
