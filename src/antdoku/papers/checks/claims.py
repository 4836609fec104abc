"""Check of `claims.yaml` and `readings.yaml`: the runs of claims and of their readings."""

import re
from collections import Counter
from decimal import Decimal
from itertools import chain, combinations, product, starmap
from math import floor, fsum
from typing import NamedTuple

import numpy as np

from antdoku import papers, yaml_files
from antdoku.claims import SUCCESS, TIME, ledger, numbers
from antdoku.claims.kinds.means import OF_INSTANCES, SHARES
from antdoku.papers import published
from antdoku.papers.checks.experiments import Experiment, Point, families, of_paper
from antdoku.yaml_files import check_name

# Experiment of the runs of the authors' programs, on puzzles of the paper's own experiment.
PROGRAMS = "programs"
PERCENTS = ("percent", "percents", "above", "below")  # arguments of tests
ROUNDING = (0.0, 0.051)  # of other numbers, and of percents
EQUAL = 1e-9  # largest difference of means of the same percents
# Rates or times in the text of a claim: ``5.8 s``, ``92 against 58, 14 %``.
NUMBER = re.compile(r"\d+(?:\.(\d+))?")
A_NUMBER = r"\d+(?:\.\d+)?"
COUNTED = re.compile(r"\b((?:\d+(?:,|,? (?:to|and|or|against)) )*\d+) of (\d+)\b")  # 14 of 20
TIMES = {"s": 1, "ms": 0.001, "min": 60, "h": 3600}  # units in seconds
TIME_WORDS = {r"\bsec(ond)?s?\b": "s", r"\bmin(ute)?s?\b": "min", r"\bhours?\b": "h"}
MIXED = re.compile(rf"({A_NUMBER}) (h|min) ({A_NUMBER}) (min|s)\b")  # 2 min 30 s
A_WHOLE = r"(?<![\w.^*])(?<!\border )\d+(?:[, ]\d{3})*(?![\w^*]|\.\d)"  # not 10^6, 2e6, order 3
IN_STEPS = re.compile(
    rf"((?:{A_WHOLE}(?:,|,? (?:to|and|or|against)| /) )*{A_WHOLE}) (?:iterations|steps)\b"
)
UNIT = r"(%|ms\b|s\b|min\b|h\b)"
LISTED = re.compile(rf"(?:{A_NUMBER}[^\w%]+(?:(?:to|and|or|against) +)?)*{A_NUMBER} *{UNIT}")
# Arguments of tests with values of a column of the runs.
OF_COLUMN = {"fixed_fraction": "fixed_fraction", "family": "family", "puzzles": "instance_id"}
OF_COLUMN |= {"times": "instance_id", "names": "instance_id"}


class Printed(NamedTuple):
    """The numbers that a paper prints, and the puzzles of its families."""

    paper: papers.Paper
    families: dict[str, list[str]]

    def value(self, number: numbers.Number) -> float | None:
        """Return what is printed at the place of a number, in the unit of claims; None if nothing.

        The rate of a family without a row of its own is the mean of the rates of its puzzles.
        """
        value = self._value(number)
        puzzles = self.families.get(number.puzzles[0]) if len(number.puzzles) == 1 else None
        if value is not None or not puzzles or number.metric != SUCCESS:
            return value
        values = [self._value(number._replace(puzzles=(puzzle,))) for puzzle in puzzles]
        return None if None in values else fsum(values) / len(values)

    def _value(self, number):
        key = number.edition, number.metric, number.variant
        for row in published.rows(published.NUMBERS):
            if (row.edition, row.metric, row.variant) == key and _is_at(row, number, self.paper):
                return row.value * _factor(row)
        return None


def check(paper: papers.Paper, experiments: dict[str, Experiment]) -> None:
    """Raise `InputError` for the first mistake in the claims of a paper, and in their readings."""
    file = paper.folder / ledger.LEDGER
    counts = Counter()  # of claims so far, by edition
    samples = {}  # number of printed runs, and the claim that says it, by printed rate
    printed = Printed(paper, families(of_paper(paper, experiments)))
    for claim in ledger.load(file) if file.exists() else ():
        check_name("edition", claim.paper, paper.editions, file, claim.paper)
        place = file, claim.paper, counts[claim.paper]
        counts[claim.paper] += 1
        _check_percents(claim, place)
        _check_counts(claim, place)
        for part in (_check_printed, _check_bounds):
            part(claim, printed, place)
        if name := claim.runs.get("experiment"):
            name = paper.own if name == PROGRAMS else name
            check_name("experiment", name, experiments, *place, "runs", "experiment")
            check_claim(claim, experiments[name], place)
            _check_ranking(claim, experiments[name], printed, place)
            _check_hardest(claim, experiments[name], printed, place)
            _check_limit(claim, experiments[name], place)
        _check_text(claim, printed, place)
        _check_order(claim, place)
        _check_samples(claim, printed, samples, place)
    if not paper.is_shipped:
        ledger.load()  # no other paper has a claim of the same name
    _check_readings(paper, experiments)


