"""What `config/paper.yaml` costs, as docs/cluster.md and README say."""

import pandas as pd
import pytest
from conftest import ROOT, configured, read_yaml

from antdoku.outcome import EXHAUSTED, SOLVED
from antdoku.runs import plan

CELL = ["experiment", "variant", "family"]


@pytest.fixture(scope="module")
def costs():
    """Planned runs and core hours of each variant: `runs`, `lowest`, `highest`.

    `lowest` is the time that the published runs of the same variant and family took. For `highest`,
    each of their unsolved runs takes its whole new limit, unless steps limit it.
    """
    planned = plan.make(configured(read_yaml(ROOT / "config" / "paper.yaml"))).groupby(CELL)
    limits = planned.agg(
        runs=("seed", "size"), s=("limit_s", "first"), steps=("limit_steps", "max")
    )
    published = pd.read_parquet(ROOT / "docs" / "results" / "tables" / "runs.parquet")
    published["solved"] = published["status"].isin([SOLVED, EXHAUSTED])
    published["solved_s"] = published["cpu_s"].where(published["solved"], 0)
    rows = limits.join(published.groupby(CELL)[["cpu_s", "solved", "solved_s"]].mean())
    assert rows.notna().all(axis=None)
    longest_s = rows["solved_s"] + (1 - rows["solved"]) * rows["s"]
    longest_s = longest_s.where(rows["steps"] <= 0, rows["cpu_s"])
    rows["lowest"], rows["highest"] = (rows["runs"] * s / 3600 for s in (rows["cpu_s"], longest_s))
    return rows.groupby(["experiment", "variant"])[["runs", "lowest", "highest"]].sum()


def test_the_page_and_readme_say_what_the_papers_limits_cost(costs):
    page, readme = ((ROOT / name).read_text("utf-8") for name in ("docs/cluster.md", "README.md"))
    for variant in ("sa", "sa_hybrid", "cp_sa"):
        runs, lowest, highest = costs.loc["lewis", variant]
        assert f"`{variant}` | {runs:,.0f} | {lowest:.1f} – {highest:.0f} |" in page
    soto, (runs, lowest, highest) = costs.loc["soto"], costs.sum()
    assert (
        f"{len(soto)} variants | {soto['runs'].sum():.0f} | 0 – {soto['highest'].sum():.0f} "
        in page
    )
    assert soto["highest"].idxmax() == "ac3_cuckoo_as_printed"
    assert f"| all | {runs:,.0f} | {lowest:.0f} – {highest:.0f} |" in page
    assert f" {lowest:.0f} to {highest:.0f} core hours" in readme
