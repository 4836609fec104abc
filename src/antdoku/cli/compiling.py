"""What a command says when kernels are compiled, which takes seconds: otherwise it seems to hang.

Workers are forked, and so they listen, too. Where they are not (`runs.worker`), nothing is said.
An interrupt that comes meanwhile waits for the end of the kernel: raised within, it gets lost in a
callback of the compiler, or leaves a kernel without code.
"""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import Value
from threading import current_thread, main_thread

import click
from numba.core import event

LINE = "compiling once ..."


class Compiling(event.Listener):
    """Is told whenever Numba begins and ends to compile; what is in the cache it only loads."""

    def __init__(self, says_so: bool):
        # Of all processes together.
        self._says_so, self._depth = Value("b", says_so), Value("i", 0)
        self._own_depth, self._is_interrupted = 0, False  # of this process

    def on_start(self, event):
        """Count, and say so once."""
        self._own_depth += 1
        with self._depth.get_lock():
            self._depth.value += 1
            if self._says_so.value:
                self._says_so.value = False
                click.echo(LINE, err=True)

    def on_end(self, event):
        """Count, and interrupt if that was asked for meanwhile."""
        self._own_depth -= 1
        with self._depth.get_lock():
            self._depth.value -= 1
        if self._is_interrupted and not self._own_depth:
            raise KeyboardInterrupt

    def interrupt(self, *_):
        """What an interrupt does: nothing yet while a kernel is compiled, unless it comes again."""
        if not self._own_depth or self._is_interrupted:
            raise KeyboardInterrupt
        self._is_interrupted = True

    @property
    def is_on(self) -> bool:
        """Whether any process compiles now; waits for none, which might have been killed."""
        return self._depth.get_obj().value > 0


@contextmanager
def heard(as_line: bool = True) -> Iterator[Compiling]:
    """Listen, and print a line on a terminal when kernels are compiled, if it is wanted."""
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    with event.install_listener("numba:compile", Compiling(as_line and is_terminal)) as listener:
        usual = signal.getsignal(signal.SIGINT)
        # A shell may have told to ignore it; and only the main thread can be told anything.
        heeds = usual is signal.default_int_handler and current_thread() is main_thread()
        if heeds:
            signal.signal(signal.SIGINT, listener.interrupt)
        try:
            yield listener
        finally:
            if heeds:
                signal.signal(signal.SIGINT, usual)
