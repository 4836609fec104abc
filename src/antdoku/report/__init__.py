"""The report: one HTML file with everything inside, which needs no network and no server.

`write` puts together what the other modules of this package make of the results, and fills the
templates. Nothing is loaded from elsewhere: the page forbids itself to.
"""

import json
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from vl_convert import javascript_bundle

from antdoku import tables
from antdoku.claims import page, scale
from antdoku.figures import style
from antdoku.report import charts, claims, colours, findings, gallery, overview, puzzles, texts
from antdoku.tables import comparison
from antdoku.tables.summary import labelled


def write(
    path, *, runs, instances, provenance, verdicts, recording, figures, pages, captions
) -> None:
    """Write the report of one result folder, and beside it its findings as ``findings.txt``.

    It is made of files of the other stages; `instances` are the families of given puzzles, `pages`
    the tables in CSV, and `captions` are called as the figure or table that they are of.
    """
    # The papers in their order, then what is beyond them: so the page shows everything.
    all_runs = tables.read_runs(runs).sort_values("experiment", key=texts.ranks, kind="stable")
    decided = page.read(verdicts)
    paths = {Path(path).stem: path for path in pages}
    known = {name: tables.read(name, paths[name]) for name in findings.tables() if name in paths}
    found = findings.build(decided, known)
    # The third tells what is not reproduced.
    found[2:2] = findings.failures(decided)
    groups = gallery.build(figures, pages, captions)
    with style.labels_of(labelled(all_runs)):
        content = {
            "of_papers": not decided.empty,
            "findings": found,
            "scale": scale.reduced(all_runs),
            "rankings": [] if len(decided) else rankings(all_runs),
            "overview": overview.build(all_runs, _json(provenance), decided),
            "gallery": groups,
            "places": gallery.places(groups),
            "charts": charts.build(all_runs),
            "claims": claims.build(decided),
            "families": puzzles.build(all_runs, instances),
            "recording": _json(recording),
        }
    Path(path).write_text(render(content), encoding="utf-8")
    lines = [*content["scale"], *(finding.text for finding in content["findings"])]
    told = "".join(f"{line}\n" for line in lines)
    Path(path).with_name("findings.txt").write_text(told, encoding="utf-8")


def rankings(runs) -> list[dict]:
    """Which solver is better, for each experiment with several: title, columns and rows of text."""
    found = []
    for name, group in runs.groupby("experiment", sort=False):
        if group["variant"].nunique() > 1:
            table = comparison.shown(comparison.summary(group))
            columns, rows = list(table.columns), table.to_numpy().tolist()
            found.append({"title": texts.experiment(name), "columns": columns, "rows": rows})
    return found


def render(content: dict) -> str:
    """The page, from what the modules of this package have built."""
    loader = PackageLoader("antdoku.report")
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["verbatim"] = lambda name: Markup(loader.get_source(environment, name)[0])
    # Vega, Vega-Lite and Vega-Embed, as text inside of a script element, which this would end.
    vega = Markup(javascript_bundle().replace("</script", r"<\/script"))
    return environment.get_template("page.html.j2").render(content, vega=vega, palette=_palette())


def _palette():
    """Colours of verdicts and puzzles, by day and by night."""
    days = {
        "reproduced": style.variant("dlx").color,
        "partly": style.variant("ils").color,
        "not-reproduced": style.variant("acs_no_bve").color,
        "undecided": style.MUTED,
        "accent": style.DEDUCED_COLOR,
    }
    return {name: (day, colours.legible(day, colours.NIGHT)) for name, day in days.items()}


def _json(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))
