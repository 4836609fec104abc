"""The contract of a paper's folder, asked of all; and a newcomer that nothing else knows.

Outside of its folder no code knows a paper by name.
"""

import ast
import pickle
import re
import shutil
import subprocess
import sys
from contextlib import nullcontext
from functools import cache
from itertools import product
from pathlib import Path

import pandas as pd
import pytest
import yaml
from conftest import ROOT, configured, read_yaml
from runs_by_hand import point, runs_of

from antdoku import figures, papers, tables, yaml_files
from antdoku.claims import ledger
from antdoku.claims.kinds.means import GAIN
from antdoku.columns import COLUMNS
from antdoku.errors import InputError
from antdoku.figures import style
from antdoku.papers import checks, published, study
from antdoku.papers.checks import experiments, numbers
from antdoku.papers.checks.code import LONGEST_CAPTION
from antdoku.report import overview

PACKAGE = ROOT / "src" / "antdoku"
NEWCOMERS = Path(__file__).parent / "newcomers"
OPTIONAL = {"experiment.yaml", "claims.yaml", "readings.yaml", "published.csv", "work.csv"}
OPTIONAL |= {"untested.csv", papers.MUTANTS, study.FILE}
OPTIONAL |= {"tables.py", figures.FILE, "figures.py", "deviations.md"}
IGNORED = {"__init__.py", "__pycache__"}


@pytest.fixture(autouse=True, scope="module")
def shipped_files_parsed_once():
    """Each test has other folders of papers, so all files of the shipped ones are read again."""
    parsed = cache(lambda *args: pickle.dumps(parse(*args)))
    parse = yaml_files.parse
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml_files, "parse", lambda *args: pickle.loads(parsed(*args)))
        yield


@pytest.fixture(autouse=True)
def with_newcomers(monkeypatch):
    monkeypatch.setattr(papers, "__path__", [*papers.__path__, str(NEWCOMERS)])
    drawing, before, entered = "antdoku.papers.newcomer.figures", {*sys.modules}, {*tables.every()}
    yield
    for name in [name for name in tables.table if name not in entered]:
        del tables.table[name]
    if drawing not in before:  # it may be of an edited copy
        sys.modules.pop(drawing, None)


@pytest.fixture(params=[*papers.every(), *(folder.name for folder in NEWCOMERS.iterdir())])
def paper(request):
    return papers.get(request.param)


def test_an_experiment_of_a_users_paper_is_compared_as_other_experiments_of_users():
    runs = runs_of(
        *(
            point(0.3, number, variant=name, experiment="newcomer")
            for name, number in product("ab", range(8))
        )
    )
    compared = tables.make("experiment_comparison", runs.assign(solver="acs"))
    assert compared["label"].tolist() == ["ACS (a)", "ACS (b)"]
    ((_, ranking),) = overview.rankings(tables.make("ranking", runs.assign(reach=None)))
    assert ranking["95 %"].tolist() == 2 * ["68 to 100 %"]
    of_package = runs.assign(solver="acs", experiment="lewis")
    assert tables.make("experiment_comparison", of_package).empty
    ((_, ranking),) = overview.rankings(tables.make("ranking", of_package.assign(reach=None)))
    assert "95 %" not in ranking


def test_a_folder_holds_what_is_known_of_a_paper(paper):
    names = {file.name for file in paper.folder.iterdir()}
    assert papers.FILE in names
    assert not unnamed(paper.folder), f"named neither in {papers.EXPERIMENTS} nor in code"
    assert bool(paper.editions) != paper.ours, "what is ours has no editions to cite"
    assert not (paper.ours and {"claims.yaml", "published.csv"} & names)
    assert not paper.work or paper.work in papers.editions()


def unnamed(folder):
    """The files in a paper's folder that neither its experiments nor its code name.

    Experiments name solvers and puzzles, and code names the modules that it imports.
    """
    texts = [file.read_text("utf-8") for file in folder.iterdir() if file.suffix == ".py"]
    texts += [file.read_text("utf-8") for file in folder.glob(papers.EXPERIMENTS)]
    others = {file.name for file in folder.iterdir()} - {papers.FILE} - OPTIONAL - IGNORED
    return {name for name in others if name.removesuffix(".py") not in " ".join(texts)}


def test_a_file_that_nothing_names_is_found(tmp_path):
    (tmp_path / papers.EXPERIMENTS).write_text("a: {variants: {swarm: {solver: ./swarm.py}}}")
    (tmp_path / "swarm.py").write_text('import swarm_tools\n\nFILES = ["swarm.cpp"]\n')
    for name in ("swarm_tools.py", "swarm.cpp", "runs.parquet"):
        (tmp_path / name).write_text("")
    assert unnamed(tmp_path) == {"runs.parquet"}


def test_what_no_paper_names_is_called_by_its_name_in_words():
    titles = [papers.experiment_title(name) for name in ("soto", "my_ants")]
    assert titles == ["Soto et al. 2013 and 2014", "My ants"]
    names = ("mk_s12a", "aiescargot", "seventeen_clue", "my_puzzles")
    titles = [papers.puzzle_title(name) for name in names]
    assert titles == ["Hard a", "aiescargot", "17 clues", "My puzzles"]


def test_two_papers_of_one_name_are_refused_in_one_line(tmp_path, monkeypatch):
    (tmp_path / "lewis").mkdir()
    (tmp_path / "lewis/paper.yaml").write_text("title: Another")
    monkeypatch.setattr(papers, "__path__", [*papers.__path__, str(tmp_path)])
    with pytest.raises(InputError, match=r"/lewis: its name .*papers/lewis; rename the folder$"):
        papers.every()
    (tmp_path / "lewis").rename(tmp_path / "checks")
    with pytest.raises(InputError, match="/checks: a module of antdoku"):
        papers.every()


def test_mutants_stand_in_for_systems_of_a_paper_and_run_beside_them():
    blocks, mutants = read_yaml(ROOT / "config" / "mutants.yaml"), papers.mutations().values()
    variants = {name for block in blocks["experiments"] for name in blocks[block]["variants"]}
    assert {name for row in mutants for name in (row.variant, row.system)} == variants
    assert all(row.mistake for row in mutants)
    for mutant in mutants:
        for experiment, block in mutant.experiments.items():
            assert mutant.editions == tuple(papers.of_experiment(experiment).editions)
            assert mutant.system in variants_of(experiment)
            assert {mutant.system, mutant.variant} <= blocks[block]["variants"].keys()


def test_claims_are_about_experiments_variants_and_columns_that_there_are(paper):
    if (paper.folder / ledger.LEDGER).exists():
        for claim in ledger.load(paper.folder / ledger.LEDGER):
            assert claim.paper in paper.editions
            experiment = claim.runs.get("experiment")
            assert experiment is None or {*claim.variants} <= variants_of(experiment)
            assert claim.expect.get("column", GAIN) in {*COLUMNS, GAIN}
    for edition in paper.editions:
        for reading in ledger.readings().get(edition, ()):
            assert {*reading.experiments, *reading.experiments.values()} <= {*papers.experiments()}


def variants_of(experiment):
    """The variants of an experiment as its paper's folder, or the table of programs, has it."""
    if experiment == "programs":
        return {*tables.read_runs(ROOT / "docs" / "results" / "programs.parquet")["variant"]}
    file = papers.of_experiment(experiment).folder / "experiment.yaml"
    return yaml.safe_load(file.read_text())[experiment]["variants"].keys()


def test_the_configuration_takes_the_experiments(paper, tmp_path):
    file = paper.folder / "experiment.yaml"
    blocks = yaml.safe_load(file.read_text()) if file.exists() else {}
    assert blocks.keys() <= paper.experiments.keys() and (not paper.own or paper.own in blocks)
    for name, block in blocks.items():
        # The instances of an archive need not be here.
        is_archive = block.get("random", {}).get("source") == "archive"
        archive = {name: {"random": {"archive": str(tmp_path)}}} if is_archive else {}
        assert configured({"experiments": [name]} | archive).blocks.keys() == {name}


def test_figures_and_general_tables_have_titles_and_captions():
    for entry in figures.every().values():
        assert entry.title or entry.puzzle, f"{entry.paper}/{figures.FILE}: {entry.name}: no title"
    for entry in tables.every().values():  # `checks` has the rules of the papers
        is_general = not entry.paper and entry.name not in {*figures.every(), "ranking"}
        assert not is_general or 0 < len(entry.caption) <= LONGEST_CAPTION, entry.name
    for entry in figures.every().values():
        assert len(entry.caption) <= figures.LONGEST_CAPTION, entry.name


LISTING = """import sys
from antdoku import figures, tables
print(*(entry.caption for part in (figures, tables) for entry in part.every().values()), sep="\\n")
sys.exit("matplotlib" in sys.modules)
"""


def test_captions_need_no_docstrings_and_the_listing_no_matplotlib():
    written = subprocess.check_output([sys.executable, "-OO", "-c", LISTING], text=True)
    entries = [entry for part in (figures, tables) for entry in part.every().values()]
    newcomers = {folder.name for folder in NEWCOMERS.iterdir()}
    captions = [entry.caption for entry in entries if entry.paper not in newcomers]
    assert written.splitlines() == captions


