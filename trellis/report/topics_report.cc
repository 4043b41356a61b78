#include "trellis/report/topics_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/report/bar_table.h"
#include "trellis/report/line_chart.h"
#include "trellis/report/number.h"
#include "trellis/report/palette.h"
#include "trellis/report/topics_script.h"
#include "trellis/report/word_label.h"
#include "trellis/topics/relevance.h"

namespace trellis::report {
namespace {

constexpr Index kTopicsAtOnce = 50;
constexpr Index kWordsInTable = 12;

bool finite(const topics::Point& place) {
  return std::isfinite(place.x) && std::isfinite(place.y);
}

void check_topics(const TopicsReport& report) {
  for (const ReportedTopic& topic : report.topics) {
    if (!finite(topic.place) || !std::isfinite(topic.prevalence)) {
      throw UsageError("topics report: a topic's place or prevalence is not finite");
    }
  }
  for (const ReportedDocument& document : report.documents) {
    if (!finite(document.place)) {
      throw UsageError("topics report: a document's place is not finite");
    }
    if (document.label < kNoLabel || document.label >= static_cast<Label>(report.classes.size())) {
      throw UsageError("topics report: a document's class does not exist");
    }
    if (document.topic >= std::max<Index>(report.topics.size(), 1)) {
      throw UsageError("topics report: a document's topic does not exist");
    }
  }
}

// The slider stands still without the script, and is hidden there.
Html terms_panel(const TopicsReport& report, Index first) {
  const std::string lambda = fmt::format("{}", topics::kUsualLambda);
  const std::string step = fmt::format("{}", 1.0 / topics::kLambdaSteps);
  const Html slider =
      element("div", {{"class", "relevance"}, {"id", "relevance"}, {"hidden", "hidden"}},
              text_element("label", {{"for", "lambda"}}, "Relevance λ") +
                  element("input", {{"type", "range"},
                                    {"id", "lambda"},
                                    {"min", "0"},
                                    {"max", "1"},
                                    {"step", step},
                                    {"value", lambda}}) +
                  text_element("output", {{"id", "lambda-value"}, {"for", "lambda"}}, lambda) +
                  text_element("span", {{"class", "ends"}},
                               "0: what is special to the topic · 1: what is frequent in it"));
  const ReportedTopic& topic = report.topics[first];
  const Html heading =
      element("div", {{"class", "terms-head"}},
              text_element("h3", {{"id", "topic-heading"}, {"aria-live", "polite"}},
                           fmt::format("Topic {}, {} % of words", topic_name(report.topics, first),
                                       format_percent(topic.prevalence))) +
                  element("div", {{"class", "steps"}, {"id", "topic-steps"}, {"hidden", "hidden"}},
                          text_element("button", {{"type", "button"}, {"id", "topic-before"}},
                                       "more prevalent") +
                              text_element("button", {{"type", "button"}, {"id", "topic-after"}},
                                           "less prevalent")));
  const Html key = note(
      "Grey: how often the word is used. Colour: as far as the topic explains it. The number is "
      "the "
      "word's share of the topic, in percent.");
  return element("div", {{"class", "terms-panel"}, {"id", "terms"}},
                 heading + slider +
                     element("div", {{"id", "term-bars"}}, term_bars(topic, topics::kUsualLambda)) +
                     key);
}

std::vector<Html> topic_row(const TopicsReport& report, Index k, bool has_groups,
                            bool has_coherence) {
  const ReportedTopic& topic = report.topics[k];
  std::string words;
  for (const ReportedWord* word : most_relevant(topic, topics::kUsualLambda, kWordsInTable)) {
    if (!words.empty()) words += ", ";
    words += isolated(word->word);
  }
  double most = 0;
  for (const ReportedTopic& other : report.topics) most = std::max(most, other.prevalence);
  std::vector<Html> row = {text_element("a",
                                        {{"id", fmt::format("topic-{}", k + 1)},
                                         {"href", "#terms"},
                                         {"data-topic", fmt::format("{}", k)}},
                                        topic_name(report.topics, k)),
                           element("span", {{"class", "measure"}},
                                   text(format_percent(topic.prevalence)) +
                                       bar(most > 0 ? topic.prevalence / most : 0))};
  if (has_coherence) row.push_back(text(format_fixed(topic.coherence, 3)));
  if (has_groups) row.push_back(text_element("span", {{"dir", "auto"}}, topic.group));
  row.push_back(text_element("span", {{"dir", "auto"}}, words));
  return row;
}

void add_prevalence(const TopicsReport& report, Page& page) {
  const bool has_groups = topic_groups(report.topics).size() > 1;
  const bool has_coherence =
      std::any_of(report.topics.begin(), report.topics.end(),
                  [](const ReportedTopic& topic) { return std::isfinite(topic.coherence); });
  Table shown;
  shown.columns = {{"topic"}, {"% of words", Align::kEnd}};
  if (has_coherence) {
    const bool named = !report.coherence_name.empty();
    shown.columns.push_back({named ? report.coherence_name : "coherence", Align::kEnd});
  }
  if (has_groups) shown.columns.push_back({"belongs to"});
  shown.columns.push_back({fmt::format("most relevant words, λ = {}", topics::kUsualLambda)});
  Table others = shown;
  for (const Index k : by_prevalence(report.topics)) {
    Table& into = shown.rows.size() < kTopicsAtOnce ? shown : others;
    into.rows.push_back(topic_row(report, k, has_groups, has_coherence));
  }
  Html body = table(shown);
  if (!others.rows.empty()) {
    body += details(fmt::format("{} rarer topics", others.rows.size()), table(others));
  }
  page.add_section("Topics by prevalence", "", element("div", {{"class", "topic-table"}}, body));
}

void add_topics(const TopicsReport& report, Page& page) {
  if (report.topics.empty()) return;
  const Index first = by_prevalence(report.topics).front();
  page.add_section("Topics",
                   "A bubble is a topic: its area the share of all words, its distance from "
                   "another how much their words differ.",
                   element("div", {{"class", "topics-pair"}},
                           topic_map_picture(report.topics) + terms_panel(report, first)));
  add_prevalence(report, page);
}

void add_documents(const TopicsReport& report, Page& page) {
  if (report.documents.empty()) return;
  page.add_section("Documents",
                   "Each point is a document; documents that mix the same topics lie together.",
                   document_map(report.documents, report.classes));
}

Series sweep_series(const TopicsReport& report, std::string name, double TopicSweep::*value) {
  Series series;
  series.name = std::move(name);
  for (const TopicSweep& sweep : report.sweeps) {
    if (!std::isfinite(sweep.*value)) continue;
    series.x.push_back(static_cast<double>(sweep.sweep));
    series.y.push_back(sweep.*value);
  }
  return series;
}

void add_sweeps(const TopicsReport& report, Page& page) {
  LineChart likelihood;
  likelihood.title = "Log-likelihood a word";
  likelihood.y_label = "nats";
  for (Series& series :
       std::vector<Series>{sweep_series(report, "training text", &TopicSweep::log_likelihood),
                           sweep_series(report, "other documents", &TopicSweep::held_out)}) {
    if (!series.x.empty()) likelihood.series.push_back(std::move(series));
  }
  LineChart coherence;
  coherence.title = "Coherence";
  coherence.y_label = report.coherence_name.empty()
                          ? "mean over topics"
                          : fmt::format("{}, mean over topics", report.coherence_name);
  coherence.series = {sweep_series(report, "coherence", &TopicSweep::coherence)};
  std::vector<Html> charts;
  for (LineChart* chart : {&likelihood, &coherence}) {
    if (chart->series.empty() || chart->series[0].x.empty()) continue;
    chart->x_label = "sweep";
    chart->x_scale = Scale::kInteger;
    charts.push_back(line_chart(*chart));
  }
  if (!charts.empty()) page.add_section("Training", "", side_by_side(charts));
}

// What the script reads. Numbers are short: a screen shows three digits of them.
std::string page_data(const TopicsReport& report) {
  using nlohmann::ordered_json;
  const auto brief = [](double x) {
    return std::isfinite(x) ? std::strtod(fmt::format("{:.4g}", x).c_str(), nullptr) : 0.0;
  };
  ordered_json data;
  data["shown"] = kTermsShown;
  data["topics"] = ordered_json::array();
  for (const Index k : by_prevalence(report.topics)) {
    const ReportedTopic& topic = report.topics[k];
    ordered_json words = ordered_json::array(), here = words, all = words;
    for (const ReportedWord& word : topic.words) {
      words.push_back(word.word);
      here.push_back(brief(word.in_topic));
      all.push_back(brief(word.overall));
    }
    data["topics"].push_back({{"id", k},
                              {"name", topic_name(report.topics, k)},
                              {"prevalence", brief(topic.prevalence)},
                              {"group", topic.group},
                              {"words", words},
                              {"here", here},
                              {"all", all}});
  }
  data["units"] = kMapUnits;
  data["classes"] = report.classes;
  data["colours"] = ordered_json::array();
  for (Index c = 0; c < kPaletteSize; ++c) data["colours"].push_back(palette_colour(c));
  data["grey"] = kNoKindColour;
  ordered_json x = ordered_json::array(), y = x, labels = x, topics = x, titles = x;
  const std::vector<MapPlace> places = map_places(report.documents);
  for (Index d = 0; d < report.documents.size(); ++d) {
    x.push_back(places[d].x);
    y.push_back(places[d].y);
    labels.push_back(report.documents[d].label);
    topics.push_back(report.documents[d].topic);
    titles.push_back(report.documents[d].title);
  }
  data["documents"] = {
      {"x", x}, {"y", y}, {"labels", labels}, {"topics", topics}, {"titles", titles}};
  return data.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace

std::string topics_report(const TopicsReport& report) {
  check_topics(report);
  Page page(report.title, report.subtitle);
  if (!report.figures.empty()) page.add(tiles(report.figures));
  if (!report.options.empty()) page.add(details("Options", definitions(report.options)));
  add_topics(report, page);
  add_documents(report, page);
  add_sweeps(report, page);
  if (!report.topics.empty() || !report.documents.empty()) {
    page.add_script(topics_script(), kTopicsDataId, page_data(report));
  }
  return page.to_string();
}

}  // namespace trellis::report
