// One suite for all structures: every operation against enumeration, on small instances.
//
// A test makes a structure and lists its outputs by brute force; check_conformance() then draws
// part scores of many kinds and compares. Reference sums run in long double.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/structure/structure.h"

namespace trellis::conformance {

enum class Scores { kSmall, kLarge, kHuge, kTies, kMixed };
inline constexpr Scores kAllScores[] = {Scores::kSmall, Scores::kLarge, Scores::kHuge,
                                        Scores::kTies, Scores::kMixed};

inline double draw_score(Scores kind, Random& random) {
  switch (kind) {
    case Scores::kSmall:
      return random.normal();
    case Scores::kLarge:
      return 1e6 * (2 * random.uniform() - 1);
    case Scores::kHuge:
      return 1e9 * (2 * random.uniform() - 1);
    case Scores::kTies:
      return static_cast<double>(random.below(3)) - 1;
    case Scores::kMixed:  // most are small, some decide alone, and some only against each other
      return random.below(6) == 0 ? 300 * (static_cast<double>(random.below(5)) - 2)
                                  : random.normal();
  }
  return 0;
}

inline std::vector<double> draw_scores(Scores kind, Index size, Random& random) {
  std::vector<double> scores(size);
  for (double& score : scores) score = draw_score(kind, random);
  return scores;
}

// A structure, all its outputs, and their indicators without the zeros.
template <class S>
struct Enumeration {
  using Output = typename S::Output;

  Enumeration(const S& of, std::vector<Output> all)
      : structure(of), outputs(std::move(all)), legal(outputs.begin(), outputs.end()) {
    std::vector<double> z(structure.num_parts());
    for (const Output& y : outputs) {
      structure.indicator(y, z);
      parts.emplace_back();
      for (Index p = 0; p < z.size(); ++p) {
        if (z[p] != 0) parts.back().push_back({p, z[p]});
      }
    }
  }