FIGURE = "a: {draw: a, caption: A"
MISTAKES = [  # in files of a folder `mine`: the text, and the message after the name of the file
    (
        figures.FILE,
        f"{FIGURE}, titel: A}}",
        "1: a.titel: unknown key 'titel' (did you mean title?)",
    ),
    (figures.FILE, "a: {draw: a}", "1: a: the key caption is missing"),
    (figures.FILE, "a: text", "1: a: must have keys: known are draw, caption"),
    (figures.FILE, "- a", " there is no key in it"),
    (figures.FILE, "a: [", "2: not YAML: "),
    (figures.FILE, "a: 1\na: 2", "2: not YAML: the key a occurs twice"),
    (figures.FILE, "a:\n\tdraw: a", "2: not YAML: a tab: indent with spaces"),
    (
        figures.FILE,
        "a:\n  draw: a\n  \tcaption: A",
        "3: not YAML: found a tab character that violates indentation; indent with spaces",
    ),
    (
        figures.FILE,
        "a:\n  draw: @a",
        "2: not YAML: found character that cannot start any token; put",
    ),
    (figures.FILE, "lewis_fig2: {draw: a, caption: A}", "1: lewis_fig2: there is another figure"),
    (figures.FILE, f"{FIGURE}, puzzle: [givens]}}", "1: a.draw: unknown function 'a': known are"),
    (papers.FILE, "titel: Mine", "1: titel: unknown key 'titel' (did you mean title?)"),
    (papers.FILE, "place: 9", " the key title is missing"),
    (papers.FILE, "title: Mine\nplase: 9", "2: plase: unknown key 'plase' (did you mean place?)"),
    (papers.FILE, "title: Mine\nplace: x", "2: place: must be a number"),
    (papers.FILE, "title: Mine\nplace: true", "2: place: must be a number"),
    (papers.FILE, "", " there is no key in it, such as title: Mine"),
    (papers.EXPERIMENTS, "", " there is no key in it, such as my_experiment: {variants: ...}"),
    (figures.FILE, "", " there is no key in it, such as my_figure: {caption: ...}"),
    (papers.FILE, "title: A\neditions:\n - a", "2: editions: must have keys, each with a value"),
    (papers.FILE, "title: A\nvariants:\n  a: {}", "3: variants.a: the key label is missing"),
    (papers.FILE, "title: A\nvariants: [a]", "2: variants: must have keys, each with"),
]


@pytest.mark.parametrize(("file", "text", "words"), MISTAKES)
def test_a_mistake_in_a_folder_is_one_line_with_the_file(tmp_path, monkeypatch, file, text, words):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / papers.FILE).write_text("title: Mine\n")
    (tmp_path / "mine" / file).write_text(text)
    monkeypatch.setattr(papers, "__path__", [*papers.__path__, str(tmp_path)])
    with pytest.raises(InputError) as caught:
        figures.make("a", "1" * 81)
    assert f"{file}:{words}" in str(caught.value) and "\n" not in str(caught.value)


