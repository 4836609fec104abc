// What Vega-Lite draws: a measure of the solvers, and the distribution of their times.
const specs = (() => {
  const TIME_LABELS =
    "datum.value < 1e-3 ? format(1e6 * datum.value, '~r') + ' µs' : "
    + "datum.value < 1 ? format(1e3 * datum.value, '~r') + ' ms' : format(datum.value, '~r') + ' s'";

  const typed = (type) => (field, more) => ({ field, type, ...more });
  const [nominal, quantitative] = ["nominal", "quantitative"].map(typed);
  const LOOK = { color: nominal("color", { scale: null }), detail: nominal("variant") };
  const SHAPE = { shape: nominal("shape", { scale: null }) };
  const SHARES = { // a little more than 0 to 1, so that markers at the ends are whole
    scale: { domain: [-0.02, 1.02], nice: false },
    axis: { format: ".0%", values: [0, 0.25, 0.5, 0.75, 1] },
  };
  const POINT = { type: "point", filled: true, size: 55, aria: false };
  const LINE = { type: "line", strokeWidth: 2, aria: false };
  // Printed values stand a little beside ours.
  const PRINTED = { x: { xOffset: 5, aria: false }, y: { yOffset: 5, aria: false } };
  const [LINE_HEIGHT, BETWEEN_ROWS, LETTER] = [14, 8, 6.4]; // pixels
  const MOST_COLUMNS = 8; // of more solvers each has a row, so that its name is horizontal
  const LONGEST = 30; // letters of a name below a column
  const PHONE = 640; // pixels: there each of several variants has a row

  // --- axes --------------------------------------------------------------------------------------

  const PAD = 2; // factor between the times and the ends of their axis
  const LEAST_TICKS = 3;
  const STEPS = [[1], [1, 2, 5], [1, 1.5, 2, 3, 5, 7]]; // of ticks in a decade

  // A logarithmic axis for times in seconds, with at least three labels.
  function timeAxis(times) {
    if (!times.length) return { scale: { type: "log" } };
    const [low, high] = [Math.min(...times) / PAD, Math.max(...times) * PAD];
    const values = STEPS.map((steps) => decades(low, high, steps)).find((ticks) => ticks.length >= LEAST_TICKS);
    return { scale: { type: "log", domain: [low, high], nice: false }, axis: { values, labelExpr: TIME_LABELS } };
  }

  // The numbers from low to high that are a step times a power of ten.
  function decades(low, high, steps) {
    const [first, last] = [low, high].map((end) => Math.floor(Math.log10(end)));
    const powers = Array.from({ length: last - first + 1 }, (_, k) => first + k);
    const numbers = powers.flatMap((power) => steps.map((step) => Number(`${step}e${power}`)));
    return numbers.filter((number) => low <= number && number <= high);
  }

  const field = (kind) => (kind === "single" ? "label" : "x");
  const isWide = (places) => places.length > MOST_COLUMNS || places.some((name) => String(name).length > LONGEST);
  const axis = (kind, places) => (kind === "single" && (isWide(places) || window.innerWidth <= PHONE) ? "y" : "x");

  // The lines of the names of rows, which take at most 400 pixels.
  function rowNames(places) {
    const letters = Math.min(400, 0.42 * window.innerWidth) / LETTER;
    return Object.fromEntries(places.map((name) => [name, folded(String(name), letters)]));
  }

  // Half of a line is some 7 pixels.
  const raised = (names) => ({
    condition: [2, 3, 4, 5].map((n) => ({ test: `length(${names}[datum.label]) === ${n}`, value: -7 * (n - 1) })), value: 0,
  });

  // The words of a text, in lines of so many letters.
  function folded(text, letters) {
    const lines = [""];
    for (const word of text.split(" ")) {
      const longer = `${lines.at(-1)} ${word}`.trim();
      if (longer.length <= letters) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines;
  }

  function along(kind, places) {
    const few = places.length < 10 ? { values: places } : {};
    if (kind === "random")
      return quantitative("x", { title: "Fixed cells, %", scale: { nice: false, zero: false, padding: 12 }, axis: few });
    const lines = places.length < 10 ? { labelExpr: "split(datum.label, ', ')" } : {};
    const names = JSON.stringify(rowNames(places));
    // The middle of its lines stands at the row, not the first line.
    const inRows = { labelLimit: 0, labelExpr: `${names}[datum.label]`, labelBaseline: "middle", labelOffset: raised(names) };
    const turned = axis(kind, places) === "y" ? inRows : { labelAngle: -45, labelLimit: 150, ...lines };
    const labels = { labelOverlap: false, ...turned };
    return nominal(field(kind), { title: null, sort: null, axis: labels });
  }

  // --- charts ------------------------------------------------------------------------------------

  // Colours are properties of the page, which knows day and night.
  const AXIS = {
    labelColor: "var(--ink)", titleColor: "var(--muted)", gridColor: "var(--line)", domainColor: "var(--muted)", tickColor: "var(--muted)",
    labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", titlePadding: 8, labelOverlap: true,
  };
  const CONFIG = { background: null, font: "system-ui, sans-serif", view: { stroke: null }, axis: AXIS, axisX: { grid: false } };
  const SIZE = { width: "container", height: 250, autosize: { type: "fit-x", contains: "padding" } };
  const AT = { params: [{ name: "at", value: null }] }; // the place of the crosshair
  const layered = (...layer) => ({ ...AT, layer, config: CONFIG, ...SIZE });
  const layer = (name, mark, encoding) => ({ data: { name }, mark, encoding: { ...LOOK, ...encoding } });
  const cross = (channel, places) => ({
    data: { name: "places" }, transform: [{ filter: `datum['${places.field}'] === at` }],
    mark: { type: "rule", color: "var(--muted)", aria: false }, encoding: { [channel]: places },
  });

  // Lines over the fixed fraction, or markers beside or below each other; open markers are printed.
  function summary(metric, title, kind, places, times) {
    const isRate = metric === "success_rate";
    const [channel, other] = axis(kind, places) === "x" ? ["x", "y"] : ["y", "x"];
    const value = (name, more) => quantitative(name, { ...(isRate ? SHARES : timeAxis(times)), ...more });
    const common = { [channel]: along(kind, places), [other]: value(metric, { title }) };
    // Side by side on given puzzles, as there are no lines to follow.
    if (kind === "given") common.xOffset = nominal("variant", { sort: null });
    const printed = PRINTED[channel];
    const interval = (name, mark, low, high) =>
      layer(name, { type: "rule", ...mark }, { ...common, [other]: value(low), [`${other}2`]: { field: high } });
    const chart = layered(
      cross(channel, common[channel]),
      ...(isRate ? [interval("rows", { opacity: 0.55, aria: false }, "wilson_low", "wilson_high")] : []),
      ...(isRate ? [interval("printed", { ...printed, strokeDash: [3, 2] }, "low", "high")] : []),
      ...(kind === "random" ? [layer("rows", LINE, common)] : []),
      layer("rows", POINT, { ...common, ...SHAPE }),
      layer("printed", { ...POINT, ...printed, filled: false, strokeWidth: 1.6 }, { ...common, [other]: value("value"), ...SHAPE }),
    );
    if (channel === "x") return chart;
    const n_lines = Math.max(...Object.values(rowNames(places)).map((lines) => lines.length));
    return { ...chart, height: (LINE_HEIGHT * n_lines + BETWEEN_ROWS) * places.length };
  }

  // The share of runs solved by a time: straight lines from run to run.
  function distribution(times) {
    const x = quantitative("time", { title: "CPU time", ...timeAxis(times) });
    const common = { x, y: quantitative("share", { title: "Solved within this time", ...SHARES }) };
    const last = { ...layer("times", POINT, { ...common, ...SHAPE }), transform: [{ filter: "datum.is_last" }] };
    return layered(cross("x", x), layer("times", LINE, common), last);
  }

  // Success of few solvers, without intervals of ours.
  function first(places) {
    return { ...summary("success_rate", null, "random", places, []), height: 200 };
  }

  return { summary, distribution, first, decades, field, axis };
})();
