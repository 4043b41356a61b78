#include "trellis/tasks/rank/rank_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/frame/training/page/page_head.h"
#include "trellis/pictures/charts/line_chart.h"
#include "trellis/pictures/markup/number.h"

namespace trellis::report {
namespace {

std::vector<Tile> score_tiles(const rank::RankScores& scores) {
  const std::string variant = fmt::format("NDCG, {}", trellis::to_string(scores.variant()));
  return {{"NDCG@1", format_fixed(scores.ndcg(1), 4), variant},
          {"NDCG@5", format_fixed(scores.ndcg(5), 4), variant},
          {"NDCG@10", format_fixed(scores.ndcg(10), 4), variant},
          {"MAP", format_fixed(scores.map(), 4),
           fmt::format("{} queries, {} documents", format_count(scores.queries().size()),
                       format_count(scores.num_documents()))}};
}

void add_cutoffs(const rank::RankScores& scores, Page& page) {
  LineChart chart;
  chart.title = "NDCG and precision";
  chart.x_label = "number of documents, from the first rank";
  chart.x_scale = Scale::kInteger;
  Series ndcg{"NDCG", {}, {}};
  Series precision{"precision", {}, {}};
  for (Index k = 1; k <= rank::kCutoffs; ++k) {
    for (Series* series : {&ndcg, &precision}) series->x.push_back(static_cast<double>(k));
    ndcg.y.push_back(scores.ndcg(k));
    precision.y.push_back(scores.precision(k));
  }
  chart.series = {std::move(ndcg), std::move(precision)};
  page.add_section("Scores by depth", "The first k documents of each query, k from 1 to 10.",
                   line_chart(chart));
}

// Worst queries first.
void add_queries(const rank::RankScores& scores, Page& page) {
  std::vector<const rank::QueryScores*> queries;
  for (const rank::QueryScores& query : scores.queries()) queries.push_back(&query);
  std::stable_sort(queries.begin(), queries.end(),
                   [](const auto* a, const auto* b) { return a->ndcg[9] < b->ndcg[9]; });
  Table table_of;
  table_of.columns = {{"query", Align::kStart},  {"documents", Align::kEnd},
                      {"relevant", Align::kEnd}, {"NDCG@1", Align::kEnd},
                      {"NDCG@5", Align::kEnd},   {"NDCG@10", Align::kEnd},
                      {"AP", Align::kEnd}};
  for (const rank::QueryScores* query : queries) {
    table_of.rows.push_back(
        {text(query->id), text(format_count(query->documents)), text(format_count(query->relevant)),
         text(format_fixed(query->ndcg[0], 3)), text(format_fixed(query->ndcg[4], 3)),
         text(format_fixed(query->ndcg[9], 3)), text(format_fixed(query->average_precision, 3))});
  }
  page.add_section("Scores by query", "From the worst to the best.",
                   details(fmt::format("All {} queries", queries.size()), table(table_of)));
}

}  // namespace

std::string rank_report(const RankReport& report) {
  Page page(report.title, report.subtitle);
  const bool scored = !report.scores.queries().empty();
  if (scored) {
    add_key_figures(report.evaluated_on, score_tiles(report.scores), page);
  }
  add_training_overview(report.history, report.selected_by, report.options, report.learned, page);
  if (scored) {
    add_cutoffs(report.scores, page);
    add_queries(report.scores, page);
  }
  add_feature_section(report.features, page);
  return page.to_string();
}

}  // namespace trellis::report