CLAIMS, READINGS, STUDY = "newcomer/claims.yaml", "newcomer/readings.yaml", "ants/study.yaml"
NUMBERS_FILE, WORK_FILE = "newcomer/published.csv", "newcomer/work.csv"
UNTESTED_FILE, EXPERIMENT = "newcomer/untested.csv", "newcomer/experiment.yaml"
WORK_ROW = (NEWCOMERS / WORK_FILE).read_text().splitlines(keepends=True)[1]
PAPER, FIGURES = "newcomer/paper.yaml", "newcomer/figures.yaml"
EDITS = [  # a text of a newcomer's file, in place of it another one, and the message
    (CLAIMS, "variant: walk", "variant: wlak", ":7: .* 'wlak' .*walk, slow_walk$"),
    (CLAIMS, "t: newcomer,", "t: new,", ":7: .*unknown experiment 'new': known are lloyd"),
    (CLAIMS, "0.50,", "0.55,", ":7: .*unknown fixed_fraction 0.55 .did you mean 0.5"),
    (CLAIMS, "0.50,", "0.42,", ":7: .*unknown fixed_fraction 0.42 .did you mean 0.4"),
    (CLAIMS, "0.50,", "50,", ":7: .*unknown fixed_fraction 50.0: known are 0.4, 0.5"),
    (CLAIMS, "order: 3", "family: hard", ":7: .*unknown family 'hard': known are easy"),
    (CLAIMS, "order: 3", "instance_id: easy-2", ":7: .*instance_id 'easy-2'.*: known are easy-000"),
    (CLAIMS, "order: 3", "family: easy, order: 4", ":7: .*unknown order 4: known are 3"),
    (
        CLAIMS,
        "newcomer_p50",
        "arxiv_bve_p45",
        ":2: .*/lloyd_amos/claims.yaml has a claim arxiv_bve",
    ),
    (CLAIMS, "newcomer:", "arxiv:", ":1: .*unknown edition 'arxiv': known are newcomer"),
    (CLAIMS, "of: 100", "off: 100", ":8: .*unknown key 'off' .did you mean of.*: known are perc"),
    (READINGS, "{walk:", "{wlak:", ":4: newcomer.slow.variants.wlak: unknown variant 'wlak'"),
    (READINGS, ": slow_walk", ": slow", ":4: .*unknown variant 'slow' .did you mean slow_walk"),
    (READINGS, "variants:", "variant:", ":4: newcomer.slow.variant: unknown key 'variant'"),
    (
        READINGS,
        "{walk: slow_walk}",
        "{}\n    experiments: {new: newcomer}",
        ":5: .*unknown experiment 'new'",
    ),
    (NUMBERS_FILE, "fixed_fraction", "fixed", ":1: unknown column 'fixed': .* instance"),
    (NUMBERS_FILE, ",note", "", ":2: 10 fields, where the first line has 9; put quotes around"),
    (
        NUMBERS_FILE,
        '"100 instances"',
        "100, or so",
        ":2: 11 fields, where the first line has 10; put quotes",
    ),
    (
        NUMBERS_FILE,
        "0.50,general,walk",
        "0.50,general,wlak",
        ":3: unknown solver 'wlak' .*: known are walk, slow_walk;",
    ),
    (NUMBERS_FILE, "newcomer,Table 1,3,0.40", "new,Table 1,3,0.40", ":2: unknown editi"),
    (
        NUMBERS_FILE,
        "success,50,%",
        "success,many,%",
        ":3: value: must be a number; it is 'many'",
    ),
    (NUMBERS_FILE, "90,%", "90,percent", ":2: unit: unknown unit of success 'percent'"),
    (
        NUMBERS_FILE,
        "0.50,general",
        "50,general",
        ":3: fixed_fraction: .* less than or equal to 1; it is '50'",
    ),
    (
        NUMBERS_FILE,
        "success,90,%",
        "mean_time,90,msec",
        ":2: unit: unknown unit of mean_time 'msec' .did you mean ms",
    ),
    (NUMBERS_FILE, "90,%", "900,%", ":2: value: must be from 0 to 100 %"),
    (NUMBERS_FILE, "newcomer,Table 1,3,0.40", "newcomer,,3,0.40", ":2: item: is missing"),
    (WORK_FILE, "1000,2", "1000,two", ":2: factor: must be a number; it is 'two'"),
    (
        WORK_FILE,
        WORK_ROW,
        f"{WORK_ROW}{WORK_ROW.replace(',sa,', ',walk,')}",
        ":3: unknown solver 'walk': known are sa$",
    ),
    (NUMBERS_FILE, ",", "\t", ":1: unknown column .*; separate columns by commas$"),
    (CLAIMS, "published: 50 %", 'published: ""', ":5: .*published: must have at least 1 character"),
    (
        CLAIMS,
        "{rate: {percent: 50, of: 100}}",
        "{mean_time: {seconds: 3, of: 9, step_s: 1, factor: 0.5}}",
        ":8: .*mean_time.factor: must be greater than or equal to 1; it is 0.5$",
    ),
    (WORK_FILE, ",how", ",why", ":1: unknown column 'why'"),
    (WORK_FILE, "1000,2", "-1000,2", ":2: steps: .* greater than or equal to 1; it is '-1000'"),
    (WORK_FILE, "1000,2", "1000,0.5", ":2: factor: .* greater than or equal to 1; it is '0.5'"),
    (WORK_FILE, "measured", "guessed", ":2: basis: .* 'measured' or 'calibrated'; it is 'guess"),
    (WORK_FILE, "newcomer,sa", "new,sa", ":2: unknown edition 'new'.*: known are newcomer$"),
    (WORK_FILE, WORK_ROW, f"{WORK_ROW}{WORK_ROW}", ":3: line 2 is for the same place; keep one"),
    (
        NUMBERS_FILE,
        "edition,item",
        "edition;item",
        ":1: unknown column .*; separate columns by com",
    ),
    (NUMBERS_FILE, "success,90,%", "mean_time,-3,s", ":2: value: must be 0 or more"),
    (NUMBERS_FILE, "1,3,0.50", "1,3,0.40", ":3: line 2 is for the same number; keep one"),
    (
        NUMBERS_FILE,
        "1,3,0.50",
        "1,2,0.50",
        ":3: unknown order of walk 2: known are 3; name numbers that",
    ),
    (
        NUMBERS_FILE,
        "1,3,0.50",
        "1,3,0.45",
        ":3: unknown fixed_fraction of walk 0.45 .*: known are 0.4, 0.5; name",
    ),
    (
        NUMBERS_FILE,
        "0.50,general",
        "0.50,hill",
        ":3: unknown instance of walk 'hill': known are general, easy, easy-000; name",
    ),
    (NUMBERS_FILE, "1,3,0.50", "1,3,", ":3: fixed_fraction: is missing; name numbers that no run"),
    (UNTESTED_FILE, "long,Table 2", "long,Table 3", ":2: published.csv has no such row"),
    (UNTESTED_FILE, "newcomer,Table 2,16", "new,Table 2,16", ":2: unknown edition 'new'"),
    (UNTESTED_FILE, ",too long", ",", ":2: reason: is missing"),
    (PAPER, "work: newcomer", "work: soto_2013", ":6: work: no work.csv has this edition"),
    (FIGURES, "newcomer_fig2:", "newcomer_fig7:", ":6: .*table 'newcomer_fig7' .*fig1"),
    (FIGURES, "newcomer_fig2:", "New Fig2:", ":6: New Fig2: a name must be of a-z, 0-9 and _"),
    (
        FIGURES,
        "draw: fig2",
        "draw: fig7",
        ":8: newcomer_fig2.draw: unknown function 'fig7' .*: known are fig1, fig2$",
    ),
    (FIGURES, "[givens]", "[given]", ":14: newcomer_fig3.puzzle: unknown array 'given'"),
    (
        FIGURES,
        "draw: fig2",
        "draw: fig2\n  group: new",
        ":9: newcomer_fig2.group: unknown group 'new'",
    ),
    (
        FIGURES,
        "Figure 2 of the newcomer",
        "n" * 330,
        ":10: newcomer_fig2.caption: 344 characters: 330 at",
    ),
    (PAPER, "  walk:", "  wlak:", ":8: variants.wlak: .*did you mean walk?"),
    (PAPER, "work: newcomer", "work: new", ":6: work: unknown edition 'new'.*: known are arxiv"),
    (
        PAPER,
        "  walk:",
        "  sa: {label: A}\n  walk:",
        ":8: variants.sa: the paper lewis has this name",
    ),
    (
        PAPER,
        "  newcomer: Newcomer et al. 2030\n",
        "  new: New\n",
        "experiment.yaml:1: newcomer: unknown experiment 'newcomer'",
    ),
    (
        PAPER,
        "experiments:\n",
        "experiments:\n  lewis: Lewis\n",
        ":5: experiments.lewis: the paper lewis has this name",
    ),
    (PAPER, '"#123456"', "purple", ":8: variants.walk.color: must be a colour in quotes, such as"),
    (PAPER, '"o"', "Q", ":8: variants.walk.marker: must be '', 'o', 'v', .* or 'X'; it is 'Q'"),
    (
        PAPER,
        '"o"}',
        '"o", line: dotted}',
        ":8: variants.walk.line: must be '', 'dashed' or 'dashdot'; it is 'dotted'",
    ),
    (
        PAPER,
        "title: Newcomer et al. ",
        "title: ",
        ":1: title: must be a text: put it in quotes; it is 2030",
    ),
    (
        PAPER,
        '"o"}',
        '"o"}\n  slow_walk: {label: Slow, color: "#123456"}',
        ":9: variants.slow_walk.color: walk has the color '#123456', too",
    ),
    (
        PAPER,
        '"o"}',
        '"o"}\n  slow_walk: {label: Walk}',
        ":9: variants.slow_walk.label: walk has the label 'Walk', too",
    ),
    (PAPER, "label: Walk", 'label: " "', ":8: variants.walk.label: is empty"),
    (
        PAPER,
        "variants:",
        "puzzles: {easi: Easy}\nvariants:",
        ":7: puzzles.easi: unknown puzzle 'eas",
    ),
    (READINGS, "variants:", "work: -2\n    variants:", ":4: newcomer.slow.work: .* greater than 0"),
    (
        READINGS,
        "{walk: slow_walk}",
        "{slow_walk: walk}",
        ":2: newcomer.slow: no claim is about its variants or experiments",
    ),
    (READINGS, "newcomer:\n", "arxiv:\n", ":1: arxiv: unknown edition 'arxiv'.*: known are new"),
    (PAPER, '"o"}', '"o", edition: new}', ":8: variants.walk.edition: unknown edition 'new'"),
    (
        PAPER,
        "variants:",
        "published_looks: {new: {label: New}}\nvariants:",
        ":7: published_looks.new: unknown edition 'new'",
    ),
    (
        CLAIMS,
        "{rate: {percent: 50, of: 100}}",
        "{mean_time: {seconds: 3, of: 100}}",
        ":8: .*mean_time: must have one of program .an edition in work.csv., step_s .the seconds",
    ),
    (
        CLAIMS,
        "{rate: {percent: 50, of: 100}}",
        "{mean_time: {seconds: 3, of: 100, program: arxiv}}",
        ":8: .*: arxiv has no work of walk at order 3; write it to work.csv",
    ),
    (CLAIMS, "limit: 5 s", "limit: 50 s", ":6: .*.limit: 50 s, but work.csv has 5 s of walk$"),
    (
        CLAIMS,
        "variant: walk}\n    test: {rate: {percent: 50, of: 100}}",
        "variant: [walk, slow_walk]}\n    test: {on_most: {factor: 0}}",
        ":8: .*on_most.factor: .*greater than 0",
    ),
    (
        CLAIMS,
        "variant: walk}\n    test: {rate: {percent: 50, of: 100}}",
        "variant: [walk, slow_walk]}\n    test: {compare: {by: time, percents: [50, 40]}}",
        ":8: .*compare.percents: by: time compares no percents$",
    ),
    (
        CLAIMS,
        ", variant: walk}\n    test: {rate: {percent: 50, of: 100}}",
        "}\n    test: {mean: {column: fixed_after_cp, value: 60}}",
        ":8: .*mean.value: fixed_after_cp is a share of the cells, such as 0.6 for 60 %$",
    ),
    (
        CLAIMS,
        "50 %\n    limit: 5 s\n    runs: {experiment: newcomer, order: 3, fixed_fraction: 0.50, "
        "variant: walk}\n    test: {rate: {percent: 50, of: 100}}",
        '"0.70"\n    runs: {experiment: newcomer, order: 3, fixed_fraction: 0.50}\n'
        "    test: {mean: {column: fixed_after_cp, value: 0.6}}",
        ":5: .*published: 0.70, but the test mean has fixed_after_cp 0.6$",
    ),
    (CLAIMS, "{percent: 50, of: 100}", "{above: 150}", ":8: .*rate.above: .*less than or equal"),
    (NUMBERS_FILE, '"100 instances"', '"100 instances', ":2: .*; close the quotes of a text"),
    ("newcomer/claim.yaml", "", "", "claim.yaml: nothing reads it: did you mean claims.yaml"),
    (
        EXPERIMENT,
        "orders: [3]",
        "order: [3]",
        "experiment.yaml: newcomer: is no experiment; run it",
    ),
    (
        NUMBERS_FILE,
        ",success,90",
        ",Success,90",
        ":2: unknown metric 'Success' .did you mean success",
    ),
    (
        NUMBERS_FILE,
        "success,90,%",
        "solved,90,runs",
        ":2: unknown metric 'solved': known are success,",
    ),
    (
        NUMBERS_FILE,
        "success,90,%",
        "success,0.9,%",
        ":2: value: less than 1 %: write 90 for a share of 0.9, or 0.009 with the unit fraction",
    ),
    (NUMBERS_FILE, "success,90,%", "tries,90,", ":2: unit: is missing"),
    (NUMBERS_FILE, "success,90,%", "success,90,", ":2: unit: is missing"),
    (
        NUMBERS_FILE,
        (NEWCOMERS / NUMBERS_FILE).read_text(),
        "",
        ":1: there is no column edition; needed",
    ),
    (
        NUMBERS_FILE,
        "edition,item,order",
        "edition,item,note",
        ":1: there is no column order; needed",
    ),
    (
        CLAIMS,
        "variant: walk",
        "variant: [walk, walk]",
        ":7: .*variant: must be a list of different",
    ),
    (CLAIMS, "variant: walk", "variant: []", ":7: .*variant: must have at least 1 item; it"),
    (
        CLAIMS,
        "variant: walk",
        "variant: 3",
        ":7: .*variant.0: must be a text: put it in quotes; it is 3",
    ),
    (
        CLAIMS,
        "experiment: newcomer",
        "experiment: [newcomer]",
        ":7: .*experiment: must be a text; it is",
    ),
    (
        CLAIMS,
        "order: 3",
        "order: [3, x]",
        ":7: .*order.1: must be a whole number; it is 'x'",
    ),
    (
        CLAIMS,
        "published: 50 %",
        "published: 50",
        ":5: .*published: must be a text: put it in quotes",
    ),
    (CLAIMS, "limit: 5 s", "limit: 5", ":6: .*limit: must be a text: put it in quotes; it is 5"),
    (
        CLAIMS,
        "percent: 50",
        "percent: 0.5",
        ":8: .*rate.percent: 0.5 percent: write 50 for a share",
    ),
    (
        CLAIMS,
        "percent: 50",
        "percent: {0.4: 50, 0.5: 0.9}",
        ":8: .*needs the same fixed fractions in r",
    ),
    (
        CLAIMS,
        "percent: 50",
        "percent: 55",
        ":8: .*rate: success 55 % of walk, but published.csv has 50 %$",
    ),
    (
        CLAIMS,
        "published: 50 %",
        "published: 70 %",
        ":5: newcomer.0.published: 70 %, but the test rate has success 50 % of walk$",
    ),
    (
        CLAIMS,
        "{rate: {percent: 50, of: 100}}",
        "{count: {number: 7}}",
        ":8: .*count.number: the runs are on 6 puzzles$",
    ),
    (CLAIMS, "order: 3,", "family: easy,", ":7: newcomer.0.runs: no run has all these values"),
    (
        CLAIMS,
        "variant: walk}\n    test: {rate: {percent: 50, of: 100}}",
        "variant: [walk, slow_walk]}\n    test: {compare: {percents: [40, 50]}}",
        ":8: .*compare.percents: must not rise: the variant that solves more comes first",
    ),
    (
        CLAIMS,
        "{rate: {percent: 50, of: 100}}",
        "{puzzle_times: {times: {easy-000: 2}, factor: 2}}",
        ":8: .*puzzle_times.times: name the puzzles, or their family, in runs",
    ),
    (WORK_FILE, "sa,Newcomer's,3", "sa,Newcomer's,4", "no work of sa at order 3: write it to work"),
    (
        PAPER,
        "title: Newcomer et",
        "title: Newcomer: et",
        ":1: not YAML: .*; put a text with a colon",
    ),
    (CLAIMS, "{percent: 50, of: 100}", "{above: 0.5}", ":8: .*rate.above: 0.5 percent: write 50"),
    (
        CLAIMS,
        "fixed_fraction: 0.50, variant: walk}\n    test: {rate: {percent: 50, of: 100}}",
        "variant: walk}\n    test: {falls: {along: order}}",
        ":8: .*falls: needs two values of order: the runs have 3",
    ),
    (
        CLAIMS,
        "{rate: {percent: 50, of: 100}}",
        "{hardest: {fixed_fraction: 0.4}}",
        ":8: .*hardest.fixed_fraction: unknown fixed_fraction 0.4 .*: known are 0.5",
    ),
    (
        CLAIMS,
        "{rate: {percent: 50, of: 100}}",
        "{hardest: {fixed_fraction: 30}}",
        ":8: .*hardest.fixed_fraction: unknown fixed_fraction 30: known are 0.5",
    ),
    (
        CLAIMS,
        "variant: walk}\n    test: {rate: {percent: 50, of: 100}}",
        "variant: [walk, slow_walk]}\n    test: {ranking: {order: [[walk, slow_walk]]}}",
        ":8: .*ranking.order: must have at least 2 items; it",
    ),
    (
        CLAIMS,
        "variant: walk}\n    test: {rate: {percent: 50, of: 100}}",
        "variant: [walk, slow_walk]}\n    test: {ranking: {order: [[walk], [walk]]}}",
        ":8: .*ranking.order: must have each variant of the runs once",
    ),
    (
        PAPER,
        "label: Walk",
        "label: 70",
        ":8: variants.walk.label: must be a text: put it in quotes",
    ),
    (PAPER, "variants:", "groups: {2030: Mine}\nvariants:", ":7: groups.2030: must be a text"),
    (STUDY, "table: ants", "table: ant", ":8: holds.0.table: unknown table 'ant'"),
    (STUDY, "column: wilson_low", "colunm: n", ":8: holds.0.colunm: unknown key 'colun"),
    (STUDY, "answer:", "answr:", ":6: answr: unknown key 'answr'"),
    (STUDY, "column: wilson_low", "column: label", ":8: holds.0.column: has texts: name a column"),
    (STUDY, "variant: ants_20", "order: five", ":8: holds.0.where.order: 'five': the type of this"),
    (
        STUDY,
        "variant: ants_20",
        "variant: 20",
        ":8: holds.0.where.variant: 20: the type .* is str$",
    ),
    (STUDY, ", below: 1", "", ":8: holds.0: needs above or below"),
    (
        PAPER,
        "  newcomer: Newcomer et al. 2030 (J",
        "  arxiv: N (J",
        "paper.yaml:3: editions.arxiv: the paper lloyd_amos has this name: choose another$",
    ),
    (PAPER, "work: newcomer", "work: [newcomer]", ":6: work: must be a text; it is .'newcomer'.$"),
    (
        NUMBERS_FILE,
        "general,walk,success,90",
        "general walk,success,90",
        ":2: 9 fields, where the first line has 10; a comma is missing$",
    ),
    (
        CLAIMS,
        "5 s",
        "within 50 seconds",
        ":6: .*.limit: within 50 seconds, but work.csv has 5 s of",
    ),
    (CLAIMS, "5 s", "5 s\n    seconds: 50", ":7: .*.seconds: 50, but the limit is 5 s$"),
    (
        CLAIMS,
        "5 s",
        "1,000 steps\n    steps: 999",
        ":7: .*.steps: 999, but the limit is 1,000 steps$",
    ),
    (CLAIMS, "limit: 5 s", "steps: 9,999", ":6: .*.steps: .* is '9,999': write 9999 or 9_999$"),
    (CLAIMS, "limit: 5 s", "steps: 1e7", ":6: .*.steps: .* it is '1e7': write 10000000 or 10_000"),
    (CLAIMS, "of: 100", "of: 10,000", ":8: not YAML: a comma ends a value: write 10000 or 10_000"),
    (CLAIMS, "t: newcomer,", 't: "",', ":7: .*runs.experiment: must have at least 1 character"),
    (FIGURES, "[givens]", "givens", ":14: newcomer_fig3.puzzle: must be a list; it is 'givens'$"),
    (FIGURES, "Success of the newcomer", '""', ":4: newcomer_fig1.title: is empty$"),
    (FIGURES, "Figure 3 of the newcomer, drawn again.", '" "', ":15: .*_fig3.caption: is empty$"),
    (PAPER, "Newcomer et al. 2030\ned", '""\ned', ":1: title: is empty$"),
    (PAPER, "Newcomer et al. 2030 (J", '""  # (', ":3: editions.newcomer: is empty$"),
    (PAPER, "Newcomer et al. 2030\nw", '" "\nw', ":5: experiments.newcomer: is empty$"),
    (PAPER, "variants:", 'short: ""\nvariants:', ":7: short: is empty$"),
    (PAPER, "variants:", 'groups: {newcomer: ""}\nvariants:', ":7: groups.newcomer: is empty$"),
    (PAPER, "label: Walk", 'label: ""', ":8: variants.walk.label: is empty$"),
    (STUDY, "Do more ants solve more puzzles with the same work?", '""', ":1: question: is empty$"),
    (NUMBERS_FILE, ",unit", "", ":1: there is no column unit; needed are .*value, unit$"),
    *(
        (CLAIMS, "5 s", limit, f":6: .*.limit: {limit}, but work.csv has 5 s of")
        for limit in ("2 min", "within 3 minutes", "5 min 5 s", "1 hour", "1 min 0 s")
    ),
    *(
        (CLAIMS, "5 s", limit, f":6: .*.limit: '{limit}': needs a number and a unit, such as 5 s; ")
        for limit in ("abc", "no limit", "5 %")
    ),
    (FIGURES, "newcomer_fig3", "lewis_table1", ":11: lewis_table1: there is a table of this name"),
    (FIGURES, "newcomer_fig3", "ranking", ":11: ranking: there is a table of this name; rename"),
]


