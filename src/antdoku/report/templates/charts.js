// Picks the rows that are asked for, names and colours them, and hands them to Vega-Embed.
(() => {
  const find = (id) => document.getElementById(`chart-${id}`);
  if (!find("controls")) return;
  const data = JSON.parse(document.getElementById("charts-data").textContent);
  const unpack = ({ columns, data: cells }) =>
    cells.map((row) => Object.fromEntries(columns.map((name, k) => [name, row[k]])));
  const seconds = (times) => times.map((time) => time / 1e6);
  const rows = unpack(data.rows).map((row) => ({ ...row, times: seconds(row.times_us) }));
  const numbers = unpack(data.printed);
  let chosen = null; // names of variants, if solvers were chosen by hand
  const drawn = {}; // promises of Vega-Embed
  const charts = {}; // views of Vega
  const ERRORS_ONLY = 1; // Vega warns where no solver is chosen

  const three = (value) => String(Number(value.toPrecision(3)));
  const time = (value) =>
    value === null || value === undefined ? "–"
    : value >= 1 ? `${three(value)} s`
    : value >= 1e-3 ? `${three(1e3 * value)} ms`
    : `${three(1e6 * value)} µs`;
  const percent = (value) => `${three(100 * value)} %`;
  const fromTo = (low, high) => `${percent(low)} to ${percent(high)}`;
  const steps = (value) => `${value.toLocaleString("en")} ${value === 1 ? "step" : "steps"}`;
  const view = () => data.views[find("view").value];
  const isInView = (row) => row.experiment === view().experiment && row.view === view().view;
  const names = () => chosen ?? new Set(view().shown);
  const isChosen = (row) => isInView(row) && names().has(row.variant);
  const variants = () => [...new Set(rows.filter(isInView).map((row) => row.variant))];
  const places = () => [...new Set(rows.filter(isInView).map((row) => row.x))];
  const isGiven = () => view().kind === "given";
  const place = (x) => (isGiven() ? x : `${three(x)} % fixed`);

  function make(tag, properties = {}, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  const look = ({ variant }) => data.variants[variant];

  // --- rows --------------------------------------------------------------------------------------

  const limit = ({ limit_steps: most, limit_s: seconds }) =>
    [most > 0 && steps(most), seconds !== null && time(seconds)].filter(Boolean).join(" or ") || "none";

  // Runs that seconds ended before the paper's work might have been solved.
  const counts = ({ solved, n, n_unfinished: open }) => `${open ? "≥ " : ""}${solved} of ${n}`;

  const summarised = (selected) => selected.map((row) => ({ ...row, ...look(row), counts: counts(row) }));

  // Printed numbers of a measure, in the colours of our variants, with the markers of their sources.
  const printedOf = (metric) => (number) => number.metric === metric && isChosen(number);
  const marked = (selected) => selected.map((number) => ({ ...number, ...look(number), shape: data.shapes[number.source] }));

  const text = (metric, value) => (metric === "success_rate" ? percent(value) : time(value));
  const withInterval = ({ metric, value, low, high }) => `${text(metric, value)}${low === null ? "" : `, ${fromTo(low, high)}`}`;

  // Columns of printed numbers, by source: their headings, and the texts of a row.
  function printedColumns(metrics, write) {
    const selected = numbers.filter((number) => isChosen(number) && metrics.includes(number.metric));
    const columns = metrics.flatMap((metric) =>
      [...new Set(selected.filter((number) => number.metric === metric).map(({ source }) => source))].map((source) => ({ metric, source })));
    const cell = (row) => ({ metric, source }) => {
      const number = selected.find((one) => one.metric === metric && one.source === source && one.x === row.x && one.variant === row.variant);
      return number ? write(number) : "";
    };
    return { headings: columns.map(({ source }) => source), cells: (row) => columns.map(cell(row)) };
  }

  // A point for each solved run, or for each quantile of many; each line goes on as far as its runs are known.
  function line(row) {
    const last = row.times.length - 1;
    const rank = (k) => (last ? 1 + (k * (row.solved - 1)) / last : row.solved);
    const points = row.times.map((within, k) => ({ time: within, share: rank(k) / row.n, is_last: k === last }));
    if (points.length) points.push({ ...points[last], time: Math.max(row.end_s, row.times[last]), is_last: false });
    return points.map((point) => ({ ...point, variant: row.variant, ...look(row) }));
  }

  const inCell = () => rows.filter((row) => isChosen(row) && String(row.x) === find("cell").value);

  // The number of runs of a row that are solved within a time.
  function solvedWithin(row, within) {
    const count = row.times.filter((one) => one <= within).length;
    return row.times.length ? Math.floor((count * row.solved) / row.times.length) : 0;
  }

  // The time within which a share of the runs of a row is solved; null if fewer are.
  function quantile(row, share) {
    const rank = Math.ceil(share * row.n);
    return rank > row.solved ? null : row.times[Math.ceil((rank * row.times.length) / row.solved) - 1];
  }

  // --- tables ------------------------------------------------------------------------------------

  // The first cell of a row names its solver.
  function table(caption, headings, lines) {
    const head = headings.map((text, k) => make("th", { scope: "col", className: k ? "num" : "", textContent: text }));
    const body = lines.map(([variant, ...cells]) =>
      make("tr", {}, make("th", { scope: "row" }, marker(variant), ` ${data.variants[variant].label}`),
        ...cells.map((text) => make("td", { className: "num", textContent: text }))));
    return make("table", { className: "dense" }, make("caption", { textContent: caption }),
      make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body));
  }

  // Columns in which no line has a text are left out.
  function filled(caption, headings, lines) {
    const isFilled = headings.map((_, k) => !k || lines.some((cells) => cells[k]));
    const keep = (cells) => cells.filter((_, k) => isFilled[k]);
    return table(caption, keep(headings), lines.map(keep));
  }

  const best = (metric) => (one, other) =>
    metric === "success_rate" ? other[metric] - one[metric] : (one[metric] ?? Infinity) - (other[metric] ?? Infinity);

  // What the box has at a place of the upper chart, the best solver first.
  function atPlace(selected, metric) {
    const field = specs.field(view().kind);
    const printed = printedColumns([metric], ({ value }) => text(metric, value));
    const headings = ["Solver", "Solved", ...(metric === "success_rate" ? [] : [data.metrics[metric][0]]), ...printed.headings];
    return (x) => {
      const measured = (row) => (metric === "success_rate" ? [] : [time(row[metric])]);
      const lines = selected.filter((row) => row[field] === x).sort(best(metric)).map((row) =>
        [row.variant, row.counts, ...measured(row), ...printed.cells(row)]);
      return filled(field === "x" ? place(x) : view().title, headings, lines);
    };
  }

  function withinTime(selected) {
    return (within) => {
      const lines = selected.map((row) => ({ row, count: solvedWithin(row, within) })).sort((one, other) => other.count / other.row.n - one.count / one.row.n);
      return table(`Within ${time(within)}`, ["Solver", "Solved"], lines.map(({ row, count }) => [row.variant, `${count} of ${row.n}`]));
    };
  }

  // Fill the table under a chart when it is opened.
  function tabulate(name, contents) {
    const [fold, area] = [find(`${name}-fold`), find(`${name}-table`)];
    const fill = () => area.replaceChildren(...(fold.open ? [contents()] : []));
    fold.ontoggle = fill;
    fill();
  }

  function whole(selected) {
    const printed = printedColumns(["success_rate", "mean_time_solved_s"], withInterval);
    const headings = ["Solver", "Place", "Solved", "95 %", "Mean of the solved", "PAR2", "Median", "Limit", ...printed.headings];
    const lines = selected.map((row) => [row.variant, place(row.x), row.counts, fromTo(row.wilson_low, row.wilson_high),
      time(row.mean_time_solved_s), time(row.par2_s), time(row.median_time_s), limit(row), ...printed.cells(row)]);
    return () => filled("", headings, lines);
  }

  const SHARES = [0.1, 0.25, 0.5, 0.75, 0.9];
  const quantiles = (selected) => () => table("Time within which this share of the runs is solved", ["Solver", ...SHARES.map(percent), "Solved"],
    selected.map((row) => [row.variant, ...SHARES.map((share) => time(quantile(row, share))), counts(row)]));

  // --- charts ------------------------------------------------------------------------------------

  const CHARTS = ["first", "summary", "times"].filter(find);
  const follow = Object.fromEntries(CHARTS.map((name) => [name, crosshair(find(name))]));
  const labels = Object.fromEntries(CHARTS.map((name) => [name, find(name).getAttribute("aria-label")]));

  function embed(name, spec, datasets, field, contents, axis = "x") {
    const options = { mode: "vega-lite", actions: false, renderer: "svg", logLevel: ERRORS_ONLY, tooltip: false };
    drawn[name]?.then((before) => before.finalize());
    const values = datasets.places.map((value) => ({ [field]: value }));
    drawn[name] = vegaEmbed(`#chart-${name}`, structuredClone({ ...spec, description: labels[name], datasets: { ...datasets, places: values } }), options);
    drawn[name].then((result) => {
      charts[name] = result.view;
      follow[name](result.view, datasets.places, contents, axis);
    });
  }

  // A print shrinks what is wider than its page: texts of a chart keep their size if it is drawn as wide as paper.
  const PAPER = 680; // pixels
  function fit(width) {
    for (const [name, chart] of Object.entries(charts)) chart.width(width ?? find(name).clientWidth).run();
  }

  const isNumber = (value) => typeof value === "number";

  // The first screen: what the papers print, beside our systems, named with what they solve at the hardest point.
  function drawFirst() {
    if (!find("first") || view().kind !== "random" || !data.first.length) return;
    chosen = new Set(data.first);
    const selected = summarised(rows.filter(isChosen));
    const there = hardest(places());
    const ends = selected.filter((row) => row.x === there).sort(best("success_rate"));
    const name = (row) => make("li", {}, marker(row.variant), `${row.label} ${percent(row.success_rate)}`);
    document.getElementById("first").hidden = false;
    document.getElementById("first-title").textContent = `Solved, ${view().title}`;
    document.getElementById("first-names").replaceChildren(...ends.map(name));
    document.getElementById("first-place").textContent = place(there);
    const printed = marked(numbers.filter(printedOf("success_rate")));
    document.getElementById("first-printed").hidden = !printed.length;
    embed("first", specs.first(places()), { rows: selected, printed, places: places() }, "x", atPlace(selected, "success_rate"));
    tabulate("first", whole(selected));
    chosen = null;
  }

  function draw() {
    const metric = find("metric").value;
    const [title, note] = data.metrics[metric];
    const selected = summarised(rows.filter(isChosen));
    const printed = marked(numbers.filter(printedOf(metric)));
    const times = [...selected.map((row) => row[metric]), ...printed.map((number) => number.value)].filter(isNumber);
    const field = specs.field(view().kind);
    const along = field === "x" ? places() : selected.map((row) => row.label);
    find("note").textContent = `${note}${printed.length ? " Open markers are printed in the papers, at their limits, with an interval where the number of runs is known." : ""}`;
    const spec = specs.summary(metric, title, view().kind, along, times);
    embed("summary", spec, { rows: selected, printed, places: along }, field, atPlace(selected, metric), specs.axis(view().kind, along));
    tabulate("summary", whole(selected));
    drawTimes();
  }

  const TENTHS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8]; // of a decade, about
  function drawTimes() {
    const selected = inCell();
    const points = selected.flatMap(line);
    const ends = selected.flatMap((row) => (row.times.length ? [row.times[0], row.times.at(-1), row.end_s] : []));
    const along = ends.length ? specs.decades(Math.min(...ends), Math.max(...ends), TENTHS) : [];
    embed("times", specs.distribution(ends), { times: points, places: along }, "time", withinTime(selected));
    tabulate("times", quantiles(selected));
  }

  // --- what can be chosen ------------------------------------------------------------------------

  const option = (value, text) => make("option", { value, textContent: text });
  const has = (select, value) => [...select.options].some((one) => one.value === value);

  function fillViews() {
    const selected = [...data.views.entries()].filter(([, entry]) => entry.experiment === find("experiment").value);
    find("view").replaceChildren(...selected.map(([k, entry]) => option(k, entry.title)));
    find("view").value = selected.find(([, entry]) => entry.opens)[0];
  }

  function fillPlaces() {
    if (!variants().some((name) => names().has(name))) chosen = null; // no view opens empty
    find("cell").replaceChildren(...places().map((x) => option(x, place(x))));
    const telling = places().filter(isHalfSolved);
    find("cell").value = hardest(telling.length ? telling : places());
    fillVariants();
  }

  const solvedAt = (x) => rows.reduce((sum, row) => sum + (isInView(row) && row.x === x ? row.solved / row.n : 0), 0);
  // Few solved runs have no distribution of times.
  const isHalfSolved = (x) => rows.some((row) => isInView(row) && row.x === x && 2 * row.solved >= row.n);
  // As in the ranking: a place where nothing is solved tells no solvers apart.
  function hardest(of) {
    const selected = of.filter(solvedAt);
    return (selected.length ? selected : of).sort((one, other) => solvedAt(one) - solvedAt(other))[0];
  }

  function fillVariants() {
    find("variants").replaceChildren(...variants().map((name) => {
      const box = make("input", { type: "checkbox", value: name, checked: names().has(name) });
      return make("label", {}, box, marker(name), look({ variant: name }).label);
    }));
    nameAll();
  }

  const areAll = () => variants().every((name) => names().has(name));
  function nameAll() {
    find("all").textContent = areAll() ? "Show no solver" : "Show all solvers";
    find("count").textContent = `${variants().filter((name) => names().has(name)).length} of ${variants().length}`;
  }

  function marker(variant) {
    const { color, shape } = data.variants[variant];
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "-1.2 -1.2 2.4 2.4");
    svg.setAttribute("aria-hidden", "true");
    svg.setAttribute("class", "marker");
    svg.appendChild(document.createElementNS(svg.namespaceURI, "path")).setAttribute("d", shape);
    svg.style.setProperty("--color", color);
    return svg;
  }

  // --- the choice, which the address keeps ---------------------------------------------------------

  const FIELDS = ["experiment", "view", "metric", "cell"];

  function remember() {
    for (const name of FIELDS) address.set(name, name === "view" ? view().view : find(name).value);
    address.set("solvers", chosen && [...chosen].join(","));
  }

  // Take the choice from the address; what this report does not have keeps its default.
  function recall() {
    const wanted = Object.fromEntries([...FIELDS, "solvers"].map((name) => [name, address.get(name)]));
    const take = (name, value) => has(find(name), value) && (find(name).value = value);
    if (take("experiment", wanted.experiment)) fillViews();
    take("view", String(data.views.findIndex((entry) => entry.experiment === find("experiment").value && entry.view === wanted.view)));
    if (wanted.solvers !== null) chosen = new Set(wanted.solvers.split(","));
    fillPlaces();
    take("metric", wanted.metric);
    take("cell", wanted.cell);
  }

  function change(...acts) {
    return (event) => {
      for (const act of acts) act(event);
      remember();
    };
  }

  function choose({ target }) {
    chosen = new Set(names());
    chosen[target.checked ? "add" : "delete"](target.value);
    nameAll();
  }

  function chooseAll() {
    const wereAll = areAll();
    chosen = new Set([...names(), ...variants()]);
    if (wereAll) for (const name of variants()) chosen.delete(name);
    fillVariants();
  }

  const on = (name, type, ...acts) => find(name).addEventListener(type, change(...acts));
  on("experiment", "change", fillViews, fillPlaces, draw);
  on("view", "change", fillPlaces, draw);
  on("metric", "change", draw);
  on("cell", "change", drawTimes);
  on("variants", "change", choose, draw);
  on("all", "click", chooseAll, draw);
  addEventListener("beforeprint", () => fit(PAPER));
  addEventListener("afterprint", () => fit());
  find("controls").addEventListener("submit", (event) => event.preventDefault());
  fillViews();
  drawFirst();
  recall();
  draw();
})();
