"""The folders of papers, checked before their experiments run.

A name that stands nowhere else would be left out in silence: a claim, a printed number or a figure
would be missing in the report.
"""

import inspect
from collections import Counter
from collections.abc import Iterable
from difflib import get_close_matches
from itertools import product, starmap
from typing import NamedTuple

import attrs
from pydantic import ConfigDict, TypeAdapter, ValidationError

from antdoku import figures, papers, tables, yaml_files
from antdoku.claims import ledger
from antdoku.errors import InputError, unknown
from antdoku.instances.family import instance_names
from antdoku.instances.given import given_puzzles
from antdoku.papers import published, study
from antdoku.papers.rows import FILES

PROPAGATION = "cp"  # solver of printed numbers about the initial propagation alone
PROGRAMS = "programs"  # experiment of the runs of the authors' programs
MARKERS = [*"ov^<>8sp*hHDdPX"]  # of Matplotlib, with an inside
LINES = ("dashed", "dashdot")
ON_EXAMPLE = ("givens", "solution", "before", "after")  # arrays of the example puzzle
NAMES = (papers.FILE, papers.EXPERIMENTS, papers.MUTANTS, ledger.LEDGER, ledger.READINGS, *FILES)
NAMES += (tables.FILE, figures.FILE, "figures.py", study.FILE, "deviations.md")
LONGEST_CAPTION = 420  # of a table: it defines the columns, too
TYPES = ConfigDict(strict=True, arbitrary_types_allowed=True)


def check(experiments: Iterable[str]) -> None:
    """Raise `InputError` for the first mistake in the folders of papers.

    These are the papers of `experiments`, and all papers outside of the package.
    """
    for paper in sorted(papers.every().values(), key=lambda paper: paper.is_shipped):
        if not paper.is_shipped or {*experiments} & {*paper.experiments}:
            check_folder(paper)


def check_folder(paper: papers.Paper) -> None:
    """Raise `InputError` for the first mistake in the folder of a paper."""
    _check_files(paper)
    _check_names(paper)
    _check_looks(paper)
    _check_numbers(paper)
    _check_claims(paper)
    _check_readings(paper)
    _check_figures(paper)
    _check_tables(paper)
    _check_study(paper)


def _check(kind, name, names, file, *path):
    """Refuse a name that is not among `names`; it stands at a path of a YAML file."""
    if name not in names:
        raise yaml_files.mistake(unknown(kind, name, names), file, *path)


def _declared(name, variants):
    """Return the name under which a variant is declared: variants of a grid are ``NAME__VALUE``."""
    return name if name in variants else name.partition("__")[0]


def _check_types(entry, file, *path):
    """Refuse keys of a YAML file whose values have another type than the attributes of `entry`."""
    for part in attrs.fields(type(entry)):
        kind = TypeAdapter(part.type, config=TYPES)
        try:
            kind.validate_python(getattr(entry, part.name))
        except ValidationError as error:
            keys, text = yaml_files.first_mistake(error)
            raise yaml_files.mistake(text, file, *path, part.name, *keys) from None


def _check_files(paper):
    """Refuse a file whose name is nearly a name that would be read."""
    for file in paper.folder.iterdir():
        is_ours = file.suffix != ".py" and file.name[0] not in ".#"  # no helper, nor of an editor
        similar = get_close_matches(file.name, NAMES, n=1, cutoff=0.9) if is_ours else ()
        if similar and file.name not in NAMES and not file.name.endswith("~"):
            raise InputError(f"nothing reads it: did you mean {similar[0]}?", str(file))


