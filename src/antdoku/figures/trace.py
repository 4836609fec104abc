"""The course of one run: the least cost so far against steps."""

from matplotlib.figure import Figure

from antdoku.figures import style


@style.styled
def plot(trace, steps: int, title: str) -> Figure:
    """Draw pairs of steps and cost, up to the end of the run."""
    fig = style.figure(title, height=2.9)
    ax = fig.subplots()
    at, costs = zip(*trace)
    ax.plot([*at, max(steps, at[-1])], [*costs, costs[-1]], drawstyle="steps-post")
    ax.set(xlabel="steps", ylabel="least cost so far", ylim=(0, None))
    return fig
