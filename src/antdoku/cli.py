"""The command line: ``antdoku solve | generate | run | count | check | solvers | bench``.

A command reads its arguments, calls the library and prints. What it needs is imported inside it, so
that ``--help`` is quick and ``solve`` does without pandas. Mistakes, in usage as in input, are one
line on standard error and exit status 2.
"""

import json
import math
import os
import re
import sys
from collections import Counter
from dataclasses import asdict
from itertools import repeat
from pathlib import Path

import click

from antdoku import __version__
from antdoku.errors import InputError, one_line, quote

OK, NOT_ALL, BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141
DEFAULT_TIMEOUT_S = 10.0
MAX_STEPS = 2**53  # whole numbers that every JSON reader knows
MIN_LITERAL = 16  # cells of the smallest puzzle: what is shorter is the name of a file
LITERAL = re.compile(r"[0-9a-yA-Y.*|+=\s\u2500-\u257f-]+")
UNICODE_FRAME = ("│", "─", "┌┬┐", "├┼┤", "└┴┘")
ASCII_FRAME = ("|", "-", "+++", "+++", "+++")

PUZZLE_HELP = """\b
PUZZLE is one of
  a file     text (81 characters, letters, grids, integers), .csv or .parquet
  -          standard input
  named:X    a named puzzle or collection: named:platinumblond,
             named:lloyd_amos_named, named:mantere_koljonen_46, named:soto,
             named:seventeen_clue, named:all
  a literal  '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28...'
"""


def main(argv: list[str] | None = None) -> int:
    """Run a command and return its exit status; prints at most one line of complaint."""
    _print_anything()
    try:
        with cli.make_context("antdoku", sys.argv[1:] if argv is None else list(argv)) as context:
            status = cli.invoke(context)
        if sys.stdout:
            sys.stdout.flush()
        return status or OK
    except click.exceptions.Exit as request:
        return request.exit_code
    except click.ClickException as error:
        return _complain(error.format_message().rstrip(".") + _help_hint(error))
    except InputError as error:
        return _complain(str(error))
    except KeyboardInterrupt as interrupt:
        _complain(f"interrupted{': ' if str(interrupt) else ''}{interrupt}")
        return INTERRUPTED
    except BrokenPipeError:  # whoever read has enough
        _drop_output()
        return BROKEN_PIPE
    except OSError as error:  # a full disk, above all
        place = f"{error.filename}: " if error.filename else ""
        _drop_output()
        return _complain(f"{place}{error.strerror or error}")


