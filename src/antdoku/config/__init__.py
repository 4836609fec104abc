"""Check the configuration of the workflow, and expand it into families and jobs.

A mistake is an `InputError` of one line that names the file, the line and the key, and says what is
allowed there.
"""

from antdoku.config.expansion import config_of
from antdoku.config.files import File, raise_first, with_text_keys
from antdoku.config.mistakes import schema_mistakes, semantic_mistakes
from antdoku.config.model import Config, Experiment, Family, random_counts, random_families
from antdoku.config.planning import (
    Job,
    compiled,
    effort,
    jobs,
    kernels_of,
    order_mistakes,
    size_mistakes,
)

__all__ = ["Config", "Experiment", "Family", "Job", "check", "compiled", "effort", "jobs"]
__all__ += ["kernels_of", "random_counts", "random_families", "read"]


def read(file) -> dict:
    """What a configuration file holds.

    Raises
    ------
    InputError
        If it is not YAML, or has a key twice.
    """
    return File(file).data


def check(merged: dict, files, schema) -> Config:
    """Check a configuration that was merged from `files`.

    Parameters
    ----------
    merged : dict
        All keys, overlays applied.
    files : list of path
        Where the keys were written. The first that gives a key its value is named.
    schema : path
        The JSON schema, in YAML.

    Raises
    ------
    InputError
        For the mistake that comes first in the files.
    """
    merged, files = with_text_keys(merged), [File(file) for file in files]
    # Each step relies on what the ones before it have let pass.
    raise_first(schema_mistakes(schema, merged), merged, files)
    raise_first(semantic_mistakes(merged), merged, files)
    config = config_of(merged)
    raise_first(order_mistakes(config), merged, files)
    raise_first(size_mistakes(config), merged, files)
    return config
