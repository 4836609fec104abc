"""The player of recorded runs of ACS: a section of the report, or a page of its own.

It needs the core of the package only: people watch a colony without the workflow.
"""

import json
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from string import Template

from antdoku.files import check_output

SOLVERS = ("acs", "acs_closure")  # whose colony it shows
TEMPLATES = Path(__file__).with_name("templates")
PROPAGATION = {
    "authors": "that of the authors’ program, which overlooks some singles",
    "complete": "naked and hidden singles, until nothing changes",
}
LARGEST_WITH_DIGITS = 3  # order; squares stand for the cells of larger grids


@dataclass(frozen=True, eq=False, repr=False)
class Recording:
    """Runs of ACS to watch: a notebook plays them.

    Attributes
    ----------
    data : dict
        The runs, as `runs.recording.record` returns them.
    """

    data: dict

    def save(self, path: str | Path) -> None:
        """Write the player as a page for any browser; the name ends in .html."""
        check_output(path, [".html"])
        Path(path).write_text(page(self.data), encoding="utf-8")

    def __repr__(self):
        return f"<Recording of {self.data['puzzle']['name']!r}: {length(self.data)}>"

    def _repr_html_(self):
        style = "width: 100%; height: 64rem; border: 0"  # shows the button Play
        fit = "this.style.height = this.contentDocument.documentElement.scrollHeight + 'px'"
        attributes = f'title="Watch the colony" style="{style}" onload="{fit}"'
        return f'<iframe srcdoc="{escape(page(self.data))}" {attributes}></iframe>'


def section(recording: dict) -> str:
    """Return the section that ``player.js`` plays, as HTML.

    `recording` is the dict of `runs.recording.record`; it may have the texts ``finding`` and
    ``note``. The section explains ACS with the parameters of the last run.
    """
    puzzle, runs = recording["puzzle"], recording["runs"]
    params = runs[-1]["params"]
    greedy = params["q0"] if params["greedy_rule"] == "journal" else 1 - params["q0"]
    values = {
        "name": puzzle["name"],
        "n_cells": puzzle["order"] ** 4,
        "length": length(recording),
        "seeds": " and ".join(f"seed {run['seed']}" for run in runs),
        "finding": recording.get("finding", f"{params['m']} ants look for a grid without gaps."),
        "note": recording.get("note", ""),
        "cells": "digits" if puzzle["order"] <= LARGEST_WITH_DIGITS else "squares",
        "propagation": PROPAGATION[params["propagation"]],
        "greedy": f"{100 * greedy:.0f}",
        **{name: params[name] for name in ("m", "xi", "rho", "f_bve")},
    }
    texts = {name: escape(str(value)) for name, value in values.items()}
    data = json.dumps(recording).replace("<", r"\u003c")  # which could end the script
    return Template(_text("player.html")).substitute(texts, data=data)


def length(recording: dict) -> str:
    """Return the number of iterations of the longest run, in words."""
    frames = [frame for run in recording["runs"] for frame in run["frames"]]
    number = max((frame["iteration"] for frame in frames), default=0)
    return f"{number:,} iteration{'' if number == 1 else 's'}"


def page(recording: dict) -> str:
    """Return a page with the player alone, which loads nothing."""
    parts = {"style": _text("page.css"), "script": _text("player.js")}
    return Template(_text("watch.html")).substitute(parts, player=section(recording))


@cache
def _text(name):
    return (TEMPLATES / name).read_text(encoding="utf-8")
