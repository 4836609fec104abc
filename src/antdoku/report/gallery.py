"""Figures and tables of each paper, with their captions, for the page."""

import base64
import io
import re
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pandas as pd
from PIL import Image

from antdoku import figures, papers, tables
from antdoku.claims.page import p_value
from antdoku.columns import TO, Column
from antdoku.figures import style
from antdoku.report import texts
from antdoku.times import duration

MOST_ROWS = 130
FOLDED = 16  # rows: a longer table is closed at first
MOST_BYTES = 300_000  # of an SVG
SAFE = " <>=:/;,.'()[]{}|!*+-_~$&?@^"  # not encoded in a data URI
POINTS, SHOWN = 1.95, 0.7  # pixels of a point of an SVG, and of one of an image
SCALE = 2 / 3  # of the pixels of a figure; a column of a journal is then 700 wide
# Columns whose values are names of the code: the page shows them as words.
NAMES = ("puzzle", "family", "published_puzzles", "source")
OF_CODE = ["variant", "system"]  # a label says both
UNITS = {  # how values of a unit are written, as in the figures
    "order": lambda order: f"{order**2:.0f} × {order**2:.0f}",
    "share": lambda share: f"{texts.number(100 * share)} %",
    "%": lambda percent: f"{texts.number(percent)} %",
    "s": duration,
    "ms": lambda time: duration(time / 1000),
    "p": p_value,
}


def build(pictures: list, data: list, folder: Path, second: list = ()) -> list[dict]:
    """Return groups of figures and tables, for the page in `folder`, which links to files there.

    `pictures` are PNG files and `data` CSV files, with the names of their figures and tables. The
    groups of the papers come first, then the groups of experiments that no paper has. In a group
    the figures come first, puzzles last of them. A figure without rows is left out. `second` has
    both kinds of files; an item of the same name shows them, too.
    """
    images, frames = _images(pictures), _frames(data)
    images_below = _images(path for path in second if Path(path).suffix == ".png")
    frames_below = _frames(path for path in second if Path(path).suffix == ".csv")
    groups = {name: [] for name in papers.groups()}
    for entry in _entries(images, frames):
        item = _item(entry, images, frames) | {"files": files_of(entry, data, folder)}
        below = None
        if entry.name in images_below | frames_below:
            below = _item(entry, images_below, frames_below)
            below["files"] = files_of(entry, second, folder)
        groups.setdefault(entry.group, []).append(item | {"second": below})
    titles = papers.groups() | papers.experiments()
    return [
        {"id": name, "title": titles.get(name, papers.in_words(name)), "items": items}
        for name, items in groups.items()
        if items
    ]


def own_paper(pictures: list) -> papers.Paper | None:
    """Return the paper of ours that all pictures (PNG) belong to; None without one."""
    names = {figures.every()[Path(path).stem].paper for path in pictures}
    ours = [paper for name, paper in papers.every().items() if paper.ours and names == {name}]
    return ours[0] if ours else None


def _images(pictures):
    pictures = [*map(Path, pictures)]
    with ThreadPoolExecutor(2) as pool:  # Pillow works beside Python
        return dict(zip((path.stem for path in pictures), pool.map(picture, pictures)))


def _frames(data):
    """Return tables by name, without the ranking, which opens the page."""
    names = {Path(path).stem: path for path in data}
    return {name: tables.read(name, path) for name, path in names.items() if name != "ranking"}


def _entries(images, frames):
    """Return the figures that have a picture and rows, then the tables without a figure."""
    has_rows = {name: len(frame) > 0 for name, frame in frames.items()}
    drawn = [
        entry
        for name, entry in figures.every().items()
        if name in images and has_rows.get(entry.table, True)
    ]
    alone = [
        entry
        for name, entry in tables.every().items()
        if name not in images and has_rows.get(name, False)
    ]
    return sorted(drawn, key=lambda figure: bool(figure.puzzle)) + alone


def _item(entry, images, frames):
    """Return a figure, with the table of its name, or a table, for the page."""
    name, frame = entry.name, frames.get(entry.name)
    return {
        "name": name,
        "title": entry.heading or papers.in_words(name),
        "caption": entry.caption,
        "image": images.get(name),
        "table": None if frame is None else table(frame, tables.get(name).columns),
    }


