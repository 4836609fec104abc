"""Check overlays, and print the name of their results: ``python -m antdoku.config FILE...``."""

import sys

from antdoku.config import load, read_layers
from antdoku.errors import one_line_errors

with one_line_errors():
    print(load(read_layers(sys.argv[1:])).name)