def _check_percents(claim, place):
    """Refuse a rate below 1 % that the paper does not print, and a share in percent."""
    if claim.test == "mean" and claim.expect["column"] in SHARES and claim.expect["value"] > 1:
        text = f"{claim.expect['column']} is a share of the cells, such as 0.6 for 60 %"
        raise yaml_files.mistake(text, *place, "test", claim.test, "value")
    for name in PERCENTS:
        values = claim.expect.get(name, 0)
        for value in np.ravel([*values.values()] if isinstance(values, dict) else values):
            if 0 < value < 1 and not _is_printed(value / 100, claim.paper):
                text = f"{value:g} percent: write {100 * value:g} for a share of {value:g}, or "
                text += f"enter a printed rate below 1 % in {published.NUMBERS}"
                raise yaml_files.mistake(text, *place, "test", claim.test, name)


def _check_counts(claim, place):
    """Refuse a rate that no number of successes in the printed number of runs has.

    A printed rate may be rounded, to the nearest number, or cut. A pool has runs of several places.
    """
    expect = claim.expect
    percents, n = expect.get("percent"), (expect.get("of") or 0) * expect.get("runs", 1)
    if claim.test not in ("rate", "mean_time") or not n or expect.get("pooled"):
        return
    for percent in percents.values() if isinstance(percents, dict) else filter(None, [percents]):
        unit = 10.0 ** -max(-Decimal(str(percent)).normalize().as_tuple().exponent, 0)
        read_off, least = expect.get("read_off", 0), floor(percent * n / 100)
        errors = [100 * number / n - percent for number in (least, least + 1)]
        if not any(
            -0.51 * unit <= error + read_off and error - read_off < unit for error in errors
        ):
            text = f"{percent:g} % of {n} are {percent * n / 100:g}: how many runs are printed?"
            raise yaml_files.mistake(text, *place, "test", claim.test, "of")


def _check_samples(claim, printed, samples, place):
    """Refuse a printed rate whose number of runs is another one in an earlier claim.

    Without a row in `published.csv` two rates at one place may stand in two tables.
    """
    n = claim.expect.get("of")
    for number in sorted(numbers.stated(claim), key=str):
        if not n or number.metric != SUCCESS or printed.value(number) is None:
            continue
        n_runs = n * claim.expect.get("runs", 1)
        n_first, first = samples.setdefault(number._replace(value=0), (n_runs, claim.id))
        if n_runs != n_first:
            text = f"the rate of {number.variant} in {published.NUMBERS} is of {n_runs} runs in "
            text += f"{claim.id}, but of {n_first} in {first}"
            raise yaml_files.mistake(text, *place, "test", claim.test, "of")


def _check_printed(claim, printed, place):
    """Refuse a number of a claim if `published.csv` has another one at the same place."""
    for number in sorted(numbers.stated(claim), key=str):
        value, tolerance = printed.value(number), ROUNDING[number.metric == SUCCESS]
        if value is not None and not np.isclose(value, number.value, rtol=1e-6, atol=tolerance):
            stated = f"{number.metric} {_in_unit(number, number.value)}"
            raise _contradiction(stated, number, value, claim, place)


