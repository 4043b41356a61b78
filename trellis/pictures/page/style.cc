#include "trellis/pictures/page/style.h"

namespace trellis::report {
namespace {

// Two colours carry meaning: the accent for what is true, positive or simply drawn; the warning
// colour for mistakes and negative weights. Text on its ground has a contrast of at least 4.5 : 1
// in both schemes (WCAG 2.1, 1.4.3), the deepest cells of heat maps included.
constexpr std::string_view kStyleSheet = R"css(
:root {
  color-scheme: light dark;
  --paper: 253 252 250; --ink: 31 35 40; --muted: 95 100 106; --rule: 31 35 40;
  --accent: 11 103 114; --warn: 176 58 23;
  --serif: "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Georgia, serif;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: 20 23 26; --ink: 228 227 222; --muted: 156 163 170; --rule: 228 227 222;
    --accent: 104 196 204; --warn: 243 146 110;
  }
}
* { box-sizing: border-box; }
html { font: 100%/1.6 var(--sans); color: rgb(var(--ink)); background: rgb(var(--paper));
  -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { overflow-x: clip; max-width: 68rem; margin: 0 auto; padding: clamp(1.5rem, 5vw, 4.5rem) clamp(1rem, 4vw, 2.5rem) 6rem; }
h1, h2, h3 { font-family: var(--serif); font-weight: 500; line-height: 1.2; text-wrap: balance;
  overflow-wrap: anywhere; }
h1 { font-size: clamp(1.9rem, 5vw, 2.8rem); margin: 0; letter-spacing: -.01em; }
h2 { font-size: 1.65rem; margin: 0 0 .6rem; }
h3 { font-size: 1.1rem; margin: 2.5rem 0 0; color: rgb(var(--muted)); font-style: italic; }
p { margin: 0 0 1rem; max-width: 42rem; overflow-wrap: anywhere; }
.subtitle { color: rgb(var(--muted)); font-size: 1.1rem; margin: .6rem 0 0; }
.lead { color: rgb(var(--muted)); margin-bottom: 1.75rem; }
.note { color: rgb(var(--muted)); font-size: .85rem; margin-top: .75rem; }
.empty { color: rgb(var(--muted)); font-style: italic; }
section { margin-top: 4.5rem; padding-top: 1.6rem; border-top: 1px solid rgb(var(--rule) / .16); }
a { color: rgb(var(--accent)); text-underline-offset: .2em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid rgb(var(--accent)); outline-offset: 3px; }
nav ul { display: flex; flex-wrap: wrap; gap: .4rem 1.6rem; list-style: none; padding: 0; margin: 2.5rem 0 0; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }

.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 10.5rem), 1fr));
  gap: 1.75rem 1.5rem; margin: 1.75rem 0 0; }
.tiles dt { font-size: .85rem; color: rgb(var(--muted)); }
.tiles dd { margin: 0; }
.tiles .figure { font: 500 2.1rem/1.25 var(--serif); font-variant-numeric: lining-nums tabular-nums;
  white-space: nowrap; }
.tiles div:first-child .figure { color: rgb(var(--accent)); }
.tiles .note { margin: 0; font-size: .8rem; line-height: 1.4; }
.definitions { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr));
  gap: 0 2.5rem; margin: .75rem 0 0; font-size: .9rem; }
.definitions div { display: flex; justify-content: space-between; gap: 1rem; padding: .35rem 0;
  border-bottom: 1px solid rgb(var(--rule) / .1); }
.definitions dt { color: rgb(var(--muted)); flex: none; max-width: 60%; overflow-wrap: anywhere; }
.definitions dd { margin: 0; text-align: end; font-family: var(--mono); font-size: .93em;
  overflow-wrap: anywhere; }
details { margin-top: 1.75rem; }
summary { cursor: pointer; width: fit-content; color: rgb(var(--accent)); }
.row { display: flex; flex-wrap: wrap; gap: 2.5rem 4rem; align-items: flex-start; }
.row > div { max-width: 100%; }
.row > div > h3:first-child { margin-top: 0; }
.columns { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 23rem), 1fr));
  gap: 2.5rem 3rem; align-items: start; }

.scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: lining-nums tabular-nums; }
caption { text-align: start; font-weight: 600; padding: 0 0 .5rem; overflow-wrap: anywhere; }
th, td { padding: .38rem .9rem .38rem 0; text-align: start; vertical-align: baseline; }
th { font-weight: 400; }
thead th { color: rgb(var(--muted)); font-size: .8rem; vertical-align: bottom; }
thead tr { border-bottom: 1px solid rgb(var(--rule) / .3); }
tbody tr { border-bottom: 1px solid rgb(var(--rule) / .08); }
td.number, th.number { text-align: end; white-space: nowrap; }
th.number:first-child, td.number:first-child { padding-inline-start: .2rem; }

.scores { min-width: min(100%, 46rem); }
.scores tbody th, .scores tfoot th { font-weight: 600; overflow-wrap: anywhere; min-width: 6rem; }
.scores .score { min-width: 6.5rem; }
.scores tbody tr:last-child { border-bottom: 0; }
.scores tfoot tr { border-top: 1px solid rgb(var(--rule) / .3); }
.bar { display: block; height: 3px; margin-top: .2rem; border-radius: 2px; background: rgb(var(--rule) / .1); }
.bar::before { content: ""; display: block; height: 100%; width: calc(var(--share) * 100%);
  border-radius: inherit; background: rgb(var(--accent)); }

.measure { display: inline-block; min-width: 5.5rem; }

.weights { width: 100%; table-layout: fixed; }
.weights caption { font-size: 1rem; font-family: var(--mono); }
.weights th { font-family: var(--mono); font-size: .85rem; overflow-wrap: anywhere; }
.weights td.number { width: 4.2rem; padding-inline-end: 0; }
.weights .zero { width: 8rem; padding-inline: 0; vertical-align: middle;
  background: linear-gradient(rgb(var(--rule) / .3), rgb(var(--rule) / .3)) center / 1px 100% no-repeat; }
.signed { display: block; height: .55rem; width: calc(var(--share) * 50%); }
.signed.positive { margin-inline-start: 50%; background: rgb(var(--accent)); border-radius: 0 2px 2px 0; }
.signed.negative { margin-inline-start: calc(50% - var(--share) * 50%); background: rgb(var(--warn));
  border-radius: 2px 0 0 2px; }

.columns:has(.chart) { align-items: end; }
.chart { margin: 0; max-width: 40rem; }
.chart figcaption { font-weight: 600; font-size: .95rem; overflow-wrap: anywhere; }
.chart figcaption span { font-weight: 400; color: rgb(var(--muted)); }
.chart > svg { display: block; width: 100%; height: auto; margin-top: .6rem; overflow: visible; }
.chart text { font-family: var(--sans); font-size: 12px; fill: rgb(var(--muted));
  font-variant-numeric: lining-nums tabular-nums; }
