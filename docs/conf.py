"""The manual: `make docs` builds it from these pages, without network."""

import html
import logging
import sys
from pathlib import Path
from zipfile import ZipFile

from docutils import nodes

DOCS = Path(__file__).parent
sys.path[:0] = [str(DOCS / "_extensions"), str(DOCS / "examples"), str(DOCS.parent / "src")]

from antdoku import __version__  # noqa: E402
from antdoku.report import looks  # noqa: E402

logging.getLogger("antdoku").disabled = True  # whether it compiles depends on the machine's cache

project = "antdoku"
author = "antdoku developers"
version = release = __version__
html_title = f"antdoku {version}"

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "sphinx_click",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "generated_references",
    "narrow_pictures",
    "repository_links",
    "stacked_tables",
]
exclude_patterns = ["_build", "_extensions", "examples", "tutorials/*.ipynb", "tutorials/*.py"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
templates_path = ["_templates"]

highlight_language = "text"
smartquotes = False  # would turn the two hyphens of an option into a dash
# Names in backquotes become links if the manual has a page for them, else they look like code.
default_role = "py:obj"
nitpicky = True
nitpick_ignore_regex = [
    ("py:obj", ".*"),
    ("py:.*", r"(np|numpy|pd|pandas|matplotlib|Path|pathlib|click|Figure)(\..*)?"),
]
suppress_warnings = ["config.cache"]

myst_enable_extensions = ["attrs_block", "colon_fence", "deflist"]
myst_heading_anchors = 4

autosummary_generate = True  # a page for each function that a table of the reference names
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings give the types
numpydoc_show_class_members = False

copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "tutorials",
    "filename_pattern": r"tutorial_",
    "ignore_pattern": r"late_acceptance|cpp_backtracking",
    "copyfile_regex": r"late_acceptance\.py",  # beside the notebook that imports it
    "within_subsection_order": "FileNameSortKey",
    "image_scrapers": ("shown_figures",),
    "ignore_repr_types": r"matplotlib\.figure|antdoku\.figures\.style",
    "download_all_examples": False,
    "show_signature": False,
    "write_computation_times": False,
    "min_reported_time": 1e9,
    "abort_on_example_error": True,
    "remove_config_comments": True,
}

html_theme = "furo"
# Verdicts look as in the report.
html_static_path = ["_static", "../src/antdoku/report/templates/verdicts.css"]
html_css_files = ["verdicts.css", "manual.css"]
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_show_search_summary = False  # a browser cannot fetch pages from a disk to quote them
_brand = ("#0b5c97", "#7ab8e6")  # by day and by night
_colors = looks.palette() | dict.fromkeys(("color-brand-primary", "color-brand-content"), _brand)
html_theme_options = {
    "light_css_variables": {name: day for name, (day, _) in _colors.items()},
    "dark_css_variables": {name: night for name, (_, night) in _colors.items()},
    "top_of_page_buttons": [],
}
pygments_style = "a11y-light"  # comments are readable, too
pygments_dark_style = "github-dark"


def setup(app):
    """Connect the functions below to the events of a build."""
    app.connect("builder-inited", add_imported_file, priority=900)  # after the gallery
    app.connect("html-page-context", correct_links_to_puzzle)
    app.connect("html-page-context", give_headings_a_level, priority=900)  # after the theme
    app.connect("html-page-context", describe)


def add_imported_file(app):
    """Add the solver that tutorial 2 imports to its zip."""
    name = "late_acceptance.py"
    with ZipFile(DOCS / "tutorials/tutorial_2_own_solver.zip", "a") as archive:
        if name not in archive.namelist():
            archive.write(DOCS / "examples" / name, name)


def correct_links_to_puzzle(app, pagename, templatename, context, doctree):
    """Correct the links from the source of `Puzzle` to its page.

    Sphinx takes all objects of a file as members of one module. The manual describes `Puzzle` in
    `antdoku`, the functions of this file in `antdoku.solver`.
    """
    if pagename == "_modules/antdoku/puzzle/grid":
        context["body"] = context["body"].replace("#antdoku.solver.Puzzle", "#antdoku.Puzzle")


def give_headings_a_level(app, pagename, templatename, context, doctree):
    """Give the headings of the sidebar a level, which screen readers need."""
    tree, heading = context["furo_navigation_tree"], 'role="heading"'
    context["furo_navigation_tree"] = tree.replace(heading, f'{heading} aria-level="2"')


def describe(app, pagename, templatename, context, doctree):
    """Describe a page by its first sentences, for search engines and previews of links."""
    paragraphs = [part.astext() for part in doctree.findall(nodes.paragraph)] if doctree else []
    text = next((text for text in paragraphs if text.endswith(".")), None)
    if text is None:
        return
    text = html.escape(" ".join(text.split()))
    tags = f'<meta name="description" content="{text}"><meta property="og:description" '
    tags += f'content="{text}"><meta property="og:title" content="{html.escape(context["title"])}">'
    context["metatags"] += tags
