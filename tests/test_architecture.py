"""What an import loads. Who may import whom: contracts in pyproject.toml, kept by `make lint`."""

import subprocess
import sys

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def run(code):
    """Run code in a fresh interpreter."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)


def loaded(code):
    """Names of the modules that a fresh interpreter has loaded after `code`."""
    printed = run(f"{code}\nimport sys\nprint(*sys.modules)").stdout
    return set(printed.splitlines()[-1].split())


def test_puzzles_are_read_solved_counted_checked_and_made_without_the_packages_for_tables(tmp_path):
    (tmp_path / "in.csv").write_text(f"id,puzzle\na,{PUZZLE}\n")
    code = f"""
import os, sys
os.chdir({str(tmp_path)!r})
sys.modules |= dict.fromkeys(["pandas", "pyarrow", "scipy", "matplotlib"])  # cannot be imported
import antdoku
from antdoku.cli import main
made, = antdoku.generate(order=2, fixed=0.5)
assert antdoku.solve(made, "dlx") and antdoku.count(made) == 1 and antdoku.check("in.csv")
for command in ("solve in.csv -o out.csv", "count out.csv", "check out.csv out.csv",
                "generate --order 2 --fixed 0.5 -o made.txt"):
    assert main(command.split()) == 0, command
for command in ("compare in.csv -s dlx", "generate --order 2 --fixed 0.5 -o made.csv"):
    assert main(command.split()) == 2, command
"""
    refused = run(code).stderr.splitlines()
    assert [line.rpartition(": ")[0] for line in refused] == ["antdoku: error: needs pandas"] * 2
    assert all(line.endswith(" pip install 'antdoku[tables]'") for line in refused)


def test_what_is_imported_loads_no_more_than_it_needs():
    assert loaded("import antdoku") - loaded("") == {"antdoku"}
    code = "from antdoku.cli import main\nassert main(['solve', 'named:sabuncu1']) == 0"
    assert not {"pandas", "matplotlib", "snakemake", "pyarrow", "rich"} & loaded(code)
    code = "import antdoku.claims.page, antdoku.claims.verdicts, antdoku.report"
    # Statsmodels costs half a second; pyplot keeps global state.
    assert not {"statsmodels", "matplotlib.pyplot", "numba"} & loaded(code)
    assert "matplotlib.pyplot" not in loaded("from antdoku import figures\nassert figures.every()")
