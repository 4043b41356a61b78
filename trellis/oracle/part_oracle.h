// The same n losses, by their parts. A cut describes the cost of one output; the methods here move
// a point z_i of the polytope Z_i of each example instead (Taskar, Lacoste-Julien & Jordan 2006;
// eq. 2.13 of Lacoste-Julien 2009, here with a penalty):
//
//   min_{w ∈ W}  λn/2 ‖w‖² + Σ_i max_{z_i ∈ Z_i}  a_i (F_iᵀ w + c_i)·(z_i − z(y_i))
//
// with the weight a_i of the example (1 by default) inside F_i and c_i below. The structure is
// still hidden: learners pass vectors of part scores, and get points of Z_i.
//
//   PartOracle            scores, features, the best vertex: structured SMO, the reference QP
//   EuclideanPartOracle   + the nearest point of Z_i: extragradient, projected gradient
//   EntropicPartOracle    + E[z] under exp(s·z): extragradient with Bregman steps
//
// Calls are const and thread-safe for distinct scratch.
#pragma once

#include <memory>
#include <span>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/oracle/oracle.h"
#include "trellis/solve/polytopes/linear_program.h"

namespace trellis {

class PartOracle {
 public:
  virtual ~PartOracle() = default;
  virtual Index num_examples() const = 0;
  virtual Index dimension() const = 0;
  virtual std::span<const WeightRange> nonnegative() const { return {}; }
  virtual std::unique_ptr<Scratch> make_scratch() const = 0;

  virtual Index num_parts(Index i) const = 0;
  virtual void target(Index i, std::span<double> z) const = 0;  // z ← z(y_i)
  virtual void costs(Index i, std::span<double> c) const = 0;   // c ← c_i, with a_i in it
  virtual void scores(Index i, std::span<const double> w, Scratch& scratch,
                      std::span<double> s) const = 0;  // s ← F_iᵀ w
  // gradient += scale · F_i z
  virtual void add_features(Index i, std::span<const double> z, double scale, Scratch& scratch,
                            std::span<double> gradient) const = 0;
  // slope ← scale · F_i z
  virtual void features(Index i, std::span<const double> z, double scale, Scratch& scratch,
                        SparseVector& slope) const = 0;
  // Returns max_{z ∈ Z_i} s·z and writes the best vertex.
  virtual double maximize(Index i, std::span<const double> s, Scratch& scratch,
                          std::span<double> z) const = 0;
  // Z_i as a linear program; its first num_parts(i) variables are z.
  virtual LinearProgram linear_program(Index i) const = 0;
  // Whether Z_i = {z ≥ 0 : A z = b}, so that the vertices of the smallest face around a point z are
  // the outputs without a part where z is 0. False where z counts (tied tables).
  virtual bool faces_by_zeros() const = 0;

  // ⟨v, w⟩ in the space of the weights. Where a kernel stands in for the features, w holds
  // coefficients of representers, and this is vᵀ K w.
  virtual double inner_product(std::span<const double> v, std::span<const double> w) const;
  // Whether a kernel does: then the weights have no coordinates of their own, and a learner that
  // needs them (clips them, bounds their 1-norm, reads F_i z as a vector) refuses the oracle.
  virtual bool implicit_features() const { return false; }
};

class EuclideanPartOracle : public virtual PartOracle {
 public:
  // z ← argmin_{z ∈ Z_i} ‖z − v‖₂, up to the residual of the structure's solver
  virtual void project(Index i, std::span<const double> v, Scratch& scratch,
                       std::span<double> z) const = 0;
};

class EntropicPartOracle : public virtual PartOracle {
 public:
  // z ← E[z(y)] under exp(s·z(y))/Σ; returns log Σ.
  virtual double log_partition(Index i, std::span<const double> s, Scratch& scratch,
                               std::span<double> z) const = 0;
};

}  // namespace trellis
