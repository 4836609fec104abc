"""One folder is all that a new paper takes: it goes through the whole workflow."""

from conftest import ROOT
from projects import finish, make_project

NEWCOMERS = ROOT / "tests" / "papers" / "newcomers"
OVERLAY = "name: small\nexperiments: [newcomer]\n"


def test_a_newcomer_goes_through_the_whole_workflow(tmp_path):
    project = make_project(tmp_path)
    (project / "small.yaml").write_text(OVERLAY)
    finish(project, "--cores", "2", "--configfile", "small.yaml", ANTDOKU_PAPERS=str(NEWCOMERS))
    results = project / "results" / "small"
    drawn = {file.stem for file in results.glob("figures/*.png")}
    assert drawn == {"newcomer_fig1", "newcomer_fig2", "newcomer_fig3"}
    claims = (results / "tables" / "claims.csv").read_text()
    assert "newcomer_p50" in claims and "slow: " in claims
    page = (results / "report.html").read_text()
    assert "Newcomer et al. 2030" in page and "Figure 1 of the newcomer" in page
