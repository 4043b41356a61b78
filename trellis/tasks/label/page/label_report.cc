#include "trellis/tasks/label/page/label_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "trellis/frame/training/page/choice_section.h"
#include "trellis/pictures/charts/bar_table.h"
#include "trellis/pictures/markup/number.h"

namespace trellis::report {
namespace {

constexpr Index kRowsAtOnce = 40;

std::vector<Tile> score_tiles(const label::LabelScores& scores) {
  std::vector<Tile> list = {
      {"Macro-F1", format_percent(scores.macro.f1),
       fmt::format("mean over {} labels", format_count(scores.labels.size()))},
      {"Macro-F1, present", format_percent(scores.macro_present.f1),
       fmt::format("over the {} labels that occur", format_count(scores.num_present()))},
      {"Micro-F1", format_percent(scores.micro.f1), "all pairs together"},
      {"Example-F1", format_percent(scores.example.f1),
       fmt::format("mean over {} instances", format_count(scores.instances))},
      {"Hamming loss", format_percent(scores.hamming), "share of wrong pairs"},
      {"Subset accuracy", format_percent(scores.subset_accuracy), "exactly correct label sets"}};
  if (scores.ranking_loss) {
    list.push_back({"Ranking loss", format_percent(*scores.ranking_loss),
                    "pairs of labels in the wrong order"});
  }
  return list;
}

ScoreRow score_row(std::string name, const SetCounts& counts, const label::PrecisionRecall& f) {
  return {std::move(name),   counts.truth,   counts.predicted, counts.hits,
          100 * f.precision, 100 * f.recall, 100 * f.f1};
}

void add_labels(const label::LabelScores& scores, Page& page) {
  std::vector<ScoreRow> rows;
  SetCounts all;
  for (const label::LabelRow& row : scores.labels) {
    rows.push_back(score_row(row.label, row.counts, row.figures));
    all += row.counts;
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ScoreRow& a, const ScoreRow& b) { return a.gold > b.gold; });
  const ScoreRow overall = score_row("micro", all, scores.micro);
  const std::span<const ScoreRow> shown(rows);
  const Index first = std::min<Index>(rows.size(), kRowsAtOnce);
  Html body = score_table("label", shown.first(first), overall);
  if (first < rows.size()) {
    body += details(fmt::format("{} more labels", rows.size() - first),
                    score_table("label", shown.subspan(first), overall));
  }
  page.add_section("Scores by label",
                   "In percent, counted over instances. The most frequent labels come first. A "
                   "label that neither occurs nor is predicted has a score of 100.",
                   body);
}

void add_links(const LabelReport& report, Page& page) {
  if (report.links.rows.empty()) return;
  page.add_section("Weights between labels", report.links_lead, weight_heat_map(report.links));
}

}  // namespace

std::string label_report(const LabelReport& report) {
  Page page(report.title, report.subtitle);
  if (report.scores) {
    if (!report.evaluated_on.empty()) {
      page.add(subheading(fmt::format("On {}, in percent", report.evaluated_on)));
    }
    page.add(tiles(score_tiles(*report.scores)));
  }
  if (const auto training = training_tiles(report.history, report.dev_metric); !training.empty()) {
    page.add(tiles(training));
  }
  if (!report.advice.empty()) page.add(note(report.advice));
  if (!report.options.empty()) page.add(details("Options", definitions(report.options)));
  add_training_section(report.history, report.dev_metric, page);
  add_choice_section(report.learned, page);
  if (report.scores) add_labels(*report.scores, page);
  add_links(report, page);
  add_feature_section(report.features, page);
  return page.to_string();
}

}  // namespace trellis::report
