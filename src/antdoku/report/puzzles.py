"""Given puzzles as grids, with what each variant made of them."""

from pathlib import Path

import pandas as pd

from antdoku import papers
from antdoku.instances.family import is_random
from antdoku.report import looks, texts
from antdoku.tables.summary import sort, summarise

MOST_CELLS = 20_000  # of the puzzles of a family
COLUMNS = ["family", "instance_id", "puzzle"]  # of the files of instances


def build(runs: pd.DataFrame, instances: list) -> list[dict]:
    """Return the families of given puzzles that there are runs on, with results by variant.

    Parameters
    ----------
    runs : DataFrame
        Columns `columns.COLUMNS`.
    instances : list of path
        Parquet files called after their experiments, with at least `COLUMNS`: a puzzle is text, a
        whole number for each cell with spaces between them, 0 for a blank.
    """
    given = runs[~runs["family"].map(is_random).astype(bool)]
    known = {Path(path).stem: pd.read_parquet(path, columns=COLUMNS) for path in instances}
    nothing = pd.DataFrame(columns=COLUMNS)
    groups = given.groupby(["experiment", "family"], sort=False)
    return [_family(*key, group, known.get(key[0], nothing)) for key, group in groups]


def _family(experiment, family, runs, instances):
    there = runs["instance_id"].unique()
    puzzles = instances[instances["family"] == family].set_index("instance_id")["puzzle"]
    most = MOST_CELLS // int(runs["order"].max()) ** 4
    shown = [name for name in there if name in puzzles][:most]
    return {
        "title": f"{texts.experiment(experiment)}: {family}",
        "n": len(there),
        "puzzles": _puzzles(runs[runs["instance_id"].isin(shown)], puzzles) if shown else [],
    }


def _puzzles(runs, puzzles):
    # `sort` knows the order of puzzles under this name.
    runs = runs.assign(puzzle=runs["instance_id"])
    table = sort(summarise(runs, ["puzzle", "variant"]), ["puzzle", "variant"])
    return [
        _grid(name, puzzles[name]) | {"results": [_result(row) for row in group.itertuples()]}
        for name, group in table.groupby("puzzle", sort=False)
    ]


def _grid(name, text):
    cells = text.split()
    size = round(len(cells) ** 0.5)
    return {
        "name": name,
        "title": papers.puzzle_title(name),
        "size": size,
        "box": round(size**0.5),
        "givens": [(*divmod(at, size), cell) for at, cell in enumerate(cells) if cell != "0"],
    }


def _result(row):
    return {
        "look": looks.variant(row.variant, row.label),
        "solved": f"{row.solved}/{row.n}",
        "all_solved": row.solved == row.n,
        "mean": texts.duration(row.mean_time_solved_s),
        "par2": texts.duration(row.par2_s),
    }
