"""The folders of papers, checked before their experiments run.

A name that stands nowhere else would be left out in silence: a claim, a printed number or a figure
would be missing in the report.
"""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from antdoku import figures, papers, tables, yaml_files
from antdoku.claims import ledger
from antdoku.errors import InputError, unknown
from antdoku.papers import published, study

PROPAGATION = "cp"  # solver of printed numbers about the initial propagation alone
PROGRAMS = "programs"  # experiment of the runs of the authors' programs


def check(experiments: Iterable[str]) -> None:
    """Raise `InputError` for the first mistake in the folders of papers.

    These are the papers of `experiments`, and all papers outside of the package.
    """
    for paper in papers.every().values():
        is_shipped = paper.folder.parent == Path(__file__).parent
        if not is_shipped or {*experiments} & {*paper.experiments}:
            _check_looks(paper)
            _check_numbers(paper)
            _check_claims(paper)
            _check_tables(paper)


def _check(kind, name, names, file, *path):
    """Refuse a name that is not among `names`; it stands at a path of a YAML file."""
    if name not in names:
        raise yaml_files.mistake(unknown(kind, name, names), file, *path)


def _check_looks(paper):
    file = paper.folder / papers.FILE
    _check("edition", paper.work, ["", *papers.editions()], file, "work")
    for name, look in paper.variants.items():
        names = [name] if look.solver else papers.declared_variants(paper.folder)
        _check("variant", name, names, file, "variants", name)
        first = next(entry.name for entry in papers.every().values() if name in entry.variants)
        if first != paper.name:
            text = f"the paper {first} has this variant: its name must be another"
            raise yaml_files.mistake(text, file, "variants", name)


def _check_numbers(paper):
    """Check printed numbers and work, and solvers of numbers if the paper has experiments."""
    for file in paper.folder.glob(published.WORKS):
        published.read(file)
    solvers = [*papers.declared_variants(paper.folder), PROPAGATION]
    for file in paper.folder.glob(published.NUMBERS):
        numbers = published.with_variants(published.read(file))
        is_wrong = ~numbers["solver"].isin(solvers) & ~numbers["variant"].isin(solvers)
        for row in published.untested().itertuples():
            is_wrong &= ~published.is_named(numbers, row)
        for number, row in enumerate(numbers.itertuples()):
            place = str(file), number + published.FIRST_LINE
            if row.edition not in paper.editions:
                raise InputError(unknown("edition", row.edition, paper.editions), *place)
            if paper.experiments and is_wrong[number]:
                remedy = f"name numbers of other solvers in {published.UNTESTED}"
                raise InputError(unknown("solver", row.solver, solvers), *place, remedy)


def _check_claims(paper):
    file = paper.folder / ledger.LEDGER
    blocks = {}
    for experiments in papers.with_file(papers.EXPERIMENTS):
        blocks |= yaml_files.read(experiments)
    numbers = Counter()  # of claims so far, by edition
    for claim in ledger.load(file) if file.exists() else ():
        place = file, claim.paper, numbers[claim.paper], "runs"
        numbers[claim.paper] += 1
        name = claim.runs.get("experiment", PROGRAMS)
        if name != PROGRAMS:
            _check("experiment", name, blocks, *place, "experiment")
            for variant in claim.variants:
                _check("variant", variant, blocks[name]["variants"], *place, "variant")
            _check_point(claim.where, blocks[name].get("random"), place)


def _check_point(where, random, place):
    """Check orders and fixed fractions of a claim about the random instances of an experiment."""
    if not random or {"family", "instance_id"} & where.keys():
        return
    for key, keys in (("order", "orders"), ("fixed_fraction", "fixed_fractions")):
        points = [random, *random.get("more", [])]
        values = {f"{value:g}" for part in points for value in part.get(keys, [])}
        for value in where.get(key, []) if values else ():
            _check(key, f"{value:g}", sorted(values), *place, key)


def _check_tables(paper):
    """Check the names that tables, figures and the answer of a study need."""
    names = [name for name, entry in tables.every().items() if entry.paper == paper.name]
    for name in names:
        for rows in tables.get(name).rows:
            if rows.experiment not in {None, *papers.experiments()}:
                text = unknown("experiment", rows.experiment, papers.experiments())
                raise InputError(text, f"{paper.folder / 'tables.py'}: {name}")
    for name, entry in figures.every().items():
        if entry.paper == paper.name and not entry.puzzle:
            _check("table", entry.table, names, paper.folder / figures.FILE, name)
    for file in paper.folder.glob(study.FILE):
        for number, condition in enumerate(study.read(file).holds):
            _check("table", condition.table, tables.every(), file, "holds", number, "table")
