"""Claims -> verdicts, decided by the runs: a pure function of the ledger and of a runs table.

Runs are read at the work of the paper that makes the claim (`tables.work`), and claims of success
also at half of it and at twice as much. Here p values of differences are corrected for all such
claims of a paper, and one of the two verdicts that the evidence leaves possible is chosen. Where a
paper can be read in several ways, a claim is not reproduced only if it is so under all readings.
"""

from functools import cache
from itertools import product, starmap
from math import ceil
from typing import NamedTuple

import numpy as np
import pandas as pd

from antdoku import inference, published, statistics
from antdoku.claims import ledger
from antdoku.claims.evidence import (
    INSTANCE,
    NOT_REPRODUCED,
    PARTLY,
    REPRODUCED,
    SUCCESS,
    UNDECIDABLE,
    UNDECIDED,
    Evidence,
    Sample,
)
from antdoku.claims.tests import INSTANCES, TESTS
from antdoku.inference import ALPHA
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.tables import work
from antdoku.tables.summary import of_given_puzzles, of_random_instances, typed

OWN_WORK = ("lewis_journal",)  # its limits are others than those of `published.WORK_OF`
GIVEN = ("family", "instance_id")  # without either, a claim is about random instances
TESTED = [  # columns of the runs that tests look at
    *("experiment", "family", "instance_id", "variant", "solver", "order", "fixed_fraction"),
    *("repetition", "status", "cpu_s", "spread_s", "steps", "limit_s", "limit_steps"),
    *("trivial", "fixed_after_cp", "given_fraction", "mean_value_set_size", "source"),
]
ARCHIVE = "archive"  # source of instances that the authors have published
FEWEST = 5  # runs, or random instances, of a variant: with fewer a verdict hangs on a single one
OTHER_WORKS = {"verdict_half": 0.5, "verdict_double": 2.0}  # in the paper's
COLUMNS = {
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
    "p_holm": "float64",  # corrected for all claims of difference of the paper; NaN for others
    "verdict": "str",
    "verdict_main": "str",  # under the main reading alone
    "readings": "str",  # what every other reading gives: name: verdict (measurement); ...
    "verdict_half": "str",  # at half of the paper's work; empty where it is not known
    "verdict_double": "str",  # at twice the paper's work; empty where runs ended before
    "depends_on_work": "bool",  # whether one of them is another than that of the main reading
    "reason": "str",  # what leaves it undecided, or makes it partly reproduced
    "needed": "Int64",  # how many of the unit the test needs
    "test": "str",
    "limits": "str",
    "par2_s": "float64",  # of the first variant
    "mean_time_solved_s": "float64",  # the same as the papers take it: biased
    "biased": "bool",  # the published figure is a mean of the solved runs only
    "note": "str",
}


class Decided(NamedTuple):
    """A claim at some work: what it was tested on, what was found, and the verdict."""

    sample: Sample
    found: Evidence
    p_holm: float
    verdict: str


def decide(runs: pd.DataFrame, claims: list[ledger.Claim] | None = None) -> pd.DataFrame:
    """Decide claims by the runs.

    Parameters
    ----------
    runs : DataFrame
        Columns `record.COLUMNS`. Runs of any part of the experiments may be missing. Those of
        `api.compare` do not have `given_fraction`, for which `fixed_fraction` counts then, nor
        `source`.
    claims : list of Claim, optional
        Those of the ledger that some of the runs are about, if not given.

    Returns
    -------
    DataFrame
        Columns `COLUMNS`, one row a claim, in the order of the ledger.
    """
    claims = about(runs, ledger.load()) if claims is None else claims
    runs = _filled(runs)[TESTED]  # every claim copies what it needs of all runs
    chosen = [_choose(runs, claim) for claim in claims]
    decided = _decide(chosen, claims)
    table = pd.DataFrame(map(_row, claims, decided))
    if not claims:
        return typed(table, COLUMNS)
    for column, factor in OTHER_WORKS.items():
        table[column] = _at_other_work(chosen, claims, decided, factor)
    others = table[list(OTHER_WORKS)]
    changes = (others.ne("") & others.ne(table["verdict"], axis=0)).any(axis=1)
    table["depends_on_work"] = changes & np.array([_is_complete(each.sample) for each in decided])
    return typed(_under_all_readings(table, runs, claims), COLUMNS)


