"""Numbers and names as the page prints them."""

import math

import pandas as pd

from antdoku import papers
from antdoku.claims import evidence


def experiment(name: str) -> str:
    """Title of an experiment, or of a group of figures; that of another is its name."""
    return (papers.groups() | papers.experiments()).get(name, plain(name))


def ranks(names: pd.Series) -> pd.Series:
    """Places of experiments in the page: in the order of the papers, then the others."""
    places = {name: place for place, name in enumerate(papers.experiments())}
    return names.map(lambda name: places.get(name, len(places)))


def paper(name: str) -> str:
    """A paper of the ledger."""
    return papers.editions().get(name, name)


def plain(name: str) -> str:
    """A name of the code as words: ``more_ants`` is "More ants"."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def number(value) -> str:
    """Three significant digits, or all of a whole number."""
    if pd.isna(value):
        return ""
    if value == math.floor(value) and abs(value) < 1e15:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def seconds(value) -> str:
    """A time in the unit that suits it."""
    return "–" if pd.isna(value) else evidence.duration(value)


def hours_and_minutes(value) -> str:
    """A long time in hours, minutes, seconds."""
    whole = round(value)
    parts = [(whole // 3600, "h"), (whole // 60 % 60, "min"), (whole % 60, "s")]
    shown = [f"{count} {unit}" for count, unit in parts if count]
    return " ".join(shown[:2]) or f"{value:.1f} s"


def clean(value):
    """A value as JSON can hold it: three significant digits, null for what is missing."""
    if isinstance(value, list):
        return value
    if pd.isna(value):
        return None
    if isinstance(value, float):
        return float(f"{value:.3g}")
    return value.item() if hasattr(value, "item") else value


def columns(table: pd.DataFrame) -> dict:
    """A table for JSON: names of its columns once, then its rows."""
    rows = [[clean(value) for value in row] for row in table.astype(object).to_numpy().tolist()]
    return {"columns": list(table), "rows": rows}
