"""The puzzle that the papers' first figures show."""

from antdoku.puzzle.grid import Puzzle, is_solution
from antdoku.runs import example


def test_the_example_is_a_known_puzzle_with_its_solution(tmp_path):
    file = tmp_path / "example.json"
    example.write(file)
    givens, solution = example.read(["givens", "solution"], file)
    assert is_solution(Puzzle(3, givens), solution)
    same, before, after = example.read(["givens", "before", "after"], file)
    assert (same == givens).all()
    assert before.shape == after.shape == (81, 9)
    assert (after <= before).all()
    assert after[range(81), solution - 1].all()
    assert 1 < after.sum(axis=1).mean() < before.sum(axis=1).mean()