@pytest.mark.parametrize(("file", "old", "new", "message"), EDITS)
def test_a_name_that_stands_nowhere_else_is_refused_before_the_first_run(
    tmp_path, monkeypatch, file, old, new, message
):
    shutil.copytree(NEWCOMERS, tmp_path, dirs_exist_ok=True)
    path = tmp_path / file
    path.write_text(path.read_text().replace(old, new) if path.exists() else "")
    monkeypatch.setattr(papers, "__path__", [papers.__path__[0], str(tmp_path)])
    with pytest.raises(InputError, match=message) as caught:
        checks.check([])
    assert "\n" not in str(caught.value) and str(caught.value).startswith(f"{tmp_path}/")


TABLE = """\
from antdoku.columns import columns, printed
from antdoku.tables import Rows, summary, table
PRINTED = {"published_success_rate": printed("arxiv", "success", "success rate", "share")}
@table("mine", columns("order") | PRINTED, Rows("lewis"), caption="Mine.")
def mine(runs):
    return runs
"""
FUNCTION = """\
from antdoku.figures import panels
def mine(title, table, looks):
    return panels.one_order(title, table, looks)
"""
CODE_EDITS = [  # of the code of a paper called mine
    ("tables", "Rows,", "Row,", ":2: ImportError: cannot import name 'Row'"),
    ("tables", "(runs):", "(runs)", ":5: SyntaxError: expected ':'"),
    ("tables", '"order"', '"ordre"', r":4: unknown column 'ordre' \(did you mean order\?\)"),
    ("tables", '"arxiv"', '"axiv"', r":4: mine: unknown edition 'axiv' \(did you mean arxiv\?\)"),
    (
        "tables",
        '"success"',
        '"sucess"',
        ":4: mine: unknown metric of published.csv 'sucess' .did you mean success",
    ),
    ("tables", '"lewis"', '"lewis", order=7', ":4: mine: unknown order 7: known are 3, 4, 5"),
    ("tables", '"lewis"', '"lewes"', r":4: mine: unknown experiment 'lewes' \(did you mean lewis"),
    (
        "tables",
        ', caption="Mine."',
        "",
        ':4: mine: needs a heading, and a caption .*; add heading="..."',
    ),
    ("tables", '@table("mine"', '@table("ants"', ":4: ants: there is another table of this name"),
    ("tables", "def mine(runs)", "def mine(runs, more)", ":4: mine: must take runs: missing"),
    ("figures", "panels\n", "panles\n", ":1: ImportError: cannot import name 'panles'"),
    (
        "figures",
        "one_order(title, table, looks)",
        'open_markers(title, table, looks, "newcmer", "")',
        ":3: unknown edition 'newcmer' .did you mean newcomer",
    ),
    ("figures", "def mine", "def yours", "figures.yaml:1: mine.draw: unknown function 'mine'"),
    ("figures", FUNCTION, None, ": there is no such file"),
]


@pytest.mark.parametrize(("file", "old", "new", "message"), CODE_EDITS)
def test_a_mistake_in_the_code_of_a_paper_is_one_line_with_its_file_and_line(
    tmp_path, monkeypatch, file, old, new, message
):
    tables.every()  # the decorators of other papers are called once
    monkeypatch.setattr(tables.registry, "table", tables.table)
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / papers.FILE).write_text("title: Mine\n")
    (folder / figures.FILE).write_text("mine: {draw: mine, table: mine, caption: Mine.}\n")
    for name, text in (("tables", TABLE), ("figures", FUNCTION)):
        text = text.replace(old, new or "") if name == file else text
        if text:
            (folder / f"{name}.py").write_text(text)
    if "caption" in old:
        (folder / figures.FILE).unlink()
        (folder / "figures.py").unlink()
    monkeypatch.setattr(papers, "__path__", [papers.__path__[0], str(NEWCOMERS), str(tmp_path)])
    with pytest.raises(InputError, match=message) as caught:
        checks.check([])
    for name in ("tables", "figures"):
        sys.modules.pop(f"antdoku.papers.mine.{name}", None)
    tables.table.pop("mine", None)
    assert "\n" not in str(caught.value) and str(caught.value).startswith(f"{folder}/")


