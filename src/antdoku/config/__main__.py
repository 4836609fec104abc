"""Read configuration files: ``python -m antdoku.config FILE...`` says where one is not valid YAML.

Snakemake reads the files of ``--configfile`` before any code of ours, and names neither.
"""

import sys

from antdoku.config import read
from antdoku.errors import one_line_errors

with one_line_errors():
    for file in sys.argv[1:]:
        read(file)
