"""Claims about shares: of solved runs, or of instances that propagation solves."""

from typing import Literal

import numpy as np

from antdoku import statistics
from antdoku.claims import INSTANCES, SUCCESS
from antdoku.claims.evidence import KINDS, Count, Evidence, Part, Percent, agreement, fact, nothing
from antdoku.claims.samples import Sample, percentage
from antdoku.puzzle import named
from antdoku.statistics import ALPHA


@KINDS(
    "rate",
    1,
    one_of=("percent", "above", "below"),
    rule="""The share of solved runs, or of instances that propagation solves. It agrees with the
    printed one within h = 0.4: 19 points at one half, 4 at 0 and 100 %. Or it lies above or below a
    bound (one-sided exact test). reproduced: shown at each place (a fixed fraction, a puzzle), or
    in the pool of all places where the paper's sentence pools them. not reproduced: shown to lie
    beyond the margin, or on the other side of the bound, at one place (corrected for their number),
    or in the pool. Exact solvers on the paper's own instances leave nothing to chance.""",
)
def rate(
    sample: Sample,
    percent: Percent | dict[float, Percent] | None = None,
    of: Count | None = None,
    runs: Count = 1,
    read_off: float = 0.0,
    above: Percent | None = None,
    below: Percent | None = None,
    pooled: bool = False,
    by: Literal["success", "instances"] = SUCCESS,
    column: Literal["trivial", "gain"] = "trivial",
) -> Evidence:
    """Test whether a share agrees with the printed one, or lies above or below a bound.

    Parameters
    ----------
    sample : Sample
    percent : float or dict
        The printed share, or one by fixed fraction.
    of, runs : int
        The printed share is of so many runs on each of `of` instances at a place. It is exact if
        `of` is None.
    read_off : float
        A share that is read off a figure is any within so many points: the nearest to ours.
    above, below : float
        In place of `percent`, a bound in percent.
    pooled : bool
        Whether the sentence of the paper is about all places together.
    by : {"success", "instances"}
        "instances" counts instances by their propagation, however runs on them end.
    column : {"trivial", "gain"}
        Which instances count: propagation solves them, or fixes a cell beyond the givens.
    """
    sample = sample.of_propagation(column) if by == INSTANCES else sample
    if not sample.places():
        return nothing(sample.unit)
    if percent is None:
        is_above = above is not None
        bound = (above if is_above else below) / 100
        unit = "instances" if by == INSTANCES else sample.unit
        return _beside_bound(sample, bound, is_above, pooled, unit)
    return _as_printed(sample, percent, of, runs, read_off, pooled)


def _as_printed(sample, percent, of, runs, read_off, pooled):
    """Test whether the share agrees with the printed one, at each place or in the pool."""
    places, by_fraction = sample.places(), isinstance(percent, dict)
    percents = {
        name: percent[place.runs["fixed_fraction"].iloc[0]] if by_fraction else percent
        for name, place in places.items()
    }
    pairs = {
        name: _pair(place, percents[name], of, runs, read_off) for name, place in places.items()
    }
    farthest = _farthest(pairs)
    ((our_rate,), _) = pairs[farthest]
    evidence = agreement(*pairs.values())
    if pooled:
        our_rate = sample.rate()
        pool = agreement(_pair(sample, percent, of and of * len(places), runs, read_off))
        evidence = _of_pool(pool, evidence["p_against"])
    evidence |= {"printed": percents[farthest], "measured": 100 * our_rate.share}
    if not by_fraction:  # else there are several shares
        n_trials = sum(ours.n for (ours,), _ in pairs.values())
        evidence |= _interval(sample.trials().mean(), n_trials)
    unit = sample.unit
    if len(places) > 1:
        evidence["parts"] = tuple(_part(sample.place_name(name), *pairs[name]) for name in places)
        unit = "runs a puzzle" if sample.same_puzzles else "instances a fraction"
    n = min(len(place.trials()) for place in places.values())
    return Evidence(_shares(sample, pairs, by_fraction), n, unit, **evidence)


def _pair(sample, percent, of, runs, read_off):
    """Return our rate and the printed one, each in a list.

    A rate that is read off a figure is the nearest to ours among the possible ones.
    """
    ours, printed = sample.rate(), sample.printed(percent, of, runs)
    reach = read_off / 100
    share = np.clip(ours.share, printed.share - reach, printed.share + reach)
    return [ours], [printed._replace(share=float(np.clip(share, 0, 1)))]


def _of_pool(pool, p_against):
    """Return what a pool shows, unless a place is shown to lie beyond the margin.

    `p_against` is the p value of the latter. Such a place refutes the claim.
    """
    if p_against < ALPHA:
        return pool | {"p_for": 1.0, "p_against": p_against, "within": np.inf}
    return pool | {"p_against": min(pool["p_against"], p_against)}


