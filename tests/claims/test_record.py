"""The ledger of record: what decides where two tables of verdicts have a claim."""

import re

import numpy as np
import pandas as pd
from click.testing import CliRunner
from runs_by_hand import on_puzzle, runs

from antdoku import columns
from antdoku.claims import NOT_REPRODUCED, REPRODUCED, UNDECIDED, page, record, verdicts
from antdoku.files import write_table
from antdoku.tables.summary import typed


def verdict_table(**found):
    """Verdicts by id, as `verdicts.decide` has them; each was measured as "51 %" of `ours`."""
    known = {name: "" for name, kind in verdicts.COLUMNS.items() if kind == "str"}
    known |= {"place": "Figure 7", "published": "50 %", "test": "rate"}
    known |= {"biased": False, "depends_on_work": False}
    rows = [
        known
        | {"id": name, "paper": name.split("_")[0], "claim": f"What {name} says."}
        | {"ours": measured, "verdict": verdict}
        | {"reason": "needs 9 instances" if verdict == UNDECIDED else ""}
        for name, (verdict, measured) in found.items()
    ]
    return typed(pd.DataFrame(rows, columns=list(verdicts.COLUMNS)), verdicts.COLUMNS)


EDITIONS = ("journal", "arxiv")
OURS = verdict_table(
    arxiv_acs_p45=(UNDECIDED, "85 %"),
    arxiv_ils_p45=(REPRODUCED, "10 %"),
    arxiv_one_solution=(NOT_REPRODUCED, "15 of 16"),
    journal_bs_p30=(NOT_REPRODUCED, "19 %"),
)
ARCHIVE = verdict_table(
    journal_bs_p30=(REPRODUCED, "51 %"),
    arxiv_one_solution=(NOT_REPRODUCED, "15 of 16"),
    arxiv_ils_p45=(REPRODUCED, "11 %"),
    journal_new=(REPRODUCED, "7 %"),
)


def test_on_random_instances_the_authors_own_decide():
    table = record.of_record(OURS, ARCHIVE).set_index("id")
    assert list(table.index) == [*OURS["id"], "journal_new"]
    chosen = ["verdict", "decided_on", "measured", "reason", "verdict_ours", "ours"]
    row = [REPRODUCED, "the authors' instances", "51 %", "", NOT_REPRODUCED, "19 %"]
    assert table.loc["journal_bs_p30", chosen].tolist() == row
    row = [UNDECIDED, "our instances", "85 %", "needs 9 instances", UNDECIDED, "85 %"]
    assert table.loc["arxiv_acs_p45", chosen].tolist() == row
    assert table.loc["journal_new", "verdict_ours"] == table.loc["journal_new", "ours"] == ""


SEEDS = record.side_by_side({"2018": OURS, "2019": OURS.assign(verdict=REPRODUCED)})
MARGINS = record.by_margin(OURS.assign(within=[0.45, 0.35, np.nan, 0.1]))


def test_verdicts_are_set_side_by_side_by_seed_and_counted_by_margin():
    assert SEEDS["is_same"].tolist() == [False, True, False, False]
    assert MARGINS["reproduced"].tolist() == [1, 1, 2, 3]
    some = record.side_by_side({".": OURS, "a": OURS[:2], "b": OURS[:1]})
    assert (some["is_same"].all(), some["b"].tolist()) == (True, [OURS["verdict"][0], ""])


def test_the_page_has_counts_and_the_verdicts_on_both_sets_of_instances():
    table = record.of_record(OURS, ARCHIVE)
    text = record.markdown(table, SEEDS, MARGINS)
    assert "| Total | 3 | 0 | 1 | 1 | 0 | 5 |" in text
    assert "[Lloyd & Amos 2019 (IEEE Trans. Games)](claims/journal.md)" in text
    assert "seeds 2018, 2019 are pooled. Of 4 claims with runs of\nseveral seeds, 1 have" in text
    journal, arxiv = (record.of_paper(name, table.query("paper == @name")) for name in EDITIONS)
    (row,) = (line for line in journal.splitlines() if "journal_bs_p30" in line)
    assert row.startswith(f"| {page.badge(REPRODUCED)} | ") and row.endswith("| 50 % | 51 % |")
    assert "Decided on: the authors' instances<br>On our instances: not reproduced (19 %)" in row
    (row,) = (line for line in arxiv.splitlines() if "arxiv_acs_p45" in line)
    assert row.startswith(f"| {page.badge(UNDECIDED)} | ") and row.endswith("| 50 % | 85 % |")
    assert "</details>Needs 9 instances. |" in row and "On our instances" not in row


def test_a_bar_is_as_long_as_there_are_claims():
    drawn = page.bars(verdicts.count(record.of_record(OURS, ARCHIVE)))
    for bar, width, flex in zip(drawn.values(), (100, 67), ([1, 1, 1], [2]), strict=True):
        assert f"width:{width}%" in bar
        assert re.findall(r"flex:(\d+)", bar) == [*map(str, flex)]


def test_the_command_pools_the_runs_of_all_seeds(tmp_path):
    of_seed = pd.concat([runs(85, 100), on_puzzle(9, 9, source="named")], ignore_index=True)
    for name in (".", "replicate_2019"):
        folder = tmp_path / name / "tables"
        folder.mkdir(parents=True)
        write_table(typed(of_seed, columns.COLUMNS), folder / "runs.parquet")
    found = record.pooled(tmp_path)
    by_source = found.groupby("source")["instance_id"].nunique()
    assert by_source.to_dict() == {"named": 1, "shuffle": 200}
    assert not found.duplicated(["variant", "instance_id", "repetition"]).any()
    done = CliRunner().invoke(record.main, [str(tmp_path)])
    assert (done.exit_code, done.output) == (0, "")
    written = pd.read_csv(tmp_path / "claims.csv", keep_default_na=False).set_index("id")
    assert written.loc["arxiv_acs_p45", "ours"] == "85 % (170 of 200)"
    assert pd.read_csv(tmp_path / "seeds.csv")["is_same"].all()
    assert "## What the verdicts hang on" in (tmp_path / "claims.md").read_text()
    assert "ACS solves 92 %" in (tmp_path / "claims" / "arxiv.md").read_text()
