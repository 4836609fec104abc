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
        if is_shipped and not {*experiments} & {*paper.experiments}:
            continue
        _check_looks(paper)
        _check_numbers(paper)
        _check_claims(paper)
        _check_tables(paper)
        _check_figures(paper)
        _check_study(paper)


def _variants():
    """Return the names of the variants of each experiment of all papers."""
    files = papers.with_file(papers.EXPERIMENTS)
    blocks = [item for file in files for item in yaml_files.read(file).items()]
    return {name: list(block.get("variants") or ()) for name, block in blocks}


def _check_looks(paper):
    file = paper.folder / papers.FILE
    for name, look in paper.variants.items():
        if not look.solver:
            known = papers.declared_variants(paper.folder)
            raise yaml_files.mistake(unknown("variant", name, known), file, "variants", name)
        first = next(other for other in papers.every().values() if name in other.variants)
        if first.name != paper.name:
            text = f"the paper {first.name} has this variant: its name must be another"
            raise yaml_files.mistake(text, file, "variants", name)
    if paper.work and paper.work not in papers.editions():
        raise yaml_files.mistake(unknown("edition", paper.work, papers.editions()), file, "work")


def _check_numbers(paper):
    """Check the editions of printed numbers, and their solvers if the paper has experiments."""
    for name in (published.NUMBERS, published.WORKS):
        for file in paper.folder.glob(name):
            for number, edition in enumerate(published.read(file)["edition"]):
                if edition not in paper.editions:
                    text = unknown("edition", edition, paper.editions)
                    raise InputError(text, str(file), published.line(number))
    known = {*papers.declared_variants(paper.folder), PROPAGATION}
    for file in paper.folder.glob(published.NUMBERS) if paper.experiments else ():
        numbers = published.read(file)
        without_run = published.with_variants(numbers)[~numbers["solver"].isin(known)]
        for row in published.untested().itertuples():
            without_run = without_run[~published.is_named(without_run, row)]
        for number, row in without_run[~without_run["variant"].isin(known)].iterrows():
            remedy = f"a solver that does not run here stands in {published.UNTESTED}"
            text = unknown("solver", row["solver"], sorted(known))
            raise InputError(text, str(file), published.line(number), remedy)


def _check_claims(paper):
    file = paper.folder / ledger.LEDGER
    experiments = _variants()
    numbers = Counter()  # of claims so far, by edition
    for claim in ledger.load(file) if file.exists() else ():
        place = claim.paper, numbers[claim.paper], "runs"
        numbers[claim.paper] += 1
        name = claim.runs.get("experiment", PROGRAMS)
        if name == PROGRAMS:
            continue
        if name not in experiments:
            text = unknown("experiment", name, experiments)
            raise yaml_files.mistake(f"{claim.id}: {text}", file, *place, "experiment")
        for variant in claim.variants:
            if variant not in experiments[name]:
                text = unknown("variant", variant, experiments[name])
                raise yaml_files.mistake(f"{claim.id}: {text}", file, *place, "variant")


def _check_tables(paper):
    """Check the experiments of tables, and the editions and metrics of their printed numbers."""
    numbers = published.results()
    for entry in tables.every().values():
        if entry.paper != paper.name:
            continue
        place = f"{paper.folder / 'tables.py'}: {entry.name}"
        for rows in entry.rows:
            if rows.experiment and rows.experiment not in papers.experiments():
                raise InputError(
                    unknown("experiment", rows.experiment, papers.experiments()), place
                )
        for column in entry.columns.values():
            metrics = numbers.loc[numbers["edition"] == column.edition, "metric"].unique()
            if column.edition not in {"", *papers.editions()}:
                raise InputError(unknown("edition", column.edition, papers.editions()), place)
            if column.metric and column.metric not in metrics:
                raise InputError(unknown("metric", column.metric, metrics), place)


def _check_figures(paper):
    file = paper.folder / figures.FILE
    known = [name for name, entry in tables.every().items() if entry.paper == paper.name]
    for name, entry in figures.every().items():
        if entry.paper == paper.name and not entry.puzzle and entry.table not in known:
            raise yaml_files.mistake(unknown("table", entry.table, known), file, name)


def _check_study(paper):
    for file in paper.folder.glob(study.FILE):
        for number, condition in enumerate(study.read(file).holds):
            if condition.table not in tables.every():
                text = unknown("table", condition.table, tables.every())
                raise yaml_files.mistake(text, file, "holds", number, "table")
