"""A sample of parameters: the design, its values, and what a configuration refuses."""

import numpy as np
import pytest
from conftest import configured

from antdoku.config import design
from antdoku.errors import InputError
from antdoku.runs import plan

SAMPLE = {"sobol": 4, "m": [2, 20], "q0": [0, 1], "f_bve": [0, 0.05]}


def experiment(sample, **variant):
    random = {"orders": [3], "fixed_fractions": [0.5], "count": 2, "limits_s": {"order3": 1}}
    variant = {"solver": "acs", "sample": sample} | variant
    block = {"random": random, "variants": {"acs": variant}}
    return configured({"name": "mine", "experiments": ["mine"], "mine": block})


def test_a_design_has_two_matrices_and_their_mixtures():
    a, b, *mixed = design.saltelli(8, 3, seed=1).reshape(5, 8, 3)
    for column, matrix in enumerate(mixed):
        expected = a.copy()
        expected[:, column] = b[:, column]
        np.testing.assert_array_equal(matrix, expected)
    # Each half of the range has half of the points.
    assert ((np.concatenate([a, b]) < 0.5).sum(axis=0) == 8).all()


def test_values_lie_in_their_ranges_and_whole_numbers_are_equally_likely():
    cube = np.linspace(0, 1, 1001)[:, None].repeat(2, axis=1)
    values = design.scaled(cube, [(2, 5), (0.1, 0.3)], [True, False])
    whole, real = map(np.array, zip(*values))
    assert {*whole} == {2, 3, 4, 5} and np.bincount(whole)[2:].min() >= 250
    assert real.min() == 0.1 and real.max() == 0.3


def test_each_point_is_a_variant_with_its_number():
    settings = experiment(SAMPLE, grid={"greedy_rule": ["arxiv", "journal"]})
    runs = plan.make(settings)
    n_points = 4 * (3 + 2)
    assert runs["variant"].nunique() == 2 * n_points and len(runs) == 2 * 2 * n_points
    assert sorted(runs["point"].unique()) == list(range(n_points))
    by_variant = runs.drop_duplicates("variant").set_index("variant")["point"]
    assert by_variant["acs__journal__0007"] == 7
    again = plan.make(experiment(SAMPLE, grid={"greedy_rule": ["arxiv", "journal"]}))
    assert again.equals(runs)
    assert not plan.make(experiment(SAMPLE | {"seed": 1}))["params"].isin(runs["params"]).any()


@pytest.mark.parametrize(
    ("sample", "words"),
    [
        ({"sobol": 3}, "sobol: must be a power of 2"),
        ({"m": [2]}, "sample.m: .* at least 2 items"),
        ({"q0": [1, 0]}, r"sample.q0: must be \[LOW, HIGH\]"),
        ({"q0": [0, 2]}, "parameter q0 = .*: must be from 0 to 1"),
        ({"m": [2.5, 4]}, "parameter m = 2.5: must be a whole number"),
        ({"m": [2, 4.5]}, "m: must be whole numbers"),
        ({"greedy_rule": [0, 1]}, "parameter greedy_rule"),
        ({"qq": [0, 1]}, "unknown parameter 'qq'"),
        ({"xi": [0, 1]}, "sample.xi: is in params, too"),
        ({"rho": [0, 1]}, "sample.rho: is in grid, too"),
    ],
)
def test_a_mistake_in_a_sample_is_one_line(sample, words):
    with pytest.raises(InputError, match=words) as caught:
        experiment(SAMPLE | sample, params={"xi": 0.1}, grid={"rho": [0.5, 0.9]})
    assert "\n" not in str(caught.value)


def test_a_sample_needs_two_ranges():
    with pytest.raises(InputError, match="ranges of two or more parameters"):
        experiment({"sobol": 4, "m": [2, 20]})
