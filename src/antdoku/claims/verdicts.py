"""Claims -> verdicts, decided by the runs: a pure function of the ledger and of a runs table.

Each claim has two verdicts: of the main reading of its paper, and of the best of all its readings.
Runs are read at the work of the paper that makes the claim (`tables.work`). That is known within a
factor only, so what the evidence shows has to hold over its range. Here p values of differences are
corrected for all such claims of a paper, and the verdict is chosen.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from antdoku import papers, statistics
from antdoku.claims import (
    NOT_REPRODUCED,
    PARTLY,
    REPRODUCED,
    SUBSTITUTES,
    UNDECIDABLE,
    UNDECIDED,
    VERDICTS,
    ledger,
)
from antdoku.claims.evidence import Evidence, combined, untested
from antdoku.claims.kinds import KINDS
from antdoku.claims.sample import Sample
from antdoku.claims.samples import FEWEST, Samples
from antdoku.papers import published
from antdoku.statistics import ALPHA
from antdoku.tables.summary import typed

COLUMNS = {
    **dict.fromkeys(("id", "paper", "place", "claim", "words", "published", "ours"), "str"),
    "n": "Int64",
    "unit": "str",
    "low": "float64",  # 95 % interval of the measurement, in the unit of the published figure
    "high": "float64",
    "effect": "float64",
    "measure": "str",  # of the effect
    "p": "float64",  # of the test that shows the claim
    "p_against": "float64",  # of the test that shows its opposite
    "p_holm": "float64",  # p, corrected for all claims of difference of the paper; NaN for others
    "verdict": "str",  # in the main reading
    "best": "str",  # in the best reading of the paper, corrected for their number
    "best_reading": "str",  # if it is another than the main one
    "explained_by": "str",  # rules of ours, or chosen on the printed number, that reproduce it
    "readings": "str",  # what every other reading gives: name: verdict (measurement); ...
    "parts": "str",  # of a claim on several places: place: verdict (measurement); ...
    "decided_on": "str",  # the kind of instances
    "work": "str",  # the ends of the range of work at which it was decided, too
    "calibrated": "bool",  # whether it rests on a speed that was calibrated on printed times
    "reason": "str",  # what leaves it open, or is certain besides
    "within": "float64",  # of agreement: the smallest margin (Cohen's h) that shows it
    "test": "str",
    "limit": "str",  # of a run in the paper
    "biased": "bool",  # the published figure is a mean of the solved runs only
    "note": "str",
}
RANKS = {REPRODUCED: 0, PARTLY: 1, UNDECIDED: 2, UNDECIDABLE: 2, NOT_REPRODUCED: 3}
MOST_TRIALS = 10_000  # of a claim at a place, that a plan asks for
MOST_ROWS = 200_000  # of runs, on which a plan is tried
GROWTH = (2, 3, 4, 6, 8, 12, 16, 32, 64, 128, 256, 512)


class Decision(NamedTuple):
    """A claim with its sample, the evidence over the range of work, and the verdict."""

    claim: ledger.Claim
    sample: Sample
    evidence: Evidence
    correction: float = 1.0  # by which its p values are multiplied
    verdict: str = UNDECIDED
    reason: str = ""
    ends: tuple[str, ...] = ()  # of the range of work at which it was decided, too

    @property
    def p_holm(self) -> float:
        """The corrected p value of a difference; NaN for other claims."""
        evidence = self.evidence
        return min(1.0, evidence.p_for * self.correction) if evidence.is_difference else np.nan


def decide(runs: pd.DataFrame, claims: list[ledger.Claim] | None = None) -> pd.DataFrame:
    """Decide claims by the runs.

    Parameters
    ----------
    runs : DataFrame
        Columns `columns.COLUMNS`. Runs of any part of the experiments may be missing. Those of
        `api.compare` do not have `given_fraction`, for which `fixed_fraction` counts then, nor
        `source`.
    claims : list of Claim, optional
        Those of the ledger that some of the runs are about, if not given.

    Returns
    -------
    DataFrame
        Columns `COLUMNS`, one row a claim, in the order of the ledger.
    """
    samples = Samples(runs)
    claims = about(samples, ledger.load()) if claims is None else claims
    decisions = decide_all(samples, claims)
    others = _under_other_readings(samples, claims)
    rows = [_row(decision, readings) for decision, readings in zip(decisions, others)]
    return typed(pd.DataFrame(rows), COLUMNS)


def count(table: pd.DataFrame) -> pd.DataFrame:
    """Count the verdicts: a row a paper, a column a verdict and their sum, last the row Total.

    Claims that are decided on substitutes for the paper's puzzles are counted apart.
    """
    titles = row_titles(table)
    counts = pd.crosstab(titles, table["verdict"])
    counts = counts.reindex(index=titles.unique(), columns=list(VERDICTS), fill_value=0)
    counts["sum"] = counts.sum(axis=1)
    counts.loc["Total"] = counts.sum()
    return counts.rename_axis(index="paper", columns=None)


def row_titles(table: pd.DataFrame) -> pd.Series:
    """Return the title under which each claim is counted: its paper's, or that of substitutes."""
    titles = table["paper"].map(papers.editions())
    return titles.mask(table["decided_on"] == SUBSTITUTES, titles + ", on puzzles of ours")


