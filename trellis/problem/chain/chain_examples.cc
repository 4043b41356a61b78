#include "trellis/problem/chain/chain_examples.h"

#include <algorithm>
#include <utility>

namespace trellis {
namespace {

// T × L flags: at each position the known label alone, or every label where it is unknown.
std::vector<std::uint8_t> flags_of(const std::vector<Label>& labels, Index num_labels) {
  std::vector<std::uint8_t> flags(labels.size() * num_labels, 0);
  for (Index t = 0; t < labels.size(); ++t) {
    std::uint8_t* row = flags.data() + t * num_labels;
    if (labels[t] == kNoLabel) {
      std::fill_n(row, num_labels, std::uint8_t{1});
    } else {
      row[labels[t]] = 1;
    }
  }
  return flags;
}

}  // namespace

void ChainExamples::add(std::vector<Label> labels, std::vector<std::uint8_t> truth, double weight) {
  if (weight != 1 && weights_.empty()) weights_.assign(labels_.size(), 1.0);
  if (weight != 1 || !weights_.empty()) weights_.push_back(weight);
  const bool unknown = std::find(labels.begin(), labels.end(), kNoLabel) != labels.end();
  if (!partial_ && (unknown || !truth.empty())) {
    partial_ = true;
    for (const std::vector<Label>& known : labels_) truth_.push_back(flags_of(known, num_labels_));
  }
  if (partial_) truth_.push_back(truth.empty() ? flags_of(labels, num_labels_) : std::move(truth));
  num_positions_ += labels.size();
  labels_.push_back(std::move(labels));
}

std::span<const std::uint8_t> ChainExamples::truth(Index i) const {
  if (!partial_) return {};
  return truth_[i];
}

SequenceAttributes ChainExamples::attributes(Index i) const {
  SequenceAttributes x;
  x.length = labels_[i].size();
  if (nodes_.num_examples() > 0) x.node = nodes_.attributes(i);
  if (edges_.num_examples() > 0) x.edge = edges_.attributes(i);
  return x;
}

}  // namespace trellis
