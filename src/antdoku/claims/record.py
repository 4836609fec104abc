"""The ledger of record: one verdict a claim, of all published runs.

    python -m antdoku.claims.record docs/results

A claim about random instances of Lloyd & Amos is decided twice: on instances of ours, and on those
of the authors, which are those of the paper. The latter verdict is that of record. On our instances
the runs of all root seeds are pooled: random instances are others under another seed, and runs on
given puzzles have other random numbers.
"""

from itertools import chain
from pathlib import Path

import click
import numpy as np
import pandas as pd

from antdoku import tables
from antdoku.claims import REPRODUCED, VERDICTS, ledger, page, verdicts
from antdoku.claims.samples import ARCHIVE, INSTANCE
from antdoku.errors import InputError, one_line_errors
from antdoku.papers import editions
from antdoku.statistics import ALPHA
from antdoku.tables.summary import typed

SEEDS = {  # folders of the runs that are complete together, by root seed; that of the default first
    "2018": (".",),
    "2019": ("replicate_2019", "replicate_2019_rest"),  # the rest: Lewis's main experiment
    "2020": ("replicate_2020",),
}
POOLED = (*chain(*SEEDS.values()), "decide", "readings", "readings_root")
PROGRAMS = "programs.parquet"  # runs of the authors' programs (benchmarks/programs.py)
GIVEN_SOURCE = "named"  # of puzzles that are the same under each root seed
MORE_RUNS = 10_000  # repetitions on one puzzle under one root seed: fewer
OURS, GIVEN_PUZZLES = "our instances", "given puzzles"  # on which a claim was decided
MARGINS = (0.2, 0.3, 0.4, 0.5)  # Cohen's h
TEXTS = ("id", "paper", "place", "claim", "published")
# The verdict of record, on what it was decided, what was measured there, its reason and readings;
# verdict_ours and ours are those of the default; then the details of the test.
COLUMNS = dict.fromkeys((*TEXTS, "verdict", "decided_on", "measured", "reason", "readings"), "str")
COLUMNS |= {"verdict_ours": "str", "ours": "str"}
DETAILS = ("n", "unit", "low", "high", "p", "p_holm", "effect", "measure", "test", "limit")
DETAILS += ("biased", "note", "depends_on_work", *verdicts.OTHER_WORKS)
COLUMNS |= {name: verdicts.COLUMNS[name] for name in DETAILS}
PAGES = "claims"  # folder of a page for each paper
TEXT = """\
# The verdicts of record

Each claim of the papers has one verdict of record. A claim about random instances of Lloyd & Amos
is decided on the authors' own instances, which are those of the paper, and on instances of ours:
the first is the verdict of record. All others are decided on given puzzles, or on our instances
alone.

{counts}

Each paper has a page of its claims. [The report](report.html) filters them.

## What the verdicts hang on
{seeds}
Rates agree within h = 0.4, the smallest margin that 100 instances against 100 can show. With other
margins, as many claims would be reproduced:

{margins}

## How to read the claims

Every verdict is computed from the runs, at {alpha:g} %. `docs/method.md` explains the tests.
A p value marked h carries Holm's correction over all differences that the paper claims. Intervals
of rates are in percent, of a difference of two in points. A published figure marked † is a mean of
the solved runs, which is biased.

When each test gives which verdict:

{rules}"""
PAPER = """\
# {title}

{counts}

How each claim is decided, and what it hangs on: [the verdicts of record](../claims.md).

{readings}

{claims}
"""
ON_SEEDS = """
On our instances, the runs of the root seeds {seeds} are pooled. Of {n} claims with runs of
several seeds, {same} have one verdict under each alone; [seeds.csv](seeds.csv) lists them all.
These do not:

{changes}
"""


def of_record(ours: pd.DataFrame, archive: pd.DataFrame) -> pd.DataFrame:
    """Combine the verdicts of the default with those on the authors' instances, a row each.

    Both have the columns `verdicts.COLUMNS`; the latter decide on random instances alone. Claims of
    the archive alone come last.
    """
    given = [claim.id for claim in ledger.load() if not claim.runs or {*INSTANCE} & {*claim.where}]
    archive = archive[~archive["id"].isin(given)]
    record = pd.concat([archive, ours]).drop_duplicates("id").set_index("id")
    record = record.loc[pd.concat([ours, archive])["id"].unique()]
    kinds = [record.index.isin(archive["id"]), record.index.isin(given)]
    default = ours.set_index("id").reindex(record.index)
    table = record.assign(
        measured=record["ours"],
        decided_on=np.select(kinds, [page.AUTHORS, GIVEN_PUZZLES], OURS),
        verdict_ours=default["verdict"].fillna(""),
        ours=default["ours"].fillna(""),
    )
    return typed(table.reset_index(), COLUMNS)


def pooled(folder: Path) -> pd.DataFrame:
    """Return the runs of all root seeds as one table, with the authors' programs."""
    if (runs := runs_of(folder, POOLED)) is None:
        raise InputError(f"{folder}: no tables/runs.parquet: make publish copies one there")
    if (folder / PROGRAMS).exists():
        runs = pd.concat([runs, tables.read_runs(folder / PROGRAMS)], ignore_index=True)
    return runs


