// Picks the rows that are asked for, names and colours them, and hands them to Vega-Embed.
(() => {
  const find = (id) => document.getElementById(`chart-${id}`);
  if (!find("controls")) return;
  const data = JSON.parse(document.getElementById("charts-data").textContent);
  const unpack = ({ columns, data: cells }) =>
    cells.map((row) => Object.fromEntries(columns.map((name, k) => [name, row[k]])));
  const rows = unpack(data.rows);
  let hidden = new Set(); // variants; at first those of which the paper prints no numbers
  let isChanged = false; // whether solvers were chosen by hand
  const drawn = {}; // promises of Vega-Embed
  const ERRORS_ONLY = 1; // Vega warns where no solver is chosen

  const three = (value) => String(Number(value.toPrecision(3)));
  const time = (value) =>
    value === null ? "–"
    : value >= 1 ? `${three(value)} s`
    : value >= 1e-3 ? `${three(1e3 * value)} ms`
    : `${three(1e6 * value)} µs`;
  const percent = (value) => `${three(100 * value)} %`;
  const fromTo = ([low, high]) => `${percent(low)} to ${percent(high)}`;
  const steps = (value) => `${value.toLocaleString("en")} ${value === 1 ? "step" : "steps"}`;
  const view = () => data.views[find("view").value];
  const isInView = (row) => row.experiment === view().experiment && row.view === view().view;
  const isChosen = (row) => isInView(row) && !hidden.has(row.variant);
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

  const wilson = (solved, n) => data.wilson[n][solved];

  // Runs that seconds ended before the paper's work might have been solved.
  function success({ solved, n, n_unfinished: open }) {
    const [low, high] = [wilson(solved, n)[0], wilson(solved + open, n)[1]];
    const counts = `${open ? "≥ " : ""}${solved} of ${n}`;
    return { wilson_low: low, wilson_high: high, counts, wilson: fromTo([low, high]) };
  }

  const summarised = (chosen) =>
    chosen.map((row) => ({
      ...row,
      ...look(row),
      ...success(row),
      place: place(row.x),
      mean: time(row.mean_time_solved_s),
      par2: time(row.par2_s),
      median: time(row.median_time_s),
      limit: limit(row),
    })).map((row) => ({ ...row, described: `${row.label}, ${row.place}, solved: ${row.counts}; PAR2 ${row.par2}` }));

  // Steps of the distribution; each line goes on as far as its runs are known.
  function distribution() {
    const cell = rows.filter((row) => isChosen(row) && String(row.x) === find("cell").value);
    return cell.flatMap((row) => {
      const line = [];
      for (let k = 0; k < row.times.length; k += 2) {
        const [within, count] = [row.times[k], row.times[k + 1]];
        const texts = { described: `${look(row).label}: ${count} of ${row.n} within ${time(within)}`, text: `${count} of ${row.n}`, within: time(within), wilson: fromTo(wilson(row.solved, row.n)) };
        line.push({ time: within, share: count / row.n, is_run: true, ...texts });
      }
      if (line.length) line.push({ ...line.at(-1), time: Math.max(row.end_s, row.times.at(-2)), is_run: false });
      return line.map((step) => ({ ...step, variant: row.variant, ...look(row) }));
    });
  }

  // --- charts ------------------------------------------------------------------------------------

  function embed(name, spec, datasets) {
    const options = { mode: "vega-lite", actions: false, renderer: "svg", logLevel: ERRORS_ONLY };
    drawn[name]?.then((before) => before.finalize());
    drawn[name] = vegaEmbed(`#chart-${name}`, structuredClone({ ...spec, datasets }), options);
    // A finger that is lifted is out, which hides what it has touched; then comes the click.
    drawn[name].then(({ view }) => view.addEventListener("click", (event, item) => view.tooltip()(null, event, item, item?.tooltip)));
  }

  // The first screen: the papers' systems and one's own, named with what they solve at the hardest point.
  function drawFirst() {
    if (view().kind !== "random") return;
    const [there, names] = [hardest(places()), data.printed[view().experiment]];
    const systems = data.own.includes(view().experiment) ? names : names.filter((name) => data.solvers.includes(name));
    const isShown = (row) => isInView(row) && (systems.length ? systems : names).includes(row.variant);
    const found = summarised(rows.filter(isShown));
    const ends = found.filter((row) => row.x === there).sort((one, other) => other.success_rate - one.success_rate);
    const name = (row) => make("li", {}, marker(row.variant), `${row.label} ${percent(row.success_rate)}`);
    document.getElementById("first").hidden = false;
    document.getElementById("first-title").textContent = `Solved, ${view().title}`;
    document.getElementById("first-names").replaceChildren(...ends.map(name));
    document.getElementById("first-place").textContent = place(there);
    embed("first", specs.first(places()), { rows: found });
  }

  function draw() {
    const metric = find("metric").value;
    const [title, note] = data.metrics[metric];
    find("note").textContent = note;
    embed("summary", specs.summary(metric, title, view().kind, places()), { rows: summarised(rows.filter(isChosen)) });
    drawTimes();
  }

  const drawTimes = () => embed("times", specs.times(), { times: distribution() });

  // --- what can be chosen ------------------------------------------------------------------------

  const option = (value, text) => make("option", { value, textContent: text });

  function fillViews() {
    const chosen = [...data.views.entries()].filter(([, each]) => each.experiment === find("experiment").value);
    find("view").replaceChildren(...chosen.map(([k, each]) => option(k, each.title)));
    // The largest random instances come last, and are where solvers differ.
    const [first] = chosen.findLast(([, each]) => each.kind !== "given") ?? chosen[0];
    find("view").value = first;
    fillView();
  }

  function fillView() {
    find("cell").replaceChildren(...places().map((x) => option(x, place(x))));
    find("cell").value = hardest(places());
    fillVariants();
    draw();
  }

  const solvedAt = (x) => rows.reduce((sum, row) => sum + (isInView(row) && row.x === x ? row.solved / row.n : 0), 0);
  // As in the ranking: a place where nothing is solved tells no solvers apart.
  function hardest(of) {
    const some = of.filter(solvedAt);
    return (some.length ? some : of).sort((one, other) => solvedAt(one) - solvedAt(other))[0];
  }

  function fillVariants() {
    if (!isChanged) hidden = new Set(variants().filter((name) => !data.printed[view().experiment].includes(name)));
    find("variants").replaceChildren(...variants().map((name) => {
      const box = make("input", { type: "checkbox", value: name, checked: !hidden.has(name) });
      return make("label", {}, box, marker(name), look({ variant: name }).label);
    }));
  }

  function marker(variant) {
    const { color, shape } = look({ variant });
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "-1.2 -1.2 2.4 2.4");
    svg.setAttribute("aria-hidden", "true");
    svg.appendChild(document.createElementNS(svg.namespaceURI, "path")).setAttribute("d", shape);
    svg.style.setProperty("--color", color);
    return svg;
  }

  const on = (name, type, act) => find(name).addEventListener(type, act);
  on("experiment", "change", fillViews);
  on("view", "change", fillView);
  on("metric", "change", draw);
  on("cell", "change", drawTimes);
  on("variants", "change", ({ target }) => {
    isChanged = true;
    hidden[target.checked ? "delete" : "add"](target.value);
    draw();
  });
  on("all", "click", () => {
    isChanged = true;
    const areAll = variants().every((name) => !hidden.has(name));
    for (const name of variants()) hidden[areAll ? "add" : "delete"](name);
    fillVariants();
    draw();
  });
  on("controls", "submit", (event) => event.preventDefault());
  fillViews();
  drawFirst();
})();
