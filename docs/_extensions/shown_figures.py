"""What the gallery shows of a block of a tutorial: the figures that it has made, and no others.

The gallery's own search for figures asks pyplot, which the figures of this package do without.
"""

from matplotlib.figure import Figure
from sphinx_gallery.scrapers import figure_rst

from antdoku.figures import style

DPI = 150  # twice what a page shows: sharp on dense screens


class Scraper:
    """Saves each figure once, in the block that made it."""

    def __init__(self):
        self.shown = []  # the figures themselves: a number may come again when one is gone

    def __call__(self, block, block_vars, gallery_conf):
        """Save what is new among the names of a script; returns the text that shows it."""
        values = block_vars["example_globals"].values()
        figures = [value for value in values if isinstance(value, Figure)]
        new = [figure for figure in figures if not any(figure is old for old in self.shown)]
        self.shown += new
        paths = [next(block_vars["image_path_iterator"]) for _ in new]
        for figure, path in zip(new, paths):
            style.styled(figure.savefig)(path, dpi=DPI, metadata=style.METADATA["png"])
        return figure_rst(paths, gallery_conf["src_dir"])


def _get_sg_image_scraper():
    return Scraper()
