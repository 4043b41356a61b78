#include "trellis/tasks/parse/page/parse_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "trellis/frame/training/page/page_head.h"
#include "trellis/frame/training/result.h"
#include "trellis/pictures/charts/bar_table.h"
#include "trellis/pictures/charts/line_chart.h"
#include "trellis/pictures/markup/number.h"
#include "trellis/pictures/sections/confusion_section.h"

namespace trellis::report {
namespace {

using parse::AttachmentCounts;
using parse::AttachmentTally;
using parse::ClassCounts;
using parse::Punctuation;

constexpr Index kArcLabelsAtOnce = 40;

std::string right_of(Index right, Index all, std::string_view things) {
  return fmt::format("{} of {} {}", format_count(right), format_count(all), things);
}

std::vector<Tile> attachment_tiles(const ParseReport& report) {
  const parse::AttachmentScores& scores = report.scores;
  if (scores.num_sentences() == 0) return {};
  std::vector<Tile> out;
  for (const Punctuation punctuation : {Punctuation::kScored, Punctuation::kLeftOut}) {
    const AttachmentCounts& counts = scores.counts(punctuation);
    const std::string words =
        punctuation == Punctuation::kScored ? "words" : "words, without punctuation";
    out.push_back(
        {"UAS", format_fixed(counts.uas(), 2), right_of(counts.heads, counts.words, words)});
    out.push_back(
        {"LAS", format_fixed(counts.las(), 2), right_of(counts.both, counts.words, words)});
  }
  const auto sentences = static_cast<double>(scores.num_sentences());
  const auto trees = static_cast<double>(scores.num_right_trees());
  out.push_back(
      {"Correct trees", format_fixed(100 * trees / sentences, 2),
       fmt::format("{}; {} with all labels",
                   right_of(scores.num_right_trees(), scores.num_sentences(), "sentences"),
                   format_count(scores.num_right_labelled_trees()))});
  const TreeAlbum& trees_seen = report.trees;
  if (trees_seen.num_right_tags() < trees_seen.num_words()) {
    const double share = static_cast<double>(trees_seen.num_right_tags()) /
                         static_cast<double>(trees_seen.num_words());
    out.push_back(
        {"Tags", format_fixed(100 * share, 2),
         right_of(trees_seen.num_right_tags(), trees_seen.num_words(), "coarse parts of speech")});
  }
  return out;
}

ScoreRow class_row(std::string name, const ClassCounts& counts) {
  return {std::move(name),    counts.gold,     counts.system, counts.both,
          counts.precision(), counts.recall(), counts.f1()};
}

// All words count in both trees, so precision, recall and F1 are equal: the LAS.
ScoreRow overall_row(const AttachmentCounts& counts) {
  return {"all words",  counts.words, counts.words, counts.both,
          counts.las(), counts.las(), counts.las()};
}

void add_labels(const AttachmentTally& tally, Page& page) {
  std::vector<ScoreRow> rows;
  for (const auto& [label, counts] : tally.by_label) rows.push_back(class_row(label, counts));
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ScoreRow& a, const ScoreRow& b) { return a.gold > b.gold; });
  const ScoreRow overall = overall_row(tally.total);
  const Index shown = std::min<Index>(rows.size(), kArcLabelsAtOnce);
  Html body = score_table("label", std::span(rows).first(shown), overall);
  if (shown < rows.size()) {
    body += details(fmt::format("{} rarer labels", rows.size() - shown),
                    score_table("label", std::span(rows).subspan(shown), overall));
  }
  page.add_section("Scores by label",
                   "In percent, including punctuation: how many words with a predicted label have "
                   "the correct head and label (precision), and how many words with a gold label "
                   "(recall). The most frequent labels come first.",
                   body);
}

void add_distances(const AttachmentTally& tally, Page& page) {
  constexpr std::array<std::string_view, 5> kDistances = {"the root", "1 word", "2 words",
                                                          "3 to 6 words", "7 words and more"};
  constexpr std::array<std::string_view, 3> kDirections = {"the root", "to the left",
                                                           "to the right"};
  const auto rows_of = [](std::span<const std::string_view> names,
                          std::span<const ClassCounts> counts) {
    std::vector<ScoreRow> rows;
    for (Index k = 0; k < names.size(); ++k) {
      rows.push_back(class_row(std::string(names[k]), counts[k]));
    }
    return rows;
  };
  const ScoreRow overall = overall_row(tally.total);
  page.add_section(
      "Scores by distance",
      "Distance of a word from its head, and side of the head. In percent, as above.",
      score_table("distance", rows_of(kDistances, tally.by_distance), overall) +
          subheading("By direction") +
          score_table("the head is", rows_of(kDirections, tally.by_direction), overall));
}