def _filled(runs):
    """Runs with the columns that those of `api.compare` do not have."""
    known = {"given_fraction": runs["fixed_fraction"], "source": ""}
    return runs.assign(**{name: known[name] for name in known if name not in runs})


def _under_all_readings(table, runs, claims):
    """The table with the verdicts under all readings in place of those under the main one."""
    found = [[] for _ in claims]
    for paper, readings in ledger.readings().items():
        for reading in readings:
            for place, verdict, ours in _under(reading, runs, claims, paper):
                found[place].append((reading, verdict, ours))
    overall = [
        _overall(*row, others)
        for row, others in zip(table[["verdict", "reason"]].itertuples(index=False), found)
    ]
    table["verdict_main"] = table["verdict"]
    table[["verdict", "reason"]] = overall
    table["readings"] = ["; ".join(starmap(_told, others)) for others in found]
    return table


def _under(reading, runs, claims, paper):
    """Place, verdict and measurement of each claim of a paper that has runs of this reading."""
    of_paper = [(place, claim) for place, claim in enumerate(claims) if claim.paper == paper]
    others = [(place, other) for place, claim in of_paper if (other := claim.under(reading))]
    chosen = [_choose(runs, other) for _, other in others]
    decided = _decide(chosen, [other for _, other in others])
    for (place, _), each in zip(others, decided, strict=True):
        if _is_complete(each.sample) and len(each.sample.runs):
            yield place, each.verdict, each.found.ours


def _overall(verdict, reason, others):
    """Verdict and reason of a claim, whose `others` are those of the readings beside the main."""
    by_verdict = {found: reading for reading, found, _ in reversed(others)}
    if verdict == NOT_REPRODUCED and (known := by_verdict.keys() - {NOT_REPRODUCED}):
        best = next(each for each in (REPRODUCED, PARTLY, UNDECIDED, UNDECIDABLE) if each in known)
        text = f"not in the main reading; {best} under another one, {by_verdict[best].name}"
        return (PARTLY if best == REPRODUCED else best), text
    return verdict, reason


def _told(reading, verdict, ours):
    return f"{reading.name}: {verdict} ({ours})"


def about(runs: pd.DataFrame, claims: list[ledger.Claim]) -> list[ledger.Claim]:
    """The claims that some of the runs are about.

    A claim about puzzles, which takes no runs, comes with the others of its paper.
    """
    kinds = runs[list(ledger.SELECTION)].drop_duplicates()
    found = [claim for claim in claims if len(_choose(kinds, claim))]
    papers = {claim.paper for claim in found}
    return [
        claim for claim in claims if claim in found or (not claim.runs and claim.paper in papers)
    ]


def both(table: pd.DataFrame, other: pd.DataFrame) -> pd.DataFrame:
    """The claims that two tables of `decide` have.

    Returns
    -------
    DataFrame
        id, verdict and ours, those of the other with the ending ``_other``.
    """
    columns = ["id", "verdict", "ours"]
    return table[columns].merge(other[columns], on="id", suffixes=("", "_other"))


def differing(table: pd.DataFrame, other: pd.DataFrame) -> pd.DataFrame:
    """Those of `both` that the tables do not decide alike."""
    return both(table, other).query("verdict != verdict_other")


