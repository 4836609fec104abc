"""Designs of experiments: points in a box of parameters."""

from collections.abc import Sequence

import numpy as np


def saltelli(n: int, n_parameters: int, seed: int) -> np.ndarray:
    """Return the points of a design for Sobol' indices of first order and in total.

    Parameters
    ----------
    n : int
        Points of each of the matrices A and B; a power of 2.
    n_parameters : int
        Number of parameters, k.
    seed : int
        Of the scrambled Sobol' sequence.

    Returns
    -------
    ndarray of float64, shape (n * (k + 2), k)
        Points in the unit cube: A, B, then for each parameter A with its column from B.

    References
    ----------
    A. Saltelli et al., Computer Physics Communications 181 (2010) 259-270, table 2.
    """
    from scipy.stats import qmc  # slow to import, and only designs need it

    sequence = qmc.Sobol(2 * n_parameters, rng=np.random.default_rng(seed)).random(n)
    a, b = np.hsplit(sequence, 2)
    mixed = np.repeat(a[None], n_parameters, axis=0)
    for column in range(n_parameters):
        mixed[column, :, column] = b[:, column]
    return np.concatenate([a, b, *mixed])


def scaled(points: np.ndarray, ranges: Sequence[tuple], are_whole: Sequence[bool]) -> list[tuple]:
    """Return points of the unit cube (float64, shape (n, k)) as values within `ranges`.

    Each whole number of a range of whole numbers is equally likely. Other values have six digits.
    """
    columns = []
    for column, (low, high), is_whole in zip(points.T, ranges, are_whole, strict=True):
        if is_whole:
            values = np.minimum(low + np.floor(column * (high - low + 1)), high).astype(int)
        else:
            values = np.array([float(f"{low + share * (high - low):.6g}") for share in column])
        columns.append(values.tolist())
    return list(zip(*columns))