def _check_text(claim, printed, place):
    """Refuse a rate or a time of a claim that is not in its text, if that has any.

    If the test names no number, the printed rates or mean times count. A number between those of
    the text may be their mean.
    """
    stated, source = numbers.stated(claim), f"the test {claim.test}"
    metric = _metric(claim)
    if not stated and metric and not claim.is_of_instances:
        places = [numbers.at(claim, name, metric, 0) for name in claim.variants]
        stated = {number._replace(value=printed.value(number)) for number in places}
        source = published.NUMBERS
    beside = None, claim.expect.get("deviation")  # it may be printed beside the mean
    for number in sorted((number for number in stated if number.value not in beside), key=str):
        metric, value, written = number.metric, number.value, _written(claim.published, number)
        is_one_each = len(written) == len({(other.metric, other.value) for other in stated})
        is_within = not written or min(written)[0] <= value <= max(written)[1]
        if not is_within or (is_one_each and not any(a <= value <= b for a, b in written)):
            text = f"{claim.published}, but {source} has {metric} {_in_unit(number, value)}"
            text += f" of {number.variant}" * (number.variant != numbers.ANY)
            raise yaml_files.mistake(text, *place, "published")


def _check_order(claim, place):
    """Refuse two times in the text of a claim of the faster variant if the first is longer.

    Where the test names no numbers, they are in the order of the variants.
    """
    if claim.test != "on_most" or _metric(claim) is None or claim.expect.get("factor", 1) < 1:
        return
    times = _written(claim.published, numbers.at(claim, "", numbers.MEAN_TIME, 0))
    if len(times) == 2 and times[0][0] > times[1][1]:
        better, worse = claim.variants
        text = f"{claim.published}, but by the test {better} is faster than {worse}: "
        raise yaml_files.mistake(f"{text}write its time first", *place, "published")


def _written(text, number):
    """Return the rates, times or means of a column in a text: least and most of each.

    They have the unit of a number of the claim; their last digit may be rounded.
    """
    units, limits = {}, []
    if number.metric == SUCCESS:
        units = {"%": 1}
        for counts, n in COUNTED.findall(text):
            shares = [100 * int(solved) / max(int(n), 1) for solved in re.findall(r"\d+", counts)]
            limits += [(share - max(ROUNDING), share + max(ROUNDING)) for share in shares]
    elif number.metric.endswith("time"):
        units = TIMES
    elif number.metric in SHARES:
        units = {"%": published.TO_BASE_UNIT["%"]}
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    for words, unit in TIME_WORDS.items():
        text = re.sub(words, unit, text)
    text = MIXED.sub(_in_seconds, text)
    parts = [(part[0], units[part[1]]) for part in LISTED.finditer(text) if part[1] in units]
    if number.metric in OF_INSTANCES and not parts:  # a mean has its unit in words, or none
        parts = [(text, 1)]
    for part, unit in parts:
        for digits in NUMBER.finditer(part):
            rounding = 0.51 * 10 ** -len(digits[1] or "")
            limits.append(tuple((float(digits[0]) + end) * unit for end in (-rounding, rounding)))
    return limits


def _in_seconds(mixed):
    first, unit, second, last_unit = mixed.groups()
    return f"{float(first) * TIMES[unit] + float(second) * TIMES[last_unit]:g} s"


def _check_limit(claim, experiment, place):
    """Refuse a limit whose words contradict `work.csv`, or the steps or seconds of the claim."""
    written = _written(claim.limit, numbers.at(claim, "", numbers.MEAN_TIME, 0))
    steps = _steps_written(claim.limit)
    if claim.steps and steps and claim.steps not in steps:
        text = f"{claim.steps}, but the limit is {claim.limit}"
        raise yaml_files.mistake(text, *place, "steps")
    if written and claim.seconds > max(written)[1]:
        text = f"{claim.seconds:g}, but the limit is {claim.limit}"
        raise yaml_files.mistake(text, *place, "seconds")
    works = _works(claim.paper, claim, experiment) if written else ()
    for name, _, work in works:
        if work and not any(low <= work.limit_s <= high for low, high in written):
            text = f"{claim.limit}, but {published.WORKS} has {work.limit_s:g} s of {name}"
            raise yaml_files.mistake(text, *place, "limit")
    _check_end(claim, experiment, steps, written, place)


def _steps_written(limit):
    """Return the whole numbers in the text of a limit in steps or iterations."""
    texts = chain(*(re.findall(A_WHOLE, match[1]) for match in IN_STEPS.finditer(limit)))
    return [int(re.sub("[, ]", "", text)) for text in texts]


