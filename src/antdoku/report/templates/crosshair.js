// A crosshair at the nearest place of the x axis, by mouse, finger and arrow keys, with one box for all solvers.
const crosshair = (() => {
  const MARGIN = 8; // pixels between the box and the edge of the screen
  const GAP = 16; // pixels between the box and the crosshair
  const KEYS = { ArrowLeft: -1, ArrowRight: 1 };
  const box = document.getElementById("chart-box");
  const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

  // Put the box beside the crosshair at `x`, or below or above the chart if the box would hide most of it; on the screen.
  function put(x, chart) {
    const { clientWidth: width, clientHeight: height } = document.documentElement;
    const area = chart.getBoundingClientRect();
    const [right, left] = [x + GAP, x - GAP - box.offsetWidth];
    const beside = right + box.offsetWidth + MARGIN > width ? left : right;
    const outside = area.bottom + box.offsetHeight + MARGIN > height ? area.top - box.offsetHeight : area.bottom;
    const top = box.offsetWidth > area.width / 2 ? outside : area.top;
    box.style.left = `${scrollX + clamp(beside, MARGIN, width - MARGIN - box.offsetWidth)}px`;
    box.style.top = `${scrollY + clamp(top, MARGIN, Math.max(MARGIN, height - MARGIN - box.offsetHeight))}px`;
  }

  // Follow the pointer and the keys over a chart; return a function that tells what the chart shows:
  // its view, the places, and what the box has at a place.
  return (chart) => {
    let [view, places, contents] = [null, [], null];
    let at = -1; // number of the place

    function pixels(place) {
      const scale = view.scale("x");
      const left = chart.querySelector("svg").getBoundingClientRect().left + view.origin()[0];
      return left + scale(place) + (scale.bandwidth?.() ?? 0) / 2;
    }

    function show(number) {
      at = clamp(number, 0, places.length - 1);
      view.signal("at", places[at]).runAsync();
      box.replaceChildren(contents(places[at]));
      box.hidden = false;
      put(pixels(places[at]), chart);
    }

    function hide() {
      if (at < 0) return;
      at = -1;
      box.hidden = true;
      view.signal("at", null).runAsync();
    }

    function point({ clientX }) {
      if (!places.length) return;
      const distances = places.map((place) => Math.abs(pixels(place) - clientX));
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
      const end = KEYS[event.key] > 0 ? 0 : places.length - 1;
      show(at < 0 ? end : at + KEYS[event.key]);
    });
    return (...drawn) => {
      hide();
      [view, places, contents] = drawn;
    };
  };
})();
