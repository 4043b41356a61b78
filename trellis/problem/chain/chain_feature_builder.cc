#include "trellis/problem/chain/chain_feature_builder.h"

#include <algorithm>
#include <span>
#include <utility>

namespace trellis {
namespace {

using State = ChainStates::State;

// The order of the rows decides how training walks through memory. Attributes that are met all the
// time come first, the most frequent foremost, and stay in the cache. The others stay in the order
// in which they were first seen, so that the rare ones of a sequence are neighbours.
constexpr std::uint64_t kFrequent = 32;

// The attributes that occur at least min_count times, in the order of their rows.
std::vector<AttributeId> frequent_attributes(const AttributeStore& store, Index num_attributes,
                                             std::uint64_t min_count) {
  const std::vector<std::uint64_t> counts = store.count(num_attributes);
  std::vector<AttributeId> kept;
  for (Index a = 0; a < num_attributes; ++a) {
    if (counts[a] >= std::max<std::uint64_t>(1, min_count)) {
      kept.push_back(static_cast<AttributeId>(a));
    }
  }
  const auto rank = [&](AttributeId a) { return counts[a] < kFrequent ? 0 : counts[a]; };
  std::stable_sort(kept.begin(), kept.end(),
                   [&](AttributeId a, AttributeId b) { return rank(a) > rank(b); });
  return kept;
}

std::vector<AttributeId> new_numbers(const std::vector<AttributeId>& kept, Index num_attributes) {
  std::vector<AttributeId> ids(num_attributes, kNoAttribute);
  for (Index k = 0; k < kept.size(); ++k) ids[kept[k]] = static_cast<AttributeId>(k);
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

// A row is worth its full width where it has this share of the targets: a vector operation takes in
// several at once.
constexpr Index kDenseShare = 4;

// Rows over all of the targets 0 … n−1, in the order of `kept`: `observed` says which may have a
// weight. Where that is a good part of them, the row becomes dense and moves to the front (`kept`
// with it).
RowStorage node_rows(const RowStorage& observed, Index num_targets,
                     std::vector<AttributeId>& kept) {
  const AttributeRows view = observed.view(num_targets);
  const auto sparse = std::stable_partition(kept.begin(), kept.end(), [&](AttributeId a) {
    return view.size(a) * kDenseShare >= num_targets;
  });
  RowStorage rows;
  rows.num_dense = static_cast<Index>(sparse - kept.begin());
  const Index words = AttributeRows::mask_words(num_targets);
  rows.masks.assign(rows.num_dense * words, 0);
  for (Index k = 0; k < kept.size(); ++k) {
    const std::span<const std::uint32_t> targets = view.targets(kept[k]);
    if (k >= rows.num_dense) {
      rows.targets.insert(rows.targets.end(), targets.begin(), targets.end());
    } else {
      for (std::uint32_t j = 0; j < num_targets; ++j) rows.targets.push_back(j);
      for (const std::uint32_t j : targets)
        rows.masks[k * words + j / 64] |= std::uint64_t{1} << (j % 64);
    }
    rows.begin.push_back(rows.targets.size());
  }
  rows.targets.shrink_to_fit();
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
      // Known labels between unknown ones need not be legal; whoever trains on them will say so.
      const Index gram = find_gram(chain, before, labels[t]);
      if (gram != ChainStates::kNone) seen[gram] = 1;
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
  const Index num_labels = states.num_labels();
  std::vector<AttributeId> nodes =
      frequent_attributes(examples.nodes(), num_node_attributes, options.min_count);
  const RowStorage possible = options.nodes == FeatureSet::kAll
                                  ? full_rows(num_node_attributes, all_labels(num_labels))
                                  : observed_rows(examples.nodes(), num_node_attributes,
                                                  [&](Index i, Index t, const auto& visit) {
                                                    for_each_known_label(examples, i, t, visit);
                                                  });
  chosen.node_rows = node_rows(possible, num_labels, nodes);
  chosen.node_ids = new_numbers(nodes, num_node_attributes);
  examples.nodes().finish(chosen.node_ids, nodes.size());

  const std::vector<AttributeId> edges =
      frequent_attributes(examples.edges(), num_edge_attributes, options.min_count);
  chosen.edge_ids = new_numbers(edges, num_edge_attributes);
  examples.edges().finish(chosen.edge_ids, edges.size());
  chosen.edge_rows = edge_rows(states, options.transitions, edges.size(), examples);
  chosen.grams = choose_grams(states, options, examples);
  return chosen;
}

}  // namespace trellis
