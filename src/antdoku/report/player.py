"""The player of a recorded run of ACS: a section of the report, or a page of its own.

It needs the core of the package only: people watch a colony without the workflow.
"""

import json
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from string import Template

from antdoku.files import check_output

TEMPLATES = Path(__file__).with_name("templates")
PROPAGATION = {
    "authors": "that of the authors’ program, which overlooks some singles",
    "complete": "naked and hidden singles, until nothing changes",
}


@dataclass(frozen=True, eq=False, repr=False)
class Recording:
    """A run of ACS to watch: a notebook plays it.

    Attributes
    ----------
    data : dict
        The whole run, as `runs.recording.record` returns it.
    """

    data: dict

    def save(self, path: str | Path) -> None:
        """Write the player as a page for any browser; the name ends in .html."""
        check_output(path, [".html"])
        Path(path).write_text(page(self.data), encoding="utf-8")

    def __repr__(self):
        return f"<Recording of {self.data['puzzle']['name']!r}: {length(self.data)}>"

    def _repr_html_(self):
        height = 64 if self.data["puzzle"]["order"] > 3 else 55  # rem: shows the button Play
        style = f"width: 100%; height: {height}rem; border: 0"
        fit = "this.style.height = this.contentDocument.documentElement.scrollHeight + 'px'"
        attributes = f'title="Watch the colony" style="{style}" onload="{fit}"'
        return f'<iframe srcdoc="{escape(page(self.data))}" {attributes}></iframe>'


def section(recording: dict) -> str:
    """Return the section that ``player.js`` plays, as HTML.

    `recording` is the dict of `runs.recording.record`.
    """
    params = recording["params"]
    n_iterations = len(recording["iterations"])
    values = {
        "name": recording["puzzle"]["name"],
        "n_cells": recording["puzzle"]["order"] ** 4,
        "run": length(recording),
        "last": n_iterations,
        "seed": recording["seed"],
        "m": params["m"],
        "propagation": PROPAGATION[params["propagation"]],
        "greedy": f"{100 * params['greedy_share']:.0f}",
        **{name: params[name] for name in ("xi", "rho", "f_bve")},
    }
    texts = {name: escape(str(value)) for name, value in values.items()}
    # Propagation alone may solve: then there is nothing to play.
    marks = {"still": "", "hidden": ""}
    if not n_iterations:
        marks = {"still": "disabled", "hidden": 'style="display: none"'}
    data = json.dumps(recording).replace("<", r"\u003c")  # which could end the script
    return Template(_text("player.html")).substitute(texts | marks, data=data)


def length(recording: dict) -> str:
    """Return the number of iterations, in words."""
    number = len(recording["iterations"])
    return f"{number} iteration{'' if number == 1 else 's'}"


def page(recording: dict) -> str:
    """Return a page with the player alone, which loads nothing."""
    parts = {"style": _text("page.css"), "script": _text("player.js")}
    return Template(_text("watch.html")).substitute(parts, player=section(recording))


@cache
def _text(name):
    return (TEMPLATES / name).read_text(encoding="utf-8")
