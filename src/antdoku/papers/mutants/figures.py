"""How sharp the verdicts are: claims that systems which are wrong on purpose still reproduce."""

from antdoku.figures import figure, style
from antdoku.statistics import MARGIN

REAL, MUTANT = "#0072B2", "#D55E00"


@figure("mutants", "How sharp are the verdicts?", table="mutants")
def mutants(title, table):
    """Claims that are reproduced although the system is wrong on purpose: (a) by the margin within
    which rates have to agree, all mutants together, beside the real systems on as many runs; (b)
    each mutant at the margin of the verdicts. A bar is a mutant, a mark the real system on the same
    claims.
    """
    at_margin = table[table["margin"] == MARGIN]
    sums = table.groupby("margin")[["n_claims", "n_reproduced", "n_real"]].sum()
    shares = sums[["n_real", "n_reproduced"]].div(sums["n_claims"], axis=0) * 100
    real, wrong = (f"{shares.loc[MARGIN, name]:.0f} %" for name in shares)
    title += f" {wrong} of the claims are reproduced with a wrong system, {real} with the real one"
    rows = at_margin.assign(share=100 * at_margin["n_reproduced"] / at_margin["n_claims"])
    rows = rows.sort_values(["system", "share"], ascending=[True, True])
    fig = style.figure(title, height=2.2 + 0.16 * len(rows))
    above, below = fig.subplots(2, 1, height_ratios=[1.6, 0.16 * len(rows)])
    above.set_title("(a) by margin")
    for name, color, marker, label in (
        ("n_real", REAL, "o", "the real systems"),
        ("n_reproduced", MUTANT, "X", "systems that are wrong on purpose"),
    ):
        above.plot(shares.index, shares[name], color=color, marker=marker, label=label)
    above.axvline(MARGIN, color=style.INK, lw=0.7, ls=":")
    above.set(
        ylim=(0, 103), ylabel="Reproduced (%)", xlabel="Margin (Cohen's h)", xticks=shares.index
    )
    below.set_title(f"(b) each mutant, margin {MARGIN:g}")
    places = range(len(rows))
    below.barh(places, rows["share"], 0.7, color=style.pale(MUTANT))
    below.plot(100 * rows["n_real"] / rows["n_claims"], places, "o", ms=3, color=REAL)
    labels = {look: style.variant(look).label for look in rows["system"].unique()}
    below.set_yticks(places, [f"{labels[row.system]}: {row.mistake}" for row in rows.itertuples()])
    below.set(xlim=(0, 103), ylim=(-0.6, len(rows) - 0.4), xlabel="Claims reproduced (%)")
    below.tick_params(axis="y", length=0)
    style.legend(fig)
    return fig
