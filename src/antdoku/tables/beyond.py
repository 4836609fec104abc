"""Tables that no paper has: all solvers side by side, whole distributions, traces, other instances.

The columns of summaries are those of `tables.summary`. Times are CPU seconds.
"""

import json

import numpy as np
import pandas as pd

from antdoku import inference, published, statistics
from antdoku.inference import ALPHA, MARGIN, Rate
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.tables import lewis, lloyd_amos, summary, work
from antdoku.tables.summary import GROUP_KEY, POINT, RATE, SUMMARY, beside, columns, sort, typed

MAIN, MAPS = "lloyd_amos", "sensitivity"
# Experiments like main on the grids of other generators.
OTHERS = ("generators", "generators_root", "generators_random")
# Experiments without which a table has nothing to say.
NEEDS = {
    "beyond_phase_transition": {MAIN},
    "beyond_work": {MAIN},
    "beyond_run_times": {MAIN},
    "beyond_cactus": {MAIN},
    "beyond_stagnation": {MAIN},
    "beyond_generators": {MAIN, OTHERS[0]},
    "beyond_generators_agreement": {MAIN, OTHERS[0]},
    "beyond_sensitivity": {MAPS},
}
POINTS_OF_A_CURVE = 400  # a cactus plot of thousands of instances needs no more
# Curves of success against work. By experiment: whose work is 1, whose variants are drawn, and by
# what the columns of published rates start with, where these come from.
WORK_CURVES = {
    MAIN: (
        lloyd_amos.LIMITS_OF,
        (*lloyd_amos.PAPER_VARIANTS, *lloyd_amos.BVE_VARIANTS),
        {edition: edition for edition in lloyd_amos.EDITIONS},
    ),
    lewis.EXPERIMENT: (
        lewis.JOURNAL,
        (lewis.JOURNAL_SA,),
        {"published": lewis.JOURNAL},
    ),
}
HARD_FROM = 0.1  # share of failures of a variant at the paper's work
HARD_POINTS = 4  # of an order
LEAST_WORK = 1e-3  # what takes less is not told apart
# Between medians of two experiments, which run at different hours: repeats of one short run vary by
# tenths of a millisecond.
LEAST_DIFFERENCE_S = 1e-3
POINTS_PER_DECADE = 20
MAP_PARAMS = ("m", "q0", "rho", "f_bve")
QUARTILES = {"low": 0.25, "median": 0.5, "high": 0.75}

PHASE_TRANSITION = columns(*GROUP_KEY, *SUMMARY)
WORK = columns(
    *("experiment", *GROUP_KEY, "label", "n", "work_steps", "work_factor"),
    *("work", "solved", "success_rate"),
    *("arxiv_success_rate", "journal_success_rate", "published_success_rate"),
)
RUN_TIMES = columns(
    *(*GROUP_KEY, "label", "instance_id", "repetition", "n", "solved", "cpu_s"),
    *("limit_s", "limit_steps"),
) | {"solved": "bool"}
CACTUS = columns("variant", "label", "n", "n_solved", "cpu_s")
STAGNATION = columns(
    *GROUP_KEY,
    *("n", "iteration", "solved", *RATE, "n_unsolved"),
    *(f"{grid}_missing_{quartile}" for grid in ("best", "held") for quartile in QUARTILES),
)
GENERATORS = columns(
    *(*GROUP_KEY, "experiment", "source", "label"),
    *("n_grids", "unavoidable_sets", "unavoidable_sets_sd", "trivial_rate", "mean_value_set_size"),
    *("n", "solved", *RATE, "median_time_s", "par2_s", "main_n", "main_solved"),
    *("limit_s", "limit_steps", "work_steps"),
    *("effect_h", "p_value", "p_holm", "time_effect", "time_p_value", "time_p_holm"),
)
AGREEMENT = columns(
    *("order", "experiment", "source", "variant", "label", "n_points"),
    *("main_n", "main_solved", "other_n", "other_solved", "main_rate", "other_rate"),
    *("effect_h", "effect_low", "effect_high", "p_value", "p_agreement", "verdict", "needed"),
) | {"n_points": "int64", "verdict": "str"}
SENSITIVITY = columns(*POINT, "greedy_rule", *MAP_PARAMS, *SUMMARY, "median_steps", "median_walks")


