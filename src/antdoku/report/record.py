"""The ledger of record: one verdict a claim, of all published runs.

    python -m antdoku.report.record docs/results

A claim about random instances of Lloyd & Amos is decided twice: on instances of ours, and on the
authors' instances, which the paper used. The second verdict is the verdict of record. On our
instances the runs of all root seeds are pooled: another seed makes other random instances, and
gives other random numbers to runs on given puzzles.
"""

from itertools import chain
from pathlib import Path

import click
import pandas as pd
import scipy

from antdoku import papers, tables
from antdoku.claims import (
    AUTHORS_INSTANCES,
    REPRODUCED,
    VERDICTS,
    ledger,
    mutation,
    numbers,
    page,
    verdicts,
)
from antdoku.claims.samples import GIVEN, Samples
from antdoku.errors import InputError, one_line_errors
from antdoku.instances.family import ARCHIVE
from antdoku.report import record_pages, texts
from antdoku.statistics import ALPHA, MARGIN
from antdoku.tables.summary import typed

DEFAULT = "."  # the folder of the default configuration, within the published results
SEEDS = {  # folders by root seed, the default first
    "2018": (DEFAULT,),
    "2019": ("replicate_2019", "replicate_2019_rest"),
    "2020": ("replicate_2020",),
}
OURS = (*chain(*SEEDS.values()), "decide", "readings", "readings_root")  # on instances of ours
ARCHIVES = (ARCHIVE, "archive_range")  # on the authors' instances
# Folders without tables and figures of their own: only the verdicts use their runs.
POOLED = tuple(sorted({*OURS, *ARCHIVES} - {DEFAULT, ARCHIVE}))
PROGRAMS = "programs.parquet"  # runs of the authors' programs (benchmarks/programs.py)
MORE_RUNS = 10_000  # repetitions on one puzzle under one root seed: fewer
OF_CLAIM = ["paper", "id", "claim", "published"]  # columns of seeds.csv, before the verdicts
# A claim on the authors' instances has a second verdict, on random instances of ours.
COLUMNS = verdicts.COLUMNS | {"verdict_random": "str", "ours_random": "str"} | verdicts.NUMBERS
OF_RUNS = verdicts.COLUMNS | verdicts.NUMBERS  # columns before two sets of instances are combined
MEASURES = {numbers.SUCCESS: "h", numbers.MEAN_TIME: "log ratio"}  # of the effect, by metric
PAGES = "claims"  # folder of a page for each paper


def of_record(ours: pd.DataFrame, archive: pd.DataFrame) -> pd.DataFrame:
    """Combine the verdicts of the default with those on the authors' instances, a row each.

    Both have the columns `verdicts.COLUMNS`; the latter decide on random instances alone. Claims of
    the archive alone come last.
    """
    archive = archive[archive["decided_on"] == AUTHORS_INSTANCES]
    record = pd.concat([archive, ours]).drop_duplicates("id").set_index("id")
    record = record.loc[pd.concat([ours, archive])["id"].unique()]
    on_random = ours.set_index("id").reindex(record.index)
    on_random = on_random.where(record["decided_on"] == AUTHORS_INSTANCES)
    table = record.assign(
        verdict_random=on_random["verdict"].fillna(""), ours_random=on_random["ours"].fillna("")
    )
    return typed(table.reset_index(), COLUMNS)


def pooled(folder: Path) -> pd.DataFrame:
    """Return the runs of all root seeds as one table, with the authors' programs."""
    runs = runs_of(folder, OURS)
    if runs is None:
        raise InputError(f"{folder}: no tables/runs.parquet: make publish copies one there")
    if (folder / PROGRAMS).exists():
        runs = pd.concat([runs, tables.read_runs(folder / PROGRAMS)], ignore_index=True)
    return runs


def runs_of(folder: Path, names: tuple[str, ...]) -> pd.DataFrame | None:
    """Return the runs in the folders called `names` as one table; None without any file.

    Instances of ours and repetitions have other names in each folder.
    """
    batches = []
    for number, name in enumerate(names):
        file = folder / name / "tables" / "runs.parquet"
        if not file.exists():
            continue
        runs = tables.read_runs(file)
        is_same = runs["source"].isin([GIVEN, ARCHIVE]) | (number == 0)
        batch = runs.assign(
            instance_id=runs["instance_id"].where(is_same, runs["instance_id"] + f"/{number}"),
            repetition=runs["repetition"] + number * MORE_RUNS,
            batch=name,
        )
        batches.append(batch)
    return pd.concat(batches, ignore_index=True) if batches else None


