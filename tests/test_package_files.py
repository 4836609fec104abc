"""How files are written, and how the code of files is compared."""

from multiprocessing import get_context

import pytest

from antdoku.files import atomic_write, code


def write(path, text, barrier):
    """Write a text while another process writes another text to the same file."""
    with atomic_write(path) as temporary, open(temporary, "w") as file:
        file.write(text)
        barrier.wait()


def test_two_processes_that_write_a_file_leave_one_complete_text(tmp_path):
    spawning, path = get_context("spawn"), tmp_path / "out.txt"
    barrier, texts = spawning.Barrier(2), ["a" * 100_000, "b" * 50_000]
    writers = [spawning.Process(target=write, args=(path, text, barrier)) for text in texts]
    for process in writers:
        process.start()
    for process in writers:
        process.join()
    assert [process.exitcode for process in writers] == [0, 0]
    assert path.read_text() in texts and [*tmp_path.iterdir()] == [path]


def test_a_file_that_is_not_complete_is_not_there(tmp_path):
    with pytest.raises(ZeroDivisionError), atomic_write(tmp_path / "out.txt") as temporary:
        temporary.write_text(str(1 / 0))
    assert not [*tmp_path.iterdir()]


def test_comments_docstrings_and_layout_are_no_code(tmp_path):
    texts = [
        "def f(x):\n    return x + 1\n",
        '"""A module."""\n\n\ndef f(x):\n    "Add."  # a comment\n    return (x+1)\n',
        "def f(x):\n    return x + 2\n",
        "def f(x):\n    y = 'Add.'\n    return x + 1\n",
    ]
    codes = []
    for number, text in enumerate(texts):
        file = tmp_path / f"{number}.py"
        file.write_text(text)
        codes.append(code(file))
    assert codes[0] == codes[1] and len({*codes}) == 3
