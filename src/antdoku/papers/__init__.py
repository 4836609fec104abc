"""The papers, one folder each: the listing is the registry.

A folder holds `paper.yaml`, which says what the paper is, and what else there is of it: numbers
that it prints (`published.csv`), the work behind its limits (`work.csv`), the experiments as we run
them (`experiment.yaml`), its claims (`claims.yaml`), tables and figures of its own (`tables.py`,
`figures.py`), and where we deviate (`deviations.md`). Nothing outside of a folder knows it by name.
Folders elsewhere are papers too, if the environment variable `ANTDOKU_PAPERS` names the folders
that they are in.
"""

import os
from functools import cache
from importlib import import_module
from pathlib import Path

from attrs import field, frozen

from antdoku.errors import InputError, one_line, unknown

FILE = "paper.yaml"
ELSEWHERE = "ANTDOKU_PAPERS"

__path__ += filter(None, os.environ.get(ELSEWHERE, "").split(os.pathsep))


@frozen
class Look:
    """How a series is named and drawn."""

    label: str  # its name in tables and figures
    color: str = ""  # without it and the marker a hash of the name decides
    marker: str = ""
    # Parameters of a variant that differ from the defaults of its solver, as in the labels of runs
    # (`runs.run.describe`): a run with others says so.
    settings: str = ""
    stands_for: str = ""  # the label in full, if it is an abbreviation


def _each(kind):
    """Entries of YAML by name -> the same as objects of a class."""
    return lambda entries: {name: kind(**entry) for name, entry in entries.items()}


def _named(puzzles):
    """The puzzles of a paper; in a list they are called as the paper calls them."""
    return dict(zip(puzzles, puzzles)) if isinstance(puzzles, list) else puzzles


@frozen
class Paper:
    """What `paper.yaml` says, by its keys, and the name of the folder."""

    name: str
    folder: Path
    title: str  # how readers know it: ``Lewis 2007``
    place: int = 100  # where it stands among the papers; by name where two have the same
    ours: bool = False  # our own work, whose claims are not decided
    # Citations by key. Two papers of the same authors report different experiments, and are never
    # mixed: claims and published numbers are those of one edition.
    editions: dict[str, str] = field(factory=dict)
    # Titles by the names that runs carry; the first is the paper's own, the others readings of it.
    experiments: dict[str, str] = field(factory=dict)
    # The edition, of this or another paper, whose work limits the runs; empty if none does.
    work: str = ""
    puzzles: dict[str, str] = field(factory=dict, converter=_named)  # our names, and the paper's
    # Titles of the groups in which figures and tables are shown, by how their names begin; that
    # of the paper if not given.
    groups: dict[str, str] = field(factory=dict)
    # Of published numbers, by what the columns that hold them start with; else ``published``.
    published_looks: dict[str, Look] = field(factory=dict, converter=_each(Look))
    variants: dict[str, Look] = field(factory=dict, converter=_each(Look))  # in order of tables

    @property
    def own(self) -> str:
        """The paper's own experiment; empty if it has none."""
        return next(iter(self.experiments), "")


def names() -> list[str]:
    """Names of the papers, in their order."""
    return [paper.name for paper in every()]


def get(name: str) -> Paper:
    """The paper in the folder `name`.

    Raises
    ------
    InputError
        If there is no such paper.
    """
    papers = {paper.name: paper for paper in every()}
    if name not in papers:
        raise InputError(unknown("paper", name, papers))
    return papers[name]


def every() -> list[Paper]:
    """All papers, in their order."""
    return _read_all(tuple(__path__))


def editions() -> dict[str, str]:
    """Citations of all editions by key, in the order of the papers."""
    return {key: text for paper in every() for key, text in paper.editions.items()}


def experiments() -> dict[str, str]:
    """Titles of all experiments by name, in the order of the papers."""
    return {name: title for paper in every() for name, title in paper.experiments.items()}


def groups() -> dict[str, str]:
    """Titles of the groups of figures and tables, by how their names begin."""
    found = {}
    for paper in every():
        found |= paper.groups or {paper.name: paper.title}
    return found


def variants() -> dict[str, Look]:
    """Labels and looks of variants, in the order in which tables have them."""
    found = {}
    for paper in every():
        found |= {name: look for name, look in paper.variants.items() if name not in found}
    return found


def puzzle_title(name: str) -> str:
    """What its paper calls a puzzle: ``Hard a`` is ``mk_s12a``. Its name, if that is the same."""
    theirs = next((paper.puzzles[name] for paper in every() if name in paper.puzzles), name)
    return name if theirs == name else theirs.replace("_", " ").capitalize()


def of_experiment(name: str) -> Paper | None:
    """The paper that an experiment belongs to, None if there is none."""
    return next((paper for paper in every() if name in paper.experiments), None)


def with_file(pattern: str) -> list[Path]:
    """Files of this name, or like this, in the folders of the papers, paper by paper."""
    return [file for paper in every() for file in sorted(paper.folder.glob(pattern))]


def registered(kind: str, entries: dict) -> dict:
    """Return the tables or figures (kind) of all papers, in their order; first those of none."""
    for file in with_file(f"{kind}.py"):
        import_module(f"{__name__}.{file.parent.name}.{kind}")
    known = ["", *names()]
    return {name: e for paper in known for name, e in entries.items() if e.paper == paper}


def of_module(module: str) -> str:
    """Return the name of the paper in whose folder a module is; empty for others of the package."""
    if module.startswith(f"{__name__}."):
        return module.removeprefix(f"{__name__}.").partition(".")[0]
    return "" if module.startswith("antdoku.") else module


@cache
def _read_all(folders):
    found = [_read(file) for folder in folders for file in Path(folder).glob(f"*/{FILE}")]
    return sorted(found, key=lambda paper: (paper.place, paper.name))


def _read(file):
    import yaml  # only what lists papers needs it

    try:
        return Paper(file.parent.name, file.parent, **yaml.safe_load(file.read_text("utf-8")))
    except (OSError, TypeError, AttributeError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError(f"{file}: {one_line(str(error))}") from None