def _drop_output():
    """Keep the interpreter from trying once more, at its exit, to write what is left."""
    try:
        if sys.stdout:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print_anything():
    """Write signs that the terminal's encoding lacks as escapes."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _complain(message: str) -> int:
    print(f"antdoku: error: {one_line(message)}", file=sys.stderr)
    return BAD_INPUT


def _help_hint(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return f" (see {context.command_path} --help)" if context else ""


# --- Arguments -----------------------------------------------------------------------------------


class _Commands(click.Group):
    def list_commands(self, ctx):
        return list(self.commands)  # in the order of this file


class _PuzzleCommand(click.Command):
    def parse_args(self, ctx, args):
        # A literal may begin like an option: with the integer -1 or with the frame of a grid.
        literal = re.compile(r"(-1|--[-+])[^=]*\s")
        return super().parse_args(ctx, [f" {arg}" if literal.match(arg) else arg for arg in args])


class _Positive(click.ParamType):
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


def _solver_options(command):
    """Options that say how to solve, for `solve` and `run`."""
    options = [
        click.option("--solver", default="acs", show_default=True, help="See: antdoku solvers."),
        click.option(
            "--param", "params", type=_Parameter(), multiple=True, help="Of the solver; repeatable."
        ),
        click.option(
            "--timeout",
            type=_Positive(),
            help=f"CPU seconds for one puzzle.  [default: {DEFAULT_TIMEOUT_S:g}; "
            "none with --max-steps]",
        ),
        click.option(
            "--max-steps",
            type=click.IntRange(1, MAX_STEPS),
            help="Steps for one puzzle, counted by the solver: the same on any machine.",
        ),
        click.option(
            "--seed",
            type=click.IntRange(min=0),
            default=1,
            show_default=True,
            help="The same seed gives the same random numbers.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _limit_s(timeout, max_steps):
    """Seconds; without the clock, a run limited by steps can be repeated to the bit."""
    return DEFAULT_TIMEOUT_S if timeout is None and max_steps is None else timeout


def load(source: str, kind: type | None = None, what: str = "the argument") -> list:
    """Read the puzzles that an argument means, see `PUZZLE_HELP`.

    Parameters
    ----------
    source : str
        A path, ``-``, ``named:NAME`` or a literal puzzle.
    kind : type, optional
        A class derived from `Puzzle` to make of what is read.
    what : str
        How messages call a literal.
    """
    from antdoku.puzzle import files, forms, named
    from antdoku.puzzle.grid import Puzzle

    kind = kind or Puzzle
    if source == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed")
        text = files.read_stream(sys.stdin.buffer, "standard input")
        return forms.read_puzzles(text, "standard input", kind)
    if source.startswith(named.PREFIX):
        return named.puzzles(source.removeprefix(named.PREFIX))
    if os.path.lexists(source):
        return files.read_file(source, kind)
    if len(source) < MIN_LITERAL or not LITERAL.fullmatch(source):
        raise InputError(f"{quote(source, 60)}: there is no such file, nor is it a puzzle")
    try:
        return forms.read_puzzles(source, what, kind)
    except InputError as error:
        hint = f" (nor is there a file {source})" if re.search(r"\.[a-z]+\Z", source) else ""
        raise InputError(f"{error}{hint}") from None


# --- Commands ------------------------------------------------------------------------------------


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit status: 0 yes or all solved, 1 no or not all solved, 2 bad input or usage.",
)
@click.version_option(__version__, prog_name="antdoku")
@click.pass_context
def cli(context):
    """Solve Sudoku of orders 2 to 8 by stochastic and exact search, and run experiments on it.

    \b
    A first try:
      antdoku solve named:platinumblond
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@cli.command(cls=_PuzzleCommand, epilog=PUZZLE_HELP)
@click.argument("puzzles", metavar="PUZZLE...", nargs=-1, required=True)
@_solver_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object a puzzle, a line each.")
def solve(puzzles, solver, params, timeout, max_steps, seed, as_json):
    """Solve puzzles and draw the solutions, givens bold.

    \b
    Examples:
      antdoku solve named:platinumblond
      antdoku solve puzzles.txt --solver dlx --timeout 5
      antdoku solve named:lloyd_amos_named --param m=20 --max-steps 1000 --json
      cat puzzles.txt | antdoku solve - > solutions.txt
    """
    from antdoku.runs import worker
    from antdoku.solvers import make_params

    options = make_params(solver, dict(params))
    how = solver, options, seed
    limits = _limit_s(timeout, max_steps), max_steps
    report = _print_json if as_json else _print_grid
    all_solved = True
    calls = ((puzzle, worker.Call(puzzle, *how, *limits)) for puzzle in _load_all(puzzles))
    for puzzle, done in worker.run_all(calls):
        report(puzzle, *how, done)
        all_solved &= done.status == "solved"
    return OK if all_solved else NOT_ALL


def _load_all(sources):
    """All puzzles of all arguments: a mistake in the last is told before the first is solved."""
    numbered = enumerate(sources, start=1)
    return [
        puzzle for number, source in numbered for puzzle in load(source, what=f"argument {number}")
    ]


def _print_json(puzzle, solver, params, seed, done):
    from antdoku.kernels.propagation import profile
    from antdoku.puzzle.forms import format_integers

    found = {
        "name": puzzle.name,
        "puzzle": format_integers(puzzle),
        "order": puzzle.order,
        "solver": solver,
        "params": asdict(params),
        "seed": seed,
        "status": done.status,
        "solution": None if done.solution is None else done.solution.tolist(),
        "steps": done.steps,
        "cpu_s": done.cpu_s,
        "wall_s": done.wall_s,
        "trivial": profile(puzzle).trivial,
    }
    click.echo(json.dumps(found))
    if done.message:
        click.echo(f"antdoku: {one_line(puzzle.name)}: {one_line(done.message)}", err=True)


def _print_grid(puzzle, solver, params, seed, done):
    answer = {
        "solved": "solved",
        "timeout": "not solved",
        "exhausted": "there is no solution",
    }.get(done.status, f"{done.status}: {done.message}")
    effort = f"{solver}, {done.steps} steps, {done.cpu_s:.3f} s CPU"
    # As a comment, so that what is printed can be read again.
    click.secho(one_line(f"# {puzzle.name}: {answer} ({effort})"), dim=True)
    if done.solution is not None:
        click.echo(draw(puzzle, done.solution, _frame()) + "\n")


def _frame():
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    return UNICODE_FRAME if encoding.lower().startswith("utf") else ASCII_FRAME


