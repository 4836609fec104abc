"""The first screen, with verdicts by paper and the ranking of solvers, and the table of runs."""

import numpy as np
import pandas as pd

from antdoku import papers
from antdoku.claims import UNDECIDED, page
from antdoku.claims.verdicts import BEFORE_END
from antdoku.figures import panels
from antdoku.instances.family import ARCHIVE
from antdoku.outcome import FAILURES
from antdoku.papers import published, study
from antdoku.report import texts
from antdoku.tables import work
from antdoku.times import duration

# provenance.json has all packages.
PACKAGES = ("numba", "numpy", "llvmlite", "scipy", "pandas", "ortools", "python-sat", "snakemake")
MOST_ANSWERS = 8  # comparisons beside a ranking; the table has all
MOST_RANKINGS = 3  # on the first screen; if there are more, only the first is
PLACE = ["experiment", "family", "order", "fixed_fraction"]


def build(
    runs: pd.DataFrame,
    provenance: dict,
    counts: pd.DataFrame,
    ranks: pd.DataFrame,
    views: list[dict],
    comparison: pd.DataFrame | None,
    paper: papers.Paper | None,
) -> dict:
    """Return the content of the first screen.

    `counts` and `ranks` are as for `summary`, `views` as in `charts.build`, `comparison` as for
    `answers`, `paper` as for `headline`.
    """
    looks = [look for name, look in papers.variants().items() if (runs["variant"] == name).any()]
    of_runs = [*filter(None, map(papers.of_experiment, runs["experiment"].unique()))]
    if paper:  # propagation alone, or another single variant, is no ranking
        ranks = ranks[ranks.groupby("experiment")["variant"].transform("nunique") > 1]
    tables = rankings(ranks)
    first = rankings(_of_first_screen(ranks, views))
    first = first if len(first) <= MOST_RANKINGS else first[:1]
    return {
        "name": provenance["config"]["name"],
        "subject": paper.title if paper else subject(runs),
        "facts": _facts(provenance),
        "studies": studies(runs),
        "answer": paper.answer if paper else "",
        "is_own": paper is not None,
        "counts": counts,
        "bars": page.bars(counts),
        "is_of_papers": not all(paper.ours for paper in of_runs),
        "has_work": any(paper.work for paper in of_runs),
        "first_rankings": first,
        "answers": {} if comparison is None else answers(comparison, ranks),
        "rankings": tables if sum(len(table) for _, table in first) < len(ranks) else [],
        "is_at_hardest": ranks["fixed_fraction"].head(1).notna().all(),
        "abbreviations": [(look.label, look.stands_for) for look in looks if look.stands_for],
        # Verdicts of record about random instances are decided on the authors' instances.
        "n_on_authors": int((runs["source"] == ARCHIVE).sum()),
    }


def subject(runs: pd.DataFrame) -> str:
    """Return titles of the papers and experiments of users, or else of our own experiments."""
    titles = {}  # whether each is ours
    for name in runs["experiment"].unique():
        paper = papers.of_experiment(name)
        titles[paper.title if paper else papers.experiment_title(name)] = paper and paper.ours
    titles = [title for title, is_ours in titles.items() if not is_ours] or [*titles]
    return ", ".join(titles)


def headline(
    paper: papers.Paper | None, figure: dict | None, counts: pd.DataFrame, is_record: bool
) -> str:
    """Return the heading of the page: its conclusion or, without one, its question.

    `paper` is the paper of ours that has the page, `figure` its first figure (`gallery.picture`);
    either may be None. `counts` is as for `summary`.
    """
    if paper:
        entry = study.every().get(paper.name)
        conclusion = entry.headline if entry else figure and figure["title"]
        return conclusion or paper.title
    if len(counts) < 2:
        return "Which solver is better?"
    if not is_record:
        return "Which published results hold?"
    total = counts.loc["Total"]
    return f"{total['reproduced']} of {total['sum']} published statements hold"


