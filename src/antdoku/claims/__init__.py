"""The claims of the papers, decided by the runs: verdicts, and the subjects of claims."""

REPRODUCED = "reproduced"
PARTLY = "partly"
NOT_REPRODUCED = "not reproduced"
UNDECIDED = "undecided"
UNDECIDABLE = "undecidable"
VERDICTS = (REPRODUCED, PARTLY, NOT_REPRODUCED, UNDECIDED, UNDECIDABLE)

SUCCESS, TIME, INSTANCES = "success", "time", "instances"
