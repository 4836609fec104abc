"""What the papers claim: `claims.yaml` of their folders, read and checked.

The ledger says what a paper claims, where, and which test of `antdoku.claims.kinds` decides it on
which runs; nobody writes a verdict by hand. `readings.yaml` says how else the sentences of a paper
can be taken: every claim is decided under each of these readings, too.
"""

import inspect
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path

import yaml

from antdoku import papers
from antdoku.claims.kinds import KINDS
from antdoku.errors import InputError, check_whole, one_line, unknown
from antdoku.tables.summary import FRACTION_DECIMALS

LEDGER, READINGS = "claims.yaml", "readings.yaml"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # in C ten times as fast, where it is there
SELECTION = ("experiment", "order", "fixed_fraction", "family", "instance_id", "variant")
REQUIRED = ("id", "place", "claim", "published", "test")
TEXTS = {"id", "place", "claim", "published", "limit", "note", "undecidable"}


@dataclass(frozen=True)
class Reading:
    """Another way to take what a paper leaves open."""

    name: str  # in one word
    text: str  # what is taken otherwise
    ours: bool = False  # whether it is a rule of ours that stands nowhere in the paper
    # What takes the place of what; it applies to a claim that names one of them.
    variants: dict[str, str] = field(default_factory=dict)
    experiments: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Claim:
    """One entry of the ledger: a statement of a paper, and the test and the runs that decide it."""

    id: str  # unique in the ledger
    paper: str  # a key of `papers.editions`
    place: str  # where it stands
    claim: str  # what it says, in our words
    published: str  # the printed figure
    test: str  # a key of `claims.kinds.KINDS`
    expect: dict  # the other arguments of the test
    # Allowed values of the runs, one or a list, by column (`SELECTION`). Without family and
    # instance_id they are those on random instances.
    runs: dict = field(default_factory=dict)
    limit: str = ""  # of a run in the paper
    # How many steps a run without a solution must have done to say something, where
    # `published.work` does not know: those of the limit, or what stands for none; 0: any number.
    steps: int = 0
    # CPU seconds after which the runs are read, where seconds limit them: the paper's limit, or, of
    # systems whose runs have several limits, the least; 0: each run's own limit.
    seconds: float = 0.0
    biased: bool = False  # whether the published figure is a mean over the solved runs only
    note: str = ""  # what else makes the comparison weaker
    undecidable: str = ""  # why nothing that we can run decides it; empty if something does

    @property
    def where(self) -> dict[str, list]:
        """Values that are allowed in each column of the runs, but for the experiment."""
        where = {name: _as_list(values) for name, values in self.runs.items()}
        where.pop("experiment", None)
        if "fixed_fraction" in where:
            where["fixed_fraction"] = [round(p, FRACTION_DECIMALS) for p in where["fixed_fraction"]]
        return where

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants that it is about, in its order."""
        return tuple(self.where.get("variant", []))

    @property
    def subject(self) -> str:
        """Whether it is of success, of time, or of instances, however runs on them end."""
        return self.expect.get("by", KINDS[self.test].subject)

    def under(self, reading: Reading) -> "Claim | None":
        """The same claim about the runs of another reading, None if that changes nothing."""
        variants = [reading.variants.get(name, name) for name in self.variants]
        experiment = self.runs.get("experiment")
        other = reading.experiments.get(experiment, experiment)
        if variants == list(self.variants) and other == experiment:
            return None
        runs = self.runs | {"experiment": other} | ({"variant": variants} if variants else {})
        return replace(self, runs=runs, expect=_renamed(self.expect, reading.variants))


def load(path=None) -> list[Claim]:
    """Read the ledger: the claims of all papers, or those of a file, in their order.

    Parameters
    ----------
    path : path, optional
        A YAML file like `claims.yaml` of a paper: lists of claims by edition.

    Raises
    ------
    InputError
        One line that names the file and the claim, and what is wrong there.
    """
    return list(_load(tuple(papers.with_file(LEDGER)) if path is None else (Path(path),)))


def readings() -> dict[str, list[Reading]]:
    """Return the readings beside the main ones, by edition (a key of `papers.editions`).

    Raises
    ------
    InputError
        One line that names the file and the reading, and what is wrong there.
    """
    return _readings(tuple(papers.with_file(READINGS)))


@cache  # it takes most of a second, and a report asks for it again and again
def _load(paths):
    claims = {}
    for path in paths:
        with _at(path):
            for edition, entries in _by_edition(path, list, "a list of claims"):
                for claim in (_claim(edition, entry) for entry in entries):
                    _require(claim.id not in claims, f"{claim.id}: the id stands there twice")
                    claims[claim.id] = claim
    return list(claims.values())


@cache
def _readings(paths):
    found = {}
    for path in paths:
        with _at(path):
            for edition, entries in _by_edition(path, dict, "readings by name"):
                found[edition] = [Reading(name, **entry) for name, entry in entries.items()]
    return found


def _by_edition(path, kind, allowed):
    """Return what a file holds for each edition: pairs of its key and a list or a dict."""
    entries = yaml.load(path.read_text(encoding="utf-8"), LOADER)
    _require(isinstance(entries, dict), "must hold editions, each with what is said of it")
    for edition, found in entries.items():
        _require(edition in papers.editions(), unknown("edition", edition, papers.editions()))
        _require(isinstance(found, kind), f"{edition}: must be {allowed}")
    return entries.items()


@contextmanager
def _at(place):
    """Turn a mistake into one line that names the place, a file or a claim in it."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    except (OSError, TypeError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError(f"{place}: not readable: {one_line(str(error))}") from None


