"""Claims -> verdicts, decided by the runs: a pure function of the ledger and of a runs table.

Here p values are corrected for all claims of a paper, and one of the two verdicts that the evidence
leaves possible is chosen.
"""

from itertools import product

import numpy as np
import pandas as pd

from antdoku import statistics
from antdoku.claims import ledger
from antdoku.claims.evidence import UNDECIDED, Sample
from antdoku.claims.tests import TESTS
from antdoku.inference import ALPHA
from antdoku.outcome import SOLVED
from antdoku.tables.summary import of_given_puzzles, of_random_instances, typed

GIVEN = ("family", "instance_id")  # without either, a claim is about random instances
TESTED = [  # columns of the runs that tests look at
    *("experiment", "family", "instance_id", "variant", "order", "fixed_fraction"),
    *("status", "cpu_s", "limit_s", "limit_steps"),
    *("trivial", "fixed_after_cp", "mean_value_set_size"),
]
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


def decide(runs: pd.DataFrame, claims: list[ledger.Claim] | None = None) -> pd.DataFrame:
    """Decide claims by the runs.

    Parameters
    ----------
    runs : DataFrame
        Columns `record.COLUMNS`. Runs of any part of the experiments may be missing.
    claims : list of Claim, optional
        Those of the ledger if not given.

    Returns
    -------
    DataFrame
        Columns `COLUMNS`, one row a claim, in the order of the ledger.
    """
    claims = ledger.load() if claims is None else claims
    runs = runs[TESTED]  # every claim copies what it needs of all runs
    samples = [select(runs, claim) for claim in claims]
    evidence = [
        TESTS[claim.test].run(sample, **claim.expect) for claim, sample in zip(claims, samples)
    ]
    table = pd.DataFrame(map(_row, claims, samples, evidence))
    if not claims:
        return typed(table, COLUMNS)
    p_holm = table.groupby("paper")["p"].transform(statistics.holm)
    table = table.assign(p_holm=p_holm, verdict=list(map(_verdict, samples, evidence, p_holm)))
    return typed(table, COLUMNS)


def select(runs: pd.DataFrame, claim: ledger.Claim) -> Sample:
    """The runs that a claim is about.

    Without family and instance_id these are runs on the random instances of its experiment.

    Parameters
    ----------
    runs : DataFrame
        At least the columns `TESTED`.
    """
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
    facts = {name: getattr(claim, name) for name in COLUMNS if hasattr(claim, name)}
    figures = {name: getattr(found, name) for name in COLUMNS if hasattr(found, name)}
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
