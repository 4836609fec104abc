"""The claims of the papers: `claims.yaml` of their folders, read and checked.

The ledger says what a paper claims, where, and which test of `antdoku.claims.kinds` decides it on
which runs. Nobody writes a verdict by hand. `readings.yaml` has other readings of the sentences of
a paper; every claim is decided under each of them as well.
"""

import inspect
import re
from dataclasses import field, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    ValidationError,
    create_model,
    model_validator,
)
from pydantic.dataclasses import dataclass

from antdoku import papers, yaml_files
from antdoku.claims import INSTANCES, STEPS, SUCCESS
from antdoku.claims.kinds import KINDS
from antdoku.errors import unknown
from antdoku.papers import published
from antdoku.yaml_files import at_key, check_different

LEDGER, READINGS = "claims.yaml", "readings.yaml"
STRICT = {"strict": True}
NO_LIMIT = "none"
SPEEDS = {  # arguments that say how fast the paper's program is
    "program": f"an edition in {published.WORKS}",
    "step_s": "the seconds of a step in print",
}
COMPARED = ("compare", "ranking")  # tests with printed numbers of the measure `by`
T = TypeVar("T")
Text = Annotated[str, Field(min_length=1)]


def _has_unit(limit):
    if limit and limit.lower() != NO_LIMIT and not re.search(r"\d.*[a-z]", limit, re.IGNORECASE):
        raise ValueError(f"{limit!r}: needs a number and a unit, such as 5 s; or write none")
    return limit


Limit = Annotated[str, AfterValidator(_has_unit)]
# One value, or a list of different values.
Values = Annotated[
    list[T],
    Field(min_length=1),
    AfterValidator(check_different),
    BeforeValidator(lambda value: value if isinstance(value, list) else [value]),
]


class Runs(BaseModel, strict=True, extra="forbid"):
    """Allowed values of the runs of a claim, by column."""

    experiment: Text = ""
    order: Values[int] = []
    fixed_fraction: Values[float] = []
    family: Values[str] = []
    instance_id: Values[str] = []
    variant: Values[str] = []


def _lists(runs):
    return Runs.model_validate(runs).model_dump(exclude_unset=True)


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
    work: PositiveFloat = 1.0  # the multiple of the paper's work at which its runs are read


