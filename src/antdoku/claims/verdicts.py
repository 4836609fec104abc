"""Claims -> verdicts, decided by the runs: a pure function of the ledger and of a runs table.

Each claim has two verdicts, in the main reading of its paper and in the best of all readings. Runs
are read at the work of the paper that makes the claim (`tables.work`). It is known within a factor
only, so a claim has to be shown over its range. The p values of differences are corrected for all
such claims of a paper; then the verdict is chosen.
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
from antdoku.claims.samples import FEWEST, Sample, Samples
from antdoku.statistics import ALPHA
from antdoku.tables import work
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
    "explained_by": "str",  # readings that reproduce it, though they are not of the paper
    "readings": "str",  # every other reading: name: verdict (measurement); ...
    "parts": "str",  # of a claim on several places: place: verdict (measurement); ...
    "decided_on": "str",  # the kind of instances
    "work": "str",  # the ends of the range of work at which it was also decided
    "calibrated": "bool",  # whether it rests on a speed that was calibrated on printed times
    "reason": "str",  # why it is open, or a caveat
    "within": "float64",  # of agreement: the smallest margin (Cohen's h) that shows it
    "test": "str",
    "limit": "str",  # of a run in the paper
    "biased": "bool",  # the published figure is a mean of the solved runs only
    "note": "str",
}
NUMBERS = {  # of a claim that compares a number; of several places the one farthest apart
    "printed": "float64",  # percent, seconds, or another unit of the printed number
    "measured": "float64",
}
OF_CLAIM = (
    *("id", "paper", "place", "claim", "words", "published"),
    *("test", "limit", "biased", "note"),
)
OF_EVIDENCE = ("ours", "n", "unit", "low", "high", "effect", "measure", "within", *NUMBERS)
BEFORE_END = "the runs end before the upper end of the range of work"  # a reason
RANKS = {REPRODUCED: 0, PARTLY: 1, UNDECIDED: 2, UNDECIDABLE: 2, NOT_REPRODUCED: 3}
MOST_TRIALS = 10_000  # of a claim at a place, that a plan asks for
MOST_ROWS = 200_000  # of runs, on which a plan is tried
GROWTH = (2, 3, 4, 6, 8, 12, 16, 32, 64, 128, 256, 512)


class Decision(NamedTuple):
    """A claim with its sample, the evidence over the range of work and the verdict."""

    claim: ledger.Claim
    sample: Sample
    evidence: Evidence
    correction: float = 1.0  # by which its p values are multiplied
    verdict: str = UNDECIDED
    reason: str = ""
    ends: tuple[str, ...] = ()  # of the range of work at which it was also decided

    @property
    def p_holm(self) -> float:
        """The corrected p value of a difference; NaN for other claims."""
        evidence = self.evidence
        return min(1.0, evidence.p_for * self.correction) if evidence.is_difference else np.nan


def decide(
    runs: pd.DataFrame,
    claims: list[ledger.Claim] | None = None,
    columns: dict[str, str] = COLUMNS,
) -> pd.DataFrame:
    """Decide claims by the runs.

    Parameters
    ----------
    runs : DataFrame
        Columns `columns.COLUMNS`; `given_fraction` and `source` may be missing. Any part of the
        experiments may be missing.
    claims : list of Claim, optional
        By default the claims of the ledger about these runs.
    columns : dict of str
        Types of the columns to return, among `COLUMNS` and `NUMBERS`, by name.

    Returns
    -------
    DataFrame
        Columns `columns`, a row for each claim in the order of the ledger.
    """
    samples = Samples(runs)
    claims = about(samples, ledger.load()) if claims is None else claims
    decisions = decide_all(samples, claims)
    by_reading = _under_other_readings(samples, claims)
    rows = [_row(decision, readings) for decision, readings in zip(decisions, by_reading)]
    return typed(pd.DataFrame(rows), columns)


def count(table: pd.DataFrame) -> pd.DataFrame:
    """Count the verdicts: a row for each paper and their Total, a column for each verdict and sum.

    Claims that are decided on substitutes for the paper's puzzles are counted apart.
    """
    titles = row_titles(table)
    counts = pd.crosstab(titles, table["verdict"])
    counts = counts.reindex(index=titles.unique(), columns=list(VERDICTS), fill_value=0)
    counts["sum"] = counts.sum(axis=1)
    counts.loc["Total"] = counts.sum()
    return counts.rename_axis(index="paper", columns=None)


def row_titles(table: pd.DataFrame) -> pd.Series:
    """Return the title under which each claim is counted: its paper, with substitutes apart."""
    titles = table["paper"].map(papers.editions())
    return titles.mask(table["decided_on"] == SUBSTITUTES, titles + ", on puzzles of ours")


def about(samples: Samples, claims: list[ledger.Claim]) -> list[ledger.Claim]:
    """Return the claims about some of the runs.

    A claim about puzzles needs no runs. It is included with any other claim of its paper.
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

    Parameters
    ----------
    samples : Samples
    claims : list of Claim
    multiple : float
        Of the paper's work. Any other than 1 is stated by a reading, and has no range.
    n_readings : list of int, optional
        The number of readings that are tried for each claim, by which p is multiplied (Bonferroni's
        correction).
    planned : bool
        Whether to plan how many runs would decide an open claim. Without a plan it is undecided,
        never undecidable.
    """
    decisions = []
    for claim in claims:
        sample = samples.sample(claim, multiple)
        is_open = bool(claim.undecidable) or not sample.is_complete
        at_ends = []
        if multiple == 1.0 and not KINDS[claim.test].has_speed and not is_open:
            at_ends = list(samples.over_range(claim))
        evidence = combined(_tested(claim, part) for part in (sample, *at_ends))
        if is_open:  # it counts in no correction either
            evidence = untested(evidence)
        ends = tuple(part.at_work for part in at_ends)
        decisions.append((Decision(claim, sample, evidence, ends=ends), [sample, *at_ends]))
    factors = _holm_factors([decision for decision, _ in decisions]) * (n_readings or 1)
    decided = []
    for (decision, parts), factor in zip(decisions, factors):
        corrected = decision._replace(correction=factor)
        verdict, reason = _judge(corrected, parts if planned else [])
        decided.append(corrected._replace(verdict=verdict, reason=reason))
    return decided


def _tested(claim, sample):
    return KINDS[claim.test].run(sample, **claim.expect)


def _holm_factors(decisions):
    """Return the factors of Holm's correction for the p values of each claim of a difference."""
    least = []
    for decision in decisions:
        evidence = decision.evidence
        p = min(evidence.p_for, evidence.p_partly, evidence.p_against)
        least.append(p if evidence.is_difference else np.nan)
    p = pd.Series(least, dtype=float)
    papers_of = [decision.claim.paper for decision in decisions]
    corrected = p.groupby(papers_of).transform(statistics.holm)
    return (corrected / p).fillna(1.0).to_numpy()


