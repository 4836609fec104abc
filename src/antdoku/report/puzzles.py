"""Given puzzles as grids, those of the papers and others, with what each variant made of them."""

from pathlib import Path

import pandas as pd

from antdoku import papers
from antdoku.families import is_random
from antdoku.puzzle import named
from antdoku.puzzle.forms import read_integers
from antdoku.report import colours, texts
from antdoku.tables.summary import sort, summarise

MOST_OWN = 24  # puzzles of a family that nobody knows by their names
WITH_DIGITS = 3  # the greatest order of which a thumbnail can be read
COLUMNS = ["instance_id", "family", "puzzle", "deletion"]  # of the files of instances
UNIQUE = "unique"  # deletion that leaves one solution


def build(runs: pd.DataFrame, instances: list) -> list[dict]:
    """Given puzzles that there are runs on, by family, with their results by variant.

    `instances` are the Parquet files of their families, in folders called after experiments. A
    puzzle is rows of text, where its digits can be read, or blocks of givens (x, y, width).
    """
    own = _own(instances)
    given = runs[~runs["family"].map(is_random).astype(bool)]
    families = given.groupby(["experiment", "family"], sort=False)
    return [_family(*key, group, own.get(key, {})) for key, group in families]


def _family(experiment, family, runs, own):
    known, names = {row.name: row for row in named.table()}, runs["instance_id"].unique()
    about = {name: _about_named(known[name]) for name in names if name in known}
    others = [name for name in names if name in own and name not in known][:MOST_OWN]
    about |= {name: _about_own(own[name]) for name in others}
    return {
        "experiment": texts.experiment(experiment),
        "family": family,
        "n": len(names),
        "puzzles": _puzzles(runs[runs["instance_id"].isin(list(about))], about),
    }


def _own(instances):
    """Rows of the files by experiment and family, and by name."""
    found = {}
    for path in map(Path, instances):
        for row in pd.read_parquet(path, columns=COLUMNS).itertuples():
            found.setdefault((path.parent.name, row.family), {})[row.instance_id] = row
    return found


def _puzzles(runs, about):
    if runs.empty:
        return []
    runs = runs.rename(columns={"instance_id": "puzzle"}).assign(instance_id=runs["instance_id"])
    table = sort(summarise(runs, ["puzzle", "variant"]), ["puzzle", "variant"])
    return [
        about[name]
        | {
            "results": [_result(row) for row in group.itertuples()],
            "has_failures": bool((group["solved"] < group["n"]).any()),
        }
        for name, group in table.groupby("puzzle", sort=False)
    ]


def _about_named(row):
    n = row.n_solutions
    (puzzle,) = named.puzzles(row.name)
    return _grid(puzzle, "one solution" if n == 1 else f"{n:,} solutions")


def _about_own(row):
    puzzle = read_integers(row.puzzle, row.instance_id)
    return _grid(puzzle, "one solution" if row.deletion == UNIQUE else "")


def _grid(puzzle, solutions):
    rows = puzzle.givens.reshape(puzzle.size, puzzle.size).tolist()
    has_digits = puzzle.order <= WITH_DIGITS
    blocks = [block for y, row in enumerate(rows) for block in _blocks(y, row)]
    return {
        "name": puzzle.name,
        "title": papers.puzzle_title(puzzle.name),
        "size": puzzle.size,
        "box": puzzle.order,
        "rows": ["".join(str(value or ".") for value in row) for row in rows if has_digits],
        "blocks": [] if has_digits else blocks,
        "n_givens": int((puzzle.givens > 0).sum()),
        "solutions": solutions,
    }


def _blocks(y, row):
    """Neighbouring givens of a row: where they begin, and how many they are."""
    start = None
    for x, value in enumerate([*row, 0]):
        if value and start is None:
            start = x
        elif not value and start is not None:
            yield start, y, x - start
            start = None


def _result(row):
    return {
        "look": colours.look(row.variant),
        "success": f"{row.solved}/{row.n}",
        "all_solved": row.solved == row.n,
        "mean": texts.seconds(row.mean_time_solved_s),
        "par2": texts.seconds(row.par2_s),
    }
