// One label out of L: the flat structure. Part p is label p, so s·z(y) = s[y]. Ties go to the
// smallest label. Where no label is allowed, maximize and sample give kNoLabel, and marginals and
// projections are 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/structure/structure.h"

namespace trellis {

class Multiclass {
 public:
  using Output = Label;
  struct Scratch {
    std::vector<Index> order;
    std::vector<double> scores, weights;
  };

  // `allowed` is empty or L flags, and must outlive the structure.
  explicit Multiclass(Index num_labels, std::span<const std::uint8_t> allowed = {});

  Index num_parts() const { return num_labels_; }
  bool legal(Label y) const;
  void indicator(const Label& y, std::span<double> z) const;
  double score(std::span<const double> s, const Label& y) const;

  double maximize(std::span<const double> s, Scratch& scratch, Label& y) const;
  void k_best(std::span<const double> s, Index k, Scratch& scratch,
              std::vector<ScoredOutput<Label>>& best) const;
  // See ProductMaximizer: one label after another.
  double maximize_product(double a, std::span<const double> s, double b, std::span<const double> c,
                          Scratch& scratch, Label& y) const;
  double log_partition(std::span<const double> s, Scratch& scratch,
                       std::span<double> marginals) const;
  double log_partition(std::span<const double> s, Scratch& scratch) const;
  double entropy(std::span<const double> s, Scratch& scratch) const;
  void sample(std::span<const double> s, Random& random, Scratch& scratch, Label& y) const;
  LinearProgram linear_program() const;
  bool faces_by_zeros() const { return true; }  // see Structure
  void project(std::span<const double> v, Scratch& scratch, std::span<double> z) const;

 private:
  std::span<const double> prepare(std::span<const double> s, Scratch& scratch) const;

  Index num_labels_;
  std::span<const std::uint8_t> allowed_;
};

}  // namespace trellis
