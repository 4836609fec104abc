// Light or dark: as the system says until the reader chooses.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  const apply = () => {
    const dark = chosen ?? system.matches;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.getElementById("theme")?.setAttribute("aria-pressed", dark);
    document.dispatchEvent(new Event("themechange"));
  };
  system.addEventListener("change", apply);
  addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme").addEventListener("click", () => {
      chosen = !(chosen ?? system.matches);
      apply();
    });
    apply();
  });
  apply();
})();
