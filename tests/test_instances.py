"""Generators and archives: what they make, and that it can be made again."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from antdoku import instances, named
from antdoku.errors import InputError
from antdoku.formats import format_archive
from antdoku.grid import ORDERS, Puzzle, is_solution, root_grid
from antdoku.record import INSTANCE_COLUMNS, family_name


def arrays(row):
    """Puzzle and solution of a row of an instance table."""
    return [np.array(row[name].split(), int) for name in ("puzzle", "solution")]


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(ORDERS),
    st.floats(0, 1),
    st.integers(0, 2**40),
    st.sampled_from(instances.DELETIONS),
)
def test_every_instance_is_a_puzzle_with_the_solution_that_is_kept(order, fixed, seed, deletion):
    row = instances.generate(order, fixed, 1, seed, deletion=deletion).iloc[0]
    givens, solution = arrays(row)
    assert is_solution(Puzzle(order, givens), solution)
    if deletion == "exact":
        assert np.count_nonzero(givens) == int(np.ceil(round(fixed * order**4, 6)))


@pytest.mark.parametrize("order", ORDERS)
def test_the_root_grid_is_a_solution(order):
    root = root_grid(order).ravel()
    assert is_solution(Puzzle(order, np.zeros(order**4, int)), root)


def test_the_root_grid_of_order_2():
    assert root_grid(2).tolist() == [
        [1, 2, 3, 4],
        [3, 4, 1, 2],
        [2, 3, 4, 1],
        [4, 1, 2, 3],
    ]


def test_shuffling_reaches_every_grid_that_the_operators_can():
    # Closure of the five operators on the root grid of order 2, found by applying them one by one.
    rng = np.random.default_rng(0)
    root = root_grid(2)
    sampled = {instances.shuffled(root, rng).tobytes() for _ in range(4000)}
    reached, waiting = set(), [root]
    while waiting:
        grid = waiting.pop()
        if grid.tobytes() not in reached:
            reached.add(grid.tobytes())
            swaps = [[1, 0, 2, 3], [0, 1, 3, 2], [2, 3, 0, 1]]
            waiting += [grid.T.copy(), *(grid[s] for s in swaps), *(grid[:, s] for s in swaps)]
    assert sampled == reached


def test_exact_deletion_blanks_every_cell_equally_often_and_independently_of_its_neighbour():
    solution = root_grid(2).ravel()
    rng = np.random.default_rng(1)
    blank = np.array([instances.delete(solution, 0.5, rng, "exact") == 0 for _ in range(4000)])
    np.testing.assert_allclose(blank.mean(axis=0), 0.5, atol=0.035)  # 4 standard errors
    # 8 of 16 blank: two given cells are both blank with probability 8/16 * 7/15.
    both = (blank[:, :-1] & blank[:, 1:]).mean(axis=0)
    np.testing.assert_allclose(both, 8 / 16 * 7 / 15, atol=0.03)


def test_bernoulli_deletion_has_the_spread_of_independent_cells():
    table = instances.generate(4, 0.3, 300, 1, deletion="bernoulli")
    counts = [np.count_nonzero(arrays(row)[0]) for row in table.to_dict("records")]
    assert abs(np.mean(counts) - 0.3 * 256) < 2
    assert 0.8 < np.std(counts) / np.sqrt(256 * 0.3 * 0.7) < 1.2


def test_instances_have_the_documented_columns_and_seeds_of_their_own():
    table = instances.generate(3, 0.45, 20, 7)
    assert {name: str(dtype) for name, dtype in table.dtypes.items()} == INSTANCE_COLUMNS
    assert table["seed"].is_unique and table["puzzle"].is_unique
    assert table["instance_id"].tolist()[:2] == ["order3-p045-000", "order3-p045-001"]


def test_the_first_instances_do_not_depend_on_how_many_are_made():
    few, many = instances.generate(3, 0.4, 3, 5), instances.generate(3, 0.4, 9, 5)
    assert many.head(3).equals(few)
    assert not instances.generate(3, 0.4, 3, 6)["puzzle"].equals(few["puzzle"])


@pytest.mark.parametrize("order", [2, 3, 4, 5])
def test_grids_from_acs_are_solved_and_differ(order):
    table = instances.generate(order, 1.0, 5, 1, source="acs")
    assert table["solution"].nunique() > 1
    assert instances.generate(order, 1.0, 5, 1, source="acs").equals(table)


@pytest.mark.parametrize(
    "request_, message",
    [
        ((9, 0.5, 1, 1), "order 9: must be a whole number from 2 to 8"),
        ((3, 1.5, 1, 1), "fixed fraction 1.5: must be from 0 to 1"),
        ((3, float("nan"), 1, 1), "fixed fraction nan: must be"),
        ((3, None, 1, 1), "fixed fraction None: must be"),
        ((3, 0.5, 0, 1), "count 0: must be a whole number from 1 to"),
        ((3, 0.5, 1.5, 1), "count 1.5: must be a whole number from 1 to"),
        ((3, 0.5, 1, None), "seed None: must be a whole number"),
        ((3, 0.5, 1, 1, "magic"), "source 'magic': must be shuffle or acs"),
        ((3, 0.5, 1, 1, "acs", "some"), "deletion 'some': must be exact or bernoulli"),
    ],
)
def test_nonsense_is_refused_in_one_line(request_, message):
    with pytest.raises(InputError, match=message):
        instances.generate(*request_)


def test_names_of_families():
    assert family_name(5, 0.45) == "order5-p045"
    assert [family_name(3, p) for p in (0.0, 1.0, 0.125)] == [
        "order3-p000", "order3-p100", "order3-p012_5"
    ]  # fmt: skip


def test_an_archive_is_read_by_family_in_the_order_of_its_numbers(tmp_path):
    table = instances.generate(3, 0.45, 12, 1)
    puzzles = [arrays(row)[0] for row in table.to_dict("records")]
    for number, givens in enumerate(puzzles):
        (tmp_path / f"inst9x9_45_{number}.txt").write_text(format_archive(Puzzle(3, givens)))
    (tmp_path / "inst9x9_45_x.txt").write_text("not one of them")
    read = instances.archive_family(tmp_path, 3, 0.45, 11)
    assert read["puzzle"].tolist() == table["puzzle"].tolist()[:11]
    assert read["instance_id"].tolist()[10] == "order3-p045-010"
    assert set(read["source"]) == {"archive"}


def test_an_archive_without_the_family_or_with_another_order_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"no instance files inst9x9_45_\*.txt"):
        instances.archive_family(tmp_path, 3, 0.45, 1)
    (tmp_path / "inst9x9_45_0.txt").write_text(format_archive(Puzzle(2, np.zeros(16, int))))
    with pytest.raises(InputError, match="must hold one puzzle of order 3"):
        instances.archive_family(tmp_path, 3, 0.45, 1)


def test_the_authors_archive_blanks_as_many_cells_as_we_do(shared_data):
    folder = shared_data / "lloyd_amos_archive_sample"
    for order, fixed in [(3, 0.4), (3, 0.45), (4, 0.45), (5, 0.45), (5, 0.5)]:
        authors = instances.archive_family(folder, order, fixed, 10)
        ours = instances.generate(order, fixed, 1, 1)
        n_blank = {text.split().count("0") for text in [*authors["puzzle"], *ours["puzzle"]]}
        assert len(n_blank) == 1


def test_the_named_family_is_the_collection():
    table = instances.named_family("lloyd_amos_named")
    assert table["instance_id"].tolist() == [row.name for row in named.find("lloyd_amos_named")]
    assert set(table["family"]) == {"named"} and len(table) == 16
