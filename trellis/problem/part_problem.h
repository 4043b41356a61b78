// A part model as the oracles of oracle/part_oracle.h: for the learners that move points of the
// polytopes instead of collecting cuts. The margin problem is that of hinge_problem.h.
#pragma once

#include <algorithm>
#include <concepts>
#include <memory>
#include <span>

#include "trellis/oracle/part_oracle.h"
#include "trellis/problem/chosen_examples.h"
#include "trellis/problem/loss.h"
#include "trellis/problem/part_model.h"
#include "trellis/problem/problem_scratch.h"
#include "trellis/solve/polytopes/oracle_projection.h"

namespace trellis {

template <PartModel M>
requires BoundingMaximizer<typename M::Structure>
class PartFacade : public virtual PartOracle {
 public:
  // The model and the chosen examples must outlive the problem.
  explicit PartFacade(const M& model, double gamma = 1, ChosenExamples chosen = {})
      : model_(&model), chosen_(chosen), gamma_(gamma) {
    Loss{Loss::kInfinity, gamma}.validate();
  }

  Index num_examples() const override { return chosen_.count(model_->num_examples()); }
  Index dimension() const override { return model_->dimension(); }
  std::span<const WeightRange> nonnegative() const override { return nonnegative_weights(*model_); }
  std::unique_ptr<Scratch> make_scratch() const override {
    return std::make_unique<ProblemScratch<M>>();
  }

  Index num_parts(Index i) const override { return structure(i).num_parts(); }
  void target(Index i, std::span<double> z) const override {
    structure(i).indicator(model_->gold(chosen_[i]), z);
  }
  void costs(Index i, std::span<double> c) const override {
    std::fill(c.begin(), c.end(), 0.0);
    const double weight = this->weight(i);
    model_->add_costs(chosen_[i], gamma_ * weight, c);
    // What no weight moves is cost here, and scores are linear.
    if constexpr (OffsetScorer<M>) {
      const std::span<const double> offsets = model_->offsets(chosen_[i]);
      for (Index p = 0; p < offsets.size(); ++p) c[p] += weight * offsets[p];
    }
  }
  void scores(Index i, std::span<const double> w, Scratch&, std::span<double> s) const override {
    if constexpr (OffsetScorer<M>) {
      model_->linear_scores(chosen_[i], w, s);
    } else {
      model_->scores(chosen_[i], w, s);
    }
    const double weight = this->weight(i);
    if (weight == 1) return;
    for (double& score : s) score *= weight;
  }
  void add_features(Index i, std::span<const double> z, double scale, Scratch&,
                    std::span<double> gradient) const override {
    model_->add_features(chosen_[i], z, scale * weight(i), gradient);
  }
  void features(Index i, std::span<const double> z, double scale, Scratch& scratch,
                SparseVector& slope) const override {
    model_->features(chosen_[i], z, scale * weight(i), memory(scratch).features, slope);
  }
  double maximize(Index i, std::span<const double> s, Scratch& scratch,
                  std::span<double> z) const override {
    const auto structure = this->structure(i);
    const double best = structure.maximize(s, memory(scratch).structure, memory(scratch).output);
    structure.indicator(memory(scratch).output, z);
    return best;
  }
  LinearProgram linear_program(Index i) const override { return structure(i).linear_program(); }
  bool faces_by_zeros() const override {
    for (Index i = 0; i < num_examples(); ++i) {
      if (!trellis::faces_by_zeros(structure(i))) return false;
    }
    return true;
  }

 protected:
  static ProblemScratch<M>& memory(Scratch& scratch) {
    return static_cast<ProblemScratch<M>&>(scratch);
  }
  decltype(auto) structure(Index i) const { return model_->structure(chosen_[i]); }
  double weight(Index i) const { return model_->example_weight(chosen_[i]); }

  const M* model_;
  ChosenExamples chosen_;
  double gamma_;
};

// For any structure that maximizes.
template <PartModel M>
requires BoundingMaximizer<typename M::Structure>
class PartProblem final : public PartFacade<M> {
 public:
  using PartFacade<M>::PartFacade;
};

// z ← the nearest point of Z to v. A projection that ends above its tolerance, or finds no point,
// is made anew by best outputs: what these mix lies in Z whatever rounding does, so that what is
// proved by z holds. v and z must not overlap.
template <Projector S>
void project_safely(const S& structure, std::span<const double> v, typename S::Scratch& scratch,
                    typename S::Output& output, std::span<double> z) {
  if constexpr (std::same_as<decltype(structure.project(v, scratch, z)), ProjectionResult> &&
                Maximizer<S> && !SignedScores<S>) {
    if (structure.project(v, scratch, z).status == ProjectionStatus::kOptimal) return;
    const auto best = [&](std::span<const double> s, std::span<double> vertex) {
      const double score = structure.maximize(s, scratch, output);
      structure.indicator(output, vertex);
      return score;
    };
    OracleProjectionScratch memory;
    oracle_projection(v, best, memory, z);
  } else {
    structure.project(v, scratch, z);
  }
}

// For structures that project.
template <PartModel M>
requires Projector<typename M::Structure>
class EuclideanPartProblem final : public PartFacade<M>, public EuclideanPartOracle {
 public:
  using PartFacade<M>::PartFacade;
  void project(Index i, std::span<const double> v, Scratch& scratch,
               std::span<double> z) const override {
    auto& memory = this->memory(scratch);
    project_safely(this->structure(i), v, memory.structure, memory.output, z);
  }
};

// For structures that sum.
template <PartModel M>
requires Summer<typename M::Structure>
class EntropicPartProblem final : public PartFacade<M>, public EntropicPartOracle {
 public:
  using PartFacade<M>::PartFacade;
  double log_partition(Index i, std::span<const double> s, Scratch& scratch,
                       std::span<double> z) const override {
    return this->structure(i).log_partition(s, this->memory(scratch).structure, z);
  }
};

}  // namespace trellis