CODE_OF_NEWCOMER = "newcomer/tables.py"
SECOND = """  newcomer_hop: Hops
work: newcomer
"""
HOPS = """\
newcomer_hop:
  random:
    count: 6
    orders: [4]
    fixed_fractions: [0.50]
    limits_s: {order4: 2}
  variants:
    hop: {solver: sa}
newcomer:
"""
TWO_EXPERIMENTS = ((PAPER, "work: newcomer\n", SECOND), (EXPERIMENT, "newcomer:\n", HOPS))
SLOW_ROW = (  # a second printed rate at the place of the claim
    NUMBERS_FILE,
    "newcomer,Table 2",
    "newcomer,Table 1,3,0.50,general,slow_walk,success,30,%,\nnewcomer,Table 2",
)
TIME_ROWS = "".join(  # in another unit
    f"newcomer,Table 2,3,{fraction},general,{name},mean_time,{value},{unit},\n"
    for name, unit, values in (("walk", "s", (0.03, 0.5)), ("slow_walk", "ms", (210, 300)))
    for fraction, value in zip(("0.40", "0.50"), values)
)
TIMED = (NUMBERS_FILE, "newcomer,Table 2", f"{TIME_ROWS}newcomer,Table 2")
SLOW_AT_40 = "newcomer,Table 1,3,0.40,general,slow_walk,success,20,%,\n"
PUZZLE_ROWS = "".join(
    f"newcomer,Table 1,3,,easy-{number:03d},{name},success,{rate},%,\n"
    for name, rates in (("walk", (80, 60)), ("slow_walk", (30, 10)))
    for number, rate in enumerate(rates)
)
BESIDE = (EXPERIMENT, "  variants:\n", "  variants:\n    other: {solver: acs}\n")  # not printed
WITHOUT_WORK = (
    (PAPER, "work: newcomer\n", ""),
    (WORK_FILE, WORK_ROW, ""),
    (EXPERIMENT, "sa, reach: 1", "sa"),
    (EXPERIMENT, "walk}, reach: 1", "walk}"),
)
BY_STEPS = (*WITHOUT_WORK, (EXPERIMENT, "  variants:\n", "  limit_steps: 2000\n  variants:\n"))
OWN_PUZZLES = (
    (EXPERIMENT, "  puzzles:\n", "  puzzles:\n    own: {from: own.csv, limit_s: 2}\n"),
    (PAPER, "work: newcomer\n", "work: newcomer\npuzzles: [q_easy]\n"),
)
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SECOND_CLAIM = """\
  - {id: again, place: a, claim: b, published: 50 %, test: {rate: {percent: 50, of: 4}},
     runs: {experiment: newcomer, order: 3, fixed_fraction: 0.50, variant: walk}}
"""
WRONG = {  # several edits, and the message
    "two numbers of runs of one printed rate": (
        (CLAIMS, "of: 100}}\n", f"of: 100}}}}\n{SECOND_CLAIM}"),
        "claims.yaml:9: newcomer.1.test.rate.of: the rate of walk in published.csv is of 4 runs "
        "in again, but of 100 in newcomer_p50$",
    ),
    **{
        f"a limit in steps at which no run ends: {limit}": (
            *BY_STEPS,
            (CLAIMS, "5 s", limit),
            "claims.yaml:6: newcomer.0.limit: .* steps, but walk ends after 2000 steps: write the "
            "paper's limit to limit_steps of experiment.yaml, or its work to work.csv$",
        )
        for limit in ("100 steps", "1 000 steps", "100 steps\n    steps: 100")
    },
    "a limit in seconds at which no run ends": (
        *WITHOUT_WORK,
        (CLAIMS, "5 s", "60 s"),
        "claims.yaml:6: newcomer.0.limit: 60 s, but walk ends after 2 s: write the paper's limit "
        "to experiment.yaml, or the seconds at which success is read to seconds$",
    ),
    "a limit in seconds of another variant": (
        *WITHOUT_WORK,
        (EXPERIMENT, "walk: {solver: sa}", "walk: {solver: sa, limits_s: {order3: 7}}"),
        (CLAIMS, "5 s", "2 s"),
        "claims.yaml:6: newcomer.0.limit: 2 s, but walk ends after 7 s: ",
    ),
    "a limit in seconds at given puzzles": (
        *WITHOUT_WORK,
        (CLAIMS, "order: 3, fixed_fraction: 0.50", "family: easy"),
        "claims.yaml:6: newcomer.0.limit: 5 s, but walk ends after 2 s: ",
    ),
    "another fixed fraction than that of the puzzle": (
        *OWN_PUZZLES,
        ("newcomer/own.csv", "", f"name,puzzle\nq_easy,{PUZZLE}\n"),
        (NUMBERS_FILE, "0.50,general,walk", "0.35,q_easy,walk"),
        "published.csv:3: fixed_fraction: 0.35, but q_easy has 0.37; correct it, or leave it empty",
    ),
    "a misspelt column of names": (
        *OWN_PUZZLES,
        ("newcomer/own.csv", "", f"nme,puzzle\nq_easy,{PUZZLE}\n"),
        "paper.yaml:7: puzzles.q_easy: unknown puzzle 'q_easy'.*: known are own, own-000, easy, "
        "easy-000; .*newcomer/own.csv has no column name: its columns are nme, puzzle$",
    ),
    "a misspelt name in a column of names": (
        *OWN_PUZZLES,
        ("newcomer/own.csv", "", f'"name";"puzzle"\nq_esy;{PUZZLE}\n'),
        "paper.yaml:7: puzzles.q_easy: unknown puzzle 'q_easy'.*: known are own, q_esy, easy, "
        "easy-000$",
    ),
    "a table of the name of a shipped figure": (
        (CODE_OF_NEWCOMER, '"newcomer_fig2"', '"lewis_fig3_work"'),
        (FIGURES, "newcomer_fig2:", "newcomer_fig2:\n  table: lewis_fig3_work"),
        "tables.py:23: lewis_fig3_work: there is a figure of this name; rename the table$",
    ),
    "a variant without a solver, in an experiment that does not run": (
        (EXPERIMENT, "walk: {solver", "walk: {solvr"),
        "experiment.yaml: newcomer: is no experiment; run it, which names its mistake",
    ),
    "a variant that does not run at a place of its paper": (
        *TWO_EXPERIMENTS,
        (NUMBERS_FILE, "0.50,general,walk", "0.50,general,hop"),
        "published.csv:3: unknown order of hop 3: known are 4",
    ),
    "iterations that no variant has": (
        (NUMBERS_FILE, "note\n", "note,iterations\n"),
        (NUMBERS_FILE, 'instances"\n', 'instances",70\n'),
        (NUMBERS_FILE, 'instances"\n', 'instances",\n'),
        (NUMBERS_FILE, "900,s,", "900,s,,"),
        "published.csv:2: unknown variant 'walk_70' .*: known are walk, slow_walk; name",
    ),
    "a reading whose variant runs in another experiment": (
        *TWO_EXPERIMENTS,
        (READINGS, "slow_walk", "hop"),
        "readings.yaml:2: newcomer.slow: newcomer does not run hop, newcomer_hop does: change",
    ),
    "an experiment that the paper does not list": (
        (PAPER, "experiments:\n  newcomer: Newcomer et al. 2030\n", ""),
        "experiment.yaml:1: newcomer: unknown experiment 'newcomer': there is none",
    ),
    "a number that the paper prints in two places": (
        (NUMBERS_FILE, "Table 1,3,0.50", "Section 4,3,0.40"),
        "published.csv:3: line 2 is for the same number; keep one of them, even if the paper",
    ),
    "a rate in percent": (
        (CODE_OF_NEWCOMER, '"share"', '"%"'),
        "tables.py:11: newcomer_fig1: published_success_rate has the unit '%', but printed rates "
        'and shares are fractions; write "share"',
    ),
    "a rate without a unit": (
        (CODE_OF_NEWCOMER, ', "share"', ""),
        "tables.py:11: newcomer_fig1: .* the unit '', but printed rates .*; write \"share\"",
    ),
    "a time in the unit of the paper": (
        (NUMBERS_FILE, "4,0.50,general,walk,mean_time,900,s", "3,0.50,general,walk,mean_time,9,ms"),
        (UNTESTED_FILE, "Table 2,4,,,,", ",,,,,"),
        (CODE_OF_NEWCOMER, '"success", "success rate", "share"', '"mean_time", "mean time", "ms"'),
        "tables.py:11: newcomer_fig1: .* the unit 'ms', but printed times are seconds; write \"s\"",
    ),
    "a table with columns as text": (
        (CODE_OF_NEWCOMER, "    FIG1,\n", '    "order",\n'),
        "tables.py:11: newcomer_fig1: columns: must have keys",
    ),
    "a table of rows as text": (
        (CODE_OF_NEWCOMER, 'Rows("newcomer", random=True),', '"newcomer",'),
        "tables.py:11: newcomer_fig1: rows.0: ",
    ),
    "a name that nothing defines": (
        (CODE_OF_NEWCOMER, "return fig1(runs)", "return fig_1(runs)"),
        "tables.py:26: unknown name 'fig_1' .did you mean fig1",
    ),
    "a table that returns nothing": (
        (CODE_OF_NEWCOMER, "return fig1(runs)", "fig1(runs)"),
        "tables.py:23: newcomer_fig2: returns nothing: it needs a return",
    ),
    "a table that returns None": (
        (CODE_OF_NEWCOMER, "return fig1(runs)", "return None"),
        "tables.py:23: newcomer_fig2: returns nothing: it needs a return",
    ),
    "a table without a name": (
        (CODE_OF_NEWCOMER, "@table(\n", "@table\ndef fig0(runs):\n    return runs\n\n\n@table(\n"),
        'tables.py:.*@table: needs a name in quotes: @table."name", ...',
    ),
    "a function that a module lacks": (
        (CODE_OF_NEWCOMER, "summary.summarise_at_work", "summary.sumarise"),
        "tables.py:20: unknown name of summary 'sumarise' .did you mean summarise",
    ),
    "a reading under which no variant of a claim runs": (
        *TWO_EXPERIMENTS,
        (READINGS, "variants: {walk: slow_walk}", "experiments: {newcomer: newcomer_hop}"),
        "readings.yaml:2: newcomer.slow: newcomer_hop does not run walk, newcomer does",
    ),
    **{
        f"a claim against the printed numbers: {test}": (
            SLOW_ROW,
            (CLAIMS, "variant: walk}", f"variant: [{variants}]}}"),
            (CLAIMS, "{rate: {percent: 50, of: 100}}", f"{{{test}}}"),
            f"claims.yaml:8: newcomer.0.test.{message}",
        )
        for variants, test, message in [
            (
                "walk, slow_walk",
                "compare: {percents: [50, 14]}",
                "compare: success 14 % of slow_walk, but published.csv has 30 %",
            ),
            (
                "slow_walk, walk",
                "compare: {percents: [50, 30]}",
                "compare: success 50 % of slow_walk, but published.csv has 30 %",
            ),
            (
                "walk, slow_walk",
                "compare: {gap: true, percents: [50, 50], of: 100}",
                "compare: success 50 % of slow_walk, but published.csv has 30 %",
            ),
            (
                "slow_walk, walk",
                "compare: {}",
                "compare: walk comes before slow_walk in published.csv: 50 against 30 %",
            ),
            (
                "walk, slow_walk",
                "ranking: {order: [[slow_walk], [walk]]}",
                "ranking: walk comes before slow_walk in published.csv: 50 against 30 %",
            ),
            ("walk", "rate: {above: 80}", "rate: success above 80 % of walk, but .* has 50 %"),
            ("walk", "rate: {below: 40}", "rate: success below 40 % of walk, but .* has 50 %"),
        ]
    },
    **{
        f"a claim on a family against the rates of its puzzles: {test}": (
            (EXPERIMENT, "0.40, count: 1}", "0.40, count: 2}"),
            (NUMBERS_FILE, "newcomer,Table 2", f"{PUZZLE_ROWS}newcomer,Table 2"),
            (CLAIMS, "order: 3, fixed_fraction: 0.50", "family: easy"),
            (CLAIMS, "published: 50 %", "published: the rates of Table 1"),
            (CLAIMS, "variant: walk}", f"variant: [{variants}]}}"),
            (CLAIMS, "{rate: {percent: 50, of: 100}}", f"{{{test}}}"),
            f"claims.yaml:8: newcomer.0.test.{message}",
        )
        for variants, test, message in [
            ("slow_walk, walk", "compare: {}", "compare: walk comes before .*: 70 against 20 %"),
            ("walk", "rate: {above: 90}", "rate: success above 90 % of walk, .* has 70 %"),
            (
                "walk",
                "rate: {percent: 60, of: 2, runs: 20, pooled: true}",
                "rate: success 60 % of walk, .* has 70 %",
            ),
        ]
    },
    **{
        f"{new}: counts that do not fit": ((CLAIMS, "of: 100", new), *edits, message)
        for new, edits, message in [
            ("of: 1, runs: 25", (), "claims.yaml:8: .*rate.of: 50 % of 25 are 12.5: how many runs"),
            (
                "of: 7",
                ((CLAIMS, "percent: 50", "percent: 72"),),
                "claims.yaml:8: .*rate.of: 72 % of 7 are 5.04: how many runs are printed",
            ),
            (
                "of: 1, runs: 20",
                ((CLAIMS, "published: 50 %", "published: 14 of 20"),),
                "claims.yaml:5: .*: 14 of 20, but the test rate has success 50 %",
            ),
        ]
    },
    **{
        f"a claim of the reverse order of printed rates at {places}": (
            BESIDE,
            SLOW_ROW,
            (NUMBERS_FILE, "newcomer,Table 2", f"{SLOW_AT_40}newcomer,Table 2"),
            (CLAIMS, "variant: walk}", "variant: [other, slow_walk, walk]}"),
            (CLAIMS, "{rate: {percent: 50, of: 100}}", f"{{ranking: {{order: {order}}}}}"),
            (CLAIMS, "order: 3, fixed_fraction: 0.50", places),
            f"claims.yaml:8: .* walk comes before slow_walk in published.csv: {rates} %",
        )
        for places, order, rates in [
            ("order: 3, fixed_fraction: 0.50", "[[other], [slow_walk], [walk]]", "50 against 30"),
            ("order: 3, fixed_fraction: 0.50", "[[slow_walk], [other], [walk]]", "50 against 30"),
            (
                "order: 3, fixed_fraction: [0.40, 0.50]",
                "[[slow_walk, other], [walk]]",
                "70 against 25",
            ),
            ("order: 3", "[[slow_walk, other], [walk]]", "70 against 25"),
        ]
    },
    **{
        f"a claim against the printed times: {text}, {at}, {test}": (
            TIMED,
            (CLAIMS, "0.50, variant: walk}", f"{at}, variant: [{variants}]}}"),
            (CLAIMS, "published: 50 %", f"published: {text}"),
            (CLAIMS, "{rate: {percent: 50, of: 100}}", f"{{{test}}}"),
            f"claims.yaml:{message}",
        )
        for at, variants, text, test, message in [
            *(
                (at, f"{worse}, {better}", "faster", test, f"8: .*: {order}")
                for test in ("compare: {by: time}", "on_most: {}")
                for at, worse, better, order in (
                    ("0.40", "slow_walk", "walk", "walk comes .* slow_walk .*: 0.03 against 0.21"),
                    ("0.50", "walk", "slow_walk", "slow_walk .* before walk .*: 0.3 against 0.5 s"),
                )
            ),
            (
                "0.40",
                "slow_walk, walk",
                "faster",
                "ranking: {by: time, order: [[slow_walk], [walk]]}",
                "8: .*: walk comes before slow_walk",
            ),
            *(
                (
                    "0.40",
                    "walk, slow_walk",
                    "0.3 s against 210 ms",
                    test,
                    "5: .*: 0.3 s against 210 ms, but published.csv has mean_time 0.03 s of walk$",
                )
                for test in ("compare: {by: time}", "on_most: {}")
            ),
        ]
    },
    **{
        f"the hardest fraction beside other printed rates: {text}, {fraction}": (
            (CLAIMS, "fixed_fraction: 0.50", "fixed_fraction: [0.40, 0.50]"),
            (CLAIMS, "published: 50 %", f"published: {text}"),
            (CLAIMS, "{rate: {percent: 50, of: 100}}", f"{{hardest: {fraction}}}"),
            message,
        )
        for text, fraction, message in [
            (
                "hardest",
                "{fixed_fraction: 0.40}",
                "claims.yaml:8: .*fixed_fraction: 0.5 is harder in .*: 50 against 90 % of walk",
            ),
            ("37 %", "{fixed_fraction: 0.50}", "claims.yaml:5: .*: 37 %, but .* 90, 50 %"),
            ("50, 80 %", "{fixed_fraction: 0.50}", "claims.yaml:5: .*: 50, 80 %, but .* 90, 50 %"),
        ]
    },
    "two times of which the first is longer, and a first variant that is faster": (
        BESIDE,
        (CLAIMS, "published: 50 %", "published: 20 ms against 5 ms"),
        (CLAIMS, "variant: walk}", "variant: [slow_walk, walk]}"),
        (CLAIMS, "{rate: {percent: 50, of: 100}}", "{on_most: {}}"),
        "claims.yaml:5: .*: 20 ms against 5 ms, but by the test slow_walk is faster than walk: wr",
    ),
    "an order of the authors' programs against their printed rates": (
        SLOW_ROW,
        (CLAIMS, "experiment: newcomer", "experiment: programs"),
        (CLAIMS, "variant: walk}", "variant: [slow_walk, walk]}"),
        (CLAIMS, "{rate: {percent: 50, of: 100}}", "{compare: {}}"),
        "claims.yaml:8: .*walk comes before slow_walk in published.csv: 50 against 30 %",
    ),
    "steps that no run takes": (
        (EXPERIMENT, "  variants:\n", "  variants:\n    other: {solver: acs, limit_steps: 70}\n"),
        (CLAIMS, "variant: walk}", "variant: other}\n    steps: 71"),
        "claims.yaml:8: newcomer.0.steps: other ends after 70 steps .limit_steps.: no unsolved run",
    ),
    **{
        f"{text} in words, beside other numbers of {test}": (
            SLOW_ROW,
            (CLAIMS, "published: 50 %", f"published: {text}"),
            (CLAIMS, "variant: walk}", f"variant: [{variants}]}}"),
            (CLAIMS, "{rate: {percent: 50, of: 100}}", f"{{{test}}}"),
            f"claims.yaml:5: newcomer.0.published: {text}, but {message}",
        )
        for text, variants, test, message in [
            (
                "50 against 40 %",
                "walk, slow_walk",
                "compare: {percents: [50, 30]}",
                "the test comp",
            ),
            (
                "60, 50 %",
                "walk, slow_walk",
                "compare: {}",
                "published.csv has success 30 % of slow",
            ),
            ("50.2 %", "walk", "rate: {above: 30}", "published.csv has success 50 % of walk"),
            (
                "2,100 ms",
                "walk",
                "mean_time: {seconds: 2.2, of: 9, program: newcomer}",
                "the test mean_time has mean_time 2.2 s of walk",
            ),
        ]
    },
    "an experiment with a number as its name": (
        (EXPERIMENT, "newcomer:", "2031: {}\nnewcomer:"),
        "experiment.yaml:1: 2031: must be a text: put it in quotes",
    ),
    "a caption that is a number": (
        ("newcomer/figures.yaml", "caption: Figure 1 of the newcomer, drawn again.", "caption: 1"),
        "figures.yaml:5: newcomer_fig1.caption: must be a text",
    ),
    "a value that a grid lacks": (
        (EXPERIMENT, "    walk: {", "    hop: {solver: sa, grid: {cooling: [0.9]}}\n    walk: {"),
        (CLAIMS, "variant: walk", "variant: hop__0_8"),
        "claims.yaml:7: .*unknown variant 'hop__0_8' .did you mean hop__0_9",
    ),
    "a figure that returns nothing": (
        ("newcomer/figures.py", "return panels", "panels"),
        "figures.py:19: newcomer_fig2: returns nothing",
    ),
    "a table without a heading": (
        (CODE_OF_NEWCOMER, 'heading="Table 1",', ""),
        (FIGURES, "newcomer_fig1:", "newcomer_fig7:\n  table: newcomer_fig1"),
        'tables.py:11: newcomer_fig1: needs a heading, and a caption .*; add heading="...", c',
    ),
    "a type of a column that there is not": (
        (CODE_OF_NEWCOMER, "| PRINTED", '| PRINTED | {"a": Column("flaot64", "a")}'),
        (CODE_OF_NEWCOMER, "import columns", "import Column, columns"),
        "newcomer_fig1: columns.a.dtype: must be 'bool', 'float64', 'int64' or 'str'; it is 'fla",
    ),
    "a figure that does not take looks": (
        ("newcomer/figures.py", "fig2(title, table, looks)", "fig2(title, table)"),
        "figures.py:19: newcomer_fig2: fig2 must take title, table, looks: too many positional",
    ),
    "a table that does not take runs, beside a name that nothing defines": (
        (CODE_OF_NEWCOMER, "def fig2(runs)", "def fig2()"),
        "tables.py:23: newcomer_fig2: must take runs: too many positional",
    ),
    "an unknown name among those of Python itself": (
        (CODE_OF_NEWCOMER, "return fig1(runs)", "return yxz(runs)"),
        "tables.py:26: unknown name 'yxz': known are AT_WORK, FIG1,",
    ),
    "a name in a figure that nothing defines": (
        ("newcomer/figures.py", "panels.open_markers", "pannels.open_markers"),
        "figures.py:15: unknown name 'pannels' .did you mean panels",
    ),
}


