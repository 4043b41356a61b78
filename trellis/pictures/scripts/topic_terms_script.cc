#include "trellis/pictures/scripts/topic_terms_script.h"

namespace trellis::report {
namespace {

// Names as in topics_report.cc; $("…") are the elements that it writes. Topics come by prevalence.
constexpr std::string_view kTopicTermsScript = R"js(
const data = read("topics-data");
const percent = share => (100 * share).toFixed(2);
const significant = x => x === 0 ? "0" : Number(x.toPrecision(2)).toString();
const rankOf = new Map(data.topics.map((topic, rank) => [topic.id, rank]));
let selected = 0;

function drawTerms() {
  const topic = data.topics[selected];
  const lambda = Number($("lambda").value);
  $("lambda-value").textContent = lambda.toFixed(2);
  const ranked = topic.words.map((word, i) => ({
    word, here: topic.here[i], all: topic.all[i],
    relevance: Math.log(topic.here[i]) - (1 - lambda) * Math.log(Math.max(topic.all[i], 1e-300))
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
// Who else shows topics says so.
document.addEventListener("choose-topic", event => select(rankOf.get(event.detail)));
select(0);
)js";

}  // namespace

std::string_view topic_terms_script() {
  return kTopicTermsScript;
}

}  // namespace trellis::report
