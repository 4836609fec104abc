"""What the gallery shows of a block of a tutorial: the figures that it has made, and no others.

The gallery's own search for figures asks pyplot, which the figures of this package do without.
"""

from matplotlib.figure import Figure
from sphinx_gallery.scrapers import figure_rst

from antdoku.figures import style

DPI = 200  # a good twice what a page shows: sharp on dense screens
_shown = []  # the figures themselves: a number may come again when one is gone


def show(block, block_vars, gallery_conf) -> str:
    """Save what is new among the names of a script; returns the text that shows it."""
    paths = []
    for value in block_vars["example_globals"].values():
        if isinstance(value, Figure) and not any(value is old for old in _shown):
            _shown.append(value)
            paths.append(next(block_vars["image_path_iterator"]))
            style.styled(value.savefig)(paths[-1], dpi=DPI, metadata=style.METADATA["png"])
    return figure_rst(paths, gallery_conf["src_dir"])


def _get_sg_image_scraper():
    return show
