#include "trellis/cli/rank/report_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "trellis/base/output_file.h"
#include "trellis/cli/train_progress.h"

namespace trellis::cli {
namespace {

constexpr Index kStrongest = 24;

}  // namespace

std::vector<Index> strongest_weights(const rank::RankModel& model, Index top) {
  std::vector<Index> order(model.weights().size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::abs(model.weights()[a]) > std::abs(model.weights()[b]);
  });
  order.resize(std::min(order.size(), top));
  return order;
}

report::RankReport rank_model_report(const rank::RankModel& model, const std::string& title) {
  report::RankReport page;
  page.title = title;
  for (const auto& [key, value] : model.training().items()) {
    page.options.push_back({key, value.is_string() ? value.get<std::string>() : value.dump()});
  }
  for (const Index w : strongest_weights(model, kStrongest)) {
    page.features.push_back(
        {"what raises a document", model.features().weight_name(w), model.weights()[w]});
  }
  return page;
}

void write_rank_report(const report::RankReport& page, const std::string& path) {
  AtomicFile file(path);
  file.write(report::rank_report(page));
  file.commit();
}

void write_rank_training_report(const rank::TrainOptions& options, const rank::TrainResult& result,
                                const std::string& path) {
  const auto model = rank::RankModel::load(options.model);
  report::RankReport page = rank_model_report(model, "Training of " + options.model);
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
  page.subtitle = fmt::format(
      "{} queries, {} documents, {} subsets of {}, {} weights; {} after {} "
      "epochs",
      result.queries, result.documents, result.subsets, result.subset_size, result.weights,
      ending(result.summary.termination), result.summary.epochs);
  page.selected_by = options.select.name();
  for (const auto& choice : result.choices) page.choices.push_back({choice.lambda, choice.figure});
  if (result.dev) {
    page.evaluated_on = options.dev;
    page.scores = *result.dev;
  }
  write_rank_report(page, path);
}

}  // namespace trellis::cli