def on_authors_instances(folder: Path) -> pd.DataFrame | None:
    """Return the published runs on the authors' instances; None without any.

    An exact solver repeats itself: of its runs on an instance, the last has the larger limit, and
    says more.
    """
    runs = runs_of(folder, ARCHIVES)
    if runs is None:
        return None
    is_exact = runs["kind"] == "exact"
    is_repeated = is_exact & runs.duplicated(["experiment", "instance_id", "variant"], keep="last")
    return runs[~is_repeated].reset_index(drop=True)


def of_archive(folder: Path, claims: list[ledger.Claim] | None = None) -> pd.DataFrame | None:
    """Return the verdicts on the authors' instances; None without published runs on them."""
    runs = on_authors_instances(folder)
    return None if runs is None else verdicts.decide(runs, claims, OF_RUNS)


def by_seed(folder: Path, claims: list[ledger.Claim] | None = None) -> pd.DataFrame:
    """Return the verdicts of each root seed alone, `side_by_side`, in the main reading.

    An open claim is undecided: how many runs would decide it is not planned.
    """
    tables_by_seed = {}
    for seed, names in SEEDS.items():
        runs = runs_of(folder, names)
        if runs is None:
            continue
        samples = Samples(runs)
        chosen = verdicts.about(samples, claims or ledger.load())
        rows = [
            [getattr(decision.claim, name) for name in OF_CLAIM] + [decision.verdict]
            for decision in verdicts.decide_all(samples, chosen, planned=False)
        ]
        tables_by_seed[seed] = pd.DataFrame(rows, columns=[*OF_CLAIM, "verdict"])
    return side_by_side(tables_by_seed)


