"""Show the new figures of each block of a tutorial in the gallery, and narrow versions on a phone.

The gallery's own scraper asks pyplot for figures, but this package does not use pyplot. A narrow
version is the same expression of the script, drawn again; `narrow_pictures` puts it into the page.
"""

import ast
from pathlib import Path

from matplotlib.figure import Figure

from antdoku.figures import style

DPI = 200  # more than twice the resolution of a page: sharp on dense screens
IMAGE = "\n.. image:: /{path}\n   :alt: {title}\n   :class: sphx-glr-single-img\n\n"


def show(block, block_vars, gallery_conf) -> str:
    """Save the figures that a block assigns to a name; return the text that shows them."""
    names, text = block_vars["example_globals"], ""
    for node in ast.parse(block[1]).body:
        figure = names.get(ast.unparse(node.targets[0])) if isinstance(node, ast.Assign) else None
        if isinstance(figure, Figure):
            path = Path(next(block_vars["image_path_iterator"]))
            style.styled(figure.savefig)(path, dpi=DPI, metadata=style.METADATA["png"])
            draw = eval("lambda: " + ast.unparse(node.value), names)
            style.save(style.styled(style.narrow(draw))(), path.with_suffix(f".{style.NARROW}"))
            file = path.relative_to(gallery_conf["src_dir"]).as_posix()
            text += IMAGE.format(path=file, title=figure.get_suptitle())
    return text


def _get_sg_image_scraper():
    return show