void add_tags(const AttachmentTally& tally, Page& page) {
  if (tally.by_tag.size() < 2) return;
  std::vector<std::pair<std::string, AttachmentCounts>> tags(tally.by_tag.begin(),
                                                             tally.by_tag.end());
  std::stable_sort(tags.begin(), tags.end(),
                   [](const auto& a, const auto& b) { return a.second.words > b.second.words; });
  Table rows;
  rows.columns = {{"part of speech"},
                  {"words", Align::kEnd},
                  {"UAS", Align::kEnd},
                  {"LAS", Align::kEnd},
                  {"correct labels", Align::kEnd}};
  for (const auto& [tag, counts] : tags) {
    rows.rows.push_back({text_element("bdi", tag), text(format_count(counts.words)),
                         text(format_fixed(counts.uas(), 2)), text(format_fixed(counts.las(), 2)),
                         text(format_fixed(counts.label_accuracy(), 2))});
  }
  page.add_section("Scores by part of speech",
                   "In percent, by the gold coarse part of speech; the most frequent come first.",
                   table(rows));
}

void add_lengths(const TreeAlbum& trees, Page& page) {
  if (trees.by_length().size() < 2) return;
  LineChart chart;
  chart.title = "Attachment scores";
  chart.y_label = "percent";
  chart.x_label = "words of the sentence, up to";
  chart.x_scale = Scale::kInteger;
  chart.y_high = 100;
  chart.series = {{"UAS", {}, {}}, {"LAS", {}, {}}};
  for (const auto& [k, counts] : trees.by_length()) {
    for (Series& series : chart.series) {
      series.x.push_back(static_cast<double>(k * TreeAlbum::kLengthStep));
    }
    chart.series[0].y.push_back(counts.uas());
    chart.series[1].y.push_back(counts.las());
  }
  page.add_section(
      "Scores by length of the sentence",
      fmt::format("A point at {} is for sentences of {} to {} words.", 4 * TreeAlbum::kLengthStep,
                  3 * TreeAlbum::kLengthStep + 1, 4 * TreeAlbum::kLengthStep),
      line_chart(chart));
}

Html pictures(const std::vector<DependencyPicture>& trees) {
  Html out;
  for (const DependencyPicture& one : trees) out += dependency_picture(one);
  return out;
}

void add_pictures(const TreeAlbum& trees, Page& page) {
  if (trees.num_sentences() == 0) return;
  const std::vector<DependencyPicture> hardest = trees.hardest(), sample = trees.sample();
  const auto& some = hardest.empty() ? sample : hardest;
  std::string lead =
      "Arcs go from the head of a word to the word. If a head is wrong, the gold arc is drawn as "
      "well. Point at an arc for details.";
  if (!some.front().probabilities.empty()) {
    lead += " The darker an arc, the higher its probability.";
  }
  Html body = dependency_legend(true);
  if (!hardest.empty()) {
    body += subheading("The hardest sentences, by their share of wrong words") + pictures(hardest);
  }
  if (!sample.empty())
    body += subheading("Some other sentences, drawn at random") + pictures(sample);
  page.add_section("Trees", lead, body);
}

}  // namespace

ParseReport model_page(const parse::ParseModel& model, const std::string& title) {
  ParseReport page;
  page.title = title;
  for (const auto& [key, value] : provenance_words(model.training())) {
    page.options.push_back({key, value});
  }
  return page;
}

parse::Evaluation add_evaluation(const parse::ParseModel& model, InputFile treebank,
                                 parse::EvaluateOptions options, const std::string& file,
                                 ParseReport& page) {
  const auto told = std::move(options.on_sentence);
  options.marginals = true;
  options.on_sentence = [&](const parse::Sentence& gold, const parse::Sentence& system,
                            const std::vector<double>& probabilities) {
    page.trees.add(gold, system, probabilities);
    if (told) told(gold, system, probabilities);
  };
  parse::Evaluation evaluation = parse::evaluate(model, std::move(treebank), options);
  page.evaluated_on = file;
  page.scores = evaluation.scores;
  return evaluation;
}

std::string parse_report(const ParseReport& report) {
  Page page(report.title, report.subtitle);
  add_key_figures(report.evaluated_on, attachment_tiles(report), page);
  add_training_overview(report.history, report.dev_metric, report.options, report.learned, page);
  if (report.scores.num_sentences() > 0) {
    const AttachmentTally& all = report.scores.tally(Punctuation::kScored);
    add_labels(all, page);
    add_distances(all, page);
    add_tags(all, page);
  }
  add_lengths(report.trees, page);
  if (report.trees.num_sentences() > 0) {
    add_confusion_section(report.trees.label_confusion(), "words with the correct head", page);
  }
  add_pictures(report.trees, page);
  return page.to_string();
}

}  // namespace trellis::report
