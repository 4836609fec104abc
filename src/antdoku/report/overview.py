"""What was run: where, with what, how long, and what came out in short."""

import pandas as pd

from antdoku import papers
from antdoku.claims.evidence import VERDICTS
from antdoku.claims.samples import ARCHIVE
from antdoku.report import texts, work

# The others stand in provenance.json.
PACKAGES = ("numba", "numpy", "llvmlite", "scipy", "pandas", "ortools", "python-sat", "snakemake")


def build(runs: pd.DataFrame, provenance: dict, claims: pd.DataFrame) -> dict:
    """Facts about the results, from all runs, `runs.provenance` and the verdicts, if any."""
    return {
        "name": provenance["config"]["name"],
        "facts": _facts(provenance),
        "experiments": experiments(runs),
        "verdicts": verdicts(claims),
        "abbreviations": abbreviations(runs),
        # Claims about random instances have their verdict of record on those of the authors.
        "on_own_instances": ARCHIVE not in set(runs["source"]),
    }


def abbreviations(runs: pd.DataFrame) -> list[tuple[str, str]]:
    """Labels of the variants that stand for something, and what that is."""
    there = set(runs["variant"])
    looks = [look for name, look in papers.variants().items() if name in there]
    return [(look.label, look.stands_for) for look in looks if look.stands_for]


def _facts(provenance):
    machine, software, time = (provenance[key] for key in ("machine", "software", "time"))
    runs, ours = provenance["runs"], provenance["antdoku"]
    packages = {name.lower(): version for name, version in software["packages"].items()}
    versions = [f"{name} {packages[name]}" for name in PACKAGES if name in packages]
    statuses = [f"{count:,} {status}" for status, count in runs["by_status"].items()]
    cores = f"{machine['cores']} cores, {machine['memory_bytes'] / 1e9:.1f} GB"
    begin, end = (time[key][:16].replace("T", " ") for key in ("begin", "end"))
    return [
        ("Runs", f"{runs['number']:,}: {', '.join(statuses)}" if statuses else "none"),
        ("CPU time of the runs", texts.hours_and_minutes(runs["cpu_s"])),
        ("Wall time", f"{texts.hours_and_minutes(time['wall_s'])} ({begin} to {end} UTC)"),
        ("Machine", f"{machine['processor'] or machine['architecture']}; {cores}"),
        ("System", machine["system"]),
        ("Versions", ", ".join([f"Python {software['python']}", *versions])),
        ("antdoku", f"{ours['version']}, commit {(ours['commit'] or 'unknown')[:10]}"),
    ]


def experiments(runs: pd.DataFrame) -> list[dict]:
    """One row an experiment: its variants, instances, runs, limits and CPU time."""
    return [
        {
            "title": texts.experiment(name),
            "n_variants": group["variant"].nunique(),
            "n_instances": f"{group['instance_id'].nunique():,}",
            "n_runs": f"{len(group):,}",
            "limits": _limits(group),
            "cpu": texts.hours_and_minutes(group["cpu_s"].sum()),
        }
        for name, group in runs.groupby("experiment", sort=False)
    ]


def _limits(runs):
    """Least and greatest limits of a run: work of the papers, other steps, seconds.

    Seconds limit some runs, and are the guard of those that steps limit.
    """
    runs = work.with_papers_steps(runs)
    has_steps = runs["limit_steps"] > 0
    other_steps = runs.loc[has_steps & runs["papers_steps"].isna(), "limit_steps"]
    reach, seconds = work.reach(runs), runs["limit_s"].dropna()
    most = "at most " if has_steps[seconds.index].any() else ""
    shown = [
        f"{_range(reach)} × the papers’ work" if len(reach) else "",
        f"{_range(other_steps)} steps" if len(other_steps) else "",
        f"{most}{_range(seconds)} s" if len(seconds) else "",
    ]
    return ", ".join(filter(None, shown)) or "none"


def _range(values):
    ends = (values.min(), values.max())
    shown = dict.fromkeys(f"{end:,.3g}" if end < 1000 else f"{end:,g}" for end in ends)
    return " – ".join(shown)


def verdicts(claims: pd.DataFrame) -> list[dict]:
    """Counts of the verdicts, one row a paper that makes claims."""
    return [
        {
            "title": texts.paper(paper),
            "n": len(group),
            "counts": [(verdict, int((group["verdict"] == verdict).sum())) for verdict in VERDICTS],
        }
        for paper, group in claims.groupby("paper", sort=False)
    ]
