"""Show the narrow version of a picture on a phone.

A published figure ``NAME.png`` has its version for phones beside it, ``NAME.narrow.svg``. Pages
that a code host shows name both in HTML; here they become images of Markdown first.
"""

import re
import shutil
from pathlib import Path

from antdoku.figures import NARROW

IMAGE = re.compile(r'<img\b[^>]*\bsrc="(?P<path>[^"]*_images/(?P<file>[^"/]+))"[^>]*>')
PICTURE = re.compile(r'<picture>(?:<source [^>]*>)+<img src="([^"]*)" alt="([^"]*)"></picture>')
PHONE = "(max-width: 640px)"


def setup(app):
    """Connect the functions below to the events of a build."""
    app.connect("source-read", as_markdown)
    app.connect("html-page-context", add_sources)
    app.connect("build-finished", copy_narrow)
    return {"parallel_read_safe": True}


def as_markdown(app, docname: str, content: list[str]) -> None:
    """Replace pictures in HTML by images, which Sphinx copies."""
    content[0] = PICTURE.sub(r"![\2](\1)", content[0])


def add_sources(app, pagename, templatename, context, doctree):
    """Give each picture of a page its narrow version as a source for phones."""
    files = narrow_files(app)

    def with_source(image):
        if image["file"] not in files:
            return image[0]
        narrow = Path(image["path"]).with_suffix(f".{NARROW}").as_posix()
        return f'<picture><source media="{PHONE}" srcset="{narrow}">{image[0]}</picture>'

    if "body" in context:
        context["body"] = IMAGE.sub(with_source, context["body"])


def copy_narrow(app, exception):
    """Copy the narrow versions beside the pictures."""
    for name, narrow in narrow_files(app).items():
        shutil.copy(narrow, (Path(app.outdir) / "_images" / name).with_suffix(f".{NARROW}"))


def narrow_files(app) -> dict[str, Path]:
    """Return the narrow versions of pictures, by the names of the pictures in the manual."""
    sources = {name: Path(app.srcdir) / path for path, (_, name) in app.env.images.items()}
    files = {name: path.with_suffix(f".{NARROW}") for name, path in sources.items()}
    return {name: file for name, file in files.items() if file.exists()}
