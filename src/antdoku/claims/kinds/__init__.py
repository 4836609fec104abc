"""The kinds of claims, each with the test that decides it: runs in, evidence out.

Every test is a function of a `Sample` and of what the claim expects: keywords, the published
figures among them. It returns `Evidence`: what was measured, and which verdict follows. There are
three families of tests.

That a rate or a mean is the published one is a claim of agreement: two one-sided tests against a
margin, Cohen's h of 0.4 for rates (Schuirmann, 1987; Lakens, 2017). It is reproduced if it is shown
to lie within, and not reproduced if it differs significantly and by more than the margin.

That one variant is ahead of another is a claim of difference. Its significance is judged by
`antdoku.claims.verdicts`, after Holm's correction over all of them in a paper. It is reproduced if
that is significant, and not reproduced if the opposite is, or if the advantage is shown to be too
small. By how much it is ahead is another claim, of agreement.

Facts about puzzles need no test. All else is undecided; how many runs or instances show agreement,
or find the published difference, with a power of 80 % is always given.
"""

# These fill `KINDS`.
from antdoku.claims.kinds import hardness, means, pairs, rates  # noqa: F401
from antdoku.claims.kinds.means import MEAN_MARGIN
from antdoku.claims.kinds.registry import INSTANCES, KINDS

__all__ = ["INSTANCES", "KINDS", "MEAN_MARGIN"]
