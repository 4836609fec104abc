"""Which files a result depends on."""

import os
from pathlib import Path

from antdoku import figures
from antdoku.sources import PACKAGE, sources


def test_sources_follow_imports_and_leave_out_what_is_not_imported():
    found = {Path(file).name for file in sources("runs.job", "solvers.bs")}
    assert {"job.py", "run.py", "bs.py", "propagation.py", "grid.py", "record.py"} <= found
    assert not found & {"acs.py", "dlx.py", "ils.py", "api.py", "tables", "planning.py"}
    drawing = {Path(file).name for file in sources("figures", *figures.modules(["lewis_fig2"]))}
    assert {"style.py", "lewis.py", "panels.py"} <= drawing
    assert not drawing & {"run.py", "propagation.py", "puzzles.py"}
    assert all(Path(file).exists() for file in sources("config", "solvers.ils"))


def test_a_package_that_is_only_a_folder_brings_nothing_with_it():
    for package in ("claims", "instances", "kernels", "puzzle", "runs"):
        assert sources(package) == [os.path.relpath(PACKAGE / package / "__init__.py")]


def test_sources_can_leave_out_a_module():
    with_acs, without = (
        {Path(file).name for file in sources("instances.files", without=left_out)}
        for left_out in ((), ("solvers.acs",))
    )
    assert "acs.py" in with_acs - without
    assert "random.py" in without