def _judge(decision, parts):
    """Return the verdict and its reason. `parts` are samples on which more runs are planned."""
    claim, sample, evidence = decision.claim, decision.sample, decision.evidence
    if claim.undecidable:
        return UNDECIDABLE, claim.undecidable
    if not sample.is_complete or np.isnan(evidence.p_for):
        return UNDECIDED, "; ".join(_lacks(decision))
    verdict = shown(evidence, decision.correction)
    if verdict:
        return verdict, _besides(decision) if verdict == REPRODUCED else ""
    if not parts:
        return UNDECIDED, ""
    if any(part.is_bound for part in parts):
        return UNDECIDED, BEFORE_END
    needed = _needed(decision, parts)
    if needed:
        return UNDECIDED, f"if our numbers stay as they are, {needed} would decide"
    return UNDECIDABLE, _hopeless(decision)


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


def _besides(decision):
    """Return the caveat of a reproduced claim, such as numbers that agree and still differ."""
    if not decision.evidence.differs:
        return decision.evidence.besides
    surely = "" if decision.sample.is_exact else " significantly"
    return f"the numbers agree within the margin, and still differ{surely}"


def _lacks(decision):
    """Yield the reasons why there is no verdict."""
    sample, evidence = decision.sample, decision.evidence
    if sample.n_missing:
        yield f"no runs of {sample.n_missing} of the kinds that the claim is about"
    if sample.n_unfinished:
        n, n_all = sample.n_unfinished, len(sample.runs)
        yield f"{n} of {n_all} runs ended before the work that the claim is about"
    if evidence.why:
        yield evidence.why
    elif sample.is_small:
        is_sample = decision.claim.test == "count" and sample.decided_on == SUBSTITUTES
        hint = "; the paper's own puzzles stand in puzzles of paper.yaml" if is_sample else ""
        yield f"fewer than {FEWEST} {sample.unit}{hint}"
    elif sample.is_complete:
        yield f"too few {evidence.unit} to test"


