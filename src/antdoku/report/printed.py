"""Printed success rates and mean times at their places, for the interactive charts.

They come from the claims of the ledger, which know our variant for each printed number. Numbers
stand beside other runs, too, if these are another reading of the claim in an experiment of its own.
In a user's paper `published.csv` names our variants, so its other numbers come from there.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np
import pandas as pd

from antdoku import papers, statistics
from antdoku.claims import ledger, numbers
from antdoku.figures import style
from antdoku.papers import published

# Measure of the charts, and its unit in the unit of claims.
MEASURES = {numbers.SUCCESS: ("success_rate", 0.01), numbers.MEAN_TIME: ("mean_time_solved_s", 1)}
PLACE = ["experiment", "view", "x", "variant"]
COLUMNS = [*PLACE, "metric", "source", "value", "low", "high"]
RANDOM, GIVEN = "order{}", "given"  # views of random instances of an order, of given puzzles
SAME_EVERYWHERE = (0, 100)  # percent: a pooled rate that holds at each of its places


def table() -> pd.DataFrame:
    """Return the printed numbers, a row each.

    Returns
    -------
    DataFrame
        Columns `COLUMNS`. Rates are fractions with a 95 % Wilson interval from `low` to `high`
        (NaN if the number of runs is not printed), times are seconds. `source` names the paper as
        the figures do.
    """
    rows = [row for claim in _claims() for row in _rows(claim)]
    rows += [row for paper in papers.every().values() for row in _of_user(paper)]
    table = pd.DataFrame(rows, columns=["edition", *COLUMNS]).sort_values("low", kind="stable")
    table = table.drop_duplicates(["edition", *PLACE, "metric"]).sort_index(ignore_index=True)
    return table[COLUMNS]


def opening_variants(runs: pd.DataFrame, printed: pd.DataFrame) -> list[str]:
    """Return the variants that a view shows at first.

    They are the variants with printed numbers in the view, or else in its experiment, and variants
    of users. A view of our own experiments, of a user's paper, or without printed numbers, shows
    all its variants. A reader adds the mutants.

    Parameters
    ----------
    runs : DataFrame
        Columns experiment, view and variant, of one view.
    printed : DataFrame
        Columns `PLACE`.
    """
    variants, experiment = [*runs["variant"].unique()], runs["experiment"].iloc[0]
    variants = [name for name in variants if name not in papers.mutations()] or variants
    paper = papers.of_experiment(experiment)
    of_experiment = printed[printed["experiment"] == experiment]
    of_view = of_experiment[of_experiment["view"] == runs["view"].iloc[0]]
    names = {*of_view["variant"]} & {*variants} or {*of_experiment["variant"]} & {*variants}
    if not names or paper is None or paper.ours or not paper.is_shipped:
        return variants
    of_users = {*variants} - {*papers.variants()}
    return [name for name in variants if name in names | of_users]


def place_of_fraction(fractions):
    """Return fixed fractions as percent on the x axis, equal for equal fractions."""
    return (100 * fractions).round(4)


def _claims() -> Iterator[ledger.Claim]:
    """Yield the claims, and their other readings that have an experiment of their own."""
    for claim in ledger.load():
        yield claim
        for reading in ledger.readings().get(claim.paper, []):
            read = claim.under(reading)
            if read and read.runs["experiment"] != claim.runs["experiment"]:
                yield read


def _rows(claim):
    """Yield edition and `COLUMNS` for each number of a claim at each of its places."""
    source = style.printed(claim.paper).label
    for number in sorted(numbers.printed(claim), key=str):
        if number.metric not in MEASURES:
            continue
        metric, unit = MEASURES[number.metric]
        value = number.value * unit
        interval = _interval(claim, value) if number.metric == numbers.SUCCESS else (np.nan,) * 2
        for view, x in _points(number):
            place = (claim.runs["experiment"], view, x, number.variant)
            yield claim.paper, *place, metric, source, value, *interval


def _of_user(paper):
    """Yield edition and `COLUMNS` for the numbers of a user's paper about its own experiment."""
    names = {theirs: ours for ours, theirs in paper.puzzles.items()}
    for number in [] if paper.is_shipped else published.rows(published.NUMBERS):
        if number.edition not in paper.editions or number.metric not in MEASURES:
            continue
        view, x = GIVEN, papers.puzzle_title(names.get(number.instance, number.instance))
        if number.instance == published.GENERAL:
            fraction = np.array(number.fixed_fraction)
            view, x = RANDOM.format(number.order), place_of_fraction(fraction)
        place = (number.edition, paper.own, view, x, number.variant)
        metric, source = MEASURES[number.metric][0], style.printed(number.edition).label
        value = number.value * published.TO_BASE_UNIT.get(number.unit, 1)
        yield *place, metric, source, value, np.nan, np.nan


def _interval(claim, share):
    """Return the 95 % interval of a printed rate, NaN if the paper does not say of how many."""
    n = claim.expect.get("of", 0) * (claim.expect.get("runs") or 1)
    return statistics.wilson(share * n, n) if n else (np.nan, np.nan)


def _points(number):
    """Return view and place of a number; none if it is a mean over several places."""
    random = [
        (RANDOM.format(order), place_of_fraction(np.float64(fraction)))
        for order, fraction in product(number.orders, number.fixed_fractions)
    ]
    given = [(GIVEN, papers.puzzle_title(name)) for name in number.puzzles]
    points = given or random
    is_single = len(points) == 1 or number.value in SAME_EVERYWHERE
    return points if is_single else []