def _check_end(claim, experiment, steps, written, place):
    """Refuse a limit at which the runs of a claim do not end, and are not read.

    Runs whose work is known are read there, whatever ends them. A claim may compare variants that
    count other steps, so one that ends at the written steps is enough.
    """
    edition = published.work_of(experiment.name, claim.paper)
    works = _works(edition, claim, experiment)
    runs = [(variant, point) for variant, point, work in works if not work]
    ends = {variant: experiment.limit_steps(variant) for variant, _ in runs}
    known = {variant: end for variant, end in ends.items() if end}
    if steps and known and not {*steps} & {*known.values()}:
        variant, end = next(iter(known.items()))
        text = f"{claim.limit}, but {variant} ends after {end} steps: write the paper's limit to "
        text += f"limit_steps of {papers.EXPERIMENTS}, or its work to {published.WORKS}"
        raise yaml_files.mistake(text, *place, "limit")
    is_read = not written or claim.seconds or claim.steps
    for variant, point in () if is_read else runs:
        end = experiment.limit_s(variant, point)
        if end and not any(low <= end <= high for low, high in written):
            text = f"{claim.limit}, but {variant} ends after {end:g} s: write the paper's limit "
            text += f"to {papers.EXPERIMENTS}, or the seconds at which success is read to seconds"
            raise yaml_files.mistake(text, *place, "limit")


def _check_bounds(claim, printed, place):
    """Refuse a bound of success if the printed rate lies on its other side."""
    for name, sign in (("above", 1), ("below", -1)):
        for number in sorted(numbers.bounds(claim, name), key=str):
            value = printed.value(number)
            if value is not None and sign * (value - number.value) < -max(ROUNDING):
                stated = f"success {name} {_in_unit(number, number.value)}"
                raise _contradiction(stated, number, value, claim, place)


def _metric(claim):
    """Return the metric of the printed numbers that a claim compares; None if it is another one."""
    by = claim.expect.get("by", TIME if claim.test == "on_most" else SUCCESS)
    is_of_means = "median" not in claim.claim.lower()
    return SUCCESS if by == SUCCESS else numbers.MEAN_TIME if by == TIME and is_of_means else None


def _check_ranking(claim, experiment, printed, place):
    """Refuse an order of variants that is not the order of the printed numbers, of any two of them.

    At several places the means of rates count, which the test compares, too; of times the order at
    most places, as one place may have most of the time. Means of the solved runs have any order.
    """
    expect, metric = claim.expect, _metric(claim)
    is_biased = metric == numbers.MEAN_TIME and claim.biased
    of_order = claim.test in ledger.COMPARED or expect.get("factor", 1) >= 1
    is_ranked = claim.test in (*ledger.COMPARED, "on_most") and of_order
    if not is_ranked or not metric or is_biased or expect.get("gap"):
        return
    values = {
        name: _printed_values(claim, name, metric, experiment, printed) for name in claim.variants
    }
    order = expect.get("order") or [[name] for name in claim.variants]
    for better, worse in chain.from_iterable(starmap(product, combinations(order, 2))):
        pairs = [*zip(values[better], values[worse])]
        if metric == SUCCESS and pairs:
            pairs = [tuple(fsum(rates) / len(rates) for rates in zip(*pairs))]
        sign = 1 if metric == SUCCESS else -1
        reverse = [pair for pair in pairs if sign * (pair[1] - pair[0]) > EQUAL]
        if 2 * len(reverse) > len(pairs):
            first, second = reverse[0]
            text = f"{worse} comes before {better} in {published.NUMBERS}: "
            text += f"{second:g} against {first:g} {'%' if metric == SUCCESS else 's'}"
            raise yaml_files.mistake(text, *place, "test", claim.test)


def _check_hardest(claim, experiment, printed, place):
    """Refuse hardest fractions, or kinds of puzzles, if another one has a lower printed rate."""
    key = next((name for name in ("fixed_fraction", "family") if name in claim.expect), None)
    if claim.test != "hardest" or key is None:
        return
    named, seen = np.ravel(claim.expect[key]).tolist(), []
    orders = _values(_points(claim, experiment), "order")
    for variant, order in product(claim.variants, orders):
        rates = _rates(claim, variant, order, key, experiment, printed)
        seen += rates.values()
        hard = [rates[value] for value in named if value in rates]
        for value, rate in rates.items() if len(hard) == len(named) else ():
            if value not in named and fsum(hard) / len(hard) - rate > EQUAL:
                text = f"{value} is harder in {published.NUMBERS}: {rate:g} against "
                text += f"{fsum(hard) / len(hard):g} % of {variant}"
                raise yaml_files.mistake(text, *place, "test", claim.test, key)
    shares = [100 * value for value in named if key == "fixed_fraction"]  # "around 45 %"
    for low, high in _written(claim.published, numbers.at(claim, "", SUCCESS, 0)) if seen else ():
        if not any(low <= value <= high for value in (*seen, *shares)):
            rates = ", ".join(f"{rate:g}" for rate in dict.fromkeys(seen))
            text = f"{claim.published}, but {published.NUMBERS} has {rates} %"
            raise yaml_files.mistake(text, *place, "published")


