"""The ledger of record: what decides where two tables of verdicts have a claim."""

import re

import numpy as np
import pandas as pd
from click.testing import CliRunner
from runs_by_hand import on_puzzle, runs

from antdoku import columns
from antdoku.claims import (
    AUTHORS_INSTANCES,
    NOT_REPRODUCED,
    PARTLY,
    RANDOM_INSTANCES,
    REPRODUCED,
    SUBSTITUTES,
    UNDECIDED,
    page,
    verdicts,
)
from antdoku.files import write_table
from antdoku.report import record
from antdoku.report.record_pages import badge
from antdoku.tables.summary import typed


def verdict_table(decided_on, **decided):
    """Verdicts by id, as `verdicts.decide` has them: each with what was measured."""
    texts = {name: "" for name, kind in verdicts.COLUMNS.items() if kind == "str"}
    texts |= {"place": "Figure 7", "published": "50 %", "test": "rate"}
    rows = [
        texts
        | {"id": name, "paper": name.split("_")[0], "claim": f"What {name} says."}
        | {"ours": measured, "verdict": verdict, "best": verdict, "decided_on": decided_on}
        | {"biased": False, "calibrated": False}
        | {"reason": "more would decide" if verdict == UNDECIDED else ""}
        for name, (verdict, measured) in decided.items()
    ]
    return typed(pd.DataFrame(rows, columns=list(verdicts.COLUMNS)), verdicts.COLUMNS)


EDITIONS = ("journal", "arxiv")
OURS = verdict_table(
    RANDOM_INSTANCES,
    arxiv_acs_p45=(UNDECIDED, "85 %"),
    arxiv_ils_p45=(REPRODUCED, "10 %"),
    arxiv_one_solution=(NOT_REPRODUCED, "15 of 16"),
    journal_bs_p30=(NOT_REPRODUCED, "19 %"),
)
OURS.loc[2, "decided_on"] = ""  # a fact takes no runs
ARCHIVE = pd.concat(
    [
        verdict_table(
            AUTHORS_INSTANCES,
            journal_bs_p30=(REPRODUCED, "51 %"),
            journal_new=(REPRODUCED, "7 %"),
        ),
        verdict_table(RANDOM_INSTANCES, arxiv_ils_p45=(PARTLY, "11 %")),
        verdict_table("", arxiv_one_solution=(REPRODUCED, "16 of 16")),
    ]
)


def test_on_random_instances_the_authors_own_decide():
    table = record.of_record(OURS, ARCHIVE).set_index("id")
    assert list(table.index) == [*OURS["id"], "journal_new"]
    chosen = ["verdict", "decided_on", "ours", "reason", "verdict_random", "ours_random"]
    row = [REPRODUCED, AUTHORS_INSTANCES, "51 %", "", NOT_REPRODUCED, "19 %"]
    assert table.loc["journal_bs_p30", chosen].tolist() == row
    row = [UNDECIDED, RANDOM_INSTANCES, "85 %", "more would decide", "", ""]
    assert table.loc["arxiv_acs_p45", chosen].tolist() == row
    assert table.loc["arxiv_ils_p45", chosen[:3]].tolist() == OURS.loc[1, chosen[:3]].tolist()
    assert table.loc["arxiv_one_solution", "ours"] == "15 of 16"
    assert table.loc["journal_new", ["verdict_random", "ours_random"]].tolist() == ["", ""]
    alone = record.of_record(OURS, ARCHIVE[:0])
    pd.testing.assert_frame_equal(alone[[*verdicts.COLUMNS]], OURS)


SEEDS = record.side_by_side({"2018": OURS, "2019": OURS.assign(verdict=REPRODUCED)})
MARGINS = record.by_margin(OURS.assign(within=[0.45, 0.35, np.nan, 0.1]))


def test_verdicts_are_set_side_by_side_by_seed_and_counted_by_margin():
    assert SEEDS["is_same"].tolist() == [False, True, False, False]
    assert MARGINS["reproduced"].tolist() == [1, 1, 2, 3]
    some = record.side_by_side({".": OURS, "a": OURS[:2], "b": OURS[:1]})
    assert (some["is_same"].all(), some["b"].tolist()) == (True, [OURS["verdict"][0], ""])


def test_reproduced_claims_are_counted_again_with_their_number_controlled():
    p = [0.001, 0.02, 0.04, 0.5]  # Benjamini and Hochberg: times 4/1, 4/2, 4/3, 4/4
    table = OURS.assign(p=p, verdict=REPRODUCED)
    assert record.after_control(table) == (4, 2)
    assert record.after_control(table.assign(verdict=UNDECIDED)) == (0, 0)
    assert record.after_control(table.assign(p=np.nan)) == (0, 0)  # facts alone


