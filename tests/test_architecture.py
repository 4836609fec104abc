"""What an import loads. Who may import whom: contracts in pyproject.toml, kept by `make lint`."""

import subprocess
import sys


def loaded(code):
    """Names of the modules that a fresh interpreter has loaded after `code`."""
    printed = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return set(printed.splitlines()[-1].split())


def test_what_is_imported_loads_no_more_than_it_needs():
    assert loaded("import antdoku") - loaded("") == {"antdoku"}
    code = "from antdoku.cli import main\nassert main(['solve', 'named:sabuncu1']) == 0"
    assert not {"pandas", "matplotlib", "snakemake", "pyarrow", "rich"} & loaded(code)
    code = "import antdoku.claims.page, antdoku.claims.verdicts, antdoku.report"
    # Statsmodels costs half a second; pyplot keeps global state.
    assert not {"statsmodels", "matplotlib.pyplot", "numba"} & loaded(code)
    assert "matplotlib.pyplot" not in loaded("from antdoku import figures\nassert figures.every()")
