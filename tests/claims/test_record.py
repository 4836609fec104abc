"""The ledger of record: what decides where two tables of verdicts have a claim."""

import pandas as pd
import pytest
from click.testing import CliRunner

from antdoku import tables
from antdoku.claims import NOT_REPRODUCED, REPRODUCED, UNDECIDED, record, verdicts
from antdoku.tables.summary import typed


def verdict_table(**found):
    """Verdicts by id, as `verdicts.decide` has them; each was measured as "51 %" of `ours`."""
    rows = [
        {
            "id": name,
            "paper": name.split("_")[0],
            "place": "Figure 7",
            "claim": f"What {name} says.",
            "published": "50 %",
            "ours": measured,
            "verdict": verdict,
            "reason": "needs 9 instances" if verdict == UNDECIDED else "",
            "readings": "",
        }
        for name, (verdict, measured) in found.items()
    ]
    return typed(pd.DataFrame(rows, columns=list(verdicts.COLUMNS)), verdicts.COLUMNS)


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
    assert table.loc["journal_bs_p30", chosen].tolist() == [
        *(REPRODUCED, "the authors' instances", "51 %", ""),
        *(NOT_REPRODUCED, "19 %"),
    ]
    assert table.loc["arxiv_acs_p45", chosen].tolist() == [
        *(UNDECIDED, "our instances", "85 %", "needs 9 instances"),
        *(UNDECIDED, "85 %"),
    ]
    assert table.loc["journal_new", "verdict_ours"] == table.loc["journal_new", "ours"] == ""


def test_the_page_has_counts_and_the_verdicts_on_both_sets_of_instances():
    text = record.markdown(record.of_record(OURS, ARCHIVE))
    assert "| Total | 3 | 0 | 1 | 1 | 0 | 5 |" in text
    assert "(archive/tables/claims.md)" in text
    claim = "| What journal_bs_p30 says. (Figure 7) | **reproduced** | 50 % | 51 % |"
    assert f"{claim} the authors' instances | not reproduced |" in text
    assert "| **undecided: needs 9 instances** | 50 % | 85 % | our instances | undecided |" in text


@pytest.mark.parametrize("has_archive", [True, False])
def test_the_command_writes_a_table_and_a_page(tmp_path, has_archive):
    for folder, table in [(tmp_path, OURS), (tmp_path / "archive", ARCHIVE)][: 1 + has_archive]:
        (folder / "tables").mkdir(parents=True)
        tables.write(table, folder / "tables" / "claims.csv")
    done = CliRunner().invoke(record.main, [str(tmp_path)])
    assert (done.exit_code, done.output) == (0, "")
    expected = record.of_record(OURS, ARCHIVE if has_archive else ARCHIVE.iloc[:0])
    written = pd.read_csv(tmp_path / "claims.csv", dtype="str", keep_default_na=False)
    pd.testing.assert_frame_equal(written, expected)
    assert (tmp_path / "claims.md").read_text() == record.markdown(expected)
