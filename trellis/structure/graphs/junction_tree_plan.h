// How to eliminate the variables of a graph of factors one after another (Dechter 1999, "Bucket
// elimination"): the common plan of JunctionTree's operations, computed once for all scores.
//
// Variable v with neighbours S (by factors, and by earlier eliminations) makes a clique {v} ∪ S.
// Its bucket takes the factors and the messages over separators whose first variable in the order
// is v, and sends a message over S. Cliques and separators form a junction tree (Lauritzen &
// Spiegelhalter 1988), with one bucket for each variable.
//
// The order is greedy: next comes the variable that adds the fewest edges among its neighbours, of
// these the one with the smallest table, of these the first ("min-fill", Kjærulff 1990). Then
// buckets are rearranged in postorder of the tree, which does not change the cliques.
//
// Time: O(n² + Σ_v |S_v|²·fill) and the size of the index maps, one 32-bit number for each row of a
// bucket and each of its terms.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

class JunctionTreePlan {
 public:
  static constexpr Index kNone = static_cast<Index>(-1);
  static constexpr Index kMaxCells = Index{1} << 26;    // of all cliques: half a gigabyte of sums
  static constexpr Index kMaxRowMaps = Index{1} << 28;  // numbers in index maps: a gigabyte

  // A factor's scope lists its variables, each once. Throws UsageError for a variable without
  // values, a scope that is empty or has a variable twice or an unknown one, and if the cliques
  // have more than kMaxCells cells, or index maps of more than kMaxRowMaps numbers.
  JunctionTreePlan(std::vector<Index> cardinalities, std::vector<std::vector<Index>> scopes);

  Index num_variables() const { return cardinalities_.size(); }
  Index num_values(Index variable) const { return cardinalities_[variable]; }
  Index num_factors() const { return scopes_.size(); }
  const std::vector<Index>& scope(Index factor) const { return scopes_[factor]; }

  // Parts: the values of each variable, then the cells of each factor; the last variable of its
  // scope changes fastest.
  Index variable_part(Index variable) const { return variable_part_[variable]; }
  Index factor_part(Index factor) const { return factor_part_[factor]; }
  Index num_parts() const { return num_parts_; }

  Index width() const { return width_; }  // the largest clique's variables, less one
  Index num_cells() const { return num_cells_; }
  Index num_rows() const { return num_rows_; }    // of all buckets
  Index max_cells() const { return max_cells_; }  // of one bucket
  Index max_rows() const { return max_rows_; }

  // A factor or a message, as a bucket reads it: the cell at (row, value) of the bucket is begin +
  // rows(term)[row] + stride · value.
  struct Term {
    Index number;  // of the factor, or of the bucket that sends the message
    Index begin;   // its first part, or its first row
    Index stride;
    Index rows;
  };
  // A variable, with a row of values for each assignment of the separator, whose last variable
  // changes fastest.
  struct Bucket {
    Index variable;
    Index num_values;
    Index num_rows;
    Index first_cell;  // of its table
    Index first_row;   // of its message
    Index parent;      // the bucket that reads its message; kNone: a root
    Index separator_begin, separator_end;
    Index factors_begin, factors_end;
    Index messages_begin, messages_end;
  };
  std::span<const Bucket> buckets() const { return buckets_; }  // children before parents
  std::span<const Index> separator(const Bucket& bucket) const {
    return slice(separators_, bucket.separator_begin, bucket.separator_end);
  }
  std::span<const Term> factors(const Bucket& bucket) const {
    return slice(factor_terms_, bucket.factors_begin, bucket.factors_end);
  }
  std::span<const Term> messages(const Bucket& bucket) const {
    return slice(message_terms_, bucket.messages_begin, bucket.messages_end);
  }
  const std::uint32_t* rows(const Term& term) const { return row_maps_.data() + term.rows; }

  // The row of the bucket in which the separator has the values of y.
  Index row_of(const Bucket& bucket, std::span<const Label> y) const {
    Index row = 0;
    for (const Index variable : separator(bucket)) {
      row = row * cardinalities_[variable] + static_cast<Index>(y[variable]);
    }
    return row;
  }

 private:
  // A clique at its elimination: the variable and its neighbours, ascending.
  struct Clique {
    Index variable;
    std::vector<Index> separator;
  };
  class Elimination;

  template <class T>
  static std::span<const T> slice(const std::vector<T>& all, Index begin, Index end) {
    return std::span<const T>(all).subspan(begin, end - begin);
  }
  void number_parts();
  void add_bucket(const Clique& clique, Index parent);
  void add_terms(Index k, const std::vector<Index>& factors, const std::vector<Index>& children);
  Term term_of(const Bucket& bucket, std::span<const Index> scope, Index number, Index begin);

  std::vector<Index> cardinalities_;
  std::vector<std::vector<Index>> scopes_;
  std::vector<Index> variable_part_, factor_part_;
  Index num_parts_ = 0, width_ = 0, num_cells_ = 0, num_rows_ = 0;
  Index max_cells_ = 0, max_rows_ = 0;
  std::vector<Bucket> buckets_;
  std::vector<Index> separators_;
  std::vector<Term> factor_terms_, message_terms_;
  std::vector<std::uint32_t> row_maps_;
};

}  // namespace trellis
