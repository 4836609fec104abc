"""Generators and archives: properties of their instances, and reproducibility."""

import os

import numpy as np
import pytest
from conftest import format_archive, random_table, tabled
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import grid as naive

from antdoku.columns import INSTANCE_COLUMNS
from antdoku.errors import InputError
from antdoku.instances import random, unique
from antdoku.instances.archive import archive_digest, archive_family
from antdoku.instances.given import given_family
from antdoku.kernels.closure import profile
from antdoku.puzzle.grid import ORDERS, Puzzle, is_solution, peers, root_grid
from antdoku.solvers import dlx

archive_table, given_table = tabled(archive_family), tabled(given_family)


def unique_table(*request, **options):
    """Return the table of `generate_unique`."""
    return tabled(unique.generate_unique)(random.Recipe(*request), **options)


def arrays(row):
    """Return puzzle and solution of a row of an instance table."""
    return [np.array(row[name].split(), int) for name in ("puzzle", "solution")]


@settings(max_examples=60)
@given(
    st.sampled_from([*((n, "root") for n in ORDERS), *((n, "random") for n in range(2, 7))]),
    st.floats(0, 1),
    st.integers(0, 2**40),
    st.sampled_from(random.DELETIONS),
)
def test_every_instance_has_a_solution_and_the_exact_number_of_givens(grid, fixed, seed, deletion):
    order, base = grid
    row = random_table(order, fixed, 1, seed, deletion=deletion, base=base).iloc[0]
    givens, solution = arrays(row)
    assert is_solution(Puzzle(order, givens), solution)
    if deletion == "exact":
        assert np.count_nonzero(givens) == int(np.ceil(round(fixed * order**4, 6)))


def test_shuffling_reaches_every_grid_that_the_operators_reach():
    # The closure of the five operators on the root grid of order 2.
    rng, root = np.random.default_rng(0), root_grid(2)
    sampled = {random.shuffled(root, rng).tobytes() for _ in range(4000)}
    reached, waiting = set(), [root]
    while waiting:
        grid = waiting.pop()
        if grid.tobytes() not in reached:
            reached.add(grid.tobytes())
            swaps = [[1, 0, 2, 3], [0, 1, 3, 2], [2, 3, 0, 1]]
            waiting += [grid.T.copy(), *(grid[s] for s in swaps), *(grid[:, s] for s in swaps)]
    assert sampled == reached


def test_exact_deletion_blanks_all_cells_and_pairs_of_neighbours_equally_often():
    solution, rng = root_grid(2).ravel(), np.random.default_rng(1)
    blank = np.array([random.delete(solution, 0.5, rng, "exact") == 0 for _ in range(4000)])
    np.testing.assert_allclose(blank.mean(axis=0), 0.5, atol=0.035)  # 4 standard errors
    # 8 of 16 blank: two given cells are both blank with probability 8/16 * 7/15.
    pairs = (blank[:, :-1] & blank[:, 1:]).mean(axis=0)
    np.testing.assert_allclose(pairs, 8 / 16 * 7 / 15, atol=0.03)


def test_bernoulli_deletion_has_the_spread_of_independent_cells():
    table = random_table(4, 0.3, 300, 1, deletion="bernoulli")
    counts = [np.count_nonzero(arrays(row)[0]) for row in table.to_dict("records")]
    assert abs(np.mean(counts) - 0.3 * 256) < 2
    assert 0.8 < np.std(counts) / np.sqrt(256 * 0.3 * 0.7) < 1.2


def test_instances_have_the_documented_columns_and_do_not_depend_on_their_number():
    table = random_table(3, 0.45, 20, 7)
    assert table.dtypes.astype(str).to_dict() == INSTANCE_COLUMNS
    assert table["seed"].is_unique and table["puzzle"].is_unique
    assert table["instance_id"].tolist()[:2] == ["order3-p045-000", "order3-p045-001"]
    three, nine = random_table(3, 0.4, 3, 5), random_table(3, 0.4, 9, 5)
    assert nine.head(3).equals(three)
    assert not random_table(3, 0.4, 3, 6)["puzzle"].equals(three["puzzle"])


