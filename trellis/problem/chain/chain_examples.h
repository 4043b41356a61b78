// A training set of labelled sequences.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/problem/chain/attribute_store.h"
#include "trellis/problem/chain/chain_features.h"
#include "trellis/structure/sequences/chain.h"

namespace trellis {

class ChainExamples {
 public:
  explicit ChainExamples(Index num_labels) : num_labels_(num_labels) {}

  // Attributes are added through nodes() and edges(), one example each for each call of this.
  // A label may be kNoLabel: unknown. `truth` is empty, or T × L flags that say which labels are
  // possible at each position (an unknown label then means any of those).
  void add(std::vector<Label> labels, std::vector<std::uint8_t> truth = {}, double weight = 1);

  AttributeStore& nodes() { return nodes_; }
  AttributeStore& edges() { return edges_; }
  const AttributeStore& nodes() const { return nodes_; }
  const AttributeStore& edges() const { return edges_; }

  Index num_examples() const { return labels_.size(); }
  Index num_labels() const { return num_labels_; }
  Index num_positions() const { return num_positions_; }
  const std::vector<Label>& labels(Index i) const { return labels_[i]; }
  double weight(Index i) const { return weights_.empty() ? 1.0 : weights_[i]; }
  bool partially_labelled() const { return partial_; }  // some example is
  // T × L flags; empty where every label of every example is known.
  std::span<const std::uint8_t> truth(Index i) const;
  SequenceAttributes attributes(Index i) const;

 private:
  Index num_labels_;
  AttributeStore nodes_;
  AttributeStore edges_;
  std::vector<std::vector<Label>> labels_;
  std::vector<std::vector<std::uint8_t>> truth_;  // empty until an example is partially labelled
  std::vector<double> weights_;                   // empty while all are 1
  Index num_positions_ = 0;
  bool partial_ = false;
};

}  // namespace trellis
