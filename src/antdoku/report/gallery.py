"""Figures and tables of each paper, with their captions, as the page shows them."""

import base64
import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pandas as pd
from docutils.core import publish_parts
from markupsafe import Markup
from PIL import Image

from antdoku import papers
from antdoku.figures import style
from antdoku.report import texts

ELSEWHERE = ("success",)  # tables that the page shows in another form
MOST_ROWS = 130
FOLDED = 12  # a table with more rows opens when it is asked for
SCALE = 2 / 3  # of the pixels of a figure; a column of a journal is then 700 wide
HEADINGS = {
    "label": "solver",
    "n_instances": "instances",
    "n": "runs",
    "p_value": "p",
    "p_holm": "p (Holm)",
    "par2_s": "PAR2, s",
    "mean_time_solved_s": "mean time of the solved, s (biased)",
    "mean_time_all_s": "mean time of all, s",
    "median_time_s": "median time, s",
    "fixed_after_cp": "fixed after propagation",
}


def build(figures: list, tables: list, captions: list) -> list[dict]:
    """Groups of figures (PNG) and tables (CSV), those of one name together, with their captions."""
    with ThreadPoolExecutor(2) as pool:  # Pillow works beside Python
        images = dict(zip((Path(path).stem for path in figures), pool.map(image, figures)))
    data = {Path(path).stem: path for path in tables if Path(path).stem not in ELSEWHERE}
    about = {Path(path).stem: path for path in captions}
    known = papers.groups()  # in this order; others come after them, by their first word
    groups = {name: [] for name in known}
    for name in dict.fromkeys((*images, *data)):
        group = next((group for group in known if name.startswith(group)), name.split("_")[0])
        item = {
            "name": name,
            "title": title(name, group),
            "caption": caption(about[name]) if name in about else "",
            "image": images.get(name),
            "table": table(pd.read_csv(data[name])) if name in data else None,
        }
        groups.setdefault(group, []).append(item)
    return [
        {"id": name, "title": texts.experiment(name), "items": items}
        for name, items in groups.items()
        if items
    ]


def places(groups: list[dict]) -> dict[str, str]:
    """Where each figure or table is found: its name, and "Lewis 2007, Figure 3"."""
    return {
        item["name"]: f"{group['title']}, {item['title']}"
        for group in groups
        for item in group["items"]
    }


def title(name: str, group: str) -> str:
    """``lloyd_amos_fig4`` is "Figure 4", ``soto_2014_tables1_3`` "Tables 1–3"."""
    rest = name.removeprefix(group).strip("_") or name
    for start, word in (("fig", "Figure"), ("tables", "Tables"), ("table", "Table")):
        numbers = rest.removeprefix(start)
        if numbers != rest and numbers.replace("_", "").isdigit():
            return f"{word} {numbers.replace('_', '–')}"
    return texts.plain(rest)


def caption(path) -> Markup:
    """A caption in reStructuredText as HTML."""
    safe = {"file_insertion_enabled": False, "raw_enabled": False, "report_level": 5}
    text = Path(path).read_text(encoding="utf-8")
    parts = publish_parts(text, writer="html5", settings_overrides=safe)
    return Markup(parts["body"])


def image(path) -> dict:
    """A figure as a data URI: fewer pixels than on paper, WebP without loss."""
    with Image.open(path) as opened:
        picture = opened.convert("RGB")
    size = [round(SCALE * pixels) for pixels in picture.size]
    picture = picture.resize(size, Image.Resampling.LANCZOS)
    # Figures have few colours; without those between them the file is a third of the size.
    picture = picture.quantize(64, dither=Image.Dither.NONE).convert("RGB")
    buffer = io.BytesIO()
    picture.save(buffer, "WEBP", lossless=True, quality=100, method=4)
    content = base64.b64encode(buffer.getvalue()).decode()
    return {
        "uri": f"data:image/webp;base64,{content}",
        "width": picture.width,
        "height": picture.height,
    }


def table(frame: pd.DataFrame) -> dict:
    """A table as text, without empty columns, and without rows if it is too long to be read."""
    empty = [name for name in frame if len(frame) and frame[name].isna().all()]
    if "limit_steps" in frame and (frame["limit_steps"] < 0).all():
        empty.append("limit_steps")
    shown = frame.drop(columns=empty)
    published = tuple(f"{start}_" for start in style.published())
    columns = [
        {
            "heading": heading(name),
            "is_published": name.startswith(published),
            "is_number": pd.api.types.is_numeric_dtype(shown[name]),
        }
        for name in shown
    ]
    rows = shown.astype(object).to_numpy().tolist() if len(shown) <= MOST_ROWS else []
    return {
        "n": len(shown),
        "is_short": len(shown) <= FOLDED,
        "columns": columns,
        "rows": [list(map(_text, row)) for row in rows],
    }


def heading(name: str) -> str:
    """Heading of a column."""
    for start in style.published():
        if name.startswith(f"{start}_"):
            rest = heading(name.removeprefix(f"{start}_"))
            return f"{rest}: {'paper' if start == style.PUBLISHED else start}"
    if name in HEADINGS:
        return HEADINGS[name]
    for end in ("_s", "_ms", "_percent"):
        if name.endswith(end):
            unit = {"_percent": "%"}.get(end, end[1:])
            return f"{name.removesuffix(end).replace('_', ' ')}, {unit}"
    return name.replace("_", " ")


def _text(value):
    return str(value) if isinstance(value, str | bool) else texts.number(value)
