"""A progress bar on a terminal or in a notebook."""

import os
from collections.abc import Callable, Iterable
from importlib.util import find_spec

from antdoku.errors import InputError

Track = Callable[[Iterable, int | None], Iterable]  # takes rows and their number; yields the rows


def tracked(rows: Iterable, total: int | None, track: Track | bool | None) -> Iterable:
    """Return rows whose progress is shown: by `track`, or by a bar if it is true."""
    if not track:
        return rows
    if track is not True and not callable(track):
        allowed = "True, False or a function of rows and their number"
        raise InputError(f"track {track!r}: must be {allowed}")
    followed = bar(rows, total) if track is True else track(rows, total)
    if not isinstance(followed, Iterable):
        raise InputError("track: its function must return or yield the rows that it takes")
    return followed


def bar(rows: Iterable, total: int | None) -> Iterable:
    """Yield rows, and show their progress on a terminal, or in a notebook that has ipywidgets."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    in_notebook = console.is_jupyter and find_spec("ipywidgets") is not None
    hidden = not (in_notebook or (console.is_terminal and not is_plain_terminal()))
    # The thread that draws it uses CPU time of the runs: 1 % at rich's ten times a second.
    settings = {"transient": True, "refresh_per_second": 2, "disable": hidden}
    return track(rows, "", total, console=console, **settings)


def is_plain_terminal() -> bool:
    """Whether the environment asks for text without escapes."""
    return os.environ.get("TERM") == "dumb" or bool(os.environ.get("NO_COLOR"))
