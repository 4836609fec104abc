"""Published claims -> verdicts: the ledger `claims.yaml`, decided by the runs.

The ledger says what a paper claims, where, and which named test of `antdoku.claim_tests` decides it
on which runs; nobody writes a verdict by hand. Everything here is a pure function of the ledger and
of a runs table.
"""

import inspect
import os
from collections import Counter
from dataclasses import dataclass, field, fields
from importlib.resources import files
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from antdoku import statistics, tables
from antdoku.claim_tests import TESTS
from antdoku.errors import InputError, unknown
from antdoku.evidence import UNDECIDED, VERDICTS, Sample
from antdoku.inference import ALPHA
from antdoku.outcome import SOLVED
from antdoku.published import SOURCES
from antdoku.tables.summary import FRACTION_DECIMALS, of_given_puzzles, of_random_instances, typed

LEDGER = "claims.yaml"
SELECTION = ("experiment", "order", "fixed_fraction", "family", "instance_id", "variant")
TEXTS = {"id", "place", "claim", "published", "limit", "note"}
GIVEN = ("family", "instance_id")  # without either, a claim is about random instances
VERDICT_COLUMNS = {
    "id": "str",
    "paper": "str",
    "place": "str",
    "claim": "str",
    "published": "str",
    "ours": "str",
    "n": "Int64",
    "unit": "str",
    "low": "float64",  # 95 % interval of the measurement, in the unit of the published figure
    "high": "float64",
    "effect": "float64",
    "measure": "str",  # of the effect
    "p": "float64",
    "p_holm": "float64",  # corrected for all claims of the paper
    "verdict": "str",
    "needed": "Int64",  # how many of the unit the test needs
    "test": "str",
    "limits": "str",
    "par2_s": "float64",  # of the first variant
    "mean_time_solved_s": "float64",  # the same as the papers take it: biased
    "biased": "bool",  # the published figure is a mean of the solved runs only
    "note": "str",
}


