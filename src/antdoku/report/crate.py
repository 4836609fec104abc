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
from functools import cached_property
from pathlib import Path

import pandas as pd
from PIL import Image
from rocrate.model import ContextEntity, File
from rocrate.rocrate import ROCrate

from antdoku.errors import one_line_errors
from antdoku.report.overview import PACKAGES

FOLDER = "docs/results"
MADE = "files.tsv"  # by `snakemake --detailed-summary`
WORKFLOW, CONFIG = "workflow/Snakefile", "config/config.yaml"
LOCK, README = "requirements.lock", "README.md"
LICENSE, DEVELOPERS = "https://spdx.org/licenses/MIT", "#developers"
MIT = {
    "name": "MIT License",
    "description": "Use, change and pass on, with the notice of copyright.",
}
TERMS = "https://w3id.org/ro/terms/workflow-run/context"
PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
MEDIA_TYPES = {".parquet": "application/vnd.apache.parquet", ".md": "text/markdown"}


class Published:
    """A folder of published results.

    Parameters
    ----------
    folder : path
        Holds `MADE`, ``provenance.json`` and the files, called as in the folder of results.
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        self.provenance = json.loads((self.folder / "provenance.json").read_text(encoding="utf-8"))
        self.name = self.provenance["config"]["name"]
        columns = ["output_file", "date", "rule", "input-file(s)"]
        plain = {"sep": "\t", "quoting": csv.QUOTE_NONE, "keep_default_na": False}
        table = pd.read_csv(self.folder / MADE, usecols=columns, **plain)
        self.made = table.set_index("output_file")

    @cached_property
    def files(self) -> dict[str, Path]:
        """The published files, by what they were called when they were made."""
        results = f"results/{self.name}"
        places = {name: self.folder / Path(name).relative_to(results) for name in self.made.index}
        return {name: place for name, place in places.items() if place.is_file()}

    @property
    def version(self) -> str:
        """Version of the code."""
        return self.provenance["antdoku"]["version"]

    @property
    def commit(self) -> str:
        """Commit of the code that ``provenance.json`` is of; other files may be made later."""
        return self.provenance["antdoku"]["commit"] or "unknown"

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


def write(folders) -> None:
    """Write ``ro-crate-metadata.json`` of some folders of published results into `FOLDER`."""
    Path(FOLDER).mkdir(parents=True, exist_ok=True)
    build([Published(folder) for folder in folders]).metadata.write(FOLDER)


def build(results: list[Published]) -> ROCrate:
    """The crate of some folders of published results; the first says how old it is."""
    crate = ROCrate(version="1.1")
    crate.metadata.extra_contexts.append(TERMS)
    developers = {"@type": "Organization", "name": "antdoku developers"}
    crate.add(ContextEntity(crate, DEVELOPERS, developers))
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
    root["license"] = crate.add(ContextEntity(crate, LICENSE, {"@type": "CreativeWork"} | MIT))
    root["author"] = root["publisher"] = crate.get(DEVELOPERS)
    _file(crate, README, {"about": root})
    profiles = {
        address: {"@type": "CreativeWork", "name": name, "version": address.rpartition("/")[2]}
        for address, name in PROFILES.items()
    }
    root["conformsTo"] = [crate.add(ContextEntity(crate, *each)) for each in profiles.items()]
    return crate


def _workflow(crate, published):
    """The workflow, with the versions of what it needs."""
    software = published.provenance["software"]
    versions = {name.lower(): version for name, version in software["packages"].items()}
    known = {"name": "antdoku", "version": f"{published.version}, commit {published.commit}"}
    language = {"lang": "snakemake", "lang_version": versions["snakemake"]}
    workflow = crate.add_workflow(
        WORKFLOW, place(WORKFLOW), main=True, properties=known, **language
    )
    workflow["license"], workflow["creator"] = {"@id": LICENSE}, crate.get(DEVELOPERS)
    needs = []
    for name in (name for name in PACKAGES if name in versions):
        address = f"https://pypi.org/project/{name}/{versions[name]}/"
        needs.append(_software(crate, address, name, versions[name]))
        needs[-1]["url"] = {"@id": address}
    python = _software(crate, "https://www.python.org/", "Python", software["python"])
    workflow["softwareRequirements"] = [_file(crate, LOCK), python, *needs]
    workflow["encodingFormat"] = "text/plain"
    return workflow


def _software(crate, identifier, name, version):
    known = {"@type": "SoftwareApplication", "name": name, "softwareVersion": version}
    return crate.add(ContextEntity(crate, identifier, known))


def _run(crate, workflow, published):
    """A run of the workflow, and the share of each of its rules in what is published."""
    files = {name: _result(crate, published, name) for name in published.files}
    inputs = {}
    by_rule = published.made.loc[list(files)].groupby("rule", sort=False).groups
    for rule, names in by_rule.items():
        sources = sorted(set().union(*map(published.sources, names)))
        inputs |= {name: _file(crate, name) for name in sources if name not in files}
        tool = f"#{published.name}-{rule}"
        action = crate.add_action(
            _software(crate, tool, f"rule {rule}", published.version),
            f"{tool}-run",
            object=_compact([files.get(name) or inputs[name] for name in sources]),
            result=_compact([files[name] for name in names]),
            properties={
                "name": f"Rule {rule}",
                "description": "The rule, and those before it whose files are not published.",
                "endTime": published.ended(names),
            },
        )
        workflow.append_to("hasPart", crate.get(tool))
        _known(crate, action)
    own = f"config/{published.name}.yaml"
    settings = [_file(crate, name) for name in (CONFIG, own) if Path(name).is_file()]
    whole = _whole_run(crate, workflow, published, [*settings, *inputs.values()], files.values())
    files[f"results/{published.name}/provenance.json"]["about"] = whole


def _compact(entities):
    """As JSON-LD has it: a list only of several."""
    return entities[0] if len(entities) == 1 else entities


def _whole_run(crate, workflow, published, inputs, files):
    runs, machine = published.provenance["runs"], published.provenance["machine"]
    known = {
        "name": f"Run of the configuration {published.name}",
        "description": f"{runs['number']} runs of solvers, {runs['cpu_s']} s of CPU time on "
        f"{machine['processor'] or machine['architecture']}; "
        f"antdoku {published.version}, commit {published.commit}. "
        "The configuration as it was merged, the machine and all versions: provenance.json.",
        "startTime": published.provenance["time"]["begin"],
        "endTime": published.ended(published.files),
    }
    identifier = f"#{published.name}"
    action = crate.add_action(workflow, identifier, inputs, list(files), properties=known)
    return _known(crate, action)


def _known(crate, action):
    """Say in the crate's root that there is an action, and in the action whose it is."""
    action["agent"] = crate.get(DEVELOPERS)
    crate.root_dataset.append_to("mentions", action)
    return action


def _result(crate, published, name):
    """A published file: what made it, and which bytes it is made of."""
    file = published.files[name]
    made_by = f"rule {published.rule(name)}, configuration {published.name}"
    if file.suffix == ".png":
        with Image.open(file) as figure:
            made_by = figure.info.get("Description", made_by)
    known = {"alternateName": name, "description": f"Made by {made_by}"}
    return _file(crate, file, known | {"sha256": digest(file)})


def digest(file) -> str:
    """SHA-256 of the bytes of a file."""
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def place(path) -> str:
    """Path of a file of the project as the crate calls it."""
    return Path(os.path.relpath(path, FOLDER)).as_posix()


def _file(crate, path, known=None) -> File:
    """A file of the project as an entity of the crate."""
    media_type = MEDIA_TYPES.get(Path(path).suffix) or mimetypes.guess_type(path)[0]
    about = {"name": Path(path).name, "encodingFormat": media_type or "text/plain"} | (known or {})
    return crate.get(place(path)) or crate.add_file(path, place(path), properties=about)


if __name__ == "__main__":
    with one_line_errors():
        write(sys.argv[1:])
