"""Claims -> verdicts, decided by the runs: a pure function of the ledger and of a runs table.

Runs are read at the work of the paper that makes the claim (`tables.work`), and claims of success
also at half of it and at twice as much. Here p values of differences are corrected for all such
claims of a paper, and one of the two verdicts that the evidence leaves possible is chosen. Where a
paper can be read in several ways, a claim is not reproduced only if it is so under all readings.
"""

from math import ceil
from typing import NamedTuple

import numpy as np
import pandas as pd

from antdoku import papers, statistics
from antdoku.claims import (
    NOT_REPRODUCED,
    PARTLY,
    REPRODUCED,
    SUCCESS,
    UNDECIDABLE,
    UNDECIDED,
    VERDICTS,
    ledger,
)
from antdoku.claims.evidence import Evidence
from antdoku.claims.kinds import KINDS
from antdoku.claims.samples import FEWEST, Sample, Samples
from antdoku.statistics import ALPHA
from antdoku.tables.summary import typed

OTHER_WORKS = {"verdict_half": 0.5, "verdict_double": 2.0}  # in the paper's
COLUMNS = {
    **dict.fromkeys(("id", "paper", "place", "claim", "published", "ours"), "str"),
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
    "reason": "str",  # what leaves it open, makes it partly reproduced, or is certain besides
    "needed": "Int64",  # how many of the unit the test needs
    "within": "float64",  # of agreement: the smallest margin (Cohen's h) that shows it
    "test": "str",
    "limit": "str",  # of a run in the paper
    "biased": "bool",  # the published figure is a mean of the solved runs only
    "note": "str",
}
BEST_FIRST = (REPRODUCED, PARTLY, UNDECIDED, UNDECIDABLE, NOT_REPRODUCED)


class Decided(NamedTuple):
    """A claim, decided at some work: its sample, the evidence, and the verdict."""

    claim: ledger.Claim
    sample: Sample
    found: Evidence
    p_holm: float = np.nan  # of a difference, corrected

    @property
    def more(self) -> float:
        """Number that would decide where as many as were planned for do not; NaN if not known."""
        n, is_difference = self.found.n, self.found.is_difference
        return statistics.to_show(n, self.p_holm) if is_difference else self.found.to_decide

    @property
    def is_short(self) -> bool:
        """Whether it takes more than there are, whatever they show."""
        return self.found.needed is not None and self.found.n < self.found.needed

    @property
    def is_of_work(self) -> bool:
        """Whether it depends on how long runs went on, as far as that is known."""
        return self.claim.subject == SUCCESS and self.sample.has_work

    @property
    def is_limited(self) -> bool:
        """Whether it takes more instances than the paper's authors have published."""
        found, exist = self.found, self.sample.from_archive
        takes = found.needed if self.is_short else self.more
        return exist and found.unit.startswith("instances") and takes > found.n

    @property
    def verdict(self) -> str:
        """The verdict that p, which is corrected, chooses."""
        found, is_complete = self.found, self.sample.is_complete
        verdict = found.if_significant if self.p_holm < ALPHA else found.if_not
        is_open = is_complete and verdict == UNDECIDED
        is_hopeless = found.needed is None and not self.more < np.inf
        if self.claim.undecidable or (is_open and (is_hopeless or self.is_limited)):
            return UNDECIDABLE
        return verdict if is_complete else UNDECIDED

    @property
    def reason(self) -> str:
        """Why it is open; of a reproduced claim, that its numbers differ significantly."""
        found, verdict = self.found, self.verdict
        if verdict == REPRODUCED and found.differs:
            how = "" if self.sample.is_exact else " significantly"
            return f"the numbers agree within the margin, and still differ{how}"
        if verdict != UNDECIDABLE:
            return "; ".join(self._open()) if verdict == UNDECIDED else ""
        if self.is_limited and not self.claim.undecidable:
            return f"the authors' archive has only {found.n} {found.unit} to compare: too few"
        too_small = "the paper's own sample is too small for more runs of ours to decide"
        return self.claim.undecidable or too_small

    def _open(self):
        sample, found = self.sample, self.found
        if sample.n_missing:
            yield f"no runs of {sample.n_missing} of the kinds that the claim is about"
        if sample.n_unfinished:
            n, n_all = sample.n_unfinished, len(sample.runs)
            yield f"{n} of {n_all} runs ended before the work that the claim is about"
        if found.why:
            yield found.why
        elif self.is_short:
            yield f"the test takes at least {found.needed} {found.unit}"
        elif sample.is_small:
            yield f"fewer than {FEWEST} {sample.unit}"
        if sample.is_complete and not found.why and self.more > (found.needed or 0):
            would = f"more than {statistics.SIZES[-1]} {found.unit} would decide"
            if self.more < np.inf:
                would = f"{ceil(self.more)} {found.unit} would decide"
            elif not found.is_difference:
                would = "no number of runs or instances would decide"
            yield f"if our numbers stay as they are, {would}"


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
    decided = _decide(samples, claims)
    works = {name: _decide(samples, claims, by, decided) for name, by in OTHER_WORKS.items()}
    others = _under_other_readings(samples, claims)
    rows = [
        _row(each, dict(zip(works, at_works)), readings)
        for each, readings, *at_works in zip(decided, others, *works.values(), strict=True)
    ]
    return typed(pd.DataFrame(rows), COLUMNS)


