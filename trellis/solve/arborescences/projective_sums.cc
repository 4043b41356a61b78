// Implementation of the sums of projective_sums.h.
//
// The chart gives the sum over the derivations of each item. With these sums, the distribution is a
// branching process from the whole sentence down: each item chooses one of its derivations, with
// probabilities of its own, and then its parts choose. Since a tree has one derivation, marginals,
// entropy and draws follow from that process: marginals are sums of products of normalised
// probabilities, and the entropy Σ P(item) · H(its choice) has no negative term.
//
// Each tree has one arc into each word, so the largest weight of each word (its parallel arcs
// together) may be divided out; weights are then ≤ 1. If the sum Z of all trees is within 1e±200,
// plain sums suffice: a choice lost to underflow (below 1e−307) would have counted for that times
// the number of ways to complete a tree around it, fewer than there are trees: 1e80 for 100 words.
// With n³/2 choices this is less than 1e−20 of Z. An overflow makes Z infinite or NaN, because
// every item is used. Otherwise, and for entropies, which need logarithms anyway, the chart has
// logarithms.
#include "trellis/solve/arborescences/projective_sums.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <functional>

#include "trellis/solve/draw.h"
#include "trellis/solve/vectors/log_domain.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr Index kMostWordsOfPlainSums = 100;
constexpr double kLeastPlainSum = 1e-200;
constexpr double kLargestPlainSum = 1e200;

std::span<double> sums_of(const SpanChoices& choices, std::vector<double>& row) {
  for (Index c = 0; c < choices.count; ++c) row[c] = choices.left[c] + choices.right[c];
  return {row.data(), choices.count};
}

// Writes the products of plain sums; returns their total. Rows are short: four partial sums avoid
// waiting for the previous addition, without the call of a kernel.
double products_of(const SpanChoices& choices, double* row) {
  std::array<double, 4> total{};
  Index c = 0;
  for (; c + 4 <= choices.count; c += 4) {
    for (Index i = 0; i < 4; ++i) {
      row[c + i] = choices.left[c + i] * choices.right[c + i];
      total[i] += row[c + i];
    }
  }
  for (; c < choices.count; ++c) total[0] += row[c] = choices.left[c] * choices.right[c];
  return (total[0] + total[2]) + (total[1] + total[3]);
}

struct PlainSums {
  static constexpr double kOne = 1;
  static double times(double a, double b) { return a * b; }
  double sum(const SpanChoices& choices) const { return products_of(choices, row.data()); }
  std::vector<double>& row;
};

struct LogSums {
  static constexpr double kOne = 0;
  static double times(double a, double b) { return a + b; }
  double sum(const SpanChoices& choices) const { return log_sum_exp(sums_of(choices, row)); }
  std::vector<double>& row;
};

}  // namespace

// The probabilities of the choices.
std::span<double> ProjectiveSums::shares_of(const SpanChoices& choices) {
  if (!plain_sums_) {
    const std::span<double> row = sums_of(choices, row_);
    softmax(row, row);
    return row;
  }
  const std::span<double> row(row_.data(), choices.count);
  const double total = products_of(choices, row.data());
  if (total > 0) {
    for (double& share : row) share /= total;
  }
  return row;
}

// Writes the logarithms of the arcs' weights to weights_, parallel arcs together, minus each word's
// maximum; returns the sum of the maxima, −∞ if a word has no arc. The best part is subtracted
// first, so that differences of large scores keep their digits.
double ProjectiveSums::weigh_arcs(const ArcGraph& graph, std::span<const double> scores) {
  weights_.clear();
  groups_.clear();
  double taken_off = 0;
  for (Index m = 1; m <= graph.words; ++m) {
    const Index begin = graph.begin[m - 1], end = graph.begin[m], first = weights_.size();
    const double best = max_value(scores.subspan(begin, end - begin));
    if (best == -kInfinity) return -kInfinity;
    for (Index p = begin, next; p < end; p = next) {
      labels_.clear();
      for (next = p; next < end && graph.head[next] == graph.head[p]; ++next) {
        labels_.push_back(scores[next] - best);
      }
      weights_.push_back(labels_.size() == 1 ? labels_[0] : log_sum_exp(labels_));
      groups_.push_back({graph.head[p], static_cast<std::uint32_t>(m), p, next});
    }
    const double largest = max_value({weights_.data() + first, weights_.size() - first});
    for (Index g = first; g < weights_.size(); ++g) weights_[g] -= largest;
    taken_off += best + largest;
  }
  return taken_off;
}

