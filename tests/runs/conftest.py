"""Jobs bound the memory of their process, and here that is the process of the tests."""

import pytest

from antdoku.runs import job


@pytest.fixture(autouse=True)
def without_bound(monkeypatch):
    monkeypatch.setattr(job, "bound_memory", lambda megabytes: None)