def _check_names(paper):
    """Check the names that only one paper has, its experiments, and the edition of its work."""
    file, blocks = paper.folder / papers.FILE, paper.folder / papers.EXPERIMENTS
    _check_types(paper, file)
    for key in ("editions", "experiments", "variants"):
        for entry in papers.every().values():
            for name in getattr(paper, key) if entry.name != paper.name else ():
                if name in getattr(entry, key):
                    text = f"the paper {entry.name} has this name: choose another"
                    raise yaml_files.mistake(text, file, key, name)
    for name in yaml_files.read(blocks) if blocks.exists() else ():
        _check("experiment", name, paper.experiments, blocks, name)
    for name in paper.puzzles:
        puzzles = [
            entry for point in _own_points(paper) for entry in (point.family, point.instance_id)
        ]
        _check("puzzle", name, dict.fromkeys(filter(None, puzzles)), file, "puzzles", name)
    if paper.work:
        _check("edition", paper.work, papers.editions(), file, "work")
        if paper.work not in published.with_work():
            raise yaml_files.mistake(f"no {published.WORKS} has this edition", file, "work")


def _check_looks(paper):
    file, variants = paper.folder / papers.FILE, papers.declared_variants(paper.folder)
    for key in ("published_looks", "variants"):
        owners = {}  # of labels and colours
        for name, look in getattr(paper, key).items():
            if key == "published_looks":
                _check("edition", name, paper.editions, file, key, name)
            if look.edition:
                _check("edition", look.edition, published.with_work(), file, key, name, "edition")
            if not papers.COLOR.fullmatch(str(look.color)):
                raise yaml_files.mistake(papers.COLOR_RULE, file, key, name, "color")
            _check_types(look, file, key, name)
            if key == "variants" and not look.solver:
                _check("variant", _declared(name, variants), variants, file, key, name)
            for part in ("label", "color"):
                value = getattr(look, part)
                if value and value in owners:
                    text = f"{owners[value]} has the {part} {value!r}, too"
                    raise yaml_files.mistake(text, file, key, name, part)
                owners[value] = name
            if not look.label.strip():
                raise yaml_files.mistake("is empty", file, key, name, "label")
            for part, names in (("marker", MARKERS), ("line", LINES)):
                if value := getattr(look, part):
                    _check(part, value, names, file, key, name, part)


def _check_numbers(paper):
    """Check editions in CSV files, what an untested number names, and the runs of the others."""
    numbers, untested = (published.rows(file) for file in (published.NUMBERS, published.UNTESTED))
    variants, places = papers.declared_variants(paper.folder), _places(paper)
    for file in (file for name in FILES for file in paper.folder.glob(name)):
        for line, row in published.read(file).items():
            try:
                if row.edition not in paper.editions:
                    raise InputError(unknown("edition", row.edition, paper.editions))
                if (
                    file.name == published.UNTESTED
                    and row.item
                    and not any(map(row.names, numbers))
                ):
                    raise InputError(f"{published.NUMBERS} has no such row")
                is_run = file.name == published.NUMBERS and paper.experiments
                if is_run and not any(entry.names(row) for entry in untested):
                    _check_runs(row, variants, places, paper.is_shipped)
            except InputError as error:
                raise error.at(str(file), line) from None


def _check_runs(number, variants, places, is_shipped):
    """Refuse a printed number without a variant, or without a run at its place."""
    remedy = f"name numbers that no run tests in {published.UNTESTED}"
    names = {_declared(name, variants) for name in (number.solver, number.variant)}
    if not names & {*variants, PROPAGATION}:
        raise InputError(unknown("solver", number.solver, variants), remedy=remedy)
    is_random = number.instance == published.GENERAL
    if is_shipped and not is_random:
        return  # the tables of papers of the package have names of their own for puzzles
    place = number.order, number.fixed_fraction if is_random else number.instance
    if place not in places:
        raise InputError("no run is at order {}, {}".format(*place), remedy=remedy)


def _places(paper):
    """Return orders with a fixed fraction, or with the paper's name of a puzzle or family."""
    return {
        (point.order, paper.puzzles.get(name, name))
        for point in _own_points(paper)
        for name in (point.fixed_fraction, point.family, point.instance_id)
        if name is not None
    }


def _own_points(paper):
    blocks = _blocks()
    return [point for name in paper.experiments for point in _points(name, blocks)]


