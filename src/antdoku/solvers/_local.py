"""What several solvers share beside the propagation kernel."""

from dataclasses import fields

import numpy as np

from antdoku.errors import InputError
from antdoku.kernels.bits import count, lowest
from antdoku.kernels.compilation import kernel

_TYPES = {int: "a whole number", float: "a number", str: "a word"}


def check_params(params, ranges: dict[str, tuple], words: dict[str, tuple] | None = None) -> None:
    """Refuse parameters of the wrong type, outside their range, or not among their words.

    Parameters
    ----------
    params : dataclass
        Its fields are of the types int, float and str.
    ranges : dict of str to (lowest, highest)
        Both are allowed.
    words : dict of str to tuple of str

    Raises
    ------
    InputError
        For the first parameter that is wrong.
    """
    for field in fields(params):
        value, name = getattr(params, field.name), field.name
        kinds = (int, float) if field.type is float else (field.type,)
        require(type(value) in kinds, name, value, _TYPES[field.type])
        if name in ranges:
            least, most = ranges[name]
            require(least <= value <= most, name, value, f"from {least} to {most}")
        if words and name in words:
            require(value in words[name], name, value, " or ".join(words[name]))


def require(condition: bool, parameter: str, value, allowed: str) -> None:
    """Raise `InputError` naming the parameter, its value and what is allowed."""
    if not condition:
        raise InputError(f"parameter {parameter} = {value!r}: must be {allowed}")


def solution_of(state, n_cells: int) -> np.ndarray:
    """Values of a grid state in which every cell is set: int16, shape (c,)."""
    values = np.empty(n_cells, np.int16)
    read_values(state, values)
    return values


@kernel
def read_values(state, values):
    """Write the value of each cell that is set to `values` (int16, (c,)), 0 for the others."""
    for cell in range(len(values)):
        is_set = count(state[cell]) == 1
        values[cell] = lowest(state[cell]) + 1 if is_set else 0