def phase_transition(runs: pd.DataFrame, experiment: str = MAIN) -> pd.DataFrame:
    """All solvers on the random instances: success and time at each point (`PHASE_TRANSITION`)."""
    table = summary.summarise(summary.of_random_instances(runs, experiment), GROUP_KEY)
    return typed(table, PHASE_TRANSITION)


def hardest(runs: pd.DataFrame, experiment: str = MAIN) -> pd.DataFrame:
    """The hardest point of each order: order and fixed_fraction.

    It is the one with the lowest success rate, the mean over the solvers; among equals that with
    the most steps of solved runs (geometric mean, since solvers count in units of their own), then
    the one with the fewest fixed cells. Seconds have no say: the next run's are others.
    """
    runs = summary.of_random_instances(runs, experiment)
    solved = runs["status"] == SOLVED
    found = runs[GROUP_KEY].assign(rate=solved, work=np.log1p(runs["steps"]).where(solved))
    points = found.groupby(GROUP_KEY).mean().groupby(POINT).mean().reset_index()
    keys = ["order", "rate", "work", "fixed_fraction"]
    points = points.sort_values(keys, ascending=[True, True, False, True])
    return points.drop_duplicates("order")[POINT].reset_index(drop=True)


def work_curves(runs: pd.DataFrame) -> pd.DataFrame:
    """Success by work at the hard points of the papers: run-length distributions (`WORK`).

    A row is a point of a curve: of n runs of a variant, `solved` take at most `work` times the
    steps of the paper's program within its limit (work_steps, known within work_factor). A curve is
    thinned out, and its last row is where the first run without a solution ended: what is
    beyond is not known. Points are those for which the paper prints success rates, and at which a
    variant of the paper fails in a tenth of the runs or more at the paper's work; the hardest
    four of each order.
    """
    frames = [_work_curves(runs, experiment, *of) for experiment, of in WORK_CURVES.items()]
    keys = ["experiment", *GROUP_KEY, "work"]
    return typed(pd.concat([sort(typed(frame, WORK), keys) for frame in frames]), WORK)


def _work_curves(runs, experiment, paper, variants, printed):
    """The rows of one experiment."""
    runs = summary.of_random_instances(runs, experiment)
    runs = runs[runs["variant"].isin(variants)]
    table = summary.summarise_at_work(runs, GROUP_KEY, paper).dropna(subset="work_steps")
    rates = [f"{name}_success_rate" for name in printed]
    for name, source in zip(rates, printed.values(), strict=True):
        table = beside(table, published.values(source, "success"), name, GROUP_KEY)
    table = table.merge(_hard(table, rates), on=POINT)
    of_group = runs.groupby(GROUP_KEY)
    curves = [
        _curve(of_group.get_group(tuple(key)), work_steps).assign(**dict(zip(GROUP_KEY, key)))
        for *key, work_steps in table[[*GROUP_KEY, "work_steps"]].itertuples(index=False)
    ]
    table = table.drop(columns=["solved", "success_rate"]).assign(experiment=experiment)
    of_curves = columns(*GROUP_KEY, "work", "solved", "success_rate")
    return table.merge(typed(pd.concat([pd.DataFrame(), *curves]), of_curves), on=GROUP_KEY)


def _hard(table, rates):
    """Points at which a variant fails often, of those with published numbers in columns `rates`."""
    table = table.assign(is_printed=table[rates].notna().any(axis=1))
    points = table.groupby(POINT, as_index=False).agg(
        is_printed=("is_printed", "any"),
        least=("success_rate", "min"),
        mean=("success_rate", "mean"),
    )
    hard = points[points["is_printed"] & (points["least"] <= 1 - HARD_FROM)]
    return hard.sort_values("mean").groupby("order").head(HARD_POINTS)[POINT]


