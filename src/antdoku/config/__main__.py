"""Read configurations, and print the first mistake: ``python -m antdoku.config FILE...``."""

import sys

from antdoku.config import read
from antdoku.errors import one_line_errors

with one_line_errors():
    for file in sys.argv[1:]:
        read(file)