@dataclass(frozen=True)
class Claim:
    """One entry of the ledger.

    Parameters
    ----------
    id : str
        Unique in the ledger.
    paper : str
        A key of `published.SOURCES`.
    place, claim, published : str
        Where it stands, what it says in our words, and the printed figure.
    test : str
        A key of `claim_tests.TESTS`.
    expect : dict
        The other arguments of the test.
    runs : dict
        The runs that decide it: allowed values, one or a list, by column (`SELECTION`). Without
        family and instance_id they are those on random instances.
    limit : str
        The limit of a run in the paper.
    biased : bool
        Whether the published figure is a mean over the solved runs only.
    note : str
        What else makes the comparison weaker.
    """

    id: str
    paper: str
    place: str
    claim: str
    published: str
    test: str
    expect: dict
    runs: dict = field(default_factory=dict)
    limit: str = ""
    biased: bool = False
    note: str = ""

    @property
    def where(self) -> dict[str, list]:
        """The values that are allowed in each column of the runs, but for the experiment."""
        where = {name: _as_list(values) for name, values in self.runs.items()}
        where.pop("experiment", None)
        if "fixed_fraction" in where:
            where["fixed_fraction"] = [round(p, FRACTION_DECIMALS) for p in where["fixed_fraction"]]
        return where

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants that it is about, in its order."""
        return tuple(self.where.get("variant", []))


# --- the ledger ----------------------------------------------------------------------------------


def load(path=None) -> list[Claim]:
    """Read the ledger, of the package or from `path`.

    Raises
    ------
    InputError
        One line that names the file and the claim, and what is wrong there.
    """
    path = files("antdoku").joinpath(LEDGER) if path is None else Path(path)
    try:
        ledger = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{path.name}: not a readable ledger: {reason}") from None
    try:
        claims = [_claim(paper, entry) for paper, entry in _entries(ledger)]
        for name, number in Counter(claim.id for claim in claims).items():
            _require(number == 1, f"{name}: the id stands there twice")
    except InputError as error:
        raise InputError(f"{path.name}: {error}") from None
    return claims


def _entries(ledger):
    _require(isinstance(ledger, dict), "must hold papers, each with a list of claims")
    for paper, entries in ledger.items():
        _require(paper in SOURCES, unknown("paper", paper, SOURCES))
        _require(isinstance(entries, list), f"{paper}: must be a list of claims")
        yield from ((paper, entry) for entry in entries)


def _claim(paper, entry):
    """A checked claim. The ledger writes ``test: {name: {argument: value}}``, in one key."""
    _require(isinstance(entry, dict), f"{paper}: {entry!r}: must be keys with values")
    name = entry.get("id", f"{paper}, a claim without id")
    known = [each.name for each in fields(Claim) if each.name not in ("paper", "expect")]
    for key in entry:
        _require(key in known, f"{name}: {unknown('key', key, known)}")
    for key in ("id", "place", "claim", "published", "test"):
        _require(key in entry, f"{name}: the key {key} is missing")
    for key in TEXTS & set(entry):
        _require(isinstance(entry[key], str), f"{name}: {key}: {entry[key]!r}: must be text")
    test = entry["test"]
    _require(isinstance(test, dict) and len(test) == 1, f"{name}: test: must be one named test")
    ((test, expect),) = test.items()
    claim = Claim(**{**entry, "paper": paper, "test": test, "expect": expect or {}})
    _check_test(claim)
    return claim


def _check_test(claim):
    """The test exists, takes these arguments, and finds its variants among the runs."""
    _require(claim.test in TESTS, f"{claim.id}: {unknown('test', claim.test, TESTS)}")
    function, n_variants = TESTS[claim.test]
    try:
        inspect.signature(function).bind(None, **claim.expect)
    except TypeError as error:
        raise InputError(f"{claim.id}: test {claim.test}: {error}") from None
    _require(not claim.runs or "experiment" in claim.runs, f"{claim.id}: runs: no experiment")
    for key in claim.runs:
        _require(key in SELECTION, f"{claim.id}: runs: {unknown('column', key, SELECTION)}")
    found = len(claim.variants)
    _require(
        found > 1 if n_variants is None else found == n_variants,
        f"{claim.id}: runs: {found} variants: test {claim.test} takes "
        f"{'two or more' if n_variants is None else n_variants}",
    )


def _require(condition, text):
    if not condition:
        raise InputError(text)


# --- verdicts ------------------------------------------------------------------------------------


def verdicts(runs: pd.DataFrame, claims: list[Claim] | None = None) -> pd.DataFrame:
    """Decide claims, those of the ledger or others, by the runs.

    Parameters
    ----------
    runs : DataFrame
        `record.COLUMNS`; any part of them may be missing.

    Returns
    -------
    DataFrame
        Columns `VERDICT_COLUMNS`, one row a claim, in the order of the ledger.
    """
    claims = load() if claims is None else claims
    samples = [select(runs, claim) for claim in claims]
    evidence = [
        TESTS[claim.test].run(sample, **claim.expect) for claim, sample in zip(claims, samples)
    ]
    table = pd.DataFrame(map(_row, claims, samples, evidence))
    if not claims:
        return typed(table, VERDICT_COLUMNS)
    p_holm = table.groupby("paper")["p"].transform(statistics.holm)
    table = table.assign(p_holm=p_holm, verdict=list(map(_verdict, samples, evidence, p_holm)))
    return typed(table, VERDICT_COLUMNS)


def select(runs: pd.DataFrame, claim: Claim) -> Sample:
    """The runs that a claim is about."""
    where = dict(claim.where)
    if not claim.runs:
        return Sample(runs.iloc[:0])
    of = of_given_puzzles if set(GIVEN) & set(where) else of_random_instances
    chosen = of(runs, claim.runs["experiment"])
    for column, values in where.items():
        chosen = chosen[chosen[column].isin(values)]
    places = set(product(*where.values()))
    found = set(chosen[list(where)].drop_duplicates().itertuples(index=False, name=None))
    return Sample(chosen, claim.variants, "instance_id" in where, len(places - found))


def _verdict(sample, found, p_holm):
    if sample.n_missing:
        return UNDECIDED
    return found.if_significant if p_holm < ALPHA else found.if_not


def _row(claim, sample, found):
    """A row of the table but for the verdict."""
    facts = {name: getattr(claim, name) for name in VERDICT_COLUMNS if hasattr(claim, name)}
    figures = {name: getattr(found, name) for name in VERDICT_COLUMNS if hasattr(found, name)}
    first = sample.runs[sample.runs["variant"].isin(claim.variants[:1])]
    solved = first["status"] == SOLVED
    partial = sample.n_missing and len(sample.runs)
    missing = f"Runs of {sample.n_missing} of the kinds that it is about are missing."
    return {
        **facts,
        **figures,
        "note": " ".join([claim.note] * bool(claim.note) + [missing] * bool(partial)),
        "limits": _limits(claim, sample.runs),
        "par2_s": statistics.par2(first["cpu_s"], solved, first["limit_s"]),
        "mean_time_solved_s": statistics.mean_solved(first["cpu_s"], solved),
    }


def _limits(claim, runs):
    """Limits of a run, ours and the paper's: these are other machines and other programs."""
    seconds = [f"{limit:g} s" for limit in np.unique(runs["limit_s"].dropna())]
    steps = [f"{limit} steps" for limit in np.unique(runs["limit_steps"]) if limit > 0]
    paper = [f"paper: {claim.limit}"] if claim.limit else []
    ours = [" / ".join(seconds + steps)] if seconds or steps else []
    return "; ".join(ours + paper)