def _curve(runs, work_steps):
    """Solved runs by work, thinned out, to where the first run was ended."""
    work_of = runs["steps"].to_numpy() / work_steps
    ends = work_of[runs["status"] == TIMEOUT]
    solved = np.sort(work_of[runs["status"] == SOLVED])
    solved = solved[solved <= ends.min(initial=np.inf)]
    places = np.floor(POINTS_PER_DECADE * np.log10(np.maximum(solved, LEAST_WORK)))
    kept = np.flatnonzero(np.diff(places, append=np.inf))
    curve = pd.DataFrame({"work": solved[kept], "solved": kept + 1})
    if len(ends):
        curve.loc[len(curve)] = [ends.min(), len(solved)]
    return curve.assign(success_rate=curve["solved"] / len(runs))


def run_times(runs: pd.DataFrame, experiment: str = MAIN) -> pd.DataFrame:
    """The runs at the hardest point of each order, solved ones first, by time (`RUN_TIMES`).

    An order at which all runs solve has no hardest point, and is left out: the longest time would
    be that of a blank grid. n is the number of runs of the solver at the point, so that the k-th
    solved run of it is at the share k / n of the run-time distribution.
    """
    points = hardest(runs, experiment)
    runs = summary.of_random_instances(runs, experiment).merge(points, on=POINT)
    runs = runs.assign(solved=runs["status"] == SOLVED, unsolved=runs["status"] != SOLVED)
    runs = runs[runs.groupby("order")["unsolved"].transform("any")]
    runs["n"] = runs.groupby(GROUP_KEY)["solved"].transform("size")
    return typed(sort(runs, [*GROUP_KEY, "unsolved", "cpu_s", "instance_id"]), RUN_TIMES)


def cactus(runs: pd.DataFrame) -> pd.DataFrame:
    """How many of all random instances are solved within a time each: cactus plot (`CACTUS`).

    Of the n runs of a solver, n_solved take at most cpu_s. The curves are thinned out, least among
    the slowest runs.
    """
    runs = summary.of_random_instances(runs, MAIN)
    n = runs.groupby("variant")["status"].size()
    frames = [pd.DataFrame()]
    for name, group in runs[runs["status"] == SOLVED].groupby("variant"):
        curve = group.sort_values("cpu_s")[["variant", "label", "cpu_s"]]
        kept = _thinned(len(curve))
        frames.append(curve.iloc[kept].assign(n=n[name], n_solved=1 + kept))
    return sort(typed(pd.concat(frames), CACTUS), ["variant", "n_solved"])


def _thinned(count):
    """Places from 0 to `count` - 1, all of the last ones and fewer and fewer before."""
    if count <= POINTS_OF_A_CURVE:
        return np.arange(count)
    from_end = np.geomspace(1, count, POINTS_OF_A_CURVE).round().astype(int)
    return np.sort(np.unique(count - from_end))


def stagnation(traces: pd.DataFrame) -> pd.DataFrame:
    """Success and cells that are missing in the grids, by iteration (`STAGNATION`).

    Missing cells are quartiles over the instances that are not yet solved: n_unsolved of n.
    """
    keys = [*GROUP_KEY, "iteration"]
    rows = [dict(zip(keys, key)) | _at_iteration(group) for key, group in traces.groupby(keys)]
    table = pd.DataFrame(rows, columns=list(STAGNATION))
    low, high = statistics.wilson(table["solved"], table["n"])
    rate = table["solved"] / table["n"]
    table = table.assign(success_rate=rate, wilson_low=low, wilson_high=high)
    return typed(sort(table, keys), STAGNATION)


def _at_iteration(traces):
    """Counts, and the quartiles of the missing cells, of all instances at one iteration."""
    unsolved = traces[~traces["solved"]]
    row = {"n": len(traces), "solved": len(traces) - len(unsolved), "n_unsolved": len(unsolved)}
    for grid in ("best", "held"):
        missing = unsolved["n_cells"] - unsolved[f"{grid}_fixed"]
        for name, share in QUARTILES.items():
            row[f"{grid}_missing_{name}"] = missing.quantile(share)
    return row