def _needed(decision, parts):
    """Return the sample size that would decide a claim, as text; empty if none does.

    The test is repeated on several copies of the runs, or instances.
    """
    n, n_rows = decision.evidence.n, max(len(part.runs) for part in parts)
    for times in GROWTH:
        if n * times > MOST_TRIALS or n_rows * times > MOST_ROWS:
            return ""
        evidence = combined(_tested(decision.claim, part.repeated(times)) for part in parts)
        if shown(evidence, decision.correction):
            is_more = evidence.n > n  # else it counts puzzles, and more runs on each are needed
            return f"some {evidence.n} {evidence.unit}" if is_more else f"{times} times the runs"
    return ""


def _hopeless(decision):
    """Return why no more runs of ours would decide a claim."""
    sample = decision.sample
    alone = shown(_tested(decision.claim, sample), decision.correction)
    if alone:
        ends = ", ".join(decision.ends)
        return f"{alone} at our estimate of the paper's work, but not over its range ({ends})"
    if sample.is_exact:
        return "the solver draws no random numbers: more runs would be the same"
    return f"if our numbers stay as they are, more {sample.unit} of ours would not decide"


def _under_other_readings(samples, claims):
    """Return the decisions of each claim by reading, for readings with all of its runs."""
    decisions = [{} for _ in claims]
    n_readings = [1] * len(claims)  # the main reading, and the others of the paper
    renamed = {}  # the claims about other runs, by reading and index
    for paper, readings in ledger.readings().items():
        for reading in readings:
            renamed[reading] = _under(reading, paper, claims, samples)
            for at in renamed[reading]:
                n_readings[at] += reading.kind == "paper"
    for reading, by_index in renamed.items():
        numbers = [n_readings[at] for at in by_index]
        decided = decide_all(samples, [*by_index.values()], reading.work, numbers, planned=False)
        for at, decision in zip(by_index, decided):
            decisions[at][reading] = decision
    return decisions


def _under(reading, paper, claims, samples):
    """Return the claims of a paper under a reading by their index, if all of their runs exist."""
    renamed = {at: claim.under(reading) for at, claim in enumerate(claims) if claim.paper == paper}
    return {
        at: claim
        for at, claim in renamed.items()
        if claim and samples.sample(claim, reading.work).is_complete
    }


def _row(decision, readings):
    """Return a row of the table: a claim, decided in the main reading and under the others."""
    claim, evidence = decision.claim, decision.evidence
    row = {name: getattr(claim, name) for name in OF_CLAIM}
    row |= {name: getattr(evidence, name) for name in OF_EVIDENCE}
    row |= _of_readings(decision, readings)
    return row | {
        "p": np.nan if evidence.is_fact else evidence.p_for,
        "p_against": np.nan if evidence.is_fact else evidence.p_against,
        "p_holm": decision.p_holm,
        "verdict": decision.verdict,
        "parts": "; ".join(_part(part) for part in evidence.parts),
        "decided_on": decision.sample.decided_on,
        "work": "; ".join(decision.ends),
        "calibrated": _is_calibrated(decision),
        "reason": decision.reason,
    }


def _of_readings(decision, readings):
    """Return the columns on readings: the best one of the paper, those that explain it, and all."""
    best, best_reading, explained_by, texts = decision.verdict, "", [], []
    for reading, under in readings.items():
        texts.append(f"{reading.name}: {under.verdict} ({under.evidence.ours})")
        if reading.kind != "paper" and under.verdict == REPRODUCED:
            explained_by.append(reading.name)
        if reading.kind == "paper" and RANKS[under.verdict] < RANKS[best]:
            best, best_reading = under.verdict, reading.name
    return {
        "best": best,
        "best_reading": best_reading,
        "explained_by": ", ".join(explained_by) if best != REPRODUCED else "",
        "readings": "; ".join(texts),
    }


def _part(part):
    """Return the verdict and the measurement at a place of a claim, as text."""
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
    bases = work.at_points(decision.sample.runs, expect.get("program"), "basis")
    return "step_s" in expect or (bases == "calibrated").any()
