"""The one exception that bad input raises, and how messages are written."""

from collections.abc import Iterable
from difflib import get_close_matches


class InputError(ValueError):
    """Input that cannot be used: a puzzle, a parameter, a file or a configuration.

    Its text is one line that names the place, what is wrong there and what is allowed. The
    command line prints it and exits with status 2.
    """


def one_line(text: str) -> str:
    """`text` in one line, every sign that could disturb a terminal written as an escape."""
    words = " ".join(text.split())
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in words)


def unknown(kind: str, name: object, known: Iterable[str]) -> str:
    """Text for a `name` that is not among the `known` ones, with the likeliest of them."""
    known = list(known)
    similar = get_close_matches(str(name), known, n=1)
    hint = f" (did you mean {similar[0]}?)" if similar else ""
    there_are = f"known are {', '.join(known)}" if known else "there is none"
    return f"unknown {kind} {name!r}{hint}: {there_are}"


def quote(text: str, limit: int = 24) -> str:
    """Return `text` as it may stand in a message: quoted, printable and short."""
    return ascii(text if len(text) <= limit else text[: limit - 3] + "...")
