"""Tables of the pages of the record, in Markdown."""

import pandas as pd

from antdoku.claims import REPRODUCED, VERDICTS, page
from antdoku.claims.verdicts import count, row_titles
from antdoku.papers import published


def counts_table(table: pd.DataFrame, pages: str) -> str:
    """Return the number of claims by paper and verdict, and of those reproduced at best."""
    counts = count(table)
    best = count(table.assign(verdict=table["best"]))
    drawn = page.bars(counts)
    folders = table.assign(title=row_titles(table)).drop_duplicates("title")
    first = [
        f"[{row.title}]({pages}/{row.paper}.md){drawn[row.title]}" for row in folders.itertuples()
    ]
    columns = {name: badge(name) for name in VERDICTS}
    counts = counts.rename(columns=columns).assign(best=best[REPRODUCED])
    counts = counts.rename(columns={"best": "reproduced in the best reading"})
    return markdown_table(counts.set_axis([*first, "Total"]).rename_axis("paper").reset_index())


def badge(verdict: str) -> str:
    """Return a verdict in its colour, in HTML."""
    return f'<span class="verdict {page.slug(verdict)}">{verdict}</span>'


def claims_table(rows: pd.DataFrame) -> str:
    """Return claims with their verdicts of record as a table."""
    return markdown_table(pd.DataFrame(map(_cells, rows.itertuples())))


def _cells(row):
    of_row = page.texts(row)
    lines = [f"{name}: {value}" for name, value in _details(row, of_row).items() if value]
    summary = f"<summary>{row.claim} ({row.place})</summary>"
    reason = row.reason and f"{row.reason[0].upper()}{row.reason[1:]}."
    reason += of_row["cause"] and f" Likely cause: {of_row['cause']}."
    return {
        "verdict": badge(row.verdict),
        "claim": f"<details>{summary}{'<br>'.join(lines)}</details>{reason}",
        "published": row.published + " †" * row.biased,
        "ours": page.named(row.ours),
    }


def _details(row, of_row):
    on_random = f"{row.verdict_random} ({page.named(row.ours_random)})"
    return {
        "In the paper": f"“{row.words}”" if row.words else "",
        "Note": row.note,
        "95 % interval": of_row["interval"],
        "Of": of_row["n"],
        "Test": row.test.replace("_", " "),
        "p": of_row["p"],
        "Difference": of_row["difference"],
        "Effect": of_row["effect"],
        "Limit in the paper": row.limit,
        "At each place": page.named(row.parts),
        "Best reading": of_row["best"],
        "Under other readings": of_row["readings"],
        "Explained by": row.explained_by,
        "Decided over the range of work": row.work,
        "Decided on": row.decided_on,
        "On random instances of ours": on_random if row.verdict_random else "",
    }


def untested(paper: str) -> pd.DataFrame:
    """Return the printed numbers of an edition that no run tests: place, printed and reason."""
    columns = ["place", "printed", "reason"]
    rows = [dict(row) for row in published.rows(published.UNTESTED) if row.edition == paper]
    return pd.DataFrame(rows, columns=columns)


def markdown_table(table: pd.DataFrame) -> str:
    """Return a table as Markdown, without its index."""
    rows = [table.columns, ["---"] * table.shape[1], *table.to_numpy()]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in rows)
