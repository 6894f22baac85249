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
// The flame graph: a box that is clicked takes the whole width; search colours what has a word. Stacks can be kept or
// left out by a word, and drawn from the callee up; what is shown stands in the address.
const SVG = "http://www.w3.org/2000/svg";
const ROW = 18;
const PLACES = 1e-3; // of widths in the page, in percent
const labelOf = (title) => title.replace(/, [\d.<]+ %.*$/, "");
const addText = (box, label) => {
  const text = document.createElementNS(SVG, "text");
  text.setAttribute("x", 3);
  text.setAttribute("y", 12);
  text.textContent = label;
  box.append(text);
};
// Stacks of the boxes: labels and classes from the outermost caller on, with what the last one takes itself.
const stacksOf = (boxes) => {
  const rows = new Map();
  for (const b of boxes) rows.set(b.y, [...(rows.get(b.y) || []), b]);
  const path = (b) => (b.caller ? [...path(b.caller), b] : [b]);
  for (const b of boxes) {
    b.caller = (rows.get(b.y - ROW) || []).find((o) => o.x <= b.x + PLACES && o.x + o.w >= b.x + b.w - PLACES);
    b.self = b.w;
  }
  for (const b of boxes) if (b.caller) b.caller.self -= b.w;
  return boxes.filter((b) => b.self > PLACES).map((b) => ({ path: path(b).map((o) => ({ label: labelOf(o.name), kind: o.kind })), w: b.self }));
};
// The boxes of a tree of these stacks: a callee is inside of its caller, or a caller of its callee.
const draw = (flame, stacks) => {
  const root = { w: 0, inside: new Map() };
  for (const { path, w } of stacks) {
    let node = root;
    node.w += w;
    for (const { label, kind } of path) {
      if (!node.inside.has(label)) node.inside.set(label, { label, kind, w: 0, inside: new Map() });
      node = node.inside.get(label);
      node.w += w;
    }
  }
  const boxes = [];
  const add = (node, x, depth) => {
    for (const n of [...node.inside.values()].sort((p, q) => q.w - p.w)) {
      const w = (n.w / root.w) * 100;
      if (w < 0.04) continue;
      const box = document.createElementNS(SVG, "svg");
      const title = document.createElementNS(SVG, "title");
      title.textContent = `${n.label}, ${n.w.toFixed(1)} %`;
      box.append(title, document.createElementNS(SVG, "rect"));
      box.lastChild.setAttribute("width", "100%");
      box.lastChild.setAttribute("height", "100%");
      for (const [name, value] of [["class", n.kind], ["x", `${x}%`], ["y", depth * ROW], ["width", `${w}%`], ["height", ROW - 1]]) box.setAttribute(name, value);
      if (w > 1.2) addText(box, n.label);
      boxes.push({ box, x, w, y: depth * ROW, name: title.textContent, kind: n.kind });
      add(n, x, depth + 1);
      x += w;
    }
  };
  add(root, 0, 0);
  flame.replaceChildren(...boxes.map((b) => b.box));
  return boxes;
};
for (const flame of document.querySelectorAll(".flame")) {
  const whole = [...flame.children].map((box) => ({ box, x: parseFloat(box.getAttribute("x")), w: parseFloat(box.getAttribute("width")), y: +box.getAttribute("y"), name: box.querySelector("title").textContent, kind: box.getAttribute("class") }));
  const height = flame.getAttribute("height");
  let boxes = whole;
  let stacks = null;
  const tools = document.createElement("div");
  const reset = document.createElement("button");
  const output = document.createElement("output");
  const inputs = {};
  for (const [name, words, type] of [["search", "Search: ", "search"], ["only", "Only stacks with: ", "search"], ["without", "Without: ", "search"], ["callers", "Callers below: ", "checkbox"]]) {
    const label = document.createElement("label");
    inputs[name] = document.createElement("input");
    inputs[name].type = type;
    label.className = "filter";
    label.append(words, inputs[name]);
    tools.append(label);
  }
  tools.className = "tools";
  reset.type = "button";
  reset.textContent = "Whole tree";
  reset.hidden = true;
  tools.append(reset, output);
  flame.parentElement.before(tools);
  let zoomed = null;
  let words = "";
  let current = null;
  const tell = (b) => (output.value = b ? b.name : words);
  const isChanged = () => inputs.only.value !== "" || inputs.without.value !== "" || inputs.callers.checked;
  const keep = () => {
    const state = new URLSearchParams();
    for (const [name, input] of Object.entries(inputs)) {
      const value = input.type === "checkbox" ? (input.checked ? "1" : "") : input.value;
      if (value) state.set(name, value);
    }
    if (zoomed) state.set("at", `${zoomed.y / ROW} ${labelOf(zoomed.name)}`);
    history.replaceState(null, "", `${state}` ? `#calls?${state}` : "#calls");
  };
  const zoom = (to) => {
    const { x, w, y } = to || { x: 0, w: 100, y: 0 };
    zoomed = to;
    reset.hidden = !to && !isChanged();
    for (const b of boxes) {
      const isAbove = to && b.y < y && b.x <= x + PLACES && b.x + b.w >= x + w - PLACES;
      const isIn = b.y >= y && b.x >= x - PLACES && b.x + b.w <= x + w + PLACES;
      b.box.toggleAttribute("hidden", !isIn && !isAbove);
      b.box.classList.toggle("out", !!isAbove);
      b.box.setAttribute("x", isAbove ? "0%" : `${((b.x - x) / w) * 100}%`);
      b.box.setAttribute("width", isAbove ? "100%" : `${(b.w / w) * 100}%`);
      if (!b.box.querySelector("text") && isIn && b.w / w > 0.012) addText(b.box, labelOf(b.name));
    }
    tell(to);
  };
  const search = () => {
    const word = inputs.search.value.toLowerCase();
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
    words = word ? `${sum.toFixed(1)} % in functions with "${inputs.search.value}" and what they ${inputs.callers.checked ? "are called by" : "called"}` : "";
    tell(null);
  };
  // Arrows go to caller, first callee and neighbours of the box that has the focus.
  const move = (b, key) => {
    const inside = (p, q) => p.x >= q.x - PLACES && p.x + p.w <= q.x + q.w + PLACES;
    const seen = boxes.filter((o) => !o.box.hasAttribute("hidden"));
    if (key === "ArrowUp") return seen.find((o) => o.y === b.y - ROW && inside(b, o));
    if (key === "ArrowDown") return seen.find((o) => o.y === b.y + ROW && inside(o, b));
    const row = seen.filter((o) => o.y === b.y);
    return row[row.indexOf(b) + (key === "ArrowRight" ? 1 : -1)];
  };
  const focus = (b) => {
    current.box.setAttribute("tabindex", -1);
    current = b;
    b.box.setAttribute("tabindex", 0);
    b.box.focus({ preventScroll: false });
  };
  const listen = (b) => {
    const toggle = () => (zoom(b === zoomed ? null : b), keep());
    b.box.addEventListener("click", () => (focus(b), toggle()));
    b.box.addEventListener("focus", () => tell(b));
    b.box.addEventListener("pointerenter", () => tell(b));
    b.box.addEventListener("pointerleave", () => tell(zoomed));
    b.box.addEventListener("keydown", (event) => {
      const next = event.key.startsWith("Arrow") ? move(b, event.key) : null;
      if (next) focus(next);
      if (event.key === "Enter") toggle();
      if (event.key === "Escape") (zoom(null), keep());
      if (next || event.key === "Enter" || event.key.startsWith("Arrow")) event.preventDefault();
    });
  };
  const show = () => {
    const has = (input) => (frame) => frame.label.toLowerCase().includes(input.value.toLowerCase());
    zoomed = null;
    if (isChanged()) {
      stacks = stacks || stacksOf(whole);
      const kept = stacks.filter(({ path }) => (!inputs.only.value || path.some(has(inputs.only))) && (!inputs.without.value || !path.some(has(inputs.without))));
      boxes = draw(flame, inputs.callers.checked ? kept.map(({ path, w }) => ({ path: [...path].reverse(), w })) : kept);
      boxes.forEach(listen);
    } else {
      boxes = whole;
      flame.replaceChildren(...whole.map((b) => b.box));
    }
    flame.setAttribute("height", boxes === whole ? height : Math.max(ROW, ...boxes.map((b) => b.y + ROW)));
    current = boxes[0];
    if (current) current.box.setAttribute("tabindex", 0);
    zoom(null);
    search();
  };
  const restore = () => {
    if (!location.hash.startsWith("#calls?")) return;
    const state = new URLSearchParams(location.hash.slice("#calls?".length));
    for (const [name, input] of Object.entries(inputs)) input.type === "checkbox" ? (input.checked = state.has(name)) : (input.value = state.get(name) || "");
    show();
    const at = boxes.find((b) => `${b.y / ROW} ${labelOf(b.name)}` === state.get("at"));
    if (at) zoom(at);
    flame.closest("section").scrollIntoView();
  };
  whole.forEach(listen);
  current = whole[0];
  if (current) current.box.setAttribute("tabindex", 0);
  flame.setAttribute("role", "group");
  inputs.search.addEventListener("input", () => (search(), keep()));
  for (const input of [inputs.only, inputs.without, inputs.callers]) input.addEventListener("input", () => (show(), keep()));
  reset.addEventListener("click", () => {
    inputs.only.value = inputs.without.value = "";
    inputs.callers.checked = false;
    show();
    keep();
  });
  addEventListener("hashchange", restore);
  addEventListener("beforeprint", () => zoom(null));
  restore();
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
