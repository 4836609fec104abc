"""A registry: entries of one kind by name, each added by a decorator where it is defined."""

from collections.abc import Callable

from antdoku.errors import InputError, unknown


class Registry(dict):
    """Entries by name, in the order in which their modules were imported.

    A name that is used twice, and a name that nothing has, are an `InputError`.

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
        """Return a decorator that adds a function under `name` and leaves it as it is."""

        def add(function):
            if name in self:
                raise InputError(f"{function.__module__}: there are two {self.kind}s {name!r}")
            self[name] = self.entry(name, function, *args, **kwargs)
            return function

        return add

    def __missing__(self, name):
        raise InputError(unknown(self.kind, name, self))
