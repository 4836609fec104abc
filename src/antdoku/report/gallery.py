"""Figures and tables of each paper, with their captions, as the page shows them."""

import base64
import io
import re
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pandas as pd
from PIL import Image

from antdoku import figures, papers, tables, texts
from antdoku.figures import style

MOST_ROWS = 130
FOLDED = 16  # a table with more rows opens when it is asked for
MOST_BYTES = 300_000  # of an SVG
SAFE = " <>=:/;,.'()[]{}|!*+-_~$&?@^"  # stands for itself in a data URI
POINTS, SHOWN = 1.95, 0.7  # pixels of a point of an SVG, and of one of an image
SCALE = 2 / 3  # of the pixels of a figure; a column of a journal is then 700 wide
WORDS = {"fig": "Figure", "table": "Table", "tables": "Tables"}
HEADINGS = {
    "label": "solver",
    "n": "runs",
    "mean_time_solved_s": "mean time of the solved, s (biased)",
    "mean_time_all_s": "mean time of all, s",
    "par2": "PAR2",
    "fixed_fraction": "fixed (share)",
    "n_instances": "instances",
    "n_unfinished": "ended by seconds",
    "wilson_low": "95 % from",
    "wilson_high": "to",
    "limit_steps": "limit, steps",
    "work_steps": "the paper’s work, steps",
    "work_factor": "known within a factor of",
    "rate_at_less": "solved at less",
    "rate_at_more": "solved at more",
    "fixed_after_cp": "fixed after propagation",
    "mean_value_set_size": "candidates a cell",
    "p_value": "p",
    "p_holm": "p (Holm)",
    "w_plus": "W+",
}
# Columns of names of the code.
NAMES = ("puzzle", "family", "published_puzzles", "measure", "source")
UNITS = {"_s": "s", "_ms": "ms", "_percent": "%"}


def build(pictures: list, data: list) -> list[dict]:
    """Return groups of figures (PNG) and tables (CSV), those of one name together."""
    with ThreadPoolExecutor(2) as pool:  # Pillow works beside Python
        images = dict(zip((Path(path).stem for path in pictures), pool.map(picture, pictures)))
    # The ranking opens the page.
    data = {Path(path).stem: pd.read_csv(path) for path in data if Path(path).stem != "ranking"}
    about = tables.every() | figures.every()
    empty = {name for name, frame in data.items() if frame.empty}
    names = [n for n in {*images, *data} if getattr(about.get(n), "table", n) not in empty]
    known = papers.groups()  # in this order; others come after them, by their first word
    groups = {name: [] for name in known}
    # Figure 9 comes before Figure 10, and tables without a figure come last.
    names.sort(key=lambda name: (name not in images, re.sub(r"(?<!\d)(\d)(?!\d)", r"0\1", name)))
    for name in names:
        group = next((group for group in known if name.startswith(group)), name.split("_")[0])
        item = {
            "name": name,
            "title": title(name, group),
            "says": getattr(about.get(name), "title", ""),
            "caption": about[name].caption.split("``") if name in about else [],
            "image": images.get(name),
            "table": table(data[name]) if name in data else None,
        }
        groups.setdefault(group, []).append(item)
    return [
        {"id": name, "title": texts.experiment(name), "items": items}
        for name, items in groups.items()
        if items
    ]


def title(name: str, group: str) -> str:
    """Return ``lloyd_amos_fig4`` as "Figure 4", ``soto_2014_tables1_3`` as "Tables 1–3"."""
    rest = name.removeprefix(group).strip("_") or name
    if found := re.fullmatch(r"(fig|tables?)([\d_]+?)(_form)?", rest):
        form = " in the form of the paper" if found[3] else ""
        return f"{WORDS[found[1]]} {found[2].replace('_', '–')}{form}"
    return texts.words(rest)


def picture(path) -> dict:
    """Return a figure (PNG) as a data URI: the SVG beside it, if there is one that is not large."""
    vector = Path(path).with_suffix(".svg")
    is_small = vector.exists() and vector.stat().st_size < MOST_BYTES
    return drawing(vector.read_text("utf-8")) if is_small else image(path)


def drawing(svg: str) -> dict:
    """Return an SVG as a data URI, in which only what would end it is encoded."""
    width, height = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups()
    uri = "data:image/svg+xml," + urllib.parse.quote(" ".join(svg.split()), safe=SAFE)
    size = {"width": round(POINTS * float(width)), "height": round(POINTS * float(height))}
    return {"uri": uri.replace("&", "&amp;")} | size


def image(path) -> dict:
    """Return a figure as a data URI: fewer pixels than on paper, WebP without loss."""
    with Image.open(path) as opened:
        picture = opened.convert("RGB")
    size = [round(SCALE * pixels) for pixels in picture.size]
    picture = picture.resize(size, Image.Resampling.LANCZOS)
    # Figures have few colours; without those between them the file is a third of the size.
    picture = picture.quantize(64, dither=Image.Dither.NONE).convert("RGB")
    buffer = io.BytesIO()
    picture.save(buffer, "WEBP", lossless=True, quality=100, method=4)
    content = base64.b64encode(buffer.getvalue()).decode()
    width, height = (round(SHOWN * pixels) for pixels in size)
    return {"uri": f"data:image/webp;base64,{content}", "width": width, "height": height}


def table(frame: pd.DataFrame) -> dict:
    """Return a table as text, without empty columns, and without rows if they are too many."""
    if "limit_steps" in frame and (frame["limit_steps"] < 0).all():
        frame = frame.drop(columns="limit_steps")
    if "label" in frame:
        frame = frame.drop(columns="variant", errors="ignore")
    for name in frame.columns.intersection(NAMES):
        frame[name] = [texts.words(papers.puzzle_title(each)) for each in frame[name]]
    if "experiment" in frame:
        frame["experiment"] = frame["experiment"].map(texts.experiment)
    shown = frame.dropna(axis="columns", how="all") if len(frame) else frame
    published = tuple(f"{start}_" for start in style.published())
    kinds = {
        name: "num " * pd.api.types.is_numeric_dtype(shown[name])
        + "published" * name.startswith(published)
        for name in shown
    }
    rows = shown.astype(object).to_numpy().tolist() if len(shown) <= MOST_ROWS else []
    return {
        "n": len(shown),
        "is_short": len(shown) <= FOLDED,
        "headings": [(heading(name), kind) for name, kind in kinds.items()],
        "rows": [list(zip(map(_text, row), kinds.values())) for row in rows],
    }


def heading(name: str) -> str:
    """Return the heading of a column: ``published_time_s`` is "time, s: paper"."""
    for start in style.published():
        if name.startswith(f"{start}_"):
            rest = heading(name.removeprefix(f"{start}_"))
            return f"{rest}: {style.published()[start].label}"
    looks = papers.variants()
    if name in looks:
        return looks[name].label
    if found := max((each for each in looks if name.startswith(f"{each}_")), key=len, default=""):
        return f"{looks[found].label}: {heading(name.removeprefix(f'{found}_'))}"
    end = "" if name in HEADINGS else next(filter(name.endswith, UNITS), "")
    plain = name.removesuffix(end)
    return HEADINGS.get(plain, plain.replace("_", " ")) + (f", {UNITS[end]}" if end else "")


def _text(value):
    return str(value) if isinstance(value, str | bool) else texts.number(value)
