"""The papers, one folder each: the listing is the registry.

A folder holds `paper.yaml`, which says what the paper is, and what else there is of it: numbers
that it prints (`published.csv`), the work behind its limits (`work.csv`), the experiments as we run
them (`experiment.yaml`), its claims (`claims.yaml`), tables and figures of its own (`tables.py`,
`figures.py`), their captions (`captions/NAME.rst`), and where we deviate (`deviations.md`). Nothing
outside of a folder knows it by name. Folders elsewhere are papers too, if the environment variable
`ANTDOKU_PAPERS` names the folders that they are in.
"""

import os
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from antdoku.errors import InputError, one_line, unknown

FILE = "paper.yaml"
ELSEWHERE = "ANTDOKU_PAPERS"

__path__ += filter(None, os.environ.get(ELSEWHERE, "").split(os.pathsep))


@dataclass(frozen=True)
class Scale:
    """How much a paper did.

    Parameters
    ----------
    instances, fractions : int
        Random instances at a point (order and fixed fraction), and fixed fractions at an order; 0
        where the paper has none.
    runs : int
        Runs of a system on each of its puzzles.
    """

    instances: int = 0
    fractions: int = 0
    runs: int = 0


@dataclass(frozen=True)
class Figure:
    """A figure of a paper, drawn from the table of its name or from the example puzzle.

    Parameters
    ----------
    by : str
        What draws it: a function of the paper's `figures.py`, or ``module.function`` of
        `antdoku.figures`.
    title : str
        To which most figures add the number of runs.
    of_puzzle : tuple of str
        The arrays of the example puzzle that it shows (`instances.example`); empty if it shows a
        table.
    """

    by: str
    title: str = ""
    of_puzzle: tuple[str, ...] = ()


@dataclass(frozen=True)
class Look:
    """How a series is named and drawn.

    Parameters
    ----------
    label : str
        Its name in tables and figures.
    color, marker : str
        Without them a hash of the name decides.
    settings : str
        Parameters of a variant that differ from the defaults of its solver, as in the labels of
        runs (`runs.run.describe`): a run with others says so.
    """

    label: str
    color: str = ""
    marker: str = ""
    settings: str = ""


@dataclass(frozen=True)
class Paper:
    """What `paper.yaml` says.

    Parameters
    ----------
    name : str
        Of the folder.
    title : str
        How readers know it: ``Lewis 2007``.
    folder : Path
        Where its other files are.
    place : int
        Where it stands among the papers; by name where two have the same.
    ours : bool
        Whether it is our own work, whose claims are not decided.
    editions : dict of str to str
        Citations by key. Two papers of the same authors report different experiments, and are never
        mixed: claims and published numbers are those of one edition.
    experiments : dict of str to str
        Titles of its experiments by the names that runs carry; the first is the paper's own, the
        others are readings of it.
    work : str
        The edition, of this or another paper, whose work limits the runs; empty if none does.
    puzzles : dict of str to str
        The puzzles that it runs on: our names, and its own.
    scale : Scale, optional
        How much the paper did in the first experiment.
    groups : dict of str to str
        Titles of the groups in which figures and tables are shown, by how their names begin; that
        of the paper if not given.
    published_looks : dict of str to Look
        Of published numbers, by what the columns that hold them start with; else ``published``.
    figures : dict of str to Figure
        By the name of their files.
    variants : dict of str to Look
        In the order in which tables have them.
    """

    name: str
    title: str
    folder: Path
    place: int = 100
    ours: bool = False
    editions: dict[str, str] = field(default_factory=dict)
    experiments: dict[str, str] = field(default_factory=dict)
    work: str = ""
    puzzles: dict[str, str] = field(default_factory=dict)
    scale: Scale | None = None
    groups: dict[str, str] = field(default_factory=dict)
    published_looks: dict[str, Look] = field(default_factory=dict)
    figures: dict[str, Figure] = field(default_factory=dict)
    variants: dict[str, Look] = field(default_factory=dict)

    @property
    def own(self) -> str:
        """The paper's own experiment; empty if it has none."""
        return next(iter(self.experiments), "")


def names() -> list[str]:
    """Names of the papers, in their order."""
    return list(_papers(tuple(__path__)))


def get(name: str) -> Paper:
    """The paper in the folder `name`.

    Raises
    ------
    InputError
        If there is no such paper.
    """
    papers = _papers(tuple(__path__))
    if name not in papers:
        raise InputError(unknown("paper", name, papers))
    return papers[name]


def title(name: str) -> str:
    """The title of a paper; of what belongs to none, that of all experiments."""
    return get(name).title if name in names() else "All experiments"


def every() -> list[Paper]:
    """All papers, in their order."""
    return list(_papers(tuple(__path__)).values())


def editions() -> dict[str, str]:
    """Citations of all editions by key, in the order of the papers."""
    return {key: text for paper in every() for key, text in paper.editions.items()}


def experiments() -> dict[str, str]:
    """Titles of all experiments by name, in the order of the papers."""
    return {name: title for paper in every() for name, title in paper.experiments.items()}


def groups() -> dict[str, str]:
    """Titles of the groups of figures and tables, by how their names begin."""
    return {
        name: title
        for paper in every()
        for name, title in (paper.groups or {paper.name: paper.title}).items()
    }


def variants() -> dict[str, Look]:
    """Labels and looks of variants, in the order in which tables have them."""
    found = {}
    for paper in every():
        found |= {name: look for name, look in paper.variants.items() if name not in found}
    return found


def of_experiment(name: str) -> Paper | None:
    """The paper that an experiment belongs to, None if there is none."""
    return next((paper for paper in every() if name in paper.experiments), None)


def with_file(pattern: str) -> list[Path]:
    """Files of this name, or like this, in the folders of the papers, paper by paper."""
    return [file for paper in every() for file in sorted(paper.folder.glob(pattern))]


def modules(name: str) -> dict[str, ModuleType]:
    """The modules of this name that papers have, ``tables`` for instance, by paper."""
    has = [file.parent.name for file in with_file(f"{name}.py")]
    return {paper: import_module(f"{__name__}.{paper}.{name}") for paper in has}


@cache
def _papers(folders):
    found = [_read(file) for folder in folders for file in Path(folder).glob(f"*/{FILE}")]
    return {paper.name: paper for paper in sorted(found, key=lambda each: (each.place, each.name))}


def _read(file):
    import yaml

    folder = file.parent
    try:
        entries = yaml.safe_load(file.read_text("utf-8"))
        return Paper(folder.name, folder=folder, **entries | dict(_parts(entries)))
    except (OSError, TypeError, AttributeError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError(f"{file}: {one_line(str(error))}") from None


def _parts(entries):
    """The entries that are more than text, as what they stand for."""
    puzzles = entries.get("puzzles", {})
    # A list: they are called as the paper calls them.
    yield "puzzles", dict(zip(puzzles, puzzles)) if isinstance(puzzles, list) else puzzles
    yield "scale", Scale(**entries["scale"]) if "scale" in entries else None
    for key, kind in (("published_looks", Look), ("figures", Figure), ("variants", Look)):
        yield key, {name: kind(**entry) for name, entry in entries.get(key, {}).items()}
