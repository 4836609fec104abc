"""Check of `paper.yaml`: names that only one paper has, and the looks of variants."""

from antdoku import papers, yaml_files
from antdoku.errors import unknown
from antdoku.papers import published
from antdoku.papers.checks.experiments import Experiment, of_paper, without_names
from antdoku.yaml_files import check_name, check_texts

TEXTS = ("title", "short", "editions", "experiments", "groups", "puzzles")  # and labels of looks


def check(paper: papers.Paper, experiments: dict[str, Experiment]) -> None:
    """Raise `InputError` for the first mistake in the description of a paper."""
    file = paper.folder / papers.FILE
    papers.blocks_of(paper)
    check_texts({key: getattr(paper, key) for key in TEXTS}, file)
    own = of_paper(paper, experiments)
    points = [point for entry in own for point in entry.points]
    puzzles = [name for point in points for name in (point.family, point.instance_id) if name]
    for name in paper.puzzles:
        if name not in puzzles:
            text = unknown("puzzle", name, dict.fromkeys(puzzles)) + without_names(own)
            raise yaml_files.mistake(text, file, "puzzles", name)
    published.check_work(paper)
    if paper.work:
        _check_reaches(own, paper.folder / papers.EXPERIMENTS)
    _check_variants(paper, file)
    for key in ("published_looks", "variants"):
        _check_looks(getattr(paper, key), file, key)


def _check_reaches(experiments, file):
    """Refuse a reach at an order without a known work: there the runs would end by seconds."""
    for entry in experiments:
        edition, orders = published.work_of(entry.name), {point.order for point in entry.points}
        for name, keys in entry.block["variants"].items():
            solver = entry.solvers[name]
            for order in sorted(orders if keys.get("reach") else ()):
                if published.work(edition, solver, order) is None:
                    path = entry.name, "variants", name, "reach"
                    text = f"{edition} has no work of {solver} at order {order}"
                    text += f": write it to {published.WORKS}"
                    raise yaml_files.mistake(text, file, *path)


def _check_variants(paper, file):
    variants = papers.declared_variants(paper.folder)
    for name, look in paper.variants.items():
        if not look.solver:
            check_name("variant", papers.declared(name, variants), variants, file, "variants", name)
    for name in paper.published_looks:
        check_name("edition", name, paper.editions, file, "published_looks", name)


def _check_looks(looks, file, key):
    owners = {}  # of labels and colours
    for name, look in looks.items():
        if look.edition:
            check_name("edition", look.edition, published.with_work(), file, key, name, "edition")
        if not papers.COLOR.fullmatch(look.color):
            raise yaml_files.mistake(papers.COLOR_RULE, file, key, name, "color")
        for part in ("label", "color"):
            value = getattr(look, part)
            if value and value in owners:
                text = f"{owners[value]} has the {part} {value!r}, too"
                raise yaml_files.mistake(text, file, key, name, part)
            owners[value] = name
        if not look.label.strip():
            raise yaml_files.mistake("is empty", file, key, name, "label")
