// Tagger::explain: why a token has its label.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/tasks/tag/model/tagger.h"

namespace trellis::tag {
namespace {

// The weight that a row gives to a target, if it has one.
const double* find_weight(const AttributeRows& rows, AttributeId a, Index target, const double* w) {
  const std::span<const std::uint32_t> targets = rows.targets(a);
  const auto found = std::lower_bound(targets.begin(), targets.end(), target);
  if (found == targets.end() || *found != target) return nullptr;
  return w + rows.begin(a) + static_cast<Index>(found - targets.begin());
}

std::string gram_name(const std::vector<std::string>& labels, std::span<const Label> history,
                      bool from_start, Label label) {
  std::string name = "label:";
  if (from_start) name += " ^";
  for (const Label y : history) name += " " + labels[static_cast<Index>(y)];
  return name + " → " + labels[static_cast<Index>(label)];
}

}  // namespace

std::vector<Contribution> Tagger::contributions(const TagSequence& sequence,
                                                const SequenceAttributes& x,
                                                const std::vector<Label>& y, Index t,
                                                Scratch& scratch) const {
  const ChainFeatures& chain = model_->chain();
  const double* w = model_->weights().data();
  std::vector<Contribution> list;
  for (Index k = x.node.begin[t]; k < x.node.begin[t + 1]; ++k) {
    const double* weight =
        find_weight(chain.node_rows(), x.node.ids[k], static_cast<Index>(y[t]), w);
    if (weight == nullptr) continue;
    list.push_back(
        {node_name(sequence, model_->features(), t, scratch.node.sources[k], scratch.features),
         x.node.value(k), *weight});
  }
  if (!x.edge.begin.empty()) {
    // The label is part of two steps: the one into t and the one out of it.
    const Index num_labels = model_->labels().size();
    for (Index end = std::max<Index>(t, 1); end < std::min(y.size(), t + 2); ++end) {
      const Index from = static_cast<Index>(y[end - 1]), to = static_cast<Index>(y[end]);
      for (Index k = x.edge.begin[end]; k < x.edge.begin[end + 1]; ++k) {
        const double* weight = find_weight(chain.edge_rows(), x.edge.ids[k],
                                           (1 + from) * num_labels + to, w + chain.edge_begin());
        if (weight == nullptr) continue;
        const std::string name =
            edge_name(sequence, model_->features(), end, scratch.edge.sources[k], scratch.features);
        list.push_back({name + "  " + model_->labels()[from] + " → " + model_->labels()[to],
                        x.edge.value(k), *weight});
      }
    }
  }
  // Every label n-gram that position t is part of: those that end at t and those that end after it.
  const double* grams = w + chain.gram_begin();
  for (int n = 1; n <= chain.states().order(); ++n) {
    const ChainStates level(chain.states().rules(), n);
    for (Index end = t; end < std::min(y.size(), t + static_cast<Index>(n) + 1); ++end) {
      const Index history = std::min(end, static_cast<Index>(n));
      if (history + 1 < static_cast<Index>(n)) continue;
      const std::span<const Label> before = std::span(y).subspan(end - history, history);
      const Index gram = find_gram(level, before, y[end]);
      if (gram == ChainStates::kNone) continue;
      const std::uint32_t rank = chain.grams().levels[static_cast<Index>(n) - 1][gram];
      if (rank == GramWeights::kNone) continue;
      list.push_back({gram_name(model_->labels(), before, history < static_cast<Index>(n), y[end]),
                      1, grams[rank]});
    }
  }
  if (t + 1 == y.size()) {
    const std::uint32_t rank = chain.grams().stop[static_cast<Index>(y[t])];
    if (rank != GramWeights::kNone) {
      list.push_back(
          {"label: " + model_->labels()[static_cast<Index>(y[t])] + " → $", 1, grams[rank]});
    }
  }
  std::stable_sort(list.begin(), list.end(), [](const Contribution& a, const Contribution& b) {
    return std::abs(a.value * a.weight) > std::abs(b.value * b.weight);
  });
  return list;
}

Explanation Tagger::explain(const TagSequence& sequence, Index t, Scratch& scratch) const {
  if (model_->kernel() != nullptr) {
    throw UsageError(
        "a model with a kernel scores by likeness to training positions: no feature speaks for a "
        "label by itself, so there is nothing to explain");
  }
  Explanation why;
  std::vector<Label> y;
  tag(sequence, {}, scratch, y);
  if (y.empty()) return why;  // the rules leave no labels at all
  std::vector<double> probabilities;
  marginals(sequence, {}, scratch, probabilities);
  const SequenceAttributes x = resolve(sequence, scratch);
  const Chain chain = model_->chain().chain(x.length);
  const std::span<const double> s = score(x, 0, scratch);
  const Index num_labels = model_->labels().size();
  why.label = y[t];
  std::vector<Label> other = y;
  double best = -std::numeric_limits<double>::infinity();
  for (Label j = 0; j < static_cast<Label>(num_labels); ++j) {
    other[t] = j;
    if (j == y[t] || !chain.legal(other)) continue;
    const double score = chain.score(s, other);
    if (score > best) best = score, why.runner_up = j;
  }
  why.probability = probabilities[t * num_labels + static_cast<Index>(why.label)];
  why.label_features = contributions(sequence, x, y, t, scratch);
  if (why.runner_up == kNoLabel)
    return why;  // the rules leave no other label between its neighbours
  other[t] = why.runner_up;
  why.runner_up_probability = probabilities[t * num_labels + static_cast<Index>(why.runner_up)];
  why.runner_up_features = contributions(sequence, x, other, t, scratch);
  return why;
}

}  // namespace trellis::tag
