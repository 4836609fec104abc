"""The named puzzles and how they are found."""

import pytest

from antdoku.errors import InputError
from antdoku.puzzle import named


def test_there_are_262_puzzles_of_order_3_in_four_collections():
    sizes = {"lloyd_amos_named": 16, "mantere_koljonen_46": 46, "soto": 9, "seventeen_clue": 200}
    assert {name: len(named.puzzles(name)) for name in named.collections()} == sizes
    assert len(named.names()) == len(set(named.names())) == len(named.puzzles("all")) == 262
    assert not set(named.names()) & set(sizes)
    assert {puzzle.n_givens for puzzle in named.puzzles("seventeen_clue")} == {17}
    for name in named.names():
        (puzzle,) = named.puzzles(name)
        assert (puzzle.name, puzzle.order) == (name, 3)
        assert 17 <= puzzle.n_givens < 81
    several = {row.name: row.n_solutions for row in named.table() if row.n_solutions != 1}
    assert several == {"sabuncu3": 27}
    assert named.puzzles("PlatinumBlond")[0].name == "platinumblond"


def test_a_puzzle_may_belong_to_two_collections():
    soto = named.find("soto")
    assert [row.name for row in soto] == [
        f"mk_s1{group}{part}" for group in "012" for part in "abc"
    ]
    assert all(row in named.find("mantere_koljonen_46") for row in soto)
    assert all("Soto et al." in row.note for row in soto)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("platinumblonde", "did you mean platinumblond?"),
        ("lloyd_amos", "collections: lloyd_amos_named, mantere_koljonen_46"),
        ("", "no such puzzle or collection"),
        ("a\nb", r"named:a\nb: there is no such puzzle"),
        ("x" * 10_000, "no such puzzle or collection"),
    ],
)
def test_unknown_names(name, message):
    with pytest.raises(InputError) as error:
        named.find(name)
    assert message in str(error.value)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 300