def _claim(paper, entry):
    """Return a checked claim. The ledger writes ``test: {name: {argument: value}}``, in one key."""
    _require(isinstance(entry, dict), f"{paper}: {entry!r}: must be keys with values")
    with _at(entry.get("id", f"{paper}, a claim without id")):
        known = [each.name for each in fields(Claim) if each.name not in ("paper", "expect")]
        for key in entry:
            _require(key in known, unknown("key", key, known))
        for key in REQUIRED:
            _require(key in entry, f"the key {key} is missing")
        for key in TEXTS & set(entry):
            _require(isinstance(entry[key], str), f"{key}: {entry[key]!r}: must be text")
        check_whole("steps", entry.get("steps", 1), 1)
        test = entry["test"]
        _require(isinstance(test, dict) and len(test) == 1, "test: must be one named test")
        ((name, expect),) = test.items()
        claim = Claim(**{**entry, "paper": paper, "test": name, "expect": expect or {}})
        _check(claim)
    return claim


def _check(claim):
    """Refuse a claim unless its test takes these arguments, and as many variants of runs."""
    _require(claim.test in KINDS, unknown("test", claim.test, KINDS))
    run, least, most, _ = KINDS[claim.test]
    try:
        inspect.signature(run).bind(None, **claim.expect)
    except TypeError as error:
        raise InputError(f"test {claim.test}: {error}") from None
    _require(isinstance(claim.runs, dict), "runs: must be columns with values")
    _require("experiment" in claim.runs or not (claim.runs or claim.steps), "runs: no experiment")
    for key in claim.runs:
        _require(key in SELECTION, f"runs: {unknown('column', key, SELECTION)}")
    for value in _as_list(claim.runs.get("fixed_fraction", [])):
        is_number = isinstance(value, int | float)
        _require(is_number, f"runs: fixed_fraction: {value!r}: must be a number")
    found, allowed = len(claim.variants), range(least, most + 1)
    takes = f"{least} or more" if len(allowed) > 2 else " or ".join(map(str, allowed))
    _require(found in allowed, f"runs: {found} variants: test {claim.test} takes {takes}")


def _require(condition, text):
    if not condition:
        raise InputError(text)


def _renamed(expect, variants):
    """Return the arguments of a test with the names of other variants."""
    if isinstance(expect, dict):
        return {key: _renamed(value, variants) for key, value in expect.items()}
    if isinstance(expect, list):
        return [_renamed(value, variants) for value in expect]
    return variants.get(expect, expect) if isinstance(expect, str) else expect


def _as_list(values):
    return values if isinstance(values, list) else [values]
