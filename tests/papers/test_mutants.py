"""The how-to's paper with a mistake in each key, value and line: one line with file and line.

No other paper is here, so a check takes hundredths of a second.
"""

import re
import sys
from itertools import count

import pytest
import yaml
from conftest import files_of_howto

from antdoku import config, papers, tables
from antdoku.errors import InputError
from antdoku.papers import checks
from antdoku.runs import plan

FILES = files_of_howto("paper.md")
YAML_FILES = sorted(name for name in FILES if name.endswith(".yaml"))
OURS = config.Layer("mine.yaml", {"name": "mine", "experiments": ["miller"]})
VALUES = ("[[1]]", "", "-3", "yes", "10,000")
# Names that nothing else has: others have one spelling.
FREE = {("figures.yaml", "miller_fig1"), ("figures.yaml", "miller_fig2")}


@pytest.fixture
def refusal(tmp_path, monkeypatch):
    """Return a function of edited files: the message about the paper, or None if it is right."""
    tables.every()
    numbers = count()

    def of(**edited):
        folder = tmp_path / str(next(numbers)) / "miller"
        folder.mkdir(parents=True)
        for name, text in (FILES | edited).items():
            if text is not None:
                (folder / name).write_text(text)
        monkeypatch.setattr(papers, "__path__", [str(folder.parent)])
        try:
            settings = config.load([OURS])
            plan.make(settings)
            checks.check(settings.blocks)
        except InputError as error:
            assert "\n" not in str(error)
            return str(error).replace(f"{folder}/", "")
        return None

    yield of
    for name in [name for name in sys.modules if name.startswith("antdoku.papers.miller")]:
        del sys.modules[name]
    for name in [name for name in tables.table if name.startswith("miller")]:
        del tables.table[name]


def nodes(file):
    """Yield the key, or None, and the nodes of all keys and values of a file."""
    stack = [yaml.compose(FILES[file])]
    while stack:
        node = stack.pop()
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                yield key.value, key
                yield None, value
                stack.append(value)
        elif isinstance(node, yaml.SequenceNode):
            for value in node.value:
                yield None, value
                stack.append(value)


def with_text(file, node, text):
    """Return the text of a file with another text in place of a node."""
    whole, start, end = FILES[file], node.start_mark.index, node.end_mark.index
    line_end = "\n" + " " * node.end_mark.column if whole[start:end].rstrip(" ")[-1] == "\n" else ""
    return f"{whole[:start]}{text}{line_end}{whole[end:]}"


def is_placed(message):
    return re.match(r"[a-z]+\.(yaml|csv|py):\d+: ", message)


def test_the_paper_is_right(refusal):
    assert refusal() is None


@pytest.mark.parametrize("file", YAML_FILES)
def test_a_misspelt_key_is_refused_with_its_line(refusal, file):
    for key, node in nodes(file):
        if key and (file, key) not in FREE:
            message = refusal(**{file: with_text(file, node, f"{key}x")})
            assert message and is_placed(message) and f"{key}" in message, (key, message)


@pytest.mark.parametrize("value", VALUES)
def test_a_value_of_another_type_is_refused_or_a_right_one(refusal, value):
    for file in YAML_FILES:
        for key, node in nodes(file):
            if key is None:
                message = refusal(**{file: with_text(file, node, value)})
                assert (message is None and value != "[[1]]") or is_placed(message), message


@pytest.mark.parametrize("file", YAML_FILES)
def test_a_missing_line_is_refused_or_not_needed(refusal, file):
    lines = FILES[file].splitlines(keepends=True)
    for number in range(len(lines)):
        message = refusal(**{file: "".join(lines[:number] + lines[number + 1 :])})
        assert message is None or file in message or is_placed(message), (number, message)


@pytest.mark.parametrize("file", YAML_FILES)
def test_a_colon_without_a_blank_is_named_with_its_line(refusal, file):
    lines = FILES[file].splitlines(keepends=True)
    for number, line in enumerate(lines):
        joined = line.replace(": ", ":", 1)
        message = refusal(**{file: "".join([*lines[:number], joined, *lines[number + 1 :]])})
        assert message is None or is_placed(message) or file in message, (number, message)
        if message and "colon" in message:
            assert f":{number + 1}: not YAML: a blank is missing" in message


@pytest.mark.parametrize("file", FILES)
def test_a_file_of_another_name_is_the_first_mistake(refusal, file):
    other = file.replace(".", "s.") if "s." not in file else file.replace("s.", ".")
    message = refusal(**{file: None, other: FILES[file]})
    assert message is None or file in message, message
