"""The research object: what the profile requires, and who made what from what."""

import json
from datetime import datetime
from pathlib import Path

import pytest
from conftest import ROOT

from antdoku.figures import style
from antdoku.report import crate

WHEN = "Sun Nov 22 17:56:34 2026"
MADE_BY = "antdoku 0.2.0, commit abc, rule figures_lewis, configuration quick"
RUNS, CLAIMS = "results/quick/tables/runs.parquet", "results/quick/tables/claims.csv"
TABLE, FIGURE = "results/quick/tables/lewis_fig2.csv", "results/quick/figures/lewis_fig2.png"
PROVENANCE, DATA = "results/quick/provenance.json", "src/antdoku/papers/lewis/published.csv"
LEDGER, INSTANCES = (
    "src/antdoku/papers/lewis/claims.yaml",
    "results/quick/instances/lewis/a.parquet",
)
SUMMARY = {  # file: its rule, and what it was made from
    INSTANCES: ("instances_lewis", [DATA]),
    "results/quick/runs/lewis/a--0.parquet": ("run", [INSTANCES]),
    RUNS: ("collect", ["results/quick/runs/lewis/a--0.parquet"]),
    PROVENANCE: ("provenance", [RUNS]),
    CLAIMS: ("table_claims", [RUNS, LEDGER]),
    TABLE: ("tables_lewis", [DATA, RUNS]),
    FIGURE: ("figures_lewis", [TABLE]),
    FIGURE.replace("png", "pdf"): ("figures_lewis", [TABLE]),  # not published
}
COLUMNS = (
    "output_file",
    "date",
    "rule",
    "log-file(s)",
    "input-file(s)",
    "shellcmd",
    "status",
    "plan",
)
OURS = ("workflow/Snakefile", "config/config.yaml", "config/quick.yaml", "requirements.lock")
FACTS = {
    "antdoku": {"version": "0.2.0", "commit": "abc"},
    "machine": {"processor": "", "architecture": "x86_64"},
    "software": {"python": "3.11.7", "packages": {"snakemake": "9.27.1", "numpy": "2.4.6"}},
    "config": {"name": "quick"},
    "runs": {"number": 3, "cpu_s": 1.5},
    "time": {"begin": "2026-11-22T17:50:00+00:00", "end": "2026-11-22T17:56:00+00:00"},
}


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A small project with published results, as the working directory."""
    monkeypatch.chdir(tmp_path)
    published = Path("docs/results")
    for name in (*OURS, "README.md", DATA, LEDGER):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(name)
    for name in (RUNS, CLAIMS, TABLE):
        place = published / Path(name).relative_to("results/quick")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(name)
    style.save(style.no_runs("title"), published / "figures" / "lewis_fig2", MADE_BY)
    for form in ("pdf", "svg"):
        (published / "figures" / f"lewis_fig2.{form}").unlink()
    (published / "provenance.json").write_text(json.dumps(FACTS))
    (published / crate.MADE).write_text(summary())
    return tmp_path


def summary():
    """What `snakemake --detailed-summary` prints."""
    rows = [
        [name, WHEN, rule, "a.log", ",".join(sources), "-", "ok", "no update"]
        for name, (rule, sources) in SUMMARY.items()
    ]
    return "".join("\t".join(row) + "\n" for row in [COLUMNS, *rows])


@pytest.fixture
def entities(project):
    """The entities of its crate, by their names."""
    crate.write(["docs/results"])
    return graph(project)


def graph(project):
    found = json.loads((project / crate.FOLDER / "ro-crate-metadata.json").read_text())["@graph"]
    assert len({each["@id"] for each in found}) == len(found)
    return {each["@id"]: each for each in found}


def ids(value):
    """Names of the entities that a property refers to."""
    return [each["@id"] for each in (value if isinstance(value, list) else [value])]


def types(entity):
    return entity["@type"] if isinstance(entity["@type"], list) else [entity["@type"]]


def check(entities):
    """What the specifications require of a Workflow Run RO-Crate (MUST), and its links."""
    root, descriptor = entities["./"], entities["ro-crate-metadata.json"]
    assert descriptor["about"] == {"@id": "./"}
    workflow_crate = "https://w3id.org/workflowhub/workflow-ro-crate/1.0"
    assert {"https://w3id.org/ro/crate/1.1", workflow_crate} <= {*ids(descriptor["conformsTo"])}
    assert root["name"] and root["description"] and datetime.fromisoformat(root["datePublished"])
    assert entities[root["license"]["@id"]]["name"]
    assert {*crate.PROFILES} == {*ids(root["conformsTo"])}
    assert all(types(entities[profile]) == ["CreativeWork"] for profile in crate.PROFILES)
    workflow = entities[root["mainEntity"]["@id"]]
    assert {*types(workflow)} == {"File", "SoftwareSourceCode", "ComputationalWorkflow"}
    language = entities[workflow["programmingLanguage"]["@id"]]
    assert (types(language), language["version"]) == (["ComputerLanguage"], "9.27.1")
    actions = [each for each in entities.values() if "CreateAction" in types(each)]
    assert {*ids(root["mentions"])} == {each["@id"] for each in actions}
    assert root["mainEntity"] in [each["instrument"] for each in actions]
    for action in actions:
        assert datetime.fromisoformat(action["endTime"]) <= end_of_all(action, entities)
        assert "name" in entities[action["instrument"]["@id"]]
        linked = ids(action.get("object", [])) + ids(action["result"])
        assert all("File" in types(entities[name]) for name in linked)
    files = [each["@id"] for each in entities.values() if "File" in types(each)]
    assert {*files} == {*ids(root["hasPart"])}


def end_of_all(action, entities):
    """When the run of the workflow ended of which an action is a part, or which it is."""
    whole = entities[action["@id"].split("-")[0]]
    assert datetime.fromisoformat(whole["startTime"]) < datetime.fromisoformat(whole["endTime"])
    return datetime.fromisoformat(whole["endTime"])


def test_the_crate_is_what_the_profile_requires(project, entities):
    check(entities)
    files = [name for name, each in entities.items() if "File" in types(each)]
    folder = project / crate.FOLDER
    assert all((folder / name).is_file() for name in files)
    context = json.loads((folder / "ro-crate-metadata.json").read_text())["@context"]
    assert context == ["https://w3id.org/ro/crate/1.1/context", crate.TERMS]


def test_each_rule_made_its_files_from_the_files_before_it(entities):
    steps = {name: each for name, each in entities.items() if name.endswith("-run")}
    made = {name: (ids(each["object"]), ids(each["result"])) for name, each in steps.items()}
    runs, table, data = "tables/runs.parquet", "tables/lewis_fig2.csv", crate.place(DATA)
    assert made == {
        # Through instances and the runs of a job, which are not published.
        "#quick-collect-run": ([data], [runs]),
        "#quick-provenance-run": ([runs], ["provenance.json"]),
        "#quick-table_claims-run": ([runs, crate.place(LEDGER)], ["tables/claims.csv"]),
        "#quick-tables_lewis-run": ([runs, data], [table]),
        "#quick-figures_lewis-run": ([table], ["figures/lewis_fig2.png"]),
    }
    tool = entities[steps["#quick-collect-run"]["instrument"]["@id"]]
    assert (tool["name"], tool["softwareVersion"]) == ("rule collect", "0.2.0")
    assert datetime.fromisoformat(steps["#quick-collect-run"]["endTime"]).timestamp() == (
        datetime.strptime(WHEN, "%c").timestamp()
    )


def test_the_whole_run_names_configuration_inputs_versions_and_results(entities):
    run, workflow = entities["#quick"], entities[crate.place("workflow/Snakefile")]
    ours = ("config/config.yaml", "config/quick.yaml", DATA, LEDGER)
    assert {*map(crate.place, ours)} == {*ids(run["object"])}
    results = {name for name, each in entities.items() if "sha256" in each}
    assert len(results) == 5 and results == {*ids(run["result"])}
    assert run["startTime"] == FACTS["time"]["begin"]
    assert "antdoku 0.2.0, commit abc" in run["description"]
    needs = [entities[name] for name in ids(workflow["softwareRequirements"])]
    versions = {each["name"]: each.get("softwareVersion") for each in needs}
    assert versions == {
        "requirements.lock": None,
        "Python": "3.11.7",
        "numpy": "2.4.6",
        "snakemake": "9.27.1",
    }


def test_two_experiments_stand_in_one_crate(project):
    frontier = Path("docs/results/frontier")
    frontier.mkdir()
    facts = FACTS | {"config": {"name": "frontier"}}
    (frontier / "provenance.json").write_text(json.dumps(facts))
    (frontier / crate.MADE).write_text(summary().replace("results/quick", "results/frontier"))
    crate.write(["docs/results", "docs/results/frontier"])
    found = graph(project)
    check(found)
    assert ids(found["#frontier"]["result"]) == ["frontier/provenance.json"]
    assert len(ids(found["#quick"]["result"])) == 5


def test_the_crate_of_the_published_results_is_in_step_with_them():
    found = graph(ROOT)
    check(found)
    digests = {name: each["sha256"] for name, each in found.items() if "sha256" in each}
    assert {name: crate.digest(ROOT / crate.FOLDER / name) for name in digests} == digests