.grid { stroke: rgb(var(--rule) / .1); }
.axis { stroke: rgb(var(--rule) / .4); }
.border { stroke: rgb(var(--rule) / .5); stroke-dasharray: 2 3; }
.series .line { fill: none; stroke: currentColor; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.series .markers { fill: currentColor; stroke: rgb(var(--paper)); stroke-width: 1; }
.series .column { fill: currentColor; stroke: currentColor; }
.series-0, .series-3 { color: rgb(var(--accent)); }
.series-1, .series-4 { color: rgb(var(--ink)); }
.series-2, .series-5 { color: rgb(var(--warn)); }
.series-1 .line { stroke-dasharray: 6 4; }
.series-1 .column { fill: transparent; }
.series-2 .line { stroke-dasharray: 1.5 4; }
.series-3 .line { stroke-dasharray: 10 4 2 4; }
.series-5 .line { stroke-dasharray: 6 4; }
.band { fill: rgb(var(--accent) / .13); }
.ring { fill: none; stroke: rgb(var(--accent)); stroke-width: 1.5; }
.chart .mark, .chart .value { fill: rgb(var(--ink)); paint-order: stroke; stroke: rgb(var(--paper));
  stroke-width: 4px; stroke-linejoin: round; }
.target { fill: transparent; }
.readout { visibility: hidden; pointer-events: none; }
.stop:hover .readout { visibility: visible; }
.stop:hover .cursor { stroke: rgb(var(--rule) / .5); }
.legend, .key { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; list-style: none; margin: .3rem 0 0;
  padding: 0; font-size: .85rem; color: rgb(var(--muted)); }
.swatch { width: 28px; height: 12px; margin-inline-end: .45rem; vertical-align: -1px; }

.alignment { margin: 0; max-width: 100%; break-inside: avoid; }
.alignment figcaption { font-size: .85rem; color: rgb(var(--muted)); margin-bottom: .35rem; overflow-wrap: anywhere; }
.alignment svg { display: block; }
.alignment text { font-family: var(--sans); fill: rgb(var(--ink)); white-space: pre; }
.ruler { fill: none; stroke: rgb(var(--rule) / .12); }
.ruler.fifth { stroke: rgb(var(--rule) / .35); }
.links .found { fill: rgb(var(--accent)); }
.links .stray { fill: rgb(var(--warn)); }
.links .faint { fill: rgb(var(--ink)); }
.links .sure, .links .possible { fill: none; stroke: rgb(var(--ink)); stroke-width: 1.4; }
.links .lost { fill: none; stroke: rgb(var(--warn)); stroke-width: 3; }
.links .cross { fill: none; stroke: rgb(var(--warn)); stroke-width: 2.2; stroke-linecap: round; }

.tree { margin: 0; padding: 1.1rem 0 .9rem; max-width: 100%; border-top: 1px solid rgb(var(--rule) / .1); break-inside: avoid; }
.tree figcaption { font-size: .8rem; color: rgb(var(--muted)); margin-bottom: .35rem; overflow-wrap: anywhere; }
.tree svg { display: block; }
.tree-pair { display: flex; flex-wrap: wrap; gap: .6rem 2.4rem; }
.tree-pair > div { min-width: 0; max-width: 100%; }
h3 + .scroll { margin-top: .6rem; }
h3 + .tree { margin-top: .4rem; border-top: 0; }
.tree text { font-family: var(--sans); fill: rgb(var(--ink)); white-space: pre; }
.tree .ground { fill: rgb(var(--paper)); }
.tree text.pos { fill: rgb(var(--muted)); }
.tree text.stray, .tree text.misnamed { fill: rgb(var(--warn)); font-weight: 600; }
.tree text.lost, .tree .gold-label { fill: rgb(var(--accent)); font-weight: 600; }
g.arc .line { fill: none; stroke: currentColor; stroke-width: 1.3; }
g.arc .head { fill: currentColor; }
g.arc.sound { color: rgb(var(--muted)); }
g.arc.misnamed, g.arc.stray { color: rgb(var(--warn)); }
g.arc.stray .line { stroke-width: 2.4; }
g.arc.lost { color: rgb(var(--accent)); }
g.arc.lost .line { stroke-width: 1.8; stroke-dasharray: 5 3; }
g.arc:hover .line { stroke-width: 3; }

.network { margin: 0; max-width: 100%; break-inside: avoid; }
.network .scroll > svg { display: block; margin-inline: auto; }
.variable rect { fill: rgb(var(--paper)); stroke: rgb(var(--rule) / .55); stroke-width: 1.2; }
.variable text { font-family: var(--sans); fill: rgb(var(--ink)); white-space: pre; pointer-events: none; }
.variable:hover rect { stroke: rgb(var(--accent)); stroke-width: 2.2; }
.predicted-one rect { fill: rgb(var(--accent)); stroke: rgb(var(--accent)); }
.predicted-one text { fill: rgb(var(--paper)); font-weight: 600; }
.hidden-one rect { stroke: rgb(var(--accent)); stroke-width: 1.8; stroke-dasharray: 4 3; }
.dependence { color: rgb(var(--muted)); }
.dependence .line { fill: none; stroke: currentColor; stroke-opacity: .75; }
.dependence .head { fill: currentColor; }
.dependence:hover { color: rgb(var(--accent)); }
.dependence:hover .line { stroke-opacity: 1; }

.strips { margin: 0; padding: 1.1rem 0 .9rem; max-width: 100%; border-top: 1px solid rgb(var(--rule) / .1); break-inside: avoid; }
.strips figcaption { font-size: .8rem; color: rgb(var(--muted)); margin-bottom: .35rem; overflow-wrap: anywhere; }
.strips .scroll > svg { display: block; margin-bottom: .5rem; }
.strips text { font-family: var(--sans); font-size: 11px; }
.strips .side { fill: rgb(var(--muted)); }
.strips .place { fill: rgb(var(--muted)); font-size: 10px; font-variant-numeric: tabular-nums; }
.run rect { fill: var(--kind); fill-opacity: .55; }
.run text { fill: rgb(var(--ink)); pointer-events: none; }
.strips .unknown rect { fill: none; stroke: rgb(var(--rule) / .3); stroke-dasharray: 2 2; }
.strips .unknown text { fill: rgb(var(--muted)); }
.strips .fault { fill: rgb(var(--warn)); }

.heat { font-size: .8rem; border-collapse: separate; border-spacing: 2px; }
.heat tr { border: 0; }
.heat th, .heat td { padding: .3rem .4rem; text-align: center; white-space: nowrap; border-radius: 2px; }
.heat thead th { vertical-align: bottom; padding: .2rem; }
.heat thead span { display: inline-block; writing-mode: vertical-rl; transform: rotate(180deg);
  max-block-size: none; max-height: 9rem; overflow: hidden; text-overflow: ellipsis; line-height: 1.2; }
.heat th { color: rgb(var(--ink)); font-size: .8rem; }
.heat tbody th { text-align: end; max-width: 11rem; overflow: hidden; text-overflow: ellipsis; position: sticky; left: 0;
  background: rgb(var(--paper)); }
.heat .corner { color: rgb(var(--muted)); text-align: start; vertical-align: bottom; white-space: pre; }
.heat td { min-width: 2.6rem; }
.heat .none { color: rgb(var(--muted) / .5); }
.heat .hit, .heat .positive { background: rgb(var(--accent) / calc(var(--depth) * .42)); }
.heat .miss, .heat .negative { background: rgb(var(--warn) / calc(var(--depth) * .52)); }
.heat .miss { font-weight: 600; }
.heat .mixed { background: rgb(var(--rule) / .07); }
.heat .total, .heat thead .total { color: rgb(var(--muted)); padding-inline-start: .8rem; text-align: end; }
.heat .absent { color: rgb(var(--muted)); }

.key { margin-bottom: 1.5rem; gap: .6rem 1.6rem; }
.key li { display: flex; align-items: baseline; gap: .5rem; }
.key .last { margin: 0; }
.key .tag { display: inline-block; min-height: 0; }
.sentence { margin: 0; padding: 1.1rem 0 .9rem; border-top: 1px solid rgb(var(--rule) / .1); break-inside: avoid; }
.sentence figcaption { font-size: .8rem; color: rgb(var(--muted)); margin-bottom: .35rem; overflow-wrap: anywhere; }
.tokens { display: flex; flex-wrap: wrap; row-gap: .55rem; max-width: none; margin: 0; font-size: 1.05rem; }
.token { position: relative; display: flex; flex-direction: column; max-width: 100%; }
.word { padding: 0 .16em; white-space: pre-wrap; overflow-wrap: anywhere; min-width: 1ch; min-height: 1.6em; }
.mistaken .word { background: rgb(var(--warn) / .1); }
.gold, .predicted { display: block; min-height: 1.25rem; font: .72rem/1.25 var(--sans); padding: .1rem .3rem 0 .16rem;
  border-top: 0 solid transparent; white-space: nowrap; }
.gold { color: rgb(var(--accent)); }
.predicted { color: rgb(var(--warn)); }
.correct, .missed, .spurious, .wrong { border-top-color: currentColor; font-weight: 600; }
.correct { border-top-width: 2px; border-top-style: solid; }
.missed { border-top-width: 2px; border-top-style: dashed; }
.spurious { border-top-width: 3px; border-top-style: dotted; }
.wrong { border-top-width: 4px; border-top-style: double; }
.last { margin-inline-end: .22rem; }
.free { width: 0; min-width: 100%; }
.free.last { min-width: calc(100% - .22rem); }
.symbol { font-weight: 700; margin-inline-end: .25em; color: rgb(var(--warn)); }
.tag { text-align: center; }
.tag.gold { color: rgb(var(--muted)); }
.tag.mistake { font-weight: 600; margin-inline: .1rem; }
.tag.gold.mistake { color: rgb(var(--accent)); }
.tag.predicted { border-top: 2px dashed currentColor; }
.cut { align-self: center; color: rgb(var(--muted)); font-style: italic; padding-inline-start: .5rem; }

.topics-pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 25rem), 1fr));
  gap: 2rem 3rem; align-items: start; }
