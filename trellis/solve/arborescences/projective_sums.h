// Sums over all projective dependency trees T of exp s(T), by Eisner's algorithm
// (projective_spans.h): their logarithm, the marginals of arcs, the entropy, and draws. O(n³) time
// and O(n²) memory for n words.
//
// Each word's best arc is subtracted first. Sums are plain if that is accurate, and in the log
// domain otherwise, safe for scores of ±1e9. Parallel arcs are summed first and then share the
// result. An arc with score −∞ does not exist.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/solve/arborescences/arc_graph.h"
#include "trellis/solve/arborescences/projective_spans.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class ProjectiveSums {
 public:
  // log Σ_T exp s(T), −∞ if there is no tree.
  double log_sum(const ArcGraph& graph, std::span<const double> scores, Roots roots);
  // Also the probability of each arc; all 0 if there is no tree. Returns the same bits.
  double log_sum(const ArcGraph& graph, std::span<const double> scores, Roots roots,
                 std::span<double> marginals);
  // The logarithms of these probabilities, even if a double would underflow: −∞ only for an arc of
  // no tree. Everything is in the log domain and takes about twenty times as long.
  double log_sum_of_wide(const ArcGraph& graph, std::span<const double> scores, Roots roots,
                         std::span<double> log_marginals);
  // The entropy of the distribution exp s(T) / Σ; 0 if there is no tree.
  double entropy(const ArcGraph& graph, std::span<const double> scores, Roots roots);
  // A draw from it: the arc of word m at [m − 1]. False if there is no tree.
  bool draw(const ArcGraph& graph, std::span<const double> scores, Roots roots, Random& random,
            std::span<std::uint32_t> arcs);

 private:
  enum class Domain { kLog, kAny };
  struct Group {
    std::uint32_t head, modifier;
    Index begin, end;  // arcs
  };

  double weigh_arcs(const ArcGraph& graph, std::span<const double> scores);
  double fill(const ArcGraph& graph, std::span<const double> scores, Roots roots, Domain domain);
  template <class Spread, class Add>
  void each_item_down(const Spread& spread, const Add& add);
  void start_down(double none, double one);
  void spread_shares(double p, const SpanChoices& choices, double* left, double* right);
  void go_down();
  double go_down_with_entropy();
  void go_down_in_logarithms();
  std::span<double> shares_of(const SpanChoices& choices);

  ProjectiveSpans spans_;
  bool plain_sums_ = false;  // whether the chart holds sums, or their logarithms
  std::vector<ProjectiveSpans::Span> open_;
  std::vector<double> row_;                      // the choices of an item
  std::vector<Group> groups_;                    // of parallel arcs
  std::vector<double> weights_, plain_weights_;  // by group: logarithms, and not
  std::vector<double> labels_;                   // scores or probabilities of parallel arcs
  // Probabilities of the items, or their logarithms: the probability of complete (h, e) is the sum
  // of both.
  SquareTable complete_, by_end_;
  SquareTable incomplete_;
};

}  // namespace trellis
