"""Check of the code of a paper, and of what it declares: tables, figures, conditions of a study."""

import ast
import inspect
import re
from functools import cache

import pyflakes.checker
import pyflakes.messages

from antdoku import figures, papers, tables, yaml_files
from antdoku.errors import InputError, unknown
from antdoku.papers import published, study
from antdoku.papers.checks.experiments import Experiment
from antdoku.yaml_files import check_name, check_texts, check_types, wrong_type

ON_EXAMPLE = ("givens", "solution", "before", "after")  # arrays of the example puzzle
# What printed numbers are in tables, by the unit of their columns.
IN_TABLES = {"share": "rates and shares are fractions", "s": "times are seconds"}
FIGURE = re.compile("[a-z][a-z0-9_]*")  # files have its name
EDITION_AT = {"summarise_at_work": 2, "open_markers": 3}  # which argument is an edition
OF_TYPE = {"str": str, "bool": bool}  # values of columns; other columns have numbers
LONGEST_CAPTION = 420  # of a table: it defines the columns, too


def check(paper: papers.Paper, experiments: dict[str, Experiment]) -> None:
    """Raise `InputError` for the first mistake in the tables, figures and study of a paper."""
    of_all = every_table()
    own = {name: entry for name, entry in of_all.items() if entry.paper == paper.name}
    _check_figures(paper, of_all, own)
    for part in (_check_signature, _check_table):
        for entry in own.values():
            part(entry, experiments)
    for file in paper.folder.glob(study.FILE):
        content = study.read(file)
        check_types(content, file)
        check_texts({"question": content.question}, file)
        for number, condition in enumerate(content.holds):
            _check_condition(condition, of_all, file, "holds", number)


def _check_condition(condition, of_all, *place):
    """Refuse a condition that cannot be tested on its table, or that says nothing."""
    check_types(condition, *place)
    check_name("table", condition.table, of_all, *place, "table")
    columns = of_all[condition.table].columns
    for key, names in (("column", [condition.column]), ("where", condition.where)):
        for name in names:
            check_name("column", name, columns, *place, key)
    if columns[condition.column].dtype == "str":
        raise yaml_files.mistake("has texts: name a column of numbers", *place, "column")
    for name, value in condition.where.items():
        kind = OF_TYPE.get(columns[name].dtype, (int, float))
        if not isinstance(value, kind):
            text = f"{value!r}: the type of this column is {columns[name].dtype}"
            raise yaml_files.mistake(text, *place, "where", name)
    if condition.above == float("-inf") and condition.below == float("inf"):
        raise yaml_files.mistake("needs above or below", *place)


def every_table() -> dict[str, tables.registry.Table]:
    """Return all tables by name; refuse one with a value of a wrong type."""
    for table in tables.every().values():
        if mistake := wrong_type(table):
            keys, text = mistake
            place = papers.place_of(table.name, table.make)
            raise InputError(f"{'.'.join(map(str, keys))}: {text}", place)
    return tables.every()


def _check_signature(table, _):
    """Refuse a function that does not take runs."""
    try:
        signature = inspect.signature(inspect.unwrap(table.make))
        signature.bind(*(["thresholds", "runs"] if table.thresholds else ["runs"]))
    except TypeError as error:
        place = papers.place_of(table.name, table.make)
        raise InputError(f"must take runs: {error}", place) from None


def _check_table(table, experiments):
    """Check code, experiments, columns, group, heading and caption of a table."""
    place = papers.place_of(table.name, table.make)
    _check_code(inspect.unwrap(table.make), place)
    for column in table.columns.values():
        _check_printed(column, place)
    for kind, value, names in _names_of(table, experiments):
        if value not in names:
            raise InputError(unknown(kind, value, names), place)
    for name, column in table.columns.items():
        _check_unit(name, column, place)
    figure = figures.every().get(table.name)
    if figure and figure.paper != table.paper:
        raise InputError("there is a figure of this name", place, remedy="rename the table")
    is_alone = table.name not in figures.every()  # else it stands below the caption of the figure
    has_texts = table.heading.strip() and 0 < len(table.caption.strip()) <= LONGEST_CAPTION
    if is_alone and not has_texts:
        text = f"needs a heading, and a caption of up to {LONGEST_CAPTION} characters"
        raise InputError(text, place, remedy='add heading="...", caption="..." to @table')


def _names_of(table, experiments):
    """Yield each name on which a table depends: kind, name and the names of this kind."""
    for rows in table.rows:
        if rows.experiment is not None:
            yield "experiment", rows.experiment, papers.experiments()
            if rows.order is not None:
                entry = experiments.get(rows.experiment)
                points = entry.points if entry else ()
                points = [point for point in points if rows.random in (None, not point.family)]
                yield "order", rows.order, {point.order: None for point in points}
    numbers = published.results()
    for column in table.columns.values():
        if column.edition:
            yield "edition", column.edition, papers.editions()
        if column.metric:
            metrics = numbers.loc[numbers["edition"] == column.edition, "metric"].unique()
            yield f"metric of {published.NUMBERS}", column.metric, [*metrics]
    yield "group", table.group, papers.groups()