def _decide(chosen, claims, factor=1.0, known=None):
    """All claims, by runs at the paper's work times `factor`.

    `known` is what was decided before: claims whose evidence does not change with work keep it.
    """
    decided = known or [None] * len(claims)
    samples, evidence = [], []
    for runs, claim, before in zip(chosen, claims, decided, strict=True):
        is_same = before and not (before.sample.has_work and _is_of_success(claim))
        samples.append(before.sample if is_same else _at_work(runs, claim, factor))
        evidence.append(before.found if is_same else _evidence(claim, samples[-1]))
    p = pd.Series([each.p if each.is_difference else np.nan for each in evidence], dtype=float)
    p_holm = p.groupby([claim.paper for claim in claims]).transform(statistics.holm)
    verdicts = map(_verdict, claims, samples, evidence, p_holm)
    return list(map(Decided, samples, evidence, p_holm, verdicts))


def _at_other_work(chosen, claims, decided, factor):
    """Verdicts on claims of success, empty if not all runs went on so long."""
    others = _decide(chosen, claims, factor, decided)
    known = [each.sample.has_work and not each.sample.n_unfinished for each in others]
    return [
        other.verdict if is_known and _is_of_success(claim) else ""
        for claim, other, is_known in zip(claims, others, known, strict=True)
    ]


def _is_of_success(claim):
    """Whether a claim is of success, and not of times or of instances."""
    return claim.expect.get("by", TESTS[claim.test].of) == SUCCESS


def select(runs: pd.DataFrame, claim: ledger.Claim, factor: float = 1.0) -> Sample:
    """The runs that a claim is about, as they would have ended after the work of its paper.

    Without family and instance_id these are runs on the random instances of its experiment.

    Parameters
    ----------
    runs : DataFrame
        At least the columns `TESTED`; `given_fraction` and `source` may be missing.
    factor : float
        Of that work.
    """
    return _at_work(_choose(_filled(runs), claim), claim, factor)


def _choose(runs, claim):
    """The runs that a claim is about."""
    if not claim.runs:
        return runs.iloc[:0]
    of = of_given_puzzles if set(GIVEN) & set(claim.where) else of_random_instances
    chosen = of(runs, claim.runs["experiment"])
    for column, values in claim.where.items():
        chosen = chosen[chosen[column].isin(values)]
    return chosen


def _at_work(chosen, claim, factor):
    """The sample of a claim: its runs at so much work."""
    where, paper = claim.where, _paper_of_work(claim)
    places = set(product(*where.values())) if claim.runs else set()
    found = set(chosen[list(where)].drop_duplicates().itertuples(index=False, name=None))
    runs = work.at(chosen, paper, factor)
    unfinished = work.is_unfinished(runs) | ~work.is_decided(runs, paper, factor)
    unfinished |= (runs["status"] == TIMEOUT) & (runs["steps"] < claim.steps)
    return Sample(
        runs,
        claim.variants,
        same_puzzles="instance_id" in where,
        from_archive=len(runs) > 0 and bool((runs["source"] == ARCHIVE).all()),
        n_missing=len(places - found),
        # What is claimed of instances alone does not depend on how runs ended.
        n_unfinished=0 if TESTS[claim.test].of == INSTANCES else int(unfinished.sum()),
        has_work=len(runs) > 0 and bool(work.papers_steps(runs, paper).notna().all()),
    )


def _paper_of_work(claim):
    """The paper whose work a claim is about, empty where it is not known."""
    if claim.paper in OWN_WORK:
        return claim.paper
    return published.WORK_OF.get(claim.runs.get("experiment"), "")


def _evidence(claim, sample):
    return TESTS[claim.test].run(sample, **claim.expect)


def _verdict(claim, sample, found, p_holm):
    if claim.undecidable:
        return UNDECIDABLE
    if not _is_complete(sample):
        return UNDECIDED
    verdict = found.if_significant if p_holm < ALPHA else found.if_not
    is_open = verdict == UNDECIDED and found.needed is None
    return UNDECIDABLE if is_open and not _more(found, p_holm) < np.inf else verdict


def _is_complete(sample):
    return not (sample.n_missing or sample.n_unfinished or _has_few(sample))


