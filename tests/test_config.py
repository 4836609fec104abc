"""The configuration: a mistake is one line that names the files and the key."""

import re
import shutil
import subprocess
import sys
from functools import partial

import pytest
import yaml
from conftest import ROOT, laid_over, read_yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from antdoku import config as configuration
from antdoku.errors import InputError


@pytest.fixture()
def mistake(tmp_path):
    """Message about an overlay that holds a text."""

    def message(text, *others, **how):
        files = [ROOT / "config/quick.yaml", tmp_path / "mine.yaml"]
        files[1].write_text(text)
        with pytest.raises(InputError) as caught:
            configuration.load(laid_over(*others, yaml.safe_load(text)), files, **how)
        return str(caught.value).replace(f"{tmp_path}/", "")

    return message


def block(*lines, experiment="lloyd_amos", part="random"):
    """Text of an overlay with lines in a part of an experiment."""
    return "\n    ".join([f"{experiment}:\n  {part}:", *lines])


variants = partial(block, part="variants")
puzzles = partial(block, part="puzzles")
ONCE = "repetitions: 1, limit_s: 1"
UNIQUE = "unique: {order: 3, fixed_fraction: 0.4, count: 2"
MISTAKES = {
    # text of an overlay: the key, and words about it
    "nmae: x": ("nmae", "unknown key 'nmae' (did you mean name?)"),
    "lewsi: {random: null}": ("lewsi", "did you mean lewis?"),
    "seed: -1": ("seed", "-1: must be greater than or equal to 0"),
    "limit_by: time": ("limit_by", "\"time\": must be 'work' or 'seconds'"),
    f"experiments: [{99 * 'lewis, '}]": ("experiments", "a list of different values"),
    "lewis: {variants: {cp_sat: null}}": ("lewis.variants.cp_sat", "did you mean cp_sa?"),
    "experiments: [sudoku]": ("experiments", "unknown experiment 'sudoku'", "lloyd_amos"),
    '? "a\\nb"\n: 1': ("a b", "unknown key"),
    "soto:\n  puzzles: {soto: null}": ("soto", "neither random instances nor puzzles"),
    "jobs:\n  longest: 5": ("jobs.longest", "did you mean longest_s?"),
    block("cuont: 5"): ("random.cuont", "unknown key 'cuont' (did you mean count?)"),
    block("source: acs", "base: root"): ("random", "the source must be shuffle, not acs"),
    block("source: archive", "archive: /nowhere"): ("random.archive", "/nowhere: must be an"),
    block("fixed_fractions: [0.12345]"): ("fixed_fractions.0", "must be a multiple of 0.0001"),
    block("orders: [3, 16]"): ("random.orders.1", "16: must be from 2 to 10; 16x16 is order 4"),
    block("orders: [9]"): ("random.orders", "9 (9x9 is order 3): no limit: add order9: SECONDS to"),
    puzzles("m: {unique: {order: 9}}"): ("m.unique.order", "9: must be from 2 to 6; 9x9 is order"),
    block("limits_s: {order11: 1}"): ("limits_s.order11", "must be 'order2', ", "or 'order10'"),
    puzzles("named: {from: null}"): ("named", "must have one of the keys from and unique"),
    puzzles("Mine: {limit_s: 1}"): ("puzzles.Mine", "must be small letters"),
    puzzles(f"mine: {{{UNIQUE}, fixed_after_cp: [0.3]}}, {ONCE}}}"): (
        *("puzzles.mine.unique", "fixed_after_cp 0.3: must be from 0.4074"),
    ),
    variants("mine: {}"): ("variants.mine", "the key solver is missing"),
    variants("mine: {solver: asc}"): ("mine.solver", "unknown solver 'asc' (did you mean acs?)"),
    variants("acs: {params: {f_bvd: 0}}"): ("variants.acs", "'f_bvd' (did you mean f_bve?)"),
    variants("acs: {grid: {q0: [0.5, 2]}}"): ("variants.acs", "q0 = 2: must be from 0 to 1"),
    variants("acs_no_bve: {grid: {f_bve: [0.1]}}"): ("grid.f_bve", "stands in params as well"),
    variants("mine__4: {solver: acs}", "mine: {solver: acs, grid: {m: [4]}}"): (
        *("variants.mine", "mine__4 stands for two variants"),
    ),
    variants("cpsat: {reach: 2}"): ("variants.cpsat.reach", "no work of a program like cpsat"),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_one_line_with_file_and_key(text, mistake):
    key, *words = MISTAKES[text]
    message = mistake(text)
    assert re.fullmatch(rf"mine\.yaml: (\w+\.)*{re.escape(key)}: .*", message)  # of one line
    assert all(word in message for word in words)


def test_a_mistake_names_the_file_that_has_the_key(mistake):
    quick = read_yaml(ROOT / "config/quick.yaml")
    assert mistake("name: mine\nlloyd_amos: {random: {count: x}}", quick).startswith("mine.yaml: ")
    given = {"lloyd_amos": {"random": {"count": "x"}}}
    message = mistake("lloyd_amos: {random: {orders: [3]}}", quick, given=given)
    assert message.startswith('--config: lloyd_amos.random.count: "x": must be a whole number')


def test_texts_within_what_the_command_line_gives_are_read_as_yaml():
    # As Snakemake reads --config 'jobs={parts: 3}' and so on.
    random = {"orders": ["3", "4"], "fixed_fractions": ["0.4"], "count": "2"}
    variants = {"dlx": "null", "mine": {"solver": "acs", "params": {"m": "3"}}}
    block = {"random": random, "variants": variants}
    given = {"seed": 7, "jobs": {"parts": "3"}, "lloyd_amos": block}
    settings = configuration.load(laid_over(), given=given)
    block = settings.blocks["lloyd_amos"]
    assert (settings.seed, settings.jobs.parts, block.random.count) == (7, 3, 2)
    assert (block.random.orders, block.random.fixed_fractions) == ([3, 4], [0.4])
    assert "dlx" not in block.variants and block.variants["mine"].params == {"m": 3}


def test_an_overlay_names_its_results_or_not(tmp_path):
    quick, mine = ROOT / "config/quick.yaml", tmp_path / "mine.yaml"
    for text in ("name: mine", "jobs: {parts: 2}"):  # the latter: the same runs in other jobs
        mine.write_text(text)
        for overlays in ([], [quick], [mine], [quick, mine]):
            configuration.check_named(overlays)
            configuration.check_named(overlays, {"jobs": {"parts": "3"}})
    mine.write_text("seed: 5")
    with pytest.raises(InputError, match=r"mine\.yaml: its results need .* such as name: mine$"):
        configuration.check_named([quick, mine])
    with pytest.raises(InputError, match=r"^--config: .* such as --config name=mine$"):
        configuration.check_named([quick], {"seed": 5})
    mine.write_text("name: quick")
    with pytest.raises(InputError, match=r"name: quick: config/quick\.yaml has this name: choose"):
        configuration.check_named([mine])


DEFAULT = laid_over()
words = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Z"]), max_size=9)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)


@settings(deadline=None)  # the time of a check depends on the load of the machine
@given(st.sampled_from(list(DEFAULT)), anything)
def test_whatever_a_key_holds_it_is_accepted_or_refused_in_one_line(key, value):
    try:
        configuration.load(DEFAULT | {key: value})
    except InputError as error:
        assert len(str(error).splitlines()) == 1
        assert key in str(error)


def test_whole_numbers_with_a_point_are_whole():
    steps = {"limit_steps": 1e5, "variants": {"dlx": {"limit_steps": 7.0}}}
    random = {"orders": [3.0, 4], "count": 2.0}
    settings = configuration.load(laid_over({"lloyd_amos": {**steps, "random": random}}))
    block = settings.blocks["lloyd_amos"]
    whole = [block.limit_steps, block.variants["dlx"].limit_steps]
    whole += [block.random.count, *block.random.orders]
    assert whole == [100_000, 7, 2, 3, 4]
    assert {type(number) for number in whole} == {int}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name: x\n\tseed: 1\n", "mine.yaml:2: not YAML: found character '\\t' that cannot start"),
        ("name: x\nexperiments: [lewis\n", "mine.yaml:3: not YAML: expected ',' or ']'"),
        ("a: {b: 1, b: 2}\n", "mine.yaml:1: not YAML: the key b stands there twice"),
        ("3\n", "mine.yaml: there is no key in it, such as name: mine"),
        ("# nothing\n", "mine.yaml: there is no key in it, such as name: mine"),
        (None, "mine.yaml: cannot be read: "),
    ],
)
def test_a_file_that_snakemake_cannot_read_is_one_line(text, message, tmp_path):
    if text:
        (tmp_path / "mine.yaml").write_text(text)
    with pytest.raises(InputError) as error:
        configuration.read(tmp_path / "mine.yaml")
    assert str(error.value).startswith(f"{tmp_path}/{message}")


@pytest.mark.skipif(not shutil.which("make"), reason="no make")
def test_make_names_the_configurations_that_there_are(tmp_path):
    command = ["make", "-n", "reproduce", f"CONFIG={tmp_path}/mine.yaml"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2 and "must be quick, default, paper" in done.stderr


def test_snakemake_prints_the_line_and_exits_with_status_2(tmp_path):
    mine = tmp_path / "mine.yaml"
    mine.write_text("name: mine\n" + block("cuont: 5"))
    command = [sys.executable, "-m", "snakemake", "--dry-run", "--quiet", "--configfile", mine]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    (error,) = [line for line in done.stderr.splitlines() if "error" in line.lower()]
    assert error.startswith("antdoku: error: ")
    assert "mine.yaml: lloyd_amos.random.cuont: unknown key 'cuont' (did you mean" in error
