// Opens what a link points into, also where the browser does not do that by itself.
(() => {
  function reveal(hash) {
    const target = document.getElementById(decodeURIComponent(hash.slice(1).split("?")[0]));
    if (!target) return;
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    target.scrollIntoView();
  }

  addEventListener("hashchange", () => reveal(location.hash));
  document.addEventListener("click", ({ target }) => {
    // The same link again, after its target has been folded, changes no hash.
    const link = target.closest('a[href^="#"]');
    if (link?.hash === location.hash) reveal(link.hash);
  });
  reveal(location.hash);
})();
