"""The published results as a research object: a Workflow Run RO-Crate of the repository.

    python -m antdoku.report.crate docs/results docs/results/frontier

It says what was run, with which configuration and versions, and which rule made each published file
from which others. `make publish` leaves beside the results what Snakemake knows of that (`MADE`).
The crate stands beside the results (`FOLDER`); paths of other files of the project lead out of it.

Reference: Workflow Run Crate 0.5, https://w3id.org/ro/wfrun/workflow/0.5, on RO-Crate 1.1.
"""

import csv
import hashlib
import json
import mimetypes
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
from PIL import Image
from rocrate.model import ContextEntity
from rocrate.rocrate import ROCrate

from antdoku.errors import one_line_errors
from antdoku.report.overview import PACKAGES

FOLDER = "docs/results"
MADE = "files.tsv"  # by `snakemake --detailed-summary`
WORKFLOW, CONFIG = "workflow/Snakefile", "config/config.yaml"
LOCK, README = "requirements.lock", "README.md"
LICENSE, DEVELOPERS = "https://spdx.org/licenses/MIT", "#developers"
TERMS = "https://w3id.org/ro/terms/workflow-run/context"
PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
MEDIA_TYPES = {".parquet": "application/vnd.apache.parquet", ".md": "text/markdown"}


class Published:
    """A folder of results with `MADE`, and with files called as in the folder they come from."""

    def __init__(self, folder):
        folder = Path(folder)
        self.provenance = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
        self.name = self.provenance["config"]["name"]
        ours = self.provenance["antdoku"]
        self.version = ours["version"]
        # Of provenance.json; other files may be made later.
        self.code = f"{self.version}, commit {ours['commit'] or 'unknown'}"
        columns = ["output_file", "date", "rule", "input-file(s)"]
        plain = {"sep": "\t", "quoting": csv.QUOTE_NONE, "keep_default_na": False}
        self.made = pd.read_csv(folder / MADE, usecols=columns, **plain).set_index("output_file")
        results = f"results/{self.name}"
        places = {name: folder / Path(name).relative_to(results) for name in self.made.index}
        self.files = {name: place for name, place in places.items() if place.is_file()}

    def rule(self, name: str) -> str:
        """The rule that made a file."""
        return self.made.at[name, "rule"]

    def sources(self, name: str) -> set[str]:
        """Files of which a file was made: published ones and the project's, through all others."""
        found = set()
        inputs = self.made.at[name, "input-file(s)"]
        for source in [] if inputs in ("", "-") else inputs.split(","):
            is_there = source in self.files or source not in self.made.index
            found |= {source} if is_there else self.sources(source)
        return found

    def ended(self, names) -> str:
        """When the last of some files was made."""
        dates = (datetime.strptime(self.made.at[name, "date"], "%c") for name in names)
        return max(dates).astimezone(UTC).isoformat()


class _Crate(ROCrate):
    """Entities of the project: what is added again is the same one."""

    def entity(self, identifier, kind, name, **known):
        """An entity that is not a file."""
        known = {"@type": kind, "name": name} | known
        return self.get(identifier) or self.add(ContextEntity(self, identifier, known))

    def file(self, path, **known):
        """A file of the project."""
        media_type = MEDIA_TYPES.get(Path(path).suffix) or mimetypes.guess_type(path)[0]
        known = {"name": Path(path).name, "encodingFormat": media_type or "text/plain"} | known
        return self.get(place(path)) or self.add_file(path, place(path), properties=known)

    def action(self, tool, identifier, inputs, results, **known):
        """What a tool has done, which the root of the crate names."""
        action = self.add_action(tool, identifier, properties=known)
        for role, files in (("object", inputs), ("result", results)):
            if files:
                action.append_to(role, files, compact=True)
        action["agent"] = self.get(DEVELOPERS)
        self.root_dataset.append_to("mentions", action)
        return action


def write(folders) -> None:
    """Write ``ro-crate-metadata.json`` of some folders of published results into `FOLDER`."""
    Path(FOLDER).mkdir(parents=True, exist_ok=True)
    build([Published(folder) for folder in folders]).metadata.write(FOLDER)


