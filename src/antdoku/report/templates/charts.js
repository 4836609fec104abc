// Picks the rows that are asked for, names and colours them, and hands them to Vega-Embed.
(() => {
  const find = (id) => document.getElementById(`chart-${id}`);
  if (!find("controls")) return;
  const data = JSON.parse(document.getElementById("charts-data").textContent);
  const unpack = ({ columns, rows }) =>
    rows.map((row) => Object.fromEntries(columns.map((name, k) => [name, row[k]])));
  const [rows, published] = [unpack(data.rows), unpack(data.published)];
  const hidden = new Set();
  const ERRORS_ONLY = 1; // Vega warns of layers without data: numbers that no paper printed

  const three = (value) => String(Number(value.toPrecision(3)));
  const time = (value) =>
    value === null ? "–"
    : value >= 1 ? `${three(value)} s`
    : value >= 1e-3 ? `${three(1e3 * value)} ms`
    : `${three(1e6 * value)} µs`;
  const percent = (value) => `${three(100 * value)} %`;
  const wilson = (row) => `${percent(row.wilson_low)} to ${percent(row.wilson_high)}`;
  const isDark = () => document.documentElement.dataset.theme === "dark";
  const view = () => data.views[find("view").value];
  const isInView = (row) => row.experiment === view().experiment && row.view === view().view;
  const isGiven = () => view().kind === "given";
  const place = (x) => (isGiven() ? x : `${three(x)} % fixed`);

  function look(row) {
    const found = data.variants[row.variant];
    return { label: found.label, color: isDark() ? found.night : found.day, shape: found.shape };
  }

  function summaries() {
    return rows.filter((row) => isInView(row) && !hidden.has(row.variant)).map((row) => ({
      ...row,
      ...look(row),
      place: place(row.x),
      counts: `${row.solved} of ${row.n}`,
      wilson: wilson(row),
      mean: time(row.mean_time_solved_s),
      par2: time(row.par2_s),
      median: time(row.median_time_s),
      limit: time(row.limit_s),
    }));
  }

  function printed(metric) {
    return published
      .filter((row) => isInView(row) && row.metric === metric)
      .filter((row) => row.variant in data.variants && !hidden.has(row.variant))
      .map((row) => ({
        ...row,
        ...look(row),
        text: metric === "success_rate" ? percent(row.value) : time(row.value),
      }));
  }

  // Steps of the distribution; each line goes on to the limit, or to the longest time of all.
  function distribution() {
    const chosen = rows.filter((row) => isInView(row) && !hidden.has(row.variant));
    const cell = chosen.filter((row) => String(row.x) === find("cell").value);
    const ends = cell.map((row) => row.limit_s ?? row.times.at(-2) ?? 0);
    return cell.flatMap((row) => {
      const steps = [];
      for (let k = 0; k < row.times.length; k += 2) {
        const [within, count] = [row.times[k], row.times[k + 1]];
        const texts = { text: `${count} of ${row.n}`, within: time(within), wilson: wilson(row) };
        steps.push({ time: within, share: count / row.n, is_run: true, ...texts });
      }
      if (steps.length) steps.push({ ...steps.at(-1), time: Math.max(...ends), is_run: false });
      return steps.map((step) => ({ ...step, variant: row.variant, ...look(row) }));
    });
  }

  function style() {
    const css = getComputedStyle(document.documentElement);
    const [ink, muted, line] = ["--ink", "--muted", "--line"].map((name) => css.getPropertyValue(name));
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

  function embed(target, spec, datasets) {
    const full = { ...spec, datasets, config: style(), autosize: { type: "fit-x", contains: "padding" } };
    const options = { actions: false, renderer: "svg", logLevel: ERRORS_ONLY };
    return vegaEmbed(target, structuredClone(full), options);
  }

  function draw() {
    const metric = find("metric").value;
    const open = printed(metric);
    find("note").textContent = data.metrics[metric].note;
    find("published").hidden = !open.length || isGiven();
    embed("#chart-summary", data.specs[metric][view().kind], { rows: summaries(), published: open });
    drawTimes();
  }

  function drawTimes() {
    embed("#chart-times", data.specs.times, { times: distribution() });
  }

  function option(value, text) {
    return Object.assign(document.createElement("option"), { value, textContent: text });
  }

  function fillViews() {
    const views = [...data.views.entries()];
    const chosen = views.filter(([, each]) => each.experiment === find("experiment").value);
    find("view").replaceChildren(...chosen.map(([k, each]) => option(k, each.title)));
    // The largest random instances come last, and are where solvers differ.
    const random = chosen.filter(([, each]) => each.kind !== "given");
    if (random.length) find("view").value = random.at(-1)[0];
    fillView();
  }

  function fillView() {
    const places = [...new Set(rows.filter(isInView).map((row) => row.x))];
    const before = find("cell").value;
    find("cell").replaceChildren(...places.map((x) => option(x, isGiven() ? x : `${three(x)} %`)));
    find("cell-label").textContent = isGiven() ? "Puzzles" : "Fixed cells";
    if (places.map(String).includes(before)) find("cell").value = before;
    else find("cell").value = hardest(places);
    fillVariants();
    draw();
  }

  function hardest(places) {
    const solved = (x) => rows.filter((row) => isInView(row) && row.x === x).reduce((sum, row) => sum + row.solved / row.n, 0);
    return places.reduce((worst, x) => (solved(x) < solved(worst) ? x : worst), places[0]);
  }

  const PATHS = {
    "circle": "M-0.8,0A0.8,0.8 0 1 1 0.8,0A0.8,0.8 0 1 1 -0.8,0Z", "square": "M-.75-.75H.75V.75H-.75Z",
    "diamond": "M0-1L.8 0L0 1L-.8 0Z", "triangle-up": "M0-.9L.9.7H-.9Z", "triangle-down": "M0 .9L.9-.7H-.9Z",
    "triangle-left": "M-.9 0L.7-.9V.9Z", "triangle-right": "M.9 0L-.7-.9V.9Z",
    "cross": "M-.3-.9H.3V-.3H.9V.3H.3V.9H-.3V.3H-.9V-.3H-.3Z",
  };

  function fillVariants() {
    const names = [...new Set(rows.filter(isInView).map((row) => row.variant))];
    find("variants").replaceChildren(...names.map((name) => {
      const label = document.createElement("label");
      const box = Object.assign(document.createElement("input"), { type: "checkbox", value: name, checked: !hidden.has(name) });
      const { label: text, color, shape } = look({ variant: name });
      const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      svg.setAttribute("viewBox", "-1.2 -1.2 2.4 2.4");
      svg.setAttribute("aria-hidden", "true");
      const path = svg.appendChild(document.createElementNS(svg.namespaceURI, "path"));
      path.setAttribute("d", PATHS[shape] ?? shape);
      svg.style.setProperty("--color", color);
      label.append(box, svg, text);
      return label;
    }));
  }

  find("experiment").addEventListener("change", fillViews);
  find("view").addEventListener("change", fillView);
  find("metric").addEventListener("change", draw);
  find("cell").addEventListener("change", drawTimes);
  find("variants").addEventListener("change", ({ target }) => {
    hidden[target.checked ? "delete" : "add"](target.value);
    draw();
  });
  find("all").addEventListener("click", () => {
    const names = [...find("variants").querySelectorAll("input")].map((box) => box.value);
    const areAll = names.every((name) => !hidden.has(name));
    for (const name of names) hidden[areAll ? "add" : "delete"](name);
    fillVariants();
    draw();
  });
  find("controls").addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("themechange", () => { fillVariants(); draw(); });
  fillViews();
})();
