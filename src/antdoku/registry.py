"""A registry: entries of one kind by name, each added by a decorator where it is defined."""

from collections.abc import Callable

from antdoku.errors import InputError, unknown


class Registry(dict):
    """Entries by name, in the order in which they were entered.

    A name that is entered twice, and a name that is looked up in vain, are an `InputError`.

    Parameters
    ----------
    kind : str
        What an entry is, for messages: ``table``.
    entry : callable
        Makes an entry from its name, the decorated function and the arguments of the decorator.
    """

    def __init__(self, kind: str, entry: Callable):
        super().__init__()
        self.kind, self.entry = kind, entry

    def __call__(self, name: str, *args, **kwargs) -> Callable:
        """Return a decorator that enters a function under `name` and leaves it as it is."""
        if not isinstance(name, str):
            raise InputError(f'needs a name in quotes: @{self.kind}("name", ...)', f"@{self.kind}")

        def decorate(function):
            self.enter(name, self.entry(name, function, *args, **kwargs))
            return function

        return decorate

    def enter(self, name: str, entry) -> None:
        """Add an entry under a new name."""
        if name in self:
            what = f"there is another {self.kind} of this name"
            raise InputError(what, name, remedy="rename one of the two")
        self[name] = entry

    def __missing__(self, name):
        raise InputError(unknown(self.kind, name, self))