def test_the_page_has_counts_and_the_verdicts_on_both_sets_of_instances():
    table = record.of_record(OURS, ARCHIVE)
    table.loc[0, ["best", "best_reading"]] = REPRODUCED, "closure"
    text = record.markdown(table, SEEDS, MARGINS)
    assert "| Total | 3 | 0 | 1 | 1 | 0 | 5 | 4 |" in text
    assert "1 statement that the main reading does not reproduce is" in text
    assert "[Lloyd & Amos 2019 (IEEE Trans. Games)](claims/journal.md)" in text
    assert "seeds 2018, 2019 are pooled. Of 4 claims with runs of several seeds, 1 have" in text
    journal, arxiv = (record.of_paper(name, table.query("paper == @name")) for name in EDITIONS)
    (row,) = (line for line in journal.splitlines() if "journal_bs_p30" in line)
    assert row.startswith(f"| {badge(REPRODUCED)} | ") and row.endswith("| 50 % | 51 % |")
    on_both = f"Decided on: {AUTHORS_INSTANCES}<br>On {RANDOM_INSTANCES}: not reproduced (19 %)"
    assert on_both in row
    (row,) = (line for line in arxiv.splitlines() if "arxiv_acs_p45" in line)
    assert row.startswith(f"| {badge(UNDECIDED)} | ") and row.endswith("| 50 % | 85 % |")
    assert "</details>More would decide. |" in row and "On random instances" not in row
    assert "Best reading: reproduced (closure)" in row


def test_a_bar_is_as_long_as_there_are_claims():
    table = pd.concat([OURS, verdict_table(SUBSTITUTES, arxiv_a=(PARTLY, "1"))])
    bars = page.bars(verdicts.count(table))
    widths = [re.search(r"width:(\d+)%", bar)[1] for bar in bars.values()]
    assert widths == ["100", "33", "33"]  # of 3, 1 and 1; those on substitutes are apart
    first, *_, last = bars.values()
    assert re.findall(r"flex:(\d+)", first) == ["1", "1", "1"]
    assert f'class="{page.slug(PARTLY)}"' in last


def test_the_command_pools_the_runs_of_all_seeds(tmp_path):
    of_seed = pd.concat([runs(85, 100), on_puzzle(9, 9, source="named")], ignore_index=True)
    for name in (".", "replicate_2019"):
        folder = tmp_path / name / "tables"
        folder.mkdir(parents=True)
        write_table(typed(of_seed, columns.COLUMNS), folder / "runs.parquet")
    pooled = record.pooled(tmp_path)
    by_source = pooled.groupby("source")["instance_id"].nunique()
    assert by_source.to_dict() == {"named": 1, "shuffle": 200}
    assert not pooled.duplicated(["variant", "instance_id", "repetition"]).any()
    done = CliRunner().invoke(record.main, [str(tmp_path)])
    assert (done.exit_code, done.output) == (0, "")
    written = pd.read_csv(tmp_path / "claims.csv", keep_default_na=False).set_index("id")
    assert written.loc["arxiv_acs_p45", "ours"] == "85 % (170 of 200)"
    assert written.loc["arxiv_acs_p45", ["printed", "measured"]].tolist() == ["92", "85"]
    assert (tmp_path / "overview.png").read_bytes()[:4] == b"\x89PNG"
    for name in ("overview", "overview.narrow"):
        day, night = ((tmp_path / f"{name}{form}").read_text() for form in (".svg", ".dark.svg"))
        assert "fill: #ffffff" in day and "fill: #ffffff" not in night
        assert night.count("fill: #121212") == day.count("fill: #ffffff")
    assert pd.read_csv(tmp_path / "seeds.csv")["is_same"].all()
    assert "## What the verdicts hang on" in (tmp_path / "claims.md").read_text()
    assert "ACS solves 92 %" in (tmp_path / "claims" / "arxiv.md").read_text()


def test_a_number_is_a_success_rate_or_a_mean_time_by_its_claim():
    table = record.of_record(OURS, ARCHIVE[:0]).assign(
        id=["arxiv_acs_p45", "arxiv_mean_time_acs_p45", "arxiv_trivial_order5", "arxiv_bve_p45"],
        measure=["h", "log ratio", "h", "h"],
        measured=1.0,
    )
    assert record.compared(table, "success")["id"].tolist() == ["arxiv_acs_p45"]
    assert record.compared(table, "mean_time")["id"].tolist() == ["arxiv_mean_time_acs_p45"]


def test_the_folders_whose_runs_are_pooled_have_no_figures():
    assert {"archive_range", "replicate_2019"} <= {*record.POOLED}
    assert not {record.DEFAULT, record.ARCHIVE} & {*record.POOLED}
