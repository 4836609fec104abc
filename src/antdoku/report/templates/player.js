// Plays the recorded run of ACS. Position 0 is before the first iteration, k after the k-th.
(() => {
  const find = (id) => document.getElementById(id);
  const { puzzle, candidates, iterations, tau } = JSON.parse(find("recording-data").textContent);
  const size = puzzle.order ** 2;
  const nCells = size ** 2;
  const PERIOD = 800; // ms
  const slider = find("player-slider");
  let position = 0;
  let timer = null;

  const element = (name, className, text = "") =>
    Object.assign(document.createElement(name), { className, textContent: text });

  const cells = puzzle.givens.map((given, cell) => {
    const isEdge = (at) => at % puzzle.order === puzzle.order - 1 && at < size - 1;
    const box = element("div", "cell");
    box.classList.toggle("right", isEdge(cell % size));
    box.classList.toggle("below", isEdge(Math.floor(cell / size)));
    const isOpen = !given && candidates[cell].length > 1;
    if (!isOpen) box.append(element("b", given ? "given" : "deduced", given || candidates[cell][0]));
    // A place for each value, empty where it is no candidate.
    const marks = Array.from({ length: isOpen ? size : 0 }, (_, k) => element("i", "", candidates[cell].includes(k + 1) ? k + 1 : ""));
    if (isOpen) box.appendChild(element("span", "candidates")).append(...marks);
    find("board").append(box);
    return { box, marks };
  });

  // Pheromone of a candidate, from 0 to 1.
  const level = (now, cell, k) => parseInt(now.tau[cell * size + k], 36) / (tau.levels - 1);

  function show(to) {
    position = Math.max(0, Math.min(iterations.length, to));
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
    slider.value = position;
    find("player-count").textContent = `Iteration ${position} of ${iterations.length}`;
    find("player-text").textContent = now ? story(now) : "Before the first iteration, all candidates have the same pheromone.";
    find("player-cursor").setAttribute("transform", `translate(${x(position)} 0)`);
    find("player-back").disabled = position === 0;
    find("player-next").disabled = position === iterations.length;
    if (position === iterations.length) pause();
  }

  function story(now) {
    const fixed = Math.max(...now.ants);
    if (fixed === nCells) return `The best ant fixes all ${nCells} cells: the puzzle is solved.`;
    const worth = (nCells / (nCells - fixed)).toFixed(1);
    return `The best ant fixes ${fixed} of ${nCells} cells, worth ${worth}. After evaporation, the best value is ${now.best_value.toFixed(2)}.`;
  }

  // --- the plot: fixed cells of all ants, and the best value --------------------------------------

  const [width, height, left, top, gap] = [340, 96, 34, 22, 40];
  const x = (k) => left + ((width - left - 8) * k) / iterations.length;

  function plot() {
    const [least, values] = [Math.min(...iterations.flatMap((each) => each.ants)), iterations.map((each) => each.best_value)];
    const y = (n) => top + height - (height * (n - least)) / (nCells - least || 1);
    const [lowest, highest] = [Math.min(...values.filter(Boolean)) - 0.1, Math.max(...values)];
    const base = top + height + gap;
    const yValue = (value) => base + 50 - (50 * (value - lowest)) / (highest - lowest || 1);
    const dots = iterations.flatMap((each, k) => each.ants.map((n) => `<circle cx="${x(k + 1)}" cy="${y(n)}" r="1.4"/>`));
    const line = values.flatMap((value, k) => (value ? [`${x(k + 1)},${yValue(value)}`] : [])).join(" ");
    const text = (at, y, content, anchor = "end") => `<text x="${at}" y="${y}" text-anchor="${anchor}">${content}</text>`;
    find("player-plot").setAttribute("viewBox", `0 0 ${width} ${base + 72}`);
    find("player-plot").innerHTML = `
      ${text(0, 9, "cells fixed, all ants", "start")} ${text(left - 6, y(nCells) + 3, nCells)} ${text(left - 6, y(least) + 3, least)}
      <line x1="${left}" x2="${width}" y1="${y(nCells)}" y2="${y(nCells)}" stroke="var(--line)"/>
      <g fill="var(--accent)">${dots.join("")}</g>
      ${text(0, base - 14, "best value, evaporating", "start")} ${text(left - 6, yValue(highest) + 3, highest.toFixed(1))}
      <polyline points="${line}" fill="none" stroke="var(--not-reproduced)" stroke-width="1.5"/>
      ${text(x(0), base + 68, 0, "start")} ${text(x(iterations.length), base + 68, `iteration ${iterations.length}`)}
      <line id="player-cursor" y1="${top - 4}" y2="${base + 56}" stroke="var(--ink)"/>`;
  }

  // --- controls -----------------------------------------------------------------------------------

  function pause() {
    clearInterval(timer);
    timer = null;
    find("player-play").textContent = "Play";
  }

  function play() {
    if (position === iterations.length) show(0);
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