def _rates(claim, variant, order, key, experiment, printed):
    """Return the printed rates of a variant at an order, by fixed fraction or family."""
    points = [point for point in _points(claim, experiment) if point.order == order]
    rates = {}
    for value in _values(points, key):
        at_place = ((), (), (value,)) if key == "family" else ((order,), (value,), ())
        rates[value] = printed.value(numbers.Number(claim.paper, variant, SUCCESS, 0, *at_place))
    return {value: rate for value, rate in rates.items() if rate is not None}


def _printed_values(claim, variant, metric, experiment, printed):
    """Return the printed numbers of a variant at the places of a claim; none unless all are."""
    key = "instance_id" if "instance_id" in claim.where else "family"
    places = dict.fromkeys(
        (point.order, point.fixed_fraction, getattr(point, key))
        for point in _points(claim, experiment)
    )
    values = []
    for order, fraction, name in places:
        at_place = (order,), (fraction,), (name,) if name else ()
        number = numbers.Number(claim.paper, variant, metric, 0, *at_place)
        values.append(printed.value(number))
    return [] if None in values else values


def _contradiction(stated, number, value, claim, place):
    text = f"{stated} of {number.variant}, but {published.NUMBERS} has {_in_unit(number, value)}"
    return yaml_files.mistake(text, *place, "test", claim.test)


def _in_unit(number, value):
    """Return a value in the unit of the number of a claim, as text."""
    is_time = number.metric.endswith("time")
    return f"{value:g}" + " %" * (number.metric == SUCCESS) + " s" * is_time


def _factor(row):
    """Return the factor from the unit of a printed number to the unit of claims."""
    return published.TO_BASE_UNIT.get(row.unit, 1) * (100 if row.metric == SUCCESS else 1)


def _is_at(row, number, paper):
    """Whether a printed number is at the place of the number of a claim, which has one place."""
    if number.puzzles:
        return [row.instance] == [paper.puzzles.get(name, name) for name in number.puzzles]
    of_claim = number.orders, number.fixed_fractions
    return row.instance == published.GENERAL and of_claim == ((row.order,), (row.fixed_fraction,))


def _is_printed(share, edition):
    return bool(np.isclose(published.values(edition, SUCCESS)["value"], share).any())


def check_claim(claim: ledger.Claim, experiment: Experiment, place: tuple) -> None:
    """Check the variants and the points of a claim, and the arguments that name points.

    `place` is the file, and the path of the claim there.
    """
    for variant in claim.variants:
        if not experiment.runs(variant):
            check_name("variant", variant, experiment.variants, *place, "runs", "variant")
    is_random = claim.is_random
    points = [point for point in experiment.points if is_random != bool(point.family)]
    for key in ("family", "instance_id", "order", *["fixed_fraction"] * is_random):
        names = _values(points, key)
        for value in claim.where.get(key, ()):
            check_name(key, value, names, *place, "runs", key)
    points = _points(claim, experiment)
    if not points and claim.where.keys() & {*Point._fields}:
        raise yaml_files.mistake("no run has all these values", *place, "runs")
    test = *place, "test", claim.test
    for name, key in OF_COLUMN.items():
        values = claim.expect.get(name, ())
        if values and is_random and key == "instance_id" and name != "puzzles":
            raise yaml_files.mistake("name the puzzles, or their family, in runs", *test, name)
        is_pair, is_collection = name == "times" and isinstance(values, list), name == "puzzles"
        if is_pair or (is_collection and isinstance(values, str)):
            continue  # two printed times; a collection of the package
        for value in [values] if isinstance(values, str | int | float) else values:
            check_name(key, value, _values(points, key), *test, name)
    along = claim.expect.get("along", "order")
    if claim.test == "falls" and along in Point._fields and len(_values(points, along)) < 2:
        names = ", ".join(map(str, _values(points, along)))
        raise yaml_files.mistake(f"needs two values of {along}: the runs have {names}", *test)
    _check_speed(claim, experiment, test)
    _check_steps(claim, experiment, place)
    n_puzzles = len(points) * (experiment.most_instances if is_random else 1)
    number = 0 if claim.expect.get("puzzles") else claim.expect.get("number", 0)  # of solutions
    if claim.test == "count" and number > n_puzzles:
        raise yaml_files.mistake(f"the runs are on {n_puzzles} puzzles", *test, "number")


