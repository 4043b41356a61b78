#include "trellis/pictures/scripts/document_map_script.h"

namespace trellis::report {
namespace {

// Names as in document_map.cc. Places on the map are whole numbers from 0 to data.units, and their
// pixels offset + scale · place. `main` is the topic that a document has most of.
constexpr std::string_view kDocumentMapScript = R"js(
const data = read("documents-data");
const rankOf = new Map(data.topics.map((topic, rank) => [topic.id, rank]));
const called = topic => topic.words ? `${topic.name}: ${topic.words}` : topic.name;

// Finds the points near a place.
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
    const {x, y, labels, main, titles} = data;
    this.x = Uint16Array.from(x);
    this.y = Uint16Array.from(y);
    this.labels = labels;
    this.main = main;
    this.titles = titles;
    this.grid = new Grid(this.x, this.y, data.units);
    this.found = null;      // numbers of documents that were searched for
    this.hovered = -1;      // the point that is told
    this.radius = 2;        // of points, in pixels
    this.strong = null;     // the kind that stands out
    this.pointers = new Map();
    this.build();
    this.colourBy(data.classes.length > 0 ? "class" : "topic");
    this.reset();
    new ResizeObserver(() => this.resize()).observe(this.stage);
  }

  build() {
    this.stage = $("documents");
    this.canvas = make("canvas", {tabindex: "0", role: "application",
      "aria-label": "Map of documents. Arrows move it, plus and minus zoom, 0 shows all; " +
                    "the document nearest to the centre is described.",
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
    side.prepend(controls);
    this.listen();
    if (!this.titles.some(title => title)) return;
    const search = make("input", {type: "search", id: "find-title", placeholder: "find a title",
                                  "aria-label": "find documents by title"});
    search.addEventListener("input", () => this.search(search.value));
    this.matches = make("span", {class: "count", "aria-live": "polite"});
    controls.append(search, this.matches);
  }

  listen() {
    const canvas = this.canvas;
    const place = event => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener("wheel", event => {
      // A page that scrolls keeps scrolling until the map is meant: by a click, or by Ctrl; and
      // again when all of the map is seen.
      if (!(event.ctrlKey || event.metaKey || document.activeElement === canvas)) return;
      if (!event.ctrlKey && event.deltaY > 0 && this.scale === this.least) return;
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0018)), ...place(event));
    }, {passive: false});
    canvas.addEventListener("dblclick", event => this.zoom(2, ...place(event)));
    canvas.addEventListener("pointerdown", event => {
      canvas.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, place(event));
      this.pressed = place(event);
      this.moved = false;
    });
    canvas.addEventListener("pointermove", event => {
      const now = place(event), before = this.pointers.get(event.pointerId);
      if (!before) return this.hover(...now);
      if (Math.hypot(now[0] - this.pressed[0], now[1] - this.pressed[1]) > 3) this.moved = true;
      if (this.moved) this.drag(event.pointerId, before, now);
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

  // All of the map, as large as fits.
  fit() {
    const {width, height} = this.size(), margin = 12;
    return Math.max(1, Math.min(width, height) - 2 * margin) / data.units;
  }
  reset() {
    const {width, height} = this.size();
    this.scale = this.least = this.fit();
    this.left = (width - this.scale * data.units) / 2;
    this.top = (height - this.scale * data.units) / 2;
    this.later();
  }
  size() {
    return {width: this.stage.clientWidth || 640, height: this.stage.clientHeight || 640};
  }
  resize() {
    if (this.scale === this.least) return this.reset();
    this.least = this.fit();
    this.later();
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
    } else if (event.key === "Enter") {
      return this.chooseTopic(this.hovered);
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
    this.chooseTopic(i);
  }
  chooseTopic(i) {
    if (i >= 0) document.dispatchEvent(new CustomEvent("choose-topic", {detail: this.main[i]}));
  }
  tell(i) {
    if (i === this.hovered) return;
    this.hovered = i;
    if (i >= 0) {
      const label = this.labels[i];
      const lines = [make("strong", {dir: "auto"}, this.titles[i] || `document ${i + 1}`)];
      if (data.classes.length > 0) {
        lines.push(make("span", {dir: "auto"}, label < 0 ? "no class" : data.classes[label]));
      }
      const topic = data.topics[rankOf.get(this.main[i])];
      if (topic) lines.push(make("span", {}, `main topic: ${called(topic)}`));
      this.tip.replaceChildren(...lines);
    }
    this.placeMarks();
  }
  // The ring and the words go with their point, and stay within the map.
  placeMarks() {
    const i = this.hovered, away = 14;
    const {width, height} = this.size();
    const x = this.left + this.scale * this.x[i], y = this.top + this.scale * this.y[i];
    const inside = i >= 0 && x >= 0 && y >= 0 && width >= x && height >= y;
    this.ring.hidden = this.tip.hidden = !inside;
    if (!inside) return;
    const radius = this.radius + 3;
    this.ring.style.width = this.ring.style.height = `${2 * radius}px`;
    this.ring.style.left = `${x - radius}px`;
    this.ring.style.top = `${y - radius}px`;
    const across = this.tip.offsetWidth, down = this.tip.offsetHeight;
    this.tip.style.left = `${Math.max(0, Math.min(width - across, x + away))}px`;
    this.tip.style.top = `${y + away + down > height ? Math.max(0, y - away - down) : y + away}px`;
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
    const n = this.x.length, most = data.colours.length;
    this.strong = null;
    if (what === "class") {
      this.kinds = data.classes.map((name, c) => ({name, colour: data.colours[c % most]}));
    } else {
      this.kinds = data.topics.slice(0, most).map(
          (topic, rank) => ({name: called(topic), colour: data.colours[rank]}));
    }
    const last = this.kinds.length;
    this.kinds.push({name: what === "class" ? "no class" : "other topics", colour: data.grey});
    this.kind = new Uint16Array(n);
    for (let i = 0; i < n; ++i) {
      const k = what === "class" ? this.labels[i] : rankOf.get(this.main[i]);
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
                                title: "show or hide; with Shift: show only this one"},
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
                                   Math.pow(this.scale / this.least, 0.45));
    const visible = this.visible(width, height, radius);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    if (visible > 3000) this.drawPixels(pen, canvas.width, canvas.height, radius, ratio);
    else this.drawDiscs(pen, radius);
    this.radius = radius;
    this.placeMarks();
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
  // Tens of thousands of discs go into the pixels themselves, row by row: that takes a fifth of the
  // time of as many rectangles.
  drawPixels(pen, width, height, radius, ratio) {
    const image = pen.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const reach = Math.max(1, Math.round(radius * ratio));
    const halves = [];
    for (let dy = -reach; dy <= reach; ++dy) {
      halves.push(Math.floor(Math.sqrt((reach + 0.5) * (reach + 0.5) - dy * dy)));
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
          if (first > last) continue;  // beyond the border
          pixels.fill(colour, row * width + first, row * width + last + 1);
        }
      }
    });
    pen.putImageData(image, 0, 0);
  }
}

new DocumentMap();
)js";

}  // namespace

std::string_view document_map_script() {
  return kDocumentMapScript;
}

}  // namespace trellis::report
