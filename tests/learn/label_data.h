// Small random flat classifiers over the problem layer: one set of examples as a LabelOracle, as
// hinge losses and as parts.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "tests/problem/some_attributes.h"
#include "trellis/base/random.h"
#include "trellis/problem/chain/attribute_store.h"
#include "trellis/problem/cost_table.h"
#include "trellis/problem/labels/multiclass_model.h"

namespace trellis::testing {

struct LabelDataOptions {
  Index num_examples = 40;
  Index num_attributes = 6;
  Index num_labels = 4;
  bool weighted = false;  // example weights (one of them 0), and costs that differ by label
  bool repeats = false;   // attributes that occur twice in an example, and examples without any
};

class LabelData {
 public:
  LabelData(const LabelDataOptions& options, std::uint64_t seed)
      : costs_(options.weighted ? costs(options.num_labels)
                                : CostTable::hamming(options.num_labels)) {
    Random random(seed);
    for (Index a = 0; a < options.num_attributes; ++a) {
      for (Index y = 0; y < options.num_labels; ++y) {
        targets_.push_back(static_cast<std::uint32_t>(y));
      }
      begin_.push_back(targets_.size());
    }
    for (Index i = 0; i < options.num_examples; ++i) add_example(options, i, random);
    std::vector<AttributeId> same(options.num_attributes);
    std::iota(same.begin(), same.end(), AttributeId{0});
    attributes_.finish(same, same.size());
  }
  // Some examples of others.
  LabelData(const LabelData& all, std::span<const Index> chosen)
      : begin_(all.begin_),
        targets_(all.targets_),
        attributes_(some_attributes(all.attributes_, chosen, all.begin_.size() - 1)),
        costs_(all.costs_) {
    for (const Index i : chosen) {
      labels_.push_back(all.labels_[i]);
      if (!all.weights_.empty()) weights_.push_back(all.weights_[i]);
    }
  }
  LabelData(const LabelData&) = delete;

  MulticlassModel model() const {
    return MulticlassModel(AttributeRows(begin_, targets_, costs_.num_labels()), attributes_,
                           labels_, costs_, weights_);
  }

 private:
  static CostTable costs(Index num_labels) {
    std::vector<double> table(num_labels * num_labels);
    for (Index y = 0; y < num_labels; ++y) {
      for (Index other = 0; other < num_labels; ++other) {
        table[y * num_labels + other] =
            0.5 * static_cast<double>(std::max(y, other) - std::min(y, other));
      }
    }
    return CostTable(num_labels, table);
  }

  // Labels lean towards the attribute of the same number, with noise.
  void add_example(const LabelDataOptions& options, Index i, Random& random) {
    std::vector<AttributeId> ids;
    std::vector<float> values;
    const Label label = static_cast<Label>(random.below(options.num_labels));
    for (Index a = 0; a < options.num_attributes; ++a) {
      if (random.below(2) == 0 || (options.repeats && i % 7 == 0)) continue;
      for (Index copies = options.repeats && a % 3 == 0 ? 2 : 1; copies > 0; --copies) {
        ids.push_back(static_cast<AttributeId>(a));
        values.push_back(static_cast<float>(random.normal() + (a == Index(label) ? 1 : 0)));
      }
    }
    const std::vector<std::uint32_t> begin = {0, static_cast<std::uint32_t>(ids.size())};
    attributes_.add(begin, ids, values);
    labels_.push_back(label);
    if (options.weighted) weights_.push_back(i == 3 ? 0 : 0.5 + random.uniform());
  }

  std::vector<std::uint64_t> begin_ = {0};
  std::vector<std::uint32_t> targets_;
  AttributeStore attributes_;
  std::vector<Label> labels_;
  CostTable costs_;
  std::vector<double> weights_;
};

}  // namespace trellis::testing
