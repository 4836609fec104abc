"""Geometry, the puzzle, the judge, drawings and unavoidable sets, against their definitions."""

import pickle
from xml.etree import ElementTree

import numpy as np
import pytest
from conftest import random_table
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import grid as naive

from antdoku.errors import InputError
from antdoku.instances import random
from antdoku.puzzle import grid
from antdoku.puzzle.drawing import ASCII_FRAME, BOLD, PLAIN, UNICODE_FRAME, draw, html
from antdoku.puzzle.grid import ORDERS, Puzzle, is_solution, peers, root_grid, units
from antdoku.puzzle.unavoidable import unavoidable_sets
from antdoku.reading.sources import read
from antdoku.solvers import dlx


@pytest.mark.parametrize("order", ORDERS)
def test_units_hold_the_cells_with_the_same_row_column_or_box(order):
    size = order**2
    cells = [(cell // size, cell % size) for cell in range(size**2)]
    for number, unit in enumerate(units(order)):
        rows, columns = {cells[c][0] for c in unit}, {cells[c][1] for c in unit}
        boxes = {(cells[c][0] // order, cells[c][1] // order) for c in unit}
        assert len(unit) == len(set(unit)) == size
        kind, line = divmod(number, size)
        assert (rows, columns, boxes)[kind] == ({line}, {line}, {divmod(line, order)})[kind]


@pytest.mark.parametrize("order", ORDERS)
def test_peers_share_a_unit(order):
    size = order**2
    table = peers(order)
    assert table.shape == (size**2, 3 * size - 2 * order - 1)
    for cell in range(0, size**2, 7):
        mine = units(order)[grid.units_of_cell(order)[cell]]
        assert all(cell in unit for unit in mine)
        assert set(table[cell]) == set(mine.ravel()) - {cell}


def test_puzzles_and_tables_are_values_that_nothing_changes():
    puzzle, different = Puzzle(2, [1] + [0] * 15, "one"), Puzzle(2, [2] + [0] * 15)
    assert puzzle == pickle.loads(pickle.dumps(puzzle)) == Puzzle(2, puzzle.grid, "another")
    assert len({puzzle, Puzzle(2, puzzle.givens), different}) == 2 and puzzle != "1" + "." * 15
    assert puzzle.grid.shape == (4, 4) and not puzzle.grid.flags.writeable
    for table in (units(3), peers(3), grid.units_of_cell(3), Puzzle(3, np.zeros(81, int)).givens):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 1
    values = np.zeros(81, int)
    puzzle = Puzzle(3, values)
    values[0] = 5
    assert puzzle.givens[0] == 0
    assert puzzle.givens.dtype == np.int16
    puzzle = Puzzle(4, [1, 2] + 254 * [0])
    assert (puzzle.size, puzzle.n_cells, puzzle.n_givens) == (16, 256, 2)
    assert puzzle.fixed_fraction == 2 / 256


@pytest.mark.parametrize("order", [1, 11, -3, "3", None, 2.5])
def test_orders_that_are_none(order):
    with pytest.raises(InputError, match="must be a whole number from 2 to 10"):
        grid.check_order(order)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0] * 80, "it: 80 cells: a puzzle of order 3 has 81"),
        ([], "it: 0 cells"),
        ([0] * 80 + [10], "it: r9c9: value 10 is out of range: allowed are 1 to 9, or blank"),
        ([0] * 80 + [-1], "it: r9c9: value -1 is out of range"),
        ([0] * 80 + [2**40], "is out of range"),
        ([[1], [1, 2]], "it: the rows differ in length"),
        ([1.5] + [0] * 80, "it: float64 cells: values must be whole numbers; antdoku.read takes"),
        (["1"] * 81, "values must be whole numbers"),
        ([None] * 81, "values must be whole numbers"),
        ([7] + [0] * 7 + [7] + [0] * 72, "it: r1c1 and r1c9: the row has the given 7 twice"),
        ([7] + [0] * 71 + [7] + [0] * 8, "it: r1c1 and r9c1: the column has the given 7 twice"),
        ([7] + [0] * 19 + [7] + [0] * 60, "it: r1c1 and r3c3: the box has the given 7 twice"),
    ],
)
def test_bad_givens(values, message):
    with pytest.raises(InputError) as error:
        Puzzle(3, values, "it")
    assert message in str(error.value)


@given(st.sampled_from(ORDERS), st.data())
def test_two_equal_givens_are_refused_if_and_only_if_they_are_peers(order, data):
    cells = st.integers(0, order**4 - 1)
    first, second = data.draw(st.lists(cells, min_size=2, max_size=2, unique=True))
    values = np.zeros(order**4, int)
    values[[first, second]] = data.draw(st.integers(1, order**2))
    if second in peers(order)[first]:
        with pytest.raises(InputError, match="twice"):
            Puzzle(order, values)
    else:
        assert Puzzle(order, values).n_givens == 2