def build(results: list[Published]) -> ROCrate:
    """The crate of some folders of published results; the first says how old it is."""
    crate = _Crate(version="1.1")
    crate.metadata.extra_contexts.append(TERMS)
    developers = crate.entity(DEVELOPERS, "Organization", "antdoku developers")
    terms = "Use, change and pass on, with the notice of copyright."
    mit = crate.entity(LICENSE, "CreativeWork", "MIT License", description=terms)
    workflow = _workflow(crate, results[0])
    for published in results:
        _run(crate, workflow, published)
    root = crate.root_dataset
    root["name"] = "antdoku"
    root["description"] = (
        "Published experiments on solving Sudoku by stochastic search, reproduced: the workflow, "
        "its results, and which of its rules made each of them from what."
    )
    root["datePublished"] = results[0].provenance["time"]["end"]
    root["license"] = mit
    root["author"] = root["publisher"] = developers
    crate.file(README, about=root)
    root["conformsTo"] = [
        crate.entity(address, "CreativeWork", name, version=address.rpartition("/")[2])
        for address, name in PROFILES.items()
    ]
    return crate


def _workflow(crate, published):
    """The workflow, with the versions of what it needs."""
    software = published.provenance["software"]
    versions = {name.lower(): version for name, version in software["packages"].items()}
    known = {"name": "antdoku", "version": published.code, "encodingFormat": "text/plain"}
    language = {"lang": "snakemake", "lang_version": versions["snakemake"]}
    workflow = crate.add_workflow(
        WORKFLOW, place(WORKFLOW), main=True, properties=known, **language
    )
    workflow["license"], workflow["creator"] = crate.get(LICENSE), crate.get(DEVELOPERS)
    needs = [_software(crate, "https://www.python.org/", "Python", software["python"])]
    for name in (name for name in PACKAGES if name in versions):
        address = f"https://pypi.org/project/{name}/{versions[name]}/"
        needs.append(_software(crate, address, name, versions[name], url={"@id": address}))
    workflow["softwareRequirements"] = [crate.file(LOCK), *needs]
    return workflow


def _software(crate, identifier, name, version, **known):
    return crate.entity(identifier, "SoftwareApplication", name, softwareVersion=version, **known)


def _run(crate, workflow, published):
    """A run of the workflow, and the share of each of its rules in what is published."""
    files = {name: _result(crate, published, name) for name in published.files}
    inputs = {}
    by_rule = published.made.loc[list(files)].groupby("rule", sort=False).groups
    for rule, names in by_rule.items():
        sources = sorted(set().union(*map(published.sources, names)))
        inputs |= {name: crate.file(name) for name in sources if name not in files}
        tool = _software(crate, f"#{published.name}-{rule}", f"rule {rule}", published.version)
        workflow.append_to("hasPart", tool)
        crate.action(
            tool,
            f"{tool.id}-run",
            [files.get(name) or inputs[name] for name in sources],
            [files[name] for name in names],
            name=f"Rule {rule}",
            description="The rule, and those before it whose files are not published.",
            endTime=published.ended(names),
        )
    own = f"config/{published.name}.yaml"
    settings = [crate.file(name) for name in (CONFIG, own) if Path(name).is_file()]
    runs, machine = published.provenance["runs"], published.provenance["machine"]
    files[f"results/{published.name}/provenance.json"]["about"] = crate.action(
        workflow,
        f"#{published.name}",
        [*settings, *inputs.values()],
        list(files.values()),
        name=f"Run of the configuration {published.name}",
        description=f"{runs['number']} runs of solvers, {runs['cpu_s']} s of CPU time on "
        f"{machine['processor'] or machine['architecture']}; antdoku {published.code}. "
        "The configuration as it was merged, the machine and all versions: provenance.json.",
        startTime=published.provenance["time"]["begin"],
        endTime=published.ended(files),
    )


def _result(crate, published, name):
    """A published file: what made it, and which bytes it is made of."""
    file = published.files[name]
    made_by = f"rule {published.rule(name)}, configuration {published.name}"
    if file.suffix == ".png":
        with Image.open(file) as figure:
            made_by = figure.info.get("Description", made_by)
    about = {"alternateName": name, "description": f"Made by {made_by}"}
    return crate.file(file, **about, sha256=digest(file))


def digest(file) -> str:
    """SHA-256 of the bytes of a file."""
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def place(path) -> str:
    """Path of a file of the project as the crate calls it."""
    return Path(os.path.relpath(path, FOLDER)).as_posix()


if __name__ == "__main__":
    with one_line_errors():
        write(sys.argv[1:])
