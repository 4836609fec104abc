"""The papers, one folder each: the listing is the registry.

A folder holds `paper.yaml`, which describes the paper, and may hold the numbers that it prints
(`published.csv`), the work behind its limits (`work.csv`), the experiments as we run them
(`experiment.yaml`), its claims (`claims.yaml`), its tables and figures (`tables.py`, `figures.py`)
and our deviations (`deviations.md`). No code outside of a folder knows its name. The environment
variable `ANTDOKU_PAPERS` names further folders with folders of papers.
"""

import os
from functools import cache, partial
from pathlib import Path

from attrs import Factory, field, frozen

from antdoku.errors import InputError, one_line, unknown

FILE = "paper.yaml"
MUTANTS = "mutants.yaml"  # systems that are wrong on purpose, see `claims.mutation`
ELSEWHERE = "ANTDOKU_PAPERS"

__path__ += filter(None, os.environ.get(ELSEWHERE, "").split(os.pathsep))


@frozen
class Look:
    """The name and the looks of a series."""

    label: str  # its name in tables and figures
    color: str = ""  # empty, as the marker: a free one
    marker: str = ""
    # Parameters of a variant that differ from the defaults of its solver, as in the labels of runs
    # (`runs.run.columns_of_solver`). Runs with other parameters keep their own label.
    settings: str = ""
    stands_for: str = ""  # the label in full, if it is an abbreviation
    edition: str = ""  # the edition whose work limits it, if it is not the paper's
    line: str = ""  # dashed or dashdot, in figures with many solid lines


def _looks_of(entries):
    """Return the looks of series by their names."""
    return {name: Look(**entry) for name, entry in entries.items()}


def _named(puzzles):
    """Return puzzles as a dict of titles by name; in a list the names are the titles."""
    return dict(zip(puzzles, puzzles)) if isinstance(puzzles, list) else puzzles


@frozen
class Paper:
    """The content of `paper.yaml`, by its keys, and the name of the folder."""

    name: str
    folder: Path
    title: str  # how readers know it: ``Lewis 2007``
    short: str = Factory(lambda self: self.title, takes_self=True)  # on axes: ``Lewis``
    place: int = 100  # rank among the papers; ties are broken by name
    ours: bool = False  # our own work, whose claims are not decided
    # Citations by key. Two papers of the same authors report different experiments, and are never
    # mixed: each claim and each published number belongs to one edition.
    editions: dict[str, str] = field(factory=dict)
    # Titles of experiments by name. The first is the paper's own, the others are readings of it.
    experiments: dict[str, str] = field(factory=dict)
    # The edition, of this or another paper, whose work limits the runs; empty if none does.
    work: str = ""
    puzzles: dict[str, str] = field(factory=dict, converter=_named)  # the paper's names by ours
    # Titles of the groups of figures and tables, by the begin of their names.
    groups: dict[str, str] = Factory(lambda self: {self.name: self.title}, takes_self=True)
    # Looks of printed numbers by edition; an edition without one is called ``paper``.
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
    """Return the paper in the folder `name`; raise `InputError` if no paper has this name."""
    if name not in (papers := every()):
        raise InputError(unknown("paper", name, papers))
    return papers[name]


def _of_all(key):
    """Return the entries of all papers under a key; the first paper with a name decides it."""
    entries = {}
    for paper in every().values():
        for name, value in getattr(paper, key).items():
            entries.setdefault(name, value)
    return entries


# The entries of all papers, by key or name as in `Paper`.
editions = partial(_of_all, "editions")
experiments = partial(_of_all, "experiments")
groups = partial(_of_all, "groups")
published_looks = partial(_of_all, "published_looks")
puzzles = partial(_of_all, "puzzles")
variants = partial(_of_all, "variants")


def puzzle_title(name: str) -> str:
    """Return the title of a puzzle in its paper: ``mk_s12a`` is ``Hard a``; by default its name."""
    printed = puzzles().get(name, name)
    words = printed.replace("_", " ")
    return name if printed == name else words[0].upper() + words[1:]


def replaced_systems() -> dict[str, str]:
    """Return the system of a paper that each mutant replaces, by the name of the mutant."""
    return dict(_replaced_systems(tuple(with_file(MUTANTS))))


@cache
def _replaced_systems(files):
    import yaml

    contents = [yaml.safe_load(file.read_text("utf-8")) for file in files]
    entries = [item for content in contents for item in content["variants"].items()]
    return {name: entry["system"] for name, entry in entries}


def of_experiment(name: str) -> Paper | None:
    """Return the paper that an experiment belongs to, or None."""
    return next((paper for paper in every().values() if name in paper.experiments), None)


def with_file(pattern: str) -> list[Path]:
    """Return the files in the folders of the papers that match a pattern."""
    return [file for paper in every().values() for file in sorted(paper.folder.glob(pattern))]


@cache
def _read_all(folders):
    papers = {}
    for file in (file for folder in folders for file in Path(folder).glob(f"*/{FILE}")):
        paper = _read(file)
        if paper.name in papers:
            first = papers[paper.name].folder
            text = f"its name is the name of another paper, {first}"
            raise InputError(text, str(paper.folder), remedy="rename the folder")
        papers[paper.name] = paper
    return dict(sorted(papers.items(), key=lambda item: (item[1].place, item[0])))


def _read(file):
    import yaml  # only what lists papers needs it

    try:
        return Paper(file.parent.name, file.parent, **yaml.safe_load(file.read_text("utf-8")))
    except (OSError, TypeError, AttributeError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError(f"{file}: {one_line(str(error))}") from None