def generators(runs: pd.DataFrame) -> pd.DataFrame:
    """Grids of several generators: those of `lloyd_amos` (main) beside those of `OTHERS`.

    Each row summarises the runs of one solver at one point of one experiment, at the papers' work;
    the first run on each instance, as runs on the same one are not independent. Beside it stand
    what the initial propagation does to the instances there (the share that it solves alone, and
    the mean size of their value sets) and the unavoidable sets of four cells of all solved grids
    with this source (`_sets`). Points are those that main and another experiment have, under the
    same limits.

    The rows of others are compared with those of main: Fisher's test and Cohen's h of the success
    rates, the log-rank test and 2A - 1 of the times (A the probability that a run on a main
    instance is the faster), both corrected after Holm over the table. Effects are positive where
    the main instances are the easier ones. Times whose medians differ by less than a millisecond do
    not differ: time_effect is 0, time_p_value 1.

    Returns
    -------
    DataFrame
        Columns `GENERATORS`.
    """
    runs = runs[runs["experiment"].isin([MAIN, *OTHERS]) & (runs["repetition"] == 0)]
    runs = work.at(summary.of_random_instances(runs), lloyd_amos.LIMITS_OF)
    keys = [*GROUP_KEY, "experiment"]
    table = summary.summarise_at_work(runs, keys, lloyd_amos.LIMITS_OF)
    table = _beside_main(table).join(_propagated(runs, keys), on=keys)
    table = table.join(_sets(runs), on=["order", "source"])
    samples = dict(list(runs.groupby(keys)))
    names = ["effect_h", "p_value", "time_effect", "time_p_value"]
    tests = [_compared(row, keys, samples) for row in table.to_dict("records")]
    table = table.join(pd.DataFrame(tests, table.index, names, dtype=float))
    for name in ("p", "time_p"):
        table[f"{name}_holm"] = statistics.holm(table[f"{name}_value"])
    return typed(sort(table, keys), GENERATORS)


def _beside_main(table):
    """Rows that main and another experiment have, with the numbers of main in columns `main_...`.

    Under other limits they are not comparable.
    """
    key = [*GROUP_KEY, "limit_s", "limit_steps", "work_steps"]
    numbers = ["n", "solved", "median_time_s"]
    main = table.loc[table["experiment"] == MAIN, [*key, *numbers]]
    main = main.rename(columns={name: f"main_{name}" for name in numbers})
    table = table.merge(main, on=key)
    n_experiments = table.groupby(GROUP_KEY)["experiment"].transform("size")
    return table[n_experiments > 1].reset_index(drop=True)


def _propagated(runs, keys):
    """By group of `keys`, the source and what the initial propagation does to the instances."""
    groups = runs.groupby(keys)
    means = groups[["trivial", "mean_value_set_size"]].mean()
    return means.rename(columns={"trivial": "trivial_rate"}).assign(source=groups["source"].first())


def _sets(runs):
    """Unavoidable sets by order and source: mean and standard deviation over n_grids grids.

    Missing where no solved grid is known.
    """
    grids = summary.instances(runs, ["experiment"]).dropna(subset="unavoidable_sets")
    groups = grids.groupby(["order", "source"])["unavoidable_sets"]
    return groups.agg(n_grids="size", unavoidable_sets="mean", unavoidable_sets_sd="std")


def _compared(row, keys, samples):
    """Effect and p value of success, then of times, of one row against main; of main missing."""
    if row["experiment"] == MAIN:
        return [np.nan] * 4
    counts = (row[name] for name in ("main_solved", "main_n", "solved", "n"))
    rates = inference.two_rates(*counts)
    if abs(row["main_median_time_s"] - row["median_time_s"]) < LEAST_DIFFERENCE_S:
        return rates.effect, rates.p, 0.0, 1.0
    main, other = (_times(samples, each, keys) for each in (row | {"experiment": MAIN}, row))
    times = inference.log_rank(*main, *other)
    return rates.effect, rates.p, times.effect, times.p


