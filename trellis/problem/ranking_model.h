// The part model of rankings as matchings (Petterson 2011, sec. 5.4.1; Le & Smola 2007, "Direct
// optimization of ranking measures"; Petterson et al. 2009): an example is a list of M documents,
// the best first; part i·M + j puts its document i at position j. The features are (5.12),
//
//   x_ij = c_j ψ_i ,     so  s_ij = c_j ⟨ψ_i, w⟩  and  F z = Σ_i (Σ_j c_j z_ij) ψ_i :
//
// one product with the features of a document for each document, not for each edge. c does not
// rise, so the best order of any set of documents is that of their scores ⟨ψ_i, w⟩.
//
// The cost of an order y is 1 − NDCG, which is linear in the parts: with gains g_i, discounts d_j
// and Z = Σ_i g_i d_i, the sum of the list as it stands,
//
//   NDCG(y) = Σ_i g_i d_{y(i)} / Z ,     p_ij = −g_i d_j / Z .
//
// Ties. Documents of one grade have no true order. Where the positions that they share also share
// their c, every order of theirs has the same score and the same cost, so that the list as it
// stands speaks for all of them: exp(−L) then is the probability of the true grades, up to the
// number of such orders, and L is convex still. (Lists of one c for all lists, which pretend that
// ties were ordered, are what the thesis trains on.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/feature_rows.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/structure/matchings/permutation.h"

namespace trellis {

// Lists of documents, the best first, each with its own vector c.
struct RankedLists {
  std::vector<std::uint64_t> begin = {0};  // of each list in `documents`
  std::vector<std::uint32_t> documents;    // rows of the features
  std::vector<std::uint32_t> positions;    // for each list, which c
  std::vector<std::vector<double>> c;      // not rising

  Index size() const { return begin.size() - 1; }
  std::span<const std::uint32_t> operator[](Index i) const {
    return std::span(documents).subspan(begin[i], begin[i + 1] - begin[i]);
  }
};

class RankingModel {
 public:
  using Structure = Permutation;
  struct Workspace {
    std::vector<double> factors;  // Σ_j c_j z_ij
    std::vector<std::uint32_t> distinct;
  };

  // `rows` must outlive the model. gains: of each row, ≥ 0, not rising within a list; discounts:
  // d_1, d_2, …, at least as many as the longest list has documents, not rising, and taken to be
  // > 0. Throws UsageError for what else does not fit, and for a list without documents.
  RankingModel(const FeatureRows& rows, RankedLists lists, std::vector<double> gains,
               std::vector<double> discounts);

  Index num_examples() const { return lists_.size(); }
  Index dimension() const { return rows_->width(); }
  double example_weight(Index) const { return 1; }
  Permutation structure(Index i) const { return Permutation(lists_[i].size()); }
  const Permutation::Output& gold(Index i) const { return identities_[lists_[i].size()]; }
  const RankedLists& lists() const { return lists_; }

  void scores(Index i, std::span<const double> w, std::span<double> s) const;
  void add_costs(Index i, double scale, std::span<double> s) const;
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const;
  void features(Index i, std::span<const double> z, double scale, Workspace& workspace,
                SparseVector& slope) const;

 private:
  void require_fit() const;
  std::span<const double> c(Index i) const { return lists_.c[lists_.positions[i]]; }
  double document_score(std::uint32_t row, std::span<const double> w) const;
  // Σ_j c_j z_ij of document k of list i.
  double factor(Index i, Index k, std::span<const double> z) const;

  const FeatureRows* rows_;
  RankedLists lists_;
  std::vector<double> gains_;
  std::vector<double> discounts_;
  std::vector<double> inverse_ideal_;            // 1/Z of each list; 0 where all gains are
  std::vector<Permutation::Output> identities_;  // by size
};

}  // namespace trellis
