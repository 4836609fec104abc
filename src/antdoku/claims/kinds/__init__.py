"""The kinds of claims, each with the test that decides it: runs in, evidence out.

A test is a function of a `Sample` and of what the claim expects, its keywords. It returns
`Evidence`: the measurement, and the p values for the claim and for its opposite. A test shows
agreement (two one-sided tests against a margin) or a difference, or counts facts.
`antdoku.claims.verdicts` corrects the p values of all differences in a paper.

Two keywords mean the same in all tests. `by` is what is measured: "success", "time", "steps", or
"instances", which counts instances however runs on them end. `program` is the edition at the speed
of whose program (`papers.published.work`) times are read; without it times are as measured.
"""

from antdoku.claims.evidence import KINDS
from antdoku.claims.kinds import (  # noqa: F401 (these fill `KINDS`)
    comparisons,
    difficulty,
    means,
    rates,
)

__all__ = ["KINDS"]