@pytest.mark.parametrize("order", [2, 3, 5])
@pytest.mark.parametrize("source", ["acs", "search"])
def test_grids_from_a_search_are_solved_and_differ(source, order):
    table, again, second = (random_table(order, 0.5, 5, seed, source=source) for seed in (1, 1, 2))
    for row in table.to_dict("records"):
        givens, solution = arrays(row)
        assert is_solution(Puzzle(order, givens), solution)
    assert table["solution"].nunique() > 1
    assert again.equals(table) and not second["solution"].equals(table["solution"])


def test_an_archive_without_the_family_or_with_another_order_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"no instance files inst9x9_45_\*.txt"):
        archive_family(tmp_path, 3, 0.45, 1)
    (tmp_path / "inst9x9_45_0.txt").write_text(format_archive(Puzzle(2, np.zeros(16, int))))
    with pytest.raises(InputError, match="must hold one puzzle of order 3"):
        archive_family(tmp_path, 3, 0.45, 1)
    archive_file(tmp_path / "copy", "inst9x9_45_00.txt")
    with pytest.raises(InputError, match=r"two files inst9x9_45_\*.txt have the same number"):
        archive_family(tmp_path, 3, 0.45, 1)


def archive_file(folder, name, value=0):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(format_archive(Puzzle(3, np.eye(1, 81, dtype=int)[0] * value)))


def test_files_of_an_archive_are_sorted_by_number_across_folders(tmp_path):
    archive_file(tmp_path, "inst9x9_45_10.txt")
    archive_file(tmp_path / "INST_9x9/45", "inst9x9_45_007.txt", 7)
    archive_file(tmp_path / "INST_9x9/45", "inst9x9_45_11.txt")  # beyond the count
    archive_file(tmp_path / "INST_9x9/50", "inst9x9_50_2.txt")
    archive_file(tmp_path, "inst9x9_45_\u0663.txt")  # a digit of another script
    read = archive_table(tmp_path, 3, 0.45, 2)
    assert read["instance_id"].tolist() == ["order3-p045-007", "order3-p045-010"]
    assert read["puzzle"].tolist() == ["7" + " 0" * 80, "0" + " 0" * 80]
    assert set(read["source"]) == {"archive"}


def test_the_digest_of_an_archive_changes_with_the_files_of_its_order(tmp_path):
    digests = [archive_digest(tmp_path, 3)]
    for value in (1, 2):
        archive_file(tmp_path, "inst9x9_45_0.txt", value)
        digests.append(archive_digest(tmp_path, 3))
    os.rename(tmp_path / "inst9x9_45_0.txt", tmp_path / "inst9x9_50_0.txt")
    digests.append(archive_digest(tmp_path, 3))
    assert len(set(digests)) == 4
    (tmp_path / "inst16x16_45_0.txt").write_text("of another order")
    assert archive_digest(tmp_path, 3) == digests[-1]
    assert archive_digest(tmp_path, 4) not in digests


def test_the_authors_archive_blanks_as_many_cells_as_we_do(shared_data):
    folder = shared_data / "lloyd_amos_archive_sample"
    for order, fixed in [(3, 0.4), (3, 0.45), (4, 0.45), (5, 0.45), (5, 0.5)]:
        authors = archive_table(folder, order, fixed, 10)
        ours = random_table(order, fixed, 1, 1)
        n_blank = {text.split().count("0") for text in [*authors["puzzle"], *ours["puzzle"]]}
        assert len(n_blank) == 1


