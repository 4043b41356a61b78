#include "trellis/tasks/classify/classify_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "trellis/base/share.h"
#include "trellis/frame/training/page/page_head.h"
#include "trellis/frame/training/result.h"
#include "trellis/pictures/charts/bar_table.h"
#include "trellis/pictures/markup/number.h"
#include "trellis/pictures/sections/confusion_section.h"
#include "trellis/tasks/classify/inspect.h"

namespace trellis::report {
namespace {

constexpr Index kMistakesAtOnce = 20;
constexpr Index kFeaturesOnEachSide = 8;

std::vector<Tile> score_tiles(const ClassifyReport& report) {
  if (report.documents == 0) return {};
  const double accuracy = percent(report.correct, report.documents);
  return {{"Accuracy", format_fixed(accuracy, 2),
           fmt::format("{} of {} documents", format_count(report.correct),
                       format_count(report.documents))},
          {"Error", format_fixed(100 - accuracy, 2), "percent"},
          {"Macro-F1", format_fixed(report.macro_f1, 2), "mean over the labels"}};
}

void add_scores(const ClassifyReport& report, Page& page) {
  if (report.labels.empty()) return;
  std::vector<ScoreRow> rows;
  for (const tag::LabelCounts& label : report.labels) {
    const tag::MatchCounts& counts = label.counts;
    rows.push_back({label.label, counts.gold, counts.found, counts.correct, counts.precision(),
                    counts.recall(), counts.f1()});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ScoreRow& a, const ScoreRow& b) { return a.gold > b.gold; });
  const tag::MatchCounts all = {report.documents, report.documents, report.correct};
  page.add_section(
      "Scores by label", "In percent, counted over documents. The most frequent labels come first.",
      score_table(
          "label", rows,
          {"overall", all.gold, all.found, all.correct, all.precision(), all.recall(), all.f1()}));
}

Html mistakes_table(std::span<const MistakenDocument> mistakes) {
  Table out;
  out.columns = {{"where", Align::kStart},
                 {"gold", Align::kStart},
                 {"predicted", Align::kStart},
                 {"document", Align::kStart}};
  for (const MistakenDocument& mistake : mistakes) {
    out.rows.push_back(
        {text(mistake.place), text(mistake.gold), text(mistake.predicted), text(mistake.text)});
  }
  return table(out);
}

void add_mistakes(const ClassifyReport& report, Page& page) {
  if (report.mistakes.empty()) return;
  const std::span<const MistakenDocument> all(report.mistakes);
  const Index shown = std::min<Index>(all.size(), kMistakesAtOnce);
  Html body = mistakes_table(all.first(shown));
  if (shown < all.size()) {
    body += details(fmt::format("{} more", all.size() - shown), mistakes_table(all.subspan(shown)));
  }
  page.add_section("Mistakes", "The first documents of the file with a wrong label.", body);
}

}  // namespace

ClassifyReport model_report(const classify::ClassifyModel& model, const std::string& title) {
  ClassifyReport report;
  report.title = title;
  for (const auto& [key, value] : provenance_words(model.training())) {
    report.options.push_back({key, value});
  }
  report.options.push_back(
      {"weighting", std::string(trellis::to_string(model.features().weighting))});
  for (const auto& label : classify::strongest_features(model, kFeaturesOnEachSide)) {
    for (const auto& feature : label.positive)
      report.features.push_back({label.label, feature.name, feature.weight});
    for (const auto& feature : label.negative)
      report.features.push_back({label.label, feature.name, feature.weight});
  }
  return report;
}

void add_evaluation(const classify::Evaluation& evaluation, const std::string& file,
                    ClassifyReport& report) {
  const classify::ClassifyScores& scores = evaluation.scores;
  report.evaluated_on = file;
  report.documents = scores.num_examples();
  report.correct = scores.num_correct();
  report.macro_f1 = scores.macro_f1();
  report.labels = scores.confusion().by_label();
  report.confusion.labels = scores.confusion().labels();
  report.confusion.counts = scores.confusion().matrix();
  for (const classify::JudgedDocument& document : evaluation.mistakes) {
    report.mistakes.push_back(
        {fmt::format("line {}", document.line), document.text, document.gold, document.predicted});
  }
}

std::string classify_report(const ClassifyReport& report) {
  Page page(report.title, report.subtitle);
  add_key_figures(report.evaluated_on, score_tiles(report), page);
  add_training_overview(report.history, "accuracy", report.options, report.learned, page);
  add_scores(report, page);
  add_confusion_section(report.confusion, "documents", page);
  add_mistakes(report, page);
  add_feature_section(report.features, page);
  return page.to_string();
}

}  // namespace trellis::report