@pytest.mark.parametrize("edits", WRONG.values(), ids=WRONG)
def test_names_that_do_not_belong_together_are_refused(tmp_path, monkeypatch, edits):
    *edits, message = edits
    edit(tmp_path, monkeypatch, edits)
    with pytest.raises(InputError, match=message) as caught:
        checks.check([])
    assert "\n" not in str(caught.value) and str(caught.value).startswith(f"{tmp_path}/")


def test_a_misspelt_puzzle_of_a_paper_of_the_package_is_refused():
    soto, number = papers.get("soto"), next(iter(published.rows(published.NUMBERS)))
    blocks = experiments.of_paper(soto, experiments.every())
    row = number.model_copy(update={"order": 3, "solver": "ac3_tabu", "iterations": None})
    for name, message in (
        ("hard_a", None),
        ("hrad_a", "'hrad_a' .did you mean hard_a"),
    ):
        with pytest.raises(InputError, match=message) if message else nullcontext():
            numbers._check_runs(row.model_copy(update={"instance": name}), blocks, soto)


def test_a_table_of_printed_numbers_needs_their_file(tmp_path, monkeypatch):
    edit(tmp_path, monkeypatch, [])
    for file in (NUMBERS_FILE, UNTESTED_FILE):
        (tmp_path / file).unlink()
    with pytest.raises(InputError, match=r"newcomer_fig1: shows numbers of .*csv, which is missi"):
        checks.check([])


