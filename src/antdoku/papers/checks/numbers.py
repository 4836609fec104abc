"""Check of the CSV files of a paper: editions, and that something reads each printed number."""

from difflib import get_close_matches

from antdoku import papers
from antdoku.claims import SUCCESS, ledger, numbers
from antdoku.errors import InputError, unknown
from antdoku.papers import published
from antdoku.papers.checks.code import every_table
from antdoku.papers.checks.experiments import Experiment, of_paper
from antdoku.papers.rows import FILES, Untested

PROPAGATION = "cp"  # solver of printed numbers about the initial propagation alone
IN_CHARTS = (SUCCESS, numbers.MEAN_TIME)
ROUNDING = 0.011  # of a fixed fraction in print
UNTESTED = f"name numbers that no run tests in {published.UNTESTED}"


def check_editions(paper: papers.Paper) -> None:
    """Raise `InputError` for the first row of an unknown edition, or of no printed number."""
    of_all = published.rows(published.NUMBERS)
    for row, place in _rows(paper, *FILES):
        if row.edition not in paper.editions:
            raise InputError(unknown("edition", row.edition, paper.editions), *place)
        is_untested = isinstance(row, Untested) and row.item
        if is_untested and not any(map(row.names, of_all)):
            raise InputError(f"{published.NUMBERS} has no such row", *place)


def check(paper: papers.Paper, experiments: dict[str, Experiment]) -> None:
    """Raise `InputError` for the first printed number that nothing reads, or that no run tests."""
    blocks, untested = of_paper(paper, experiments), published.rows(published.UNTESTED)
    metrics = {edition: _metrics(edition, every_table()) for edition in paper.editions}
    solvers = dict.fromkeys(solver for entry in blocks for solver in entry.solvers.values())
    for row, place in _rows(paper, *[published.WORKS] * bool(solvers)):
        if row.solver not in solvers:
            raise InputError(unknown("solver", row.solver, solvers), *place)
    for row, place in _rows(paper, published.NUMBERS):
        if any(entry.names(row) for entry in untested):
            continue
        try:
            _check_metric(row, metrics[row.edition])
            if paper.experiments:
                _check_runs(row, blocks, paper)
        except InputError as error:
            raise error.at(*place) from None


def _rows(paper, *files):
    """Yield the rows of files of a paper, each with its file and line."""
    for file in (file for name in files for file in paper.folder.glob(name)):
        for line, row in published.read(file).items():
            yield row, (str(file), line)


def _metrics(edition, tables):
    """Return the metrics of an edition that a chart, a claim or a table reads."""
    columns = [column for entry in tables.values() for column in entry.columns.values()]
    metrics = [column.metric for column in columns if column.edition == edition]
    claims = [claim for claim in ledger.load() if claim.paper == edition]
    metrics += [entry.metric for claim in claims for entry in numbers.printed(claim)]
    return dict.fromkeys([*IN_CHARTS, *filter(None, metrics)])


def _check_metric(number, metrics):
    if number.metric not in metrics:
        remedy = f"name it in a column of a table (printed), or in {published.UNTESTED}"
        raise InputError(unknown("metric", number.metric, metrics), remedy=remedy)


def _check_runs(number, blocks, paper):
    """Refuse a printed number without a run of its variant at its place."""
    is_random = number.instance == published.GENERAL
    ours = [entry for entry in blocks if entry.runs(number.variant)]
    ours = blocks if number.solver == PROPAGATION else ours
    if not ours:
        variants = dict.fromkeys(name for entry in blocks for name in entry.variants)
        kind = "variant" if number.iterations else "solver"
        raise InputError(unknown(kind, number.variant, variants), remedy=UNTESTED)
    points = [point for entry in ours for point in entry.points if is_random != bool(point.family)]
    if paper.is_shipped and not is_random and not _is_misspelt(number.instance, points, paper):
        return  # the tables of papers of the package have names of their own for puzzles
    of_order = [point for point in points if point.order == number.order]
    orders = [point.order for point in points]
    if is_random:
        if number.fixed_fraction is None:
            raise InputError("fixed_fraction: is missing", remedy=UNTESTED)
        _check_place("order", number.order, orders, number)
        fractions = [point.fixed_fraction for point in of_order]
        _check_place("fixed_fraction", number.fixed_fraction, fractions, number)
    else:  # the instance first: a misspelt "general" looks like a puzzle of another order
        _check_place("instance", number.instance, _titles(points, paper), number)
        _check_place("order", number.order, orders, number)
        _check_place("instance", number.instance, _titles(of_order, paper), number)
        for entry in ours if number.fixed_fraction is not None else ():
            _check_fraction(number, entry.fractions, paper)


def _is_misspelt(instance, points, paper):
    """Whether the name of a puzzle is nearly another one's, and none itself."""
    titles = _titles(points, paper)
    return instance not in titles and bool(get_close_matches(instance, titles, cutoff=0.7))


def _check_fraction(number, fractions, paper):
    """Refuse another fixed fraction than that of the puzzle."""
    for name, fraction in fractions.items():
        is_its = paper.puzzles.get(name, name) == number.instance
        if is_its and abs(fraction - number.fixed_fraction) > ROUNDING:
            text = f"fixed_fraction: {number.fixed_fraction:g}, but {number.instance} has "
            raise InputError(f"{text}{fraction:.2f}", remedy="correct it, or leave it empty")


def _titles(points, paper):
    """Return the names in the paper of given puzzles and their families, and of all of them."""
    puzzles = [name for point in points for name in (point.family, point.instance_id)]
    return [published.GENERAL, *(paper.puzzles.get(name, name) for name in puzzles)]


def _check_place(column, value, values, number):
    if value not in values:
        text = unknown(f"{column} of {number.variant}", value, dict.fromkeys(values))
        raise InputError(text, remedy=UNTESTED)
