"""The page: the results of the other modules, filled into the templates.

The page loads nothing, and its own policy forbids it to.
"""

import json
from pathlib import Path

from vl_convert import javascript_bundle

from antdoku import papers
from antdoku import tables as made
from antdoku.claims import page as verdict_files
from antdoku.claims.verdicts import count
from antdoku.report import charts, claims, gallery, overview, player, texts
from antdoku.tables.summary import labelled, outside_samples

COMPARISON = "experiment_comparison"


def write(
    page,
    *,
    runs,
    provenance,
    verdicts,
    recording,
    figures,
    tables,
    summary,
    picture=None,
    findings=(),
    second=(),
    related=(),
    share="",
) -> None:
    """Write the report (HTML) and the summary (text) of the files of the other stages.

    `verdicts` may be the verdicts of record, and `picture` (PNG) shows them on the first screen. A
    figure (PNG) and a table (CSV) have their own names. `second` are figures and tables that stand
    below these with the same names: they are on random instances of ours. `findings` are as in
    `published.findings`, `related` (links to other pages, by title) as in `published.related`. A
    first look has the `share` of its runs as its heading, and no tests. The player of ACS stands
    where ACS ran.
    """
    table = made.read_runs(runs)
    all_runs = _in_order(labelled(outside_samples(table), papers.variants()))
    decided = verdict_files.read(verdicts)
    about, played = (json.loads(Path(path).read_text("utf-8")) for path in (provenance, recording))
    ranking, compared = _compared({Path(path).stem: path for path in tables}, all_runs, share)
    chart = charts.build(all_runs)
    groups = gallery.build(figures, tables, Path(page).parent, second)
    paper = None if share else gallery.own_paper(figures)
    items = [item for group in groups for item in group["items"] if item["image"]]
    lead = items[0] if paper and items else None  # the figure that opens the page
    counts, is_record = count(decided), "verdict_random" in decided
    heading = share or overview.headline(paper, lead and lead["image"], counts, is_record)
    screen = overview.build(all_runs, about, counts, ranking, chart["views"], compared, paper)
    screen |= {"experiments": overview.experiments(table), "lead": lead}
    screen |= {"headline": heading, "description": overview.description(counts, about, heading)}
    screen |= {"share": share, "is_record": is_record, "findings": findings}
    screen |= {"open_claims": overview.open_claims(decided)}
    screen |= {"picture": gallery.picture(picture) if picture else None}
    has_colony = not paper and table["solver"].isin(player.SOLVERS).any()
    shown = [] if paper else overview.first_variants(ranking, chart["views"])
    content = {
        "overview": screen,
        "gallery": groups,
        "charts": chart | {"first": shown},
        "claims": claims.build(decided),
        "player": player.section(played) if has_colony else "",
        "related": dict(related),
    }
    Path(page).write_text(render(content), encoding="utf-8")
    text = overview.summary(counts, ranking)
    Path(summary).write_text(f"{share}\n{text}".lstrip(), encoding="utf-8")


def _compared(paths, runs, share):
    """Return the ranking, and the comparison if there is one; a first look compares nothing."""
    ranking = overview.marked(_in_order(made.read("ranking", paths["ranking"])), runs)
    is_compared = COMPARISON in paths and not share
    return ranking, made.read(COMPARISON, paths[COMPARISON]) if is_compared else None


def _in_order(table):
    """Return rows in the order of the papers' experiments; rows of other experiments come last."""
    ranks = {name: number for number, name in enumerate(papers.experiments())}
    return table.sort_values("experiment", key=lambda names: names.map(ranks), kind="stable")


def render(content: dict) -> str:
    """Return the page, from the content that the modules of this package build."""
    # Vega, Vega-Lite and Vega-Embed stand in a script element: their text must not end it.
    vega = javascript_bundle().replace("</script", r"<\/script")
    return texts.filled("page.html.j2", **content, vega=vega)