def _check_printed(column, place):
    """Refuse a column of printed numbers if the paper of their edition has no file of them."""
    owners = [paper for paper in papers.every().values() if column.edition in paper.editions]
    if column.metric and owners and not (owners[0].folder / published.NUMBERS).exists():
        file = owners[0].folder / published.NUMBERS
        raise InputError(f"shows numbers of the file {file}, which is missing", place)


def _check_unit(name, column, place):
    """Refuse a column of printed numbers that has not the unit of `published.values`."""
    rows = published.rows(published.NUMBERS)
    printed = [row for row in rows if (row.edition, row.metric) == (column.edition, column.metric)]
    for unit in (published.UNIT_OF_COLUMN.get(row.unit) for row in printed):
        if unit and column.unit != unit:
            text = f"{name} has the unit {column.unit!r}, but printed {IN_TABLES[unit]}"
            raise InputError(text, place, remedy=f'write "{unit}"')


def _check_figures(paper, of_all, own):
    """Check names, tables, groups, captions and functions of the figures in `figures.yaml`.

    The report shows a figure with the table of its name, so no other paper may have that table.
    """
    file, draws = paper.folder / figures.FILE, {}
    code = paper.folder / "figures.py"
    if code.exists() and not file.exists():
        text = f"nothing draws its figures: there is no {figures.FILE}"
        raise InputError(text, str(code), remedy=f"declare them in {figures.FILE}")
    for name, entry in figures.every().items():
        if entry.paper != paper.name:
            continue
        check_types(entry, file, name)
        check_texts({"caption": entry.caption, "title": entry.title}, file, name)
        if not FIGURE.fullmatch(name):
            text = "a name must be of a-z, 0-9 and _, with a letter first"
            raise yaml_files.mistake(text, file, name)
        if name in of_all and name not in own:
            text = "there is a table of this name; rename the figure"
            raise yaml_files.mistake(text, file, name)
        for array in entry.puzzle:
            check_name("array", array, ON_EXAMPLE, file, name, "puzzle")
        if not entry.puzzle:
            check_name("table", entry.table, own, file, name, "table")
        check_name("group", entry.group, papers.groups(), file, name, "group")
        if len(entry.caption) > figures.LONGEST_CAPTION:
            text = f"{len(entry.caption)} characters: {figures.LONGEST_CAPTION} at most"
            raise yaml_files.mistake(text, file, name, "caption")
        draws[name] = figures.function(entry)
    for name, draw in draws.items():
        _check_code(inspect.unwrap(draw), papers.place_of(name, draw))


def _check_code(function, place):
    """Refuse a function that returns nothing, and a name in its module that nothing defines."""
    tree = _checked_tree(inspect.getmodule(function))
    for node in tree.body:
        if getattr(node, "name", "") == function.__name__ and not _has_result(node):
            raise InputError("returns nothing: it needs a return", place)


@cache
def _checked_tree(module):
    """Return the syntax tree of a module, in which all names are defined."""
    file, tree = module.__file__, ast.parse(inspect.getsource(module))
    for message in pyflakes.checker.Checker(tree, file).messages:
        if isinstance(message, pyflakes.messages.UndefinedName):
            (name,) = message.message_args
            raise InputError(unknown("name", name, _public(vars(module))), file, message.lineno)
    _check_attributes(tree, module)
    _check_editions(tree, file)
    return tree


def _check_attributes(tree, module):
    """Refuse a name that a module of the package lacks: ``summary.sumarise``."""
    nodes = [*ast.walk(tree)]
    bound = {node.arg for node in nodes if isinstance(node, ast.arg)}
    bound |= {
        node.id
        for node in nodes
        if isinstance(getattr(node, "ctx", None), ast.Store) and isinstance(node, ast.Name)
    }
    ours = {
        name: part
        for name, part in vars(module).items()
        if inspect.ismodule(part) and part.__name__.startswith("antdoku.") and name not in bound
    }
    for node in nodes:
        part = ours.get(getattr(getattr(node, "value", None), "id", None))
        if isinstance(node, ast.Attribute) and part and not hasattr(part, node.attr):
            text = unknown(f"name of {node.value.id}", node.attr, _public(dir(part)))
            raise InputError(text, module.__file__, node.lineno)


def _check_editions(tree, file):
    """Refuse the name of an edition that no paper has, where a function is called with it."""
    for node in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        at = EDITION_AT.get(getattr(node.func, "attr", getattr(node.func, "id", "")))
        name = getattr(node.args[at], "value", "") if at and at < len(node.args) else ""
        if isinstance(name, str) and name and name not in papers.editions():
            raise InputError(unknown("edition", name, papers.editions()), file, node.lineno)


def _public(names):
    """Return names, sorted, without those of Python itself."""
    return sorted(name for name in names if not name.startswith("__"))


def _has_result(function):
    values = [part.value for part in ast.walk(function) if isinstance(part, ast.Return | ast.Yield)]
    return any(value and getattr(value, "value", value) is not None for value in values)
