"""The report: one HTML file with everything inside, and its two chief tables as plain text.

`write` makes both of files of the other stages. The modules that it takes are imported when it is
asked for: the command line uses `texts`, and starts fast.
"""

from importlib import import_module

_HOMES = {"write": "page", "summary": "overview"}


def __getattr__(name):
    """Return `write` or `summary` from the module that has it."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
