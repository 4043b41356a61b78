#include "trellis/problem/chain_feature_builder.h"

#include <algorithm>
#include <span>
#include <utility>

namespace trellis {
namespace {

using State = ChainStates::State;

// New numbers, in the old order, for the attributes that occur at least min_count times.
std::vector<AttributeId> frequent_attributes(const AttributeStore& store, Index num_attributes,
                                             std::uint64_t min_count, Index& num_kept) {
  const std::vector<std::uint64_t> counts = store.count(num_attributes);
  std::vector<AttributeId> ids(num_attributes, kNoAttribute);
  num_kept = 0;
  for (Index a = 0; a < num_attributes; ++a) {
    if (counts[a] >= std::max<std::uint64_t>(1, min_count))
      ids[a] = static_cast<AttributeId>(num_kept++);
  }
  return ids;
}

RowStorage full_rows(Index num_attributes, std::span<const std::uint32_t> targets) {
  RowStorage rows;
  for (Index a = 0; a < num_attributes; ++a) {
    rows.targets.insert(rows.targets.end(), targets.begin(), targets.end());
    rows.begin.push_back(rows.targets.size());
  }
  return rows;
}

// Rows of the targets that occur with each attribute. `for_each_target(i, t, visit)` names the
// targets of position t of example i. A bucket sort: one pass to count, one to fill.
template <class ForEachTarget>
RowStorage observed_rows(const AttributeStore& store, Index num_attributes,
                         const ForEachTarget& for_each_target) {
  std::vector<std::uint64_t> end(num_attributes + 1, 0);
  store.for_each([&](Index i, Index t, AttributeId a) {
    for_each_target(i, t, [&](std::uint32_t) { ++end[a + 1]; });
  });
  for (Index a = 0; a < num_attributes; ++a) end[a + 1] += end[a];
  std::vector<std::uint32_t> seen(end[num_attributes]);
  std::vector<std::uint64_t> next(end.begin(), end.end() - 1);
  store.for_each([&](Index i, Index t, AttributeId a) {
    for_each_target(i, t, [&](std::uint32_t target) { seen[next[a]++] = target; });
  });
  RowStorage rows;
  rows.begin.reserve(num_attributes + 1);
  for (Index a = 0; a < num_attributes; ++a) {
    const auto first = seen.begin() + static_cast<std::ptrdiff_t>(end[a]);
    const auto last = seen.begin() + static_cast<std::ptrdiff_t>(end[a + 1]);
    std::sort(first, last);
    rows.targets.insert(rows.targets.end(), first, std::unique(first, last));
    rows.begin.push_back(rows.targets.size());
  }
  rows.targets.shrink_to_fit();
  return rows;
}

// The labels that position t of example i is known to have, unless it can be anything.
template <class Visit>
void for_each_known_label(const ChainExamples& examples, Index i, Index t, const Visit& visit) {
  const Label label = examples.labels(i)[t];
  if (label != kNoLabel) {
    visit(static_cast<std::uint32_t>(label));
    return;
  }
  const Index n = examples.num_labels();
  const std::span<const std::uint8_t> possible = examples.truth(i).subspan(t * n, n);
  if (std::find(possible.begin(), possible.end(), 0) == possible.end()) return;
  for (Index j = 0; j < n; ++j) {
    if (possible[j] != 0) visit(static_cast<std::uint32_t>(j));
  }
}

RowStorage edge_rows(const ChainStates& states, FeatureSet set, Index num_attributes,
                     const ChainExamples& examples) {
  const Index n = states.num_labels();
  if (set == FeatureSet::kAll) {
    const ChainStates pairs(states.rules(), 1);
    std::vector<std::uint32_t> targets;
    for (Index e = 0; e < pairs.num_transitions(); ++e) {
      if (pairs.allowed(e)) targets.push_back(static_cast<std::uint32_t>(e));
    }
    return full_rows(num_attributes, targets);
  }
  return observed_rows(examples.edges(), num_attributes, [&](Index i, Index t, const auto& visit) {
    const std::vector<Label>& labels = examples.labels(i);
    if (labels[t] == kNoLabel || (t > 0 && labels[t - 1] == kNoLabel)) return;
    const Index row = t == 0 ? 0 : 1 + static_cast<Index>(labels[t - 1]);
    visit(static_cast<std::uint32_t>(row * n + static_cast<Index>(labels[t])));
  });
}

// Marks the n-grams that the training labels contain, up to one start marker.
std::vector<std::uint8_t> observed_grams(const ChainStates& chain, const ChainExamples& examples) {
  const Index n = static_cast<Index>(chain.order());
  std::vector<std::uint8_t> seen(chain.num_transitions(), 0);
  for (Index i = 0; i < examples.num_examples(); ++i) {
    const std::vector<Label>& labels = examples.labels(i);
    for (Index t = n - 1; t < labels.size(); ++t) {
      const Index history = std::min(t, n);
      const auto first = labels.begin() + static_cast<std::ptrdiff_t>(t - history);
      if (std::find(first, first + static_cast<std::ptrdiff_t>(history + 1), kNoLabel) !=
          first + static_cast<std::ptrdiff_t>(history + 1)) {
        continue;
      }
      const std::span<const Label> before = std::span(labels).subspan(t - history, history);
      seen[find_gram(chain, before, labels[t])] = 1;
    }
  }
  return seen;
}

// Every n-gram that the rules allow and that no shorter one says as well.
std::vector<std::uint8_t> allowed_grams(const ChainStates& chain) {
  std::vector<std::uint8_t> allowed(chain.num_transitions(), 0);
  const int n = chain.order();
  if (n == 1) {
    for (Index e = 0; e < chain.num_labels(); ++e) allowed[e] = chain.allowed(e) ? 1 : 0;
  }
  for (State u = 0; u < chain.num_states(); ++u) {
    if (chain.length(u) < n - 1) continue;
    for (Index j = 0; j < chain.num_successors(u); ++j) {
      const Index e = chain.transition_begin(u) + j;
      allowed[e] = chain.allowed(e) ? 1 : 0;
    }
  }
  return allowed;
}

// An n-gram that begins at the start of a sequence: its history is shorter than n.
void clear_boundary_grams(const ChainStates& chain, std::vector<std::uint8_t>& marks) {
  for (Index e = 0; e < chain.num_labels(); ++e) marks[e] = 0;
  for (State u = 0; u < chain.num_states(); ++u) {
    if (chain.length(u) >= chain.order()) continue;
    for (Index j = 0; j < chain.num_successors(u); ++j) marks[chain.transition_begin(u) + j] = 0;
  }
}

GramWeights choose_grams(const ChainStates& states, const ChainFeatureOptions& options,
                         const ChainExamples& examples) {
  GramWeights grams;
  grams.stop.assign(states.num_labels(), GramWeights::kNone);
  const auto next = [&] { return static_cast<std::uint32_t>(grams.num_weights++); };
  for (int n = 1; n <= states.order(); ++n) {
    const ChainStates chain(states.rules(), n);
    std::vector<std::uint8_t> marks = options.transitions == FeatureSet::kAll
                                          ? allowed_grams(chain)
                                          : observed_grams(chain, examples);
    if (!options.boundaries) clear_boundary_grams(chain, marks);
    std::vector<std::uint32_t> level(chain.num_transitions(), GramWeights::kNone);
    for (Index e = 0; options.label_grams && e < level.size(); ++e) {
      if (marks[e] != 0) level[e] = next();
    }
    grams.levels.push_back(std::move(level));
  }
  if (!options.label_grams || !options.boundaries) return grams;
  std::vector<std::uint8_t> stops(states.num_labels(),
                                  options.transitions == FeatureSet::kAll ? 1 : 0);
  for (Index i = 0; i < examples.num_examples(); ++i) {
    const Label last = examples.labels(i).back();
    if (last != kNoLabel) stops[static_cast<Index>(last)] = 1;
  }
  for (Index j = 0; j < stops.size(); ++j) {
    if (stops[j] != 0 && states.rules().may_stop(static_cast<Label>(j))) grams.stop[j] = next();
  }
  return grams;
}

std::vector<std::uint32_t> all_labels(Index num_labels) {
  std::vector<std::uint32_t> labels(num_labels);
  for (Index j = 0; j < num_labels; ++j) labels[j] = static_cast<std::uint32_t>(j);
  return labels;
}

}  // namespace

ChosenChainFeatures choose_chain_features(const ChainStates& states,
                                          const ChainFeatureOptions& options,
                                          Index num_node_attributes, Index num_edge_attributes,
                                          ChainExamples& examples) {
  ChosenChainFeatures chosen;
  Index num_nodes = 0;
  Index num_edges = 0;
  chosen.node_ids =
      frequent_attributes(examples.nodes(), num_node_attributes, options.min_count, num_nodes);
  chosen.edge_ids =
      frequent_attributes(examples.edges(), num_edge_attributes, options.min_count, num_edges);
  examples.nodes().finish(chosen.node_ids, num_nodes);
  examples.edges().finish(chosen.edge_ids, num_edges);
  if (options.nodes == FeatureSet::kAll) {
    chosen.node_rows = full_rows(num_nodes, all_labels(states.num_labels()));
  } else {
    chosen.node_rows = observed_rows(
        examples.nodes(), num_nodes,
        [&](Index i, Index t, const auto& visit) { for_each_known_label(examples, i, t, visit); });
  }
  chosen.edge_rows = edge_rows(states, options.transitions, num_edges, examples);
  chosen.grams = choose_grams(states, options, examples);
  return chosen;
}

}  // namespace trellis
