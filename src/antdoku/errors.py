"""The one exception that bad input raises."""


class InputError(ValueError):
    """Input that cannot be used: a puzzle, a parameter, a file or a configuration.

    Its text is one line that names the place, what is wrong there and what is allowed. The
    command line prints it and exits with status 2.
    """
