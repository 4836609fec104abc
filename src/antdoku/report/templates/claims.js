// Filters the claims: the tables of all papers alike.
(() => {
  const field = (name) => document.getElementById(`claim-${name}`);
  if (!field("controls")) return;
  const papers = [...document.querySelectorAll(".claims-of")];
  const rows = papers.flatMap((paper) => [...paper.querySelectorAll("tbody tr")]);

  function filter() {
    const words = field("text").value.toLowerCase().split(/\s+/).filter(Boolean);
    const verdict = field("verdict").value;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = Boolean(verdict && row.dataset.verdict !== verdict) || !words.every((word) => text.includes(word));
    }
    for (const paper of papers) {
      const n = paper.querySelectorAll("tbody tr:not([hidden])").length;
      paper.querySelector(".shown").textContent = verdict || words.length ? `${n} shown of ` : "";
      paper.hidden = !n;
      paper.open ||= verdict || words.length;
    }
    field("count").textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length}`;
  }

  const FIELDS = ["verdict", "text"];
  for (const name of FIELDS) field(name).value = address.get(name) ?? "";
  field("controls").addEventListener("input", ({ target }) => {
    const name = FIELDS.find((one) => field(one) === target);
    address.set(name, target.value || null);
    filter();
  });
  field("controls").addEventListener("submit", (event) => event.preventDefault());
  filter();
})();
