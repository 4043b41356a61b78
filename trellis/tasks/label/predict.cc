#include "trellis/tasks/label/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "trellis/base/pipeline.h"
#include "trellis/data/json.h"
#include "trellis/formats/sets/label_reader.h"
#include "trellis/tasks/label/model/labeller.h"
#include "trellis/tasks/label/model/model_rows.h"

namespace trellis::label {
namespace {

std::unique_ptr<InstanceReader> open(const LabelModel& model, InputFile file) {
  ReadOptions options;
  options.label_names = model.label_names;
  options.labels_required = false;
  options.add_labels = true;  // labels in the file are ignored
  return open_instances(std::move(file), options);
}

class Prediction {
 public:
  Prediction(const LabelModel& model, InputFile file, const PredictOptions& options)
      : model_(model),
        options_(options),
        reader_(open(model, std::move(file))),
        rows_(model, *reader_),
        labeller_(model),
        pipeline_(options.at_once ? Pipeline<Instance>::kAtOnce : instances_at_once(model),
                  options.threads),
        lines_(pipeline_.batch_size()),
        scratch_(static_cast<Index>(pipeline_.num_workers())) {}

  std::string run(const std::function<void(const std::string&)>& write) {
    pipeline_.run([this](Instance& instance) { return reader_->read(instance); },
                  [this](const Instance& instance, Index slot, int worker) {
                    label(instance, scratch_[static_cast<Index>(worker)], lines_[slot]);
                  },
                  [&](const Instance& instance, Index slot) {
                    look_for_features(instance);
                    write(lines_[slot]);
                  });
    return warning();
  }

 private:
  struct Scratch {
    Labeller::Scratch labeller;
    std::vector<double> scores;
    std::vector<std::uint32_t> labels;
  };

  void label(const Instance& instance, Scratch& scratch, std::string& line) const {
    scratch.scores.assign(model_.num_labels(), 0.0);
    const FeatureRows row = rows_.rows(
        1, [&](Index) { return std::span(instance.features); }, instance.number);
    labeller_.label(row, 0, scratch.labeller, scratch.scores, scratch.labels);
    line = (options_.json ? to_json(record(instance, scratch)) : text(scratch)) + "\n";
  }

  std::string text(const Scratch& found) const {
    std::string line;
    for (const std::uint32_t v : found.labels) {
      if (!line.empty()) line += '\t';
      line += model_.label_names[v];
      if (options_.scores) line += fmt::format("\t{:.6f}", found.scores[v]);
    }
    return line;
  }

  Value record(const Instance& instance, const Scratch& found) const {
    Value record = Value::record({{"instance", instance.number}, {"labels", Value::list()}});
    for (const std::uint32_t v : found.labels) record["labels"].push_back(model_.label_names[v]);
    if (!options_.scores) return record;
    record["scores"] = Value::record();
    for (Index v = 0; v < model_.num_labels(); ++v) {
      record["scores"][model_.label_names[v]] = found.scores[v];
    }
    return record;
  }

  // Checks instances until one has a feature of the model.
  void look_for_features(const Instance& instance) {
    if (known_) return;
    for (const Feature& feature : instance.features) {
      known_ = known_ || rows_.knows(feature.id);
      any_ = true;
      smallest_ = std::min(smallest_, feature.id);
    }
  }

  std::string warning() const {
    if (known_ || !any_ || reader_->declares_features()) return {};
    return rows_.none_known(fmt::format("{}", smallest_));
  }

  const LabelModel& model_;
  const PredictOptions& options_;
  std::unique_ptr<InstanceReader> reader_;
  ModelRows rows_;
  Labeller labeller_;
  Pipeline<Instance> pipeline_;
  std::vector<std::string> lines_;  // of the batch
  std::vector<Scratch> scratch_;    // one for each thread
  bool known_ = false;
  bool any_ = false;
  std::uint32_t smallest_ = std::numeric_limits<std::uint32_t>::max();
};

}  // namespace

std::string predict(const LabelModel& model, InputFile file, const PredictOptions& options,
                    const std::function<void(const std::string&)>& write) {
  return Prediction(model, std::move(file), options).run(write);
}

}  // namespace trellis::label