def about(samples: Samples, claims: list[ledger.Claim]) -> list[ledger.Claim]:
    """Return the claims that some of the runs are about.

    A claim about puzzles, which takes no runs, comes with the others of its paper.
    """
    chosen = [claim for claim in claims if len(samples.sample(claim).runs)]
    editions = {claim.paper for claim in chosen}
    return [
        claim for claim in claims if claim in chosen or (not claim.runs and claim.paper in editions)
    ]


def decide_all(
    samples: Samples,
    claims: list[ledger.Claim],
    multiple: float = 1.0,
    n_readings: list[int] | None = None,
    planned: bool = True,
) -> list[Decision]:
    """Decide claims by runs at a multiple of the paper's work.

    A multiple that another reading states has no range. `n_readings` are the readings that are
    tried for each claim: p is multiplied by their number (Bonferroni's correction). Without a plan
    what is open is undecided, even if no more runs would decide it.
    """
    decisions = []
    for claim in claims:
        sample = samples.sample(claim, multiple)
        at_ends = []
        if multiple == 1.0 and not KINDS[claim.test].has_speed:
            at_ends = list(samples.over_range(claim))
        evidence = combined(_tested(claim, part) for part in (sample, *at_ends))
        if claim.undecidable or not sample.is_complete:  # it counts in no correction either
            evidence = untested(evidence)
        ends = tuple(part.at_work for part in at_ends)
        decisions.append((Decision(claim, sample, evidence, ends=ends), [sample, *at_ends]))
    factors = _holm_factors([decision for decision, _ in decisions]) * (n_readings or 1)
    return [
        _with_verdict(decision._replace(correction=factor), parts if planned else [])
        for (decision, parts), factor in zip(decisions, factors)
    ]


def _tested(claim, sample):
    return KINDS[claim.test].run(sample, **claim.expect)


def _holm_factors(decisions):
    """Return by what Holm's correction multiplies the p values of each claim of a difference."""
    papers_of = [decision.claim.paper for decision in decisions]
    p = pd.Series([_least_p(decision.evidence) for decision in decisions], dtype=float)
    corrected = p.groupby(papers_of).transform(statistics.holm)
    return (corrected / p).fillna(1.0).to_numpy()


def _least_p(evidence):
    """Return the least p value of a difference, of whatever it shows; NaN for other claims."""
    p = evidence.p_for, evidence.p_partly, evidence.p_against
    return min(p) if evidence.is_difference else np.nan


def _with_verdict(decision, parts):
    """Return a decision with its verdict and the reason; `parts` are its samples, for a plan."""
    claim, sample, evidence = decision.claim, decision.sample, decision.evidence
    if claim.undecidable:
        return decision._replace(verdict=UNDECIDABLE, reason=claim.undecidable)
    if not sample.is_complete or np.isnan(evidence.p_for):
        return decision._replace(verdict=UNDECIDED, reason="; ".join(_lacks(decision)))
    if verdict := shown(evidence, decision.correction):
        return decision._replace(verdict=verdict, reason=_besides(decision, verdict))
    if not parts:
        return decision._replace(verdict=UNDECIDED)
    if any(part.is_bound for part in parts):
        reason = "the runs end before the upper end of the range of work"
        return decision._replace(verdict=UNDECIDED, reason=reason)
    if more := _needed(decision, parts):
        reason = f"if our numbers stay as they are, {more} would decide"
        return decision._replace(verdict=UNDECIDED, reason=reason)
    return decision._replace(verdict=UNDECIDABLE, reason=_hopeless(decision))


def shown(evidence: Evidence, factor: float = 1.0) -> str | None:
    """Return the verdict that evidence shows after a correction of p by a factor, or None."""
    for p, verdict in (
        (evidence.p_for, REPRODUCED),
        (evidence.p_partly, PARTLY),
        (evidence.p_against, NOT_REPRODUCED),
    ):
        if p * factor < ALPHA:
            return verdict
    return None


def _besides(decision, verdict):
    """Return what is certain beside a verdict: that numbers which agree still differ."""
    evidence = decision.evidence
    if verdict != REPRODUCED or not evidence.differs:
        return evidence.besides if verdict == REPRODUCED else ""
    surely = "" if decision.sample.is_exact else " significantly"
    return f"the numbers agree within the margin, and still differ{surely}"


def _lacks(decision):
    """Yield what is missing for a verdict."""
    sample, evidence = decision.sample, decision.evidence
    if sample.n_missing:
        yield f"no runs of {sample.n_missing} of the kinds that the claim is about"
    if sample.n_unfinished:
        n, n_all = sample.n_unfinished, len(sample.runs)
        yield f"{n} of {n_all} runs ended before the work that the claim is about"
    if evidence.why:
        yield evidence.why
    elif sample.is_small:
        yield f"fewer than {FEWEST} {sample.unit}"
    elif sample.is_complete:
        yield f"too few {evidence.unit} to test"


