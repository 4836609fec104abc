"""Figures of the frontier: a curve for each order, and what is known of work where runs failed."""

import numpy as np
import pytest
from synthetic import FRONTIER
from test_figures import draw, legend_of, made

from antdoku import figures
from antdoku.figures import style


def lines(ax, **looks):
    """Curves of a panel whose properties are these."""
    return [
        line
        for line in ax.lines
        if all(getattr(line, f"get_{name}")() == value for name, value in looks.items())
    ]


def arrows(ax):
    """Points of open arrows: medians that are greater."""
    return sum(len(line.get_xdata()) for line in lines(ax, mfc="white"))


def test_each_order_is_a_curve_of_success_and_one_of_work():
    name = "frontier_phase_transition"
    fig, table = draw(name, "full"), made(name, "full")
    axes = np.array(fig.axes).reshape(2, len(FRONTIER))
    labels = [ax.get_title("left") for ax in axes[0]]
    assert labels == [style.variant(name).label for name in FRONTIER]
    for name, column in zip(FRONTIER, axes.T):
        orders = range(5, 9 if name == "acs_restart" else 10)
        for order in orders:
            color = style.ORDERS[order].color
            (success,) = lines(column[0], color=color, marker=style.ORDERS[order].marker)
            assert len(success.get_xdata()) == 8
            assert lines(column[1], color=color, linewidth=1.0)
        medians = table.loc[table["variant"] == name, "median_steps"]
        assert arrows(column[1]) == medians.isna().sum() > 0
    assert legend_of(fig)[:5] == [style.ORDERS[order].label for order in range(5, 10)]


def test_the_growth_has_the_law_of_the_table_if_it_has_an_interval():
    fig, rows = draw("frontier_growth", "full"), made("frontier_growth", "full")
    tabu = rows[rows["variant"] == "tabu_col"]
    assert tabu["exponent"].iloc[0] == pytest.approx(4, abs=0.6)  # as the runs were made
    ax = fig.axes[1]
    (law,) = lines(ax, linestyle="--")
    assert law.get_ydata() == pytest.approx(tabu["fitted_steps"].to_numpy())
    assert arrows(ax) == rows["median_steps"].isna().sum() > 0
    exponent = f"{tabu['exponent'].iloc[0]:.1f}"
    assert legend_of(fig)[0].startswith(f"TabuCol: cells$^{{{exponent}}}$")
    rows = made("frontier_growth", "full").assign(exponent_low=np.nan, exponent_high=np.nan)
    fig = figures.make("frontier_growth", rows)
    assert not lines(fig.axes[1], linestyle="--")
    assert not any("cells" in label for label in legend_of(fig))
