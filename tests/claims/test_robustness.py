"""Verdicts of two runs compared, as a page and as a command."""

import pandas as pd
from claim_runs import runs
from click.testing import CliRunner

from antdoku.claims import page, robustness, verdicts
from antdoku.claims.evidence import NOT_REPRODUCED, REPRODUCED, UNDECIDED, VERDICTS


def decided(*tables):
    return verdicts.decide(pd.concat(tables))


def test_verdicts_are_counted_in_both_runs_and_changes_listed(tmp_path):
    first = decided(runs(92, 100), runs(14, 100, "ils"))
    second = decided(runs(50, 100), runs(58, 100, "acs_no_bve"))
    for name, table in (("a.csv", first), ("b.csv", second)):
        page.write(table, tmp_path / name)
    command = [str(tmp_path / name) for name in ("a.csv", "b.csv")]
    done = CliRunner().invoke(robustness.main, [*command, "-o", str(tmp_path / "both.md")])
    assert (done.exit_code, done.output) == (0, "")
    text = (tmp_path / "both.md").read_text()
    assert CliRunner().invoke(robustness.main, command).output == text

    verdict, other = (table.set_index("id")["verdict"] for table in (first, second))
    shared = verdict.index.intersection(other.index)
    n_same = sum(verdict[shared] == other[shared])
    assert 0 < n_same < len(shared) < len(verdict)
    n_alone = len(verdict) + len(other) - 2 * len(shared)
    assert f"Of {len(shared)} claims that both runs decide, {n_same} have the same" in text
    assert f"{n_alone} are about runs of one\nof the two alone" in text
    rows = {line.split(" | ")[0][2:]: line for line in text.splitlines()}
    counts = [int(number) for name in VERDICTS for number in rows[name].split("|")[2:-1]]
    assert sum(counts) == len(shared)
    change = f"**{REPRODUCED}**: 92 % (92 of 100) | **{NOT_REPRODUCED}**: 50 % (50 of 100)"
    assert change in text
    assert len(text.split("| second run |")[1].splitlines()) == 2 + len(shared) - n_same


def test_the_same_run_twice_changes_nothing():
    table = decided(runs(92, 100))
    assert UNDECIDED in set(table["verdict"])
    text = robustness.markdown(table, table)
    assert f"{len(table)} have the same verdict. 0 are" in text
    assert "second run" not in text.split("\n| ")[-1]


def test_a_file_that_is_no_table_of_verdicts_is_told_in_one_line(tmp_path):
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "other.csv").write_text("id,family\n1,2\n")
    for name, says in (("none", "No such"), ("empty", "no table of"), ("other", "no column ours")):
        path = str(tmp_path / f"{name}.csv")
        done = CliRunner().invoke(robustness.main, [path, path])
        assert done.exit_code == 2 and len(done.output.splitlines()) == 1
        assert f"{name}.csv: " in done.output and says in done.output
