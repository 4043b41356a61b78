#include "trellis/tasks/tag/page/tag_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>

#include "trellis/frame/training/page/page_head.h"
#include "trellis/frame/training/result.h"
#include "trellis/pictures/charts/bar_table.h"
#include "trellis/pictures/markup/number.h"
#include "trellis/pictures/sections/confusion_section.h"
#include "trellis/tasks/tag/model/inspect.h"

namespace trellis::report {
namespace {

constexpr Index kTypesAtOnce = 40;
constexpr Index kExamplesAtOnce = 20;
constexpr Index kLabelFeaturesShown = 8;

ScoreRow score_row(std::string name, const tag::MatchCounts& counts) {
  return {std::move(name),    counts.gold,     counts.found, counts.correct,
          counts.precision(), counts.recall(), counts.f1()};
}

void add_scores(const TagReport& report, Page& page) {
  if (report.types.empty()) return;
  std::vector<tag::LabelCounts> types = report.types;
  std::stable_sort(types.begin(), types.end(),
                   [](const auto& a, const auto& b) { return a.counts.gold > b.counts.gold; });
  std::vector<ScoreRow> rows;
  for (const tag::LabelCounts& type : types) rows.push_back(score_row(type.label, type.counts));
  const std::string_view name = report.spans ? "type" : "tag";
  const ScoreRow overall = score_row("overall", report.overall);
  const Index shown = std::min<Index>(rows.size(), kTypesAtOnce);
  Html body = score_table(name, std::span(rows).first(shown), overall);
  if (shown < rows.size()) {
    body += details(fmt::format("{} rarer {}s", rows.size() - shown, name),
                    score_table(name, std::span(rows).subspan(shown), overall));
  }
  page.add_section(fmt::format("Scores by {}", name),
                   report.spans
                       ? "In percent, counted over spans as in conlleval: a span is correct if its "
                         "tokens and its type are correct. The most frequent types come first."
                       : "In percent, counted over tokens. The most frequent tags come first.",
                   body);
}

void add_transitions(const TagReport& report, Page& page) {
  if (report.transitions.weights.empty()) return;
  page.add_section("Transitions",
                   "The weight of each label (column) after another label (row): positive if the "
                   "pair is preferred, negative if it is avoided.",
                   weight_heat_map(report.transitions));
}

Html sentence(const TagReport& report, const ExampleSentence& example) {
  return report.spans ? span_sentence(example) : tagged_sentence(example);
}

Html sentences(const TagReport& report, std::span<const ExampleSentence* const> examples) {
  Html out;
  for (const ExampleSentence* example : examples) out += sentence(report, *example);
  return out;
}

// Sentences with mistakes come first and are visible; the others are folded.
void add_examples(const TagReport& report, Page& page) {
  if (report.examples.empty()) return;
  std::vector<const ExampleSentence*> mistaken, correct;
  for (const ExampleSentence& example : report.examples) {
    (example.gold == example.predicted ? correct : mistaken).push_back(&example);
  }
  const std::span all(mistaken);
  const Index shown = std::min<Index>(all.size(), kExamplesAtOnce);
  Html body = (report.spans ? span_legend() : tag_legend()) + sentences(report, all.first(shown));
  if (shown < all.size()) {
    body += details(fmt::format("{} more with mistakes", all.size() - shown),
                    sentences(report, all.subspan(shown)));
  }
  if (!correct.empty()) {
    body +=
        details(fmt::format("{} without a mistake", correct.size()), sentences(report, correct));
  }
  page.add_section("Sentences",
                   report.spans ? "Below the words, the upper line is gold and the lower line is "
                                  "predicted; a correct span has only one line."
                                : "The tag is below its word; a wrong tag is below the gold tag.",
                   body);
}

std::string ratio(Index part, Index whole, std::string_view noun) {
  return fmt::format("{} of {} {}", format_count(part), format_count(whole), noun);
}

std::vector<Tile> score_tiles(const TagReport& report) {
  std::vector<Tile> out;
  const tag::MatchCounts& all = report.overall;
  if (report.spans && all.gold + all.found > 0) {
    out.push_back({"F1", format_fixed(all.f1(), 2), "over spans, as in conlleval"});
    out.push_back({"Precision", format_fixed(all.precision(), 2),
                   ratio(all.correct, all.found, "predicted spans")});
    out.push_back(
        {"Recall", format_fixed(all.recall(), 2), ratio(all.correct, all.gold, "gold spans")});
  }
  if (report.tokens > 0) {
    out.push_back(
        {"Token accuracy",
         format_fixed(percent(report.correct_tokens, report.tokens, TrainingPoint::kNotKnown), 2),
         ratio(report.correct_tokens, report.tokens, "tokens")});
  }
  if (report.sentences > 0) {
    out.push_back(
        {"Whole sentences",
         format_fixed(percent(report.correct_sentences, report.sentences, TrainingPoint::kNotKnown),
                      2),
         ratio(report.correct_sentences, report.sentences, "sentences")});
  }
  return out;
}

}  // namespace

TagReport model_report(const tag::TagModel& model, const std::string& title) {
  TagReport report;
  report.title = title;
  report.spans = model.format().file_scheme != tag::TagScheme::kPlain;
  for (const auto& [key, value] : provenance_words(model.training())) {
    report.options.push_back({key, value});
  }
  for (const tag::LabelFeatures& label : tag::strongest_features(model, kLabelFeaturesShown)) {
    for (const tag::WeightedFeature& feature : label.features) {
      report.features.push_back({label.label, feature.name, feature.weight});
    }
  }
  const tag::TransitionTable table = tag::transition_table(model);
  report.transitions.row_title = "from";
  report.transitions.column_title = "to";
  report.transitions.rows = table.from;
  report.transitions.columns = table.to;
  report.transitions.weights = table.weights;
  return report;
}

void add_evaluation(const tag::Evaluation& evaluation, const std::string& file, TagReport& report) {
  const tag::TagScores& scores = evaluation.scores;
  report.evaluated_on = file;
  report.sentences = scores.num_sequences();
  report.correct_sentences = scores.num_correct_sequences();
  report.tokens = scores.confusion().num_tokens();
  report.correct_tokens = scores.confusion().num_correct_tokens();
  report.overall = scores.overall();
  report.types = scores.by_type();
  report.confusion.labels = scores.confusion().labels();
  report.confusion.counts = scores.confusion().matrix();
  for (const tag::JudgedSentence& sentence : evaluation.sentences) {
    report.examples.push_back({fmt::format("line {}", sentence.line), sentence.tokens,
                               sentence.gold, sentence.predicted});
  }
}

std::string tag_report(const TagReport& report) {
  Page page(report.title, report.subtitle);
  add_key_figures(report.evaluated_on, score_tiles(report), page);
  add_training_overview(report.history, report.dev_metric, report.options, report.learned, page);
  add_scores(report, page);
  add_confusion_section(report.confusion, "tokens", page);
  add_examples(report, page);
  add_feature_section(report.features, page);
  add_transitions(report, page);
  return page.to_string();
}

}  // namespace trellis::report
