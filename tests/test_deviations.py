"""Tables of docs/deviations.md that repeat what the package knows."""

import math
from itertools import takewhile

from conftest import ROOT

from antdoku import published

DOCUMENT = ROOT / "docs" / "deviations.md"


def row_of_work(row):
    """A row of the papers' work as it stands in the document."""
    point = "" if math.isnan(row.fixed_fraction) else f"{row.fixed_fraction:.2f}"
    what = f"{row.paper} | {row.solver} | {row.order} | {point}".strip()
    numbers = f"{row.limit_s:g} | {row.steps:,} | {row.unit} | {row.factor:g}"
    return f"| {what} | {numbers} | {row.how} |"


def test_the_table_of_the_papers_work_is_that_of_the_package():
    lines = DOCUMENT.read_text("utf-8").splitlines()
    head = lines.index("| paper | solver | order | p | limit (s) | steps | unit | factor | how |")
    written = [*takewhile(lambda line: line.startswith("|"), lines[head + 2 :])]
    assert written == [*map(row_of_work, published.work_of_limits().itertuples())]
