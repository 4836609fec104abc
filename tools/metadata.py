"""Write the files that tell others what the package is and needs: ``make metadata``.

They say what stands in pyproject.toml, requirements.lock, `antdoku.__version__` and, of the day, in
CHANGELOG.md; the papers, in CITATION.cff, are written by hand.
"""

import json
import re
import tomllib
from pathlib import Path

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from antdoku import __version__

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
ABOUT = PROJECT["project"]
TITLE = f"{ABOUT['name']}: {ABOUT['description'][0].lower()}{ABOUT['description'][1:]}"
MESSAGE = (
    "If you use this software, please cite it together with the papers whose experiments "
    "it reproduces."
)
REFERENCES = "references:\n"
PIN = re.compile(r"^([\w.-]+)==([\w.!+]+)", re.MULTILINE)
# Channels of conda need not have the versions of the lock, and the index of pip has.
CONDA = """\
# Written by `make metadata`. {purpose}
channels:
  - conda-forge
  - nodefaults
dependencies:
  - python={python}
  - pip
  - pip:
"""
OF_USERS = """The versions of requirements.lock, and the package:
#     conda env create --file environment.yml && conda activate antdoku
name: antdoku"""
OF_JOBS = """What jobs run in with `snakemake --sdm conda`, without the tools of
# developers; antdoku.post-deploy.sh installs the package."""


def requirements(*extras: str) -> list[Requirement]:
    """What the package requires by itself and for some extras, and what builds it."""
    optional = ABOUT["optional-dependencies"]
    texts = [*PROJECT["build-system"]["requires"], *ABOUT["dependencies"]]
    texts += [text for extra in extras for text in optional[extra]]
    return [need for need in map(Requirement, texts) if need.name != ABOUT["name"]]


def locked() -> dict[str, str]:
    """Versions by name, of requirements.lock."""
    pins = PIN.findall((ROOT / "requirements.lock").read_text("utf-8"))
    return {canonicalize_name(name): version for name, version in pins}


def conda(purpose: str, extras: list[str], *others: str) -> str:
    """An environment: Python by conda, all else by pip."""
    versions = locked()
    names = sorted({canonicalize_name(need.name) for need in requirements(*extras)})
    lines = [*(f"{name}=={versions[name]}" for name in names), *others]
    python = ABOUT["requires-python"].removeprefix(">=")
    head = CONDA.format(purpose=purpose, python=python)
    return head + "".join(f"      - {line}\n" for line in lines)


def released() -> str:
    """The day of this version, in the headings of CHANGELOG.md."""
    heading = rf"^## \[{re.escape(__version__)}\] - (\S+)$"
    return re.findall(heading, (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)[0]


def citation() -> str:
    """CITATION.cff: what is ours, then the papers as they stand there."""
    ours = {
        "cff-version": "1.2.0",
        "message": MESSAGE,
        "title": TITLE,
        "type": "software",
        "license": ABOUT["license"],
        "version": __version__,
        "date-released": released(),
        "authors": ABOUT["authors"],
        "keywords": ABOUT["keywords"],
    }
    papers = (ROOT / "CITATION.cff").read_text("utf-8").partition(REFERENCES)[2]
    return yaml.safe_dump(ours, sort_keys=False, width=120) + REFERENCES + papers


def codemeta() -> str:
    """codemeta.json, which catalogues of software read."""
    papers = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))["references"]
    content = {
        "@context": "https://w3id.org/codemeta/3.0",
        "@type": "SoftwareSourceCode",
        "name": ABOUT["name"],
        "headline": TITLE,
        "description": ABOUT["description"],
        "version": __version__,
        "datePublished": released(),
        "license": f"https://spdx.org/licenses/{ABOUT['license']}",
        "author": [{"@type": "Organization", **author} for author in ABOUT["authors"]],
        "programmingLanguage": "Python",
        "runtimePlatform": f"Python {ABOUT['requires-python'].removeprefix('>=')} or newer",
        "operatingSystem": ["Linux", "macOS"],
        "applicationCategory": "Sudoku, combinatorial optimization",
        "developmentStatus": "active",
        "keywords": ABOUT["keywords"],
        "softwareRequirements": [Requirement(text).name for text in ABOUT["dependencies"]],
        "referencePublication": [_article(paper) for paper in papers if "doi" in paper],
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _article(paper):
    address = f"https://doi.org/{paper['doi']}"
    return {"@type": "ScholarlyArticle", "name": paper["title"], "identifier": address}


def files() -> dict[str, str]:
    """The files that are written, and what stands in them."""
    ours = [name for name in ABOUT["optional-dependencies"] if name != "docs"]  # has its own lock
    return {
        "CITATION.cff": citation(),
        "codemeta.json": codemeta(),
        "environment.yml": conda(OF_USERS, ours, "--editable ."),
        "workflow/envs/antdoku.yaml": conda(OF_JOBS, ["baselines", "workflow"]),
    }


if __name__ == "__main__":
    for name, text in files().items():
        (ROOT / name).write_text(text, "utf-8")