def files_of(entry, data: list, folder: Path) -> dict[str, str]:
    """Return links from a page in `folder` to the files of a figure or table, by their format.

    Tables are among `data`; the folder of figures is beside theirs. A file that does not exist, or
    is not in the folder of the page, has no link.
    """
    table = f"{getattr(entry, 'table', entry.name)}.csv"
    folders = [Path(path).parent.parent for path in data if Path(path).name == table] or [folder]
    files = [folders[0] / "figures" / f"{entry.name}.{form}" for form in ("pdf", "svg", "png")]
    files.append(folders[0] / "tables" / table)
    return {
        file.suffix[1:].upper(): file.relative_to(folder).as_posix()
        for file in files
        if file.exists() and file.is_relative_to(folder)
    }


def picture(path) -> dict:
    """Return title and data URI of a figure (PNG), or of the SVG beside it if that is small.

    `narrow` is the figure for a phone, or None if that does not exist or is not small.
    """
    vector, narrow = (Path(path).with_suffix(f".{form}") for form in ("svg", figures.NARROW))
    with Image.open(path) as opened:
        title = opened.info.get("Title", "")
    shown = drawing(vector.read_text("utf-8")) if _is_small(vector) else image(path)
    on_phone = drawing(narrow.read_text("utf-8")) if _is_small(narrow) else None
    return {"title": title, "narrow": on_phone} | shown


def _is_small(vector):
    return vector.exists() and vector.stat().st_size < MOST_BYTES


def drawing(svg: str) -> dict:
    """Return an SVG as a data URI, in which as few characters as possible are encoded."""
    width, height = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups()
    text = re.sub(r"[ \t\n]+", " ", svg)  # a space that must not break stays
    uri = "data:image/svg+xml," + urllib.parse.quote(text, safe=SAFE)
    size = {"width": round(POINTS * float(width)), "height": round(POINTS * float(height))}
    return {"uri": uri.replace("&", "&amp;")} | size


def image(path) -> dict:
    """Return a PNG as a data URI: WebP without loss, of fewer pixels than on paper."""
    with Image.open(path) as opened:
        picture = opened.convert("RGB")
    size = [round(SCALE * pixels) for pixels in picture.size]
    picture = picture.resize(size, Image.Resampling.LANCZOS)
    # Figures have few colours. Without the shades between them the file is a third of the size.
    picture = picture.quantize(64, dither=Image.Dither.NONE).convert("RGB")
    buffer = io.BytesIO()
    picture.save(buffer, "WEBP", lossless=True, quality=100, method=4)
    content = base64.b64encode(buffer.getvalue()).decode()
    width, height = (round(SHOWN * pixels) for pixels in size)
    return {"uri": f"data:image/webp;base64,{content}", "width": width, "height": height}


def table(frame: pd.DataFrame, columns: dict[str, Column]) -> dict:
    """Return a table as text, without empty columns, and without rows if they are too many."""
    if "limit_steps" in frame and (frame["limit_steps"] < 0).all():
        frame = frame.drop(columns="limit_steps")
    if "label" in frame:
        frame = frame.drop(columns=OF_CODE, errors="ignore")
    for name in frame.columns.intersection(NAMES):
        frame[name] = frame[name].map(papers.puzzle_title, na_action="ignore")
    if "experiment" in frame:
        frame["experiment"] = frame["experiment"].map(papers.experiment_title)
    if len(frame):
        frame = frame.dropna(axis="columns", how="all")
    short = frame if len(frame) <= MOST_ROWS else frame.iloc[:0]
    headings, written = _written(short, columns)
    return {
        "n": len(frame),
        "is_short": len(frame) <= FOLDED,
        "headings": headings,
        "rows": list(zip(*written)),
    }


def _written(frame, columns):
    """Return headings and cells by column, with classes of CSS; an interval has one column."""
    headings, written = [], []
    for name in frame:
        column = columns[name]
        cells = [_text(value, column.unit) for value in frame[name].tolist()]
        if column.heading == TO:
            lows = [cell for cell, _ in written.pop()]
            cells = [low if low == high else f"{low} to {high}" for low, high in zip(lows, cells)]
        else:
            is_number = pd.api.types.is_numeric_dtype(frame[name])
            kind = "num " * is_number + "published" * bool(column.edition)
            headings.append((heading(column), kind))
        written.append([(cell, headings[-1][1]) for cell in cells])
    return headings, written


def heading(column: Column) -> str:
    """Return the heading of a column: ``median steps: paper`` if the paper prints it."""
    unit = f", {column.unit}" if column.unit and column.unit not in UNITS else ""
    source = f": {style.printed(column.edition).label}" if column.edition else ""
    return column.heading + unit + source


def _text(value, unit):
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    is_number = not pd.isna(value)
    return UNITS[unit](value) if is_number and unit in UNITS else texts.number(value)
