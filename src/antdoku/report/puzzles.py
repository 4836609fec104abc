"""The named puzzles as grids, with what each variant made of them."""

import pandas as pd

from antdoku.puzzle import named
from antdoku.record import is_random
from antdoku.report import colours, texts
from antdoku.tables.summary import sort, summarise

SIZE = 9  # all named puzzles are of order 3
MOST_OPEN = 50  # puzzles of a family that is shown unfolded


def build(runs: pd.DataFrame) -> list[dict]:
    """Named puzzles that there are runs on, by family.

    Returns
    -------
    list of dict
        experiment, family, is_open (or folded), and puzzles: a dict each with name, givens (rows of
        text), n_givens, n_solutions, source, and results, a row for each variant.
    """
    known = {row.name: row for row in named.table()}
    given = runs[~runs["family"].map(is_random).astype(bool) & runs["instance_id"].isin(known)]
    return [
        {
            "experiment": texts.experiment(experiment),
            "family": family,
            "is_open": group["instance_id"].nunique() <= MOST_OPEN,
            "puzzles": _puzzles(group, known),
        }
        for (experiment, family), group in given.groupby(["experiment", "family"], sort=False)
    ]


def _puzzles(runs, known):
    runs = runs.rename(columns={"instance_id": "puzzle"}).assign(instance_id=runs["instance_id"])
    table = sort(summarise(runs, ["puzzle", "variant"]), ["puzzle", "variant"])
    return [
        _about(known[name])
        | {
            "results": [_result(row) for row in group.itertuples()],
            "has_failures": bool((group["solved"] < group["n"]).any()),
        }
        for name, group in table.groupby("puzzle", sort=False)
    ]


def _about(row):
    digits = row.puzzle.replace("0", ".")
    return {
        "name": row.name,
        "rows": [digits[k : k + SIZE] for k in range(0, SIZE * SIZE, SIZE)],
        "n_givens": sum(digit != "." for digit in digits),
        "n_solutions": row.n_solutions,
        "source": row.source,
    }


def _result(row):
    return {
        "look": colours.look(row.variant),
        "success": f"{row.solved}/{row.n}",
        "all_solved": row.solved == row.n,
        "mean": texts.seconds(row.mean_time_solved_s),
        "par2": texts.seconds(row.par2_s),
    }
