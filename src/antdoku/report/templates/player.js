// Plays the recorded run of ACS. Position 0 is before the first iteration, k after the k-th.
(() => {
  const find = (id) => document.getElementById(id);
  const recording = JSON.parse(find("recording-data").textContent);
  const { puzzle, candidates, iterations } = recording;
  const size = puzzle.order ** 2;
  const nCells = size ** 2;
  const slider = find("player-slider");
  let position = 0;
  let timer = null;

  const element = (name, className, text = "") =>
    Object.assign(document.createElement(name), { className, textContent: text });

  const cells = puzzle.givens.map((given, cell) => {
    const [row, column] = [Math.floor(cell / size), cell % size];
    const box = element("div", "cell");
    const isEdge = (at) => at % puzzle.order === puzzle.order - 1 && at < size - 1;
    box.classList.toggle("right", isEdge(column));
    box.classList.toggle("below", isEdge(row));
    const values = {};
    if (given) box.append(element("b", "given", given));
    else if (candidates[cell].length === 1) box.append(element("b", "deduced", candidates[cell][0]));
    else box.append(miniGrid(candidates[cell], values));
    find("board").append(box);
    return { box, values };
  });

  function miniGrid(allowed, values) {
    const grid = element("span", "candidates");
    for (const value of allowed) {
      values[value] = element("i", "", value);
      values[value].style.gridArea = `${Math.floor((value - 1) / puzzle.order) + 1} / ${((value - 1) % puzzle.order) + 1}`;
      grid.append(values[value]);
    }
    return grid;
  }

  function level(cell, value) {
    if (!position) return 0;
    const code = iterations[position - 1].tau[cell * size + value - 1];
    return parseInt(code, 36) / (recording.tau.levels - 1);
  }

  function show(to) {
    position = Math.max(0, Math.min(iterations.length, to));
    const now = iterations[position - 1];
    cells.forEach(({ box, values }, cell) => {
      box.classList.toggle("failed", Boolean(now) && now.grid[cell] === 0);
      for (const [value, mark] of Object.entries(values)) {
        const tau = level(cell, Number(value));
        mark.style.setProperty("--tau", tau.toFixed(3));
        mark.classList.toggle("strong", tau > 0.45);
        mark.classList.toggle("chosen", Boolean(now) && now.grid[cell] === Number(value));
      }
    });
    slider.value = position;
    slider.setAttribute("aria-valuetext", `iteration ${position} of ${iterations.length}`);
    find("player-count").textContent = position ? `Iteration ${position} of ${iterations.length}` : "Before the first iteration";
    find("player-text").textContent = story(now, iterations[position - 2]);
    find("player-cursor").setAttribute("transform", `translate(${x(position)} 0)`);
    for (const [id, end] of [["first", 0], ["back", 0], ["next", iterations.length], ["last", iterations.length]])
      find(`player-${id}`).disabled = position === end;
    if (position === iterations.length) pause();
  }

  function story(now, before) {
    const open = candidates.filter((values, cell) => !puzzle.givens[cell] && values.length > 1).length;
    if (!now) return `The givens and propagation settle ${nCells - open} of ${nCells} cells; ${open} are left to the ants. All candidates have the same pheromone.`;
    const fixed = Math.max(...now.ants);
    if (fixed === nCells) return `The best ant fixes all ${nCells} cells: the puzzle is solved.`;
    const value = nCells / (nCells - fixed);
    const start = `The best ant fixes ${fixed} of ${nCells} cells, worth ${nCells} / ${nCells - fixed} = ${value.toFixed(1)}.`;
    const old = before ? before.best_value : 0;
    const end = `Evaporation then lowers the best value to ${now.best_value.toFixed(2)}.`;
    if (value <= old) return `${start} The best value so far, ${old.toFixed(2)}, is higher: the old best grid stays and is reinforced again. ${end}`;
    if (!before) return `${start} It is the first best grid, and its values get pheromone. ${end}`;
    return `${start} The best value had decayed to ${old.toFixed(2)}: this grid takes its place and is reinforced. ${end}`;
  }

  // --- the plot: fixed cells of all ants, and the best value --------------------------------------

  const [width, height, left, top, gap] = [340, 96, 34, 22, 40];
  const x = (k) => left + ((width - left - 8) * k) / iterations.length;

  function plot() {
    const svg = find("player-plot");
    const counts = iterations.flatMap((each) => each.ants);
    const [least, values] = [Math.min(...counts), iterations.map((each) => each.best_value ?? 0)];
    const y = (n) => top + height - (height * (n - least)) / (nCells - least || 1);
    const highest = Math.max(...values);
    const lowest = Math.min(...values.filter(Boolean)) - 0.1;
    const base = top + height + gap;
    const yValue = (value) => base + 50 - (50 * (value - lowest)) / (highest - lowest || 1);
    const dots = iterations.flatMap((each, k) => [...new Set(each.ants)].map((n) => {
      const many = each.ants.filter((other) => other === n).length;
      return `<circle cx="${x(k + 1)}" cy="${y(n)}" r="${0.9 + 0.5 * Math.sqrt(many)}"/>`;
    }));
    const line = values.map((value, k) => (value ? `${x(k + 1)},${yValue(value)}` : "")).join(" ");
    svg.setAttribute("viewBox", `0 0 ${width} ${base + 72}`);
    svg.innerHTML = `
      <text x="0" y="9">cells fixed, all ants</text>
      <text x="${left - 6}" y="${y(nCells) + 3}" text-anchor="end">${nCells}</text>
      <text x="${left - 6}" y="${y(least) + 3}" text-anchor="end">${least}</text>
      <line x1="${left}" x2="${width}" y1="${y(nCells)}" y2="${y(nCells)}" stroke="var(--line)"/>
      <g fill="var(--accent)">${dots.join("")}</g>
      <text x="0" y="${base - 14}">best value, evaporating</text>
      <text x="${left - 6}" y="${yValue(highest) + 3}" text-anchor="end">${highest.toFixed(1)}</text>
      <polyline points="${line}" fill="none" stroke="var(--not-reproduced)" stroke-width="1.5"/>
      <text x="${x(0)}" y="${base + 68}">0</text>
      <text x="${x(iterations.length)}" y="${base + 68}" text-anchor="end">iteration ${iterations.length}</text>
      <g id="player-cursor"><line y1="${top - 4}" y2="${base + 56}" stroke="var(--ink)" stroke-width="1"/></g>`;
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      pause();
      show(Math.round((((event.clientX - box.left) * width) / box.width - left) / (x(1) - x(0))));
    });
  }

  // --- controls -----------------------------------------------------------------------------------

  function label() {
    find("player-play").textContent = timer ? "Pause" : "Play";
    find("player-play").ariaLabel = timer ? "Pause" : "Play";
    find("player-text").ariaLive = timer ? "off" : "polite";
  }

  function pause() {
    clearInterval(timer);
    timer = null;
    label();
  }

  function play() {
    if (position === iterations.length) show(0);
    clearInterval(timer);
    timer = setInterval(() => show(position + 1), Number(find("player-speed").value));
    label();
  }

  const step = (to) => () => { pause(); show(to()); };
  find("player-first").addEventListener("click", step(() => 0));
  find("player-back").addEventListener("click", step(() => position - 1));
  find("player-next").addEventListener("click", step(() => position + 1));
  find("player-last").addEventListener("click", step(() => iterations.length));
  find("player-play").addEventListener("click", () => (timer ? pause() : play()));
  find("player-speed").addEventListener("change", () => timer && play());
  slider.addEventListener("input", step(() => Number(slider.value)));
  plot();
  show(0);
})();