def side_by_side(by_name: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return a row for each claim that the first table of verdicts and another one have.

    It has a column of verdicts for each table, and whether they are the same (`is_same`): a claim
    that several root seeds decide differently rests on chance.
    """
    rows = next(iter(by_name.values()))[OF_CLAIM]
    for name, table in by_name.items():
        rows = rows.join(table.set_index("id")["verdict"].rename(name), on="id")
    decided = rows[[*by_name]]
    is_shared = decided.notna().sum(axis=1) > 1
    rows = rows.assign(is_same=decided.nunique(axis=1) == 1)[is_shared]
    return rows.fillna("").reset_index(drop=True)


def by_margin(table: pd.DataFrame) -> pd.DataFrame:
    """Count the claims that are reproduced if rates have to agree within other margins.

    Directions and facts are the same under each: columns margin, reproduced.
    """
    counts = [
        int(mutation.is_reproduced(table["verdict"], table["within"], margin).sum())
        for margin in mutation.MARGINS
    ]
    return pd.DataFrame({"margin": [*map(str, mutation.MARGINS)], "reproduced": counts})


def after_control(table: pd.DataFrame) -> tuple[int, int]:
    """Count reproduced claims with a p value, and how many survive the control of their number.

    Y. Benjamini, Y. Hochberg, J. Royal Stat. Soc. B 57 (1995) 289-300, over all claims.
    """
    p = table["p"].dropna()
    is_reproduced = table.loc[p.index, "verdict"] == REPRODUCED
    survives = scipy.stats.false_discovery_control(p) < ALPHA
    return int(is_reproduced.sum()), int((is_reproduced & survives).sum())


def compared(table: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return the claims that compare ours with a printed success rate or mean time.

    Parameters
    ----------
    table : DataFrame
        Columns `COLUMNS`.
    metric : str
        `numbers.SUCCESS` (in percent) or `numbers.MEAN_TIME` (in seconds).

    Returns
    -------
    DataFrame
        Columns `COLUMNS`.
    """
    names = {
        claim.id
        for claim in ledger.load()
        if metric in {number.metric for number in numbers.printed(claim)}
    }
    has_metric = table["id"].isin(names)
    return table[has_metric & (table["measure"] == MEASURES[metric]) & table["measured"].notna()]


def write_picture(path: Path, table: pd.DataFrame):
    """Write the picture of the record as PNG and SVG: verdicts, and printed numbers against ours.

    A narrow one for phones is beside them, and both as SVG for dark pages. `path` has no ending.
    """
    from antdoku.figures import agreement, style  # Matplotlib: `make` asks this module for names

    rates, times = (compared(table, metric) for metric in MEASURES)
    content = table, rates, times, VERDICTS
    _, wide = style.save(agreement.overview(*content), path, ("png", "svg"))
    narrow = style.styled(style.narrow(agreement.overview))
    for drawn in (wide, *style.save(narrow(*content), f"{path}.{style.NARROW}")):
        style.write_by_night(drawn)


def write_pages(folder: Path, table: pd.DataFrame, seeds: pd.DataFrame, margins: pd.DataFrame):
    """Write claims.md, and in the folder claims a page for each paper."""
    (folder / PAGES).mkdir(exist_ok=True)
    (folder / f"{PAGES}.md").write_text(markdown(table, seeds, margins), encoding="utf-8")
    for paper, rows in table.groupby("paper", sort=False):
        (folder / PAGES / f"{paper}.md").write_text(of_paper(paper, rows), encoding="utf-8")


def markdown(table: pd.DataFrame, seeds: pd.DataFrame, margins: pd.DataFrame) -> str:
    """Return the page of all papers: counts, assumptions behind them, how to read the claims."""
    n_tested, n_after = after_control(table)
    claims = [claim for claim in ledger.load() if claim.id in set(table["id"])]
    is_reproduced = table["verdict"] == REPRODUCED
    return texts.filled(
        "record.md.j2",
        n=len(table),
        n_numbers=len(set().union(*map(numbers.printed, claims))),
        n_sets=len(set().union(*map(numbers.runs_of, claims))),
        n_best=int(((table["best"] == REPRODUCED) & ~is_reproduced).sum()),
        counts=record_pages.counts_table(table, PAGES),
        margin=MARGIN,
        n_tested=n_tested,
        n_after=n_after,
        margins=record_pages.markdown_table(margins),
        n_calibrated=int(table["calibrated"].sum()),
        n_calibrated_reproduced=int((table["calibrated"] & is_reproduced).sum()),
        alpha=round(100 * ALPHA),
        rules=page.rules(table),
        **_by_seed(seeds),
    )


def of_paper(paper: str, table: pd.DataFrame) -> str:
    """Return the page of a paper, from its verdicts."""
    counts = table["verdict"].value_counts().reindex(VERDICTS).dropna().astype(int)
    untested = record_pages.untested(paper)
    return texts.filled(
        "paper.md.j2",
        title=papers.editions()[paper],
        counts=", ".join(f"{n} {record_pages.badge(verdict)}" for verdict, n in counts.items()),
        readings=page.readings(paper),
        claims=record_pages.claims_table(table),
        untested=record_pages.markdown_table(untested) if len(untested) else "",
        n_untested=len(untested),
    )


def _by_seed(seeds):
    """Return how far the verdicts of several root seeds agree; no table for a single seed."""
    names = [name for name in seeds if name in SEEDS]
    headings = {name: f"seed {name}" for name in names}
    changed = seeds.loc[~seeds["is_same"], ["claim", *names]].rename(columns=headings)
    return {
        "seeds": record_pages.markdown_table(changed) if len(names) > 1 else None,
        "seed_names": ", ".join(names),
        "n_same": int(seeds["is_same"].sum()),
        "n_of_seeds": len(seeds),
    }


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def main(folder):
    """Write claims.csv, seeds.csv, claims.md, claims/*.md and overview.png, .svg into FOLDER.

    FOLDER holds published results.
    """
    with one_line_errors():
        ours, archive = verdicts.decide(pooled(folder), columns=OF_RUNS), of_archive(folder)
        archive = ours.iloc[:0] if archive is None else archive
        table, seeds = of_record(ours, archive), by_seed(folder)
        tables.write(table, folder / "claims.csv")
        tables.write(seeds, folder / "seeds.csv")
        write_pages(folder, table, seeds, by_margin(table))
        write_picture(folder / "overview", table)


if __name__ == "__main__":
    main()