def test_code_of_figures_needs_the_file_that_declares_them(tmp_path, monkeypatch):
    edit(tmp_path, monkeypatch, [])
    (tmp_path / FIGURES).unlink()
    message = r"figures.py: nothing draws its figures: there is no figures.yaml; declare them in fi"
    with pytest.raises(InputError, match=message):
        checks.check([])


def edit(folder, monkeypatch, edits):
    """Copy the newcomers with some texts replaced; their code is imported again."""
    tables.every()  # the decorators of other papers are called once
    shutil.copytree(NEWCOMERS, folder, dirs_exist_ok=True)
    for file, old, new in edits:
        path = folder / file
        path.parent.mkdir(exist_ok=True)
        text = path.read_text() if path.exists() else ""
        assert old in text
        path.write_text(text.replace(old, new, 1))
    for name in [name for name in sys.modules if name.startswith("antdoku.papers.newcomer")]:
        monkeypatch.delitem(sys.modules, name)
        monkeypatch.delattr(papers, "newcomer", raising=False)
    for name in [name for name in tables.table if tables.table[name].paper == "newcomer"]:
        monkeypatch.delitem(tables.table, name)
    monkeypatch.setattr(papers, "__path__", [papers.__path__[0], str(folder)])


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        (
            [(PAPER, "work: newcomer\n", "")],
            "newcomer/experiment.yaml:14: .*walk.reach: set work: newcomer in paper.yaml$",
        ),
        (
            [(PAPER, "work: newcomer\n", ""), (WORK_FILE, WORK_ROW, "")],
            ":14: .*reach: set work: EDITION in paper.yaml, and write that work to work.csv$",
        ),
        (
            [(PAPER, "  newcomer: Newcomer et al. 2030\n", "  newcomr: N\n")],
            "newcomer/experiment.yaml:1: newcomer: unknown experiment 'newcomer' .did you mean "
            "newcomr.*: known are newcomr; paper.yaml and experiment.yaml must have the same",
        ),
        (
            [(PAPER, "work: newcomer", "work: newcommer")],
            "newcomer/paper.yaml:6: work: unknown edition 'newcommer' .did you mean newcomer",
        ),
        (
            [(EXPERIMENT, "newcomer:\n", "newcommer:\n")],
            "newcomer/experiment.yaml:1: newcommer: unknown experiment 'newcommer' .did you mean "
            "newcomer",
        ),
    ],
)
def test_a_mistake_in_the_names_of_an_experiment_is_found_before_the_file_of_the_user(
    tmp_path, monkeypatch, edits, message
):
    edit(tmp_path, monkeypatch, edits)
    with pytest.raises(InputError, match=message) as caught:
        configured({"experiments": ["newcomer"], "newcomer": {"random": {"count": 5}}})
    assert "\n" not in str(caught.value)


def test_a_figure_without_a_title_has_its_heading(tmp_path, monkeypatch):
    edit(tmp_path, monkeypatch, [(FIGURES, "  title: Success of the newcomer\n", "")])
    assert figures.every()["newcomer_fig1"].title == "Figure 1"


def test_two_editions_have_different_names_and_markers_in_figures(tmp_path, monkeypatch):
    second = (PAPER, "experiments:", "  newcomer_2031: The same again\nexperiments:")
    edit(tmp_path, monkeypatch, [second])
    looks = [style.printed(name) for name in papers.get("newcomer").editions]
    assert [look.label for look in looks] == ["newcomer", "newcomer 2031"]
    assert [look.marker for look in looks] == ["D", "s"]
    checks.check([])


OF_READING = """\
  - {id: n2, place: a, claim: b, published: c, test: {rate: {above: 50}},
     runs: {experiment: newcomer, order: 3, variant: walk}}
"""
OF_FIG1 = 'beside(summary.summarise_at_work(runs, GROUP_KEY, "newcomer"), GROUP_KEY, PRINTED)'


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (
            'runs[["order", "variant"]]',
            "returns no column 'fixed_fraction', which it declares: it has order, variant$",
        ),
        ("len(runs)", "must return a DataFrame of pandas; it returns int$"),
        (f'{OF_FIG1}.assign(n="many")', "the column 'n' is not int64: invalid literal"),
    ],
)
def test_a_table_says_what_its_function_does_not_return(tmp_path, monkeypatch, result, message):
    edit(tmp_path, monkeypatch, [(CODE_OF_NEWCOMER, OF_FIG1, result)])
    runs = runs_of(*(point(0.4, number, experiment="newcomer") for number in range(3)))
    with pytest.raises(InputError, match=f"tables.py:11: newcomer_fig1: {message}") as caught:
        tables.make("newcomer_fig1", runs)
    assert "\n" not in str(caught.value)


def test_an_exception_in_a_table_or_a_figure_of_a_user_is_one_line_with_its_place(
    tmp_path, monkeypatch
):
    wrong_table = CODE_OF_NEWCOMER, OF_FIG1, 'fig2(runs["missing"])'
    wrong_figure = "newcomer/figures.py", 'rows["fixed_fraction"]', 'rows["missing"]'
    edit(tmp_path, monkeypatch, [wrong_table, wrong_figure])
    monkeypatch.delitem(sys.modules, "antdoku.papers.newcomer.figures", raising=False)
    runs = runs_of(*(point(0.4, number, experiment="newcomer") for number in range(3)))
    with pytest.raises(InputError, match=r"tables.py:20: newcomer_fig1: KeyError: 'missing'$"):
        tables.make("newcomer_fig1", runs)
    rows = tables.make("newcomer_fig2", runs.iloc[:0]).reindex(range(2))
    with pytest.raises(InputError, match=r"figures.py:13: newcomer_fig1: KeyError: 'missing'$"):
        figures.make("newcomer_fig1", rows.assign(variant="walk"))


