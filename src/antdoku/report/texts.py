"""Numbers as people read them, and the templates of pages, filled with content."""

import math

from jinja2 import Environment, PackageLoader, StrictUndefined


def number(value: float | None) -> str:
    """Return three significant digits, or all digits of a whole number; empty if missing."""
    if value is None or math.isnan(value):
        return ""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    is_whole = value == math.floor(value) and abs(value) < 1e15
    text = f"{value:,.0f}" if is_whole or abs(value) >= 1000 else f"{value:.3g}"
    return text.replace("-", "−")


def filled(template: str, **content) -> str:
    """Return a template of this package with its content, which is escaped in HTML."""
    loader, is_html = PackageLoader("antdoku.report"), template.endswith(".html.j2")
    options = {"trim_blocks": True, "lstrip_blocks": True, "undefined": StrictUndefined}
    environment = Environment(loader=loader, autoescape=is_html, **options)
    environment.globals["verbatim"] = lambda name: loader.get_source(environment, name)[0]
    return environment.get_template(template).render(content)