def draw(puzzle, values, frame=UNICODE_FRAME) -> str:
    """Draw `values` as a grid with boxes, the givens of `puzzle` bold.

    Parameters
    ----------
    values : sequence of int, c values
        0 is drawn as a dot.
    frame : tuple of str
        Vertical and horizontal line, and the corners at the top, between boxes and below.
    """
    vertical, horizontal, *corners = frame
    order, size = puzzle.order, puzzle.size
    width = len(str(size))
    cells = [
        click.style(str(value or ".").rjust(width), bold=bool(given) or None)
        for value, given in zip(values, puzzle.givens, strict=True)
    ]
    boxes = [" ".join(["", *cells[at : at + order], ""]) for at in range(0, size**2, order)]
    rows = [
        vertical.join(["", *boxes[at : at + order], ""]) for at in range(0, size * order, order)
    ]
    side = horizontal * (order * (width + 1) + 1)
    top, middle, bottom = (
        left + inner.join([side] * order) + right for left, inner, right in corners
    )
    bands = ["\n".join(rows[at : at + order]) for at in range(0, size, order)]
    return "\n".join([top, f"\n{middle}\n".join(bands), bottom])


@cli.command()
@click.option("--order", type=int, required=True, help="2 to 8; 3 is the usual Sudoku.")
@click.option("--fixed", type=float, required=True, help="Fraction of cells given, 0 to 1.")
@click.option("--count", type=int, default=1, show_default=True, help="Number of puzzles.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Root seed.")
@click.option(
    "--source",
    default="shuffle",
    show_default=True,
    help="Solved grids from: shuffle (operators of Lewis 2007) or acs (on a blank grid).",
)
@click.option(
    "--deletion",
    default="exact",
    show_default=True,
    help="Blank an exact number of cells, or bernoulli: each cell with the same probability.",
)
@click.option("--unique", is_flag=True, help="Puzzles with exactly one solution: it is proved.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    default="-",
    help="A file .parquet, .csv or .txt; without it, lines on standard output.",
)
def generate(output, unique, deletion, **request):
    """Generate random puzzles that have a solution, perhaps several.

    With --unique they have one. From --fixed 0.28, 0.36, 0.44 and 0.5 at orders 3 to 6, roughly,
    there are some: within milliseconds, at orders 5 and 6 seconds each.

    \b
    Examples:
      antdoku generate --order 3 --fixed 0.4
      antdoku generate --order 4 --fixed 0.4 --unique
      antdoku generate --order 5 --fixed 0.45 --count 100 --seed 1 -o hard.parquet
    """
    if unique and deletion != "exact":
        message = f"--unique blanks an exact number of cells: not with --deletion {deletion}"
        raise click.UsageError(message, click.get_current_context())
    if output != "-":
        _check_output(output, (".parquet", ".csv", ".txt"))
    from antdoku.instances import random
    from antdoku.puzzle import forms
    from antdoku.puzzle.grid import Puzzle

    if unique:
        table = random.generate_unique(**request)
    else:
        table = random.generate(**request, deletion=deletion)
    if Path(output).suffix in (".parquet", ".csv"):
        write = table.to_csv if output.endswith(".csv") else table.to_parquet
        _replace(output, lambda path: write(path, index=False))
    else:
        cells = ([int(value) for value in text.split()] for text in table["puzzle"])
        text = forms.format_file(Puzzle(request["order"], values) for values in cells)
        if output == "-":
            click.echo(text, nl=False)
        else:
            _replace(output, lambda path: path.write_text(text))
    if output != "-":
        click.echo(f"{output}: {len(table)} puzzles")


def _check_output(path, suffixes):
    """Refuse a file that cannot be written, before anything is computed."""
    if Path(path).suffix not in suffixes:
        raise InputError(f"{path or 'output'}: the name must end in {' or '.join(suffixes)}")
    folder = Path(path).parent
    if not folder.is_dir():
        raise InputError(f"{path}: there is no folder {folder}")
    if Path(path).is_dir() or not os.access(folder, os.W_OK):
        raise InputError(f"{path}: cannot be written")


def _replace(path, write):
    """Write a file complete or not at all."""
    temporary = Path(f"{path}.unfinished")
    write(temporary)
    os.replace(temporary, path)


