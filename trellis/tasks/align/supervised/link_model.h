// The part model of sentence pairs whose links are known (problem/part_model.h), for each of the
// structures: FertilityMatching, QuadraticMatching, with a limit on its search or without, and its
// relaxation.
//
// The cost of an alignment is the weighted Hamming distance to the true one (eq. 2.10, sec. 3.3):
// c⁺ = 1 for each link that is not even possible, c⁻ for each sure link that it does not have; a
// link that is possible and not sure costs nothing, whether it is there or not.
//
// The true output are the sure links, as far as the structure can have them: candidates, and of
// words with more than D those that fit best.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/formats/links/gold_links.h"
#include "trellis/structure/structure.h"
#include "trellis/tasks/align/supervised/link_parts.h"

namespace trellis::align {

// A labelled pair.
struct LinkExample {
  LinkParts parts;
  GoldLinks gold;
  std::vector<std::uint32_t> output;  // the sure links that the structure can have, by part
};

// What `output` leaves out.
struct LeftOut {
  Index not_candidates = 0;  // sure links without any evidence
  Index over_limit = 0;      // sure links of words that have more than D
  Index pairs_over_limit = 0;

  LeftOut& operator+=(const LeftOut& more) {
    not_candidates += more.not_candidates;
    over_limit += more.over_limit;
    pairs_over_limit += more.pairs_over_limit;
    return *this;
  }
};

// Fills in `output`: of the sure links the most that the structure can have, and of several such
// sets the one of the largest `preference`, a number below 1 for each candidate.
void choose_output(const LinkShape& shape, std::span<const double> preference, LinkExample& example,
                   LeftOut& left_out);

// p of an example: −c⁻ for sure links, 0 for possible ones, 1 for the others; 0 for all that is no
// link.
std::vector<double> link_costs(const LinkExample& example, double false_negative, Index num_parts);

template <class S>
class LinkModel {
 public:
  using Structure = S;
  struct Workspace {
    std::vector<std::uint32_t> distinct;
  };

  // The examples must outlive the model.
  LinkModel(std::span<const LinkExample> examples, const WeightLayout& layout,
            double false_negative, Index search_limit = 0)
      : dimension_(layout.dimension()), nonnegative_(layout.nonnegative()) {
    for (const LinkExample& example : examples) {
      S structure = structure_of<S>(example.parts, layout.most_links, search_limit);
      std::vector<double> costs = link_costs(example, false_negative, structure.num_parts());
      typename S::Output gold = output_of(structure, example, layout.most_links);
      examples_.push_back({&example, std::move(structure), std::move(gold), std::move(costs)});
    }
  }

  Index num_examples() const { return examples_.size(); }
  Index dimension() const { return dimension_; }
  std::span<const WeightRange> nonnegative() const { return nonnegative_; }
  double example_weight(Index) const { return 1; }
  const S& structure(Index i) const { return examples_[i].structure; }
  const typename S::Output& gold(Index i) const { return examples_[i].gold; }

  void scores(Index i, std::span<const double> w, std::span<double> s) const {
    examples_[i].data->parts.scores(w, s);
  }
  void add_costs(Index i, double scale, std::span<double> s) const {
    for (Index p = 0; p < s.size(); ++p) s[p] += scale * examples_[i].costs[p];
  }
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const {
    for (const FeatureBlock& block : blocks(i)) block.add_features(z, scale, gradient);
  }
  void features(Index i, std::span<const double> z, double scale, Workspace& workspace,
                SparseVector& slope) const {
    slope.clear();
    for (const FeatureBlock& block : blocks(i)) {
      block.append_features(z, scale, workspace.distinct, slope);
    }
  }

 private:
  struct Example {
    const LinkExample* data;
    S structure;
    typename S::Output gold;
    std::vector<double> costs;
  };

  const std::vector<FeatureBlock>& blocks(Index i) const { return examples_[i].data->parts.blocks; }

  // Outputs of the relaxation are points of its polytope.
  static typename S::Output output_of(const S& structure, const LinkExample& example,
                                      Index most_links) {
    if constexpr (std::same_as<typename S::Output, std::vector<double>>) {
      std::vector<double> z(structure.num_parts());
      structure_of<QuadraticMatching>(example.parts, most_links).indicator(example.output, z);
      return z;
    } else {
      return example.output;
    }
  }

  Index dimension_;
  std::vector<WeightRange> nonnegative_;
  std::vector<Example> examples_;
};

}  // namespace trellis::align