# --- One solution --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "fixed", "count", "n_givens"),
    [(2, 0.4, 10, 7), (3, 0.34, 10, 28), (4, 0.4, 2, 103), (5, 0.48, 1, 300)],
)
def test_unique_puzzles_have_one_solution_according_to_dlx(order, fixed, count, n_givens):
    table = unique_table(order, fixed, count, 1)
    assert table["puzzle"].is_unique and len(table) == count
    for row in table.to_dict("records"):
        givens, solution = arrays(row)
        puzzle = Puzzle(order, givens)
        assert (puzzle.n_givens, is_solution(puzzle, solution)) == (n_givens, True)
        assert dlx.count(puzzle, 2) == (1, True)
    assert unique_table(order, fixed, count, 1).equals(table)
    assert table.dtypes.astype(str).to_dict() == INSTANCE_COLUMNS


def test_unique_puzzles_take_the_requested_shares_after_propagation_in_turn():
    shares = [0.52, 1, 0.7]
    table = unique_table(3, 0.34, 7, 1, fixed_after_cp=shares)
    puzzles = [Puzzle(3, np.array(text.split(), int)) for text in table["puzzle"]]
    assert {puzzle.n_givens for puzzle in puzzles} == {28}
    fixed = [profile(puzzle).fixed for puzzle in puzzles]
    assert fixed == pytest.approx([0.52, 1, 0.7, 0.52, 1, 0.7, 0.52], abs=0.01)
    assert unique_table(3, 0.34, 4, 1, fixed_after_cp=shares).equals(table.head(4))


@pytest.mark.parametrize(
    ("fixed", "after", "message"),
    [
        (0.2, [], r"no puzzle with one solution in 2 grids: 17 givens .* 2\d reached; ask for"),
        (0.34, [0.97], "with 0.97 of the cells fixed after propagation in 2 grids: 28"),
        (0.34, [0.9, 0.34], "after_cp 0.34: must be from 0.3457, the 28 givens, to 1"),
    ],
)
def test_impossible_requests_for_unique_puzzles_are_refused(fixed, after, message, monkeypatch):
    monkeypatch.setattr(unique, "CELLS_TO_DIG", 7_000 if after else 200)
    with pytest.raises(InputError, match=message):
        unique_table(3, fixed, 1, 1, fixed_after_cp=after)


def grid_of(order, seed):
    return random.solved_grid(order, np.random.default_rng(seed), "shuffle")


def n_solutions(order, givens, limit=2):
    count, is_certain = dlx.count(Puzzle(order, givens), limit)
    assert is_certain
    return count


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("order", [2, 3])
def test_a_grid_dug_to_the_end_is_a_minimal_puzzle(order, seed):
    solution = grid_of(order, seed)
    puzzle = unique.dig(solution, order**4, np.random.default_rng(seed))
    assert is_solution(Puzzle(order, puzzle), solution)
    assert n_solutions(order, puzzle) == 1
    for cell in np.flatnonzero(puzzle):
        fewer = puzzle.copy()
        fewer[cell] = 0
        assert n_solutions(order, fewer) == 2


@pytest.mark.parametrize("seed", range(20))
def test_a_value_is_forced_if_no_solution_has_another(seed):
    rng, solution = np.random.default_rng(seed), grid_of(3, seed)
    puzzle = np.where(rng.random(81) < 0.35, solution, 0)
    cell = rng.choice(np.flatnonzero(puzzle == 0))
    rivals = set(range(1, 10)) - {solution[cell]} - set(puzzle[peers(3)[cell]])
    with_rival = [np.where(np.arange(81) == cell, rival, puzzle) for rival in rivals]
    expected = not any(n_solutions(3, givens, 1) for givens in with_rival)
    assert unique.is_forced(puzzle, cell, solution[cell]) == expected


@pytest.mark.parametrize(
    ("order", "n_blank", "share", "n_fixed"),  # 39 / 81 = 0.481, 120 / 256 = 0.469, ...
    [(3, 53, 0.48, 39), (3, 53, 1.0, 81), (4, 153, 0.47, 120), (4, 130, 0.74, 189)],
)
def test_steering_fixes_a_share_of_the_cells_and_keeps_the_number_of_blanks(
    order, n_blank, share, n_fixed
):
    rng, solution = np.random.default_rng(3), grid_of(order, 3)
    dug = unique.dig(solution, n_blank, rng)
    before = dug.copy()
    puzzle = unique.steer(dug, solution, share, rng)
    assert np.array_equal(dug, before)
    assert np.count_nonzero(puzzle == 0) == n_blank
    assert is_solution(Puzzle(order, puzzle), solution) and n_solutions(order, puzzle) == 1
    n_singles = sum(len(values) == 1 for values in naive.propagate(order, puzzle))
    assert abs(n_singles - n_fixed) <= 0.015 * order**4


