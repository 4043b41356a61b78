#include "trellis/tasks/factors/factors_report.h"

#include <fmt/format.h>

#include "trellis/frame/training/page/page_head.h"
#include "trellis/frame/training/result.h"
#include "trellis/pictures/charts/bar_table.h"
#include "trellis/pictures/markup/number.h"
#include "trellis/tasks/strongest_weights.h"

namespace trellis::report {
namespace {

constexpr const char* kVariablesRight = "variables correct";
constexpr Index kStrongestOfFactors = 48;

std::vector<Tile> variable_tiles(const factors::FactorsScores& scores) {
  const factors::VariableCounts& all = scores.variables();
  return {{"Variables correct", format_fixed(all.accuracy(), 2),
           fmt::format("{} of {}, in percent", format_count(all.right), format_count(all.total))},
          {"Graphs correct", format_fixed(scores.exact(), 2),
           fmt::format("of {}, in percent", format_count(scores.graphs()))},
          {"Hamming loss", format_fixed(scores.hamming_loss(), 4),
           fmt::format("mean of graphs {}", format_fixed(scores.mean_hamming_loss(), 4))}};
}

ScoreRow value_row(const std::string& name, Index gold, Index predicted, Index correct) {
  const auto percent = [&](Index of) {
    return of == 0 ? 0 : 100 * static_cast<double>(correct) / static_cast<double>(of);
  };
  ScoreRow row{name, gold, predicted, correct, percent(predicted), percent(gold), 0};
  const double sum = row.precision + row.recall;
  if (sum > 0) row.f1 = 2 * row.precision * row.recall / sum;
  return row;
}

void add_domains(const factors::FactorsScores& scores, Page& page) {
  std::vector<Html> tables;
  for (const factors::FactorsScores::DomainRow& domain : scores.domains()) {
    if (domain.all.total == 0) continue;
    std::vector<ScoreRow> rows;
    for (Index k = 0; k < domain.values.size(); ++k) {
      rows.push_back(value_row(domain.values[k], domain.by_value[k].total, domain.found[k],
                               domain.by_value[k].right));
    }
    tables.push_back(score_table(
        domain.name, rows, value_row("all", domain.all.total, domain.all.total, domain.all.right)));
  }
  page.add_section("Values of each domain", "In percent.", side_by_side(tables));
}

}  // namespace

FactorsReport report_of(const factors::FactorsModel& model, const std::string& title) {
  FactorsReport page;
  page.title = title;
  for (const auto& [key, value] : provenance_words(model.training())) {
    page.options.push_back({key, value});
  }
  const factors::FactorFeatures& features = model.features();
  for (const Index k : strongest_weights(model.weights(), kStrongestOfFactors)) {
    const std::uint32_t run = features.run_of(k);
    const factors::ScoreType& type = features.score_type(features.type_of(run));
    page.features.push_back(
        {fmt::format("{} {}", to_string(type.kind), type.name),
         fmt::format("{} {}", features.score_name(type, k - features.begin(run)),
                     features.attribute(run)),
         model.weights()[k]});
  }
  return page;
}

void add_training(const factors::TrainResult& result, FactorsReport& report) {
  const LearnSummary& summary = result.learned.fitted.summary;
  report.learned = &result.learned;
  report.history = training_points(summary);
  report.subtitle =
      fmt::format("{} graphs, {} variables, {} factors, {} weights; {} inference, {} epochs",
                  result.graphs, result.variables, result.factors, result.weights,
                  to_string(result.inference), summary.epochs);
}

std::string factors_report(const FactorsReport& report) {
  Page page(report.title, report.subtitle);
  if (report.scores) {
    add_key_figures(report.evaluated_on, variable_tiles(*report.scores), page);
  }
  add_training_overview(report.history, kVariablesRight, report.options, report.learned, page);
  if (report.scores) add_domains(*report.scores, page);
  add_feature_section(report.features, page);
  return page.to_string();
}

}  // namespace trellis::report
