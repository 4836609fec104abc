// Picks the rows that are asked for, names and colours them, and hands them to Vega-Embed.
(() => {
  const find = (id) => document.getElementById(`chart-${id}`);
  if (!find("controls")) return;
  const data = JSON.parse(document.getElementById("charts-data").textContent);
  const unpack = ({ columns, rows }) =>
    rows.map((row) => Object.fromEntries(columns.map((name, k) => [name, row[k]])));
  const [rows, published] = [unpack(data.rows), unpack(data.published)];
  const hidden = new Set();
  const drawn = {}; // promises of Vega-Embed
  const ERRORS_ONLY = 1; // Vega warns of layers without data: numbers that no paper printed
  const SUCCESS = "success_rate";
  const TICKS = 4; // stops from one to the next

  const three = (value) => String(Number(value.toPrecision(3)));
  const time = (value) =>
    value === null ? "–"
    : value >= 1 ? `${three(value)} s`
    : value >= 1e-3 ? `${three(1e3 * value)} ms`
    : `${three(1e6 * value)} µs`;
  const percent = (value) => `${three(100 * value)} %`;
  const steps = (value) => `${value.toLocaleString("en")} ${value === 1 ? "step" : "steps"}`;
  const isDark = () => document.documentElement.dataset.theme === "dark";
  const view = () => data.views[find("view").value];
  const isInView = (row) => row.experiment === view().experiment && row.view === view().view;
  const isChosen = (row) => isInView(row) && !hidden.has(row.variant);
  const isGiven = () => view().kind === "given";
  const placeName = (x) => (isGiven() ? x : `${three(x)} %`);
  const place = (x) => (isGiven() ? x : `${placeName(x)} fixed`);

  function make(tag, properties = {}, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  const option = (value, text) => make("option", { value, textContent: text });

  function look(row) {
    const found = data.variants[row.variant];
    return { label: found.label, color: isDark() ? found.night : found.day, shape: found.shape };
  }

  // --- success at a work -------------------------------------------------------------------------

  const wilson = (solved, n) => data.wilson[n][solved];
  const fromTo = ([low, high]) => `${percent(low)} to ${percent(high)}`;
  const stop = () => Number(find("work").value);
  const isAtWork = (row) => row.solved_at !== null && !find("work").disabled;

  // Runs that are open are not solved, and ended before the work that is asked about.
  function counted(row) {
    if (!isAtWork(row)) return { solved: row.solved, open: 0, beyond: false };
    if (stop() < row.solved_at.length)
      return { solved: row.solved_at[stop()], open: row.open_at[stop()] ?? 0, beyond: false };
    return { solved: row.solved, open: row.n - row.solved, beyond: row.solved < row.n };
  }

  function success(row) {
    const { solved, open, beyond } = counted(row);
    const [low, high] = beyond ? [null, null] : [wilson(solved, row.n)[0], wilson(solved + open, row.n)[1]];
    return {
      beyond,
      success_rate: solved / row.n,
      wilson_low: low,
      wilson_high: high,
      counts: `${open ? "≥ " : ""}${solved} of ${row.n}`,
      wilson: beyond ? "not known beyond its reach" : fromTo([low, high]),
    };
  }

  function workOf(row) {
    if (!isAtWork(row)) return "the end of the runs";
    return `${workText()}: ${steps(Math.round(data.work.stops[stop()] * row.papers_steps))}`;
  }

  function limitOf(row) {
    const limits = row.limit_steps > 0 ? [steps(row.limit_steps)] : [];
    if (row.limit_s !== null) limits.push(time(row.limit_s));
    return limits.join(" or ") || "none";
  }

  function workText() {
    const label = data.work.labels[stop()];
    if (stop() === data.work.papers) return "the papers’ work";
    return `${label} ${stop() < data.work.papers ? "of" : "×"} the papers’ work`;
  }

  // --- rows --------------------------------------------------------------------------------------

  function summaries() {
    const chosen = rows.filter(isChosen);
    // A line has one look: between two of its points lie others.
    const partly = new Set(chosen.filter((row) => counted(row).beyond).map((row) => row.variant));
    return chosen.map((row) => ({
      ...row,
      ...look(row),
      ...success(row),
      partly_beyond: partly.has(row.variant),
      place: place(row.x),
      work: workOf(row),
      mean: time(row.mean_time_solved_s),
      par2: time(row.par2_s),
      median: time(row.median_time_s),
      limit: limitOf(row),
    }));
  }

  function printed(metric) {
    const name = isGiven() ? "given" : view().view;
    return published
      .filter((row) => row.experiment === view().experiment && row.view === name && row.metric === metric)
      .filter((row) => row.variant in data.variants && !hidden.has(row.variant))
      .map((row) => ({ ...row, ...look(row), text: metric === SUCCESS ? percent(row.value) : time(row.value) }));
  }

  // Steps of the distribution; each line goes on as far as its runs are known.
  function distribution() {
    const cell = rows.filter((row) => isChosen(row) && String(row.x) === find("cell").value);
    return cell.flatMap((row) => {
      const line = [];
      for (let k = 0; k < row.times.length; k += 2) {
        const [within, count] = [row.times[k], row.times[k + 1]];
        const texts = { text: `${count} of ${row.n}`, within: time(within), wilson: fromTo(wilson(row.solved, row.n)) };
        line.push({ time: within, share: count / row.n, is_run: true, ...texts });
      }
      if (line.length) line.push({ ...line.at(-1), time: Math.max(row.end_s, row.times.at(-2)), is_run: false });
      return line.map((step) => ({ ...step, variant: row.variant, ...look(row) }));
    });
  }

  // --- charts ------------------------------------------------------------------------------------

  // That of day or of night, which the property itself does not tell.
  function colorOf(name) {
    const probe = find("note");
    probe.style.color = `var(${name})`;
    const { color } = getComputedStyle(probe);
    probe.style.color = "";
    return color;
  }

  function style() {
    const [ink, muted, line] = ["--ink", "--muted", "--line"].map(colorOf);
    const font = "system-ui, sans-serif";
    return {
      background: null,
      font,
      view: { stroke: null },
      axis: {
        labelColor: ink, titleColor: muted, gridColor: line, domainColor: muted, tickColor: muted,
        labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", titlePadding: 8, labelOverlap: true,
      },
      axisX: { grid: false },
      style: { "group-title": { fill: ink } },
    };
  }

  function embed(name, spec, datasets) {
    const full = { ...spec, datasets, config: style(), autosize: { type: "fit-x", contains: "padding" } };
    const options = { mode: "vega-lite", actions: false, renderer: "svg", logLevel: ERRORS_ONLY };
    drawn[name]?.then((before) => before.finalize());
    drawn[name] = vegaEmbed(`#chart-${name}`, structuredClone(full), options);
  }

  function draw() {
    const metric = find("metric").value;
    fillWork();
    const open = isGiven() ? [] : printed(metric);
    find("note").textContent = data.metrics[metric].note;
    find("published").hidden = !open.length;
    const isEmpty = !rows.some(isChosen);
    find("none").hidden = !isEmpty;
    for (const name of ["summary", "numbers", "times"]) find(name).hidden = isEmpty;
    find("times-none").hidden = true;
    if (isEmpty) return;
    embed("summary", specs.summary(metric, data.metrics[metric].title, view().kind), { rows: summaries(), published: open });
    drawTable();
    drawTimes();
  }

  function drawTimes() {
    const times = distribution();
    find("times-none").hidden = times.length > 0;
    find("times").hidden = !times.length;
    if (times.length) embed("times", specs.times(), { times });
  }

  function changeWork() {
    sayWork();
    drawn.summary.then((chart) => chart.view.data("rows", summaries()).runAsync());
    drawTable();
  }

  // --- the slider of work ------------------------------------------------------------------------

  function fillWork() {
    const reached = rows.filter((row) => isInView(row) && row.solved_at).map((row) => row.solved_at.length - 1);
    const last = Math.max(data.work.papers, ...reached);
    find("work").max = last;
    find("work").disabled = !reached.length || find("metric").value !== SUCCESS;
    find("work-ticks").replaceChildren(...ticks(last));
    find("work-note").textContent = workNote(reached.length);
    sayWork();
  }

  function ticks(last) {
    const { labels, papers } = data.work;
    const hasLabel = (k) => (k - papers) % TICKS === 0 || (k === last && (k - papers) % TICKS > 1);
    return labels.slice(0, last + 1).map((text, k) => {
      const className = k === papers ? "papers" : "";
      const tick = make("span", { textContent: hasLabel(k) ? text : "", className });
      tick.style.setProperty("--at", k / last);
      return tick;
    });
  }

  function workNote(isKnown) {
    if (find("metric").value !== SUCCESS) return "Seconds are as measured at the ends of the runs: work does not change them.";
    if (!isKnown) return "Success is that at the ends of the runs: what the papers’ programs did within their limits is not known here.";
    const fixed = variants().filter((name) => rows.every((row) => !isInView(row) || row.variant !== name || !row.solved_at));
    const others = fixed.map((name) => look({ variant: name }).label).join(", ");
    return "1 is what the papers’ programs did within the papers’ limits. Beyond the steps that a solver had, its last value stays, faded and dashed."
      + (others && ` Not changed by the slider: ${others}.`);
  }

  function sayWork() {
    const text = find("work").disabled ? "whole runs" : workText();
    find("work-text").textContent = text;
    find("work").setAttribute("aria-valuetext", text);
    find("work-reset").disabled = find("work").disabled || stop() === data.work.papers;
  }

  // --- the table ---------------------------------------------------------------------------------

  const key = ({ variant, x }) => `${variant} ${x}`;

  // Places are rows; where there is but one, solvers are.
  function drawTable() {
    const [metric, shown] = [find("metric").value, summaries()];
    const cells = new Map(shown.map((row) => [key(row), cellOf(row, metric)]));
    for (const row of printed(metric)) cells.get(key(row))?.append(theirs(row));
    const places = [...new Set(shown.map((row) => row.x))].map((x) => ({ x, head: [placeName(x)] }));
    const solvers = variants().filter((name) => !hidden.has(name)).map((name) => ({ variant: name, head: headOf(name) }));
    const [down, across] = view().kind === "single" ? [solvers, places] : [places, solvers];
    const heads = across.map(({ head }) => make("th", { scope: "col", className: "num" }, ...head));
    const corner = make("th", { scope: "col", textContent: down === places ? find("cell-label").textContent : "" });
    const lines = down.map((row) => make("tr", {}, make("th", { scope: "row" }, ...row.head),
      ...across.map((column) => cells.get(key({ ...row, ...column })) ?? make("td"))));
    const title = find("work").disabled ? data.metrics[metric].title : `Solved after ${workText()}`;
    find("table").replaceChildren(
      make("caption", { textContent: title }),
      make("thead", {}, make("tr", {}, corner, ...heads)),
      make("tbody", {}, ...lines),
    );
    sayTable();
  }

  function cellOf(row, metric) {
    const text = metric === SUCCESS ? row.counts : time(row[metric]);
    return make("td", { className: row.beyond ? "num beyond" : "num", textContent: text });
  }

  function theirs({ text, source }) {
    return make("small", { className: "published", textContent: text, title: source });
  }

  function headOf(variant) {
    const { label } = look({ variant });
    return find("work").disabled ? [label] : [label, make("small", { textContent: limitsOf(variant) })];
  }

  // How far the slider goes for a variant, or why it does not.
  function limitsOf(variant) {
    const found = rows.filter((row) => isInView(row) && row.variant === variant);
    const last = Math.max(...found.map((row) => (row.solved_at ?? []).length - 1));
    if (last >= 0) return `up to ${data.work.labels[last]} ×`;
    return found.some((row) => row.limit_steps > 0) ? "limited by other steps" : "limited by seconds";
  }

  function sayTable() {
    const parts = [];
    if (find("table").querySelector(".published")) parts.push("Tinted: what the papers print, under their limits.");
    if (find("table").textContent.includes("≥")) parts.push("≥: other runs ended before this work, unsolved.");
    find("table-note").textContent = parts.join(" ");
  }

  // --- what can be chosen ------------------------------------------------------------------------

  function fillViews(asked) {
    const views = [...data.views.entries()];
    const chosen = views.filter(([, each]) => each.experiment === find("experiment").value);
    find("view").replaceChildren(...chosen.map(([k, each]) => option(k, each.title)));
    // The largest random instances come last, and are where solvers differ.
    const random = chosen.filter(([, each]) => each.kind !== "given");
    const first = chosen.find(([, each]) => each.view === asked) ?? random.at(-1);
    if (first) find("view").value = first[0];
    fillView();
  }

  function fillView() {
    const places = [...new Set(rows.filter(isInView).map((row) => row.x))];
    const before = find("cell").value;
    find("cell").replaceChildren(...places.map((x) => option(x, placeName(x))));
    find("cell-label").textContent = isGiven() ? "Puzzles" : "Fixed cells";
    if (places.map(String).includes(before)) find("cell").value = before;
    else find("cell").value = hardest(places);
    fillVariants();
  }

  // Of the places where something is solved: elsewhere there is no distribution.
  function hardest(places) {
    const solved = (x) => rows.filter((row) => isInView(row) && row.x === x).reduce((sum, row) => sum + row.solved / row.n, 0);
    const some = places.filter((x) => solved(x) > 0);
    return some.reduce((worst, x) => (solved(x) < solved(worst) ? x : worst), some[0] ?? places[0]);
  }

  const PATHS = {
    "circle": "M-0.8,0A0.8,0.8 0 1 1 0.8,0A0.8,0.8 0 1 1 -0.8,0Z", "square": "M-.75-.75H.75V.75H-.75Z",
    "diamond": "M0-1L.8 0L0 1L-.8 0Z", "triangle-up": "M0-.9L.9.7H-.9Z", "triangle-down": "M0 .9L.9-.7H-.9Z",
    "triangle-left": "M-.9 0L.7-.9V.9Z", "triangle-right": "M.9 0L-.7-.9V.9Z",
    "cross": "M-.3-.9H.3V-.3H.9V.3H.3V.9H-.3V.3H-.9V-.3H-.3Z",
  };

  const variants = () => [...new Set(rows.filter(isInView).map((row) => row.variant))];

  function fillVariants() {
    find("variants").replaceChildren(...variants().map((name) => {
      const box = make("input", { type: "checkbox", value: name, checked: !hidden.has(name) });
      const { label, color, shape } = look({ variant: name });
      const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      svg.setAttribute("viewBox", "-1.2 -1.2 2.4 2.4");
      svg.setAttribute("aria-hidden", "true");
      const path = svg.appendChild(document.createElementNS(svg.namespaceURI, "path"));
      path.setAttribute("d", PATHS[shape] ?? shape);
      svg.style.setProperty("--color", color);
      return make("label", {}, box, svg, label);
    }));
  }

  // --- the choices in the address, so that a view can be shared ------------------------------------

  function keep() {
    const without = variants().filter((name) => hidden.has(name)).join(" ");
    const { experiment, view: name } = view();
    const [metric, cell] = [find("metric").value, find("cell").value];
    const choices = { experiment, view: name, metric, cell, work: data.work.labels[stop()], without };
    history.replaceState(null, "", `#charts?${new URLSearchParams(choices)}`);
  }

  function choose(control, value) {
    if ([...find(control).options].some((each) => each.value === value)) find(control).value = value;
  }

  function restore() {
    const [place, query] = location.hash.slice(1).split("?");
    const asked = new URLSearchParams(place === "charts" ? query : "");
    hidden.clear();
    for (const name of (asked.get("without") ?? "").split(" ")) hidden.add(name);
    choose("experiment", asked.get("experiment"));
    choose("metric", asked.get("metric"));
    fillViews(asked.get("view"));
    choose("cell", asked.get("cell"));
    const at = data.work.labels.indexOf(asked.get("work"));
    find("work").max = data.work.labels.length - 1;
    find("work").value = at < 0 ? data.work.papers : at;
    draw();
  }

  find("experiment").addEventListener("change", () => { fillViews(); draw(); });
  find("view").addEventListener("change", () => { fillView(); draw(); });
  find("metric").addEventListener("change", draw);
  find("cell").addEventListener("change", drawTimes);
  find("work").addEventListener("input", changeWork);
  find("work-reset").addEventListener("click", () => {
    find("work").value = data.work.papers;
    find("work").focus();
    changeWork();
  });
  find("variants").addEventListener("change", ({ target }) => {
    hidden[target.checked ? "delete" : "add"](target.value);
    draw();
  });
  find("all").addEventListener("click", () => {
    const areAll = variants().every((name) => !hidden.has(name));
    for (const name of variants()) hidden[areAll ? "add" : "delete"](name);
    fillVariants();
    draw();
  });
  find("none-all").addEventListener("click", () => {
    hidden.clear();
    fillVariants();
    draw();
  });
  find("controls").addEventListener("submit", (event) => event.preventDefault());
  const section = document.getElementById("charts");
  section.addEventListener("change", keep); // after those above: events rise
  section.addEventListener("click", ({ target }) => target.closest("button") && keep());
  addEventListener("hashchange", () => location.hash.startsWith("#charts?") && restore());
  document.addEventListener("themechange", () => { fillVariants(); draw(); });
  restore();
})();
