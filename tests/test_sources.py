"""Which files a result depends on."""

from pathlib import Path

from antdoku.files import sources


def test_sources_follow_imports_and_leave_out_what_is_not_imported():
    found = {Path(file).name for file in sources("runs.job", "solvers.bs")}
    assert {"job.py", "run.py", "bs.py", "propagation.py", "grid.py", "pool.py"} <= found
    assert not found & {"acs.py", "dlx.py", "ils.py", "api.py", "tables", "planning.py"}
    assert all(Path(file).exists() for file in sources("config", "solvers.ils"))


def test_a_family_depends_on_its_own_maker():
    found = {Path(file).name for file in sources("instances.random")}
    assert "random.py" in found and not found & {"acs.py", "bs.py", "tabu_col.py", "unique.py"}
