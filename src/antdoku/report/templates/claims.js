// Sorts and filters the claims: the tables of all papers alike.
(() => {
  if (!document.getElementById("claim-controls")) return;
  const papers = [...document.querySelectorAll(".claims-of")];
  const tables = papers.map((paper) => paper.querySelector("table"));
  const rows = tables.flatMap((table) => [...table.tBodies[0].rows]).map((row) => ({
    row,
    keys: JSON.parse(row.dataset.keys),
    text: row.textContent.toLowerCase(),
  }));
  const field = (name) => document.getElementById(`claim-${name}`);

  function filter() {
    const words = field("text").value.toLowerCase().split(/\s+/).filter(Boolean);
    const [paper, verdict] = [field("paper").value, field("verdict").value];
    let shown = 0;
    for (const { row, text } of rows) {
      const fits = (!paper || row.dataset.paper === paper) && (!verdict || row.dataset.verdict === verdict);
      row.hidden = !(fits && words.every((word) => text.includes(word)));
      shown += !row.hidden;
    }
    const isAsked = paper || verdict || words.length;
    for (const each of papers) {
      each.hidden = !each.querySelector("tbody tr:not([hidden])");
      each.open ||= isAsked;
    }
    field("count").textContent = `${shown} of ${rows.length}`;
    field("none").hidden = shown > 0;
  }

  function compare(one, other) {
    if (one === other) return 0;
    // What is missing comes last in either direction.
    if (one === "" || other === "") return one === "" ? Infinity : -Infinity;
    return typeof one === "number" ? one - other : one.localeCompare(other, "en", { numeric: true });
  }

  function sort(column, header) {
    const descending = header.ariaSort === "ascending";
    for (const { tHead } of tables)
      [...tHead.rows[0].cells].forEach((cell, k) => {
        cell.ariaSort = k !== column ? "none" : descending ? "descending" : "ascending";
      });
    const sorted = rows.toSorted((one, other) => {
      const order = compare(one.keys[column], other.keys[column]);
      return descending && Number.isFinite(order) ? -order : order;
    });
    for (const { row } of sorted) row.parentElement.append(row);
  }

  for (const { tHead } of tables)
    [...tHead.rows[0].cells].forEach((header, column) => {
      header.querySelector("button").addEventListener("click", () => sort(column, header));
    });
  for (const name of ["paper", "verdict", "text"]) field(name).addEventListener("input", filter);
  field("clear").addEventListener("click", () => {
    field("controls").reset();
    field("text").focus();
    filter();
  });
  field("controls").addEventListener("submit", (event) => event.preventDefault());
  filter(); // browsers keep what was typed before a reload
})();