RIGHT = {  # texts of the newcomer's files that may stand in place of others
    "variants of a grid": (
        (
            EXPERIMENT,
            "    walk: {",
            "    walker: {solver: sa, grid: {cooling: [0.9, 0.99]}}\n    walk: {",
        ),
        (CLAIMS, "variant: walk", "variant: walker__0_9"),
        (READINGS, "{walk:", "{walker__0_9:"),
    ),
    "spaces and empty rows": (
        (NUMBERS_FILE, ",success,90", ", success ,90"),
        (NUMBERS_FILE, "newcomer,Table 2", ",,,,,,,,,\nnewcomer,Table 2"),
    ),
    "a cached table": (
        ("newcomer/tables.py", "def fig1", "@__import__('functools').cache\ndef fig1"),
    ),
    "a name for types alone, and a name of a nested function": (
        (
            CODE_OF_NEWCOMER,
            "def fig2(runs):",
            "def fig2(runs: 'Rows'):\n    x, summary = [y for y in 'a'], pow\n"
            "    def f(): return x, __file__, summary.real",
        ),
    ),
    "a rate below 1 % that is printed": (
        (
            NUMBERS_FILE,
            "0.50,general,walk,success,50,%",
            "0.50,general,walk,success,0.005,fraction",
        ),
        (CLAIMS, "percent: 50, of: 100", "percent: 0.5, of: 200"),
        (CLAIMS, "published: 50 %", "published: 0.5 %"),
    ),
    "a metric that a table shows": (
        (NUMBERS_FILE, "success,90,%", "tries,90,tries"),
        (CODE_OF_NEWCOMER, '"success", "success rate", "share")', '"tries", "tries")'),
    ),
    "a reading in the experiment of another variant": (
        *TWO_EXPERIMENTS,
        (READINGS, "{walk: slow_walk}", "{walk: hop}\n    experiments: {newcomer: newcomer_hop}"),
    ),
    "a reading that makes one variant of two": (
        (
            CLAIMS,
            "variant: walk}\n    test: {rate: {percent: 50, of: 100}}",
            f"variant: [walk, slow_walk]}}\n    test: {{compare: {{}}}}\n{OF_READING}",
        ),
    ),
    **{
        f"a claim in agreement with the printed numbers: {test}": (
            SLOW_ROW,
            (CLAIMS, "published: 50 %", f"published: {text}"),
            (CLAIMS, "variant: walk}", f"variant: [{variants}]}}"),
            (CLAIMS, "{rate: {percent: 50, of: 100}}", f"{{{test}}}\n{OF_READING}"),
            (CLAIMS, "fixed_fraction: 0.50", f"fixed_fraction: {fractions}"),
        )
        for text, variants, test, fractions in [
            ("50 against 30 %", "walk, slow_walk", "compare: {percents: [50, 30]}", 0.5),
            (
                "9 of 9, 90 and 50 > 35 %",
                "walk, slow_walk",
                "compare: {percents: [70, 35]}",
                [0.4, 0.5],
            ),
            ("faster", "slow_walk, walk", "compare: {by: time}", 0.5),
            ("more", "slow_walk, walk", "compare: {}", [0.4, 0.5]),
            ("50 % … 30 %", "walk, slow_walk", "ranking: {order: [[walk], [slow_walk]]}", 0.5),
            ("50 %", "walk", "rate: {above: 50}", 0.5),
            ("most", "walk", "rate: {above: 60, pooled: true}", [0.4, 0.5]),
            ("50 against 90 %", "walk", "hardest: {fixed_fraction: 0.5}", [0.4, 0.5]),
            ("around 50 %", "walk", "hardest: {fixed_fraction: [0.5]}", [0.4, 0.5]),
        ]
    },
    **{
        f"a claim in agreement with the printed times: {text}, {test}": (
            TIMED,
            (CLAIMS, "0.50, variant: walk}", f"{at}, variant: [{variants}]}}{more}"),
            (CLAIMS, "published: 50 %", f"published: {text}"),
            (CLAIMS, "{rate: {percent: 50, of: 100}}", f"{{{test}}}\n{OF_READING}"),
        )
        for at, variants, text, test, more in [
            ("0.40", "walk, slow_walk", "0.03 s against 210 ms", "compare: {by: time}", ""),
            ("0.40", "walk, slow_walk", "30 against 210 ms", "on_most: {}", ""),
            ("[0.40, 0.50]", "slow_walk, walk", "faster", "compare: {by: time}", ""),
            ("0.40", "slow_walk, walk", "faster", "compare: {by: time}", "\n    biased: true"),
            ("0.40", "slow_walk, walk", "similar", "compare: {by: time, gap: true}", ""),
            ("0.40", "slow_walk, walk", "competitive", "on_most: {factor: 0.1}", ""),
            ("0.40", "slow_walk, walk", "fewer steps", "on_most: {by: steps}", ""),
        ]
    },
    "a claim of median times beside printed means": (
        TIMED,
        (CLAIMS, "0.50, variant: walk}", "0.40, variant: [slow_walk, walk]}"),
        (CLAIMS, "published: 50 %", "published: 0.1 against 0.2 s"),
        (CLAIMS, "The walk solves half", "The walk has less median times than half"),
        (CLAIMS, "{rate: {percent: 50, of: 100}}", f"{{on_most: {{}}}}\n{OF_READING}"),
    ),
    "claims with one number of runs of one printed rate": (
        (CLAIMS, "of: 100}}\n", f"of: 2, runs: 2}}}}\n{SECOND_CLAIM}"),
    ),
    **{
        f"a limit in steps: {limit}": (*BY_STEPS, (CLAIMS, "5 s", limit))
        for limit in (
            *("2,000 steps", "100 / 2000 iterations", "20 sweeps", "2*10^3 steps", "2e3 steps"),
            *("none", "60 s", "order 3 2 000 steps"),
        )
    },
    **{
        f"a limit in seconds: {limit}": (*WITHOUT_WORK, (CLAIMS, "5 s", limit))
        for limit in ("2 s", "60 s\n    seconds: 2", "60 s\n    steps: 100", "1 / 2 s", "9 steps")
    },
    "files of editors, and helpers": (
        ("newcomer/claims.yaml~", "", ""),
        ("newcomer/.#claims.yaml", "", ""),
        ("newcomer/tables2.py", "", ""),
        (".cache/settings.yaml", "", ""),
    ),
}


@pytest.mark.parametrize("edits", RIGHT.values(), ids=RIGHT)
def test_what_a_paper_may_have_is_not_refused(tmp_path, monkeypatch, edits):
    edit(tmp_path, monkeypatch, edits)
    checks.check([])


def test_the_folder_of_a_paper_is_right(paper):
    checks.check_folder(paper)


@pytest.mark.parametrize(
    ("folder", "message"),
    [
        ("nowhere", "ANTDOKU_PAPERS=.*/nowhere: there is no folder with a paper.yaml in it"),
        ("newcomer", "ANTDOKU_PAPERS=.*: is the folder of a paper; name the folder around it"),
        ("empty", "/empty: there is no folder with a paper.yaml in it"),
        ("", "/newcomer: there is no paper.yaml in it"),
    ],
)
def test_a_wrong_folder_of_papers_is_named(tmp_path, monkeypatch, folder, message):
    shutil.copytree(NEWCOMERS / "newcomer", tmp_path / "newcomer")
    (tmp_path / "empty").mkdir()
    if not folder:
        (tmp_path / "newcomer" / papers.FILE).unlink()
    monkeypatch.setattr(papers, "__path__", [papers.__path__[0], str(tmp_path / folder)])
    with pytest.raises(InputError, match=message):
        papers.every()


@pytest.mark.parametrize(
    ("first", "last", "low", "place", "note"),
    [
        (1, 1, 0.46, ("left", "bottom"), "at 40 %:\nours 48\npaper 100"),
        (1, 1, 0.1, ("right", "bottom"), "at 40 %:\nours 48\npaper 100"),  # beside the error bar
        (0.12, 0.9, 0.46, ("right", "bottom"), "at 40 %:\nours 48\npaper 12"),
        (0.004, 0.12, 0.46, ("right", "top"), "at 40 %:\nours 48\npaper 0.4"),
    ],
)
def test_rates_are_written_where_no_mark_is_and_below_1_percent_with_a_digit(
    first, last, low, place, note
):
    rates = {"success_rate": [0.48, *9 * [0.5]], "published_success_rate": [first, *9 * [last]]}
    counts = {"n": 20, "n_instances": 20, "solved": [8, *9 * [10]], "n_unfinished": 0}
    counts |= {"wilson_low": [low, *9 * [0.46]], "wilson_high": 0.54}
    limits = {"limit_s": 5.0, "limit_steps": -1, "mean_time_solved_s": 1.0}
    rows = pd.DataFrame(rates | counts | limits | {"order": 3, "variant": "walk", "label": "Walk"})
    rows["fixed_fraction"] = (40 + rows.index) / 100
    fig = figures.make(
        "newcomer_fig2", rows.reindex(columns=[*tables.get("newcomer_fig1").columns])
    )
    (text,) = fig.axes[0].texts
    assert (text.get_ha(), text.get_va()) == place and text.get_text() == note


def test_paths_are_relative_to_the_folder_of_the_paper(tmp_path, monkeypatch):
    shutil.copytree(NEWCOMERS / "newcomer", tmp_path / "newcomer")
    file = tmp_path / "newcomer" / "experiment.yaml"
    file.write_text(file.read_text() + "    mine: {solver: ./mine.py}\n")
    (tmp_path / "newcomer" / "mine.py").write_text(
        "from antdoku.solver import Outcome\n\n\n"
        "def solve(puzzle, params, rng, budget):\n    return Outcome('timeout', None, 0)\n"
    )
    monkeypatch.setattr(papers, "__path__", [papers.__path__[0], str(tmp_path)])
    variants = configured({"experiments": ["newcomer"]}).blocks["newcomer"].variants
    assert variants["mine"].solver == str(tmp_path / "newcomer" / "mine.py")
    assert variants["walk"].solver == "sa"


# A solver cites its source and ways to read it; collections of puzzles are called after papers.
CITING = [PACKAGE / "papers", PACKAGE / "solvers", PACKAGE / "puzzle", PACKAGE / "cli"]
CODE = [file for file in sorted(PACKAGE.rglob("*.py")) if not {*CITING} & {*file.parents}]
# Words of English: as the name of a paper they begin the name of a table.
WORDS = {"journal", "beyond", "generators", "frontier", "mutants"}
WORDS |= {"ants", "bve", "sensitivity", "scaling", "tails", "portfolio"}
NAMES = {*papers.every(), *papers.experiments(), *papers.editions()} - WORDS
NAMED = re.compile(rf"(?<![a-z0-9])({'|'.join(sorted(NAMES))})(?![a-z0-9])|({'|'.join(WORDS)})_\w+")


@pytest.mark.parametrize("file", CODE, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_code_knows_no_paper_by_name(file):
    nodes = list(ast.walk(ast.parse(file.read_text())))
    docstrings = [node.value for node in nodes if isinstance(node, ast.Expr)]
    texts = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    constants = [node for node in nodes if isinstance(node, ast.Constant)]
    texts |= {node.value for node in constants if node not in docstrings}
    assert not [text for text in texts if isinstance(text, str) and NAMED.search(text)]
