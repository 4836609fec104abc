"""A progress bar on a terminal."""

from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from antdoku.cli.compiling import LINE, Compiling


class _CompilingColumn(ProgressColumn):
    def __init__(self, compiling):
        super().__init__()
        self._compiling = compiling

    def render(self, task):
        return Text(LINE if self._compiling.is_on else "")


def with_bar(rows: Iterable, total: int, compiling: Compiling, quiet: bool = False) -> Iterator:
    """Yield `rows`, and show on a terminal how many there have been, and what they wait for."""
    columns = BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(elapsed_when_finished=True)
    console = Console(stderr=True)
    hidden = quiet or not console.is_terminal
    # The thread that draws it uses CPU time of the runs: 1 % at rich's ten times a second.
    options = {"transient": True, "disable": hidden, "refresh_per_second": 2}
    with Progress(*columns, _CompilingColumn(compiling), console=console, **options) as bar:
        yield from bar.track(rows, total=total)
