// Classifier chains (Read, Pfahringer, Holmes & Frank 2009): labels are visited in an order, and
// the classifier of each (a logistic regression, where no other loss is asked for) sees, beside the
// features, which labels before it the instance has: the true ones in training, those that were
// given in prediction.
//
// A threshold moves what later labels see, so thresholds of a chain are chosen along it: those of
// the labels before v are fixed when v's is chosen.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/solve/measures/set_measure.h"
#include "trellis/tasks/label/methods/fit.h"

namespace trellis::label {

// All labels in the order of the chain. Frequency: the most frequent first.
std::vector<std::uint32_t> chain_order(const LabelSets& labels, Index num_labels, ChainOrder order,
                                       std::uint64_t seed);

Fit fit_chain(const FitData& data, const FitSetting& setting, const FitControl& control);

// A chain, and instances to choose its thresholds on.
struct ChainCase {
  const LabelModel* chain;
  const FeatureRows* rows;
  const LabelSets* truth;
  std::span<const std::uint8_t> learned;  // as in TuningCase
};
// Thresholds for all cases together, whose chains have one order. Per label, for a macro measure.
std::vector<double> chain_thresholds(std::span<const ChainCase> cases, Index num_labels,
                                     const SetMeasure& measure);

}  // namespace trellis::label