def _needed(decision, parts):
    """Return how many would decide if our numbers stayed, as text; empty if no number does.

    The test itself is planned: it is repeated on the runs, or instances, several times over.
    """
    n, n_rows = decision.evidence.n, max(len(part.runs) for part in parts)
    for times in GROWTH:
        if n * times > MOST_TRIALS or n_rows * times > MOST_ROWS:
            return ""
        evidence = combined(_tested(decision.claim, part.repeated(times)) for part in parts)
        if shown(evidence, decision.correction):
            is_more = evidence.n > n  # else its unit is a puzzle, on which there are more runs
            return f"some {evidence.n} {evidence.unit}" if is_more else f"{times} times the runs"
    return ""


def _hopeless(decision):
    """Return why no more runs of ours would decide a claim."""
    sample = decision.sample
    if alone := shown(_tested(decision.claim, sample), decision.correction):
        ends = ", ".join(decision.ends)
        return f"{alone} at the work that we take, not over its range ({ends})"
    if sample.is_exact:
        return "the solver draws no random numbers: more runs would be the same"
    return f"if our numbers stay as they are, more {sample.unit} of ours would not decide"


def _under_other_readings(samples, claims):
    """Return for each claim the decisions under the other readings that have all of its runs."""
    decisions = [{} for _ in claims]
    n_readings = [1] * len(claims)  # the main one, and others of the paper
    applied = []
    for paper, readings in ledger.readings().items():
        for reading in readings:
            others = {
                place: other
                for place, claim in enumerate(claims)
                if claim.paper == paper
                and (other := claim.under(reading))
                and samples.sample(other, reading.work).is_complete
            }
            applied.append((reading, others))
            for place in others:
                n_readings[place] += reading.kind == "paper"
    for reading, others in applied:
        numbers = [n_readings[place] for place in others]
        decided = decide_all(samples, [*others.values()], reading.work, numbers, False)
        for place, decision in zip(others, decided):
            decisions[place][reading] = decision
    return decisions


def _row(decision, readings):
    """Return a row of the table: a claim, decided in the main reading and under the others."""
    claim, evidence = decision.claim, decision.evidence
    best, reading = _best(decision, readings)
    explains = [
        other.name
        for other, under in readings.items()
        if other.kind != "paper" and under.verdict == REPRODUCED
    ]
    texts = [
        f"{other.name}: {under.verdict} ({under.evidence.ours})"
        for other, under in readings.items()
    ]
    return {
        "id": claim.id,
        "paper": claim.paper,
        "place": claim.place,
        "claim": claim.claim,
        "words": claim.words,
        "published": claim.published,
        "ours": evidence.ours,
        "n": evidence.n,
        "unit": evidence.unit,
        "low": evidence.low,
        "high": evidence.high,
        "effect": evidence.effect,
        "measure": evidence.measure,
        "p": np.nan if evidence.is_fact else evidence.p_for,
        "p_against": np.nan if evidence.is_fact else evidence.p_against,
        "p_holm": decision.p_holm,
        "verdict": decision.verdict,
        "best": best,
        "best_reading": reading,
        "explained_by": ", ".join(explains) if best != REPRODUCED else "",
        "readings": "; ".join(texts),
        "parts": "; ".join(_part(part) for part in evidence.parts),
        "decided_on": decision.sample.decided_on,
        "work": "; ".join(decision.ends),
        "calibrated": _is_calibrated(decision),
        "reason": decision.reason,
        "within": evidence.within,
        "test": claim.test,
        "limit": claim.limit,
        "biased": claim.biased,
        "note": claim.note,
    }


def _best(decision, readings):
    """Return the verdict under the best reading of the paper, and its name if it is another."""
    best, name = decision.verdict, ""
    for reading, under in readings.items():
        is_better = RANKS[under.verdict] < RANKS[best]
        if reading.kind == "paper" and is_better:
            best, name = under.verdict, reading.name
    return best, name


def _part(part):
    """Return a place of a claim with what the test says of it alone."""
    verdict = UNDECIDED
    if part.p_for < ALPHA:
        verdict = REPRODUCED
    elif part.p_against < ALPHA:
        verdict = NOT_REPRODUCED
    printed = f", printed {part.published}" if part.published else ""
    return f"{part.name}: {verdict} ({part.ours}{printed})"


def _is_calibrated(decision):
    """Whether a claim on time rests on a speed that was calibrated on printed times."""
    expect = decision.claim.expect
    if not KINDS[decision.claim.test].has_speed:
        return False
    points = decision.sample.runs[["solver", "order", "fixed_fraction"]].drop_duplicates()
    works = [published.work(expect.get("program"), *point) for point in points.to_numpy()]
    return "step_s" in expect or any(work and work.is_calibrated for work in works)
