// The state of an interrupted run: named vectors of doubles, of 64-bit integers, and texts. A
// learner that puts all its state here and finds it again continues to the same bits.
//
// Names are paths ("online/position"); who writes an entry owns its prefix, so that the learner,
// the early stopping around it and the program around both can share one checkpoint.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"

namespace trellis {

class Checkpoint {
 public:
  bool empty() const { return doubles_.empty() && integers_.empty() && texts_.empty(); }
  void clear();
  bool has(std::string_view name) const;

  // Each replaces an entry of the same name and kind.
  void put(std::string_view name, std::span<const double> values);
  void put_integers(std::string_view name, std::span<const std::uint64_t> values);
  void put_text(std::string_view name, std::string_view text);
  void put_sparse(std::string_view name, std::span<const SparseVector> vectors);

  // Each throws InputError if there is no such entry, or, where a size is given or fixed by the
  // destination, if it has another size: the checkpoint is not of this run.
  const std::vector<double>& doubles(std::string_view name) const;
  const std::vector<std::uint64_t>& integers(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  void get(std::string_view name, std::span<double> values) const;
  void get_integers(std::string_view name, std::span<std::uint64_t> values) const;
  // Fills vectors.size() sparse vectors, all within `dimension`.
  void get_sparse(std::string_view name, Index dimension, std::span<SparseVector> vectors) const;

  const std::map<std::string, std::vector<double>, std::less<>>& all_doubles() const {
    return doubles_;
  }
  const std::map<std::string, std::vector<std::uint64_t>, std::less<>>& all_integers() const {
    return integers_;
  }
  const std::map<std::string, std::string, std::less<>>& all_texts() const { return texts_; }

 private:
  std::map<std::string, std::vector<double>, std::less<>> doubles_;
  std::map<std::string, std::vector<std::uint64_t>, std::less<>> integers_;
  std::map<std::string, std::string, std::less<>> texts_;
};

}  // namespace trellis
