#include "trellis/report/topics_script.h"

namespace trellis::report {
namespace {

// Two parts that share a selected topic: the bars of its words, and the map of documents. Names as
// in topics_report.cc; #… are the elements that it writes.
constexpr std::string_view kTopicsScript = R"js(
"use strict";
(() => {
const data = JSON.parse(document.getElementById("topics-data").textContent);
const $ = id => document.getElementById(id);
const make = (name, attributes = {}, ...content) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
};
const percent = share => (100 * share).toFixed(2);
const grouped = n => String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f");
const significant = x => x === 0 ? "0" : Number(x.toPrecision(2)).toString();

// --- Topics: the selected one, its bars, and the slider. They come by prevalence.
const rankOf = new Map(data.topics.map((topic, rank) => [topic.id, rank]));
let selected = 0;

function drawTerms() {
  const topic = data.topics[selected];
  const lambda = Number($("lambda").value);
  $("lambda-value").textContent = lambda.toFixed(2);
  const ranked = topic.words.map((word, i) => ({
    word, here: topic.here[i], all: topic.all[i],
    relevance: Math.log(topic.here[i]) - (1 - lambda) * Math.log(topic.all[i])
  })).filter(term => term.here > 0).sort((a, b) => b.relevance - a.relevance).slice(0, data.shown);
  const most = Math.max(1e-300, ...ranked.map(t => Math.max(t.all, t.here * topic.prevalence)));
  const list = make("ol", {class: "terms"});
  for (const term of ranked) {
    const bars = make("span", {class: "uses"});
    bars.style.setProperty("--all", Math.min(1, term.all / most));
    bars.style.setProperty("--here", Math.min(1, term.here * topic.prevalence / most));
    list.append(make("li", {}, make("span", {class: "term", dir: "auto"}, term.word), bars,
                     make("span", {class: "share"}, significant(100 * term.here))));
  }
  $("term-bars").replaceChildren(list);
}

function select(rank) {
  selected = Math.max(0, Math.min(data.topics.length - 1, rank));
  const topic = data.topics[selected];
  const group = topic.group ? ` · ${topic.group}` : "";
  $("topic-heading").textContent =
      `Topic ${topic.name}, ${percent(topic.prevalence)} % of words${group}`;
  $("topic-before").disabled = selected === 0;
  $("topic-after").disabled = selected === data.topics.length - 1;
  for (const link of document.querySelectorAll("[data-topic]")) {
    const chosen = Number(link.dataset.topic) === topic.id;
    link.classList.toggle("selected", chosen);
    if (chosen) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  drawTerms();
}

function startTopics() {
  $("relevance").hidden = false;
  $("topic-steps").hidden = false;
  $("lambda").addEventListener("input", drawTerms);
  $("topic-before").addEventListener("click", () => select(selected - 1));
  $("topic-after").addEventListener("click", () => select(selected + 1));
  for (const link of document.querySelectorAll("[data-topic]")) {
    link.addEventListener("click", event => {
      select(rankOf.get(Number(link.dataset.topic)));
      if (link.closest("svg")) event.preventDefault();
    });
  }
  select(0);
}

// --- Documents: points on a canvas, and a grid that finds the one under the pointer.
class Grid {
  constructor(x, y, units) {
    this.side = Math.max(1, Math.min(512, Math.ceil(Math.sqrt(x.length / 4))));
    this.cell = (units + 1) / this.side;
    const cells = this.side * this.side;
    this.begin = new Uint32Array(cells + 1);
    const of = i => Math.floor(y[i] / this.cell) * this.side + Math.floor(x[i] / this.cell);
    for (let i = 0; i < x.length; ++i) ++this.begin[of(i) + 1];
    for (let c = 0; c < cells; ++c) this.begin[c + 1] += this.begin[c];
    this.ids = new Uint32Array(x.length);
    const at = this.begin.slice();
    for (let i = 0; i < x.length; ++i) this.ids[at[of(i)]++] = i;
  }
  // Calls visit(i) for the points of all cells that touch the box.
  visit(left, top, right, bottom, visit) {
    const bound = v => Math.max(0, Math.min(this.side - 1, Math.floor(v / this.cell)));
    for (let row = bound(top); row <= bound(bottom); ++row) {
      const first = this.begin[row * this.side + bound(left)];
      const last = this.begin[row * this.side + bound(right) + 1];
      for (let k = first; k < last; ++k) visit(this.ids[k]);
    }
  }
}

class DocumentMap {
  constructor() {
    const {x, y, labels, topics, titles} = data.documents;
    this.x = Uint16Array.from(x);
    this.y = Uint16Array.from(y);
    this.labels = labels;
    this.topics = topics;
    this.titles = titles;
    this.grid = new Grid(this.x, this.y, data.units);
    this.by = data.classes.length > 0 ? "class" : "topic";
    this.found = null;      // numbers of documents that were searched for
    this.hovered = -1;
    this.pointers = new Map();
    this.build();
    this.colourBy(this.by);
    this.reset();
    new ResizeObserver(() => this.resize()).observe(this.stage);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.later());
  }

  build() {
    this.stage = $("documents");
    this.canvas = make("canvas", {tabindex: "0", role: "application",
      "aria-label": "Map of documents. Arrows move it, plus and minus zoom, 0 shows all; " +
                    "the document next to the middle is told.",
      "aria-describedby": "document-told"});
    this.tip = make("div", {class: "tip", id: "document-told", "aria-live": "polite"});
    this.tip.hidden = true;
    this.ring = make("div", {class: "point-ring"});
    this.ring.hidden = true;
    this.stage.replaceChildren(this.canvas, this.ring, this.tip);
    const button = (label, said, act) => {
      const element = make("button", {type: "button", "aria-label": said, title: said}, label);
      element.addEventListener("click", act);
      return element;
    };
    const tools = make("div", {class: "map-tools"},
        button("+", "zoom in", () => this.zoomMiddle(1.5)),
        button("−", "zoom out", () => this.zoomMiddle(1 / 1.5)),
        button("all", "show all", () => this.reset()));
    this.stage.append(tools);
    const side = this.stage.parentElement.querySelector(".map-side");
    const controls = make("div", {class: "map-controls"});
    if (data.classes.length > 0 && data.topics.length > 0) {
      const choice = make("select", {id: "colour-by"}, make("option", {value: "class"}, "class"),
                          make("option", {value: "topic"}, "topic"));
      choice.addEventListener("change", () => this.colourBy(choice.value));
      controls.append(make("label", {for: "colour-by"}, "Colours by "), choice);
    }
    const search = make("input", {type: "search", id: "find-title", placeholder: "find a title",
                                  "aria-label": "find documents by title"});
    search.addEventListener("input", () => this.search(search.value));
    this.matches = make("span", {class: "count", "aria-live": "polite"});
    controls.append(search, this.matches);
    side.prepend(controls);
    this.listen();
  }

  listen() {
    const canvas = this.canvas;
    const place = event => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener("wheel", event => {
      // A page that scrolls keeps scrolling until the map is meant: by a click, or by Ctrl.
      if (!(event.ctrlKey || event.metaKey || document.activeElement === canvas)) return;
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0018)), ...place(event));
    }, {passive: false});
    canvas.addEventListener("dblclick", event => this.zoom(2, ...place(event)));
    canvas.addEventListener("pointerdown", event => {
      canvas.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, place(event));
      this.moved = false;
    });
    canvas.addEventListener("pointermove", event => {
      const now = place(event), before = this.pointers.get(event.pointerId);
      if (!before) return this.hover(...now);
      if (Math.hypot(now[0] - before[0], now[1] - before[1]) > 1) this.moved = true;
      this.drag(event.pointerId, before, now);
    });
    const release = event => this.pointers.delete(event.pointerId);
    canvas.addEventListener("pointerup", event => {
      release(event);
      if (!this.moved) this.choose(...place(event));
    });
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("pointerleave", () => { if (this.pointers.size === 0) this.tell(-1); });
    canvas.addEventListener("blur", () => this.tell(-1));
    canvas.addEventListener("keydown", event => this.key(event));
  }

  // Screen = offset + scale · map.
  reset() {
    const {width, height} = this.size();
    const margin = 12;
    this.least = (Math.min(width, height) - 2 * margin) / data.units;
    this.scale = this.least;
    this.left = (width - this.scale * data.units) / 2;
    this.top = (height - this.scale * data.units) / 2;
    this.later();
  }
  size() {
    return {width: this.stage.clientWidth || 640, height: this.stage.clientHeight || 640};
  }
  resize() {
    const wasAll = this.scale === this.least;
    if (wasAll) this.reset();
    else this.later();
  }
  zoom(factor, x, y) {
    const scale = Math.max(this.least, Math.min(this.least * 200, this.scale * factor));
    if (scale === this.least) return this.reset();
    this.left = x - (x - this.left) * scale / this.scale;
    this.top = y - (y - this.top) * scale / this.scale;
    this.scale = scale;
    this.later();
  }
  zoomMiddle(factor) {
    const {width, height} = this.size();
    this.zoom(factor, width / 2, height / 2);
  }
  drag(id, before, now) {
    if (this.pointers.size === 2) {
      const other = [...this.pointers].find(([key]) => key !== id)[1];
      const apart = p => Math.max(1, Math.hypot(p[0] - other[0], p[1] - other[1]));
      this.zoom(apart(now) / apart(before), other[0], other[1]);
    } else {
      this.left += now[0] - before[0];
      this.top += now[1] - before[1];
    }
    this.pointers.set(id, now);
    this.tell(-1);
    this.later();
  }
  key(event) {
    const step = 60;
    const moves = {ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step],
                   ArrowDown: [0, -step]};
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (moves[event.key]) {
      this.left += moves[event.key][0];
      this.top += moves[event.key][1];
      this.later();
    } else if (event.key === "+" || event.key === "=") {
      this.zoomMiddle(1.5);
    } else if (event.key === "-") {
      this.zoomMiddle(1 / 1.5);
    } else if (event.key === "0") {
      this.reset();
    } else if (event.key === "Escape") {
      return this.tell(-1);
    } else {
      return;
    }
    event.preventDefault();
    const {width, height} = this.size();
    this.tell(this.nearest(width / 2, height / 2, Math.max(width, height) / 2));
  }

  // The nearest point that is shown, within `reach` pixels; −1 where there is none.
  nearest(x, y, reach) {
    const mapX = (x - this.left) / this.scale, mapY = (y - this.top) / this.scale;
    const within = reach / this.scale;
    let best = -1, least = within * within;
    this.grid.visit(mapX - within, mapY - within, mapX + within, mapY + within, i => {
      if (!this.shown(i)) return;
      const dx = this.x[i] - mapX, dy = this.y[i] - mapY, squared = dx * dx + dy * dy;
      if (squared < least) { least = squared; best = i; }
    });
    return best;
  }
  hover(x, y) { this.tell(this.nearest(x, y, 10)); }
  choose(x, y) {
    const i = this.nearest(x, y, 10);
    this.tell(i);
    if (i >= 0 && data.topics.length > 0) select(rankOf.get(this.topics[i]));
  }
  tell(i) {
    if (i === this.hovered) return;
    this.hovered = i;
    this.tip.hidden = i < 0;
    if (i >= 0) {
      const label = this.labels[i];
      const lines = [make("strong", {dir: "auto"}, this.titles[i] || `document ${i + 1}`)];
      if (data.classes.length > 0) {
        lines.push(make("span", {dir: "auto"}, label < 0 ? "no class" : data.classes[label]));
      }
      const topic = data.topics[rankOf.get(this.topics[i])];
      if (topic) lines.push(make("span", {}, `most of topic ${topic.name}`));
      this.tip.replaceChildren(...lines);
      const {width, height} = this.size();
      const x = this.left + this.scale * this.x[i], y = this.top + this.scale * this.y[i];
      const room = Math.min(this.tip.offsetWidth, width);
      this.tip.style.left = `${Math.max(0, Math.min(width - room, x + 14))}px`;
      const above = y + 14 + this.tip.offsetHeight > height;
      this.tip.style.top = `${above ? Math.max(0, y - 14 - this.tip.offsetHeight) : y + 14}px`;
    }
    this.placeRing(this.ringRadius || 5);
  }
  search(text) {
    const wanted = text.trim().toLowerCase();
    this.found = null;
    this.matches.textContent = "";
    if (wanted) {
      this.found = new Set();
      this.titles.forEach((title, i) => {
        if (title.toLowerCase().includes(wanted)) this.found.add(i);
      });
      this.matches.textContent = `${grouped(this.found.size)} found`;
    }
    this.later();
  }

  // Kinds are what has a colour: classes, or the twenty most prevalent topics and the others.
  colourBy(what) {
    this.by = what;
    const n = this.x.length, most = data.colours.length;
    this.kinds = [];
    if (what === "class") {
      this.kinds = data.classes.map((name, c) => ({name, colour: data.colours[c % most]}));
    } else {
      this.kinds = data.topics.slice(0, most).map(
          (topic, rank) => ({name: `topic ${topic.name}`, colour: data.colours[rank]}));
    }
    const last = this.kinds.length;
    this.kinds.push({name: what === "class" ? "no class" : "other topics", colour: data.grey});
    this.kind = new Uint16Array(n);
    for (let i = 0; i < n; ++i) {
      const k = what === "class" ? this.labels[i] : rankOf.get(this.topics[i]);
      this.kind[i] = k === undefined || k < 0 || k >= last ? last : k;
    }
    for (const kind of this.kinds) { kind.count = 0; kind.on = true; }
    for (let i = 0; i < n; ++i) ++this.kinds[this.kind[i]].count;
    // Points of a kind in a row: the canvas changes its colour once for each.
    this.begin = [0];
    for (const kind of this.kinds) this.begin.push(this.begin[this.begin.length - 1] + kind.count);
    const at = this.begin.slice();
    this.order = new Uint32Array(n);
    for (let i = 0; i < n; ++i) this.order[at[this.kind[i]]++] = i;
    this.legend();
    this.later();
  }
  shown(i) {
    return this.kinds[this.kind[i]].on && (!this.found || this.found.has(i));
  }
  legend() {
    const list = $("kinds");
    list.replaceChildren();
    const buttons = [];
    const update = () => {
      buttons.forEach(([kind, b]) => b.setAttribute("aria-pressed", String(kind.on)));
      this.tell(-1);
      this.later();
    };
    for (const kind of this.kinds) {
      if (kind.count === 0) continue;
      const b = make("button", {type: "button", "aria-pressed": "true",
                                title: "show or hide; with Shift, this one alone"},
                     make("span", {class: "dot"}), make("span", {dir: "auto"}, kind.name),
                     make("span", {class: "count"}, grouped(kind.count)));
      b.style.setProperty("--kind", kind.colour);
      b.addEventListener("click", event => {
        if (event.shiftKey) for (const other of this.kinds) other.on = other === kind;
        else kind.on = !kind.on;
        update();
      });
      const strong = on => { this.strong = on ? kind : null; this.later(); };
      b.addEventListener("pointerenter", () => strong(true));
      b.addEventListener("pointerleave", () => strong(false));
      buttons.push([kind, b]);
      list.append(make("li", {}, b));
    }
    const all = on => () => { for (const kind of this.kinds) kind.on = on; update(); };
    const both = make("div", {class: "both"}, make("button", {type: "button"}, "show all"),
                      make("button", {type: "button"}, "hide all"));
    both.children[0].addEventListener("click", all(true));
    both.children[1].addEventListener("click", all(false));
    this.both?.remove();
    this.both = both;
    list.after(both);
  }

  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.draw(); });
  }
  draw() {
    const {width, height} = this.size(), ratio = window.devicePixelRatio || 1;
    const canvas = this.canvas;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const pen = canvas.getContext("2d");
    const n = this.x.length;
    // Larger the fewer there are, and the nearer one looks.
    const radius = Math.min(5, Math.max(1, 40 / Math.sqrt(Math.max(1, n) / 20)) *
                                   Math.pow(this.scale / this.least, 0.3));
    const visible = this.visible(width, height, radius);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    if (visible > 3000) this.drawPixels(pen, canvas.width, canvas.height, radius, ratio);
    else this.drawDiscs(pen, radius);
    this.placeRing(radius + 3);
  }
  // Screen places of the points that are shown and in sight, kind by kind.
  visible(width, height, radius) {
    const {order, x, y, scale, left, top, found} = this;
    this.seenX ??= new Float32Array(x.length);
    this.seenY ??= new Float32Array(x.length);
    this.seenEnd = [];
    let seen = 0;
    for (let kind = 0; kind < this.kinds.length; ++kind) {
      const last = this.kinds[kind].on ? this.begin[kind + 1] : this.begin[kind];
      for (let k = this.begin[kind]; k < last; ++k) {
        const i = order[k], cx = left + scale * x[i], cy = top + scale * y[i];
        if (cx < -radius || cy < -radius || cx > width + radius || cy > height + radius) continue;
        if (found && !found.has(i)) continue;
        this.seenX[seen] = cx;
        this.seenY[seen++] = cy;
      }
      this.seenEnd.push(seen);
    }
    return seen;
  }
  opacity(kind) { return this.strong && this.strong !== kind ? 0.12 : 0.8; }
  drawDiscs(pen, radius) {
    let k = 0;
    this.kinds.forEach((kind, number) => {
      pen.fillStyle = kind.colour;
      pen.globalAlpha = this.opacity(kind);
      for (; k < this.seenEnd[number]; ++k) {
        pen.beginPath();
        pen.arc(this.seenX[k], this.seenY[k], radius, 0, 6.2832);
        pen.fill();
      }
    });
    pen.globalAlpha = 1;
  }
  // Tens of thousands of discs go into the pixels themselves, row by row: that takes a tenth of the
  // time of as many paths.
  drawPixels(pen, width, height, radius, ratio) {
    const image = pen.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const reach = Math.max(1, Math.round(radius * ratio));
    const halves = [];
    for (let dy = -reach; dy <= reach; ++dy) {
      halves.push(Math.floor(Math.sqrt((reach + 0.3) * (reach + 0.3) - dy * dy)));
    }
    let k = 0;
    this.kinds.forEach((kind, number) => {
      const rgb = Number.parseInt(kind.colour.slice(1), 16);
      const colour = (Math.round(255 * this.opacity(kind)) << 24 | (rgb & 255) << 16 |
                      (rgb & 0xff00) | rgb >> 16) >>> 0;
      for (; k < this.seenEnd[number]; ++k) {
        const cx = Math.round(this.seenX[k] * ratio), cy = Math.round(this.seenY[k] * ratio);
        for (let dy = -reach; dy <= reach; ++dy) {
          const row = cy + dy;
          if (row < 0 || row >= height) continue;
          const half = halves[dy + reach];
          const first = Math.max(0, cx - half), last = Math.min(width - 1, cx + half);
          pixels.fill(colour, row * width + first, row * width + last + 1);
        }
      }
    });
    pen.putImageData(image, 0, 0);
  }
  placeRing(radius) {
    const i = this.hovered;
    this.ring.hidden = i < 0;
    if (i < 0) return;
    this.ring.style.width = this.ring.style.height = `${2 * radius}px`;
    this.ring.style.left = `${this.left + this.scale * this.x[i] - radius}px`;
    this.ring.style.top = `${this.top + this.scale * this.y[i] - radius}px`;
    this.ringRadius = radius;
  }
}

if (data.topics.length > 0) startTopics();
if (data.documents.x.length > 0) new DocumentMap();
})();
)js";

}  // namespace

std::string_view topics_script() {
  return kTopicsScript;
}

}  // namespace trellis::report
