"""The claims of the papers: `claims.yaml` of their folders, read and checked.

The ledger says what a paper claims, where, and which test of `antdoku.claims.kinds` decides it on
which runs. Nobody writes a verdict by hand. `readings.yaml` has other readings of the sentences of
a paper; every claim is decided under each of them as well.
"""

import inspect
from contextlib import contextmanager
from dataclasses import field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import NonNegativeFloat, NonNegativeInt, TypeAdapter, ValidationError, model_validator
from pydantic.dataclasses import dataclass

from antdoku import papers
from antdoku.claims import INSTANCES
from antdoku.claims.kinds import KINDS
from antdoku.errors import InputError, one_line, unknown
from antdoku.tables.summary import FRACTION_DECIMALS

LEDGER, READINGS = "claims.yaml", "readings.yaml"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the loader in C is ten times as fast
Column = Literal["experiment", "order", "fixed_fraction", "family", "instance_id", "variant"]
STRICT = {"strict": True}


@dataclass(frozen=True, eq=False, config=STRICT)
class Reading:
    """Another interpretation of a point that a paper leaves open."""

    name: str  # in a few words, as readers see it
    text: str  # for readers
    # Whether the paper leaves it open, the rule is ours, or it was chosen on the printed numbers.
    # Only a reading of the paper can reproduce a claim; the others explain it.
    kind: Literal["paper", "ours", "printed"] = "paper"
    # Old and new names; the reading applies to claims with one of the old names.
    variants: dict[str, str] = field(default_factory=dict)
    experiments: dict[str, str] = field(default_factory=dict)
    work: float = 1.0  # the multiple of the paper's work at which its runs are read


