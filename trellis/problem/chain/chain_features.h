// The features of a chain, and the weights that belong to them:
//
//   node attributes   score the label of a position        rows over the L labels
//   edge attributes   score the step into a position       rows over the L + L² label pairs
//   label n-grams     score n + 1 successive labels        one weight each, n = 1 … order
//   stop labels       score the last label                 one weight each
//
// in this order in the weight vector. Pairs are numbered as the transitions of an order-1 chain
// (ChainStates): (start, j) is j, (i, j) is L + i·L + j. The n-grams of level n are the transitions
// of an order-n chain; a chain of order k adds up those of all levels that end in a transition.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/problem/chain/attribute_rows.h"
#include "trellis/structure/sequences/chain.h"
#include "trellis/structure/sequences/chain_states.h"

namespace trellis {

// The attributes that hold at each position of one sequence; those of position t are
// [begin[t], begin[t+1]) − begin[0]. A view.
struct PositionAttributes {
  std::span<const std::uint64_t> begin;  // T + 1 entries; empty: no attributes anywhere
  std::span<const std::uint32_t>
      ids;  // attribute ids; or positions in `distinct` where that is given
  std::span<const AttributeId> distinct;  // the sequence's distinct attributes, ascending
  std::span<const float> values;          // empty: all 1

  AttributeId attribute(Index k) const { return distinct.empty() ? ids[k] : distinct[ids[k]]; }
  double value(Index k) const { return values.empty() ? 1.0 : static_cast<double>(values[k]); }
};

struct SequenceAttributes {
  Index length = 0;
  PositionAttributes node;
  PositionAttributes edge;
};

// Which n-grams of labels have a weight.
struct GramWeights {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  // levels[n−1][transition of the order-n chain] is the rank of its weight among all n-gram and
  // stop weights, or kNone; so is stop[label].
  std::vector<std::vector<std::uint32_t>> levels;
  std::vector<std::uint32_t> stop;
  Index num_weights = 0;
};

class ChainFeatures {
 public:
  // Reused by features(); one for each thread.
  struct Workspace {
    std::vector<std::uint32_t> run_of;  // of each distinct attribute: its run in the slope
  };

  // The rows' arrays must outlive the object. `grams.levels` has one table for each order up to
  // states->order().
  ChainFeatures(std::shared_ptr<const ChainStates> states, AttributeRows node_rows,
                AttributeRows edge_rows, GramWeights grams);

  const ChainStates& states() const { return *states_; }
  const AttributeRows& node_rows() const { return node_rows_; }
  const AttributeRows& edge_rows() const { return edge_rows_; }
  const GramWeights& grams() const { return grams_; }
  Index dimension() const { return gram_begin_ + grams_.num_weights; }
  // Coordinates that have a feature: the dimension, less those that a dense row merely pads.
  Index num_features() const;
  // Sets the others to 0, where learning leaves them: oracles take them to be 0.
  void clear_padding(std::span<double> w) const;
  Index edge_begin() const { return node_rows_.num_weights(); }
  Index gram_begin() const { return gram_begin_; }
  Transitions transitions() const {
    return edge_rows_.num_attributes() > 0 ? Transitions::kPositionDependent : Transitions::kTied;
  }
  Chain chain(Index length, std::span<const std::uint8_t> allowed = {}) const {
    return Chain(*states_, length, transitions(), allowed);
  }

  // s ← F(x)ᵀ w, over all parts of chain(x.length).
  void scores(const SequenceAttributes& x, std::span<const double> w, std::span<double> s) const;
  // gradient += scale · F(x) z
  void add_features(const SequenceAttributes& x, std::span<const double> z, double scale,
                    std::span<double> gradient) const;
  // slope ← scale · F(x) z; x must have `distinct` attributes. Attributes at positions where z is
  // zero are left out, so a hinge slope touches only where two outputs differ.
  void features(const SequenceAttributes& x, std::span<const double> z, double scale,
                Workspace& workspace, SparseVector& slope) const;

 private:
  void link_grams();
  void link_pairs();
  void add_edge_scores(const PositionAttributes& edge, Index length, std::span<const double> w,
                       std::span<double> transitions) const;
  // row += value · (z of the transitions that end in each pair of a's row)
  void add_edge_features(AttributeId a, double value, const double* z, double* row) const;
  // Adds scale · (the n-gram part of F z) to the block of n-gram weights.
  void add_grams(std::span<const double> z, Index length, double scale, double* block) const;

  std::shared_ptr<const ChainStates> states_;
  AttributeRows node_rows_;
  AttributeRows edge_rows_;
  GramWeights grams_;
  Index gram_begin_;
  // For each transition of the chain, the n-gram weights that it adds up.
  std::vector<std::uint32_t> gram_of_begin_;
  std::vector<std::uint32_t> gram_of_;
  // For each label pair, the transitions that end in it. Empty where there are no edge attributes.
  std::vector<std::uint32_t> transitions_of_pair_begin_;
  std::vector<std::uint32_t> transitions_of_pair_;
};

// The transition of `chain` that appends `label` to a history, of which it sees the last labels
// only: the index of an n-gram in GramWeights::levels. kNone where the rules forbid it.
Index find_gram(const ChainStates& chain, std::span<const Label> history, Label label);

// Calls visit(history, label, transition) for every transition, the initial ones first.
template <class Visit>
void for_each_transition(const ChainStates& states, const Visit& visit) {
  for (Index j = 0; j < states.num_labels(); ++j)
    visit(std::span<const Label>{}, static_cast<Label>(j), j);
  for (ChainStates::State u = 0; u < states.num_states(); ++u) {
    for (Index j = 0; j < states.num_successors(u); ++j) {
      const auto v = static_cast<ChainStates::State>(states.first_successor(u) + j);
      visit(states.tuple(u), states.label(v), states.transition_begin(u) + j);
    }
  }
}

// Checks that the arrays of rows, as read from a file, describe rows over `num_targets` targets.
bool valid_rows(std::span<const std::uint64_t> begin, std::span<const std::uint32_t> targets,
                Index num_targets);

}  // namespace trellis
