"""The claims of the papers, decided by the runs: verdicts, and the subjects of claims."""

REPRODUCED = "reproduced"
PARTLY = "partly"
NOT_REPRODUCED = "not reproduced"
UNDECIDED = "undecided"
UNDECIDABLE = "undecidable"
VERDICTS = (REPRODUCED, PARTLY, NOT_REPRODUCED, UNDECIDED, UNDECIDABLE)

SUCCESS, TIME, STEPS, INSTANCES = "success", "time", "steps", "instances"

# The instances on which a claim is decided.
PAPERS_PUZZLES = "the paper's puzzles"
AUTHORS_INSTANCES = "the authors' instances"
RANDOM_INSTANCES = "random instances of ours"
SUBSTITUTES = "puzzles of ours in place of the paper's"
