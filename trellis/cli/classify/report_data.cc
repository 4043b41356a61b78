#include "trellis/cli/classify/report_data.h"

#include <fmt/format.h>

#include "trellis/cli/train_progress.h"
#include "trellis/tasks/classify/inspect.h"

namespace trellis::cli {
namespace {

constexpr Index kFeaturesOnEachSide = 8;

}  // namespace

report::ClassifyReport classify_model_report(const classify::ClassifyModel& model,
                                             const std::string& title) {
  report::ClassifyReport page;
  page.title = title;
  for (const auto& [key, value] : model.training().items()) {
    page.options.push_back({key, value.is_string() ? value.get<std::string>() : value.dump()});
  }
  page.options.push_back({"weighting", std::string(to_string(model.features().weighting))});
  for (const classify::LabelFeatures& label :
       classify::strongest_features(model, kFeaturesOnEachSide)) {
    for (const auto& feature : label.positive)
      page.features.push_back({label.label, feature.name, feature.weight});
    for (const auto& feature : label.negative)
      page.features.push_back({label.label, feature.name, feature.weight});
  }
  return page;
}

void add_classify_history(const classify::TrainResult& result, report::ClassifyReport& page) {
  for (const EpochRecord& record : result.summary.history) {
    report::TrainingPoint point;
    point.epoch = static_cast<double>(record.epoch);
    point.objective = record.objective;
    point.bound = record.bound;
    point.gap = record.gap;
    point.loss = record.loss;
    point.dev = record.dev;
    point.seconds = record.seconds;
    page.history.push_back(point);
  }
  page.subtitle = fmt::format("{} documents, {} labels, {} features; {} after {} epochs",
                              result.documents, result.labels, result.features,
                              ending(result.summary.termination), result.summary.epochs);
}

void add_classify_evaluation(const ClassifyEvaluation& evaluation, const std::string& file,
                             report::ClassifyReport& page) {
  const classify::ClassifyScores& scores = evaluation.scores;
  page.evaluated_on = file;
  page.documents = scores.num_examples();
  page.correct = scores.num_correct();
  page.macro_f1 = scores.macro_f1();
  page.labels = scores.confusion().by_label();
  page.confusion.labels = scores.confusion().labels();
  page.confusion.counts = scores.confusion().matrix();
  for (const JudgedDocument& document : evaluation.mistakes) {
    page.mistakes.push_back(
        {fmt::format("line {}", document.line), document.text, document.gold, document.predicted});
  }
}

}  // namespace trellis::cli
