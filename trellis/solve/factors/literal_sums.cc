#include "trellis/solve/factors/literal_sums.h"

#include <algorithm>

#include "trellis/solve/vectors/log_domain.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

double LiteralSums::at_most_one_besides(double none, std::span<const double> e,
                                        std::span<double> messages) {
  behind_.resize(e.size() + 1);
  behind_[e.size()] = none;
  for (Index i = e.size(); i-- > 0;) behind_[i] = log_add(behind_[i + 1], e[i]);
  double before = -kInfinity;
  for (Index i = 0; i < e.size(); ++i) {
    messages[i] = -log_add(before, behind_[i + 1]);
    before = log_add(before, e[i]);
  }
  return behind_[0];
}

double LiteralSums::one_of(std::span<const double> e, std::span<double> messages) {
  return at_most_one_besides(-kInfinity, e, messages);
}

double LiteralSums::at_most_one(std::span<const double> e, std::span<double> messages) {
  return at_most_one_besides(0.0, e, messages);
}

// That one or more of i, i + 1, … hold, and whatever they do.
void LiteralSums::fill_some_behind(std::span<const double> e) {
  behind_.resize(e.size() + 1);
  all_behind_.resize(e.size() + 1);
  behind_[e.size()] = -kInfinity;
  all_behind_[e.size()] = 0;
  for (Index i = e.size(); i-- > 0;) {
    behind_[i] = log_add(behind_[i + 1], e[i] + all_behind_[i + 1]);
    all_behind_[i] = all_behind_[i + 1] + softplus(e[i]);
  }
}

double LiteralSums::one_or_more(std::span<const double> e, std::span<double> messages) {
  fill_some_behind(e);
  double some_before = -kInfinity, all_before = 0;
  for (Index i = 0; i < e.size(); ++i) {
    const double some_other = log_add(some_before + all_behind_[i + 1], behind_[i + 1]);
    messages[i] = all_before + all_behind_[i + 1] - some_other;
    some_before = log_add(some_before + softplus(e[i]), e[i]);
    all_before += softplus(e[i]);
  }
  return behind_[0];
}

// behind_[i (b + 1) + c]: that at most c of i, i + 1, … hold.
void LiteralSums::fill_counts_behind(Index budget, std::span<const double> e) {
  const Index width = budget + 1;
  behind_.resize((e.size() + 1) * width);
  std::fill_n(behind_.begin() + static_cast<std::ptrdiff_t>(e.size() * width), width, 0.0);
  for (Index i = e.size(); i-- > 0;) {
    const double* after = &behind_[(i + 1) * width];
    double* here = &behind_[i * width];
    here[0] = after[0];
    for (Index c = 1; c < width; ++c) here[c] = log_add(after[c], e[i] + after[c - 1]);
  }
}

double LiteralSums::at_most(Index budget, std::span<const double> e, std::span<double> messages) {
  budget = std::min(budget, e.size());
  const Index width = budget + 1;
  fill_counts_behind(budget, e);
  counts_.assign(width, -kInfinity);
  counts_[0] = 0;
  for (Index i = 0; i < e.size(); ++i) {
    const double* after = &behind_[(i + 1) * width];
    row_.resize(width);
    for (Index c = 0; c < width; ++c) row_[c] = counts_[c] + after[budget - c];
    const double without = log_sum_exp(row_);
    for (Index c = 0; c < budget; ++c) row_[c] = counts_[c] + after[budget - 1 - c];
    const double with = log_sum_exp({row_.data(), budget});
    messages[i] = with - without;
    for (Index c = width; c-- > 1;) counts_[c] = log_add(counts_[c], counts_[c - 1] + e[i]);
  }
  return behind_[budget];
}

std::span<const double> LiteralSums::with_none(std::span<const double> e) {
  row_.assign(e.begin(), e.end());
  row_.push_back(0);
  return row_;
}

double LiteralSums::entropy_of_one_of(std::span<const double> e) {
  return softmax_entropy(e);
}

double LiteralSums::entropy_of_at_most_one(std::span<const double> e) {
  return softmax_entropy(with_none(e));
}

// Literal by literal: as long as none holds the next one is drawn with an eye on those behind it,
// and after the first that does each is drawn by itself.
double LiteralSums::entropy_of_one_or_more(std::span<const double> e) {
  fill_some_behind(e);
  double entropy = 0, none_yet = 1;
  for (Index i = 0; i < e.size(); ++i) {
    entropy += (1 - none_yet) * binary_entropy(e[i]);
    if (none_yet == 0) continue;
    const double log_odds = e[i] + all_behind_[i + 1] - behind_[i + 1];
    entropy += none_yet * binary_entropy(log_odds);
    none_yet *= chance_of(-log_odds);
  }
  return entropy;
}

// Literal by literal, given how many hold already.
double LiteralSums::entropy_of_at_most(Index budget, std::span<const double> e) {
  budget = std::min(budget, e.size());
  const Index width = budget + 1;
  fill_counts_behind(budget, e);
  counts_.assign(width, 0.0);  // probabilities here
  counts_[0] = 1;
  double entropy = 0;
  for (Index i = 0; i < e.size(); ++i) {
    const double* after = &behind_[(i + 1) * width];
    for (Index c = width; c-- > 0;) {
      if (c == budget || counts_[c] == 0) continue;
      const double log_odds = e[i] + after[budget - 1 - c] - after[budget - c];
      const double moving = counts_[c] * chance_of(log_odds);
      entropy += counts_[c] * binary_entropy(log_odds);
      counts_[c + 1] += moving;
      counts_[c] = counts_[c] * chance_of(-log_odds);
    }
  }
  return entropy;
}

}  // namespace trellis