def count(decided: pd.DataFrame) -> pd.DataFrame:
    """Count the verdicts: a row a paper, a column a verdict and their sum, last the row Total."""
    names = [papers.editions()[paper] for paper in decided["paper"].unique()]
    counts = pd.crosstab(decided["paper"].map(papers.editions()), decided["verdict"])
    counts = counts.reindex(index=names, columns=list(VERDICTS), fill_value=0)
    counts["sum"] = counts.sum(axis=1)
    counts.loc["Total"] = counts.sum()
    return counts.rename_axis(index="paper", columns=None)


def about(samples: Samples, claims: list[ledger.Claim]) -> list[ledger.Claim]:
    """Return the claims that some of the runs are about.

    A claim about puzzles, which takes no runs, comes with the others of its paper.
    """
    found = [claim for claim in claims if len(samples.sample(claim).runs)]
    facts = {claim.paper for claim in found}
    return [each for each in claims if each in found or (not each.runs and each.paper in facts)]


def _decide(samples, claims, factor=1.0, known=None):
    """Decide all claims by runs at the paper's work times `factor`.

    `known` is what was decided before: claims whose evidence does not change with work keep it.
    """
    decided = []
    for claim, before in zip(claims, known or [None] * len(claims), strict=True):
        if before is None or before.is_of_work:
            sample = samples.sample(claim, factor)
            before = Decided(claim, sample, KINDS[claim.test].run(sample, **claim.expect))
        decided.append(before)
    p = [each.found.p if each.found.is_difference else np.nan for each in decided]
    p_holm = pd.Series(p, dtype=float).groupby([claim.paper for claim in claims])
    p_holm = p_holm.transform(statistics.holm)
    return [each._replace(p_holm=p) for each, p in zip(decided, p_holm, strict=True)]


def _under_other_readings(samples, claims):
    """Return for each claim what the other readings give that have all of its runs, by name."""
    found = [{} for _ in claims]
    for paper, readings in ledger.readings().items():
        for reading in readings:
            others = {
                place: other
                for place, claim in enumerate(claims)
                if claim.paper == paper
                and (other := claim.under(reading))
                and len(samples.sample(other).runs)
            }
            decided = _decide(samples, [*others.values()], reading.work)
            for place, each in zip(others, decided, strict=True):
                if each.sample.is_complete:
                    found[place][reading.name] = each
    return found


def _row(decided, at_works, readings):
    """Return a row of the table: a claim, decided at the works and under the readings."""
    claim, found, main = decided.claim, decided.found, decided.verdict
    verdict, reason = _overall(main, decided.reason, readings)
    works = {
        name: other.verdict if other.is_of_work and not other.sample.n_unfinished else ""
        for name, other in at_works.items()
    }
    texts = [f"{name}: {each.verdict} ({each.found.ours})" for name, each in readings.items()]
    return {
        **{name: getattr(x, name) for x in (claim, found) for name in COLUMNS if hasattr(x, name)},
        "p_holm": decided.p_holm,
        **{"verdict": verdict, "verdict_main": main, "readings": "; ".join(texts)},
        **works,
        "depends_on_work": decided.sample.is_complete and not {*works.values()} <= {"", main},
        "reason": reason,
    }


def _overall(verdict, reason, readings):
    """Return verdict and reason of a claim under all readings beside the main one."""
    names = {each.verdict: name for name, each in reversed(readings.items())}
    best = min(names, key=BEST_FIRST.index, default=verdict)
    is_open = (verdict, best) == (UNDECIDED, REPRODUCED)
    if not is_open and (verdict != NOT_REPRODUCED or best == NOT_REPRODUCED):
        return verdict, reason
    text = f"{verdict} in the main reading, {best} under the reading {names[best]}"
    if why := readings[names[best]].reason:
        text += f": {why}"
    return PARTLY if best == REPRODUCED else best, text
