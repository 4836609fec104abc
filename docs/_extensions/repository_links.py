"""Links from the pages of the manual to other files of the repository.

On a code host `[the default](../config/config.yaml)` shows the file. In the manual the link leads
to a page with the text of the file, which the build writes. So both links work, and neither needs
the address of the repository. Links to folders become plain text. A published report opens in the
browser.
"""

import os
import re
import shutil
from pathlib import Path

LINK = re.compile(r"(?<!!)\[(?P<text>[^\[\]]*)\]\((?P<target>[^()\s#:]+)(?P<anchor>#[^()\s]*)?\)")
HREF = re.compile(r'href="([^":#{}]+)"')  # of a report, to a file
LANGUAGES = {".py": "python", ".yaml": "yaml", ".toml": "toml", ".smk": "python", ".json": "json"}
FOLDER = "repository"  # of the pages that the build writes
TUTORIALS = "examples", "tutorials"  # folders of the scripts, and of the gallery's pages


def setup(app):
    """Connect the functions below to the events of a build."""
    app.connect("builder-inited", write_pages)
    app.connect("source-read", rewrite_page)
    app.connect("doctree-read", leave_out)
    app.connect("build-finished", copy_reports)
    return {"parallel_read_safe": True}


def write_pages(app) -> None:
    """Write a page for each file that a page links to, directly or through other files."""
    docs = Path(app.srcdir)
    shutil.rmtree(docs / FOLDER, ignore_errors=True)
    waiting, written = [*pages(docs)], set()
    while waiting:
        page = waiting.pop()
        text = page.read_text("utf-8")
        for file in linked(text, page, docs) - written:
            written.add(file)
            write_page(docs, file)
            waiting += [file] if file.suffix == ".md" else []


def leave_out(app, doctree) -> None:
    """Leave source files out of the search."""
    name = app.env.docname
    if name.startswith(f"{FOLDER}/") and not name.endswith(".md"):
        app.env.metadata[name]["nosearch"] = "true"


def copy_reports(app, exception) -> None:
    """Copy the published reports and the files they link to; links to pages lead to built ones."""
    docs, built = Path(app.srcdir), Path(app.outdir)
    for report in docs.glob("results/**/report.html"):
        text = report.read_text("utf-8")
        for target in set(HREF.findall(text)):
            file = Path(os.path.normpath(report.parent / target))
            if file.is_file() and file.suffix not in (".md", ".html"):
                shutil.copy(file, _with_folder(built / file.relative_to(docs)))
        text = HREF.sub(lambda link: f'href="{re.sub(r"[.]md$", ".html", link[1])}"', text)
        _with_folder(built / report.relative_to(docs)).write_text(text, "utf-8")


def _with_folder(path):
    """Return the path of a file, whose folder exists then."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def pages(docs: Path) -> list[Path]:
    """Return the pages that people wrote, not a build."""
    ignored = {"_build", "tutorials", FOLDER}
    return [page for page in docs.rglob("*.md") if page.relative_to(docs).parts[0] not in ignored]


def linked(text: str, page: Path, docs: Path) -> set[Path]:
    """Return the files outside of the manual that the text of a page links to."""
    targets = (target_of(link, page) for link in LINK.finditer(text))
    return {file for file in targets if file.is_file() and not file.is_relative_to(docs)}


def target_of(link: re.Match, page: Path) -> Path:
    """Return the path that a link of a page leads to."""
    return Path(os.path.normpath(page.parent / link["target"]))


def write_page(docs: Path, file: Path) -> None:
    """Write the page of a file: Markdown is rendered, other files are shown as source."""
    path = file.relative_to(docs.parent)
    page = docs / FOLDER / f"{path}.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    head = "---\norphan: true\n---\n\n"
    if file.suffix == ".md":
        page.write_text(head + rewritten(file.read_text("utf-8"), file, docs), "utf-8")
        return
    language = LANGUAGES.get(file.suffix, "text")
    source = os.path.relpath(file, page.parent)
    listing = f"```{{literalinclude}} {source}\n:language: {language}\n```\n"
    page.write_text(f"{head}# `{path}`\n\n{listing}", "utf-8")


def rewrite_page(app, docname: str, content: list[str]) -> None:
    """Point the links of a page to the pages of the files."""
    page = Path(app.env.doc2path(docname))
    if page.suffix == ".md" and not docname.startswith(FOLDER):
        content[0] = rewritten(content[0], page, Path(app.srcdir))


def rewritten(text: str, page: Path, docs: Path) -> str:
    """Return the text of a page, with links to files replaced by links to their pages."""
    return LINK.sub(lambda link: _link(link, page, docs), text)


def _link(link, page, docs):
    file = target_of(link, page)
    if file.is_dir():
        return link["text"]
    if file.suffix == ".html":
        inside = (
            page if page.is_relative_to(docs) else docs / FOLDER / page.relative_to(docs.parent)
        )
        return f'<a href="{os.path.relpath(file, inside.parent)}">{link["text"]}</a>'
    if file.is_relative_to(docs / TUTORIALS[0]) and file.stem.startswith("tutorial_"):
        return f"[{link['text']}](/{TUTORIALS[1]}/{file.stem}.rst)"
    if file.is_relative_to(docs):
        return f"[{link['text']}](/{file.relative_to(docs)}{link['anchor'] or ''})"
    target = f"/{FOLDER}/{file.relative_to(docs.parent)}.md"
    return f"[{link['text']}]({target}{link['anchor'] or ''})"