def _times(samples, row, keys):
    """CPU seconds of the runs of a row, and which of them solve."""
    runs = samples[tuple(row[key] for key in keys)]
    return runs["cpu_s"], runs["status"] == SOLVED


def generators_agreement(runs: pd.DataFrame) -> pd.DataFrame:
    """Whether success is the same on instances of two generators, points of an order together.

    Each point counts for main as it does for the other generator, so that more instances of main at
    the hard points make no difference: main_rate and other_rate. The verdict is "alike" if two
    one-sided tests show Cohen's h to lie within `inference.MARGIN` (p_agreement; effect_low and
    effect_high are the limits of both), "different" if the limits of h at a level p_value below
    0.05, two-sided, leave out 0, and h exceeds the margin, else "undecided". needed is the number
    of other instances that would show agreement if there is some; missing where the main instances
    are too few for any.

    Returns
    -------
    DataFrame
        Columns `AGREEMENT`.
    """
    points = generators(runs).rename(columns={"n": "other_n", "solved": "other_solved"})
    keys = ["order", "experiment", "source", "variant", "label"]
    others = points[points["experiment"] != MAIN].groupby(keys)
    rows = [dict(zip(keys, key)) | _agreement(group) for key, group in others]
    table = pd.DataFrame(rows, columns=list(AGREEMENT))
    return typed(sort(table, ["order", "experiment", "variant"]), AGREEMENT)


def _agreement(points):
    """The numbers of one row, and the tests: that two rates agree, and that they differ."""
    counts = [f"{side}_{name}" for side in ("main", "other") for name in ("n", "solved")]
    sums = points[counts].sum().to_dict()
    rates, weights = points["main_solved"] / points["main_n"], points["other_n"]
    share = (weights * rates).sum() / weights.sum()
    # As many instances, at points in this proportion, tell as much.
    main = Rate(share, weights.sum() ** 2 / (weights**2 / points["main_n"]).sum())
    other = Rate(sums["other_solved"] / sums["other_n"], sums["other_n"])
    pair = [main], [other]
    low, high = inference.h_interval(*pair, ALPHA)
    effect = inference.cohens_h(*pair)
    p_agreement = inference.equivalence(*pair, MARGIN)
    p_value = min(1.0, 2 * min(inference.no_less(*sides, 0) for sides in (pair, pair[::-1])))
    needed = inference.runs_to_agree((main,), MARGIN)
    differ = p_value < ALPHA and abs(effect) > MARGIN
    return sums | {
        **{"n_points": len(points), "main_rate": main.share, "other_rate": other.share},
        **{"effect_h": effect, "effect_low": low, "effect_high": high},
        **{"p_value": p_value, "p_agreement": p_agreement},
        "verdict": "alike" if p_agreement < ALPHA else "different" if differ else "undecided",
        "needed": needed if np.isfinite(needed) else np.nan,
    }


def sensitivity(runs: pd.DataFrame) -> pd.DataFrame:
    """ACS by its parameters, all runs with the same ones together (`SENSITIVITY`).

    median_steps is the median number of iterations over all runs, missing if half of them or more
    failed; median_walks is m times that, the walks of single ants.
    """
    runs = summary.of_random_instances(runs, MAPS)
    params = pd.DataFrame([json.loads(text) for text in runs["params"]], runs.index)
    names = ["greedy_rule", *MAP_PARAMS]
    runs = runs.join(params.reindex(columns=names)).dropna(subset=names)
    runs = runs.astype({name: SENSITIVITY[name] for name in names})
    keys = [*POINT, *names]
    table = summary.summarise(runs, keys)
    table = table.join(summary.median_steps(runs, keys), on=keys)
    return typed(table.assign(median_walks=table["m"] * table["median_steps"]), SENSITIVITY)
