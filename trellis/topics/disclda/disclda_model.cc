#include "trellis/topics/disclda/disclda_model.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {

void DiscLdaModel::check() const {
  if (topics.num_topics() != transformation.num_topics()) {
    throw UsageError("a transformation into other topics than the model has");
  }
  if (log_prior.size() != transformation.num_classes()) {
    throw UsageError("expected a prior for each class");
  }
  for (const double value : log_prior) {
    if (!std::isfinite(value)) throw UsageError("priors of classes must be above 0");
  }
  if (!(alpha >= 1e-12 && alpha <= 1e12)) throw UsageError("alpha must be above 0 and finite");
}

std::vector<double> log_prior_of(std::span<const std::uint32_t> labels, Index classes) {
  std::vector<double> seen(classes, 1.0);
  for (const std::uint32_t label : labels) {
    if (label >= classes) throw UsageError("label " + std::to_string(label) + " is not a class");
    seen[label] += 1;
  }
  const double log_total = portable_log(static_cast<double>(labels.size() + classes));
  for (double& value : seen) value = portable_log(value) - log_total;
  return seen;
}

void DocumentTables::read(const DiscLdaModel& model, std::span<const std::uint32_t> document) {
  num_topics_ = model.topics.num_topics();
  num_components_ = model.transformation.num_components();
  words_.assign(document.begin(), document.end());
  std::sort(words_.begin(), words_.end());
  words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
  if (!words_.empty() && words_.back() >= model.topics.num_words()) {
    throw UsageError("word " + std::to_string(words_.back()) + " is not one of the model's " +
                     std::to_string(model.topics.num_words()));
  }
  tokens_.clear();
  times_.assign(words_.size(), 0.0);
  for (const std::uint32_t word : document) {
    const auto at = std::lower_bound(words_.begin(), words_.end(), word) - words_.begin();
    tokens_.push_back(static_cast<std::uint32_t>(at));
    times_[tokens_.back()] += 1;
  }
  phi_.resize(words_.size() * num_topics_);
  class_phi_.resize(model.transformation.num_classes() * words_.size() * num_components_);
  for (Index i = 0; i < words_.size(); ++i) {
    const auto row = std::span(phi_).subspan(i * num_topics_, num_topics_);
    model.topics.probabilities(words_[i], row);
    for (Index y = 0; y < model.transformation.num_classes(); ++y) {
      const Index begin = (y * words_.size() + i) * num_components_;
      model.transformation.apply_transposed(y, row,
                                            std::span(class_phi_).subspan(begin, num_components_));
    }
  }
}

}  // namespace trellis::topics
