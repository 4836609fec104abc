"""The configuration: a mistake is one line that names the file and the key."""

import re
import shutil
import subprocess
import sys
from functools import partial

import pytest
import yaml
from conftest import ROOT, configured
from hypothesis import given, settings
from hypothesis import strategies as st

from antdoku import config as configuration
from antdoku.config import Layer
from antdoku.errors import InputError

DEFAULT, QUICK = (configuration.read(ROOT / f"config/{name}.yaml") for name in ("config", "quick"))


def mistake(text, *values):
    """Message about an overlay with a text, laid over the quick configuration."""
    overlay = Layer("mine.yaml", yaml.safe_load(text))
    with pytest.raises(InputError) as caught:
        configuration.load([DEFAULT, QUICK, overlay, *values])
    return str(caught.value)


def block(*lines, experiment="lloyd_amos", part="random"):
    """Text of an overlay with lines in a part of an experiment."""
    return "\n    ".join([f"{experiment}:\n  {part}:", *lines])


variants = partial(block, part="variants")
puzzles = partial(block, part="puzzles")
ONCE = "repetitions: 1, limit_s: 1"
UNIQUE = "unique: {order: 3, fixed_fraction: 0.4, count: 2"
PATTERN = "must be of a-z, 0-9 and _, with a letter first; it is "
MISTAKES = {
    # text of an overlay: the key, and words about it
    "nmae: x": ("nmae", "unknown key 'nmae' (did you mean name?)"),
    "lewsi: {random: null}": ("lewsi", "did you mean lewis?"),
    "__use_yte__: true": ("__use_yte__", "unknown key"),
    "seed: -1": ("seed", "must be greater than or equal to 0; it is -1"),
    "limit_by: time": ("limit_by", "must be 'work' or 'seconds'; it is 'time'"),
    "name: ../x": ("name", "pattern", "it is '../x'"),
    f"experiments: [{99 * 'lewis, '}]": ("experiments", "a list of different values"),
    "lewis: {variants: {cp_sat: null}}": ("lewis.variants.cp_sat", "did you mean cp_sa?"),
    "experiments: [sudoku]": ("experiments", "unknown experiment 'sudoku'", "lloyd_amos"),
    "experiments: lewis": ("experiments", "must be a list; it is 'lewis'"),
    "experiments: ['../../x']": ("experiments.0", f"{PATTERN}'../../x'"),
    "experiments: ['a{b}']": ("experiments.0", f"{PATTERN}'a{{b}}'"),
    "experiments: ['']": ("experiments.0", f"{PATTERN}''"),
    "experiments: [a/b]": ("experiments.0", f"{PATTERN}'a/b'"),
    '? "a\\nb"\n: 1': ("a b", "unknown key"),
    "soto:\n  puzzles: {soto: null}": ("soto", "neither random instances nor puzzles"),
    "jobs:\n  longest: 5": ("jobs.longest", "did you mean longest_s?"),
    block("cuont: 5"): ("random.cuont", "unknown key 'cuont' (did you mean count?)"),
    block("count: x"): ("random.count", "must be a whole number; it is 'x'"),
    block("source: acs", "base: root"): ("random", "the source must be shuffle, not acs"),
    block("source: archive", "archive: /nowhere"): ("random.archive", "/nowhere: must be an"),
    block("fixed_fractions: [0.12345]"): ("fixed_fractions.0", "must be a multiple of 0.0001"),
    block("fixed_fractions: [45]"): ("fixed_fractions.0", "less than or equal to 1; it is 45"),
    block("orders: [3, 16]"): ("random.orders.1", "16: must be from 2 to 10; 16x16 is order 4"),
    block("orders: [9]"): (
        "random.orders",
        "9: no limit: 9x9 is order 3; for 81x81 add order9",
    ),
    puzzles("m: {unique: {order: 9}}"): ("m.unique.order", "9: must be from 2 to 6; 9x9 is order"),
    block("limits_s: {order11: 1}"): ("limits_s.order11", "must be 'order2', ", "or 'order10'"),
    puzzles("named: {from: null}"): ("named", "must have one of the keys from and unique"),
    puzzles("Mine: {limit_s: 1}"): ("puzzles.Mine", f"{PATTERN}'Mine'"),
    puzzles(f"mine: {{{UNIQUE}, fixed_after_cp: [0.3]}}, {ONCE}}}"): (
        *("puzzles.mine.unique", "fixed_after_cp 0.3: must be from 0.4074"),
    ),
    block("more: [{orders: [3], fixed_fractions: [0.47], count: 9}]"): (
        *("random.more.0.fixed_fractions", "unknown value 0.47", "0.45"),
    ),
    variants("mine: {}"): ("variants.mine.solver", "is missing"),
    variants("asc: {reach: 1}"): (
        *("variants.asc.solver", "is missing; or, as a name of the paper", "(did you mean acs?)"),
    ),
    puzzles("nmaed: {repetitions: 1}"): ("puzzles.nmaed.limit_s", "(did you mean named?)"),
    variants("acs: {solver: dlx}"): (
        *(
            "variants.acs.solver",
            "is another one than that of the paper's acs: give yours another name",
        ),
    ),
    variants("acs: {params: {m: 20}}"): (
        "variants.acs.params",
        "is another one than that of the paper's acs: give",
    ),
    variants("mine: {solver: asc}"): ("mine.solver", "unknown solver 'asc' (did you mean acs?)"),
    variants("a-b: {solver: acs}"): ("variants.a-b", f"{PATTERN}'a-b'"),
    variants("acs: {params: {f_bvd: 0}}"): ("variants.acs", "'f_bvd' (did you mean f_bve?)"),
    variants("acs: {grid: {q0: [0.5, 2]}}"): ("variants.acs", "q0 = 2: must be from 0 to 1"),
    variants("acs_no_bve: {grid: {f_bve: [0.1]}}"): ("grid.f_bve", "is in params, too"),
    variants("mine__4: {solver: acs}", "mine: {solver: acs, grid: {m: [4]}}"): (
        *("variants.mine", "two variants have the name mine__4"),
    ),
    variants("acs: {label: DLX}"): ("variants.acs.label", "dlx has the label 'DLX', too"),
    variants("a: {solver: acs, label: X}", "b: {solver: ils, label: X}"): (
        *("variants.b.label", "a has the label 'X', too"),
    ),
    variants("acs: {label: _x}"): ("variants.acs.label", "no blank or _ first; it is '_x'"),
    variants('acs: {label: ""}'): ("variants.acs.label", "1 to 60 characters", "it is ''"),
    variants("acs: {color: red}"): ("variants.acs.color", 'a colour in quotes, such as "#1F77B4"'),
    variants("a: {solver: acs, color: '#000001'}", "b: {solver: ils, color: '#000001'}"): (
        *("variants.b.color", "a has the color '#000001', too"),
    ),
    variants("mine:"): ("variants.mine", "is empty, which removes an entry: unknown name 'mine'"),
    variants("cpsat: {reach: 2}"): ("variants.cpsat.reach", "in work.csv 'cpsat'"),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_one_line_with_file_and_key(text):
    key, *words = MISTAKES[text]
    message = mistake(text)
    assert re.fullmatch(rf"mine\.yaml: ([\w-]+\.)*{re.escape(key)}: .*", message)  # of one line
    assert all(word in message for word in words)


def test_only_the_name_of_an_entry_may_be_meant_otherwise():
    text = puzzles(f"mine: {{unique: {{order: 3, count: 1}}, {ONCE}}}")
    assert mistake(text).endswith("mine.unique.fixed_fraction: is missing")


def test_a_mistake_names_the_layer_that_has_the_key():
    values = {"lloyd_amos": {"random": {"count": "x"}}}
    message = mistake("lloyd_amos: {random: {orders: [3]}}", Layer("--config", values))
    assert message.startswith("--config: lloyd_amos.random.count: must be a whole number")


def test_values_of_the_command_line_are_yaml(monkeypatch):
    random = "{orders: [3, 4], fixed_fractions: [0.4], count: 2}"
    variants = "{dlx: null, mine: {solver: acs, params: {m: 3}}}"
    experiment = f"{{random: {random}, variants: {variants}}}"
    values = ["seed=7", "jobs={parts: 3}", f"lloyd_amos={experiment}"]
    monkeypatch.chdir(ROOT)
    settings = configuration.load(configuration.read_layers([], values))
    block = settings.blocks["lloyd_amos"]
    assert (settings.seed, settings.jobs.parts, block.random.count) == (7, 3, 2)
    assert (block.random.orders, block.random.fixed_fractions) == ([3, 4], [0.4])
    assert "dlx" not in block.variants and block.variants["mine"].params == {"m": 3}
    with pytest.raises(InputError, match="--config:1: not YAML: the key a occurs twice"):
        configuration.read_layers([], ["jobs={a: 1, a: 2}"])


def test_an_overlay_names_its_results_unless_it_only_cuts_jobs(monkeypatch):
    monkeypatch.chdir(ROOT)
    mine, jobs, seed = (
        Layer("mine.yaml", keys) for keys in ({"name": "mine"}, {"jobs": {"parts": 2}}, {"seed": 5})
    )
    for layers in ([], [QUICK], [mine], [QUICK, mine], [QUICK, jobs], [mine, jobs]):
        configuration.check_name([DEFAULT, *layers])
    for layers, message in [
        ([QUICK, seed], r"^mine\.yaml: its results need .* such as name: mine$"),
        ([Layer("--config", {"seed": 5})], r"^--config: .* such as --config name=mine$"),
        ([Layer("mine.yaml", {"name": "quick"})], r"quick: config/quick\.yaml has this name; choo"),
    ]:
        with pytest.raises(InputError, match=message):
            configuration.check_name([DEFAULT, *layers])


def test_results_belong_to_one_overlay(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("first", "second"):
        (tmp_path / f"{name}.yaml").write_text("name: mine\n")
    first, second = (configuration.read(f"{name}.yaml") for name in ("first", "second"))
    jobs, values = Layer("jobs.yaml", {"jobs": {"parts": 2}}), Layer("--config", {"name": "mine"})
    configuration.check_owner([DEFAULT, second], tmp_path)  # there are no results
    configuration.write_owner([DEFAULT, first, jobs], tmp_path)
    for layers in ([first], [QUICK, first], [first, jobs]):
        configuration.check_owner([DEFAULT, *layers], tmp_path)
    for layers in ([second], [second, jobs], [first, values]):
        with pytest.raises(InputError, match=r"holds the results of .* \(first\.yaml\); choose "):
            configuration.check_owner([DEFAULT, *layers], tmp_path)
    (tmp_path / "first.yaml").rename("renamed.yaml")
    configuration.check_owner([DEFAULT, configuration.read("renamed.yaml")], tmp_path)


words = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Z"]), max_size=9)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)


@settings(deadline=None)  # the time of a check depends on the load of the machine
@given(st.sampled_from(list(DEFAULT.keys)), anything)
def test_any_value_of_a_key_is_accepted_or_refused_in_one_line(key, value):
    try:
        configured({key: value})
    except InputError as error:
        assert len(str(error).splitlines()) == 1
        assert key in str(error)


def test_whole_numbers_with_a_point_are_whole():
    steps = {"limit_steps": 1e5, "variants": {"dlx": {"limit_steps": 7.0}}}
    random = {"orders": [3.0, 4], "count": 2.0}
    block = configured({"lloyd_amos": {**steps, "random": random}}).blocks["lloyd_amos"]
    whole = [block.limit_steps, block.variants["dlx"].limit_steps]
    whole += [block.random.count, *block.random.orders]
    assert whole == [100_000, 7, 2, 3, 4]
    assert {type(number) for number in whole} == {int}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name: x\n\tseed: 1\n", "mine.yaml:2: not YAML: found a tab character"),
        ("name: x\nexperiments: [lewis\n", "mine.yaml:3: not YAML: did not find expected ',' or"),
        ("a: {b: 1, b: 2}\n", "mine.yaml:1: not YAML: the key b occurs twice"),
        ('{"a": 1, "a": 2}\n', "mine.yaml:1: not YAML: the key a occurs twice"),
        ("3\n", "mine.yaml: there is no key in it, such as name: mine"),
        ("# nothing\n", "mine.yaml: there is no key in it, such as name: mine"),
        (None, "mine.yaml: is a folder: name a file in it"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_line(text, message, tmp_path):
    if text:
        (tmp_path / "mine.yaml").write_text(text)
    else:
        (tmp_path / "mine.yaml").mkdir()
    with pytest.raises(InputError) as error:
        configuration.read(tmp_path / "mine.yaml")
    assert str(error.value).startswith(f"{tmp_path}/{message}")
    assert "\n" not in str(error.value)


def run(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


@pytest.mark.skipif(not shutil.which("make"), reason="no make")
def test_make_names_the_configurations_that_exist(tmp_path):
    process = run("make", "-n", "reproduce", f"CONFIG={tmp_path}/mine.yaml")
    assert process.returncode == 2 and "must be quick, default, lloyd_amos" in process.stderr
    for name in ("config", "quick ./config/config.yaml", str(ROOT / "config/config.yaml")):
        process = run("make", "-n", "reproduce", f"CONFIG={name}")
        assert process.returncode == 2 and "config/config.yaml is always read" in process.stderr
    process = run("make", "-n", "reproduce", "CONFG=quick")
    assert process.returncode == 2 and "unknown variable CONFG" in process.stderr


def test_the_module_prints_the_name_of_the_last_layer_with_one(tmp_path):
    (tmp_path / "jobs.yaml").write_text("jobs: {parts: 2}\n")
    files = "config/quick.yaml", f"{tmp_path}/jobs.yaml"
    assert run(sys.executable, "-m", "antdoku.config", *files).stdout == "quick\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (block("cuont: 5"), "mine.yaml:4: lloyd_amos.random.cuont: unknown key 'cuont' (did you"),
        ("seed: 1\nseed: 2", "mine.yaml:3: not YAML: the key seed occurs twice"),
    ],
)
def test_snakemake_prints_the_line_and_exits_with_status_2(text, line, tmp_path):
    mine = tmp_path / "mine.yaml"
    mine.write_text(f"name: mine\n{text}")
    process = run(sys.executable, "-m", "snakemake", "-n", "--quiet", "--configfile", str(mine))
    assert process.returncode == 2 and "Traceback" not in process.stderr
    (error,) = [line for line in process.stderr.splitlines() if "error" in line.lower()]
    assert error.startswith("antdoku: error: ") and line in error
