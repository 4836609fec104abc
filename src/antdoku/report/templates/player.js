// Plays recorded runs of ACS side by side. Position 0 is before the first iteration.
(() => {
  const find = (id) => document.getElementById(id);
  const { puzzle, runs } = JSON.parse(find("recording-data").textContent);
  const size = puzzle.order ** 2;
  const hasDigits = size <= 9;
  const iterations = [0, ...new Set(runs.flatMap((run) => run.frames.map((frame) => frame.iteration)))].sort((a, b) => a - b);
  const last = iterations.length - 1;
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches; // then a dozen stills, one a second
  const STRIDE = isStill ? Math.ceil(last / 12) : 1;
  const PERIOD = isStill ? 1000 : Math.max(50, Math.min(800, 12000 / last)); // ms
  const slider = find("player-slider");
  let position = last;
  let timer = null;

  const element = (name, className, text = "") =>
    Object.assign(document.createElement(name), { className, textContent: text });

  const frameAt = (run, iteration) => run.frames.findLast((frame) => frame.iteration <= iteration);
  const isComplete = (frame) => frame?.failed.length === 0;

  // --- the boards ---------------------------------------------------------------------------------

  const boards = runs.map((run, number) => {
    const [figure, title, state] = [element("figure", ""), element("b", `run-${runs.length - 1 - number}`, run.title), element("span", "")];
    const [caption, board] = [element("figcaption", ""), element("div", "board")];
    board.style.cssText = `--size: ${size}; --order: ${puzzle.order}`;
    board.setAttribute("role", "img");
    caption.append(title, " ", state);
    figure.append(caption, board);
    find("boards").append(figure);
    return { run, board, state, cells: puzzle.givens.map((given, cell) => newCell(board, run, given, cell)) };
  });

  function newCell(board, run, given, cell) {
    const [row, column] = [Math.floor(cell / size), cell % size];
    const isEdge = (at) => at % puzzle.order === puzzle.order - 1 && at < size - 1;
    const candidates = run.candidates[cell];
    const box = element("div", "cell");
    const kind = given ? "given" : candidates.length > 1 ? "open" : "deduced";
    const classes = { [kind]: true, right: isEdge(column), below: isEdge(row), "last-column": column === size - 1, "last-row": row === size - 1 };
    Object.entries(classes).forEach(([name, holds]) => box.classList.toggle(name, holds));
    board.append(box);
    const marks = hasDigits && kind === "open" ? newMarks(box, run, candidates, cell) : [];
    if (hasDigits && kind !== "open") box.append(element("b", "", given || candidates[0]));
    return { box, marks };
  }

  // A place for each value, empty where it is no candidate.
  function newMarks(box, run, candidates, cell) {
    const marks = Array.from({ length: size }, (_, k) => element("i", "", candidates.includes(k + 1) ? k + 1 : ""));
    const places = element("span", "candidates");
    places.append(...marks);
    box.append(element("b", "found", run.frames.at(-1)?.grid[cell] || ""), places);
    return marks;
  }

  // Pheromone of a candidate, from 0 to 1: a digit to the base 36.
  const level = (frame, cell, k) => parseInt(frame.tau[cell * size + k], 36) / 35;

  function draw({ run, board, state, cells }) {
    const frame = frameAt(run, iterations[position]);
    const [failed, changed] = [new Set(frame?.failed), new Set(frame?.iteration === iterations[position] ? frame.changed : [])];
    cells.forEach(({ box, marks }, cell) => {
      box.classList.toggle("failed", failed.has(cell));
      box.classList.toggle("changed", changed.has(cell));
      marks.forEach((mark, k) => {
        const share = frame ? level(frame, cell, k) : 0;
        mark.style.setProperty("--tau", share.toFixed(3));
        mark.classList.toggle("strong", share > 0.45);
        mark.classList.toggle("chosen", frame?.grid[cell] === k + 1);
      });
    });
    board.classList.toggle("begun", !!frame);
    board.classList.toggle("over", isComplete(frame));
    state.textContent = stateOf(run, frame);
    board.setAttribute("aria-label", `${run.title}: ${state.textContent}`);
  }

  function stateOf(run, frame) {
    if (!run.frames.length) return "solved by the initial propagation, without ants";
    if (!frame) return "before the first iteration";
    if (isComplete(frame)) return `complete after ${frame.iteration.toLocaleString("en")} iterations`;
    const n = frame.failed.length;
    return `${n} failed cell${n === 1 ? "" : "s"}${position === last ? ", without a solution" : ""}`;
  }

  function show(to) {
    position = Math.max(0, Math.min(last, to));
    boards.forEach(draw);
    slider.value = position;
    slider.setAttribute("aria-valuetext", `Iteration ${iterations[position]}`);
    find("player-count").textContent = `Iteration ${iterations[position].toLocaleString("en")} of ${iterations[last].toLocaleString("en")}`;
    find("player-cursor")?.setAttribute("transform", `translate(${x(iterations[position])} 0)`);
    find("player-back").disabled = position === 0;
    find("player-next").disabled = position === last;
    if (position === last) pause();
  }

  // --- the plot: failed cells of the best grid, by iteration ---------------------------------------

  const [LEFT, RIGHT, TOP, BOTTOM] = [24, 350, 22, 106];
  const x = (k) => LEFT + ((RIGHT - LEFT) * Math.log10(Math.max(k, 1))) / (Math.log10(iterations[last]) || 1);

  function plot() {
    const most = Math.max(1, ...runs.flatMap((run) => run.frames.map((frame) => frame.failed.length)));
    const y = (n) => BOTTOM - ((BOTTOM - TOP) * n) / most;
    const steps = (run) => run.frames.map((frame, k) => `${k ? `H${x(frame.iteration)}V` : `M${LEFT} `}${y(frame.failed.length)}`).join("");
    const curves = runs.map((run, number) => {
      const end = run.frames.at(-1);
      const dot = `<circle cx="${x(end.iteration)}" cy="${y(end.failed.length)}" r="3" fill="currentColor"/>`;
      return `<g class="run-${runs.length - 1 - number}"><path d="${steps(run)}"/>${dot}</g>`;
    });
    const decades = Array.from({ length: 1 + Math.floor(Math.log10(iterations[last])) }, (_, k) => 10 ** k);
    const ticks = decades.map((k) => `<text x="${x(k)}" y="${BOTTOM + 13}" text-anchor="middle">${k.toLocaleString("en")}</text>`);
    const levels = [0, most].map((n) => `<text x="${LEFT - 5}" y="${y(n) + 3}" text-anchor="end">${n}</text><path class="axis" d="M${LEFT} ${y(n)}H${RIGHT}"/>`);
    find("player-plot").innerHTML = `<text y="9">failed cells of the best grid</text><text x="${RIGHT}" y="${BOTTOM + 25}" text-anchor="end">iteration (log scale)</text>
      ${[...ticks, ...levels, ...curves].join("")}<path id="player-cursor" class="axis" d="M0 ${TOP}V${BOTTOM}"/>`;
  }

  // --- controls -----------------------------------------------------------------------------------

  function pause() {
    clearInterval(timer);
    timer = null;
    find("player-play").textContent = "Play";
  }

  function play() {
    if (position === last) show(0);
    timer = setInterval(() => show(position + STRIDE), PERIOD);
    find("player-play").textContent = "Pause";
  }

  const step = (to) => () => { pause(); show(to()); };
  find("player-back").addEventListener("click", step(() => position - 1));
  find("player-next").addEventListener("click", step(() => position + 1));
  find("player-play").addEventListener("click", () => (timer ? pause() : play()));
  slider.max = last;
  slider.addEventListener("input", step(() => Number(slider.value)));
  if (last) plot();
  find("player-plot").toggleAttribute("hidden", !last); // propagation alone may solve
  find("player-play").disabled = !last;
  show(last);
})();