def _points(claim, experiment):
    """Return the points of an experiment that a claim is about."""
    wanted = {key: values for key, values in claim.where.items() if key in Point._fields}
    points = [point for point in experiment.points if claim.is_random != bool(point.family)]
    for key, values in wanted.items():
        points = [point for point in points if getattr(point, key) in values]
    return points


def _works(edition, claim, experiment):
    """Yield variant, point and an edition's work, or None, at each point of the runs of a claim."""
    names = () if claim.is_of_instances else claim.variants
    for point, name in product(_points(claim, experiment), names):
        solver = experiment.solvers.get(papers.declared(name, experiment.solvers))
        work = published.work(edition, solver, point.order, point.fixed_fraction)
        yield name, point, work


def _values(points, key):
    return dict.fromkeys(getattr(point, key) for point in points)


def _check_speed(claim, experiment, test):
    """Refuse a program whose speed is not known at a point of the runs of a claim."""
    program = claim.expect.get("program")
    for name, point, work in _works(program, claim, experiment) if program else ():
        if work is None:
            text = f"{program} has no work of {name} at order {point.order}"
            raise yaml_files.mistake(f"{text}; write it to {published.WORKS}", *test)


def _check_steps(claim, experiment, place):
    """Refuse steps that no run of a variant may take: all its unsolved runs would be too short."""
    edition = published.work_of(experiment.name, claim.paper)
    for name, _, work in _works(edition, claim, experiment):
        limit = experiment.limit_steps(name)
        if limit and claim.steps > limit and not work:
            text = f"{name} ends after {limit} steps (limit_steps): no unsolved run would count"
            raise yaml_files.mistake(text, *place, "steps")


def _check_readings(paper, experiments):
    """Check the names in readings, and that each is about the runs of a claim."""
    file, ours = paper.folder / ledger.READINGS, papers.declared_variants(paper.folder)
    for edition in yaml_files.read(file, "edition_2030: ...") if file.exists() else ():
        check_name("edition", edition, paper.editions, file, edition)
    claims = ledger.load()
    own = [name for name in paper.experiments if name in experiments]
    variants = dict.fromkeys([*ours, *paper.variants])
    for edition in paper.editions:
        for reading in ledger.readings().get(edition, ()):
            place = file, edition, reading.name
            for name in (*reading.experiments, *reading.experiments.values()):
                check_name("experiment", name, own, *place, "experiments", name)
            for name in (*reading.variants, *reading.variants.values()):
                if papers.declared(name, variants) not in variants:
                    check_name("variant", name, variants, *place, "variants", name)
            read = [claim.under(reading) for claim in claims if claim.paper == edition]
            read = [claim for claim in read if claim]
            if not read:
                text = "no claim is about its variants or experiments"
                raise yaml_files.mistake(text, *place)
            _check_runs(reading, read, experiments, place)


def _check_runs(reading, claims, experiments, place):
    """Refuse a new variant, or new experiments, under which no claim has all its runs.

    A variant that no experiment of a paper has is for the files of users.
    """
    missing, complete = {}, []
    for claim in claims:
        name = claim.runs["experiment"]
        lacking = [part for part in claim.variants if _runs_only_beside(name, part, experiments)]
        missing |= dict.fromkeys(lacking, name)
        complete += [] if lacking else [claim]
    present = {variant for claim in complete for variant in claim.variants}
    others = () if complete else missing
    for variant in [*reading.variants.values()] or others:
        if variant in missing and variant not in present:
            runs = [name for name, entry in experiments.items() if entry.runs(variant)]
            text = f"{missing[variant]} does not run {variant}, {', '.join(runs)} does"
            raise yaml_files.mistake(f"{text}: change variants or experiments", *place)


def _runs_only_beside(experiment, variant, experiments):
    """Whether other experiments run a variant, and this one of a paper does not."""
    is_run = any(entry.runs(variant) for entry in experiments.values())
    return is_run and experiment in experiments and not experiments[experiment].runs(variant)
