"""A progress bar on a terminal."""

import os
from collections.abc import Callable, Iterable

Track = Callable[[Iterable, int | None], Iterable]  # takes rows and their number; yields the rows


def tracked(rows: Iterable, total: int | None, track: Track | bool | None) -> Iterable:
    """Return rows whose progress is shown: by `track`, or by a bar if it is true."""
    if not track:
        return rows
    return bar(rows, total) if track is True else track(rows, total)


def bar(rows: Iterable, total: int | None) -> Iterable:
    """Yield rows, and show their progress on standard error if it is a terminal."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    hidden = not console.is_terminal or is_plain_terminal()
    # The thread that draws it uses CPU time of the runs: 1 % at rich's ten times a second.
    settings = {"transient": True, "refresh_per_second": 2, "disable": hidden}
    return track(rows, "", total, console=console, **settings)


def is_plain_terminal() -> bool:
    """Whether the environment asks for text without escapes."""
    return os.environ.get("TERM") == "dumb" or bool(os.environ.get("NO_COLOR"))