.bubble { --shade: var(--kind, rgb(var(--accent))); color: inherit; text-decoration: none; }
.bubble circle, circle.bubble { fill: var(--shade); fill-opacity: .26; stroke: var(--shade); stroke-width: 1.2; }
.chart .crowded, .chart .bubble-number { fill: rgb(var(--ink)); pointer-events: none; paint-order: stroke;
  stroke: rgb(var(--paper) / .6); stroke-width: 2.5px; stroke-linejoin: round; }
.chart .crowded { visibility: hidden; stroke: rgb(var(--paper) / .9); stroke-width: 4px; }
.bubble:is(:hover, :focus-visible, .selected) .crowded { visibility: visible; }
.bubble:hover circle { fill-opacity: .5; }
.bubble.selected circle { fill-opacity: .62; stroke: rgb(var(--ink)); stroke-width: 2; }
.bubble:focus-visible { outline: none; }
.bubble:focus-visible circle { stroke: rgb(var(--ink)); stroke-width: 3; }
.terms-head { display: flex; flex-wrap: wrap; gap: .3rem 1rem; justify-content: space-between; align-items: baseline; }
.terms-head h3 { margin: 0; }
.steps, .map-tools { display: flex; gap: .3rem; }
.point-ring { position: absolute; border: 2px solid rgb(var(--ink)); border-radius: 50%; pointer-events: none; }
.steps[hidden], .relevance[hidden], .tip[hidden], .point-ring[hidden] { display: none; }
button, select, input[type="search"] { font: inherit; font-size: .8rem; color: inherit; background: rgb(var(--paper));
  border: 1px solid rgb(var(--rule) / .3); border-radius: 4px; padding: .15rem .55rem; }
