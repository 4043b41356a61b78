// Positions that target words choose each by itself: Models 1 and 2 of Brown et al. (1993), and the
// diagonal of Dyer, Chahuneau & Smith (2013). position_model.h has the formulas.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/generative/alignment/position_model.h"

namespace trellis {

// What the three share: given log p(i | j, I, J), every target word is a label of its own.
class IndependentPositions : public PositionModel {
 public:
  explicit IndependentPositions(double null) : null_(null) {}
  double null() const { return null_; }  // p₀

  double sums(Lengths lengths, PositionScratch& scratch) const override;
  double maximize(Lengths lengths, PositionScratch& scratch, std::vector<Label>& a) const override;
  void sample(Lengths lengths, PositionScratch& scratch, Random& random,
              std::vector<Label>& a) const override;

 protected:
  // log p(i | j, I, J) for all i, given that it is not nothing.
  virtual void log_prior(Lengths lengths, Index j, std::span<double> prior) const = 0;

 private:
  void add_log_priors(Lengths lengths, PositionScratch& scratch) const;

  double null_;
};

class UniformPositions final : public IndependentPositions {
 public:
  using IndependentPositions::IndependentPositions;
  Positions kind() const override { return Positions::kUniform; }

 protected:
  void log_prior(Lengths lengths, Index j, std::span<double> prior) const override;
};

// The different lengths of a bitext, ascending, and where the table of each begins.
class LengthTables {
 public:
  LengthTables() = default;
  // `rows_only`: a number for each j, else one for each j and i.
  LengthTables(std::vector<Lengths> lengths, bool rows_only);

  static constexpr Index kNone = static_cast<Index>(-1);
  Index find(Lengths lengths) const;  // where its table begins, kNone: it has none
  Index size() const { return begin_.empty() ? 0 : begin_.back(); }
  std::span<const Lengths> lengths() const { return lengths_; }
  Index begin(Index t) const { return begin_[t]; }

 private:
  std::vector<Lengths> lengths_;
  std::vector<Index> begin_;
};

// Model 2 with a parameter for each (i, j, I, J) that the bitext has; lengths that it does not have
// are uniform. `smoothing` is added to each expected count.
class TablePositions final : public IndependentPositions {
 public:
  TablePositions(double null, std::vector<Lengths> lengths, double smoothing);
  TablePositions(double null, LengthTables tables, std::vector<float> cells, double smoothing);
  Positions kind() const override { return Positions::kTable; }

  Index num_cells() const override { return tables_.size(); }
  void count(Lengths lengths, PositionScratch& scratch, std::span<double> sums,
             FixedCounts& cells) const override;
  void update(std::span<const double> sums, const FixedCounts& cells) override;

  std::vector<double> parameters() const override { return {log_prior_.begin(), log_prior_.end()}; }
  void set_parameters(std::span<const double> values) override;
  const LengthTables& tables() const { return tables_; }
  std::span<const float> cells() const { return log_prior_; }

 protected:
  void log_prior(Lengths lengths, Index j, std::span<double> prior) const override;

 private:
  LengthTables tables_;
  std::vector<float> log_prior_;
  double smoothing_;
};

// Model 2 with one parameter, the tension λ, learned: the expected log-likelihood is concave in it,
// and its maximum is where the expected |i/I − j/J| of the model equals that of the posteriors.
class DiagonalPositions final : public IndependentPositions {
 public:
  static constexpr double kLargestTension = 30;
  DiagonalPositions(double null, double tension, std::vector<Lengths> lengths);
  Positions kind() const override { return Positions::kDiagonal; }
  double tension() const { return tension_; }  // λ

  std::vector<double> parameters() const override { return {tension_}; }
  void set_parameters(std::span<const double> values) override;
  Index num_sums() const override { return 1; }
  Index num_cells() const override { return tables_.size(); }
  void count(Lengths lengths, PositionScratch& scratch, std::span<double> sums,
             FixedCounts& cells) const override;
  void update(std::span<const double> sums, const FixedCounts& cells) override;

 protected:
  void log_prior(Lengths lengths, Index j, std::span<double> prior) const override;

 private:
  double tension_;
  LengthTables tables_;  // of what is generated at j by something
};

}  // namespace trellis