def _part(place, ours, printed):
    """Return the evidence of agreement at a place alone."""
    test = agreement((ours, printed))
    shares = percentage(ours[0].share), percentage(printed[0].share)
    return Part(place, *shares, test["p_for"], test["p_against"])


def _shares(sample, pairs, by_fraction):
    """Return our shares in words: their mean, and the share farthest from the printed one."""
    shares, runs = sample.trials(), sample.runs["solved"]
    counts = f"{runs.sum()} of {len(runs)}"
    if len(shares) < len(runs):
        counts += f" runs, {len(shares)} {sample.unit}"
    if by_fraction:
        return ", ".join(percentage(ours.share) for (ours,), _ in pairs.values()) + f" ({counts})"
    farthest = _farthest(pairs)
    if len(pairs) > 1 and statistics.cohens_h(*pairs[farthest]):
        (ours,), _ = pairs[farthest]
        counts += f"; {percentage(ours.share)} {sample.place_name(farthest)}"
    return f"{percentage(shares.mean())} ({counts})"


def _farthest(pairs):
    """Return the name of the pair of rates that lie farthest apart."""
    return max(pairs, key=lambda name: abs(statistics.cohens_h(*pairs[name])))


def _interval(share, n):
    """Return the 95 % interval of a rate of n trials, in percent, as attributes of `Evidence`."""
    low, high = statistics.wilson(share * n, n) if np.isfinite(n) else (share, share)
    return {"low": 100 * float(low), "high": 100 * float(high)}


def _beside_bound(sample, bound, is_above, pooled, unit):
    """Test whether the share lies above or below a bound, at each place or in the pool."""
    pool = sample.rate()
    p_for, p_against = _on_side(pool, bound, is_above)
    rates = {sample.place_name(name): place.rate() for name, place in sample.places().items()}
    parts = tuple(
        Part(name, percentage(rate.share), "", *_on_side(rate, bound, is_above))
        for name, rate in rates.items()
    )
    counts = f"{int(sample.runs['solved'].sum())} of {len(sample.runs)}"
    if len(parts) > 1 and not pooled:
        weakest = max(parts, key=lambda part: (part.p_for, -part.p_against))
        counts += f"; {weakest.ours} {weakest.name}"
        p_for = weakest.p_for
        p_against = min(1.0, len(parts) * min(part.p_against for part in parts))
    return Evidence(
        f"{percentage(pool.share)} ({counts})",
        len(sample.trials()),
        unit,
        p_for,
        p_against,
        **_interval(pool.share, pool.n),
        effect=pool.share - bound,
        measure="g",
        parts=parts if len(parts) > 1 else (),
    )


def _on_side(rate, bound, is_above):
    """Return the p values that a rate lies on the claimed side of a bound, and on the other."""
    if np.isinf(rate.n):
        p_above, p_below = float(rate.share <= bound), float(rate.share >= bound)
    else:
        p_above = statistics.share_below(1 - rate.share, rate.n, 1 - bound)
        p_below = statistics.share_below(rate.share, rate.n, bound)
    return (p_above, p_below) if is_above else (p_below, p_above)


@KINDS(
    "count",
    0,
    1,
    apart=(("puzzles", "names"),),
    of_instances=True,
    rule="Facts about puzzles are counted. reproduced: they hold. not reproduced: they do not.",
)
def count(
    sample: Sample,
    number: int | None = None,
    by: Literal["instances", "success"] = INSTANCES,
    puzzles: str = "",
    names: list[str] | None = None,
) -> Evidence:
    """Count the puzzles for which a fact holds.

    Parameters
    ----------
    sample : Sample
    number : int
        So many puzzles are solved without a step of search. With `puzzles`, the number of solutions
        of each of them.
    by : {"instances", "success"}
        "success": all puzzles are solved, by a variant that draws no random numbers.
    puzzles : str
        A collection of named puzzles, whose solutions an exact search counts without runs.
    names : list of str
        These puzzles, and no others, are solved without a step of search.
    """
    exceptions = []
    if puzzles:
        counts = {puzzle.name: puzzle.n_solutions for puzzle in named.find(puzzles)}
        holds = np.array([n == number for n in counts.values()])
        exceptions = [f"{name} has {n} solutions" for name, n in counts.items() if n != number]
    elif by == SUCCESS:
        holds = sample.runs["solved"].groupby(sample.runs["instance_id"]).all()
    else:
        holds = sample.instances().set_index("instance_id")["trivial"]
    n, n_all = holds.sum(), len(holds)
    if not n_all:
        return nothing("puzzles")
    if names is not None:
        alone = [*holds.index[holds]]
        ours = f"{n} of {n_all}: {', '.join(sorted(alone)) or 'none'}"
        return fact(ours, n_all, "puzzles", {*alone} == {*names})
    expected = number if by == INSTANCES and not puzzles else n_all
    return fact("; ".join([f"{n} of {n_all}", *exceptions]), n_all, "puzzles", n == expected)
