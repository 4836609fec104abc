"""Claims -> verdicts, decided by the runs: a pure function of the ledger and of a runs table."""

from itertools import product

import numpy as np
import pandas as pd

from antdoku import statistics
from antdoku.claims.evidence import UNDECIDED, Sample
from antdoku.claims.ledger import Claim, load
from antdoku.claims.tests import TESTS
from antdoku.inference import ALPHA
from antdoku.outcome import SOLVED
from antdoku.record import COLUMNS
from antdoku.tables.summary import of_given_puzzles, of_random_instances, typed

GIVEN = ("family", "instance_id")  # without either, a claim is about random instances
# What is asked of runs, with texts as numbers: every claim picks its own among all runs.
TESTED = dict.fromkeys(("experiment", "family", "variant"), "category") | {
    name: COLUMNS[name]
    for name in (
        *("instance_id", "status", "order", "fixed_fraction", "cpu_s", "limit_s", "limit_steps"),
        *("trivial", "fixed_after_cp", "mean_value_set_size"),
    )
}
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


def decide(runs: pd.DataFrame, claims: list[Claim] | None = None) -> pd.DataFrame:
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
    runs = runs[list(TESTED)].astype(TESTED)
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