@cli.command(epilog=PUZZLE_HELP.replace("PUZZLE is", "INSTANCES is"), cls=_PuzzleCommand)
@click.argument("instances")
@_solver_options
@click.option(
    "--repetitions",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Runs of each puzzle, with seeds of their own.",
)
@click.option(
    "--jobs", type=click.IntRange(1, 1024), default=1, show_default=True, help="Processes."
)
@click.option("-o", "--output", metavar="FILE", default="runs.parquet", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="No progress bar.")
def run(instances, params, timeout, max_steps, jobs, output, quiet, **plan):
    """Run a solver on many puzzles, one row of a table a run.

    A run that is interrupted resumes where it was when the same command is given again. Exit status
    1 means that a solver failed; puzzles that it does not solve in time are results.

    \b
    Examples:
      antdoku run hard.parquet --solver acs --timeout 12 --jobs 2 -o runs.parquet
      antdoku run named:lloyd_amos_named --solver ils --repetitions 100 -o ils.parquet
    """
    _check_output(output, (".parquet",))
    from antdoku.outcome import FAILURES, STATUSES
    from antdoku.runs import job
    from antdoku.solvers import make_params

    plan |= {"variant": plan["solver"], "params": dict(params)}
    make_params(plan["solver"], plan["params"])
    plan = job.Plan(limit_s=_limit_s(timeout, max_steps), limit_steps=max_steps, **plan)
    tasks = job.tasks_of(_instances(instances), plan)
    journal = Path(f"{output}.{job.digest(plan)}.journal")
    kept = f"{journal} keeps the runs done: the same command resumes"
    try:
        rows = list(
            _with_bar(job.run_tasks(tasks, plan, journal, n_processes=jobs), len(tasks), quiet)
        )
    except KeyboardInterrupt:
        raise KeyboardInterrupt(kept) from None
    job.write_runs(rows, output)
    journal.unlink()
    found = Counter(row["status"] for row in rows)
    listed = ", ".join(f"{found[status]} {status}" for status in STATUSES if found[status])
    click.echo(f"{output}: {len(rows)} runs: {listed}")
    return NOT_ALL if any(found[status] for status in FAILURES) else OK


def _instances(source):
    """A table of instances, checked, from whatever `load` reads."""
    import pandas as pd

    from antdoku.puzzle.files import is_table, table_rows
    from antdoku.puzzle.forms import format_integers

    puzzles = load(source)
    (name, times), *_ = Counter(puzzle.name for puzzle in puzzles).most_common(1)
    if times > 1:
        raise InputError(f"{source}: {name} stands there twice: each instance needs its own name")
    is_file = os.path.lexists(source)
    family = Path(source).stem if is_file else "named" if source.startswith("named:") else "given"
    known = table_rows(source) if is_file and is_table(source) else repeat({})
    return pd.DataFrame(
        {
            "instance_id": puzzle.name,
            "family": str(row.get("family") or family),
            "order": puzzle.order,
            "fixed_fraction": _fraction(row.get("fixed_fraction"), puzzle),
            "puzzle": format_integers(puzzle),
        }
        for puzzle, row in zip(puzzles, known, strict=False)
    )


def _fraction(text, puzzle):
    """The nominal fixed fraction that a table says, else that of the puzzle."""
    try:
        number = puzzle.fixed_fraction if text in (None, "") else float(text)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{puzzle.name}: fixed_fraction {text!r}: must be a number")
    return number


