"""Grids of several generators: does it matter which one makes the instances?"""

import pandas as pd

from antdoku import statistics
from antdoku.columns import TO, Column, columns
from antdoku.papers.lloyd_amos.tables import EXPERIMENT as MAIN
from antdoku.papers.lloyd_amos.tables import LIMITS_OF
from antdoku.statistics import ALPHA, MARGIN, Rate
from antdoku.tables import Rows, summary, table, work
from antdoku.tables.summary import GROUP_KEY, POINT, RATE, sort

# Experiments like main on the grids of other generators.
OTHERS = ("generators", "generators_root", "generators_random")
ROWS = [Rows(name, random=True, required=name in (MAIN, OTHERS[0])) for name in (MAIN, *OTHERS)]
PROPAGATION = "propagation"  # stands for a variant: instances that propagation alone solves
MAIN_COUNTS = {
    "main_n": Column("int64", "main: runs"),
    "main_solved": Column("int64", "main: solved"),
}
GENERATORS = {
    **columns(*GROUP_KEY, "experiment", "source", "label"),
    "n_grids": Column("float64", "grids"),
    "unavoidable_sets": Column("float64", "unavoidable sets, mean"),
    "unavoidable_sets_sd": Column("float64", "unavoidable sets, standard deviation"),
    "trivial_rate": Column("float64", "trivial", "share"),
    **columns("mean_value_set_size", "n", "solved", *RATE, "median_time_s", "par2_s"),
    **MAIN_COUNTS,
    **columns("limit_s", "limit_steps", "work_steps"),
}
AGREEMENT = {
    **columns("order", "experiment", "source", "variant", "label", "n_points"),
    "main_source": Column("str", "main: source"),
    **MAIN_COUNTS,
    "other_n": Column("int64", "other: runs"),
    "other_solved": Column("int64", "other: solved"),
    "main_rate": Column("float64", "main: success rate", "share"),
    "other_rate": Column("float64", "other: success rate", "share"),
    "effect_h": Column("float64", "Cohen’s h"),
    "effect_low": Column("float64", "interval"),
    "effect_high": Column("float64", TO),
    **columns("p_value"),
    "p_agreement": Column("float64", "p of agreement", "p"),
    **columns("verdict"),
}


@table("beyond_generators", GENERATORS, *ROWS, group="beyond")
def generators(runs: pd.DataFrame) -> pd.DataFrame:
    """Grids of several generators: the experiment `lloyd_amos` (main) beside `OTHERS`.

    A row summarises the first runs of a solver on the instances of a point, at the papers' work.
    trivial_rate is the share of these instances that the initial propagation solves alone. n_grids
    solved grids of the source have so many unavoidable sets of four cells in the mean. The table
    has the points at which main and another experiment ran under the same limits.
    """
    runs = work.at(runs[runs["repetition"] == 0], LIMITS_OF)
    keys = [*GROUP_KEY, "experiment"]
    table = _beside_main(summary.summarise_at_work(runs, keys, LIMITS_OF))
    propagated = runs.groupby(keys).agg(
        trivial_rate=("trivial", "mean"),
        mean_value_set_size=("mean_value_set_size", "mean"),
        source=("source", "first"),
    )
    # Missing where no solved grid is known.
    grids = runs.drop_duplicates(["experiment", "instance_id"]).dropna(subset="unavoidable_sets")
    sets = grids.groupby(["order", "source"])["unavoidable_sets"]
    sets = sets.agg(n_grids="size", unavoidable_sets="mean", unavoidable_sets_sd="std")
    table = table.join(propagated, on=keys).join(sets, on=["order", "source"])
    return table.sort_values(keys)


