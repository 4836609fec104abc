"""Write the table of faults into a page: ``fault_table.py faults.jsonl PAGE``.

The file holds a line for each fault that `test_faults.py` has tried; had one not been survived, the
tests would have failed.
"""

import json
import sys
from collections import Counter
from pathlib import Path

BEGIN, END = "<!-- faults -->", "<!-- end of faults -->"


def table(lines) -> str:
    """A Markdown table of the faults and how often each was tried."""
    tried = Counter(json.loads(line)["fault"] for line in lines)
    rows = [f"| {fault} | {number} |" for fault, number in sorted(tried.items())]
    return "\n".join(["| fault | tried |", "| --- | --: |", *rows])


def main(record, page):
    before, _, rest = page.read_text().partition(BEGIN)
    after = rest.partition(END)[2]
    text = table(record.read_text().splitlines())
    page.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
