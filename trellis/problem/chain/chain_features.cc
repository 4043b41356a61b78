#include "trellis/problem/chain/chain_features.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "trellis/problem/chain/position_rows.h"

namespace trellis {
namespace {

using State = ChainStates::State;

bool all_zero(const double* z, Index n) {
  for (Index j = 0; j < n; ++j) {
    if (z[j] != 0) return false;
  }
  return true;
}

}  // namespace

ChainFeatures::ChainFeatures(std::shared_ptr<const ChainStates> states, AttributeRows node_rows,
                             AttributeRows edge_rows, GramWeights grams)
    : states_(std::move(states)),
      node_rows_(node_rows),
      edge_rows_(edge_rows),
      grams_(std::move(grams)),
      gram_begin_(node_rows_.num_weights() + edge_rows_.num_weights()) {
  link_grams();
  if (edge_rows_.num_attributes() > 0) link_pairs();
}

void ChainFeatures::link_grams() {
  const Index order = static_cast<Index>(states_->order());
  assert(grams_.levels.size() == order && grams_.stop.size() == states_->num_labels());
  std::vector<ChainStates> chains;
  for (Index n = 1; n <= order; ++n) chains.emplace_back(states_->rules(), static_cast<int>(n));
  gram_of_begin_.assign(1, 0);
  for_each_transition(*states_, [&](std::span<const Label> history, Label label, Index) {
    // Beyond one start marker, a longer n-gram says the same as a shorter one.
    for (Index n = 1; n <= std::min(order, history.size() + 1); ++n) {
      const Index gram = find_gram(chains[n - 1], history, label);
      if (gram == ChainStates::kNone) continue;
      const std::uint32_t weight = grams_.levels[n - 1][gram];
      if (weight != GramWeights::kNone) gram_of_.push_back(weight);
    }
    gram_of_begin_.push_back(static_cast<std::uint32_t>(gram_of_.size()));
  });
}

void ChainFeatures::link_pairs() {
  const Index num_labels = states_->num_labels();
  const auto pair_of = [&](std::span<const Label> history, Label label) {
    const Index row = history.empty() ? 0 : 1 + static_cast<Index>(history.back());
    return row * num_labels + static_cast<Index>(label);
  };
  std::vector<std::vector<std::uint32_t>> transitions(num_labels * (num_labels + 1));
  for_each_transition(*states_, [&](std::span<const Label> history, Label label, Index e) {
    transitions[pair_of(history, label)].push_back(static_cast<std::uint32_t>(e));
  });
  transitions_of_pair_begin_.assign(1, 0);
  for (const auto& list : transitions) {
    transitions_of_pair_.insert(transitions_of_pair_.end(), list.begin(), list.end());
    transitions_of_pair_begin_.push_back(static_cast<std::uint32_t>(transitions_of_pair_.size()));
  }
}

Index ChainFeatures::num_features() const {
  return dimension() - node_rows_.num_padding();
}

void ChainFeatures::clear_padding(std::span<double> w) const {
  for (AttributeId a = 0; node_rows_.dense(a); ++a) {
    const std::uint64_t* mask = node_rows_.mask(a);
    for (Index j = 0; j < node_rows_.num_targets(); ++j) {
      if (((mask[j / 64] >> (j % 64)) & 1) == 0) w[node_rows_.dense_begin(a) + j] = 0;
    }
  }
}

void ChainFeatures::scores(const SequenceAttributes& x, std::span<const double> w,
                           std::span<double> s) const {
  const Index num_labels = states_->num_labels();
  const Index num_nodes = x.length * num_labels;
  const Index num_transitions = states_->num_transitions();
  std::fill(s.begin(), s.end(), 0.0);
  if (!x.node.begin.empty()) {
    for (Index t = 0; t < x.length; ++t) {
      add_position_scores(node_rows_, x.node, attributes_at(x.node, t), w.data(),
                          s.data() + t * num_labels);
    }
  }
  const double* gram_weights = w.data() + gram_begin_;
  double* transitions = s.data() + num_nodes;
  for (Index e = 0; e < num_transitions; ++e) {
    double score = 0;
    for (Index k = gram_of_begin_[e]; k < gram_of_begin_[e + 1]; ++k)
      score += gram_weights[gram_of_[k]];
    transitions[e] = score;
  }
  Index num_tables = 1;
  if (this->transitions() == Transitions::kPositionDependent) {
    num_tables = x.length;
    for (Index t = 1; t < x.length; ++t) {
      std::copy_n(transitions, num_transitions, transitions + t * num_transitions);
    }
    add_edge_scores(x.edge, x.length, w, s.subspan(num_nodes, num_tables * num_transitions));
  }
  double* final = transitions + num_tables * num_transitions;
  for (State u = 0; u < states_->num_states(); ++u) {
    const std::uint32_t weight = grams_.stop[static_cast<Index>(states_->label(u))];
    if (weight != GramWeights::kNone) final[u] = gram_weights[weight];
  }
}

void ChainFeatures::add_edge_scores(const PositionAttributes& edge, Index length,
                                    std::span<const double> w,
                                    std::span<double> transitions) const {
  if (edge.begin.empty()) return;
  const double* edge_weights = w.data() + edge_begin();
  for (Index t = 0; t < length; ++t) {
    const AttributeRange at = attributes_at(edge, t);
    double* table = transitions.data() + t * states_->num_transitions();
    for (Index k = at.first; k < at.last; ++k) {
      const AttributeId a = edge.attribute(k);
      const double value = edge.value(k);
      const std::span<const std::uint32_t> pairs = edge_rows_.targets(a);
      const double* row = edge_weights + edge_rows_.begin(a);
      for (Index j = 0; j < pairs.size(); ++j) {
        for (Index e = transitions_of_pair_begin_[pairs[j]];
             e < transitions_of_pair_begin_[pairs[j] + 1]; ++e) {
          table[transitions_of_pair_[e]] += value * row[j];
        }
      }
    }
  }
}

void ChainFeatures::add_edge_features(AttributeId a, double value, const double* z,
                                      double* row) const {
  const std::span<const std::uint32_t> pairs = edge_rows_.targets(a);
  for (Index j = 0; j < pairs.size(); ++j) {
    double sum = 0;
    for (Index e = transitions_of_pair_begin_[pairs[j]];
         e < transitions_of_pair_begin_[pairs[j] + 1]; ++e) {
      sum += z[transitions_of_pair_[e]];
    }
    row[j] += value * sum;
  }
}

void ChainFeatures::add_grams(std::span<const double> z, Index length, double scale,
                              double* block) const {
  const Index num_transitions = states_->num_transitions();
  const Index num_tables = transitions() == Transitions::kTied ? 1 : length;
  const double* table = z.data() + length * states_->num_labels();
  for (Index t = 0; t < num_tables; ++t, table += num_transitions) {
    for (Index e = 0; e < num_transitions; ++e) {
      if (table[e] == 0) continue;
      for (Index k = gram_of_begin_[e]; k < gram_of_begin_[e + 1]; ++k)
        block[gram_of_[k]] += scale * table[e];
    }
  }
  for (State u = 0; u < states_->num_states(); ++u) {
    const std::uint32_t weight = grams_.stop[static_cast<Index>(states_->label(u))];
    if (weight == GramWeights::kNone || table[u] == 0) continue;
    block[weight] += scale * table[u];
  }
}

void ChainFeatures::add_features(const SequenceAttributes& x, std::span<const double> z,
                                 double scale, std::span<double> gradient) const {
  const Index num_labels = states_->num_labels();
  if (!x.node.begin.empty()) {
    for (Index t = 0; t < x.length; ++t) {
      const double* node = z.data() + t * num_labels;
      if (all_zero(node, num_labels)) continue;
      add_position_features(node_rows_, x.node, attributes_at(x.node, t), node, scale,
                            [&](Index k) {
                              prefetch_rows(node_rows_, x.node, k, gradient.data());
                              return gradient.data() + node_rows_.begin(x.node.attribute(k));
                            });
    }
  }
  if (transitions() == Transitions::kPositionDependent && !x.edge.begin.empty()) {
    const double* tables = z.data() + x.length * num_labels;
    for (Index t = 0; t < x.length; ++t) {
      const AttributeRange at = attributes_at(x.edge, t);
      for (Index k = at.first; k < at.last; ++k) {
        const AttributeId a = x.edge.attribute(k);
        add_edge_features(a, scale * x.edge.value(k), tables + t * states_->num_transitions(),
                          gradient.data() + edge_begin() + edge_rows_.begin(a));
      }
    }
  }
  add_grams(z, x.length, scale, gradient.data() + gram_begin_);
}

namespace {

constexpr std::uint32_t kUntouched = ~std::uint32_t{0};
constexpr std::uint32_t kTouched = kUntouched - 1;

// Appends a run of zeros for each distinct attribute of a position that `touches` (its z is not 0),
// and notes in run_of where it is.
template <class Touches>
void append_runs(const PositionAttributes& x, Index length, const AttributeRows& rows,
                 Index rows_begin, const Touches& touches, std::vector<std::uint32_t>& run_of,
                 SparseVector& slope) {
  run_of.assign(x.distinct.size(), kUntouched);
  for (Index t = 0; t < length; ++t) {
    if (!touches(t)) continue;
    const AttributeRange at = attributes_at(x, t);
    for (Index k = at.first; k < at.last; ++k) run_of[x.ids[k]] = kTouched;
  }
  for (Index d = 0; d < x.distinct.size(); ++d) {
    const AttributeId a = x.distinct[d];
    if (run_of[d] == kUntouched || rows.size(a) == 0) {
      run_of[d] = kUntouched;
      continue;
    }
    run_of[d] = static_cast<std::uint32_t>(slope.runs().size());
    slope.append(rows_begin + rows.begin(a), rows.size(a));
  }
}

}  // namespace

void ChainFeatures::features(const SequenceAttributes& x, std::span<const double> z, double scale,
                             Workspace& workspace, SparseVector& slope) const {
  const Index num_labels = states_->num_labels();
  std::vector<std::uint32_t>& run_of = workspace.run_of;
  slope.clear();
  if (!x.node.begin.empty()) {
    const auto touches = [&](Index t) { return !all_zero(z.data() + t * num_labels, num_labels); };
    append_runs(x.node, x.length, node_rows_, 0, touches, run_of, slope);
    for (Index t = 0; t < x.length; ++t) {
      if (!touches(t)) continue;
      add_position_features(node_rows_, x.node, attributes_at(x.node, t), z.data() + t * num_labels,
                            scale, [&](Index k) -> double* {
                              const std::uint32_t run = run_of[x.node.ids[k]];
                              if (run == kUntouched) return nullptr;
                              return slope.values(slope.runs()[run]).data();
                            });
    }
  }
  if (transitions() == Transitions::kPositionDependent && !x.edge.begin.empty()) {
    const Index num_transitions = states_->num_transitions();
    const double* tables = z.data() + x.length * num_labels;
    const auto touches = [&](Index t) {
      return !all_zero(tables + t * num_transitions, num_transitions);
    };
    append_runs(x.edge, x.length, edge_rows_, edge_begin(), touches, run_of, slope);
    for (Index t = 0; t < x.length; ++t) {
      if (!touches(t)) continue;
      const AttributeRange at = attributes_at(x.edge, t);
      for (Index k = at.first; k < at.last; ++k) {
        const std::uint32_t run = run_of[x.edge.ids[k]];
        if (run == kUntouched) continue;
        add_edge_features(x.edge.attribute(k), scale * x.edge.value(k),
                          tables + t * num_transitions, slope.values(slope.runs()[run]).data());
      }
    }
  }
  const std::span<const double> transition_part = z.subspan(x.length * num_labels);
  if (grams_.num_weights > 0 && !all_zero(transition_part.data(), transition_part.size())) {
    const std::span<double> block = slope.append(gram_begin_, grams_.num_weights);
    add_grams(z, x.length, scale, block.data());
  }
}

Index find_gram(const ChainStates& chain, std::span<const Label> history, Label label) {
  if (history.empty()) return static_cast<Index>(label);
  history = history.last(std::min(history.size(), static_cast<Index>(chain.order())));
  // Looked up, not walked to from its oldest label: that one need not be able to start a sequence.
  State low = chain.states_begin(history.size() - 1);
  State high = chain.states_end(history.size() - 1);
  while (low < high) {
    const State middle = low + (high - low) / 2;
    const std::span<const Label> tuple = chain.tuple(middle);
    const bool before =
        std::lexicographical_compare(tuple.begin(), tuple.end(), history.begin(), history.end());
    (before ? low : high) = before ? middle + 1 : middle;
  }
  if (low == chain.states_end(history.size() - 1)) return ChainStates::kNone;
  const std::span<const Label> found = chain.tuple(low);
  if (!std::equal(found.begin(), found.end(), history.begin())) return ChainStates::kNone;
  return chain.transition(low, label);
}

bool valid_rows(std::span<const std::uint64_t> begin, std::span<const std::uint32_t> targets,
                Index num_targets) {
  if (begin.empty() || begin.front() != 0 || begin.back() != targets.size()) return false;
  for (Index a = 0; a + 1 < begin.size(); ++a) {
    if (begin[a] > begin[a + 1] || begin[a + 1] > targets.size()) return false;
    for (Index k = begin[a]; k < begin[a + 1]; ++k) {
      if (targets[k] >= num_targets || (k > begin[a] && targets[k] <= targets[k - 1])) return false;
    }
  }
  return true;
}

}  // namespace trellis