@dataclass(frozen=True, config=STRICT)
class Claim:
    """One entry of the ledger: a statement of a paper, and the test and the runs that decide it."""

    id: str  # unique in the ledger
    paper: str  # a key of `papers.editions`
    place: str  # where it stands
    claim: str  # what it says, in our words
    published: str  # the printed figure
    test: str  # a key of `claims.kinds.KINDS`
    expect: dict[str, Any]  # the other arguments of the test
    # Allowed values of the runs, one or a list, by column. Without family and instance_id the claim
    # is about random instances.
    runs: dict[Column, Any] = field(default_factory=dict)
    words: str = ""  # of the paper, if the claim says more than a number
    limit: str = ""  # of a run in the paper
    # The steps that an unsolved run must have done to count, where `published.work` does not know
    # them: the paper's limit, or a number in place of it; 0: any number.
    steps: NonNegativeInt = 0
    # The CPU seconds at which runs are read, where seconds limit them: the paper's limit, or the
    # smallest limit of several systems; 0: each run's own limit.
    seconds: NonNegativeFloat = 0.0
    biased: bool = False  # whether the published figure is a mean over the solved runs only
    note: str = ""  # what else makes the comparison weaker
    cause: str = ""  # the likely cause, if the verdict of record is "not reproduced"
    undecidable: str = ""  # why nothing that we can run decides it; empty if something does

    @model_validator(mode="after")
    def _can_be_decided(self):
        """Refuse a claim unless its test takes these arguments and this number of variants."""
        kind, n_variants = KINDS[self.test], len(self.variants)
        _check_arguments(self.test, kind, self.expect)
        _require("experiment" in self.runs or not (self.runs or self.steps), "runs: no experiment")
        percents = self.expect.get("percent")
        if isinstance(percents, dict):
            by_fraction = {*percents} == {*self.where.get("fixed_fraction", [])}
            _require(by_fraction, "test: percent: must have the fixed fractions of the runs")
        allowed = f"{kind.least} to {kind.most}" if kind.most > kind.least else kind.least
        is_allowed = kind.least <= n_variants <= kind.most
        _require(is_allowed, f"runs: {n_variants} variants: test {self.test} takes {allowed}")
        return self

    @property
    def where(self) -> dict[str, list]:
        """Allowed values in each column of the runs, except for the experiment."""
        where = {
            name: values if isinstance(values, list) else [values]
            for name, values in self.runs.items()
            if name != "experiment"
        }
        if fractions := where.get("fixed_fraction"):
            where["fixed_fraction"] = [round(float(p), FRACTION_DECIMALS) for p in fractions]
        return where

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants, in the order of the claim."""
        return tuple(self.where.get("variant", []))

    @property
    def is_of_instances(self) -> bool:
        """Whether it is about instances, however runs on them end."""
        by = self.expect.get("by")
        return by == INSTANCES if by else KINDS[self.test].of_instances

    def under(self, reading: Reading) -> "Claim | None":
        """Return the claim about the runs of another reading, or None if they are the same."""

        def renamed(names):
            return [reading.variants.get(name, name) for name in names]

        experiment, expect = self.runs.get("experiment"), self.expect
        changed = {"experiment": reading.experiments.get(experiment, experiment)}
        if self.variants:
            changed["variant"] = renamed(self.variants)
        if changed.items() <= (self.where | {"experiment": experiment}).items():
            return None
        if "order" in expect:  # the only argument that names variants: groups of them
            expect = expect | {"order": [*map(renamed, expect["order"])]}
        return replace(self, runs=self.runs | changed, expect=expect)


def load(path=None) -> list[Claim]:
    """Return the claims of all papers, or of a file like their `claims.yaml`, in their order.

    Raises
    ------
    InputError
        If the file has a mistake: one line that names the file, the claim and the mistake.
    """
    return list(_load(tuple(papers.with_file(LEDGER)) if path is None else (Path(path),)))


@cache  # reading takes most of a second, and a report asks several times
def _load(paths):
    claims = {}
    for path in paths:
        with _at(path):
            for edition, entries in _by_edition(path, list[dict[str, Any]]).items():
                for entry in entries:
                    claim = _claim(edition, entry)
                    _require(claim.id not in claims, f"{claim.id}: the id stands there twice")
                    claims[claim.id] = claim
    return list(claims.values())


@cache
def readings() -> dict[str, list[Reading]]:
    """Return the readings beside the main ones, by edition (a key of `papers.editions`)."""
    by_edition = {}
    for path in papers.with_file(READINGS):
        with _at(path):
            for edition, entries in _by_edition(path, dict[str, dict[str, Any]]).items():
                by_edition[edition] = [Reading(name, **entry) for name, entry in entries.items()]
    return by_edition


def _by_edition(path, kind):
    """Return the content of a file by edition, checked to have a type."""
    entries = yaml.load(path.read_text(encoding="utf-8"), LOADER)
    entries = TypeAdapter(dict[str, kind]).validate_python(entries)
    for edition in entries:
        _require(edition in papers.editions(), unknown("edition", edition, papers.editions()))
    return entries


def _check_arguments(test, kind, expect):
    """Refuse arguments that a test does not take, or several that exclude each other."""
    try:
        inspect.signature(kind.run).bind(None, **expect)
    except TypeError as error:
        raise InputError(f"test {test}: {error}") from None
    if kind.one_of:
        n = len({*kind.one_of} & {*expect})
        _require(n == 1, f"test {test}: must have one of {', '.join(kind.one_of)}")


def _claim(paper, entry):
    """Return a checked claim. The ledger writes ``test: {name: {argument: value}}``, in one key."""
    with _at(entry.get("id", f"{paper}, a claim without id")):
        keys = [part.name for part in fields(Claim) if part.name not in ("paper", "expect")]
        for key in entry:
            _require(key in keys, unknown("key", key, keys))
        test = entry.get("test")
        _require(isinstance(test, dict) and len(test) == 1, "test: must be one named test")
        ((name, expect),) = test.items()
        return Claim(**entry | {"paper": paper, "test": name, "expect": expect or {}})


@contextmanager
def _at(place):
    """Turn a mistake into one line that names the place: a file, or a claim in it."""
    try:
        yield
    except ValidationError as error:
        first = error.errors()[0]
        key = "".join(f"{name}: " for name in first["loc"] if name != "[key]")
        is_ours = first["type"] == "value_error"  # a check of this module raised it
        text = first["ctx"]["error"] if is_ours else first["msg"]
        raise InputError(f"{place}: {key}{text}") from None
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError(f"{place}: not readable: {one_line(str(error))}") from None


def _require(condition, text):
    if not condition:
        raise InputError(text)
