"""The player of a recorded run of ACS: a section of the report, or a page of its own.

It needs no more than the core of the package does: people watch a colony without the workflow.
"""

import json
from functools import cache
from html import escape
from pathlib import Path
from string import Template

TEMPLATES = Path(__file__).with_name("templates")
PROPAGATION = {
    "authors": "that of the authors’ program, which overlooks some singles",
    "complete": "naked and hidden singles, until nothing changes",
}


def section(recording: dict) -> str:
    """Return the section that ``player.js`` plays, as HTML.

    `recording` is that of `runs.recording.record`.
    """
    params = recording["params"]
    known = {
        "name": recording["puzzle"]["name"],
        "n_cells": recording["puzzle"]["order"] ** 4,
        "run": length(recording),
        "last": (last := len(recording["iterations"])),
        "seed": recording["seed"],
        "m": params["m"],
        "propagation": PROPAGATION[params["propagation"]],
        "greedy": f"{100 * params['greedy_share']:.0f}",
        **{name: params[name] for name in ("xi", "rho", "f_bve")},
    }
    texts = {name: escape(str(value)) for name, value in known.items()}
    # Propagation alone may solve: then there is nothing to play.
    marks = {"still": "" if last else "disabled", "hidden": "" if last else 'style="display: none"'}
    data = json.dumps(recording).replace("<", r"\u003c")  # which could end the script
    return Template(_text("player.html")).substitute(texts | marks, data=data)


def length(recording: dict) -> str:
    """Return how many iterations there are, in words."""
    number = len(recording["iterations"])
    return f"{number} iteration{'' if number == 1 else 's'}"


def page(recording: dict) -> str:
    """Return a page with the player alone, which loads nothing."""
    parts = {"style": _text("page.css"), "script": _text("player.js")}
    return Template(_text("watch.html")).substitute(parts, player=section(recording))


@cache
def _text(name):
    return (TEMPLATES / name).read_text(encoding="utf-8")
