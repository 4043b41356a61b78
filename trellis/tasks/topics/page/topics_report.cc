#include "trellis/tasks/topics/page/topics_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/data/json.h"
#include "trellis/pictures/charts/bar_table.h"
#include "trellis/pictures/charts/line_chart.h"
#include "trellis/pictures/markup/number.h"
#include "trellis/pictures/markup/palette.h"
#include "trellis/pictures/scripts/document_map_script.h"
#include "trellis/pictures/scripts/page_script.h"
#include "trellis/pictures/scripts/topic_terms_script.h"
#include "trellis/topics/relevance.h"

namespace trellis::report {
namespace {

constexpr Index kTopicsAtOnce = 50;
constexpr Index kWordsInTable = 12, kWordsInGroup = 8, kWordsInLegend = 3;

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

// Hidden without a script.
Html lambda_slider() {
  const std::string lambda = fmt::format("{}", topics::kUsualLambda);
  const std::string step = fmt::format("{}", 1.0 / topics::kLambdaSteps);
  const Html input = element("input", {{"type", "range"},
                                       {"id", "lambda"},
                                       {"min", "0"},
                                       {"max", "1"},
                                       {"step", step},
                                       {"value", lambda}});
  return element(
      "div", {{"class", "relevance"}, {"id", "relevance"}, {"hidden", "hidden"}},
      text_element("label", {{"for", "lambda"}}, "Relevance λ") + input +
          text_element("output", {{"id", "lambda-value"}, {"for", "lambda"}}, lambda) +
          text_element("span", {{"class", "ends"}},
                       "0: words specific to the topic · 1: words frequent in the topic"));
}

Html terms_head(const TopicsReport& report, Index k) {
  const auto button = [](std::string id, std::string_view name) {
    return text_element("button", {{"type", "button"}, {"id", std::move(id)}}, name);
  };
  const std::string said = fmt::format("Topic {}, {} % of words", topic_name(report.topics, k),
                                       format_percent(report.topics[k].prevalence));
  return element(
      "div", {{"class", "terms-head"}},
      text_element("h3", {{"id", "topic-heading"}, {"aria-live", "polite"}}, said) +
          element(
              "div", {{"class", "steps"}, {"id", "topic-steps"}, {"hidden", "hidden"}},
              button("topic-before", "more prevalent") + button("topic-after", "less prevalent")));
}

// The words of one topic, and the data with which the script shows another one.
Html terms_panel(const TopicsReport& report, Index k) {
  const Html bars =
      element("div", {{"id", "term-bars"}}, term_bars(report.topics[k], topics::kUsualLambda));
  const Html key = note(
      "Grey: frequency of the word in all documents. Colour: the part that belongs to this topic. "
      "The number is the word's share of the topic, in percent.");
  return element("div", {{"class", "terms-panel"}, {"id", "terms"}},
                 terms_head(report, k) + lambda_slider() + bars + key);
}

Html topic_link(const TopicsReport& report, Index k) {
  return text_element("a", {{"href", "#terms"}, {"data-topic", fmt::format("{}", k)}},
                      topic_name(report.topics, k));
}

// The columns of a table of topics, and the share of a full bar.
struct TopicColumns {
  bool coherence = false;
  bool group = false;
  double most_prevalent = 0;
};

TopicColumns topic_columns(const TopicsReport& report, bool has_groups) {
  TopicColumns columns;
  columns.group = has_groups;
  for (const ReportedTopic& topic : report.topics) {
    columns.coherence = columns.coherence || std::isfinite(topic.coherence);
    columns.most_prevalent = std::max(columns.most_prevalent, topic.prevalence);
  }
  return columns;
}

std::vector<Html> topic_row(const TopicsReport& report, Index k, const TopicColumns& columns) {
  const ReportedTopic& topic = report.topics[k];
  const double share = columns.most_prevalent > 0 ? topic.prevalence / columns.most_prevalent : 0.0;
  std::vector<Html> row = {
      element("span", {{"id", fmt::format("topic-{}", k + 1)}}, topic_link(report, k)),
      element("span", {{"class", "measure"}}, text(format_percent(topic.prevalence)) + bar(share))};
  if (columns.coherence) row.push_back(text(format_fixed(topic.coherence, 3)));
  if (columns.group) row.push_back(text_element("span", {{"dir", "auto"}}, topic.group));
  row.push_back(text_element("span", {{"dir", "auto"}}, telling_words(topic, kWordsInTable)));
  return row;
}

void add_prevalence(const TopicsReport& report, bool has_groups, Page& page) {
  const TopicColumns columns = topic_columns(report, has_groups);
  Table shown;
  shown.columns = {{"topic"}, {"% of words", Align::kEnd}};
  if (columns.coherence) {
    const bool named = !report.coherence_name.empty();
    shown.columns.push_back({named ? report.coherence_name : "coherence", Align::kEnd});
  }
  if (columns.group) shown.columns.push_back({"belongs to"});
  shown.columns.push_back({fmt::format("most relevant words, λ = {}", topics::kUsualLambda)});
  Table others = shown;
  for (const Index k : by_prevalence(report.topics)) {
    Table& into = shown.rows.size() < kTopicsAtOnce ? shown : others;
    into.rows.push_back(topic_row(report, k, columns));
  }
  Html body = table(shown);
  if (!others.rows.empty()) {
    body += details(fmt::format("{} rarer topics", others.rows.size()), table(others));
  }
  page.add_section("Topics by prevalence", "", element("div", {{"class", "topic-table"}}, body));
}

void add_topic_groups(const TopicsReport& report, std::span<const TopicGroup> groups, Page& page) {
  if (groups.size() < 2) return;
  Table rows;
  rows.columns = {{"belongs to"}, {"% of words", Align::kEnd}, {"topics and their words"}};
  for (const TopicGroup& group : groups) {
    double prevalence = 0;
    Html list;
    for (const Index k : group.topics) {
      prevalence += report.topics[k].prevalence;
      list += element("li", topic_link(report, k) + text(": ") +
                                text_element("span", {{"dir", "auto"}},
                                             telling_words(report.topics[k], kWordsInGroup)));
    }
    rows.rows.push_back({text_element("span", {{"dir", "auto"}}, group.name),
                         text(format_percent(prevalence)),
                         element("ul", {{"class", "plain"}}, list)});
  }
  page.add_section("Topics by class", "Topics of a single class, and topics shared by all classes.",
                   element("div", {{"class", "topic-table"}}, table(rows)));
}

void add_topics(const TopicsReport& report, Page& page) {
  if (report.topics.empty()) return;
  const std::vector<TopicGroup> groups = topic_groups(report.topics, report.classes);
  const Index first = by_prevalence(report.topics).front();
  page.add_section("Topics",
                   "Each bubble is a topic. Its area is the topic's share of all words; the "
                   "distance between two topics shows how much their words differ.",
                   element("div", {{"class", "topics-pair"}},
                           topic_map_picture(report.topics, groups) + terms_panel(report, first)));
}

void add_topic_tables(const TopicsReport& report, Page& page) {
  if (report.topics.empty()) return;
  const std::vector<TopicGroup> groups = topic_groups(report.topics, report.classes);
  add_topic_groups(report, groups, page);
  add_prevalence(report, groups.size() > 1, page);
}

void add_documents(const TopicsReport& report, Page& page) {
  if (report.documents.empty()) return;
  page.add_section("Documents",
                   "Each point is a document; documents with similar topics are close. Distances "
                   "between groups have little meaning.",
                   document_map(report.documents, report.classes, report.documents_in_all));
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
  likelihood.title = "Log-likelihood per word";
  likelihood.y_label = "nats";
  for (Series& series : std::vector<Series>{
           sweep_series(report, "training text, log p(w, z)", &TopicSweep::log_likelihood),
           sweep_series(report, "held out, log p(w)", &TopicSweep::held_out)}) {
    if (!series.x.empty()) likelihood.series.push_back(std::move(series));
  }
  LineChart coherence;
  coherence.title = "Coherence";
  coherence.y_label = report.coherence_name.empty()
                          ? "mean over topics"
                          : fmt::format("{}, mean over topics", report.coherence_name);
  coherence.series = {sweep_series(report, "coherence", &TopicSweep::coherence)};
  LineChart change;
  change.title = "Change of the topics of a word";
  change.y_label = "per sweep, logarithmic scale";
  change.y_scale = Scale::kLog;
  change.series = {sweep_series(report, "change", &TopicSweep::change)};
  std::vector<Html> charts;
  for (LineChart* chart : {&likelihood, &change, &coherence}) {
    if (chart->series.empty() || chart->series[0].x.empty()) continue;
    chart->x_label = "sweep";
    chart->x_scale = Scale::kInteger;
    charts.push_back(line_chart(*chart));
  }
  if (!charts.empty()) page.add_section("Training", "", side_by_side(charts));
}

// Rounds to more digits than a screen shows.
double brief(double x, int count = 4) {
  if (!std::isfinite(x)) return 0;
  const std::string digits = fmt::format("{:.{}g}", x, count);
  std::from_chars(digits.data(), digits.data() + digits.size(), x);
  return x;
}

// The input of topic_terms_script().
std::string topics_data(const TopicsReport& report) {
  Value list = Value::list();
  for (const Index k : by_prevalence(report.topics)) {
    const ReportedTopic& topic = report.topics[k];
    Value words = Value::list(), here = words, all = words;
    for (const ReportedWord& word : topic.words) {
      words.push_back(word.word);
      here.push_back(brief(word.in_topic));
      all.push_back(brief(word.overall));
    }
    list.push_back(Value::record({{"id", k},
                                  {"name", topic_name(report.topics, k)},
                                  {"prevalence", brief(topic.prevalence, 8)},
                                  {"group", topic.group},
                                  {"words", words},
                                  {"here", here},
                                  {"all", all}}));
  }
  return to_ordered_json(Value::record({{"shown", kTermsShown}, {"topics", list}}),
                         InvalidText::kReplace);
}

// The input of document_map_script().
std::string documents_data(const TopicsReport& report) {
  Value names = Value::list(), colours = names;
  for (const Index k : by_prevalence(report.topics)) {
    names.push_back(Value::record({{"id", k},
                                   {"name", topic_name(report.topics, k)},
                                   {"words", telling_words(report.topics[k], kWordsInLegend)}}));
  }
  for (Index c = 0; c < kPaletteSize; ++c) colours.push_back(palette_colour(c));
  Value x = Value::list(), y = x, labels = x, main = x, titles = x;
  const std::vector<MapPlace> places = map_places(report.documents);
  for (Index d = 0; d < report.documents.size(); ++d) {
    const ReportedDocument& document = report.documents[d];
    x.push_back(places[d].x);
    y.push_back(places[d].y);
    labels.push_back(document.label);
    main.push_back(document.topic);
    titles.push_back(document.title);
  }
  const Value data = Value::record({{"units", kMapUnits},
                                    {"topics", names},
                                    {"classes", report.classes},
                                    {"colours", colours},
                                    {"grey", kNoKindColour},
                                    {"x", x},
                                    {"y", y},
                                    {"labels", labels},
                                    {"main", main},
                                    {"titles", titles}});
  return to_ordered_json(data, InvalidText::kReplace);
}

void add_scripts(const TopicsReport& report, Page& page) {
  if (!report.topics.empty()) {
    page.add_data("topics-data", topics_data(report));
    page.add_script(page_script(topic_terms_script()));
  }
  if (!report.documents.empty()) {
    page.add_data("documents-data", documents_data(report));
    page.add_script(page_script(document_map_script()));
  }
}

}  // namespace

std::string topics_report(const TopicsReport& report) {
  check_topics(report);
  Page page(report.title, report.subtitle);
  if (!report.figures.empty()) page.add(tiles(report.figures));
  if (!report.options.empty()) page.add(details("Options", definitions(report.options)));
  add_topics(report, page);
  add_documents(report, page);
  add_topic_tables(report, page);
  add_languages_section(report.languages, report.language_words, page);
  add_raised_section(report.raised, page);
  add_sweeps(report, page);
  add_scripts(report, page);
  return page.to_string();
}

}  // namespace trellis::report
