// Sums over all dependency trees T of exp s(T), by elimination (tree_elimination.h): their
// logarithm, the marginals of arcs, the entropy, and draws. O(A + n³) time for A arcs and n words,
// O(A + n²) memory.
//
// Parallel arcs are summed first and share what falls to them. Rows of weights are scaled by their
// largest, which scales all trees alike, and then doubles do as long as nothing that matters
// underflows; elimination knows (its pivots stay large), and where it does not hold all is done
// once more with exponents of 64 bits (wide_number.h). There the weights are relative to the best
// tree, so that log Σ is its score plus the logarithm of a number between 1 and the number of
// trees, and Roots::kOne is a factor ε = 2^(−2^59) on the weights of root arcs: with s up to 1e15
// it decides before all else, and is divided out exactly.
//
// A draw puts the words back in the reverse order of their elimination (cf. Colbourn, Myrvold &
// Neufeld 1996). Let T' be a tree on the words that remain once k is gone, drawn with the weights
// a'_mj = a_mj + a_mk a_kj / d_k. Each arc j → m of T' leads by way of k with probability
// a_mk a_kj / (d_k a'_mj); those that do, for m in V, are cut and replaced by k → m. The head of k
// is then drawn with the weights a_kj, r_k from what still hangs on the root. That is a tree on the
// words with k, drawn with the weights a: given V and all other arcs, the ways in which the
// components of V may have hung together, each with a head of probabilities p = a_k / d_k, sum to
// the mass of p on the component of the root, by the matrix-tree theorem for weights of rank one.
// A draw takes O(n²) time or little more, whatever the scores, where the loops of random walks
// (Wilson 1996) may take exponentially long.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/solve/arborescences/arc_graph.h"
#include "trellis/solve/arborescences/dense_arborescence.h"
#include "trellis/solve/arborescences/tree_draw.h"
#include "trellis/solve/arborescences/tree_elimination.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class ArborescenceSums {
 public:
  // log Σ_T exp s(T), −∞ where there is no tree.
  double log_sum(const ArcGraph& graph, std::span<const double> scores, Roots roots);
  // Also the chance of each arc; all 0 where there is no tree. The value is the same, to the bit.
  double log_sum(const ArcGraph& graph, std::span<const double> scores, Roots roots,
                 std::span<double> marginals);
  // The logarithms of these chances, whatever their size, where doubles lose the smallest: −∞ for
  // an arc of no tree alone. All with wide numbers, some ten times as long.
  double log_sum_of_wide(const ArcGraph& graph, std::span<const double> scores, Roots roots,
                         std::span<double> log_marginals);
  // Of the distribution exp s(T) / Σ; 0 where there is no tree.
  double entropy(const ArcGraph& graph, std::span<const double> scores, Roots roots);
  // A draw from it: the arc of word m at [m − 1]. False where there is no tree. Further draws with
  // the same graph, scores and roots do without the elimination.
  bool draw(const ArcGraph& graph, std::span<const double> scores, Roots roots, Random& random,
            std::span<std::uint32_t> arcs);

 private:
  // log Σ = log Π d + log of what the rows were scaled by.
  struct Factors {
    bool possible = false;
    bool relative_to_best = false;  // whether they were scaled by the arcs of the best tree
    double log_pivots = 0;
    double log_scales = 0;
    double log_sum() const { return possible ? log_pivots + log_scales : -kInfinity; }
  };

  RootInPivots root_in_pivots() const;
  void add_parallel(const ArcGraph& graph, std::span<const double> scores, Roots roots);
  bool find_best();
  bool fill_doubles();
  void fill_wide();
  Factors factors_of_doubles() const;
  Factors factors_of_wide() const;
  Factors find_pairs();
  double log_excess(const Factors& factors) const;
  void prepare_draws(const ArcGraph& graph, std::span<const double> scores, Roots roots);

  Index n_ = 0;
  Roots roots_ = Roots::kAny;
  // n rows of n + 1, the root last.
  std::vector<double> scores_;            // log Σ of parallel arcs, −∞ where there is none
  std::vector<double> weights_;           // exp(scores − scale of their row)
  std::vector<WideNumber> wide_weights_;  // exp(scores − that of the best tree), times ε
  std::vector<double> pairs_;             // the chance of each head
  std::vector<double> scales_;            // by row
  double root_scale_ = 0;                 // and what root arcs are scaled by beside it
  std::vector<std::uint32_t> best_;       // heads of the best tree
  DenseArborescence dense_;
  TreeMatrix<double> doubles_;
  TreeMatrix<WideNumber> wide_;
  TreeEscapes<double> double_escapes_;
  TreeEscapes<WideNumber> wide_escapes_;
  std::vector<double> shares_;  // of parallel arcs

  // What was drawn from last, and how.
  enum class Drawn : std::uint8_t { kNothing, kNoTree, kDoubles, kWide };
  Drawn drawn_ = Drawn::kNothing;
  Roots drawn_roots_ = Roots::kAny;
  std::vector<Index> drawn_begin_;
  std::vector<std::uint32_t> drawn_head_;
  std::vector<double> drawn_scores_;
  TreeDraw<double> double_draw_;
  TreeDraw<WideNumber> wide_draw_;
  std::vector<std::uint32_t> heads_;
};

}  // namespace trellis
