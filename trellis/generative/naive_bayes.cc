#include "trellis/generative/naive_bayes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

void check(const NaiveBayesCounts& counts, const NaiveBayesOptions& options) {
  if (!(options.alpha > 0) || std::isinf(options.alpha)) {
    throw UsageError(fmt::format("alpha must be a positive number, not {}", options.alpha));
  }
  for (Index y = 0; y < counts.num_labels(); ++y) {
    if (!(counts.examples(static_cast<Label>(y)) > 0)) {
      throw UsageError(fmt::format("naive Bayes has no example of label {}", y));
    }
  }
}

// N_y for each label.
std::vector<double> label_totals(const NaiveBayesCounts& counts) {
  std::vector<double> totals(counts.num_labels(), 0.0);
  for (Index a = 0; a < counts.num_attributes(); ++a) {
    const std::span<const double> row = counts.row(a);
    for (Index y = 0; y < row.size(); ++y) totals[y] += row[y];
  }
  return totals;
}

// log(N + α V) of each label's denominator.
std::vector<double> log_denominators(std::span<const double> totals, double alpha, Index v) {
  std::vector<double> logs;
  for (const double total : totals)
    logs.push_back(portable_log(total + alpha * static_cast<double>(v)));
  return logs;
}

NaiveBayesEstimate multinomial(const NaiveBayesCounts& counts, double alpha) {
  const Index num_labels = counts.num_labels();
  const Index v = counts.num_attributes();
  const std::vector<double> denominators = log_denominators(label_totals(counts), alpha, v);
  NaiveBayesEstimate estimate;
  double n = 0;
  for (Index y = 0; y < num_labels; ++y) n += counts.examples(static_cast<Label>(y));
  double sum = 0;
  for (Index y = 0; y < num_labels; ++y) {
    const double n_y = counts.examples(static_cast<Label>(y));
    estimate.bias.push_back(portable_log(n_y / n));
    sum -= n_y * estimate.bias.back();
  }
  estimate.weights.reserve(v * num_labels);
  for (Index a = 0; a < v; ++a) {
    const std::span<const double> row = counts.row(a);
    for (Index y = 0; y < num_labels; ++y) {
      estimate.weights.push_back(portable_log(row[y] + alpha) - denominators[y]);
      sum -= (row[y] + alpha) * estimate.weights.back();
    }
  }
  estimate.objective = sum / n;
  return estimate;
}

NaiveBayesEstimate complement(const NaiveBayesCounts& counts, double alpha) {
  const Index num_labels = counts.num_labels();
  const Index v = counts.num_attributes();
  std::vector<double> totals = label_totals(counts);
  const double all = std::accumulate(totals.begin(), totals.end(), 0.0);
  for (double& total : totals) total = all - total;
  const std::vector<double> denominators = log_denominators(totals, alpha, v);
  NaiveBayesEstimate estimate;
  estimate.objective = std::numeric_limits<double>::quiet_NaN();
  estimate.bias.assign(num_labels, 0.0);
  estimate.weights.reserve(v * num_labels);
  std::vector<double> lengths(num_labels, 0.0);  // Σ_a |w_ya|
  for (Index a = 0; a < v; ++a) {
    const std::span<const double> row = counts.row(a);
    const double of_all = std::accumulate(row.begin(), row.end(), 0.0);
    for (Index y = 0; y < num_labels; ++y) {
      // The difference of sums may round below 0.
      const double others = std::max(0.0, of_all - row[y]);
      estimate.weights.push_back(denominators[y] - portable_log(others + alpha));
      lengths[y] += std::abs(estimate.weights.back());
    }
  }
  for (Index k = 0; k < estimate.weights.size(); ++k) {
    const double length = lengths[k % num_labels];
    if (length > 0) estimate.weights[k] /= length;
  }
  return estimate;
}

NaiveBayesEstimate bernoulli(const NaiveBayesCounts& counts, double alpha) {
  const Index num_labels = counts.num_labels();
  NaiveBayesEstimate estimate;
  double n = 0, sum = 0;
  for (Index y = 0; y < num_labels; ++y) n += counts.examples(static_cast<Label>(y));
  std::vector<double> log_totals;  // log(n_y + 2α)
  for (Index y = 0; y < num_labels; ++y) {
    const double n_y = counts.examples(static_cast<Label>(y));
    estimate.bias.push_back(portable_log(n_y / n));
    sum -= n_y * estimate.bias.back();
    log_totals.push_back(portable_log(n_y + 2 * alpha));
  }
  estimate.weights.reserve(counts.num_attributes() * num_labels);
  for (Index a = 0; a < counts.num_attributes(); ++a) {
    const std::span<const double> row = counts.row(a);
    for (Index y = 0; y < num_labels; ++y) {
      const double with = row[y] + alpha;
      const double without = counts.examples(static_cast<Label>(y)) - row[y] + alpha;
      if (without < alpha) {
        throw UsageError(
            fmt::format("Bernoulli naive Bayes counts each attribute once per example: attribute "
                        "{} has count {} in {} examples of label {}",
                        a, row[y], counts.examples(static_cast<Label>(y)), y));
      }
      const double log_with = portable_log(with) - log_totals[y];
      const double log_without = portable_log(without) - log_totals[y];
      estimate.weights.push_back(log_with - log_without);
      estimate.bias[y] += log_without;
      sum -= with * log_with + without * log_without;
    }
  }
  estimate.objective = sum / n;
  return estimate;
}

}  // namespace

NaiveBayesCounts::NaiveBayesCounts(Index num_labels, Index num_attributes)
    : num_attributes_(num_attributes),
      examples_(num_labels, 0.0),
      counts_(num_labels * num_attributes, 0.0) {}

void NaiveBayesCounts::add(Label y, std::span<const std::uint32_t> attributes,
                           std::span<const float> counts) {
  const Index label = static_cast<Index>(y);
  examples_[label] += 1;
  for (Index k = 0; k < attributes.size(); ++k) {
    const double count = counts.empty() ? 1.0 : static_cast<double>(counts[k]);
    counts_[attributes[k] * num_labels() + label] += count;
  }
}

NaiveBayesEstimate naive_bayes(const NaiveBayesCounts& counts, const NaiveBayesOptions& options) {
  check(counts, options);
  switch (options.kind) {
    case NaiveBayesKind::kComplement:
      return complement(counts, options.alpha);
    case NaiveBayesKind::kBernoulli:
      return bernoulli(counts, options.alpha);
    case NaiveBayesKind::kMultinomial:
      break;
  }
  return multinomial(counts, options.alpha);
}

}  // namespace trellis
