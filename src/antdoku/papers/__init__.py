"""The papers, one folder each: the listing is the registry.

A folder holds `paper.yaml`, which describes the paper, and may hold the numbers that it prints
(`published.csv`), the work behind its limits (`work.csv`), the experiments as we run them
(`experiment.yaml`), its claims (`claims.yaml`), its tables and figures (`tables.py`, `figures.py`)
and our deviations (`deviations.md`). No code outside of a folder knows its name. The environment
variable `ANTDOKU_PAPERS` names further folders with folders of papers.
"""

import inspect
import os
import re
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, partial, wraps
from importlib import import_module
from itertools import product
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Literal, TypeVar

from attrs import Factory, evolve, field, frozen

from antdoku import yaml_files
from antdoku.errors import InputError, one_line, unknown

FILE, EXPERIMENTS = "paper.yaml", "experiment.yaml"
MUTANTS = "mutants.yaml"  # systems that are wrong on purpose, see `claims.mutation`
ELSEWHERE = "ANTDOKU_PAPERS"
COLOR, COLOR_RULE = (
    re.compile("(#[0-9A-Fa-f]{6})?"),
    'must be a colour in quotes, such as "#1F77B4"',
)
MARKERS = ("", *"ov^<>8sp*hHDdPX")  # of Matplotlib, with an inside

__path__ += filter(None, os.environ.get(ELSEWHERE, "").split(os.pathsep))
F = TypeVar("F", bound=Callable)


def cached(read: F) -> F:
    """Return a function that reads files of papers once; in other folders of papers it reads again.

    The folders are a key of its cache.
    """
    in_folders = cache(lambda _, *args: read(*args))
    return wraps(read)(lambda *args: in_folders((*__path__,), *args))


@frozen
class Look:
    """The name and the looks of a series."""

    label: str  # its name in tables and figures
    color: str = ""  # empty, as the marker: a free one
    marker: Literal[MARKERS] = ""
    # The solver of a variant, and the parameters that may differ from its defaults. Other runs keep
    # their own label. By default as in the paper's `experiment.yaml`, then of the other papers.
    solver: str = ""
    params: dict[str, object] = field(factory=dict, eq=False)
    stands_for: str = ""  # the label in full, if it is an abbreviation
    edition: str = ""  # the edition whose work limits it, if it is not the paper's
    line: Literal["", "dashed", "dashdot"] = ""  # in figures with many solid lines


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
    place: float = 100  # rank among the papers; ties are broken by name
    ours: bool = False  # our own work, whose claims are not decided
    answer: str = ""  # what its runs say, if it is ours and has no study
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
    # Looks of printed numbers by edition. The only edition without one is called ``paper``, several
    # are called by their keys; an edition without a marker has a free one.
    published_looks: dict[str, Look] = field(factory=dict)
    variants: dict[str, Look] = field(factory=dict)  # in the order of tables

    @property
    def is_shipped(self) -> bool:
        """Whether it is a paper of the package; a user's is in a folder of `ANTDOKU_PAPERS`."""
        return self.folder.parent == Path(__file__).parent

    @property
    def own(self) -> str:
        """The paper's own experiment; empty if it has none."""
        return next(iter(self.experiments), "")


@cached
def every() -> dict[str, Paper]:
    """Return all papers by the names of their folders, in their order."""
    papers = {}
    for file in (file for folder in __path__ for file in _files(Path(folder))):
        paper = _read(file)
        if paper.name in papers:
            first = papers[paper.name].folder
            text = f"its name is the name of another paper, {first}"
            raise InputError(text, str(paper.folder), remedy="rename the folder")
        if not paper.is_shipped and paper.name in MODULES:
            text = "a module of antdoku.papers has its name"
            raise InputError(text, str(paper.folder), remedy="rename the folder")
        _check_own_names(paper, papers.values())
        papers[paper.name] = paper
    papers = dict(sorted(papers.items(), key=lambda item: (item[1].place, item[0])))
    declared = {name: declared_variants(paper.folder) for name, paper in papers.items()}
    of_all = {name: entry for own in reversed(declared.values()) for name, entry in own.items()}
    return {name: _complete(paper, of_all | declared[name]) for name, paper in papers.items()}


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


def shipped_experiments() -> list[str]:
    """Return the experiments of the papers of the package; others are a user's."""
    return [name for paper in every().values() if paper.is_shipped for name in paper.experiments]


def experiment_title(name: str) -> str:
    """Return the title of an experiment in its paper, or its name in words."""
    return experiments().get(name, in_words(name))


