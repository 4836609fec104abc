// A crosshair at the nearest place of an axis, by mouse, finger and arrow keys, with one box for all solvers.
const crosshair = (() => {
  const MARGIN = 8; // pixels between the box and the edge of the screen
  const GAP = 16; // pixels between the box and the crosshair
  const KEYS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -Infinity, End: Infinity };
  const box = document.getElementById("chart-box");
  const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

  // Put the box beside the crosshair at `x`, or below or above the chart if the box would hide most of it.
  function putBeside(x, chart) {
    const { clientWidth: width, clientHeight: height } = document.documentElement;
    const area = chart.getBoundingClientRect();
    const [right, left] = [x + GAP, x - GAP - box.offsetWidth];
    const beside = right + box.offsetWidth + MARGIN > width ? left : right;
    const outside = area.bottom + box.offsetHeight + MARGIN > height ? area.top - box.offsetHeight : area.bottom;
    place(beside, box.offsetWidth > area.width / 2 ? outside : area.top);
  }

  // Put the box below the crosshair of a row at `y`, or above it if the screen ends there.
  function putBelow(y, chart) {
    const below = y + GAP;
    const isOnScreen = below + box.offsetHeight + MARGIN < document.documentElement.clientHeight;
    place(chart.getBoundingClientRect().left, isOnScreen ? below : y - GAP - box.offsetHeight);
  }

  // Move the box to a point of the screen, as near as it is whole there.
  function place(left, top) {
    const { clientWidth: width, clientHeight: height } = document.documentElement;
    box.style.left = `${scrollX + clamp(left, MARGIN, width - MARGIN - box.offsetWidth)}px`;
    box.style.top = `${scrollY + clamp(top, MARGIN, Math.max(MARGIN, height - MARGIN - box.offsetHeight))}px`;
  }

  // Follow the pointer and the keys over a chart; return a function that tells what the chart shows:
  // its view, the places, what the box has at a place, and the axis of the places.
  return (chart) => {
    let [view, places, contents, axis] = [null, [], null, "x"];
    let at = -1; // number of the place

    function pixels(place) {
      const scale = view.scale(axis);
      const { left, top } = chart.querySelector("svg").getBoundingClientRect();
      const [x, y] = view.origin();
      return (axis === "x" ? left + x : top + y) + scale(place) + (scale.bandwidth?.() ?? 0) / 2;
    }

    function show(number) {
      at = clamp(number, 0, places.length - 1);
      view.signal("at", places[at]).runAsync();
      box.replaceChildren(contents(places[at]));
      box.hidden = false;
      (axis === "x" ? putBeside : putBelow)(pixels(places[at]), chart);
    }

    function hide() {
      if (at < 0) return;
      at = -1;
      box.hidden = true;
      view.signal("at", null).runAsync();
    }

    function point({ clientX, clientY }) {
      if (!places.length) return;
      const pointer = axis === "x" ? clientX : clientY;
      const distances = places.map((place) => Math.abs(pixels(place) - pointer));
      show(distances.indexOf(Math.min(...distances)));
    }

    chart.addEventListener("pointermove", point);
    chart.addEventListener("pointerdown", point);
    chart.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && hide());
    document.addEventListener("pointerdown", ({ target }) => chart.contains(target) || hide());
    chart.addEventListener("blur", hide);
    chart.addEventListener("keydown", (event) => {
      if (event.key === "Escape") hide();
      if (!(event.key in KEYS) || !places.length) return;
      event.preventDefault();
      const step = KEYS[event.key];
      const end = step > 0 ? 0 : places.length - 1;
      show(at < 0 && Number.isFinite(step) ? end : at + step);
    });
    return (...drawn) => {
      hide();
      [view, places, contents, axis] = drawn;
    };
  };
})();
