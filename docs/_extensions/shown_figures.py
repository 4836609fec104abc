"""Show the new figures of each block of a tutorial in the gallery.

The gallery's own scraper asks pyplot for figures, but this package does not use pyplot.
"""

from matplotlib.figure import Figure
from sphinx_gallery.scrapers import figure_rst

from antdoku.figures import style

DPI = 200  # more than twice the resolution of a page: sharp on dense screens
_saved = []  # the figures themselves: the `id` of a deleted figure may be used again


def show(block, block_vars, gallery_conf) -> str:
    """Save the new figures among the variables of a script; return the text that shows them."""
    paths = []
    for value in block_vars["example_globals"].values():
        if isinstance(value, Figure) and not any(value is saved for saved in _saved):
            _saved.append(value)
            paths.append(next(block_vars["image_path_iterator"]))
            style.styled(value.savefig)(paths[-1], dpi=DPI, metadata=style.METADATA["png"])
    return figure_rst(paths, gallery_conf["src_dir"])


def _get_sg_image_scraper():
    return show