class Point(NamedTuple):
    """A point of an experiment: of random instances, or a given puzzle."""

    order: int
    fixed_fraction: float | None = None
    family: str | None = None
    instance_id: str | None = None


def _blocks():
    """Return the experiments of all papers as their files have them, by name."""
    blocks = {}
    for file in papers.with_file(papers.EXPERIMENTS):
        blocks |= yaml_files.read(file)
    return blocks


def _points(experiment, blocks):
    """Return the points of an experiment: the random ones, and each given puzzle."""
    block, folder = blocks.get(experiment, {}), papers.of_experiment(experiment).folder
    try:
        random = block.get("random") or {"orders": [], "fixed_fractions": []}
        points = [*starmap(Point, product(random["orders"], random["fixed_fractions"]))]
        for family, keys in (block.get("puzzles") or {}).items():
            puzzles = _puzzles(family, keys, folder)
            points += [Point(order, None, family, name) for name, order in puzzles.items()]
    except (AttributeError, KeyError, TypeError):
        remedy = "run it, which names its mistake"
        raise InputError(
            "is no experiment", f"{folder / papers.EXPERIMENTS}: {experiment}", remedy=remedy
        ) from None
    return points


def _puzzles(family, keys, folder):
    """Return the orders of the puzzles of a family by their names."""
    if unique := keys.get("unique"):
        return dict.fromkeys(instance_names(family, unique["count"]), unique["order"])
    file = folder / keys["from"]
    puzzles = given_puzzles(str(file) if file.exists() else keys["from"])
    return {puzzle.name: puzzle.order for puzzle in puzzles}


def _check_claims(paper):
    file, blocks = paper.folder / ledger.LEDGER, _blocks()
    claims = ledger.load(file) if file.exists() else []
    names = {claim.runs.get("experiment") for claim in claims} & blocks.keys()
    points = {name: _points(name, blocks) for name in names}
    numbers = Counter()  # of claims so far, by edition
    for claim in claims:
        _check("edition", claim.paper, paper.editions, file, claim.paper)
        place = file, claim.paper, numbers[claim.paper], "runs"
        numbers[claim.paper] += 1
        name = claim.runs.get("experiment", PROGRAMS)
        if name != PROGRAMS:
            _check("experiment", name, blocks, *place, "experiment")
            for variant in claim.variants:
                variants = blocks[name]["variants"]
                _check("variant", _declared(variant, variants), variants, *place, "variant")
            _check_point(claim.where, points[name], place)
            _check_speed(claim, points[name], place)
    if not paper.is_shipped:
        ledger.load()  # no other paper has a claim of the same name


def _check_point(where, points, place):
    """Check the values of a claim: random instances, or families and instances of puzzles."""
    is_random = not {"family", "instance_id"} & where.keys()
    points = [point for point in points if is_random != bool(point.family)]
    for key in ("family", "instance_id", "order", *["fixed_fraction"] * is_random):
        names = {getattr(point, key): None for point in points}
        for value in where.get(key, ()):
            _check(key, value, names, *place, key)


def _check_speed(claim, points, place):
    """Refuse a program whose speed is not known at a point of the runs of a claim."""
    program, where = claim.expect.get("program"), claim.where
    variants = papers.declared_variants(papers.of_experiment(claim.runs["experiment"]).folder)
    names = [name for name in claim.variants if program and _declared(name, variants) in variants]
    for point, name in product(points, names):
        is_about = all(
            not where.get(key) or getattr(point, key) in where[key] for key in Point._fields
        )
        solver = variants[_declared(name, variants)]["solver"]
        if is_about and published.work(program, solver, point.order, point.fixed_fraction) is None:
            text = f"{program} has no work of {name} at order {point.order}"
            remedy = f"write it to {published.WORKS}"
            raise yaml_files.mistake(f"{text}; {remedy}", *place[:3], "test")