button { cursor: pointer; }
button:hover { border-color: rgb(var(--accent)); }
button:disabled { opacity: .45; cursor: default; border-color: rgb(var(--rule) / .2); }
.relevance { display: grid; grid-template-columns: auto 1fr 2.5rem; gap: 0 .8rem; align-items: center;
  font-size: .85rem; margin: .6rem 0; }
.relevance input { accent-color: rgb(var(--accent)); width: 100%; margin: 0; }
.relevance output { font-variant-numeric: tabular-nums; text-align: end; }
.relevance .ends { grid-column: 1 / -1; color: rgb(var(--muted)); font-size: .8rem; }
.terms { list-style: none; margin: .8rem 0 0; padding: 0; font-size: .85rem; line-height: 1.3; }
.terms li { display: grid; grid-template-columns: minmax(0, 9rem) 1fr 3rem; gap: .7rem; align-items: center; padding: .06rem 0; }
.term { text-align: end; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.terms .share { text-align: end; color: rgb(var(--muted)); font-size: .8rem; font-variant-numeric: tabular-nums; }
.uses { height: .7rem; border-radius: 0 2px 2px 0; background:
  linear-gradient(rgb(var(--accent)), rgb(var(--accent))) 0 0 / calc(var(--here) * 100%) 100% no-repeat,
  linear-gradient(rgb(var(--rule) / .18), rgb(var(--rule) / .18)) 0 0 / calc(var(--all) * 100%) 100% no-repeat; }
.plain { list-style: none; margin: 0; padding: 0; }
.topic-table a.selected { font-weight: 700; }
.topic-table td:last-child { min-width: 16rem; }

.document-map { margin: 0; }
.document-map figcaption { font-weight: 600; font-size: .95rem; margin-bottom: .6rem; }
.map-frame { display: grid; grid-template-columns: minmax(0, 1fr) 15rem; gap: 1.2rem; align-items: start; }
.stage { position: relative; border: 1px solid rgb(var(--rule) / .16); border-radius: 4px; }
.stage:has(canvas) { height: min(44rem, 88vh); }
.stage canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block; cursor: crosshair; touch-action: pan-y; }
.stage .note { margin: 0 .9rem .9rem; }
.stage svg { display: block; width: 100%; height: auto; }
.stage path { fill: none; stroke: var(--kind); stroke-width: 3.2; stroke-linecap: round; stroke-opacity: .75; }
.map-tools { position: absolute; inset-inline-end: .5rem; top: .5rem; }
.map-tools button { min-width: 2rem; }
.tip { position: absolute; max-width: min(22rem, 90%); padding: .4rem .6rem; font-size: .8rem; line-height: 1.35;
  background: rgb(var(--paper) / .95); border: 1px solid rgb(var(--rule) / .35); border-radius: 4px; pointer-events: none;
  overflow-wrap: anywhere; }