def _with_bar(rows, total, quiet):
    """Yield `rows`, and show on a terminal how many there have been."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(elapsed_when_finished=True)
    console = Console(stderr=True)
    hidden = quiet or not console.is_terminal
    # The thread that draws it uses CPU time of the runs: 1 % at rich's ten times a second.
    options = {"transient": True, "disable": hidden, "refresh_per_second": 2}
    with Progress(*columns, console=console, **options) as bar:
        yield from bar.track(rows, total=total)


@cli.command(cls=_PuzzleCommand, epilog=PUZZLE_HELP)
@click.argument("puzzles", metavar="PUZZLE...", nargs=-1, required=True)
@click.option(
    "--limit",
    type=click.IntRange(1, MAX_STEPS),
    default=100,
    show_default=True,
    help="Stop at so many solutions and say 'at least'.",
)
@click.option(
    "--timeout",
    type=_Positive(),
    default=60.0,
    show_default=True,
    help="CPU seconds for one puzzle; what is not certain by then is said, with exit status 1.",
)
def count(puzzles, limit, timeout):
    """Count the solutions of puzzles exactly, up to a limit.

    \b
    Example:
      antdoku count named:sabuncu3
    """
    from antdoku.budget import Budget
    from antdoku.runs.run import warm_up
    from antdoku.solvers import dlx

    loaded = _load_all(puzzles)
    all_certain = True
    for puzzle in loaded:
        warm_up("dlx", puzzle.order, dlx.Params())  # not in its time
        found, certain = dlx.count(puzzle, limit, Budget(timeout))
        all_certain &= certain
        bound = "" if certain and found < limit else "at least "
        name = f"{one_line(puzzle.name)}: " if len(loaded) > 1 else ""
        click.echo(f"{name}{bound}{found}{'' if certain else ' (time is up)'}")
    return OK if all_certain else NOT_ALL


@cli.command(cls=_PuzzleCommand, epilog=PUZZLE_HELP)
@click.argument("puzzle")
@click.argument("solution")
def check(puzzle, solution):
    """Check whether SOLUTION is a solution of PUZZLE.

    Both are read alike, and may hold several, in the same order.

    \b
    Example:
      antdoku solve puzzles.txt > solutions.txt
      antdoku check puzzles.txt solutions.txt
    """
    from antdoku.puzzle.grid import Puzzle

    class Answer(Puzzle):
        """A grid that may break the rules: that is to be found out."""

        def _check_units(self):
            pass

    puzzles, answers = load(puzzle, what="PUZZLE"), load(solution, Answer, "SOLUTION")
    if len(puzzles) != len(answers):
        raise InputError(f"{len(answers)} grids for {len(puzzles)} puzzles: must be as many")
    for each, answer in zip(puzzles, answers, strict=True):
        if each.order != answer.order:
            orders = f"order {answer.order}, but its puzzle of order {each.order}"
            raise InputError(f"{answer.name}: a grid of {orders}")
    flaws = [_flaw(*pair) for pair in zip(puzzles, answers, strict=True)]
    for each, flaw in zip(puzzles, flaws, strict=True):
        answer = f"no: {flaw}" if flaw else "yes, a solution"
        click.echo(f"{one_line(each.name)}: {answer}" if len(puzzles) > 1 else answer)
    return NOT_ALL if any(flaws) else OK


def _flaw(puzzle, answer):
    """Return why `answer` is no solution of `puzzle`, None if it is one."""
    from antdoku.puzzle.grid import UNIT_KINDS, cell_name, is_solution, units

    values = answer.givens
    for cell, (given, value) in enumerate(zip(puzzle.givens, values, strict=True)):
        if value == 0:
            return f"{cell_name(cell, puzzle.size)} is blank"
        if given not in (0, value):
            return f"{cell_name(cell, puzzle.size)} is {value}, but {given} is given"
    for number, cells in enumerate(units(puzzle.order)):
        for value, times in Counter(values[cells].tolist()).items():
            if times > 1:
                first, second = (
                    cell_name(c, puzzle.size) for c in cells[values[cells] == value][:2]
                )
                unit = UNIT_KINDS[number // puzzle.size]
                return f"the {unit} of {first} and {second} has {value} twice"
    return None if is_solution(puzzle, values) else "it breaks the rules"


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="As a JSON array.")
def solvers(as_json):
    """List the solvers, with parameters, defaults and sources."""
    from antdoku import solvers as registry

    found = [_described(name, registry.get(name)) for name in registry.names()]
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    for solver in found:
        params = " ".join(f"{name}={value}" for name, value in solver["params"].items())
        click.echo(
            click.style(solver["name"], bold=True) + f"  {solver['title']}, {solver['kind']}"
        )
        click.echo(f"    parameters: {params or 'none'}")
        click.echo(f"    source: {solver['source']}")


def _described(name, module):
    reference = re.search(
        r"^References?: (.+?)(?:\n\n|\Z)", module.__doc__, re.DOTALL | re.MULTILINE
    )
    return {
        "name": name,
        "title": module.TITLE,
        "kind": module.KIND,
        "params": asdict(module.Params()),
        "source": " ".join(reference[1].split()) if reference else "",
    }


@cli.command()
@click.option("--kernel", "kernels", metavar="NAME", multiple=True, help="This alone; repeatable.")
@click.option("--repeats", type=click.IntRange(min=1), default=15, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a benchmark, a line each.")
def bench(kernels, repeats, as_json):
    """Measure the speed of the kernels: CPU time on one core, median of interleaved repeats.

    \b
    Examples:
      antdoku bench
      antdoku bench --kernel acs --kernel dlx --repeats 50 --json
    """
    from rich.console import Console

    from antdoku import bench

    chosen = bench.chosen(kernels)
    values = _with_bar(bench.interleaved(chosen, repeats), len(chosen) * repeats, quiet=False)
    found = bench.results(chosen, list(values))
    if as_json:
        for each in found:
            click.echo(json.dumps(bench.row(*each)))
    else:
        # What is not a terminal is as wide as it needs to be.
        Console(width=None if sys.stdout.isatty() else 150).print(bench.table(found))