def marked(ranking: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """Return the ranking, in which the labels of solvers that crashed or were wrong say so."""
    failed = runs[runs["status"].isin(FAILURES)].groupby(["experiment", "variant"]).size()
    names = zip(ranking["experiment"], ranking["variant"])
    labels = [
        f"{label} (crashed or wrong: {failed[key]:,} of its runs)" if key in failed else label
        for key, label in zip(names, ranking["label"])
    ]
    return ranking.assign(label=pd.Series(labels, ranking.index, "str"))


def answers(comparison: pd.DataFrame, ranking: pd.DataFrame) -> dict[str, list[str]]:
    """Return which solver is better at each place, as sentences with the test, by the place.

    `comparison` is the table `experiment_comparison`.
    """
    groups = comparison.groupby(["experiment", "family", "limit_s", "limit_steps"], dropna=False)
    by_place = {}
    for (experiment, family, *_), rows in groups:
        first, *rivals = rows.itertuples()
        is_here = (ranking["experiment"] == experiment) & (ranking["family"] == family)
        title = f"{papers.experiment_title(experiment)}: {_point(ranking[is_here], family)}"
        sentences = [_answer(first.label, row) for row in rivals[:MOST_ANSWERS]]
        by_place.setdefault(title, []).extend(sentences)
    return {title: sentences for title, sentences in by_place.items() if sentences}


def _answer(first, row):
    """Return a sentence: the first solver is better than the solver of a row, or undecided."""
    test = f"better on {row.lost} of {row.n_instances} instances, worse on {row.won}; p "
    test += ("" if row.p_holm < page.LEAST_P else "= ") + page.p_value(row.p_holm)
    if row.decided:
        better = "is better than" if row.lost >= row.won else "has a better mean (PAR2) than"
        return f"{first} {better} {row.label}: {test}."
    needed = f"some {row.instances_needed:,.0f} instances would decide"
    needed = "too few instances to tell" if pd.isna(row.instances_needed) else needed
    return f"Undecided between {first} and {row.label}: {first} is {test}; {needed}."


def open_claims(verdicts: pd.DataFrame) -> str:
    """Return how many claims are undecided, as a sentence; empty unless most of them are.

    `verdicts` has the columns `claims.verdicts.COLUMNS`. The sentence counts the claims that need
    longer runs.
    """
    reasons = verdicts.loc[verdicts["verdict"] == UNDECIDED, "reason"]
    if 2 * len(reasons) <= len(verdicts):
        return ""
    n_before_end = int((reasons == BEFORE_END).sum())
    if len(verdicts) == 1:
        return f"The only claim is undecided{', because ' + BEFORE_END if n_before_end else ''}."
    why = f", {n_before_end} of them because {BEFORE_END}" if n_before_end else ""
    return f"{len(reasons)} of the {len(verdicts)} claims are undecided{why}."


def description(counts: pd.DataFrame, provenance: dict, heading: str) -> str:
    """Return a sentence on the page, for search engines and previews of links."""
    runs = f"{provenance['runs']['number']:,} runs of Sudoku solvers"
    if len(counts) < 2:
        return f"{heading.rstrip('.')} ({runs})"
    total = counts.loc["Total"]
    verdicts = ", ".join(f"{n} {name}" for name, n in total.drop("sum").items() if n)
    return f"{total['sum']} claims of papers, tested by {runs}: {verdicts}."


def first_variants(ranks: pd.DataFrame, views: list[dict]) -> list[str]:
    """Return the variants in the chart of the first screen: the shown ones and the best solver.

    `ranks` is as for `summary`, `views` as in `charts.build`.
    """
    opening = next((view for view in views if view["opens"]), None)
    if opening is None:
        return []
    best = ranks.loc[ranks["experiment"] == opening["experiment"], "variant"].head(1)
    return [*dict.fromkeys([*opening["shown"], *best])]


def _of_first_screen(ranks, views):
    """Return the solvers that the charts show at first, and the best solver of each place."""
    series = {(view["experiment"], name) for view in views for name in view["shown"]}
    pairs = zip(ranks["experiment"], ranks["variant"])
    is_shown = np.array([pair in series for pair in pairs], bool)
    return ranks[is_shown | ~ranks.duplicated(PLACE)]


def studies(runs: pd.DataFrame) -> list[tuple[str, study.Study]]:
    """Return titles and studies whose experiments have runs."""
    names = {*runs["experiment"].unique()}
    listed = [(papers.get(name), entry) for name, entry in study.every().items()]
    return [(paper.title, entry) for paper, entry in listed if names & {*paper.experiments}]


def summary(verdicts: pd.DataFrame, ranking: pd.DataFrame) -> str:
    """Return both tables of the first screen as plain text; a table without rows is left out.

    `verdicts` comes from `claims.verdicts.count`; `ranking` is the table of that name.
    """
    verdicts = verdicts.rename_axis(None)
    tables = [("Verdicts on the claims of the papers", verdicts)] if len(verdicts) > 1 else []
    tables += rankings(ranking)
    return "\n".join(f"{title}\n{table.to_string()}\n" for title, table in tables)


def rankings(ranking: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Return the rankings as text: a title with place and limit, and solvers, the best first."""
    tables = []
    for (name, family, *_), rows in ranking.groupby(PLACE, sort=False, dropna=False):
        is_shipped = name in papers.shipped_experiments()
        columns = {
            "solved": [f"{row.solved} of {row.n}" for row in rows.itertuples()],
            "95 %": ["–" if is_shipped else _interval(row) for row in rows.itertuples()],
            "PAR2": [*map(duration, rows["par2_s"])],
            "steps": [texts.number(steps) or "–" for steps in rows["median_steps"]],
        }
        limits = [*map(_limit, rows.itertuples())]
        if len({*limits}) > 1:
            columns["limit"] = limits
        limit = "" if "limit" in columns else f"; limit: {limits[0]}"
        title = f"{papers.experiment_title(name)}: {_point(rows, family)}{limit}"
        columns = {name: cells for name, cells in columns.items() if {*cells} != {"–"}}
        tables.append((title, pd.DataFrame(columns, index=[*rows["label"]])))
    return tables


def _point(rows, family):
    """Return the place of rows, with the title of a family of given puzzles.

    A family with the name of its experiment has no title of its own.
    """
    is_named = family != rows["experiment"].iloc[0]
    return panels.point(rows, papers.puzzle_title(family) if is_named else "given puzzles")


def _interval(row):
    """Return the 95 % interval of a success rate, as text."""
    return f"{100 * row.wilson_low:.0f} to {100 * row.wilson_high:.0f} %"


def _limit(row):
    """Return the limit of the runs of a solver, in words."""
    if row.limit_steps <= 0:
        return duration(row.limit_s)
    if pd.isna(row.reach):
        return f"{row.limit_steps:,} steps"
    share = f"{row.reach:.2g} {'times' if row.reach > 1 else 'of'} " if row.reach != 1 else ""
    edition = work.edition_of(row.experiment, row.variant)
    is_other = edition != published.work_of(row.experiment)
    return (
        f"{share}the work of {papers.editions()[edition]}"
        if is_other
        else f"{share}the paper’s work"
    )


def _facts(provenance):
    machine, software, time = (provenance[key] for key in ("machine", "software", "time"))
    runs, ours = provenance["runs"], provenance["antdoku"]
    packages = {name.lower(): version for name, version in software["packages"].items()}
    versions = [f"{name} {packages[name]}" for name in PACKAGES if name in packages]
    statuses = [f"{count:,} {status}" for status, count in runs["by_status"].items()]
    cores = f"{machine['cores']} cores, {machine['memory_bytes'] / 1e9:.1f} GB"
    begin, end = (time[key][:16].replace("T", " ") for key in ("begin", "end"))
    return {
        "Runs": f"{runs['number']:,}: {', '.join(statuses)}" if statuses else "none",
        "CPU time of the runs": duration(runs["cpu_s"]),
        "Wall time": f"{duration(time['wall_s'])} ({begin} to {end} UTC)",
        "Machine": f"{machine['processor'] or machine['architecture']}; {cores}",
        "System": machine["system"],
        "Versions": ", ".join([f"Python {software['python']}", *versions]),
        "antdoku": f"{ours['version']}, commit {_short_commit(ours['commit'])}",
    }


def _short_commit(commit):
    """Return the first digits of a commit; the suffix ``-dirty`` says that code was changed."""
    number, dash, suffix = (commit or "unknown").partition("-")
    return f"{number[:10]}{dash}{suffix}"


def experiments(runs: pd.DataFrame) -> list[dict]:
    """Return a row per experiment: numbers of runs, and CPU time in sum and of the longest run.

    The last of several rows has all runs.
    """
    groups = [
        (papers.experiment_title(name), group)
        for name, group in runs.groupby("experiment", sort=False)
    ]
    return [
        {
            "Experiment": title,
            "Variants": group["variant"].nunique(),
            "Instances": f"{group['instance_id'].nunique():,}",
            "Runs": f"{len(group):,}",
            "CPU time": duration(group["cpu_s"].sum()),
            "Longest run": duration(group["cpu_s"].max()),
        }
        for title, group in groups + ([("All", runs)] if len(groups) > 1 else [])
    ]
