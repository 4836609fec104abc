"""Columns of all tables: of instances, of the plan, of runs, and of the tables made of runs.

An instance is a row of an instance table, a run is a row of the plan and of the runs table. Types
are data types of pandas.
"""

from typing import Literal, NamedTuple

from antdoku.errors import InputError, unknown

INSTANCE_COLUMNS = {
    "instance_id": "str",
    "family": "str",
    "order": "int64",
    "fixed_fraction": "float64",  # nominal: what was asked for; givens / cells for named puzzles
    "puzzle": "str",  # whole numbers row by row, 0 blank
    "solution": "str",  # the grid that was blanked; missing if it is not known
    "seed": "int64",  # -1: not random
    "source": "str",  # shuffle | shuffle root | acs | search | archive | named | file
    "deletion": "str",  # exact | bernoulli | unique | empty
}
# One run, as its job writes it; the folder of the file names the experiment.
RUN_COLUMNS = {
    "instance_id": "str",
    "family": "str",
    "order": "int64",
    "fixed_fraction": "float64",  # nominal for random instances, givens / cells for named ones
    "variant": "str",
    "solver": "str",
    "label": "str",  # of the variant; of a single run the solver's TITLE, with its settings
    "kind": "str",  # exact | stochastic
    "params": "str",  # JSON
    "repetition": "int64",  # from 0
    "seed": "int64",
    "limit_s": "float64",  # CPU seconds; NaN: none
    "limit_steps": "int64",  # -1: none
    "status": "str",  # one of `outcome.STATUSES`
    "message": "str",  # why the status is error or invalid, or the answer too late; else empty
    "limited_by": "str",  # steps, the same on every machine, or seconds
    "cpu_s": "float64",  # the median, where a run took so little that it was repeated
    "setup_s": "float64",  # part of cpu_s before the first step: building of the solver's own model
    "wall_s": "float64",
    "n_timed": "int64",  # number of timed repetitions, all with the same seed
    "spread_s": "float64",  # quartile distance of these cpu_s; 0 if it was timed once
    "steps": "int64",  # in the solver's own unit of work
    "trivial": "bool",  # the initial propagation alone solves it
    "fixed_after_cp": "float64",  # fraction of the cells
    "mean_value_set_size": "float64",  # candidates per cell after the initial propagation
    "version": "str",
    "source_hash": "str",  # of the files that decide what the solver does
}

# Facts about the instance of a run in the table of all runs.
OF_INSTANCE = {
    "family_kind": "str",  # random (instances) | given (puzzles)
    "source": "str",
    "given_fraction": "float64",  # given cells / cells; `fixed_fraction` is the nominal value
    "unavoidable_sets": "float64",  # of four cells of the solved grid; NaN if it is not known
}
COLUMNS = {"experiment": "str", **RUN_COLUMNS, **OF_INSTANCE}
INSTANCE = ["family", "instance_id"]  # two families may have puzzles of one name


def with_message(runs):
    """Return runs with the column message, empty for runs of antdoku 0.4 and before."""
    messages = runs["message"].astype("str").fillna("") if "message" in runs else ""
    return runs.assign(message=messages)


NONE = -1  # in limit_steps and work_steps: no such limit, no known work
INTERVAL = "95 % interval"  # heading of the lower end of an interval
TO = "to"  # heading of its upper end, in the column after it

# Columns that only the plan has. The part is the job that does the run.
ONLY_PLANNED = {
    "work_steps": "int64",  # the most steps of the paper's program; -1 if they are not known
    "reach": "float64",  # limit_steps / work_steps as configured; NaN: other limits
    "point": "int64",  # number of the point in a sample of parameters; -1: no sample
    "color": "str",  # of the variant, as configured; empty: none
    "part": "str",
}
OPTIONAL = (
    "reach",
    "point",
    "color",
)  # columns of the plan that tables may read, if runs have them
_OF_RUN = (
    *("family", "instance_id", "order", "fixed_fraction", "variant", "solver", "label", "params"),
    *("repetition", "seed", "limit_s", "limit_steps"),
)
PLAN_COLUMNS = {"experiment": "str", "family_kind": "str"}
PLAN_COLUMNS |= {name: RUN_COLUMNS[name] for name in _OF_RUN} | ONLY_PLANNED


class Column(NamedTuple):
    """A column of a table that is made of runs."""

    dtype: Literal["bool", "float64", "int64", "str"]
    heading: str  # on the page of the report
    # How the page writes the values: "order" (9 × 9), "share" and "%" (in percent), "s" and "ms"
    # (the time unit that suits each value), "p" (no powers of ten). Other units are in the heading.
    unit: str = ""
    # Printed numbers have the key of their edition (`papers.editions`) and the metric in
    # `published.csv`; the metric is empty if they are computed from another column.
    edition: str = ""
    metric: str = ""


