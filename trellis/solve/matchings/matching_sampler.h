// Exact draws of perfect matchings of n rows with n columns,
//
//   p(π) = exp(Σ_i s_iπ(i)) / Z ,
//
// by self-reducible acceptance and rejection (Huber 2006; Huber & Law 2008; Petterson 2011, app.
// C). Sets of permutations Y have bounds U(Y) ≥ Z(Y), with U = Z if no choice is left. An attempt
// begins with all permutations, and moves from a set to one of its parts Y_1, Y_2, … with
// probability U(Y_k)/U(Y), or fails with the remaining probability, which is ≥ 0 if
//
//   (P1)   Σ_k U(Y_k) ≤ U(Y) .
//
// The probabilities along a path telescope: the result is π with probability exp(Σ_i s_iπ(i)) / U,
// so each result is a draw from p, and the share of successful attempts estimates Z/U, hence Z.
//
// That share depends only on the bound of the whole set, not on how sets are divided. So the whole
// begins as a partition: the part with the largest bound is split, with scales of its own, again
// and again, and U is the sum over the parts. (Kuck, Dao, Rezatofighi, Sabharwal & Ermon 2019,
// "Approximating the permanent by sampling from adaptive partitions", split for (P1) only.) From
// its part on, an attempt pairs one column at a time, that with the smallest Σ_k U(Y_k). If (P1)
// fails, which kHuberLaw never does and kSoules seldom (solve/matchings/matching_bound.h), parts
// are split further until it holds. The last few rows and columns are summed exactly
// (solve/matchings/subset_sums.h).
//
// Time: O(n²) per pairing, O(n³) per successful attempt; others fail early. The number of attempts
// per draw depends on the scores: few if they are all similar or if one matching dominates, most in
// between (docs/performance.md).
#pragma once

#include <cstdint>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/solve/log_sum_estimate.h"
#include "trellis/solve/matchings/matching_bound.h"
#include "trellis/solve/matchings/reduced_scores.h"
#include "trellis/solve/matchings/subset_sums.h"

namespace trellis {

struct MatchingSamplerOptions {
  MatchingBound bound = MatchingBound::kSoules;
  // Splits of the whole, before the first attempt.
  Index splits = 64;
  // From this size on, 5 … 24, sums are exact; 0: never.
  Index exact_size = 7;
  // Of one draw; more are a UsageError, for what then came out would not be a draw.
  Index max_attempts = 1'000'000;
};

// Reuses its memory in repeated calls; use one object per thread. For given scores a draw depends
// only on `random`, not on earlier draws.
class MatchingSampler {
 public:
  explicit MatchingSampler(MatchingSamplerOptions options = {});

  // Sets the scores: n² finite ones by rows, n < 2¹⁶. Nearly free if they equal those of the last
  // call; otherwise the counts start again.
  void prepare(Index n, std::span<const double> scores);
  double log_bound() const { return log_bound_; }  // log U ≥ log Z

  // π(i) for each row i, or false: rejected.
  bool attempt(Random& random, std::span<Label> columns);
  // Attempts until one succeeds.
  void draw(Random& random, std::span<Label> columns);

  // Since the scores were given, or reset_counts() was called.
  std::uint64_t attempts() const { return attempts_; }
  std::uint64_t accepted() const { return accepted_; }
  void reset_counts() { attempts_ = accepted_ = 0; }
  // log U + log(accepted / attempts). After K calls of draw() its expectation is above log Z by
  // (1 − p)/2K + O(K⁻²), where p is the probability of acceptance.
  LogSumEstimate log_sum() const;

 private:
  static constexpr Index kWhole = static_cast<Index>(-1);
  struct Pair {
    Index row, column;
  };
  // A set of permutations that has been split by what a column is paired with.
  struct Node {
    BoundedMatrix matrix;
    Index split_column;       // position
    std::vector<Pair> pairs;  // that all its permutations have
  };
  // A part of the partition: of a node, those that pair its column with a row, or all (kWhole).
  struct Part {
    double log_bound;
    Index node;
    Index row;  // position
    bool exact;
  };
  // How the permutations of a part are split, which most attempts do not get beyond: kept from the
  // first attempt on.
  struct Start {
    Index column = kWhole;  // position; kWhole: not known, or not split by one column
    double total = 0;
    std::vector<double> weights;
  };
  // A part of a set during an attempt.
  struct Piece {
    BoundedMatrix matrix;
    std::vector<Pair> pairs;
    double weight;
    bool exact;
  };

  void split_whole();
  void split_part(Index part);
  void add_part(const Part& part);
  void finish_partition();
  Index draw_part(Random& random) const;
  void enter_part(const Part& part, std::span<Label> columns);
  bool sums_exactly(Index size) const {
    return SubsetSums::kSmallest <= size && size <= options_.exact_size;
  }
  double exact_share(BoundedMatrix& matrix);
  void draw_exactly(const BoundedMatrix& matrix, Random& random, std::span<Label> columns);
  void split_piece(Piece piece, std::vector<Piece>& pieces);
  bool draw_piece(Random& random, std::span<Label> columns, bool& exact);
  bool leave_part(Index part, Random& random, std::span<Label> columns);
  void pair(Index row, Index column, std::span<Label> columns);
  bool go_on(Random& random, std::span<Label> columns, bool exact);

  MatchingSamplerOptions options_;
  ReducedScores scores_;
  bool ready_ = false;
  std::vector<Node> nodes_;
  std::vector<Part> parts_;
  std::vector<Start> starts_;       // by part; none where they would be too large
  std::vector<double> cumulative_;  // of the parts' bounds over the largest
  std::priority_queue<std::pair<double, Index>> open_;  // parts that may be split
  double log_bound_ = 0;
  std::uint64_t attempts_ = 0;
  std::uint64_t accepted_ = 0;
  // Memory of an attempt.
  BoundedMatrix current_, next_;
  std::vector<double> weights_, entries_;
  std::vector<Label> chosen_;
  SubsetSums subsets_;
};

}  // namespace trellis
