"""``python -m antdoku``: the command line."""

import sys

from antdoku.cli import main

if __name__ == "__main__":
    sys.exit(main())
