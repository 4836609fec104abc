"""What the tables hold: columns and types of instances and runs, names of families, seeds, files.

One instance is one row of an instance table, one run one row of the runs table.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from operator import methodcaller
from pathlib import Path

RANDOM_FAMILY = re.compile(r"order([2-9]|10)-p\d{3}(_\d+)?")  # what `family_name` makes

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

# One run in the table of all runs. It is told of its instance: the source, the share of the cells
# that is given, where `fixed_fraction` is what was to be given, and the number of unavoidable sets
# of four cells of the solved grid, missing if that is not known.
OF_INSTANCE = {"source": "str", "given_fraction": "float64", "unavoidable_sets": "float64"}
COLUMNS = {"experiment": "str", **RUN_COLUMNS, **OF_INSTANCE}


def family_name(order: int, fixed_fraction: float) -> str:
    """Name of a family: ``order5-p045`` is order 5, 45 % fixed; ``order3-p012_5`` is 12.5 %."""
    whole, _, part = f"{100 * fixed_fraction:.8f}".rstrip("0").rstrip(".").partition(".")
    return f"order{order}-p{int(whole):03d}" + (f"_{part}" if part else "")


def is_random(family: str) -> bool:
    """Whether a family has the name of a family of random instances; others hold given puzzles."""
    return RANDOM_FAMILY.fullmatch(family) is not None


def seed_of(root_seed: int, instance_id: str, variant: str, repetition: int) -> int:
    """Seed of one run: 63 bits that depend on nothing but the four arguments."""
    key = f"{root_seed}/{instance_id}/{variant}/{repetition}".encode()
    return int.from_bytes(hashlib.sha256(key).digest()[:8], "big") >> 1


def json_of(content) -> str:
    """JSON, the same for the same content; a number of NumPy is that of Python."""
    return json.dumps(content, sort_keys=True, default=methodcaller("item"))


def hash_of(content) -> str:
    """Hash of `json_of`."""
    return hashlib.sha256(json_of(content).encode()).hexdigest()


@contextmanager
def whole(path: str | Path) -> Iterator[Path]:
    """Have a file written complete or not at all: yields the name to write it to meanwhile."""
    temporary = Path(f"{path}.unfinished")
    try:
        with naming(path):
            yield temporary
            os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Have an `OSError`, of a full disk above all, say which file could not be written."""
    try:
        yield
    except OSError as error:
        if error.errno is None or error.filename not in (None, f"{path}.unfinished"):
            raise
        raise OSError(error.errno, os.strerror(error.errno), str(path)) from None