// Computes log Z and the chart.
double ProjectiveSums::fill(const ArcGraph& graph, std::span<const double> scores, Roots roots,
                            Domain domain) {
  assert(scores.size() == graph.head.size());
  const double taken_off = weigh_arcs(graph, scores);
  if (taken_off == -kInfinity) return -kInfinity;
  row_.resize(std::max(row_.size(), graph.words));
  const auto fill_spans = [&](const auto& ring, double none, const std::vector<double>& weights) {
    spans_.reset(graph.words, roots, none);
    for (Index g = 0; g < weights.size(); ++g) {
      spans_.arc(groups_[g].head, groups_[g].modifier) = weights[g];
    }
    return spans_.fill(ring);
  };
  plain_sums_ = domain == Domain::kAny && graph.words <= kMostWordsOfPlainSums;
  if (plain_sums_) {
    plain_weights_.resize(weights_.size());
    exp_shifted(weights_, 0.0, plain_weights_);
    const double sum = fill_spans(PlainSums{row_}, 0.0, plain_weights_);
    if (sum >= kLeastPlainSum && sum <= kLargestPlainSum) return portable_log(sum) + taken_off;
    plain_sums_ = false;
  }
  const double sum = fill_spans(LogSums{row_}, -kInfinity, weights_);
  return sum == -kInfinity ? sum : sum + taken_off;
}

// Calls spread(p, choices, target of the left parts, target of the right parts) for all items, from
// wide to narrow, so that p is complete at the call. Requires a tree.
template <class Spread, class Add>
void ProjectiveSums::each_item_down(const Spread& spread, const Add& add) {
  const Index n = spans_.words();
  const auto spread_complete = [&](Index head, Index end) {
    const SpanChoices choices = spans_.furthest(head, end);
    spread(add(complete_(head, end), by_end_(end, head)), choices,
           incomplete_.row(head) + choices.first, by_end_.row(end) + choices.first);
  };
  for (Index width = n; width > 0; --width) {
    for (Index left = 0, right = width; right <= n; ++left, ++right) {
      spread_complete(left, right);
      if (left > 0) spread_complete(right, left);
      spread(add(incomplete_(left, right), incomplete_(right, left)), spans_.splits(left, right),
             complete_.row(left) + left, complete_.row(right) + left + 1);
    }
  }
}

void ProjectiveSums::start_down(double none, double one) {
  const Index n = spans_.words();
  for (SquareTable* table : {&complete_, &by_end_, &incomplete_}) table->assign(n + 1, none);
  complete_(0, n) = one;
}

void ProjectiveSums::spread_shares(double p, const SpanChoices& choices, double* left,
                                   double* right) {
  const std::span<const double> shares = shares_of(choices);
  for (Index c = 0; c < choices.count; ++c) {
    const double q = p * shares[c];
    left[c] += q;
    right[c] += q;
  }
}

void ProjectiveSums::go_down() {
  start_down(0, 1);
  each_item_down(
      [&](double p, const SpanChoices& choices, double* left, double* right) {
        if (p > 0) spread_shares(p, choices, left, right);
      },
      std::plus<>());
}

// The entropy of the choices of items, without that of parallel arcs; from logarithms.
double ProjectiveSums::go_down_with_entropy() {
  start_down(0, 1);
  double entropy = 0;
  each_item_down(
      [&](double p, const SpanChoices& choices, double* left, double* right) {
        if (p == 0) return;
        entropy += p * softmax_entropy(sums_of(choices, row_));
        spread_shares(p, choices, left, right);
      },
      std::plus<>());
  return entropy;
}

