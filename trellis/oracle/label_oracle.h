// The interface for dual methods of flat classifiers: n examples x_i with one of L labels each, and
// weights that are L copies of one space, w = (w_1 … w_L), so that
//
//   L_i(w) = a_i max_y [ ⟨w_y, x_i⟩ − ⟨w_{y_i}, x_i⟩ + c_i(y) ],     c_i(y_i) = 0 ≤ c_i(y).
//
// All labels of an example share the vector x_i. Therefore the dual of one example is a projection
// on a simplex (learn/dual/smo.h), which a cut could not express. Structures and features stay
// hidden. Calls are const and thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "trellis/base/types.h"

namespace trellis {

class LabelOracle {
 public:
  virtual ~LabelOracle() = default;
  virtual Index num_examples() const = 0;
  virtual Index num_labels() const = 0;
  virtual Index dimension() const = 0;

  virtual Index gold(Index i) const = 0;                           // y_i
  virtual double weight(Index i) const = 0;                        // a_i ≥ 0
  virtual double squared_norm(Index i) const = 0;                  // ‖x_i‖²
  virtual void add_costs(Index i, std::span<double> s) const = 0;  // s_y += c_i(y)
  // s_k += c_i(y) for y = labels[k].
  virtual void add_costs(Index i, std::span<const std::uint32_t> labels,
                         std::span<double> s) const = 0;

  // s_y ← ⟨w_y, x_i⟩ for all labels.
  virtual void scores(Index i, std::span<const double> w, std::span<double> s) const = 0;
  // s_k ← ⟨w_y, x_i⟩ for y = labels[k].
  virtual void scores(Index i, std::span<const double> w, std::span<const std::uint32_t> labels,
                      std::span<double> s) const = 0;
  // w_y += deltas[k] x_i for y = labels[k].
  virtual void add(Index i, std::span<const std::uint32_t> labels, std::span<const double> deltas,
                   std::span<double> w) const = 0;
  // w_y += deltas[y] x_i for all labels.
  virtual void add(Index i, std::span<const double> deltas, std::span<double> w) const = 0;

  // Whether scores are stored, so that they cost little compared with an update of w.
  virtual bool knows_scores() const { return false; }

  // β_i(y), if w is kept as Σ_i β_i(y) x_i for every label: then a dual method can start from any
  // w, with these dual variables. False otherwise.
  virtual bool coefficients(Index i, std::span<const double> w, std::span<double> beta) const {
    (void)i, (void)w, (void)beta;
    return false;
  }

  // Two vectors whose product is ‖w‖²: w and w, unless a kernel replaces the features and w
  // contains coefficients.
  virtual std::pair<std::span<const double>, std::span<const double>> length_factors(
      std::span<const double> w) const {
    return {w, w};
  }
};

}  // namespace trellis