def test_an_unfinished_proof_keeps_the_given(monkeypatch):
    solution = grid_of(4, 2)
    thorough = unique.dig(solution, 256, np.random.default_rng(2))
    monkeypatch.setattr(unique, "MAX_TRIES", 1)
    hasty = unique.dig(solution, 256, np.random.default_rng(2))
    assert n_solutions(4, hasty) == 1
    assert np.count_nonzero(hasty) > np.count_nonzero(thorough)


# --- Given puzzles -------------------------------------------------------------------------------


def test_puzzles_of_a_text_file_are_numbered(tmp_path):
    instances = random_table(4, 0.5, 3, 1)
    file = tmp_path / "hard ones.txt"
    file.write_text("\n".join(instances["puzzle"]))
    table = given_table(str(file), "mine")
    assert table["puzzle"].tolist() == instances["puzzle"].tolist()
    assert table["instance_id"].tolist() == [f"hard ones-{number:03d}" for number in range(3)]
    assert table.dtypes.astype(str).to_dict() == INSTANCE_COLUMNS
    assert set(table["source"]) == {"file"} and set(table["family"]) == {"mine"}


def test_puzzles_of_a_table_keep_their_names(tmp_path):
    file = tmp_path / "made.csv"
    random_table(3, 0.5, 3, 1).to_csv(file)
    assert given_table(str(file), "mine")["instance_id"].tolist()[1] == "order3-p050-001"
    file.write_text(f"name,puzzle\na,{'.' * 81}\n,{'.' * 81}\n")
    assert given_table(str(file), "mine")["instance_id"].tolist() == ["a", "made-001"]


@pytest.mark.parametrize(
    ("make", "request_", "message"),
    [
        (random.Recipe, (11, 0.5, 1, 1), "order 11: must be a whole number from 2 to 10"),
        (random.Recipe, (3, 1.5, 1, 1), "fixed fraction 1.5: must be from 0 to 1"),
        (random.Recipe, (3, None, 1, 1), "fixed fraction None: must be"),
        (random.Recipe, (3, 0.5, 0, 1), "count 0: must be a whole number from 1 to"),
        (random.Recipe, (3, 0.5, 1, None), "seed None: must be a whole number"),
        (random.Recipe, (3, 0.5, 1, 1, "magic"), "source 'magic': must be shuffle or acs or"),
        (random.Recipe, (9, 0.5, 1, 1, "acs"), "source acs: order 9: must be from 2 to 8; shu"),
        (
            random.Recipe,
            (3, 0.5, 1, 1, "acs", "random", "some"),
            "deletion 'some': must be exact or",
        ),
        (random.Recipe, (3, 0.5, 1, 1, "shuffle", "mine"), "base 'mine': must be ran"),
        (random.Recipe, (3, 0.5, 1, 1, "acs", "root"), "the source must be shuffle"),
        (archive_family, (".", 3, 0.125, 1), "fixed fraction 0.125: .* whole percentages"),
        (given_family, ("named:nobody", "f"), "no such puzzle or collection"),
        (given_family, ("missing.txt", "f"), "missing.txt: cannot be read"),
        (given_family, ("twice.csv", "f"), "twice.csv: a stands there twice"),
    ],
)
def test_bad_requests_are_refused_in_one_line(make, request_, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    archive_file(tmp_path, "inst9x9_12_0.txt")
    (tmp_path / "twice.csv").write_text(f"name,puzzle\na,{'.' * 81}\na,{'.' * 81}\n")
    with pytest.raises(InputError, match=message) as caught:
        make(*request_)
    assert "\n" not in str(caught.value)
