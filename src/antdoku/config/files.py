"""Files of configurations. A mistake that Snakemake overlooks or does not place is one line."""

import json
from pathlib import Path
from typing import Any

import yaml

from antdoku.errors import InputError


class _OfDifferentKeys(yaml.SafeLoader):
    """A reader of YAML that refuses a key that stands twice in a dictionary."""

    def construct_mapping(self, node, deep=False):
        """Make a dictionary of a node."""
        names = [key.value for key, _ in node.value]
        for key, _ in node.value:
            if names.count(key.value) > 1:
                problem = f"the key {key.value} stands there twice"
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)
        return super().construct_mapping(node, deep)


def read(file: str | Path) -> Any:
    """Read a file of YAML, or JSON; raise `InputError` if it has no keys, or a key twice."""
    try:
        text = Path(file).read_text("utf-8")
        try:
            content = json.loads(text)
        except json.JSONDecodeError:
            content = yaml.load(text, _OfDifferentKeys)
    except yaml.MarkedYAMLError as error:
        place = f"{file}:{error.problem_mark.line + 1}" if error.problem_mark else file
        tab = "; YAML is indented with spaces" * ("'\\t'" in str(error.problem))
        raise InputError(f"{place}: not YAML: {error.problem}{tab}") from None
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise InputError(f"{file}: cannot be read: {error}") from None
    if not isinstance(content, dict):
        raise InputError(f"{file}: there is no key in it, such as name: mine")
    return content
