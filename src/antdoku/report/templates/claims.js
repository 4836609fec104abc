// Sorts and filters the table of claims.
(() => {
  const table = document.getElementById("claim-table");
  if (!table) return;
  const [body] = table.tBodies;
  const rows = [...body.rows].map((row) => ({
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
    field("count").textContent = `${shown} of ${rows.length}`;
  }

  function compare(one, other) {
    if (one === other) return 0;
    // What is missing comes last in either direction.
    if (one === "" || other === "") return one === "" ? Infinity : -Infinity;
    return typeof one === "number" ? one - other : one.localeCompare(other, "en", { numeric: true });
  }

  function sort(column, header) {
    const descending = header.ariaSort === "ascending";
    for (const each of table.tHead.rows[0].cells) each.ariaSort = "none";
    header.ariaSort = descending ? "descending" : "ascending";
    const sorted = rows.toSorted((one, other) => {
      const order = compare(one.keys[column], other.keys[column]);
      return descending && Number.isFinite(order) ? -order : order;
    });
    body.append(...sorted.map(({ row }) => row));
  }

  [...table.tHead.rows[0].cells].forEach((header, column) => {
    header.querySelector("button").addEventListener("click", () => sort(column, header));
  });
  for (const name of ["paper", "verdict", "text"]) field(name).addEventListener("input", filter);
  field("controls").addEventListener("submit", (event) => event.preventDefault());
  filter(); // browsers keep what was typed before a reload
})();
