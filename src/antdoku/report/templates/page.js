// The choices of the reader, which the address of the page keeps: for a reload, and to send a view.
const address = (() => {
  const parts = () => new URLSearchParams(location.search);

  function set(name, value) {
    const changed = parts();
    if (value === null) changed.delete(name);
    else changed.set(name, value);
    history.replaceState(history.state, "", `?${changed}${location.hash}`);
  }

  return { get: (name) => parts().get(name), set };
})();

// Light or dark, as the system says until the reader chooses; and folds that open for a link.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");

  function isDark() {
    const theme = address.get("theme");
    return theme ? theme === "dark" : system.matches;
  }

  function apply() {
    const dark = isDark();
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.getElementById("theme")?.setAttribute("aria-pressed", dark);
  }

  function reveal(hash) {
    const target = document.getElementById(decodeURIComponent(hash.slice(1)));
    if (!target) return;
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    target.scrollIntoView();
  }

  system.addEventListener("change", apply);
  addEventListener("hashchange", () => reveal(location.hash));
  addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme").addEventListener("click", () => {
      address.set("theme", isDark() ? "light" : "dark");
      apply();
    });
    document.addEventListener("click", ({ target }) => {
      // The same link again, after its target has been folded, changes no hash.
      const link = target.closest('a[href^="#"]');
      if (link?.hash === location.hash) reveal(link.hash);
    });
    // The whole figure, as large as the screen; a wide one lies on its side on a narrow screen.
    const enlarged = document.getElementById("enlarged");
    for (const button of document.querySelectorAll(".enlarge")) button.addEventListener("click", () => {
      const [from, to] = [button.querySelector("img"), enlarged.querySelector("img")];
      Object.assign(to, { src: from.src, alt: from.alt });
      const [width, height] = ["width", "height"].map((side) => Number(from.getAttribute(side)));
      to.style.aspectRatio = `${width} / ${height}`;
      enlarged.classList.toggle("wide", width > height);
      enlarged.showModal();
      history.pushState("enlarged", ""); // so that Back closes it
    });
    enlarged.addEventListener("click", () => enlarged.close());
    enlarged.addEventListener("close", () => history.state === "enlarged" && history.back());
    addEventListener("popstate", () => enlarged.close());
    apply();
    if (!matchMedia("(min-width: 40rem)").matches) for (const fold of document.querySelectorAll(".on-desktop")) fold.open = false;
    reveal(location.hash);
  });
  // Figures below the fold wait until the page can be read; a print needs them all.
  addEventListener("load", () => {
    for (const image of document.querySelectorAll("img")) image.loading = "eager";
  });
  apply();
})();
