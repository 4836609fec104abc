"""The folders of papers, checked before their experiments run.

A name that stands nowhere else would be left out in silence: a claim, a printed number or a figure
would be missing in the report. A module checks one kind of file each.
"""

from collections.abc import Iterable
from difflib import get_close_matches

from antdoku import figures, papers, tables
from antdoku.claims import ledger
from antdoku.errors import InputError
from antdoku.papers import study
from antdoku.papers.checks import claims, code, description, experiments, numbers
from antdoku.papers.rows import FILES

NAMES = (papers.FILE, papers.EXPERIMENTS, papers.MUTANTS, ledger.LEDGER, ledger.READINGS, *FILES)
NAMES += (tables.FILE, figures.FILE, "figures.py", study.FILE, "deviations.md")


def check(names: Iterable[str]) -> None:
    """Raise `InputError` for the first mistake in the folders of papers.

    These are the papers of the experiments `names`, and all papers outside of the package.
    """
    for paper in sorted(papers.every().values(), key=lambda paper: paper.is_shipped):
        if not paper.is_shipped or {*names} & {*paper.experiments}:
            check_folder(paper)


def check_folder(paper: papers.Paper) -> None:
    """Raise `InputError` for the first mistake in the folder of a paper."""
    _check_files(paper)
    numbers.check_editions(paper)
    of_all = experiments.every()
    for part in (description, numbers, claims, code):
        part.check(paper, of_all)


def _check_files(paper):
    """Refuse a file whose name is nearly a name that would be read."""
    names = [file.name for file in paper.folder.iterdir()]
    for name in names:
        is_of_editor = name[0] in ".#" or name.endswith("~")
        similar = [] if is_of_editor else get_close_matches(name, NAMES, n=1, cutoff=0.9)
        is_helper = name.endswith(".py") and {*similar} <= {*names}
        if similar and name not in NAMES and not is_helper:
            text = f"nothing reads it: did you mean {similar[0]}?"
            raise InputError(text, str(paper.folder / name))