def _has_few(sample):
    """Whether a variant has too few runs, or random instances, for any verdict."""
    key = INSTANCE + ["repetition"] * sample.is_papers
    trials = sample.runs[["variant", *key]]
    if not sample.variants:
        return 0 < len(trials.drop_duplicates(key)) < FEWEST
    return bool(trials.drop_duplicates()["variant"].value_counts().min() < FEWEST)


def _row(claim, decided):
    """A row of the table but for what a rule of ours gives, and for verdicts at other works."""
    sample, found = decided.sample, decided.found
    facts = {name: getattr(claim, name) for name in COLUMNS if hasattr(claim, name)}
    figures = {name: getattr(found, name) for name in COLUMNS if hasattr(found, name)}
    first = sample.runs[sample.runs["variant"].isin(claim.variants[:1])]
    solved = first["status"] == SOLVED
    return {
        **facts,
        **figures,
        "p_holm": decided.p_holm,
        "verdict": decided.verdict,
        "reason": "; ".join(_reasons(claim, decided)),
        "limits": _limits(claim, sample.runs) if claim.variants else "",
        "par2_s": statistics.par2(first["cpu_s"], solved, first["limit_s"]),
        "mean_time_solved_s": statistics.mean_solved(first["cpu_s"], solved),
    }


def _reasons(claim, decided):
    """What leaves a claim open, and how many runs or instances would decide it."""
    sample, found = decided.sample, decided.found
    if decided.verdict == UNDECIDABLE:
        yield claim.undecidable or "the paper's own sample is too small for any number of ours"
    if decided.verdict != UNDECIDED:
        return
    if sample.n_missing:
        yield f"no runs of {sample.n_missing} of the kinds that it is about"
    if sample.n_unfinished:
        n, of = sample.n_unfinished, len(sample.runs)
        yield f"{n} of {of} runs ended before the work that it is about"
    if found.needed is not None and found.n < found.needed:
        yield f"needs {found.needed} {found.unit}"
    elif _has_few(sample):
        yield f"fewer than {FEWEST} {'runs' if sample.is_papers else 'instances'}"
    elif _is_complete(sample) and not np.isnan(more := _more(found, decided.p_holm)):
        decides = f"{ceil(more)} {found.unit} would" if np.isfinite(more) else "no number would"
        yield f"by what these show {decides} decide"


def _more(found, p_holm):
    """How many would decide where as many as were planned for do not; NaN if it is not known."""
    return inference.to_show(found.n, p_holm) if found.is_difference else found.to_decide


def _limits(claim, runs):
    """Limits of a run, ours and the paper's: the paper's work, or so many steps, or seconds."""
    by_steps = runs["limit_steps"] > 0
    limited, timed = runs[by_steps], runs[~by_steps]
    steps = work.papers_steps(limited, _paper_of_work(claim))
    is_papers = len(limited) > 0 and (limited["limit_steps"] == steps).all()
    done = _steps(limited)
    in_paper = f" ({claim.limit})" if claim.limit else ""
    parts = [
        f"{done} = the paper's work{in_paper}" if is_papers else done,
        f"guard {_seconds(limited)}" if _seconds(limited) else "",
        _seconds(timed),
        "" if is_papers or not claim.limit else f"paper: {claim.limit}",
    ]
    return "; ".join(filter(None, parts))


def _steps(runs):
    """Limits in steps with their units; of each solver where they differ."""
    limits = {
        solver: f"{_listed(group['limit_steps'], ',')} {_units().get(solver, 'steps')}"
        for solver, group in runs.groupby("solver", sort=False, observed=True)
    }
    if len(set(limits.values())) <= 1:
        return next(iter(limits.values()), "")
    return ", ".join(f"{solver} {limit}" for solver, limit in limits.items())


def _seconds(runs):
    limits = _listed(runs["limit_s"].dropna(), "g")
    return f"{limits} s" if limits else ""


def _listed(limits, form):
    return " / ".join(f"{limit:{form}}" for limit in np.unique(limits))


@cache
def _units():
    """What the steps of a solver are, by its name."""
    table = published.work_of_limits()
    return dict(zip(table["solver"], table["unit"]))