.tip > * { display: block; }
.tip span { color: rgb(var(--muted)); }
.map-controls { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; font-size: .85rem; margin-bottom: .6rem; }
.map-controls input { width: 100%; }
.kinds { list-style: none; margin: 0; padding: 0; font-size: .8rem; line-height: 1.35; max-height: 36rem; overflow-y: auto;
  overflow-wrap: anywhere; }
.kinds li:not(:has(button)), .kinds button { display: flex; gap: .5rem; align-items: center; width: 100%; text-align: start; padding: .1rem .3rem; }
.kinds button { border-color: transparent; font-size: inherit; background: none; }
.kinds button:hover { border-color: rgb(var(--rule) / .35); }
.kinds button[aria-pressed="false"] { color: rgb(var(--muted)); text-decoration: line-through; }
.kinds button[aria-pressed="false"] .dot { background: none; box-shadow: inset 0 0 0 2px var(--kind); }
.both { display: flex; gap: .3rem; margin-top: .5rem; }
.dot { flex: none; width: .75rem; height: .75rem; border-radius: 50%; background: var(--kind); }
.count { margin-inline-start: auto; color: rgb(var(--muted)); font-size: .8rem; font-variant-numeric: tabular-nums; }
@media (max-width: 44rem) {
  .map-frame { grid-template-columns: minmax(0, 1fr); }
  .stage:has(canvas) { height: min(30rem, 100vw); }
  .terms li { grid-template-columns: minmax(0, 6.5rem) 1fr 2.5rem; }
}

@media (max-width: 34rem) {
  .chart text { font-size: 15.5px; }
  section { margin-top: 3.25rem; }
  .tiles { grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); }
  .tiles .figure { font-size: 1.75rem; }
  .weights .zero { width: 5.5rem; }
  .scores .score { min-width: 3.7rem; }
  .scores tbody th, .scores tfoot th { min-width: 4.8rem; }
  th, td { padding-inline-end: .7rem; }
}
@media print {
  :root { --paper: 255 255 255; --ink: 0 0 0; --muted: 80 80 80; --rule: 0 0 0; --accent: 11 103 114; --warn: 176 58 23; }
  html { font-size: 75%; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  body { max-width: none; padding: 0; }
  nav { display: none; }
  section { margin-top: 2rem; }
  details::details-content { content-visibility: visible; block-size: auto; }
  figure, tr { break-inside: avoid; }
  h2, .lead { break-after: avoid; }
  .scroll { overflow: visible; }
  .alignment .scroll > svg, .tree .scroll > svg, .network .scroll > svg, .strips .scroll > svg {
    max-width: 100%; height: auto; }
}
)css";

}  // namespace

std::string_view style_sheet() {
  return kStyleSheet;
}

}  // namespace trellis::report
