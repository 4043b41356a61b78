// Positions by how far they are from the last one (Vogel, Ney & Tillmann 1996; Och & Ney 2003, sec.
// 2.1.2): with i' the last source position that was taken, −1 at the beginning,
//
//   p(a_j = nothing) = p₀,     p(a_j = i) = (1 − p₀) c(i − i') / Z(i', I),
//   Z(i', I) = Σ_{l<I} c(l − i'),
//
// and behind the last word the end of the sentence, position I, is drawn likewise out of 0 … I: a
// walk that stops half-way pays for it. Jumps beyond ±reach share a class.
//
// Z makes the M-step more than a ratio of counts: with N_b the expected jumps of class b and
// n(i', I) the expected departures, it maximises Σ_b N_b log c_b − Σ n(i', I) log Z(i', I), the
// likelihood of a Bradley–Terry model of many competitors. One step of Hunter (2004),
//
//   c_b ← (N_b + η) / ( Σ n(i', I) k_b(i', I)/Z(i', I) + ηB/Σc ),
//
// k_b the number of distances of class b that are within the sentence, never lowers it; nor, then,
// the likelihood of EM. η is a pseudo-count for each of the B classes.
#pragma once

#include <span>
#include <vector>

#include "trellis/generative/alignment/position_model.h"

namespace trellis {

class JumpPositions final : public PositionModel {
 public:
  struct Options {
    Index reach = 50;
    double null = 0.2;       // p₀
    double smoothing = 0.5;  // η
  };
  explicit JumpPositions(const Options& options);                      // c even
  JumpPositions(const Options& options, std::vector<double> weights);  // c of −reach … reach

  Positions kind() const override { return Positions::kJumps; }
  const Options& options() const { return options_; }
  std::span<const double> weights() const { return weights_; }  // c, which add up to 1 or so

  Index num_scores(Lengths lengths) const override;
  double sums(Lengths lengths, PositionScratch& scratch) const override;
  double maximize(Lengths lengths, PositionScratch& scratch, std::vector<Label>& a) const override;
  void sample(Lengths lengths, PositionScratch& scratch, Random& random,
              std::vector<Label>& a) const override;

  std::vector<double> parameters() const override { return weights_; }
  void set_parameters(std::span<const double> values) override;
  Index num_sums() const override { return 2 * weights_.size(); }
  void count(Lengths lengths, PositionScratch& scratch, std::span<double> sums,
             FixedCounts& cells) const override;
  void update(std::span<const double> sums, const FixedCounts& cells) override;

 private:
  JumpChain chain(Lengths lengths) const {
    return JumpChain(lengths.target, lengths.source, options_.reach);
  }
  void set_weights(std::vector<double> weights);
  // Σ c over the distances first … last.
  double range_sum(std::ptrdiff_t first, std::ptrdiff_t last) const;
  // Adds `share` for each distance first … last to its class.
  void add_range(std::ptrdiff_t first, std::ptrdiff_t last, double share,
                 std::span<double> classes) const;
  void complete_scores(const JumpChain& chain, PositionScratch& scratch) const;

  Options options_;
  std::vector<double> weights_, log_weights_;
  std::vector<double> running_;  // running_[b] = Σ_{b' < b} c
};

}  // namespace trellis
