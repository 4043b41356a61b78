#include "trellis/tasks/rank/commands/report_data.h"

#include <fmt/format.h>

#include "trellis/frame/train_progress.h"
#include "trellis/frame/training/result.h"
#include "trellis/tasks/rank/inspect.h"
#include "trellis/tasks/strongest_weights.h"

namespace trellis::rank {
namespace {

constexpr Index kStrongest = 24;

}  // namespace

report::RankReport model_report(const RankModel& model, const std::string& title) {
  report::RankReport page;
  page.title = title;
  for (const auto& [key, value] : provenance_words(model.training())) {
    page.options.push_back({key, value});
  }
  for (const Index w : strongest_weights(model.weights(), kStrongest)) {
    page.features.push_back(
        {"what raises a document", model.features().weight_name(w), model.weights()[w]});
  }
  for (const SplitShare& split : split_shares(model.features(), kStrongest)) {
    page.features.push_back(
        {"what trees split by, share of the gain", fmt::format("{}", split.feature), split.share});
  }
  return page;
}

report::RankReport training_report(const Trained& trained, const std::string& title,
                                   const TrainOptions& options, const std::string& dev) {
  const TrainResult& result = trained.result;
  const LearnSummary& summary = result.learned.fitted.summary;
  report::RankReport page = model_report(*trained.model, title);
  page.history = report::training_points(summary);
  for (report::TrainingPoint& point : page.history) point.dev *= 100;  // percent
  page.subtitle = fmt::format("{} queries, {} documents, {} subsets of {}, {} weights; {}",
                              result.queries, result.documents, result.subsets, result.subset_size,
                              result.weights, frame::ending(summary));
  page.selected_by = options.select.to_string();
  page.learned = &result.learned;
  if (result.dev) {
    page.evaluated_on = dev;
    page.scores = *result.dev;
  }
  return page;
}

}  // namespace trellis::rank
