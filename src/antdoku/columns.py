"""Columns of the tables of instances, of the plan and of runs, and their types.

One instance is one row of an instance table, one run one row of the runs table.
"""

# What each column holds; the data types are those of pandas.
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
    "label": "str",  # the solver's TITLE
    "kind": "str",  # exact | stochastic
    "params": "str",  # JSON
    "repetition": "int64",  # from 0
    "seed": "int64",
    "limit_s": "float64",  # CPU seconds; NaN: none
    "limit_steps": "int64",  # -1: none
    "status": "str",  # one of `outcome.STATUSES`
    "limited_by": "str",  # steps, the same on every machine, or seconds
    "cpu_s": "float64",  # the median, where a run took so little that it was repeated
    "setup_s": "float64",  # part of cpu_s before the first step: building of the solver's own model
    "wall_s": "float64",
    "n_timed": "int64",  # how often it was done, with the same seed, to be timed
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

NONE = -1  # limit_steps and work_steps: there are none

# The plan: the facts of a run before it is done. Its part is the job that does it.
ONLY_PLANNED = {
    "work_steps": "int64",  # the most steps of the paper's program; -1 if they are not known
    "reach": "float64",  # limit_steps / work_steps as configured; NaN: other limits
    "part": "str",
}
_OF_RUN = (
    *("family", "instance_id", "order", "fixed_fraction", "variant", "solver", "params"),
    *("repetition", "seed", "limit_s", "limit_steps"),
)
PLAN_COLUMNS = {"experiment": "str", "family_kind": "str"}
PLAN_COLUMNS |= {name: RUN_COLUMNS[name] for name in _OF_RUN} | ONLY_PLANNED
