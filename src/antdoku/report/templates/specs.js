// What Vega-Lite draws: a measure of the solvers, and the distribution of their times.
const specs = (() => {
  const INTERVAL = "95 % Wilson interval";
  const TIME_LABELS = // of powers of ten only
    "abs(log(datum.value) / LN10 - round(log(datum.value) / LN10)) > 1e-6 ? '' : "
    + "datum.value < 1e-3 ? format(1e6 * datum.value, '~r') + ' µs' : "
    + "datum.value < 1 ? format(1e3 * datum.value, '~r') + ' ms' : format(datum.value, '~r') + ' s'";

  const typed = (type) => (field, more) => ({ field, type, ...more });
  const [nominal, quantitative] = ["nominal", "quantitative"].map(typed);
  const LOOK = { color: nominal("color", { scale: null }), detail: nominal("variant") };
  const SHAPE = { shape: nominal("shape", { scale: null }) };
  const SHARES = { // a little more than 0 to 1, so that markers at the ends are whole
    scale: { domain: [-0.02, 1.02], nice: false },
    axis: { format: ".0%", values: [0, 0.25, 0.5, 0.75, 1] },
  };
  const TIMES = { scale: { type: "log", padding: 12 }, axis: { labelExpr: TIME_LABELS } };
  const POINT = { type: "point", filled: true, size: 55 };
  // What a finger can hit: the same points once more, larger and not to be seen.
  const touchable = (points) => [points, { ...points, mark: { ...POINT, size: 500, aria: false }, encoding: { ...points.encoding, opacity: { value: 0 } } }];
  const LINE = { type: "line", strokeWidth: 2, aria: false };
  const DESCRIBED = { description: nominal("described") };

  function tooltip(titles) {
    return { tooltip: Object.entries(titles).map(([field, title]) => nominal(field, { title })) };
  }

  function along(kind, there) {
    const few = there.length < 10 ? { values: there } : {};
    if (kind === "random")
      return quantitative("x", { title: "Fixed cells, %", scale: { nice: false, zero: false, padding: 12 }, axis: few });
    const axis = { labelAngle: -45, labelLimit: 120, labelOverlap: false };
    return nominal(kind === "single" ? "label" : "x", { title: null, sort: null, axis });
  }

  // Colours are properties of the page, which knows day and night.
  const AXIS = {
    labelColor: "var(--ink)", titleColor: "var(--muted)", gridColor: "var(--line)", domainColor: "var(--muted)", tickColor: "var(--muted)",
    labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", titlePadding: 8, labelOverlap: true,
  };
  const CONFIG = { background: null, font: "system-ui, sans-serif", view: { stroke: null }, axis: AXIS, axisX: { grid: false } };
  const SIZE = { width: "container", height: 250, autosize: { type: "fit-x", contains: "padding" } };
  const layered = (...layer) => ({ layer, config: CONFIG, ...SIZE });
  const layer = (name, mark, encoding) => ({ data: { name }, mark, encoding: { ...LOOK, ...encoding } });

  // Lines over the fixed fraction, or markers beside each other.
  function summary(metric, title, kind, there) {
    const isRate = metric === "success_rate";
    const y = (field, more) => quantitative(field, { ...(isRate ? SHARES : TIMES), ...more });
    const x = along(kind, there);
    const common = { x, y: y(metric, { title }) };
    // Side by side on given puzzles, as there are no lines to follow.
    if (kind === "given") common.xOffset = nominal("variant", { sort: null });
    const intervals = layer("rows", { type: "rule", opacity: 0.55, aria: false },
      { ...common, y: y("wilson_low"), y2: { field: "wilson_high" } });
    const lines = layer("rows", LINE, common);
    const points = layer("rows", POINT, {
      ...common,
      ...SHAPE,
      ...DESCRIBED,
      ...tooltip({
        label: "solver", place: "instances", counts: "solved", wilson: INTERVAL,
        mean: "mean of the solved (biased)", par2: "PAR2", median: "median of all", limit: "limit of a run",
      }),
    });
    return layered(...(isRate ? [intervals] : []), ...(kind === "random" ? [lines] : []), ...touchable(points));
  }

  // The share of runs solved by a time, as steps.
  function times() {
    const common = {
      x: quantitative("time", { title: "CPU time", scale: { type: "log", nice: false }, axis: TIMES.axis }),
      y: quantitative("share", { title: "Solved within this time", ...SHARES }),
    };
    const points = layer("times", POINT,
      { ...common, ...SHAPE, ...DESCRIBED, ...tooltip({ label: "solver", text: "solved", within: "within", wilson: INTERVAL }) });
    return layered(layer("times", { ...LINE, interpolate: "step-after" }, common),
      ...touchable({ ...points, transform: [{ filter: "datum.is_run" }] }));
  }

  // Success of few solvers, without intervals.
  function first(there) {
    const common = { x: along("random", there), y: quantitative("success_rate", { title: null, ...SHARES }) };
    return { ...layered(layer("rows", LINE, common), layer("rows", POINT, { ...common, ...SHAPE, ...DESCRIBED })), height: 200 };
  }

  return { summary, times, first };
})();