// Reads and writes logarithms.
void ProjectiveSums::go_down_in_logarithms() {
  start_down(-kInfinity, 0);
  each_item_down(
      [&](double p, const SpanChoices& choices, double* left, double* right) {
        if (p == -kInfinity) return;
        const std::span<const double> row = sums_of(choices, row_);
        const double shift = p - log_sum_exp(row);
        for (Index c = 0; c < choices.count; ++c) {
          left[c] = log_add(left[c], row[c] + shift);
          right[c] = log_add(right[c], row[c] + shift);
        }
      },
      log_add);
}

double ProjectiveSums::log_sum(const ArcGraph& graph, std::span<const double> scores, Roots roots) {
  return fill(graph, scores, roots, Domain::kAny);
}

double ProjectiveSums::log_sum(const ArcGraph& graph, std::span<const double> scores, Roots roots,
                               std::span<double> marginals) {
  assert(marginals.size() == scores.size());
  const double value = fill(graph, scores, roots, Domain::kAny);
  std::fill(marginals.begin(), marginals.end(), 0.0);
  if (value == -kInfinity) return value;
  go_down();
  for (const Group& group : groups_) {
    const double p = incomplete_(group.head, group.modifier);
    const Index count = group.end - group.begin;
    const std::span<double> shares = marginals.subspan(group.begin, count);
    if (count == 1) {
      shares[0] = p;
    } else if (p > 0) {
      softmax(scores.subspan(group.begin, count), shares);
      for (double& share : shares) share *= p;
    }
  }
  return value;
}

double ProjectiveSums::log_sum_of_wide(const ArcGraph& graph, std::span<const double> scores,
                                       Roots roots, std::span<double> log_marginals) {
  assert(log_marginals.size() == scores.size());
  const double value = fill(graph, scores, roots, Domain::kLog);
  std::fill(log_marginals.begin(), log_marginals.end(), -kInfinity);
  if (value == -kInfinity) return value;
  go_down_in_logarithms();
  for (const Group& group : groups_) {
    const Index count = group.end - group.begin;
    const double together =
        count == 1 ? scores[group.begin] : log_sum_exp(scores.subspan(group.begin, count));
    for (Index p = group.begin; p < group.end; ++p) {
      log_marginals[p] = incomplete_(group.head, group.modifier) + (scores[p] - together);
    }
  }
  return value;
}

double ProjectiveSums::entropy(const ArcGraph& graph, std::span<const double> scores, Roots roots) {
  if (fill(graph, scores, roots, Domain::kLog) == -kInfinity) return 0;
  double entropy = go_down_with_entropy();
  for (const Group& group : groups_) {
    const Index count = group.end - group.begin;
    const double p = incomplete_(group.head, group.modifier);
    if (count > 1 && p > 0) entropy += p * softmax_entropy(scores.subspan(group.begin, count));
  }
  return entropy;
}

// Draws a uniform number for each choice of an item, and one for each choice among parallel arcs.
bool ProjectiveSums::draw(const ArcGraph& graph, std::span<const double> scores, Roots roots,
                          Random& random, std::span<std::uint32_t> arcs) {
  if (fill(graph, scores, roots, Domain::kAny) == -kInfinity) return false;
  const auto choose = [&](const SpanChoices& choices) {
    return choices.count == 1 ? Index{0} : trellis::draw(shares_of(choices), random);
  };
  spans_.descend(open_, choose, [&](Index head, Index modifier) {
    const auto [first, last] = std::equal_range(
        graph.head.begin() + static_cast<std::ptrdiff_t>(graph.begin[modifier - 1]),
        graph.head.begin() + static_cast<std::ptrdiff_t>(graph.begin[modifier]), head);
    auto arc = static_cast<Index>(first - graph.head.begin());
    const auto count = static_cast<Index>(last - first);
    if (count > 1) {
      labels_.resize(count);
      softmax(scores.subspan(arc, count), labels_);
      arc += trellis::draw(labels_, random);
    }
    arcs[modifier - 1] = static_cast<std::uint32_t>(arc);
  });
  return true;
}

}  // namespace trellis
