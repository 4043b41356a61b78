// The cuts of pairwise_measure_argmax.h: for multipliers α of hits and μ of other labels,
//
//   max_y  s(y) + α h(y) + μ f(y),     s(y) = Σ_v a_v y_v + Σ_{vw} A_vw y_v y_w,   A ≥ 0
//
// where h counts the labels of y that are true and f the others, and some labels may be fixed. It
// is a minimum cut (structure/sets/pairwise_label_set.h has the derivation). What labels are fixed
// is a stack: a label that is fixed leaves the network, and what it gave or took goes to its
// neighbours.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/node_pair.h"
#include "trellis/base/types.h"
#include "trellis/solve/flows/max_flow.h"

namespace trellis {

// A set of labels as the measures see it.
struct CountedSet {
  double score = 0;  // s(y)
  Index hits = 0;    // h
  Index others = 0;  // f
};

class PairwiseCuts {
 public:
  using Set = std::span<std::uint8_t>;  // 0 or 1 for each label
  using ConstSet = std::span<const std::uint8_t>;

  // All must outlive the calls that follow. Nothing is fixed. Throws UsageError for sizes that do
  // not fit, and for a coupling that is negative; all scores must be finite.
  void set_problem(std::span<const double> unary, std::span<const NodePair> pairs,
                   std::span<const double> coupling, std::span<const Label> truth);

  Index num_labels() const { return unary_.size(); }
  Index num_true() const { return num_true_; }
  bool is_true(Index v) const { return truth_[v] != 0; }
  double size() const { return size_; }  // Σ |a_v| + Σ A_vw: what rounding is relative to
  std::span<const double> unary() const { return unary_; }
  std::span<const double> coupling() const { return coupling_; }
  std::span<const NodePair> pairs() const { return pairs_; }
  // The pairs that label v is in, by number.
  std::span<const std::uint32_t> pairs_of(Index v) const {
    return std::span(incident_).subspan(first_incident_[v],
                                        first_incident_[v + 1] - first_incident_[v]);
  }
  Index other_end(Index pair, Index v) const {
    return pairs_[pair].j == v ? pairs_[pair].k : pairs_[pair].j;
  }

  void push();  // what is fixed from now on is free again after pop()
  void pop();
  void fix(Index v, bool given);  // requires is_free(v)
  bool is_free(Index v) const { return state()[v] == kFree; }
  bool is_given(Index v) const { return state()[v] == 1; }

  // Writes the smallest best set among those that agree with what is fixed.
  CountedSet maximize(double alpha, double mu, Set y);
  CountedSet count(ConstSet y) const;

 private:
  static constexpr std::int8_t kFree = -1;

  void set_graph(std::span<const NodePair> pairs);
  std::span<double> supply() { return std::span(supply_).subspan(level_ * num_labels()); }
  std::span<double> capacity() { return std::span(capacity_).subspan(level_ * pairs_.size()); }
  std::span<std::int8_t> state() { return std::span(state_).subspan(level_ * num_labels()); }
  std::span<const std::int8_t> state() const {
    return std::span(state_).subspan(level_ * num_labels());
  }

  std::span<const double> unary_;
  std::span<const double> coupling_;
  std::span<const Label> truth_;
  Index num_true_ = 0;
  double size_ = 0;
  std::vector<NodePair> pairs_;
  std::vector<std::uint32_t> first_incident_, incident_;
  MaxFlow max_flow_;
  // By level of the stack: of each label its supply and whether it is fixed; of each pair its
  // capacity. Fixed labels have supply 0, and their pairs capacity 0.
  Index level_ = 0;
  std::vector<double> supply_, capacity_;
  std::vector<std::int8_t> state_;
  std::vector<double> tilted_;  // the supplies of one cut
};

}  // namespace trellis
