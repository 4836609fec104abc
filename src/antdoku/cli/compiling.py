"""What a command says when kernels are compiled, which takes seconds: otherwise it seems to hang.

Workers are forked, and so they listen, too. Where they are not (`runs.worker`), nothing is said.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import Value

import click
from numba.core import event

LINE = "compiling once ..."


class Compiling(event.Listener):
    """Is told whenever Numba begins and ends to compile; what is in the cache it only loads."""

    def __init__(self, says_so: bool):
        # Of all processes together.
        self._says_so, self._depth = Value("b", says_so), Value("i", 0)

    def on_start(self, event):
        """Count, and say so once."""
        with self._depth.get_lock():
            self._depth.value += 1
            if self._says_so.value:
                self._says_so.value = False
                click.echo(LINE, err=True)

    def on_end(self, event):
        """Count."""
        with self._depth.get_lock():
            self._depth.value -= 1

    @property
    def is_on(self) -> bool:
        """Whether any process compiles now; waits for none, which might have been killed."""
        return self._depth.get_obj().value > 0


@contextmanager
def heard(as_line: bool = True) -> Iterator[Compiling]:
    """Listen, and print a line on a terminal when kernels are compiled, if it is wanted."""
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    with event.install_listener("numba:compile", Compiling(as_line and is_terminal)) as listener:
        yield listener