@pytest.mark.parametrize("order", ORDERS)
def test_the_judge(order):
    full = root_grid(order).ravel()
    blank = Puzzle(order, np.zeros_like(full))
    assert is_solution(blank, full)
    assert is_solution(Puzzle(order, full), full)
    for cell in (0, order**4 // 2, order**4 - 1):
        changed = full.copy()
        changed[cell] = changed[cell] % order**2 + 1
        assert not is_solution(blank, changed)
        changed[cell] = 0
        assert not is_solution(blank, changed)
    renamed = full % order**2 + 1
    assert is_solution(blank, renamed)
    assert not is_solution(Puzzle(order, full), renamed)


def test_the_judge_looks_at_each_kind_of_unit_and_refuses_what_is_no_grid():
    row, blank, full = np.arange(4), Puzzle(2, [0] * 16), root_grid(2).ravel()
    assert not is_solution(blank, ((row[:, None] + row) % 4 + 1).ravel())  # boxes
    assert not is_solution(blank, np.tile(row + 1, 4))  # columns and boxes
    assert not is_solution(blank, np.repeat(row + 1, 4))  # rows and boxes
    for answer in (None, [], full[:15], root_grid(3).ravel(), full - 0.5, root_grid(2)):
        assert not is_solution(blank, answer)


# --- Drawings ------------------------------------------------------------------------------------


def drawn_puzzle(order):
    """A grid with one given and one blank, and its puzzle."""
    values = root_grid(order)
    values[-1, -1] = 0
    return Puzzle(order, np.eye(1, order**4, dtype=int)[0] * values[0, 0], "mine"), values


def plain(drawing):
    return drawing.replace(BOLD, "").replace(PLAIN, "")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("frame", [UNICODE_FRAME, ASCII_FRAME])
def test_drawings_read_back(order, frame):
    puzzle, values = drawn_puzzle(order)
    drawing = draw(puzzle, values, frame)
    lines = plain(drawing).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert len(lines) == order**2 + order + 1
    assert read(plain(drawing))[0].givens.tolist() == values.ravel().tolist()


def test_a_puzzle_prints_as_a_grid_with_bold_givens_if_wanted():
    puzzle, _ = drawn_puzzle(2)
    lines = ["┌─────┬─────┐", "│ 1 . │ . . │", "│ . . │ . . │", "├─────┼─────┤"]
    assert puzzle.draw().splitlines()[:4] == lines
    assert str(puzzle) == puzzle.line == "1..............."
    assert repr(puzzle) == "<Puzzle 'mine': order 2, 1 givens>"
    assert puzzle._repr_html_() == html(puzzle, puzzle.givens)
    puzzle, values = drawn_puzzle(3)
    assert draw(puzzle, values).count(f"{BOLD}1{PLAIN}") == 1
    assert draw(puzzle, values).count(BOLD) == 1
    assert BOLD not in draw(puzzle, values, bold=False)


@pytest.mark.parametrize("order", ORDERS)
def test_html_tells_givens_from_solved_and_blank_cells(order):
    puzzle, values = drawn_puzzle(order)
    page = ElementTree.fromstring(f"<div>{html(puzzle, values)}</div>")
    rows = [[list(cell) for cell in row.iter("td")] for row in page.iter("tr")]
    cells = [(cell[0].tag, int(cell[0].text)) if cell else None for row in rows for cell in row]
    first, *rest = values.ravel().tolist()
    assert {len(row) for row in rows} == {order**2}
    assert cells == [("b", first), *(("i", value) for value in rest[:-1]), None]


def test_grids_of_two_orders_on_one_page_keep_their_boxes():
    for order in (2, 3):
        (style,) = ElementTree.fromstring(f"<div>{html(*drawn_puzzle(order))}</div>").iter("style")
        rules = style.text.strip().splitlines()
        assert all(f".antdoku.order{order} " in rule for rule in rules if not rule[0].isspace())
        assert f"td:nth-child({order}n)" in style.text


# --- Unavoidable sets of four cells: the count and its twin, what keeps it, what is typical ------


def grid_of(order, seed, source="search", base="random"):
    return random.solved_grid(order, np.random.default_rng(seed), source, base)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from([2, 3, 4]), st.integers(0, 2**40))
def test_the_count_of_unavoidable_sets_is_that_of_the_twin(order, seed):
    values = grid_of(order, seed)
    before = values.copy()
    rows = values.reshape(order**2, order**2)
    assert unavoidable_sets(values) == len(naive.unavoidable_sets(rows.tolist()))
    assert unavoidable_sets(rows) == unavoidable_sets(values)
    assert np.array_equal(values, before)


def test_a_puzzle_that_gives_none_of_the_four_cells_has_two_solutions():
    values = grid_of(3, 1)
    for rows, columns in naive.unavoidable_sets(values.reshape(9, 9).tolist()):
        puzzle = values.reshape(9, 9).copy()
        puzzle[np.ix_(rows, columns)] = 0
        assert dlx.count(Puzzle(3, puzzle.ravel()), 10) == (2, True)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from([2, 3, 4, 5]), st.integers(0, 2**40))
def test_equivalent_grids_have_as_many_unavoidable_sets(order, seed):
    values = grid_of(order, seed)
    rng, rows = np.random.default_rng(seed + 1), values.reshape(order**2, order**2)
    equivalent = random.relabelled(random.shuffled(rows, rng).ravel(), rng)
    assert unavoidable_sets(equivalent) == unavoidable_sets(values)


@pytest.mark.parametrize("order", ORDERS)
def test_all_grids_from_the_root_have_as_many_as_the_root(order):
    expected = {2: 4, 3: 0, 4: 64, 5: 0}.get(order, unavoidable_sets(root_grid(order)))
    for seed in range(3):
        assert unavoidable_sets(grid_of(order, seed, "shuffle", "root")) == expected


@pytest.mark.parametrize(("order", "low", "high"), [(3, 8, 14), (4, 25, 33), (5, 50, 65)])
@pytest.mark.parametrize("source", ["shuffle", "search", "acs"])
def test_random_grids_of_all_sources_have_about_as_many(order, low, high, source):
    table = random_table(order, 1, 30, 1, source=source)
    numbers = [unavoidable_sets(np.array(text.split(), int)) for text in table["solution"]]
    assert low < np.mean(numbers) < high and len({*numbers}) > 5
