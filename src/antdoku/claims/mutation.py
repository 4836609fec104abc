"""How sharp the verdicts are: systems that are wrong on purpose stand in for those of the papers.

`mutants.yaml` in the folder of a paper says which experiment has the runs, which system each
variant stands in for, and what is wrong with it. A claim about a system is decided on the runs of
the real one and on those of its mutants, by the same rules. A test is sharp if it reproduces the
claim with the one and not with the others.
"""

from functools import cache

import pandas as pd
import yaml
from attrs import frozen

from antdoku import papers
from antdoku.claims import REPRODUCED, ledger
from antdoku.claims.ledger import Reading
from antdoku.claims.samples import Samples
from antdoku.claims.verdicts import Decision, decide_all

FILE = "mutants.yaml"
REAL = "real"  # in place of a mistake
MARGINS = (0.2, 0.3, 0.4, 0.5)  # Cohen's h
COLUMNS = (
    *("system", "variant", "mistake", "id", "margin"),
    *("is_reproduced", "real_is_reproduced"),
)


@frozen
class Mutant:
    """A variant that stands in for a system of a paper."""

    variant: str
    system: str
    mistake: str
    experiments: dict[str, str]  # that have the runs, by those of the claims
    editions: tuple[str, ...]  # of the paper


@cache
def mutants() -> list[Mutant]:
    """Return the mutants of all papers."""
    rows = []
    for path in papers.with_file(FILE):
        content = yaml.safe_load(path.read_text("utf-8"))
        editions = tuple(papers.get(path.parent.name).editions)
        for name, entry in content["variants"].items():
            rows.append(
                Mutant(name, **entry, experiments=content["experiments"], editions=editions)
            )
    return rows


def verdicts_of_mutants(runs: pd.DataFrame) -> pd.DataFrame:
    """Decide claims on the runs of mutants and of the systems for which they stand in.

    Parameters
    ----------
    runs : DataFrame
        Columns `columns.COLUMNS`, of the experiments of `mutants`.

    Returns
    -------
    DataFrame
        A row for each mutant, claim and margin: system, variant, mistake, id, margin,
        is_reproduced, and real_is_reproduced of the system itself.
    """
    samples, claims = Samples(runs), ledger.load()
    rows = []
    for mutant in mutants():
        about = [
            claim
            for claim in claims
            if claim.paper in mutant.editions and mutant.system in claim.variants
        ]
        decisions = _decide(samples, about, mutant, {mutant.system: mutant.variant})
        real = _decide(samples, about, mutant, {})
        for name in decisions.keys() & real.keys():
            for margin in MARGINS:
                rows.append(
                    {
                        "system": mutant.system,
                        "variant": mutant.variant,
                        "mistake": mutant.mistake,
                        "id": name,
                        "margin": margin,
                        "is_reproduced": is_reproduced(decisions[name], margin),
                        "real_is_reproduced": is_reproduced(real[name], margin),
                    }
                )
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    return table.sort_values(["system", "variant", "id", "margin"])


def _decide(samples, claims, mutant, variants):
    """Return the decisions by claim that the runs of other variants allow."""
    reading = Reading("mutant", "", variants=variants, experiments=mutant.experiments)
    others = [other for claim in claims if (other := claim.under(reading))]
    others = [claim for claim in others if samples.sample(claim).is_complete]
    decisions = decide_all(samples, others, planned=False)
    return {decision.claim.id: decision for decision in decisions}


def is_reproduced(decision: Decision, margin: float) -> bool:
    """Whether a claim is reproduced if rates have to agree within a margin."""
    within = decision.evidence.within
    return decision.verdict == REPRODUCED if within != within else bool(within < margin)
