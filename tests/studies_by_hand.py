"""Runs and thresholds of known truth, for the tables and figures of the studies."""

import json

import numpy as np
import pandas as pd
from runs_by_hand import point, runs_of

from antdoku import papers, tables
from antdoku.config import design
from antdoku.instances import thresholds
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.papers.bve.tables import FACTORS
from antdoku.papers.sensitivity.tables import NAMES, PAPER

LIMIT = 15_000
SOLUTION_STEPS = 400  # mean of run lengths of ACS with evaporation


def of_bve(n=40, seed=1):
    """Return runs of the design: each run solves in exponential time or stagnates for ever.

    The shares that do not stagnate are 0.9 with evaporation, 0.5 without, and 1 with restarts.
    """
    rng, rows = np.random.default_rng(seed), []
    for variant, (evaporates, restarts, _) in FACTORS.items():
        share = 1.0 if restarts else 0.9 if evaporates else 0.5
        for experiment, fraction, limit in [
            *(("bve", fraction, LIMIT) for fraction in (0.40, 0.45, 0.50)),
            ("bve_long", 0.45, 107_000),
        ]:
            for number in range(n):
                steps = 1 + int(rng.exponential(SOLUTION_STEPS)) if rng.random() < share else limit
                status = SOLVED if steps < limit else TIMEOUT
                rows.append(
                    point(fraction, number, variant=variant, experiment=experiment, steps=steps)
                    | {"status": status, "limit_steps": limit, "limit_s": 1200.0}
                    | {"label": papers.variants().get(variant, papers.Look(variant)).label}
                )
    return runs_of(*rows)


def of_sensitivity(effects=(0.5, 3.0, 1.0, 0.0, 0.0), base_points=64):
    """Return runs in which log10 of the ants is the sum of effect * position in the range."""
    ranges = [(2, 20), (0, 1), (0, 1), (0, 1), (0, 0.05)]
    cube = design.saltelli(base_points, len(NAMES), seed=3)
    settings = design.scaled(cube, ranges, [True, False, False, False, False])
    low, high = np.array(ranges, float).T
    settings = [(number, values) for number, values in enumerate(settings)] + [(-1, tuple(PAPER))]
    rows, numbers = [], []
    for rule in ("arxiv", "journal"):
        for number, values in settings:
            position = (np.array(values) - low) / (high - low)
            steps = 10 ** (3 + np.dot(effects, position)) / values[0]
            params = dict(zip(NAMES, values)) | {"greedy_rule": rule, "propagation": "complete"}
            name = "paper" if number < 0 else f"acs__{rule}__{number:04d}"
            rows.append(
                point(0.45, 0, variant=name, experiment="sensitivity", steps=round(steps))
                | {"params": json.dumps(params), "limit_steps": 10**9, "label": name}
            )
            numbers.append(number)
    return runs_of(*rows).assign(point=numbers)


def of_sensitivity_test():
    """Return runs of two settings: the paper's takes twice the ants of the other."""
    rows = []
    for variant, values, steps in (("paper", PAPER, 200), ("best", [20, *PAPER[1:]], 50)):
        params = dict(zip(NAMES, values)) | {"greedy_rule": "arxiv", "propagation": "complete"}
        row = {"experiment": "sensitivity_test", "variant": variant, "label": variant}
        row |= {"params": json.dumps(params), "limit_steps": 10_000}
        rows += [point(0.45, number, steps=steps + number) | row for number in range(10)]
    return runs_of(*rows)


def of_tails(shapes, n=200, seed=1):
    """Return run lengths of TabuCol: of a Weibull distribution with a shape for each instance."""
    rng, rows = np.random.default_rng(seed), []
    for number, shape in enumerate(shapes):
        for repetition, length in enumerate(1000 * rng.weibull(shape, n)):
            steps = min(1 + round(length), 10_000)
            rows.append(
                point(0.45, number, variant="tabu_col", solver="tabu_col", experiment="tails")
                | {"repetition": repetition, "steps": steps, "limit_steps": 10_000}
                | {"status": SOLVED if steps < 10_000 else TIMEOUT, "label": "TabuCol"}
            )
    return runs_of(*rows)


def of_portfolio(seconds, n=40):
    """Return runs by order: `seconds` are the times of a solver at orders 3 and 5, None: unsolved.

    At each order there are n instances with five runs.
    """
    rows = []
    for variant, by_order in seconds.items():
        for order, cpu_s in zip((3, 5), by_order):
            for number in range(n):
                for repetition in range(5):
                    row = {"status": SOLVED, "cpu_s": cpu_s}
                    if cpu_s is None:
                        row = {"status": TIMEOUT, "cpu_s": 1.0}
                    row |= {"variant": variant, "label": variant, "repetition": repetition}
                    row |= {"limit_s": 1.0, "experiment": "portfolio"}
                    rows.append(point(0.45, number, order, **row))
    return runs_of(*rows)


def of_hardest():
    """Return runs of the solvers of `scaling`: hardest at 45 %."""
    rows = []
    for order in (5, 6):
        for fraction in (0.40, 0.45, 0.50):
            seconds = 1.0 if fraction == 0.45 else 0.1
            row = {"experiment": "scaling_solvers", "limit_s": 2.0, "cpu_s": seconds}
            rows += [point(fraction, number, order, **row) for number in range(3)]
    return runs_of(*rows)


def thresholds_of(orders=(4, 5, 6, 7), n_grids=40, exponent=-0.5, seed=1):
    """Return thresholds: normal, with a width that is a power of the number of cells."""
    rng, parts = np.random.default_rng(seed), []
    for experiment, source in (("scaling", "search"), ("scaling_root", "shuffle root")):
        for order in orders:
            n_cells, size = order**4, (n_grids, thresholds.SEQUENCES)
            width = n_cells**exponent
            solved = rng.normal(0.5 + 0.02 * order, width, size) * n_cells
            frame = pd.DataFrame({"solved_givens": solved.round().ravel()})
            frame["sequence"] = np.tile(np.arange(thresholds.SEQUENCES), n_grids)
            frame["instance_id"] = np.repeat(
                [f"grid{number}" for number in range(n_grids)], size[1]
            )
            followed = frame["sequence"] < thresholds.FOLLOWED
            frame["unique_givens"] = frame["solved_givens"].where(followed)
            frame["mostly_givens"] = frame["solved_givens"]
            facts = {"experiment": experiment, "source": source, "order": order}
            parts.append(frame.assign(n_cells=n_cells, n_undecided=0, **facts))
    return pd.concat(parts)[list(thresholds.COLUMNS)].astype(thresholds.COLUMNS)


# The tables of the figures, by name.
DRAWN = {
    "bve": lambda: tables.make("bve", of_bve()),
    "sensitivity": lambda: tables.make("sensitivity", of_sensitivity()),
    "tails": lambda: tables.make("tails", of_tails([0.5, 1.5])),
    "scaling": lambda: tables.make("scaling", of_hardest(), thresholds_of()),
}
