// Perfect matchings of n left with n right nodes, of all pairs: the structure of exponential
// families over permutations (Petterson, Caetano, McAuley & Yu 2009, "Exponential family graph
// matching and ranking"; Petterson 2011, ch. 5). Part i·n + j pairs the left node i with the right
// node j; the polytope are the doubly stochastic matrices, whose vertices are the permutations
// (Birkhoff 1946).
//
// maximize, k_best, project, linear_program: as a Matching with Cover::kPerfect. log_partition,
// entropy: log Σ_π exp Σ_i s_iπ(i), the logarithm of a permanent, is exact up to n = 24
// (solve/matchings/permanent.h: O(n 2ⁿ) time, 8·2ⁿ bytes each for sums and for marginals) and a
// UsageError beyond; there problem/monte_carlo_problem.h estimates it by draws. sample: exact draws
// for every n. Up to n = 20 it uses the tables of those sums: the first draw for given scores costs
// as much as log_partition, further draws O(n²). Beyond, it uses acceptance and rejection
// (solve/matchings/matching_sampler.h): the first draw for given scores costs O(n⁴), and the number
// of attempts of further draws depends on the scores; a UsageError after a million.
// sample_and_estimate: draws, and the estimate of log_partition that they give.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/solve/matchings/matching_sampler.h"
#include "trellis/solve/matchings/permanent.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/structure/matchings/matching.h"
#include "trellis/structure/structure.h"

namespace trellis {

class Permutation {
 public:
  using Output = std::vector<Label>;  // for each left node its right node
  struct Scratch {
    Matching::Scratch matching;
    PermanentSums sums;
    MatchingSampler sampler;  // counts its attempts
  };

  // Throws UsageError for 2³¹ nodes or more.
  explicit Permutation(Index n) : matching_(n, n, Cover::kPerfect) {}

  Index size() const { return matching_.num_left(); }
  Index num_parts() const { return matching_.num_parts(); }
  // Whether there are sums: log_partition and entropy.
  bool has_sums() const { return size() <= kLargestPermanent; }
  // Whether draws use tables of sums instead of acceptance and rejection.
  bool has_tables() const { return size() <= kLargestTable; }

  bool legal(const Output& y) const { return matching_.legal(y); }
  void indicator(const Output& y, std::span<double> z) const { matching_.indicator(y, z); }
  double score(std::span<const double> s, const Output& y) const { return matching_.score(s, y); }

  double maximize(std::span<const double> s, Scratch& scratch, Output& y) const {
    return matching_.maximize(s, scratch.matching, y);
  }
  void k_best(std::span<const double> s, Index k, Scratch& scratch,
              std::vector<ScoredOutput<Output>>& best) const {
    matching_.k_best(s, k, scratch.matching, best);
  }
  ProjectionResult project(std::span<const double> v, Scratch& scratch, std::span<double> z) const {
    return matching_.project(v, scratch.matching, z);
  }
  LinearProgram linear_program() const { return matching_.linear_program(); }
  bool faces_by_zeros() const { return true; }  // see Structure

  double log_partition(std::span<const double> s, Scratch& scratch,
                       std::span<double> marginals) const {
    return scratch.sums.log_sum(size(), s, marginals);
  }
  double log_partition(std::span<const double> s, Scratch& scratch) const {
    return scratch.sums.log_sum(size(), s);
  }
  double entropy(std::span<const double> s, Scratch& scratch) const {
    return scratch.sums.entropy(size(), s);
  }
  void sample(std::span<const double> s, Random& random, Scratch& scratch, Output& y) const;
  // Writes `draws` ≥ 1 permutations. The estimate is exact, with error 0, if there are tables;
  // otherwise it is based on the share of accepted attempts, minus the first term of its bias.
  LogSumEstimate sample_and_estimate(std::span<const double> s, Index draws, Random& random,
                                     Scratch& scratch, std::vector<Output>& outputs) const;

 private:
  static constexpr Index kLargestTable = 20;  // 8 MB, ten milliseconds

  Matching matching_;
};

}  // namespace trellis