def _check_readings(paper):
    """Check the claims, the variants and the experiments of readings."""
    file, blocks, claims = paper.folder / ledger.READINGS, _blocks(), ledger.load()
    experiments = [name for name in paper.experiments if name in blocks]
    for edition in yaml_files.read(file) if file.exists() else ():
        _check("edition", edition, paper.editions, file, edition)
    variants = [name for experiment in experiments for name in blocks[experiment]["variants"]]
    variants += [name for name in paper.variants if name not in variants]
    for edition in paper.editions:
        for reading in ledger.readings().get(edition, ()):
            place = file, edition, reading.name
            for name in (*reading.variants, *reading.variants.values()):
                variant = _declared(name, variants)
                _check("variant", variant, variants, *place, "variants", name)
            for name in (*reading.experiments, *reading.experiments.values()):
                _check("experiment", name, experiments, *place, "experiments", name)
            if not any(claim.under(reading) for claim in claims if claim.paper == edition):
                text = "no claim is about its variants or experiments"
                raise yaml_files.mistake(text, *place)


def _check_tables(paper):
    """Check experiments, printed numbers, group and caption of the tables in `tables.py`."""
    file, blocks = str(paper.folder / tables.FILE), _blocks()
    for name, entry in tables.every().items():
        if entry.paper != paper.name:
            continue
        make = inspect.unwrap(entry.make)
        place = f"{file}:{make.__code__.co_firstlineno}: {name}"
        try:
            inspect.signature(make).bind(*["runs"] * (1 + (entry.source != tables.RUNS)))
        except TypeError as error:
            raise InputError(f"must take runs: {error}", place) from None
        for kind, value, names in _names_of(entry, blocks):
            if value not in names:
                raise InputError(unknown(kind, value, names), place)
        is_alone = name not in figures.every()  # else it stands below the caption of the figure
        if is_alone and not 0 < len(entry.caption) <= LONGEST_CAPTION:
            text = f"needs a caption of up to {LONGEST_CAPTION} characters"
            raise InputError(text, place, remedy='add heading="...", caption="..." to @table')


def _names_of(table, blocks):
    """Yield each name on which a table depends: kind, name and the names of this kind."""
    for rows in table.rows:
        if rows.experiment is not None:
            yield "experiment", rows.experiment, papers.experiments()
            if rows.order is not None:
                points = _points(rows.experiment, blocks)
                points = [point for point in points if rows.random in (None, not point.family)]
                yield "order", rows.order, {point.order: None for point in points}
    numbers = published.results()
    for column in table.columns.values():
        if column.edition:
            yield "edition", column.edition, papers.editions()
        if column.metric:
            metrics = numbers.loc[numbers["edition"] == column.edition, "metric"].unique()
            yield "metric", column.metric, [*metrics]
    yield "group", table.group, papers.groups()


def _check_figures(paper):
    """Check tables, groups, captions and functions of the figures in `figures.yaml`."""
    file = paper.folder / figures.FILE
    names = [name for name, entry in tables.every().items() if entry.paper == paper.name]
    for name, entry in figures.every().items():
        if entry.paper != paper.name:
            continue
        for array in entry.puzzle:
            _check("array", array, ON_EXAMPLE, file, name, "puzzle")
        if not entry.puzzle:
            _check("table", entry.table, names, file, name, "table")
        _check("group", entry.group, papers.groups(), file, name, "group")
        if len(entry.caption) > figures.LONGEST_CAPTION:
            text = f"{len(entry.caption)} characters: {figures.LONGEST_CAPTION} at most"
            raise yaml_files.mistake(text, file, name, "caption")
        if not paper.is_shipped:  # the import of Matplotlib takes long
            figures.function(entry)


def _check_study(paper):
    """Check the tables that the answer of a study needs."""
    for file in paper.folder.glob(study.FILE):
        for number, condition in enumerate(study.read(file).holds):
            _check("table", condition.table, tables.every(), file, "holds", number, "table")
