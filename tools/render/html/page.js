"use strict";
// Sorts, filters and shortens tables, zooms the flame graph, opens what a link leads to. Everything can be read without it.
const SHOWN = 25;
const showAll = (count, what, behind, show) => {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "all";
  button.textContent = `Show all ${count} ${what}`;
  button.addEventListener("click", show);
  addEventListener("beforeprint", show);
  behind.after(button);
  return button;
};
for (const table of document.querySelectorAll(".scroll table")) {
  const body = table.tBodies[0];
  const value = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.v === undefined ? (cell.classList.contains("number") ? null : cell.textContent) : Number(cell.dataset.v);
  };
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    if (!head.textContent || head.querySelector(".unseen")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const isNumber = head.classList.contains("number");
      const was = head.getAttribute("aria-sort");
      const down = was ? was === "ascending" : isNumber;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const compare = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true }));
      const rows = [...body.rows].map((row) => [value(row, column), row]);
      rows.sort(([a], [b]) => (a === null || b === null ? (a === null) - (b === null) : down ? compare(b, a) : compare(a, b)));
      body.append(...rows.map(([, row]) => row));
      shorten();
    });
  });
  let isWhole = body.rows.length <= SHOWN + 5;
  let word = "";
  const whole = isWhole ? null : showAll(body.rows.length, "rows", table.parentElement, () => ((isWhole = true), shorten()));
  const shorten = () => {
    [...body.rows].forEach((row, i) => (row.hidden = word ? !row.textContent.toLowerCase().includes(word) : !isWhole && i >= SHOWN));
    if (whole) whole.hidden = isWhole || word !== "";
  };
  shorten();
  if (body.rows.length > 8) {
    const label = document.createElement("label");
    const input = document.createElement("input");
    label.className = "filter";
    label.append("Filter: ", input);
    input.type = "search";
    input.addEventListener("input", () => {
      word = input.value.toLowerCase();
      shorten();
    });
    table.parentElement.before(label);
  }
}
// Cards that a table leads to, and those behind the first ones, are found by links, and by a browser's search.
for (const section of document.querySelectorAll("section")) {
  const cards = [...section.querySelectorAll("details.card")];
  const shown = cards.every((card) => section.querySelector(`.scroll a[href="#${card.id}"]`)) ? 0 : SHOWN;
  if (!cards.length || (shown && cards.length <= shown + 5)) continue;
  for (const card of cards.slice(shown)) card.setAttribute("hidden", "until-found");
  const button = showAll(cards.length, "cards", cards[cards.length - 1], () => {
    for (const card of cards) card.hidden = false;
    button.remove();
  });
}
// The flame graph: a box that is clicked takes the whole width; search colours what has a word.
for (const flame of document.querySelectorAll(".flame")) {
  const boxes = [...flame.children].map((box) => ({ box, x: parseFloat(box.getAttribute("x")), w: parseFloat(box.getAttribute("width")), y: +box.getAttribute("y"), name: box.querySelector("title").textContent }));
  const tools = document.createElement("div");
  const label = document.createElement("label");
  const input = document.createElement("input");
  const reset = document.createElement("button");
  const output = document.createElement("output");
  tools.className = "tools";
  label.className = "filter";
  label.append("Search: ", input);
  input.type = "search";
  reset.type = "button";
  reset.textContent = "Whole tree";
  reset.hidden = true;
  tools.append(label, reset, output);
  flame.parentElement.before(tools);
  let zoomed = null;
  let words = "";
  const tell = (b) => (output.value = b ? b.name : words);
  const zoom = (to) => {
    const { x, w, y } = to || { x: 0, w: 100, y: 0 };
    zoomed = to;
    reset.hidden = !to;
    for (const b of boxes) {
      const isAbove = to && b.y < y && b.x <= x + 1e-3 && b.x + b.w >= x + w - 1e-3;
      const isIn = b.y >= y && b.x >= x - 1e-3 && b.x + b.w <= x + w + 1e-3;
      b.box.toggleAttribute("hidden", !isIn && !isAbove);
      b.box.classList.toggle("out", !!isAbove);
      b.box.setAttribute("x", isAbove ? "0%" : `${((b.x - x) / w) * 100}%`);
      b.box.setAttribute("width", isAbove ? "100%" : `${(b.w / w) * 100}%`);
      if (!b.box.querySelector("text") && isIn && b.w / w > 0.012) {
        const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
        text.setAttribute("x", 3);
        text.setAttribute("y", 12);
        text.textContent = b.name.replace(/, [\d.<]+ %.*$/, "");
        b.box.append(text);
      }
    }
    tell(to);
  };
  const search = () => {
    const word = input.value.toLowerCase();
    let sum = 0;
    let end = -1;
    for (const b of boxes) {
      b.isHit = word !== "" && b.name.toLowerCase().includes(word);
      b.box.classList.toggle("hit", b.isHit);
    }
    for (const b of boxes.filter((b) => b.isHit).sort((p, q) => p.x - q.x || q.w - p.w))
      if (b.x + b.w > end + 1e-6) {
        sum += b.x + b.w - Math.max(b.x, end);
        end = b.x + b.w;
      }
    words = word ? `${sum.toFixed(1)} % in functions with "${input.value}" and what they called` : "";
    tell(null);
  };
  // Arrows go to caller, first callee and neighbours of the box that has the focus.
  const move = (b, key) => {
    const inside = (p, q) => p.x >= q.x - 1e-3 && p.x + p.w <= q.x + q.w + 1e-3;
    const seen = boxes.filter((o) => !o.box.hasAttribute("hidden"));
    if (key === "ArrowUp") return seen.find((o) => o.y === b.y - 18 && inside(b, o));
    if (key === "ArrowDown") return seen.find((o) => o.y === b.y + 18 && inside(o, b));
    const row = seen.filter((o) => o.y === b.y);
    return row[row.indexOf(b) + (key === "ArrowRight" ? 1 : -1)];
  };
  let current = boxes[0];
  const focus = (b) => {
    current.box.setAttribute("tabindex", -1);
    current = b;
    b.box.setAttribute("tabindex", 0);
    b.box.focus({ preventScroll: false });
  };
  for (const b of boxes) {
    b.box.addEventListener("click", () => (focus(b), zoom(b === zoomed ? null : b)));
    b.box.addEventListener("focus", () => tell(b));
    b.box.addEventListener("pointerenter", () => tell(b));
    b.box.addEventListener("pointerleave", () => tell(zoomed));
    b.box.addEventListener("keydown", (event) => {
      const next = event.key.startsWith("Arrow") ? move(b, event.key) : null;
      if (next) focus(next);
      if (event.key === "Enter") zoom(b === zoomed ? null : b);
      if (event.key === "Escape") zoom(null);
      if (next || event.key === "Enter" || event.key.startsWith("Arrow")) event.preventDefault();
    });
  }
  if (current) current.box.setAttribute("tabindex", 0);
  flame.setAttribute("role", "group");
  input.addEventListener("input", search);
  reset.addEventListener("click", () => zoom(null));
  addEventListener("beforeprint", () => zoom(null));
}
const open = () => {
  const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  if (target && target.tagName === "DETAILS") {
    target.hidden = false;
    target.open = true;
  }
  if (target) target.scrollIntoView();
};
addEventListener("hashchange", open);
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => (d.open = true)));
open();