def _beside_main(table):
    """Return the rows at points of main and another experiment, with columns `main_...`.

    Rows are comparable under the same limits only.
    """
    key = [*GROUP_KEY, "limit_s", "limit_steps", "work_steps"]
    numbers = ["n", "solved", "median_time_s"]
    main = table.loc[table["experiment"] == MAIN, [*key, *numbers]]
    main = main.rename(columns={name: f"main_{name}" for name in numbers})
    table = table.merge(main, on=key)
    n_experiments = table.groupby(GROUP_KEY)["experiment"].transform("size")
    return table[n_experiments > 1].reset_index(drop=True)


@table(
    "beyond_generators_agreement",
    AGREEMENT,
    *ROWS,
    heading="Agreement of the generators",
    group="beyond",
    caption="Whether the generator of the grids changes success at the paper's work. Each row "
    "compares one source with main, all points of a size together: a solver, or what propagation "
    'alone solves. "alike": Cohen\'s h is shown to lie within 0.4. "different": it is shown to lie '
    "beyond that.",
)
def generators_agreement(runs: pd.DataFrame) -> pd.DataFrame:
    """Return tests of whether the generator changes success: a row per solver, size and source.

    Each point has the same weight in main_rate and other_rate, however many instances main has.
    effect_h has the 95 % interval from effect_low to effect_high. "alike": two one-sided tests
    show h to lie within `statistics.MARGIN` (p_agreement), which their 90 % interval decides.
    "different": the tests of the opposite (p_value).
    """
    points = generators(runs).rename(columns={"n": "other_n", "solved": "other_solved"})
    variants = points["variant"].cat.categories
    points = pd.concat([points, _by_propagation(points)], ignore_index=True)
    keys = ["order", "experiment", "source", "variant", "label"]
    groups = points[points["experiment"] != MAIN].groupby(keys)
    rows = [dict(zip(keys, key)) | _agreement(group) for key, group in groups]
    table = pd.DataFrame(rows, columns=list(AGREEMENT))
    table["main_source"] = points.loc[points["experiment"] == MAIN, "source"].max()
    return sort(table, ["order", "experiment", "variant"], variants)


def _by_propagation(points):
    """Return rows for propagation alone, as if it were a solver."""
    rows = points.drop_duplicates([*POINT, "experiment"])
    main = rows[rows["experiment"] == MAIN].set_index(POINT)["trivial_rate"]
    rows = rows.join(main.rename("main_rate"), on=POINT)
    return rows.assign(
        variant=PROPAGATION,
        label="propagation alone",
        other_solved=(rows["trivial_rate"] * rows["other_n"]).round().astype(int),
        main_solved=(rows["main_rate"] * rows["main_n"]).round().astype(int),
    ).drop(columns="main_rate")


def _agreement(points):
    """Return the numbers of one row: two rates, their difference and the tests of it."""
    counts = [f"{side}_{name}" for side in ("main", "other") for name in ("n", "solved")]
    sums = points[counts].sum().to_dict()
    main = _main_rate(points)
    compared = Rate(sums["other_solved"] / sums["other_n"], sums["other_n"])
    pair = [main], [compared]
    low, high = statistics.h_interval(*pair, ALPHA / 2)
    p_agreement = statistics.equivalence(*pair, MARGIN)
    p_value = statistics.beyond(*pair, MARGIN)
    return sums | {
        "n_points": len(points),
        "main_rate": main.share,
        "other_rate": compared.share,
        "effect_h": statistics.cohens_h(*pair),
        "effect_low": low,
        "effect_high": high,
        "p_value": p_value,
        "p_agreement": p_agreement,
        "verdict": _verdict(p_agreement, p_value),
    }


def _main_rate(points):
    """Return the rate of main, with the points weighted as in the other experiment.

    Its n is the number of instances that are worth as much at points in this proportion.
    """
    rates, weights = points["main_solved"] / points["main_n"], points["other_n"]
    share = (weights * rates).sum() / weights.sum()
    return Rate(share, weights.sum() ** 2 / (weights**2 / points["main_n"]).sum())


def _verdict(p_agreement, p_value):
    if p_agreement < ALPHA:
        return "alike"
    return "different" if p_value < ALPHA else "undecided"
