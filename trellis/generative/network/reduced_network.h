// What is left of a network when all but some variables h are observed: the families (a variable
// and its parents) that touch a hidden variable, as factors over the hidden ones. For values x of
// the others,
//
//   log P(h, x) = s·z(h) + Σ_{families without hidden variables} θ,     s = F(x)ᵀ θ,
//
// in the parts of a JunctionTree over the hidden variables. Families that keep one hidden variable
// go into the scores of its values, and those that keep the same several share a factor. A part's
// score is a sum of entries of θ, at places that depend on x by one number for each family.
//
// Compiled once for each set of hidden variables, and immutable; one hidden class with c children
// costs (c + 1) numbers for an example, and as many sums of d entries.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/generative/network/network_graph.h"
#include "trellis/structure/graphs/junction_tree.h"

namespace trellis {

class ReducedNetwork {
 public:
  // Hidden variables in any order, each once; `graph` must outlive this. Throws UsageError for
  // variables that are unknown or there twice, and where the junction tree is too large.
  ReducedNetwork(const NetworkGraph& graph, std::vector<Index> hidden);

  std::span<const Index> hidden() const { return hidden_; }  // ascending
  const JunctionTreePlan& plan() const { return plan_; }
  JunctionTree structure() const { return JunctionTree(plan_); }
  Index num_families() const { return families_.size(); }  // that touch a hidden variable

  // For each of these families, where its table begins that the observed values of the row leave.
  void locate(std::span<const Label> row, std::span<std::uint32_t> places) const;

  // s ← F(x)ᵀ θ
  void scores(std::span<const std::uint32_t> places, std::span<const double> theta,
              std::span<double> s) const;
  // gradient += scale · F(x) z
  void add_features(std::span<const std::uint32_t> places, std::span<const double> z, double scale,
                    std::span<double> gradient) const;
  // slope ← scale · F(x) z, without what is 0
  void features(std::span<const std::uint32_t> places, std::span<const double> z, double scale,
                SparseVector& slope) const;

  // The families without hidden variables: Σ θ, and counts += weight.
  double observed_score(std::span<const Label> row, std::span<const double> theta) const;
  void add_observed(std::span<const Label> row, double weight, std::span<double> counts) const;

 private:
  // An observed variable of a family: its value moves the family's place by so much.
  struct Observed {
    Index variable;
    Index stride;
  };
  struct Entry {
    std::uint32_t offset;  // from the family's place, ascending
    std::uint32_t part;
  };
  struct Family {
    Index begin;  // in θ
    Index observed_begin, observed_end;
    Index entries_begin, entries_end;
  };
  // A family while this is made: its hidden variables with their strides in θ, and its factor.
  struct Shape {
    std::vector<Index> hidden;  // numbers among the hidden ones, by falling stride
    std::vector<Index> strides;
    Index factor;  // JunctionTreePlan::kNone: one hidden variable
  };

  ReducedNetwork(const NetworkGraph& graph, std::vector<Index> hidden, std::vector<Shape> shapes);

  Shape add_family(const NetworkGraph& graph, Index variable, std::span<const Index> number);
  JunctionTreePlan make_plan(const NetworkGraph& graph, std::vector<Shape>& shapes);
  void add_entries(Family& family, const Shape& shape);

  const NetworkGraph* graph_;
  std::vector<Index> hidden_;
  std::vector<Family> families_;
  std::vector<Index> untouched_;  // variables whose families have no hidden variable
  std::vector<Observed> observed_;
  std::vector<Entry> entries_;
  JunctionTreePlan plan_;
};

}  // namespace trellis