def puzzle_title(name: str) -> str:
    """Return a puzzle as its paper spells it, or the name of a puzzle or a family in words.

    ``mk_s12a`` is ``Hard a``.
    """
    printed = puzzles().get(name)
    return name if printed == name else in_words(printed or name)


def in_words(name: str) -> str:
    """Return a name of the code in words: ``more_ants`` is "More ants"."""
    text = name.replace("_", " ").strip()
    return text[:1].upper() + text[1:]


@frozen
class Mutant:
    """A variant that is wrong on purpose; it replaces a system of a paper."""

    variant: str
    system: str
    mistake: str
    experiments: dict[str, str]  # with the runs, by the experiment of the claims
    editions: tuple[str, ...]  # of the paper


@cached
def mutations() -> dict[str, Mutant]:
    """Return the mutants of all papers by the names of their variants."""
    mutants = {}
    for file in with_file(MUTANTS):
        content = yaml_files.read(file, "experiments: ...")
        keys = "experiments", "variants"
        yaml_files.check_keys(content, file, known=keys, required=keys)
        shared = {
            "experiments": content["experiments"],
            "editions": tuple(get(file.parent.name).editions),
        }
        for name, entry in content["variants"].items():
            place = file, "variants", name
            mutants[name] = yaml_files.build(Mutant, entry, *place, variant=name, **shared)
    return mutants


def of_experiment(name: str) -> Paper | None:
    """Return the paper that an experiment belongs to, or None."""
    return next((paper for paper in every().values() if name in paper.experiments), None)


def module(file: Path) -> ModuleType:
    """Import a Python file in the folder of a paper; an exception in it is an `InputError`."""
    if not file.exists():
        raise InputError("there is no such file", str(file))
    try:
        return import_module(f"{__name__}.{file.parent.name}.{file.stem}")
    except InputError as error:
        raise error.at(str(file), _line_of(error, file)) from None
    except Exception as error:
        raise _mistake(error, file) from None


@contextmanager
def errors_in_one_line(paper: str, name: str, function: Callable) -> Iterator[None]:
    """Turn an exception of the function of a user's table or figure into an `InputError`.

    Exceptions in the papers of the package keep their traceback.
    """
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        if not paper or get(paper).is_shipped:
            raise
        file = Path(inspect.unwrap(function).__code__.co_filename)
        raise _mistake(error, file, f"{name}: ") from None


def _mistake(error, file, name=""):
    text = one_line(f"{name}{type(error).__name__}: {error}")
    return InputError(text, str(file), _line_of(error, file))


