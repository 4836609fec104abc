// Plays the recorded run of ACS. Position 0 is before the first iteration, k after the k-th.
(() => {
  const find = (id) => document.getElementById(id);
  const { puzzle, params, candidates, iterations, tau } = JSON.parse(find("recording-data").textContent);
  const size = puzzle.order ** 2;
  const nCells = size ** 2;
  const last = iterations.length;
  const isSolved = last ? !iterations[last - 1].grid.includes(0) : true; // by propagation alone
  const PERIOD = Math.max(80, Math.min(800, 60000 / last)); // ms
  const slider = find("player-slider");
  let position = 0;
  let timer = null;

  const element = (name, className, text = "") =>
    Object.assign(document.createElement(name), { className, textContent: text });

  find("board").style.cssText = `--size: ${size}; --order: ${puzzle.order}`;
  find("board").closest(".player").classList.toggle("large", size > 9);

  const cells = puzzle.givens.map((given, cell) => {
    const [row, column] = [Math.floor(cell / size), cell % size];
    const isEdge = (at) => at % puzzle.order === puzzle.order - 1 && at < size - 1;
    const box = element("div", "cell");
    box.classList.toggle("right", isEdge(column));
    box.classList.toggle("below", isEdge(row));
    box.classList.toggle("last-column", column === size - 1);
    box.classList.toggle("last-row", row === size - 1);
    const isOpen = !given && candidates[cell].length > 1;
    if (!isOpen) box.append(element("b", given ? "given" : "deduced", given || candidates[cell][0]));
    // A place for each value, empty where it is no candidate.
    const marks = Array.from({ length: isOpen ? size : 0 }, (_, k) => element("i", "", candidates[cell].includes(k + 1) ? k + 1 : ""));
    if (isOpen) box.append(element("b", "found", iterations.at(-1)?.grid[cell] || ""), element("span", "candidates"));
    if (isOpen) box.lastChild.append(...marks);
    find("board").append(box);
    return { box, marks };
  });

  // Pheromone of a candidate, from 0 to 1.
  const level = (now, cell, k) => parseInt(now.tau[cell * size + k], 36) / (tau.levels - 1);

  function show(to) {
    position = Math.max(0, Math.min(last, to));
    const now = iterations[position - 1];
    cells.forEach(({ box, marks }, cell) => {
      box.classList.toggle("failed", now?.grid[cell] === 0);
      marks.forEach((mark, k) => {
        const share = now ? level(now, cell, k) : 0;
        mark.style.setProperty("--tau", share.toFixed(3));
        mark.classList.toggle("strong", share > 0.45);
        mark.classList.toggle("chosen", now?.grid[cell] === k + 1);
      });
    });
    find("board").classList.toggle("over", isSolved && position === last);
    slider.value = position;
    find("player-count").textContent = `Iteration ${position} of ${last}`;
    find("player-text").textContent = now ? story(now) : beginning;
    find("player-cursor").setAttribute("transform", `translate(${x(position)} 0)`);
    find("player-back").disabled = position === 0;
    find("player-next").disabled = position === last;
    find("player-play").disabled = last === 0;
    if (position === last) pause();
  }

  const beginning = last
    ? "Before the first iteration, all candidates have the same pheromone."
    : "The initial propagation solves this puzzle: no ant is needed.";

  function story(now) {
    const fixed = Math.max(...now.ants);
    if (fixed === nCells) return `The best ant fixes all ${nCells} cells: the puzzle is solved.`;
    const worth = (nCells / (nCells - fixed)).toFixed(1);
    return `The best ant fixes ${fixed} of ${nCells} cells, worth ${worth}. After evaporation, the best value is ${now.best_value.toFixed(2)}.${position === last ? " The recording ends here, without a solution." : ""}`;
  }

  // --- the plot: how many cells each ant fixes, by iteration ---------------------------------------

  const [WIDTH, HEIGHT, TOP] = [340, 110, 20];
  const x = (k) => (WIDTH * k) / (last || 1);

  function plot() {
    const least = Math.min(nCells - 1, ...iterations.flatMap((each) => each.ants));
    const y = (n) => TOP + (HEIGHT * (nCells - n)) / (nCells - least);
    const dots = iterations.flatMap((each, k) => each.ants.map((n) => `<circle cx="${x(k + 1)}" cy="${y(n)}" r="2"/>`));
    // The best value evaporates after each iteration, but for a solution, until an ant is as good as it again.
    const after = iterations.slice(0, isSolved ? -1 : last).map((each) => each.best_value);
    const values = after.flatMap((value) => [value / (1 - params.f_bve), value]);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const words = values.length ? `cells fixed by each ant, ${least} to ${nCells}; line: best value, ${low.toFixed(1)} to ${high.toFixed(1)}` : "";
    const at = (value) => TOP + HEIGHT * (0.55 + (0.4 * (high - value)) / (high - low || 1));
    const line = values.map((value, k) => `${x(1 + Math.floor(k / 2) + (k % 2))},${at(value)}`);
    find("player-plot").innerHTML = `<text y="10">${words}</text>
      <g fill="var(--accent)">${dots.join("")}</g><polyline points="${line.join(" ")}" fill="none" stroke="var(--best)" stroke-width="1.5"/>
      <line id="player-cursor" y1="${TOP}" y2="${TOP + HEIGHT}" stroke="var(--ink)"/>`;
  }

  // --- controls -----------------------------------------------------------------------------------

  function pause() {
    clearInterval(timer);
    timer = null;
    find("player-play").textContent = "Play";
  }

  function play() {
    if (position === last) show(0);
    timer = setInterval(() => show(position + 1), PERIOD);
    find("player-play").textContent = "Pause";
  }

  const step = (to) => () => { pause(); show(to()); };
  find("player-back").addEventListener("click", step(() => position - 1));
  find("player-next").addEventListener("click", step(() => position + 1));
  find("player-play").addEventListener("click", () => (timer ? pause() : play()));
  slider.addEventListener("input", step(() => Number(slider.value)));
  plot();
  show(0);
})();