def _as_list(values):
    return values if isinstance(values, list) else [values]


# --- output --------------------------------------------------------------------------------------


def write(table: pd.DataFrame, path) -> None:
    """Write verdicts after the ending of `path`: .csv, .md (`markdown`) or .txt (`summary`)."""
    text = {".md": markdown, ".txt": summary}.get(Path(path).suffix)
    if text is None:
        tables.write(table, path)
    else:
        Path(path).write_text(text(table), encoding="utf-8")


def read(path) -> pd.DataFrame:
    """Read back the CSV of `write`, with its types."""
    path = os.fspath(path)
    return pd.read_csv(
        path,
        dtype=VERDICT_COLUMNS,
        keep_default_na=False,
        na_values={
            column: [""] for column, kind in VERDICT_COLUMNS.items() if kind not in ("str", "bool")
        },
    )


def summary(table: pd.DataFrame) -> str:
    """Counts of the verdicts by paper, and the claims that were not reproduced, as plain text."""
    counts = _counts(table)
    lines = [counts.to_string(), ""]
    for verdict in VERDICTS[1:]:
        chosen = table[table["verdict"] == verdict]
        lines += [f"{verdict}:"] if len(chosen) else []
        for row in chosen.itertuples():
            needs = f"; needs {_needed(row)}" if verdict == UNDECIDED else ""
            lines += [f"  {row.id}: {row.published}; ours: {row.ours}{needs}"]
    return "\n".join(lines) + "\n"


def markdown(table: pd.DataFrame) -> str:
    """The verdicts as a page: counts, a table for each paper, and how to read them."""
    counts = _counts(table).reset_index()
    parts = ["# Claims and verdicts", _markdown_table(counts.columns, counts.to_numpy())]
    for paper, rows in table.groupby("paper", sort=False):
        parts += [f"## {SOURCES[paper]}"]
        parts += [_markdown_table(HEADER, [_cells(row) for row in rows.itertuples()])]
    return "\n\n".join([*parts, LEGEND, _tests_legend(table)]) + "\n"


HEADER = (
    "claim",
    "published",
    "ours",
    "95 % interval",
    "n",
    "test",
    "p (Holm)",
    "effect",
    "PAR2, s",
    "mean of solved, s (biased)",
    "limits",
    "verdict",
)
LEGEND = f"""\
## How to read this

Every verdict is computed from the runs. p values carry Holm's correction over all claims of a
paper; below {ALPHA:g} is significant. Intervals are of the measurement, those of rates in percent.
PAR2 counts a failure as twice its limit. The mean of the solved runs is what the papers print, and
is biased: the more a system fails on hard instances, the faster it looks; a figure marked † is such
a mean. Times are CPU seconds on our machine. Limits differ from the papers' (ours are shorter, our
programs faster), so what depends on a limit is not strictly the same experiment.

When each test gives which verdict:
"""


def _counts(table):
    counts = pd.crosstab(table["paper"].map(SOURCES), table["verdict"])
    counts = counts.reindex(
        index=[SOURCES[paper] for paper in table["paper"].unique()],
        columns=list(VERDICTS),
        fill_value=0,
    )
    counts.loc["all"] = counts.sum()
    return counts.rename_axis(index="paper", columns=None)


def _cells(row):
    verdict = f"{row.verdict}: needs {_needed(row)}" if row.verdict == UNDECIDED else row.verdict
    return (
        f"{row.claim} ({row.place})" + (f" {row.note}" if row.note else ""),
        row.published + (" †" if row.biased else ""),
        row.ours,
        "" if np.isnan(row.low) else f"{row.low:.3g} … {row.high:.3g}",
        f"{row.n} {row.unit}",
        row.test,
        "" if np.isnan(row.p_holm) else f"{row.p_holm:.2g}",
        "" if np.isnan(row.effect) else f"{row.measure} {row.effect:+.2f}",
        "" if np.isnan(row.par2_s) else f"{row.par2_s:.3g}",
        "" if np.isnan(row.mean_time_solved_s) else f"{row.mean_time_solved_s:.3g}",
        row.limits,
        f"**{verdict}**",
    )


def _needed(row):
    return f"first {row.unit}" if pd.isna(row.needed) else f"{row.needed} {row.unit}"


def _markdown_table(header, rows):
    cells = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in cells)


def _tests_legend(table):
    """When each of the tests that were used gives which verdict, from its docstring."""
    lines = []
    for name in table["test"].unique():
        paragraphs = inspect.getdoc(TESTS[name].run).split("\n\n")
        (rule,) = (text for text in paragraphs if text.startswith("reproduced:"))
        lines += [f"- `{name}`: {paragraphs[0]} " + " ".join(rule.split())]
    return "\n".join(lines)