def runs_of(folder: Path, names: tuple[str, ...]) -> pd.DataFrame | None:
    """Return the runs in the folders called `names` as one table; None if there are none."""
    found = []
    for number, name in enumerate(names):
        file = folder / name / "tables" / "runs.parquet"
        if file.exists():
            runs = tables.read_runs(file)
            is_given = runs["source"] == GIVEN_SOURCE
            other = runs["instance_id"] + f"/{number}"
            runs["instance_id"] = runs["instance_id"].where(is_given | (number == 0), other)
            runs["repetition"] += number * MORE_RUNS
            found.append(runs)
    return pd.concat(found, ignore_index=True) if found else None


def by_seed(folder: Path, claims: list[ledger.Claim] | None = None) -> pd.DataFrame:
    """Return the verdicts of each root seed alone, `side_by_side`."""
    there = {seed: runs_of(folder, names) for seed, names in SEEDS.items()}
    return side_by_side(
        {seed: verdicts.decide(runs, claims) for seed, runs in there.items() if runs is not None}
    )


def side_by_side(found: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return a row for each claim of the first table of verdicts that another has, too.

    It has a column of verdicts for each table, and whether these are the same (`is_same`): a claim
    that several root seeds decide differently rests on chance.
    """
    both = next(iter(found.values()))[["paper", "id", "claim", "published"]]
    for name, table in found.items():
        both = both.join(table.set_index("id")["verdict"].rename(name), on="id")
    known = both[[*found]]
    both = both.assign(is_same=known.nunique(axis=1) == 1)[known.notna().sum(axis=1) > 1]
    return both.fillna("").reset_index(drop=True)


def by_margin(decided: pd.DataFrame) -> pd.DataFrame:
    """Count the claims that are reproduced if rates have to agree within other margins.

    Directions and facts are the same under each: columns margin, reproduced.
    """
    others = (decided["verdict"] == REPRODUCED) & decided["within"].isna()
    counts = [int((others | (decided["within"] < margin)).sum()) for margin in MARGINS]
    return pd.DataFrame({"margin": [*map(str, MARGINS)], "reproduced": counts})


def write_pages(folder: Path, table: pd.DataFrame, seeds: pd.DataFrame, margins: pd.DataFrame):
    """Write claims.md, and in the folder claims a page for each paper."""
    (folder / PAGES).mkdir(exist_ok=True)
    (folder / f"{PAGES}.md").write_text(markdown(table, seeds, margins), encoding="utf-8")
    for paper, rows in table.groupby("paper", sort=False):
        (folder / PAGES / f"{paper}.md").write_text(of_paper(paper, rows), encoding="utf-8")


def markdown(table: pd.DataFrame, seeds: pd.DataFrame, margins: pd.DataFrame) -> str:
    """Return the page of all papers: counts, what they hang on, how to read the claims."""
    return TEXT.format(
        counts=page.counts_table(table, PAGES),
        seeds=_on_seeds(seeds),
        margins=page.markdown_table(margins),
        alpha=100 * ALPHA,
        rules="\n".join(f"- `{name}`: {rule}" for name, rule in page.rules(table).items()),
    )


def of_paper(paper: str, table: pd.DataFrame) -> str:
    """Return the page of a paper, from its verdicts."""
    counts = table["verdict"].value_counts().reindex(VERDICTS).dropna().astype(int)
    readings = [f"- `{name}`: {text}" for name, text in page.readings(paper).items()]
    return PAPER.format(
        title=editions()[paper],
        counts=" ".join(f"{n} {page.badge(verdict)}" for verdict, n in counts.items()),
        readings="\n".join(["Other readings of the paper:\n", *readings] if readings else []),
        claims=page.claims_table(table),
    )


def _on_seeds(seeds):
    """Return how far the verdicts of several root seeds agree; an empty text if there is one."""
    names = [name for name in seeds if name in SEEDS]
    if len(names) < 2:
        return ""
    headings = {name: f"seed {name}" for name in names}
    changed = seeds.loc[~seeds["is_same"], ["claim", *names]].rename(columns=headings)
    return ON_SEEDS.format(
        seeds=", ".join(names),
        same=int(seeds["is_same"].sum()),
        n=len(seeds),
        changes=page.markdown_table(changed),
    )


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def main(folder):
    """Write claims.csv, seeds.csv, claims.md and claims/*.md of the results in FOLDER."""
    with one_line_errors():
        ours, archive = verdicts.decide(pooled(folder)), folder / ARCHIVE / "tables" / "claims.csv"
        archive = page.read(archive) if archive.exists() else ours.iloc[:0]
        table, seeds = of_record(ours, archive), by_seed(folder)
        both = pd.concat([archive, ours]).drop_duplicates("id")
        tables.write(table, folder / "claims.csv")
        tables.write(seeds, folder / "seeds.csv")
        write_pages(folder, table, seeds, by_margin(both))


if __name__ == "__main__":
    main()
