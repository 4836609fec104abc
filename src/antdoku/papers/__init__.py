"""The papers, one folder each: the listing is the registry.

A folder holds `paper.yaml`, which says what the paper is, and what else there is of it: numbers
that it prints (`published.csv`), the work behind its limits (`work.csv`), the experiments as we run
them (`experiment.yaml`), its claims (`claims.yaml`), tables and figures of its own (`tables.py`,
`figures.py`), and where we deviate (`deviations.md`). Nothing outside of a folder knows it by name.
Folders elsewhere are papers too, if the environment variable `ANTDOKU_PAPERS` names the folders
that they are in.
"""

import os
from functools import cache, partial
from importlib import import_module
from pathlib import Path

from attrs import Factory, field, frozen

from antdoku.errors import InputError, one_line, unknown

FILE = "paper.yaml"
ELSEWHERE = "ANTDOKU_PAPERS"

__path__ += filter(None, os.environ.get(ELSEWHERE, "").split(os.pathsep))


@frozen
class Look:
    """The name and the looks of a series."""

    label: str  # its name in tables and figures
    color: str = ""  # without it and the marker those that are free
    marker: str = ""
    # Parameters of a variant that differ from the defaults of its solver, as in the labels of runs
    # (`runs.run.describe`): a run with others says so.
    settings: str = ""
    stands_for: str = ""  # the label in full, if it is an abbreviation
    edition: str = ""  # whose work limits it, if that is not the one of its paper
    line: str = ""  # dashed or dashdot, in figures with many solid lines


def _looks_of(entries):
    """Return the looks of series by their names."""
    return {name: Look(**entry) for name, entry in entries.items()}


def _named(puzzles):
    """Return the names of a list, too, as a dict: there the paper's are ours."""
    return dict(zip(puzzles, puzzles)) if isinstance(puzzles, list) else puzzles


@frozen
class Paper:
    """The content of `paper.yaml`, by its keys, and the name of the folder."""

    name: str
    folder: Path
    title: str  # how readers know it: ``Lewis 2007``
    short: str = Factory(lambda self: self.title, takes_self=True)  # on axes: ``Lewis``
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
    # Titles of the groups of figures and tables, by how their names begin.
    groups: dict[str, str] = Factory(lambda self: {self.name: self.title}, takes_self=True)
    # Of printed numbers, by edition; an edition without one is called ``paper``.
    published_looks: dict[str, Look] = field(factory=dict, converter=_looks_of)
    variants: dict[str, Look] = field(factory=dict, converter=_looks_of)  # in the order of tables

    @property
    def own(self) -> str:
        """The paper's own experiment; empty if it has none."""
        return next(iter(self.experiments), "")


def every() -> dict[str, Paper]:
    """Return all papers by the names of their folders, in their order."""
    return _read_all(tuple(__path__))


def get(name: str) -> Paper:
    """Return the paper in the folder `name`; raise `InputError` if there is none."""
    if name not in (papers := every()):
        raise InputError(unknown("paper", name, papers))
    return papers[name]


def _of_all(key):
    """Return what all papers have under a key, in their order."""
    found = {}
    for paper in every().values():
        for name, value in getattr(paper, key).items():
            found.setdefault(name, value)
    return found


# By key or name, as `Paper` has them; of two of a name the first.
editions = partial(_of_all, "editions")
experiments = partial(_of_all, "experiments")
groups = partial(_of_all, "groups")
published_looks = partial(_of_all, "published_looks")
variants = partial(_of_all, "variants")


def puzzle_title(name: str) -> str:
    """Return what its paper calls a puzzle: ``Hard a`` is ``mk_s12a``; else its name."""
    theirs = _of_all("puzzles").get(name, name)
    words = theirs.replace("_", " ")
    return name if theirs == name else words[0].upper() + words[1:]


def of_experiment(name: str) -> Paper | None:
    """Return the paper that an experiment belongs to, None if there is none."""
    return next((paper for paper in every().values() if name in paper.experiments), None)


def with_file(pattern: str) -> list[Path]:
    """Return the files of this name, or like this, in the folders of the papers."""
    return [file for paper in every().values() for file in sorted(paper.folder.glob(pattern))]


def registered(kind: str, entries: dict) -> dict:
    """Return the tables or figures (kind) of all papers, in their order; first those of none."""
    for file in with_file(f"{kind}.py"):
        import_module(f"{__name__}.{file.parent.name}.{kind}")
    known = ["", *every()]
    return {name: e for paper in known for name, e in entries.items() if e.paper == paper}


def of_module(module: str) -> str:
    """Return the name of the paper in whose folder a module is; empty for others of the package."""
    return module.split(".")[2] if module.startswith(f"{__name__}.") else ""


@cache
def _read_all(folders):
    found = [_read(file) for folder in folders for file in Path(folder).glob(f"*/{FILE}")]
    found.sort(key=lambda paper: (paper.place, paper.name))
    return {paper.name: paper for paper in found}


def _read(file):
    import yaml  # only what lists papers needs it

    try:
        return Paper(file.parent.name, file.parent, **yaml.safe_load(file.read_text("utf-8")))
    except (OSError, TypeError, AttributeError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError(f"{file}: {one_line(str(error))}") from None
