"""ACS by its parameters, on the hardest instances."""

import json

import pandas as pd

from antdoku.tables import Table, summary
from antdoku.tables.summary import POINT, SUMMARY, columns

EXPERIMENT = "sensitivity"
MAP_PARAMS = ("m", "q0", "rho", "f_bve")
SENSITIVITY = columns(*POINT, "greedy_rule", *MAP_PARAMS, *SUMMARY, "median_steps", "median_walks")


def sensitivity(runs: pd.DataFrame) -> pd.DataFrame:
    """ACS by its parameters, all runs with the same ones together.

    median_steps is the median number of iterations over all runs, missing if half of them or more
    failed; median_walks is m times that, the walks of single ants.
    """
    runs = summary.of_random_instances(runs, EXPERIMENT)
    params = pd.DataFrame([json.loads(text) for text in runs["params"]], runs.index)
    names = ["greedy_rule", *MAP_PARAMS]
    runs = runs.join(params.reindex(columns=names)).dropna(subset=names)
    runs = runs.astype({name: SENSITIVITY[name] for name in names})
    keys = [*POINT, *names]
    table = summary.summarise(runs, keys)
    table = table.join(summary.median_steps(runs, keys), on=keys)
    return table.assign(median_walks=table["m"] * table["median_steps"])


TABLES = {"beyond_sensitivity": Table(sensitivity, SENSITIVITY, random=(EXPERIMENT,))}