def printed(edition: str, metric: str, heading: str, unit: str = "") -> Column:
    """Return a column of the numbers that an edition prints."""
    return Column("float64", heading, unit, edition, metric)


def interval(name: str, heading: str, unit: str = "") -> dict[str, Column]:
    """Return columns of a value and of the ends of its 95 % interval.

    Their names are `name`, `name`_low and `name`_high, as in `statistics.interval_columns`.
    """
    return {
        name: Column("float64", heading, unit),
        f"{name}_low": Column("float64", INTERVAL, unit),
        f"{name}_high": Column("float64", TO, unit),
    }


def columns(*names: str) -> dict[str, Column]:
    """Return columns of `TABLE_COLUMNS` by name, in this order."""
    for name in names:
        if name not in TABLE_COLUMNS:
            raise InputError(unknown("column", name, TABLE_COLUMNS))
    return {name: TABLE_COLUMNS[name] for name in names}


def dtypes(schema: dict[str, Column]) -> dict[str, str]:
    """Return the data types of columns by name."""
    return {name: column.dtype for name, column in schema.items()}


# Columns of tables made of runs. Those of one paper, and of printed numbers, are in its folder.
TABLE_COLUMNS = {
    # What a row is about.
    "experiment": Column("str", "experiment"),
    "order": Column("int64", "size", "order"),
    "fixed_fraction": Column("float64", "fixed", "share"),
    "family": Column("str", "family"),
    "puzzle": Column("str", "puzzle"),
    "instance_id": Column("str", "instance"),
    "source": Column("str", "source"),
    "variant": Column("str", "variant"),
    "label": Column("str", "solver"),
    "repetition": Column("int64", "repetition"),
    "status": Column("str", "status"),
    # Counts.
    "n": Column("int64", "runs"),
    "n_instances": Column("int64", "instances"),
    "n_points": Column("int64", "points"),
    "solved": Column("int64", "solved"),
    "failed": Column("int64", "failed"),
    "n_unfinished": Column("int64", "ended by seconds"),
    "trivial": Column("int64", "trivial"),
    # Rates, and the ends of their 95 % Wilson intervals.
    "success_rate": Column("float64", "success rate", "share"),
    "wilson_low": Column("float64", INTERVAL, "share"),
    "wilson_high": Column("float64", TO, "share"),
    "success_percent": Column("float64", "success", "%"),
    "wilson_low_percent": Column("float64", INTERVAL, "%"),
    "wilson_high_percent": Column("float64", TO, "%"),
    "solved_low": Column("float64", INTERVAL, "share"),
    "solved_high": Column("float64", TO, "share"),
    # Time.
    "cpu_s": Column("float64", "CPU time", "s"),
    "mean_time_solved_s": Column("float64", "mean time of the solved (biased)", "s"),
    "mean_time_all_s": Column("float64", "mean time of all", "s"),
    "mean_time_s": Column("float64", "mean time", "s"),
    "mean_time_ms": Column("float64", "mean time", "ms"),
    "min_time_s": Column("float64", "shortest time", "s"),
    "max_time_s": Column("float64", "longest time", "s"),
    "median_time_s": Column("float64", "median time", "s"),
    "median_time_ms": Column("float64", "median time", "ms"),
    "median_s": Column("float64", "median time", "s"),
    "median_low_s": Column("float64", INTERVAL, "s"),
    "median_high_s": Column("float64", TO, "s"),
    "par2_s": Column("float64", "PAR2", "s"),
    "par2_low_s": Column("float64", INTERVAL, "s"),
    "par2_high_s": Column("float64", TO, "s"),
    # Work and limits. Steps are in the solver's own unit.
    "steps": Column("float64", "steps"),
    "median_steps": Column("float64", "median steps"),
    "limit_s": Column("float64", "limit", "s"),
    "limit_steps": Column("int64", "limit", "steps"),
    "reach": Column("float64", "limit, share of the paper’s work"),
    "work_steps": Column("float64", "the paper’s work", "steps"),
    "work_factor": Column("float64", "known within a factor of"),
    "rate_at_less": Column("float64", "solved at less", "share"),
    "rate_at_more": Column("float64", "solved at more", "share"),
    "percent_at_less": Column("float64", "solved at less", "%"),
    "percent_at_more": Column("float64", "solved at more", "%"),
    # Effect of the initial propagation on an instance.
    "fixed_after_cp": Column("float64", "fixed after propagation", "share"),
    "mean_value_set_size": Column("float64", "candidates a cell"),
    # Tests.
    "won": Column("int64", "won"),
    "lost": Column("int64", "lost"),
    "p_value": Column("float64", "p", "p"),
    "p_holm": Column("float64", "p (Holm)", "p"),
    "decided": Column("bool", "decided"),
    "instances_needed": Column("float64", "instances needed"),
    "verdict": Column("str", "verdict"),
}
