#include "trellis/tasks/tag/model/inspect.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trellis::tag {
namespace {

struct Candidate {
  AttributeId attribute;
  std::uint32_t target;
  double weight;
};

bool stronger(const Candidate& a, const Candidate& b) {
  if (std::abs(a.weight) != std::abs(b.weight)) return std::abs(a.weight) > std::abs(b.weight);
  return a.attribute != b.attribute ? a.attribute < b.attribute : a.target < b.target;
}

// Keeps the `top` strongest of what is pushed: a heap whose front is the weakest.
class Strongest {
 public:
  explicit Strongest(Index top) : top_(top) {}
  void push(const Candidate& candidate) {
    if (top_ == 0) return;
    if (heap_.size() == top_) {
      if (!stronger(candidate, heap_.front())) return;
      std::pop_heap(heap_.begin(), heap_.end(), stronger);
      heap_.pop_back();
    }
    heap_.push_back(candidate);
    std::push_heap(heap_.begin(), heap_.end(), stronger);
  }
  std::vector<Candidate> take() {
    std::sort_heap(heap_.begin(), heap_.end(), stronger);
    return std::move(heap_);
  }

 private:
  Index top_;
  std::vector<Candidate> heap_;
};

template <class Visit>
void for_each_weight(const AttributeRows& rows, const double* w, const Visit& visit) {
  for (Index a = 0; a < rows.num_attributes(); ++a) {
    const AttributeId id = static_cast<AttributeId>(a);
    const std::span<const std::uint32_t> targets = rows.targets(id);
    for (Index j = 0; j < targets.size(); ++j)
      visit(Candidate{id, targets[j], w[rows.begin(id) + j]});
  }
}

}  // namespace

std::vector<LabelFeatures> strongest_features(const TagModel& model, Index top) {
  std::vector<Strongest> best(model.labels().size(), Strongest(top));
  const double* w = model.weights(model.num_voters() - 1).data();
  for_each_weight(model.chain().node_rows(), w,
                  [&](const Candidate& c) { best[c.target].push(c); });
  std::vector<LabelFeatures> result;
  for (Index label = 0; label < best.size(); ++label) {
    LabelFeatures features{model.labels()[label], {}};
    for (const Candidate& c : best[label].take())
      features.features.push_back({model.nodes().name(c.attribute), c.weight});
    result.push_back(std::move(features));
  }
  return result;
}

std::vector<WeightedFeature> strongest_edge_features(const TagModel& model, Index top) {
  Strongest best(top);
  const double* w = model.weights(model.num_voters() - 1).data() + model.chain().edge_begin();
  for_each_weight(model.chain().edge_rows(), w, [&](const Candidate& c) { best.push(c); });
  std::vector<WeightedFeature> features;
  const Index n = model.labels().size();
  for (const Candidate& c : best.take()) {
    const std::string from = c.target < n ? "^" : model.labels()[c.target / n - 1];
    features.push_back(
        {model.edges().name(c.attribute) + "  " + from + " → " + model.labels()[c.target % n],
         c.weight});
  }
  return features;
}

TransitionTable transition_table(const TagModel& model) {
  TransitionTable table;
  const Index n = model.labels().size();
  table.from.push_back("^");
  table.from.insert(table.from.end(), model.labels().begin(), model.labels().end());
  table.to = model.labels();
  table.to.push_back("$");
  const double none = std::numeric_limits<double>::quiet_NaN();
  table.weights.assign((n + 1) * (n + 1), none);
  const double* w = model.weights(model.num_voters() - 1).data() + model.chain().gram_begin();
  const GramWeights& grams = model.chain().grams();
  // Pairs are numbered as the transitions of an order-1 chain: (start, j) is j, (i, j) is n + i n +
  // j.
  for (Index pair = 0; pair < n * (n + 1); ++pair) {
    const std::uint32_t rank = grams.levels[0][pair];
    if (rank != GramWeights::kNone) table.weights[(pair / n) * (n + 1) + pair % n] = w[rank];
  }
  for (Index j = 0; j < n; ++j) {
    if (grams.stop[j] != GramWeights::kNone)
      table.weights[(1 + j) * (n + 1) + n] = w[grams.stop[j]];
  }
  return table;
}

}  // namespace trellis::tag
