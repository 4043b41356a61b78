// The dynamic-programming passes of Chain's operations, each in the file of its operation,
// chain_*.cc; only those files include this.
#pragma once

#include <cstdint>
#include <span>

#include "trellis/structure/sequences/chain.h"

namespace trellis {

class Chain::Passes {
 public:
  explicit Passes(const Chain& chain)
      : chain_(chain), states_(chain.states_), length_(chain.length_) {}

  // chain.cc: prepares the part scores for all other passes.
  void prepare(std::span<const double> s, Scratch& scratch) const;

  // chain_maximize.cc
  double forward_max(Scratch& scratch, State& last) const;
  double best_end(const double* forward, const Scratch& scratch, State& last) const;
  State best_predecessor(const double* forward, const Scratch& scratch, Index t, State v) const;

  // chain_levels.cc
  void forward_levels(std::span<const std::uint32_t> levels, Index num_levels,
                      Scratch& scratch) const;

  // chain_scaled.cc: sums in the scaled domain, while that is safe.
  bool forward_scaled(Scratch& scratch, double& value) const;
  void marginals_scaled(Scratch& scratch, std::span<double> marginals) const;

  // chain_log.cc: sums in the log domain, always safe.
  double backward_log(Scratch& scratch) const;
  void marginals_log(Scratch& scratch, std::span<double> marginals) const;

  // chain_sample.cc
  void sample_scaled(Random& random, Scratch& scratch, Output& y) const;
  void sample_log(Random& random, Scratch& scratch, Output& y) const;

 private:
  void prepare_nodes(std::span<const double> s, Scratch& scratch) const;
  void prepare_tables(std::span<const double> s, Scratch& scratch) const;
  bool exponentiate(Scratch& scratch, double& shift) const;
  bool exponentiate_from_best(Scratch& scratch, double& shift) const;
  void add_slot_sums(const Scratch& scratch, Index t, std::span<double> marginals) const;

  // As in Chain.
  bool tied() const { return chain_.tied(); }
  Index table_stride() const { return chain_.table_stride(); }
  State end_begin() const { return chain_.end_begin(); }
  State end_end() const { return chain_.end_end(); }
  bool allows(Index t, Label label) const { return chain_.allows(t, label); }
  Index node_part(Index t, Label label) const { return chain_.node_part(t, label); }
  Index transition_part(Index t, Index transition) const {
    return chain_.transition_part(t, transition);
  }
  Index final_part(State u) const { return chain_.final_part(u); }

  const Chain& chain_;
  const ChainStates* states_;
  Index length_;
};

}  // namespace trellis
