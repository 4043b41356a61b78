#include "trellis/cli/match/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "trellis/base/output_file.h"
#include "trellis/cli/train_progress.h"
#include "trellis/tasks/match/matcher.h"

namespace trellis::cli {
namespace {

constexpr Index kStrongest = 24;
constexpr Index kPairsInReport = 12;

// Spread evenly over the order from worst to best.
std::vector<Index> pairs_to_show(const match::MatchScores& scores) {
  std::vector<Index> order(scores.graphs().size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return scores.graphs()[a].error() > scores.graphs()[b].error();
  });
  if (order.size() <= kPairsInReport) return order;
  std::vector<Index> shown;
  for (Index k = 0; k < kPairsInReport; ++k) {
    shown.push_back(order[k * (order.size() - 1) / (kPairsInReport - 1)]);
  }
  return shown;
}

report::MatchPicture picture_of(const match::MatchExample& example, const Matching::Output& found,
                                double error) {
  report::MatchPicture picture{example.name, error, *example.left, *example.right, {}};
  for (Index i = 0; i < found.size(); ++i) {
    if (found[i] == kNoLabel) continue;
    picture.lines.push_back({i, static_cast<Index>(found[i]), found[i] == example.gold[i]});
  }
  return picture;
}

// Rings by sectors.
report::WeightMatrix context_weights(const match::MatchModel& model) {
  const match::ContextOptions& contexts = model.features().contexts();
  report::WeightMatrix matrix;
  matrix.row_title = "ring";
  matrix.column_title = "sector";
  for (Index r = 0; r < contexts.rings; ++r) matrix.rows.push_back(std::to_string(r + 1));
  for (Index s = 0; s < contexts.sectors; ++s) matrix.columns.push_back(std::to_string(s + 1));
  const auto bins = model.weights().first(contexts.num_bins());
  matrix.weights.assign(bins.begin(), bins.end());
  return matrix;
}

}  // namespace

std::vector<Index> strongest_weights(const match::MatchModel& model, Index top) {
  std::vector<Index> order(model.weights().size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::abs(model.weights()[a]) > std::abs(model.weights()[b]);
  });
  order.resize(std::min(order.size(), top));
  return order;
}

report::MatchReport match_model_report(const match::MatchModel& model, const std::string& title) {
  report::MatchReport page;
  page.title = title;
  page.options.push_back({"estimator", std::string(to_string(model.estimator()))});
  page.options.push_back({"cover", std::string(match::to_string(model.features().cover()))});
  for (const auto& [key, value] : model.training().items()) {
    page.options.push_back({key, value.is_string() ? value.get<std::string>() : value.dump()});
  }
  if (model.features().pairs()) {
    page.contexts = context_weights(model);
    return page;
  }
  for (const Index k : strongest_weights(model, kStrongest)) {
    page.features.push_back(
        {"belong together", model.features().weight_name(k), model.weights()[k]});
  }
  return page;
}

void add_match_history(const match::TrainResult& result, report::MatchReport& page) {
  for (const EpochRecord& record : result.summary.history) {
    report::TrainingPoint point;
    point.epoch = static_cast<double>(record.epoch);
    point.objective = record.objective;
    point.bound = record.bound;
    point.gap = record.gap;
    point.loss = record.loss;
    point.seconds = record.seconds;
    page.history.push_back(point);
  }
  page.choices = result.choices;
  page.subtitle =
      fmt::format("{} examples, {} nodes, {} edges, {} weights; λ = {:g}", result.examples,
                  result.nodes, result.edges, result.weights, result.lambda);
}

void add_match_evaluation(const match::MatchModel& model,
                          std::span<const match::MatchExample> examples, const std::string& name,
                          int threads, report::MatchReport& page) {
  const auto found = match::match_all(match::Matcher(model), examples, threads);
  page.evaluated_on = name;
  for (Index i = 0; i < examples.size(); ++i) page.scores.add(examples[i], found[i]);
  if (!model.features().pairs()) return;
  for (const Index i : pairs_to_show(page.scores)) {
    page.pictures.push_back(picture_of(examples[i], found[i], page.scores.graphs()[i].error()));
  }
}

void write_match_report(const report::MatchReport& page, const std::string& path) {
  AtomicFile file(path);
  file.write(report::match_report(page));
  file.commit();
}

}  // namespace trellis::cli
