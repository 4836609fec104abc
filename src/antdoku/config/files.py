"""The files of a configuration: what they hold, and in which line.

A mistake is a pair: the path of its key (a tuple of strings), and what is wrong.
"""

import os
from pathlib import Path

import yaml

from antdoku.errors import InputError, one_line


class File:
    """A configuration file.

    Attributes
    ----------
    data : dict
        What it holds.
    lines : dict of tuple of str to int
        Line, from 1, by the path of a key or a list entry.
    """

    def __init__(self, path):
        here = Path(path).absolute().is_relative_to(Path.cwd())
        self.name = os.path.relpath(path) if here else str(path)
        try:
            loader = yaml.SafeLoader(Path(path).read_text("utf-8"))
            root = loader.get_single_node()
            # First the lines: to read the values copies what << merges.
            self.lines = dict(_lines(root)) if root else {}
            self.data = with_text_keys(loader.construct_document(root)) if root else None
        except OSError as error:
            raise InputError(f"{self.name}: cannot be read: {error.strerror}") from None
        except RecursionError:
            raise InputError(f"{self.name}: nested too deeply") from None
        except Exception as error:  # PyYAML lets pass what int() or date() raise, and more
            mark = getattr(error, "problem_mark", None)
            place = f"{self.name}:{mark.line + 1}" if mark else self.name
            reason = one_line(str(getattr(error, "problem", error)))
            raise InputError(f"{place}: not valid YAML: {reason}") from None
        if not isinstance(self.data, dict):
            raise InputError(f"{self.name}:1: must hold keys with values")

    def line_of(self, path, value):
        """Line of the key at `path` if this file gives it this value, else None."""
        if path not in self.lines:
            return None
        # As text, since NaN is not equal to itself.
        same = isinstance(value, dict) or repr(_value_at(self.data, path)) == repr(value)
        return self.lines[path] if same else None


def _lines(node, path=()):
    """Pairs of path and line: the keys and the list entries under a YAML node, and the root."""
    yield path, node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        names = set()
        for key, value in node.value:
            name = _name(key)
            if name in names:
                text = f"the key {name} stands here twice"
                raise yaml.MarkedYAMLError(problem=text, problem_mark=key.start_mark)
            names.add(name)
            yield from _lines(value, (*path, name))
            yield (*path, name), key.start_mark.line + 1
    elif isinstance(node, yaml.SequenceNode):
        for number, entry in enumerate(node.value):
            yield from _lines(entry, (*path, str(number)))


def _name(key):
    """A key as text; YAML reads some words as what they are not: no is False."""
    if key.value == "<<":  # merges another mapping
        return key.value
    return str(yaml.SafeLoader("").construct_object(key, deep=True))


def with_text_keys(value):
    """`value` with the names of its keys as `_name` writes them."""
    if isinstance(value, dict):
        return {str(key): with_text_keys(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [with_text_keys(entry) for entry in value]
    return value


def raise_first(mistakes, merged, files):
    """Raise the mistake that comes first in the files, if there is one."""
    located = [_located(mistake, merged, files) for mistake in mistakes]
    if located:
        raise InputError(one_line(min(located)[-1]))


def _located(mistake, merged, files):
    """Sort key and message of a mistake: (number of its file, line, message).

    A key that is missing is reported where the one above it stands, a key that stands in no file
    as given on the command line.
    """
    path, text = mistake
    key = f"{'.'.join(path)}: " if path else ""
    value = _value_at(merged, path)
    for number, file in enumerate(files):
        if line := file.line_of(path, value):
            return number, line, f"{file.name}:{line}: {key}{text}"
    return len(files), 0, f"--config: {key}{text}"


def _value_at(data, path):
    """Value at a path of strings, in dictionaries and lists; None where there is none."""
    for name in path:
        data = data[int(name)] if isinstance(data, list) else (data or {}).get(name)
    return data
