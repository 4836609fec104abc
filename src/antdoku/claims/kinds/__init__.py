"""The kinds of claims, each with the test that decides it: runs in, evidence out.

Every test is a function of a `Sample` and of what the claim expects: keywords, the printed numbers
among them. It returns `Evidence`: what was measured, and the p values that the claim is shown and
that its opposite is. Tests are of agreement (two one-sided tests against a margin), of a difference
(whose p values `antdoku.claims.verdicts` corrects over all of them in a paper), or count facts
about puzzles.
"""

from antdoku.claims.evidence import KINDS
from antdoku.claims.kinds import overall, pairs, single  # noqa: F401 (these fill `KINDS`)

__all__ = ["KINDS"]