  const S& structure;
  std::vector<Output> outputs;
  std::set<Output> legal;
  std::vector<std::vector<std::pair<Index, double>>> parts;  // by output
};

// The exact answers for one vector of scores.
struct Reference {
  std::vector<long double> scores;  // by output
  std::vector<long double> probabilities;
  std::vector<long double> marginals;
  long double log_partition = kImpossible;
  long double entropy = 0;
  double magnitude = 0;  // Σ |s_p z_p| of the worst output: what rounding is relative to
};

template <class S>
Reference enumerate(const Enumeration<S>& all, const std::vector<double>& s) {
  Reference reference;
  reference.marginals.assign(s.size(), 0);
  for (const auto& parts : all.parts) {
    long double score = 0;
    double magnitude = 0;
    for (const auto& [part, count] : parts) {
      score += static_cast<long double>(s[part]) * count;
      magnitude += std::abs(s[part] * count);
    }
    reference.scores.push_back(score);
    reference.magnitude = std::max(reference.magnitude, magnitude);
  }
  if (all.outputs.empty()) return reference;
  const long double best = *std::max_element(reference.scores.begin(), reference.scores.end());
  long double total = 0;
  for (const long double score : reference.scores) total += std::exp(score - best);
  reference.log_partition = best + std::log(total);
  for (Index i = 0; i < all.outputs.size(); ++i) {
    const long double p = std::exp(reference.scores[i] - best) / total;
    reference.probabilities.push_back(p);
    for (const auto& [part, count] : all.parts[i]) reference.marginals[part] += p * count;
    if (p > 0) reference.entropy += p * (std::log(total) - (reference.scores[i] - best));
  }
  return reference;
}

// What rounding may do to a sum of scores.
inline double tolerance(const Reference& reference) {
  return 1e-12 + 1e-14 * reference.magnitude;
}

template <Maximizer S>
void check_maximize(const Enumeration<S>& all, const std::vector<double>& s,
                    typename S::Scratch& scratch) {
  typename S::Output y{};
  const double value = all.structure.maximize(s, scratch, y);
  double best = kImpossible;
  for (const auto& output : all.outputs) best = std::max(best, all.structure.score(s, output));
  // To the bit: rounding is monotone, so the recursion finds the largest of the rounded sums.
  EXPECT_EQ(value, best);
  if (all.outputs.empty()) return;
  ASSERT_EQ(all.legal.count(y), 1u);
  EXPECT_EQ(all.structure.score(s, y), value);
}

template <KBest S>
void check_k_best(const Enumeration<S>& all, const std::vector<double>& s, Index k,
                  typename S::Scratch& scratch) {
  const Reference reference = enumerate(all, s);
  std::vector<long double> sorted = reference.scores;
  std::sort(sorted.rbegin(), sorted.rend());
  std::vector<ScoredOutput<typename S::Output>> best;
  std::set<typename S::Output> seen;
  all.structure.k_best(s, k, scratch, best);
  ASSERT_EQ(best.size(), std::min(k, all.outputs.size()));
  for (Index i = 0; i < best.size(); ++i) {
    EXPECT_NEAR(best[i].score, static_cast<double>(sorted[i]), tolerance(reference));
    EXPECT_EQ(best[i].score, all.structure.score(s, best[i].output));
    EXPECT_EQ(all.legal.count(best[i].output), 1u);
    EXPECT_TRUE(seen.insert(best[i].output).second) << "twice";
    if (i > 0) {
      EXPECT_LE(best[i].score, best[i - 1].score);
    }
  }
  if (best.empty()) return;
  typename S::Output y{};
  all.structure.maximize(s, scratch, y);
  EXPECT_TRUE(best[0].output == y);
}

template <Summer S>
void check_sums(const Enumeration<S>& all, const std::vector<double>& s,
                typename S::Scratch& scratch) {
  const Reference reference = enumerate(all, s);
  std::vector<double> marginals(all.structure.num_parts(), std::nan(""));
  const double value = all.structure.log_partition(s, scratch, marginals);
  EXPECT_EQ(value, all.structure.log_partition(s, scratch));
  const double entropy = all.structure.entropy(s, scratch);
  if (all.outputs.empty()) {
    EXPECT_EQ(value, kImpossible);
    EXPECT_EQ(entropy, 0.0);
    for (const double m : marginals) EXPECT_EQ(m, 0.0);
    return;
  }
  const double slack = tolerance(reference);
  EXPECT_NEAR(value, static_cast<double>(reference.log_partition), slack);
  for (Index p = 0; p < marginals.size(); ++p) {
    EXPECT_NEAR(marginals[p], static_cast<double>(reference.marginals[p]), 10 * slack)
        << "part " << p;
    EXPECT_GE(marginals[p], 0.0);
  }
  EXPECT_NEAR(entropy, static_cast<double>(reference.entropy), 100 * slack);
  EXPECT_GE(entropy, 0.0);
}

// d log_partition / d s_p = marginal of p.
template <Summer S>
void check_gradient(const S& structure, std::vector<double> s, typename S::Scratch& scratch) {
  std::vector<double> marginals(structure.num_parts());
  if (structure.log_partition(s, scratch, marginals) == kImpossible) return;
  constexpr double kStep = 1e-5;
  for (Index p = 0; p < s.size(); ++p) {
    const double center = s[p];
    s[p] = center + kStep;
    const double above = structure.log_partition(s, scratch);
    s[p] = center - kStep;
    const double below = structure.log_partition(s, scratch);
    s[p] = center;
    EXPECT_NEAR((above - below) / (2 * kStep), marginals[p], 1e-8) << "part " << p;
  }
}

// Pearson's χ², with cells of an expected count below 5 put together. The bound is its mean plus
// six standard deviations and a bit: the seeds are fixed, so this passes or fails for good.
template <Sampler S>
void check_samples(const Enumeration<S>& all, const std::vector<double>& s, Index draws,
                   Random& random, typename S::Scratch& scratch) {
  const Reference reference = enumerate(all, s);
  std::map<typename S::Output, Index> counts;
  typename S::Output y{};
  for (Index i = 0; i < draws; ++i) {
    all.structure.sample(s, random, scratch, y);
    ++counts[y];
  }
  double statistic = 0, rare_expected = 0;
  Index cells = 0, rare_seen = 0, seen = 0;
  const auto add_cell = [&](double expected, double found) {
    statistic += (found - expected) * (found - expected) / expected;
    ++cells;
  };
  for (Index i = 0; i < all.outputs.size(); ++i) {
    const double expected = static_cast<double>(reference.probabilities[i] * draws);
    const auto found = counts.find(all.outputs[i]);
    const Index count = found == counts.end() ? 0 : found->second;
    seen += count;
    if (expected >= 5) {
      add_cell(expected, static_cast<double>(count));
    } else {
      rare_expected += expected;
      rare_seen += count;
    }
  }
  EXPECT_EQ(seen, draws) << "something was drawn that is not legal";
  if (rare_expected >= 5) {
    add_cell(rare_expected, static_cast<double>(rare_seen));
  } else {
    EXPECT_LE(static_cast<double>(rare_seen), 30.0);
  }
  const double freedom = std::max(1.0, static_cast<double>(cells) - 1);
  EXPECT_LE(statistic, freedom + 6 * std::sqrt(2 * freedom) + 6);
}

// The best vertex of the linear program is the best output, and there is none where there is none.
// The nearest point z of Z to v, by what characterises it: z lies in Z, and no point of Z lies
// further in the direction v − z (Clp says how far they go).
template <Projector S>
void check_project(const S& structure, const std::vector<double>& v, typename S::Scratch& scratch) {
  const LinearProgram program = structure.linear_program();
  ASSERT_EQ(program.num_parts, v.size());
  std::vector<double> z(v.size()), direction(v.size());
  structure.project(v, scratch, z);
  double size = 1;
  for (const double value : v) size = std::max(size, std::abs(value));
  double reached = 0;
  for (Index p = 0; p < z.size(); ++p) {
    EXPECT_GE(z[p], -1e-10 * size);
    direction[p] = v[p] - z[p];
    reached += direction[p] * z[p];
  }
  if (program.num_variables == program.num_parts) {
    for (const LinearProgram::Row& row : program.rows) {
      double sum = 0;
      for (const LinearProgram::Term& term : row.terms) sum += term.coefficient * z[term.variable];
      EXPECT_GE(sum, row.lower - 1e-9 * size);
      EXPECT_LE(sum, row.upper + 1e-9 * size);
    }
  } else {  // some setting of the other variables completes it
    LinearProgram completed = program;
    for (Index p = 0; p < z.size(); ++p) {
      completed.rows.push_back({{{p, 1.0}}, z[p] - 1e-9 * size, z[p] + 1e-9 * size});
    }
    EXPECT_EQ(maximize_linear_program(completed, {}).status, LpStatus::kOptimal);
  }
  const LpSolution furthest = maximize_linear_program(program, direction);
  ASSERT_EQ(furthest.status, LpStatus::kOptimal);
  EXPECT_NEAR(furthest.value, reached, 1e-8 * size * static_cast<double>(z.size()));
}

template <Maximizer S>
void check_linear_program(const Enumeration<S>& all, const std::vector<double>& s,
                          typename S::Scratch& scratch) {
  const LinearProgram program = all.structure.linear_program();
  ASSERT_EQ(program.num_parts, all.structure.num_parts());
  const LpSolution solution = maximize_linear_program(program, s);
  if (all.outputs.empty()) {
    EXPECT_EQ(solution.status, LpStatus::kInfeasible);
    return;
  }
  ASSERT_EQ(solution.status, LpStatus::kOptimal);
  typename S::Output y{};
  const double value = all.structure.maximize(s, scratch, y);
  const Reference reference = enumerate(all, s);
  EXPECT_NEAR(solution.value, value, 1e-6 * (1 + reference.magnitude));
}

// Every output is a point of the linear program: some setting of the auxiliary variables completes
// it.
template <Structure S>
void check_outputs_are_feasible(const Enumeration<S>& all) {
  std::vector<double> z(all.structure.num_parts());
  for (const auto& y : all.outputs) {
    all.structure.indicator(y, z);
    LinearProgram program = all.structure.linear_program();
    for (Index p = 0; p < z.size(); ++p) program.rows.push_back({{{p, 1.0}}, z[p], z[p]});
    EXPECT_EQ(maximize_linear_program(program, {}).status, LpStatus::kOptimal);
  }
}

// Everything but samples, for scores of each kind.
template <class S>
requires KBest<S> && Summer<S> && Sampler<S>
void check_conformance(const Enumeration<S>& all, typename S::Scratch& scratch, Random& random) {
  for (const Scores kind : kAllScores) {
    SCOPED_TRACE("scores of kind " + std::to_string(static_cast<int>(kind)));
    const std::vector<double> s = draw_scores(kind, all.structure.num_parts(), random);
    check_maximize(all, s, scratch);
    for (const Index k : {Index{1}, Index{5}, all.outputs.size() + 3}) {
      check_k_best(all, s, k, scratch);
    }
    check_sums(all, s, scratch);
    if (all.outputs.empty()) {
      typename S::Output y{};
      all.structure.sample(s, random, scratch, y);
      EXPECT_TRUE(y == typename S::Output{} || !all.structure.legal(y));
    }
  }
}

}  // namespace trellis::conformance
