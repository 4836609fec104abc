"""In which columns the runs of a file differ from the runs that are asked for."""

import json
from collections.abc import Iterable, Mapping

import pandas as pd

from antdoku.columns import NONE
from antdoku.errors import one_line
from antdoku.runs.job import RUN_KEY

MOST, LONGEST = 3, 60  # names that a message lists, and letters of a value that it repeats
SETS = {"family": "files or families", "instance_id": "puzzles", "variant": "solvers"}
VALUES = {  # of runs that stand on both sides
    "solver": "solver of {variant}",
    "params": "parameters of {variant}",
    "puzzle": "cells of {instance_id}",
    "limit_s": "limit in seconds",
    "limit_steps": "limit in steps",
    "seed": "seed",  # each run has one of its own, made of the user's
    "source_hash": "code of {variant}, values that it reads, or versions of antdoku, NumPy, Numba",
}
HIDDEN = ("puzzle", "seed", "source_hash")


def differences(stored: Iterable[Mapping], planned: Iterable[Mapping]) -> str:
    """Return why stored runs are no part of planned ones."""
    old, new = pd.DataFrame(stored), pd.DataFrame(planned)
    texts = []
    pairs = old.merge(new, on=RUN_KEY, suffixes=("", "_here"))
    for column, word in VALUES.items():
        if f"{column}_here" not in pairs:
            continue
        values = pairs[[column, f"{column}_here"]]
        is_other = (values.iloc[:, 0] != values.iloc[:, 1]) & values.notna().any(axis=1)
        if is_other.any():
            first = is_other.idxmax()
            texts.append(word.format(**pairs.loc[first]) + _two_values(column, *values.loc[first]))
            if column == "solver":  # whose parameters are others
                break
    texts.append(only_stored(old, new))
    if not any(texts):  # a journal has no puzzles
        texts = ["a run twice" if "puzzle" in old else "other puzzles of these names"]
    return "; ".join(filter(None, texts))


def only_stored(stored: pd.DataFrame, planned: pd.DataFrame) -> str:
    """Name the puzzles, solvers and repetitions of stored runs that no planned run has."""
    texts = [_only(word, {*stored[column]}, {*planned[column]}) for column, word in SETS.items()]
    n_stored, n_planned = (table["repetition"].max() + 1 for table in (stored, planned))
    if n_stored > n_planned:
        texts.append(f"repetitions: {n_stored} there, {n_planned} here")
    return "; ".join(filter(None, texts))


def _only(word, old, new):
    """Name the first members of a set that another one lacks."""
    names = sorted(map(str, old - new))
    rest = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return f"{word}: {', '.join(names[:MOST])}{rest} only there" if names else ""


def _two_values(column, old, new):
    """Return two values of a column, unless they are long."""
    if column in HIDDEN:
        return ""
    if column == "params":
        settings = json.loads(old), json.loads(new)
        keys = [
            key for key in settings[0] | settings[1] if settings[0].get(key) != settings[1].get(key)
        ]
        old, new = (", ".join(f"{key}={values.get(key)}" for key in keys) for values in settings)
    is_none = [pd.isna(value) or value == NONE for value in (old, new)]
    texts = ["none" if none else one_line(str(v)) for none, v in zip(is_none, (old, new))]
    return f": {texts[0]} there, {texts[1]} here" if max(map(len, texts)) <= LONGEST else ""
