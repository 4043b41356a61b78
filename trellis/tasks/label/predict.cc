#include "trellis/tasks/label/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/pipeline.h"
#include "trellis/base/text.h"
#include "trellis/tasks/label/model/labeller.h"
#include "trellis/tasks/label/reading/instance_reader.h"

namespace trellis::label {
namespace {

// So many are labelled in one go, fewer where that would make more numbers than the second.
constexpr Index kInstancesAtOnce = 4096;
constexpr Index kNumbersAtOnce = Index{1} << 22;

std::unique_ptr<InstanceReader> open(const LabelModel& model, InputFile file) {
  ReadOptions options;
  options.label_names = model.label_names;
  options.labels_required = false;
  options.add_labels = true;  // whatever the file says of labels is not looked at
  return open_instances(std::move(file), options);
}

// From the features of a file to the model's.
class Columns {
 public:
  Columns(const LabelModel& model, const InstanceReader& reader) : model_(model) {
    reader.declares_features() ? find_names(reader) : find_indices();
  }

  // The rows of one instance, scaled.
  FeatureRows row(const Instance& instance, const std::string& file) const {
    const Index width = model_.feature_names.size();
    std::vector<std::pair<std::uint32_t, float>> row;
    for (const Feature& feature : instance.features) {
      const auto known = columns_.find(feature.id);
      if (known != columns_.end() && feature.value != 0) {
        row.emplace_back(known->second, feature.value);
      }
    }
    std::sort(row.begin(), row.end());
    try {
      // Centred rows have to be dense.
      return scaled(model_.scaling.mean.empty() ? sparse(row, width) : dense(row, width),
                    model_.scaling, instance.number);
    } catch (const UsageError& error) {  // the file's numbers, as the model's scaling was checked
      throw InputError(file, 0, error.what());
    }
  }

  bool has(std::uint32_t id) const { return columns_.contains(id); }

 private:
  using Row = std::vector<std::pair<std::uint32_t, float>>;

  void find_names(const InstanceReader& reader) {
    std::unordered_map<std::string_view, std::uint32_t> numbers;
    for (Index k = 0; k < model_.feature_names.size(); ++k) {
      numbers.emplace(model_.feature_names[k], static_cast<std::uint32_t>(k));
    }
    for (Index k = 0; k < reader.feature_names().size(); ++k) {
      const auto found = numbers.find(reader.feature_names()[k]);
      if (found != numbers.end()) columns_[static_cast<std::uint32_t>(k)] = found->second;
    }
    if (!columns_.empty() || model_.feature_names.empty()) return;
    throw InputError(reader.file(), 0,
                     "expected attributes that the model has been trained with, found none: the "
                     "first of the model is",
                     model_.feature_names.front());
  }

  void find_indices() {
    for (Index k = 0; k < model_.feature_names.size(); ++k) {
      const std::string& name = model_.feature_names[k];
      const auto index = parse_integer(name);
      if (!index || *index < 0 || *index > std::numeric_limits<std::uint32_t>::max()) continue;
      if (fmt::format("{}", *index) != name) continue;
      columns_[static_cast<std::uint32_t>(*index)] = static_cast<std::uint32_t>(k);
    }
  }

  static FeatureRows sparse(const Row& row, Index width) {
    std::vector<std::uint32_t> ids;
    std::vector<float> values;
    for (const auto& [k, value] : row) {
      ids.push_back(k);
      values.push_back(value);
    }
    const auto size = static_cast<std::uint32_t>(ids.size());
    return FeatureRows::sparse(width, {0, size}, std::move(ids), std::move(values));
  }

  static FeatureRows dense(const Row& row, Index width) {
    std::vector<float> values(width, 0.0F);
    for (const auto& [k, value] : row) values[k] = value;
    return FeatureRows::dense(width, std::move(values));
  }

  const LabelModel& model_;
  std::unordered_map<std::uint32_t, std::uint32_t> columns_;
};

class Prediction {
 public:
  Prediction(const LabelModel& model, InputFile file, const PredictOptions& options)
      : model_(model),
        options_(options),
        reader_(open(model, std::move(file))),
        columns_(model, *reader_),
        labeller_(model),
        pipeline_(batch_size(), options.threads),
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

  Index batch_size() const {
    if (options_.at_once) return Pipeline<Instance>::kAtOnce;
    const Index numbers = std::max(model_.num_labels(), model_.num_rows());
    return std::clamp<Index>(kNumbersAtOnce / numbers, 1, kInstancesAtOnce);
  }

  void label(const Instance& instance, Scratch& scratch, std::string& line) const {
    scratch.scores.assign(model_.num_labels(), 0.0);
    labeller_.label(columns_.row(instance, reader_->file()), 0, scratch.labeller, scratch.scores,
                    scratch.labels);
    line = (options_.json ? json(instance, scratch).dump() : text(scratch)) + "\n";
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

  nlohmann::json json(const Instance& instance, const Scratch& found) const {
    nlohmann::json json = {{"instance", instance.number}, {"labels", nlohmann::json::array()}};
    for (const std::uint32_t v : found.labels) json["labels"].push_back(model_.label_names[v]);
    if (!options_.scores) return json;
    json["scores"] = nlohmann::json::object();
    for (Index v = 0; v < model_.num_labels(); ++v) {
      json["scores"][model_.label_names[v]] = found.scores[v];
    }
    return json;
  }

  // Until one is the model's.
  void look_for_features(const Instance& instance) {
    if (known_) return;
    for (const Feature& feature : instance.features) {
      known_ = known_ || columns_.has(feature.id);
      any_ = true;
      smallest_ = std::min(smallest_, feature.id);
    }
  }

  std::string warning() const {
    if (known_ || !any_ || reader_->declares_features() || model_.feature_names.empty()) return {};
    return fmt::format("{}: the model knows none of the features, such as '{}': it has '{}'",
                       reader_->file(), smallest_, model_.feature_names.front());
  }

  const LabelModel& model_;
  const PredictOptions& options_;
  std::unique_ptr<InstanceReader> reader_;
  Columns columns_;
  Labeller labeller_;
  Pipeline<Instance> pipeline_;
  std::vector<std::string> lines_;  // of the batch
  std::vector<Scratch> scratch_;    // of the workers
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