@dataclass(frozen=True, config=STRICT)
class Claim:
    """One entry of the ledger: a statement of a paper, and the test and the runs that decide it."""

    id: Text  # unique in the ledger
    paper: str  # a key of `papers.editions`
    place: Text  # where it stands
    claim: Text  # what it says, in our words
    published: Text  # the printed figure
    test: str  # a key of `claims.kinds.KINDS`
    expect: dict[str, Any]  # the other arguments of the test
    # Allowed values by column, as in `Runs`.
    runs: Annotated[dict[str, Any], BeforeValidator(_lists)] = field(default_factory=dict)
    words: str = ""  # of the paper, if the claim says more than a number
    limit: Limit = ""  # of a run in the paper, with its unit; "none": it has no limit
    # The steps that an unsolved run must have done to count, where `published.work` does not know
    # them: the paper's limit, or a number in place of it; 0: the limit of the paper's experiment.
    steps: NonNegativeInt = 0
    # The CPU seconds at which runs are read, where seconds limit them: the paper's limit, or the
    # smallest limit of several systems; 0: the limit of the paper's experiment.
    seconds: NonNegativeFloat = 0.0
    biased: bool = False  # whether the published figure is a mean over the solved runs only
    note: str = ""  # what else makes the comparison weaker
    cause: str = ""  # the likely cause, if the verdict of record is "not reproduced"
    undecidable: str = ""  # why nothing that we can run decides it; empty if something does

    @model_validator(mode="after")
    def _can_be_decided(self):
        """Refuse a claim unless its test takes these arguments and this number of variants."""
        if self.test not in KINDS:
            raise at_key(unknown("test", self.test, KINDS), "test")
        _check_arguments(self.test, self.expect)
        kind, n_variants = KINDS[self.test], len(self.variants)
        if "experiment" not in self.runs and (self.runs or self.steps):
            raise at_key("there is no experiment", "runs")
        percents = self.expect.get("percent")
        fractions = self.where.get("fixed_fraction", [])
        if isinstance(percents, dict) and {*percents} != {*fractions}:
            text = f"needs the same fixed fractions in runs: fixed_fraction: {[*percents]}"
            raise at_key(text, "test", self.test, "percent")
        if not kind.least <= n_variants <= kind.most:
            allowed = f"{kind.least} to {kind.most}" if kind.most > kind.least else kind.least
            raise at_key(f"variants: {n_variants}, where {self.test} takes {allowed}", "runs")
        names = [*chain(*self.expect.get("order", ()))]
        for name in names:
            if name not in self.variants:
                text = unknown("variant", name, self.variants)
                raise at_key(text, "test", self.test, "order")
        if names and sorted(names) != sorted(self.variants):
            text = "must have each variant of the runs once"
            raise at_key(text, "test", self.test, "order")
        if self.expect.get("gap") and "percents" not in self.expect and "by" not in self.expect:
            raise at_key("gap needs percents, or by", "test", self.test)
        by = self.expect.get("by", SUCCESS)
        other = "times" if by == SUCCESS else "percents"
        if self.test in COMPARED and other in self.expect:
            raise at_key(f"by: {by} compares no {other}", "test", self.test, other)
        return self

    @property
    def where(self) -> dict[str, list]:
        """Allowed values in each column of the runs, except for the experiment."""
        return {name: values for name, values in self.runs.items() if name != "experiment"}

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants, in the order of the claim."""
        return tuple(self.where.get("variant", []))

    @property
    def is_random(self) -> bool:
        """Whether it is about random instances: it names neither families nor puzzles."""
        return not {"family", "instance_id"} & {*self.where}

    @property
    def has_no_limit(self) -> bool:
        """Whether runs of the paper have no limit, so that longer runs of ours count."""
        return self.limit.lower() == NO_LIMIT

    @property
    def is_of_instances(self) -> bool:
        """Whether it is about instances, however runs on them end."""
        by = self.expect.get("by")
        return by == INSTANCES if by else KINDS[self.test].of_instances

    def under(self, reading: Reading) -> "Claim | None":
        """Return the claim about the runs of another reading, or None if they are the same.

        None also if two variants become one.
        """

        def renamed(names):
            return [reading.variants.get(name, name) for name in names]

        experiment, expect = self.runs.get("experiment"), self.expect
        changed = {"experiment": reading.experiments.get(experiment, experiment)}
        if self.variants:
            changed["variant"] = renamed(self.variants)
        is_one = len({*changed.get("variant", ())}) < len(self.variants)
        if is_one or changed.items() <= (self.where | {"experiment": experiment}).items():
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
    return [*_load(path)]


@papers.cached  # reading takes a fifth of a second, and a report asks several times
def _load(file):
    claims, files = {}, {}
    for path in papers.with_file(LEDGER) if file is None else [Path(file)]:
        for place, entry in _entries(path, list, "a list of claims, which begin with `- id:`"):
            claim = _claim(entry, *place)
            if claim.id in claims:
                text = f"{files[claim.id]} has a claim {claim.id}; choose another id"
                raise yaml_files.mistake(text, *place, "id")
            claims[claim.id], files[claim.id] = claim, path
    return list(claims.values())


@papers.cached
def readings() -> dict[str, list[Reading]]:
    """Return the readings beside the main ones, by edition (a key of `papers.editions`)."""
    by_edition = {}
    for path in papers.with_file(READINGS):
        for place, entry in _entries(path, dict, "readings by name"):
            _, edition, _ = place
            by_edition.setdefault(edition, []).append(_reading(entry, *place))
    return by_edition


def _entries(path, kind, allowed):
    """Yield the place of each entry of a file (file, edition, number or name) and the entry."""
    for edition, entries in yaml_files.read(path, "edition_2030: ...").items():
        if edition not in papers.editions():
            text = unknown("edition", edition, papers.editions())
            raise yaml_files.mistake(text, path, edition)
        if not isinstance(entries, kind):
            raise yaml_files.mistake(f"must be {allowed}", path, edition)
        for key, entry in entries.items() if kind is dict else enumerate(entries):
            yield (path, edition, key), entry


def _reading(entry, file, *path):
    """Return a checked reading, whose name is the last key of its path."""
    yaml_files.check_entry(Reading, entry, file, *path, given=["name"])
    return _checked(Reading, entry | {"name": path[-1]}, file, *path)


def _claim(entry, file, *path):
    """Return a checked claim. The ledger writes ``test: {name: {argument: value}}``, in one key."""
    yaml_files.check_entry(Claim, entry, file, *path, given=("paper", "expect"))
    yaml_files.check_entry(Runs, entry.get("runs", {}), file, *path, "runs")
    test = entry["test"]
    yaml_files.check_keys(test, file, *path, "test", known=KINDS)
    if len(test) != 1:
        raise yaml_files.mistake("must be one test", file, *path, "test")
    ((name, expect),) = test.items()
    arguments = _arguments(name).model_fields
    yaml_files.check_keys(expect or {}, file, *path, "test", name, known=arguments)
    expect = {key: value for key, value in (expect or {}).items() if value is not None}
    parts = {"paper": path[0], "test": name, "expect": expect}
    return _checked(Claim, entry | parts, file, *path)


def _checked(kind, values, file, *path):
    """Return a claim or a reading; a wrong value is an `InputError` with its line."""
    try:
        return kind(**values)
    except ValidationError as error:
        keys, text = yaml_files.first_mistake(error)
        raise yaml_files.mistake(text, file, *path, *keys) from None


def _check_arguments(test, expect):
    """Refuse arguments that a test does not take, of a wrong type, or that exclude each other."""
    one_of = KINDS[test].one_of
    if one_of and len({*one_of} & {*expect}) != 1:
        words = [f"{name} ({SPEEDS[name]})" if name in SPEEDS else name for name in one_of]
        raise at_key(f"must have one of {', '.join(words)}", "test", test)
    try:
        _arguments(test).model_validate(expect)
    except ValidationError as error:
        (name, *_), text = yaml_files.first_mistake(error)
        raise at_key(text, "test", test, name) from None
    programs = sorted(published.with_work())
    if expect.get("program") not in (None, *programs):
        text = f"no {published.WORKS} has it: {unknown('edition', expect['program'], programs)}"
        raise at_key(text, "test", test, "program")
    if "step_s" in expect and "factor" not in expect:
        text = "needs factor, too: the seconds of a step are known within this factor"
        raise at_key(text, "test", test, "step_s")
    _check_together(test, expect)


def _check_together(test, expect):
    """Refuse arguments that a test takes, but not together."""
    for name, other in KINDS[test].apart:
        if expect.get(name) and expect.get(other):
            raise at_key(f"does not go with {name}", "test", test, other)
    if expect.get("pooled") and isinstance(expect.get("percent"), dict):
        raise at_key("needs one percent for all fixed fractions", "test", test, "pooled")
    if test == "hardest" and expect.get("by") == STEPS and "puzzles" not in expect:
        raise at_key("steps go with puzzles only", "test", test, "by")


@cache
def _arguments(test):
    """Return the model of what a claim expects: the parameters of the test beside the sample."""
    _, *parameters = inspect.signature(KINDS[test].run).parameters.values()
    types = {
        part.name: (part.annotation, ... if part.default is part.empty else part.default)
        for part in parameters
    }
    return create_model(test, __config__=ConfigDict(strict=True, extra="forbid"), **types)
