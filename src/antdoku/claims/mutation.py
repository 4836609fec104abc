"""How sharp the verdicts are: mutants, systems wrong on purpose, replace systems of the papers.

`mutants.yaml` in the folder of a paper names the experiment with the runs, the system that each
mutant replaces, and its mistake. A claim about a system is decided by the same rules on the runs of
the real system and of its mutants. A test is sharp if it reproduces the claim with the real system
only.
"""

from itertools import product

import numpy as np
import pandas as pd

from antdoku import papers
from antdoku.claims import REPRODUCED, ledger
from antdoku.claims.ledger import Reading
from antdoku.claims.samples import Samples
from antdoku.claims.verdicts import decide_all

REAL = "real"  # in place of a mistake
MARGINS = (0.2, 0.3, 0.4, 0.5)  # Cohen's h
COLUMNS = (
    *("system", "variant", "mistake", "id", "margin"),
    *("is_reproduced", "real_is_reproduced"),
)


def verdicts_of_mutants(runs: pd.DataFrame) -> pd.DataFrame:
    """Decide claims on the runs of mutants and of the systems that they replace.

    Parameters
    ----------
    runs : DataFrame
        Columns `columns.COLUMNS`, of the experiments of `mutants`.

    Returns
    -------
    DataFrame
        Columns `COLUMNS`, a row for each mutant, claim and margin. real_is_reproduced is about
        the system itself.
    """
    samples, claims = Samples(runs), ledger.load()
    rows = []
    for mutant in papers.mutations().values():
        about = [
            claim
            for claim in claims
            if claim.paper in mutant.editions and mutant.system in claim.variants
        ]
        decisions = _decide(samples, about, mutant, {mutant.system: mutant.variant})
        real = _decide(samples, about, mutant, {})
        for name, margin in product(decisions.keys() & real.keys(), MARGINS):
            are_reproduced = [
                is_reproduced(decision.verdict, decision.evidence.within, margin)
                for decision in (decisions[name], real[name])
            ]
            place = mutant.system, mutant.variant, mutant.mistake, name, margin
            rows.append([*place, *are_reproduced])
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    return table.sort_values(["system", "variant", "id", "margin"])


def _decide(samples, claims, mutant, variants):
    """Return the decisions by claim, where other variants have all runs."""
    reading = Reading("mutant", "", variants=variants, experiments=mutant.experiments)
    renamed = [claim.under(reading) for claim in claims]
    complete = [claim for claim in renamed if claim and samples.sample(claim).is_complete]
    decisions = decide_all(samples, complete, planned=False)
    return {decision.claim.id: decision for decision in decisions}


def is_reproduced(verdict, within, margin: float):
    """Whether claims are reproduced if rates have to agree within a margin, as bool or array.

    `within` is the smallest margin that shows agreement; NaN for a claim that is not about rates,
    which keeps its verdict.
    """
    return np.where(np.isnan(within), verdict == REPRODUCED, within < margin)[()]
