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

from antdoku import papers, published, statistics
from antdoku.claims import ledger
from antdoku.claims.evidence import (
    NOT_REPRODUCED,
    PARTLY,
    REPRODUCED,
    SUCCESS,
    UNDECIDABLE,
    UNDECIDED,
    VERDICTS,
    Evidence,
    Sample,
)
from antdoku.claims.kinds import KINDS
from antdoku.claims.samples import FEWEST, Samples, paper_of_work
from antdoku.outcome import SOLVED
from antdoku.statistics import ALPHA
from antdoku.tables import work
from antdoku.tables.summary import typed

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

    @property
    def more(self):
        """How many would decide where as many as were planned for do not; NaN if not known."""
        found = self.found
        is_difference = found.is_difference
        return statistics.to_show(found.n, self.p_holm) if is_difference else found.to_decide


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
    if not claims:
        return typed(pd.DataFrame(), COLUMNS)
    decided = _decide(samples, claims)
    table = pd.DataFrame(map(_row, claims, decided))
    for column, factor in OTHER_WORKS.items():
        table[column] = _at_other_work(samples, claims, decided, factor)
    others = table[list(OTHER_WORKS)]
    changes = (others.ne("") & others.ne(table["verdict"], axis=0)).any(axis=1)
    table["depends_on_work"] = changes & np.array([each.sample.is_complete for each in decided])
    found = _under_other_readings(samples, claims)
    table["readings"] = [
        "; ".join(f"{name}: {each.verdict} ({each.found.ours})" for name, each in those)
        for those in found
    ]
    table["verdict_main"] = table["verdict"]
    table[["verdict", "reason"]] = [
        _overall(row.verdict, row.reason, those) for row, those in zip(table.itertuples(), found)
    ]
    return typed(table, COLUMNS)


def count(decided: pd.DataFrame) -> pd.DataFrame:
    """Count the verdicts: a row a paper, a column a verdict and their sum, last the row Total."""
    names = [papers.editions()[paper] for paper in decided["paper"].unique()]
    counts = pd.crosstab(decided["paper"].map(papers.editions()), decided["verdict"])
    counts = counts.reindex(index=names, columns=list(VERDICTS), fill_value=0)
    counts["sum"] = counts.sum(axis=1)
    counts.loc["Total"] = counts.sum()
    return counts.rename_axis(index="paper", columns=None)


def _under_other_readings(samples, claims):
    """For each claim the other readings, by name, that have all of its runs, and what they give."""
    found = [[] for _ in claims]
    for paper, readings in ledger.readings().items():
        for reading in readings:
            others = {
                place: other
                for place, claim in enumerate(claims)
                if claim.paper == paper and (other := claim.under(reading))
            }
            others = {place: each for place, each in others.items() if len(samples.of(each).runs)}
            for place, each in zip(others, _decide(samples, [*others.values()]), strict=True):
                if each.sample.is_complete:
                    found[place].append((reading.name, each))
    return found


def _overall(verdict, reason, others):
    """Verdict and reason of a claim under all readings; `others` are those beside the main one."""
    names = {each.verdict: name for name, each in reversed(others)}
    if verdict != NOT_REPRODUCED or not names.keys() - {NOT_REPRODUCED}:
        return verdict, reason
    best = min(names, key=(REPRODUCED, PARTLY, UNDECIDED, UNDECIDABLE, NOT_REPRODUCED).index)
    text = f"not in the main reading; {best} under another one, {names[best]}"
    return PARTLY if best == REPRODUCED else best, text


def about(samples: Samples, claims: list[ledger.Claim]) -> list[ledger.Claim]:
    """The claims that some of the runs are about.

    A claim about puzzles, which takes no runs, comes with the others of its paper.
    """
    found = [claim for claim in claims if len(samples.of(claim).runs)]
    papers = {claim.paper for claim in found}
    return [
        claim for claim in claims if claim in found or (not claim.runs and claim.paper in papers)
    ]


def _decide(samples, claims, factor=1.0, known=None):
    """All claims, by runs at the paper's work times `factor`.

    `known` is what was decided before: claims whose evidence does not change with work keep it.
    """
    found = [
        (before.sample, before.found)
        if before and not (before.sample.has_work and claim.of == SUCCESS)
        else (sample := samples.of(claim, factor), KINDS[claim.test].run(sample, **claim.expect))
        for claim, before in zip(claims, known or [None] * len(claims), strict=True)
    ]
    p = pd.Series([each.p if each.is_difference else np.nan for _, each in found], dtype=float)
    p_holm = p.groupby([claim.paper for claim in claims]).transform(statistics.holm)
    return [_decided(claim, *each, p) for claim, each, p in zip(claims, found, p_holm)]


def _decided(claim, sample, found, p_holm):
    """A claim with the verdict that p, which is corrected, chooses."""
    verdict = found.if_significant if p_holm < ALPHA else found.if_not
    decided = Decided(sample, found, p_holm, verdict if sample.is_complete else UNDECIDED)
    is_open = sample.is_complete and verdict == UNDECIDED and found.needed is None
    if claim.undecidable or (is_open and not decided.more < np.inf):
        return decided._replace(verdict=UNDECIDABLE)
    return decided


def _at_other_work(samples, claims, decided, factor):
    """Verdicts on claims of success, empty if not all runs went on so long."""
    return [
        other.verdict
        if claim.of == SUCCESS and other.sample.has_work and not other.sample.n_unfinished
        else ""
        for claim, other in zip(claims, _decide(samples, claims, factor, decided), strict=True)
    ]


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
    elif sample.is_small:
        yield f"fewer than {FEWEST} {'runs' if sample.is_papers else 'instances'}"
    elif sample.is_complete and not np.isnan(more := decided.more):
        decides = f"{ceil(more)} {found.unit} would" if np.isfinite(more) else "no number would"
        yield f"by what these show {decides} decide"


def _limits(claim, runs):
    """Limits of a run, ours and the paper's: the paper's work, or so many steps, or seconds."""
    by_steps = runs["limit_steps"] > 0
    limited, timed = runs[by_steps], runs[~by_steps]
    steps = work.papers_steps(limited, paper_of_work(claim))
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
    units = published.work_of_limits().set_index("solver")["unit"].to_dict()
    limits = {
        solver: f"{_listed(group['limit_steps'], ',')} {units.get(solver, 'steps')}"
        for solver, group in runs.groupby("solver", sort=False)
    }
    if len(set(limits.values())) <= 1:
        return next(iter(limits.values()), "")
    return ", ".join(f"{solver} {limit}" for solver, limit in limits.items())


def _seconds(runs):
    limits = _listed(runs["limit_s"].dropna(), "g")
    return f"{limits} s" if limits else ""


def _listed(limits, form):
    return " / ".join(f"{limit:{form}}" for limit in np.unique(limits))
