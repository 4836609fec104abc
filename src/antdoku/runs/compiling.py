"""A line on standard error when a process begins to compile what the next ones find compiled."""

import sys

from numba.core import event

from antdoku.files import PACKAGE

LINE = "antdoku: compiling once, which takes some seconds"


class Teller(event.Listener):
    """A listener that tells of the first compilation of a kernel of the package."""

    has_told = False

    def on_start(self, event):
        """Print the line, unless it was printed."""
        kernel = (event.data or {}).get("dispatcher")
        package, *_ = getattr(kernel, "__module__", "").partition(".")
        if package == PACKAGE.name and not self.has_told and sys.stderr:
            self.has_told = True
            print(LINE, file=sys.stderr, flush=True)

    def on_end(self, event):
        """Do nothing: one line is enough."""


def tell() -> None:
    """Tell from now on."""
    event.register("numba:compile", Teller())