def _line_of(error, file):
    """Return the last line of a file in the traceback of an error; None if there is none."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(file)]
    return lines[-1] if lines else getattr(error, "lineno", None)  # of the syntax


def place_of(name: str, function: Callable) -> str:
    """Return file and first line of the function of a table or figure, and its name."""
    code = inspect.unwrap(function).__code__
    return f"{code.co_filename}:{code.co_firstlineno}: {name}"


def with_file(pattern: str) -> list[Path]:
    """Return the files in the folders of the papers that match a pattern."""
    return [file for paper in every().values() for file in sorted(paper.folder.glob(pattern))]


MODULES = [module.name for module in iter_modules([str(Path(__file__).parent)])]
EDITION_MARKERS = "Ds^vohpP"
MAPPINGS = ("editions", "experiments", "groups", "published_looks", "variants")


def _check_own_names(paper, earlier):
    """Refuse the name of an edition, an experiment or a variant if an earlier paper has it."""
    for key, owner in product(("editions", "experiments", "variants"), earlier):
        for name in getattr(paper, key):
            if name in getattr(owner, key):
                text = f"the paper {owner.name} has this name: choose another"
                raise yaml_files.mistake(text, paper.folder / FILE, key, name)


def _files(folder):
    """Return the descriptions of the papers in a folder of papers."""
    place = f"{ELSEWHERE}={folder}"
    folders = sorted({file.parent for file in folder.glob("[!.]*/*.yaml")})
    if (folder / FILE).exists():
        remedy = f"name the folder around it, {folder.parent}"
        raise InputError("is the folder of a paper", place, remedy=remedy)
    if not folders:
        raise InputError(f"there is no folder with a {FILE} in it", place)
    for paper in folders:
        if not (paper / FILE).exists():
            raise InputError(f"there is no {FILE} in it", str(paper))
    return [paper / FILE for paper in folders]


def _read(file):
    keys = yaml_files.read(file, "title: Mine")
    yaml_files.check_entry(Paper, keys, file, given=("name", "folder"))
    place = keys.get("place", 1)
    if isinstance(place, bool) or not isinstance(place, int | float):
        raise yaml_files.mistake("must be a number", file, "place")
    for key in MAPPINGS:
        if not isinstance(keys.get(key, {}), dict):
            raise yaml_files.mistake("must have keys, each with a value", file, key)
    for key in ("published_looks", "variants"):
        looks = keys.get(key, {}).items()
        keys[key] = {name: yaml_files.build(Look, look, file, key, name) for name, look in looks}
    return Paper(file.parent.name, file.parent, **keys)


def blocks_of(paper: Paper) -> dict[str, object]:
    """Return the experiments of a paper's `experiment.yaml`; refuse one that the paper lacks.

    Before, refuse values of a wrong type in the description of the paper.
    """
    _check_types(paper)
    file, blocks = paper.folder / EXPERIMENTS, blocks_in(paper.folder)
    for name in blocks:
        if name not in paper.experiments:
            text = unknown("experiment", name, paper.experiments)
            text += f"; {FILE} and {EXPERIMENTS} must have the same names"
            raise yaml_files.mistake(text, file, name)
    return blocks


def _check_types(paper):
    file = paper.folder / FILE
    yaml_files.check_types(paper, file)
    for key in ("published_looks", "variants"):
        for name, look in getattr(paper, key).items():
            yaml_files.check_types(look, file, key, name)


def blocks_in(folder):
    """Return the experiments in a folder by name; none without a file of them."""
    file = folder / EXPERIMENTS
    return yaml_files.read(file, "my_experiment: {variants: ...}") if file.exists() else {}


@cached
def blocks() -> dict[str, dict]:
    """Return the experiments in the folders of all papers by name."""
    return {
        name: block for paper in every().values() for name, block in blocks_in(paper.folder).items()
    }


def limit_steps(block: dict, variant: str) -> int | None:
    """Return the steps after which an experiment ends the runs of a variant; None: it does not."""
    return _variant(block, variant).get("limit_steps", block.get("limit_steps"))


def limit_s(block: dict, variant: str, order: int, family: str | None = None) -> float | None:
    """Return the seconds after which an experiment ends a run at the latest; None if not known.

    `family` is one of given puzzles; without it the run is on a random instance.
    """
    if family:
        return (block.get("puzzles") or {}).get(family, {}).get("limit_s")
    limits_s = (block.get("random") or {}).get("limits_s", {})
    return (limits_s | (_variant(block, variant).get("limits_s") or {})).get(f"order{order}")


def _variant(block, name):
    """Return the keys of a variant; those of a grid are declared without their values."""
    variants = block["variants"]
    return variants.get(declared(name, variants)) or {}


def declared(name: str, variants: Iterable[str]) -> str:
    """Return the name under which a variant is declared: variants of a grid are ``NAME__VALUE``."""
    return name if name in variants else name.partition("__")[0]


def variant_name(name: str, values: Iterable) -> str:
    """Return the name of a variant of a grid: ``NAME__VALUE__VALUE``; without values its own."""
    words = (re.sub(r"[^a-z0-9]", "_", str(value).lower()) for value in values)
    return "__".join([name, *words])


def declared_variants(folder: Path) -> dict[str, dict]:
    """Return solver and params of the variants in the experiments of a paper, by their names."""
    variants, blocks = {}, blocks_in(folder).values()
    parts = [block.get("variants") for block in blocks if isinstance(block, dict)]
    for name, entry in (item for part in parts if isinstance(part, dict) for item in part.items()):
        if isinstance(entry, dict) and "solver" in entry:
            # The name of a solver is ``mine`` for ``./mine.py`` and ``package.mine``.
            solver = re.split(r"[./]", str(entry["solver"]).removesuffix(".py"))[-1]
            variants.setdefault(name, {"solver": solver, "params": entry.get("params") or {}})
    return variants


def _complete(paper, variants):
    """Return a paper whose looks have the solver and the parameters of their variants."""
    looks = {
        name: look if look.solver else evolve(look, **variants.get(name, {}))
        for name, look in paper.variants.items()
    }
    return evolve(paper, variants=looks, published_looks=_looks_of_editions(paper))


def _looks_of_editions(paper):
    looks = dict.fromkeys(paper.editions) | paper.published_looks
    unnamed = [name for name, look in looks.items() if look is None]
    used = [look.marker for look in paper.published_looks.values()]
    free = (marker for marker in EDITION_MARKERS if marker not in used)
    for name, look in looks.items():
        look = look or Look("paper" if len(unnamed) == 1 else name.replace("_", " "))
        looks[name] = look if look.marker else evolve(look, marker=next(free, "D"))
    return looks
