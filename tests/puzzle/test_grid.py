"""Geometry, the puzzle and the judge, against their definitions."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from antdoku.errors import InputError
from antdoku.puzzle.grid import (
    ORDERS,
    Puzzle,
    check_order,
    is_solution,
    peers,
    root_grid,
    units,
    units_of_cell,
)


@pytest.mark.parametrize("order", ORDERS)
def test_units_hold_the_cells_with_the_same_row_column_or_box(order):
    size = order**2
    cells = [(cell // size, cell % size) for cell in range(size**2)]
    for number, unit in enumerate(units(order)):
        rows, columns = {cells[c][0] for c in unit}, {cells[c][1] for c in unit}
        boxes = {(cells[c][0] // order, cells[c][1] // order) for c in unit}
        assert len(unit) == len(set(unit)) == size
        kind, place = divmod(number, size)
        assert (rows, columns, boxes)[kind] == ({place}, {place}, {divmod(place, order)})[kind]


@pytest.mark.parametrize("order", ORDERS)
def test_peers_share_a_unit(order):
    size = order**2
    table = peers(order)
    assert table.shape == (size**2, 3 * size - 2 * order - 1)
    for cell in range(0, size**2, 7):
        mine = units(order)[units_of_cell(order)[cell]]
        assert all(cell in unit for unit in mine)
        assert set(table[cell]) == set(mine.ravel()) - {cell}


def test_puzzles_and_tables_are_values_that_nothing_changes():
    puzzle, other = Puzzle(2, [1] + [0] * 15, "one"), Puzzle(2, [2] + [0] * 15)
    assert puzzle == pickle.loads(pickle.dumps(puzzle)) == Puzzle(2, puzzle.grid, "another")
    assert len({puzzle, Puzzle(2, puzzle.givens), other}) == 2 and puzzle != "1" + "." * 15
    assert puzzle.grid.shape == (4, 4) and not puzzle.grid.flags.writeable
    for table in (units(3), peers(3), units_of_cell(3), Puzzle(3, np.zeros(81, int)).givens):
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
        check_order(order)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0] * 80, "it: 80 cells: a puzzle of order 3 has 81"),
        ([], "it: 0 cells"),
        ([0] * 80 + [10], "it: r9c9: value 10 is out of range: allowed are 1 to 9, or blank"),
        ([0] * 80 + [-1], "it: r9c9: value -1 is out of range"),
        ([0] * 80 + [2**40], "is out of range"),
        ([[1], [1, 2]], "it: the rows differ in length"),
        ([1.5] + [0] * 80, "it: float64 cells: values must be whole numbers"),
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
    row = np.arange(4)
    blank = Puzzle(2, np.zeros(16, int))
    assert not is_solution(blank, ((row[:, None] + row) % 4 + 1).ravel())  # boxes
    assert not is_solution(blank, np.tile(row + 1, 4))  # columns and boxes
    assert not is_solution(blank, np.repeat(row + 1, 4))  # rows and boxes
    blank, full = Puzzle(2, np.zeros(16, int)), root_grid(2).ravel()
    for answer in (None, [], full[:15], root_grid(3).ravel(), full - 0.5, root_grid(2)):
        assert not is_solution(blank, answer)
