// Sums over projective trees.
//
// The chart gives the sum over what each item can be. With it the distribution is that of a
// branching process from the whole sentence down: each item chooses what it is made of, with
// probabilities of its own, and then these do. Since a tree has one derivation, marginals, entropy
// and draws follow by running it: marginals are sums of products of normalised probabilities, and
// the entropy Σ P(item) · H(its choice) has no negative term.
//
// A tree has one arc of each word, so the best of these, its parallel arcs together, may be taken
// off all of them; weights are then ≤ 1. Where the sum Z of all trees comes out as 1e±200 plain
// sums will do. A choice that is lost to underflow, below 1e−307, would have counted for that times
// the ways to make a tree around it, of which there are fewer than trees: 1e80 for 100 words. With
// n³/2 choices that is less than 1e−20 of Z. What overflows makes Z infinite, or no number, because
// all that can be made is used. Else, and for entropies, which ask for logarithms anyway, the chart
// holds logarithms.
#include <algorithm>
#include <array>
#include <cassert>

#include "trellis/solve/draw.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/structure/projective_tree.h"

namespace trellis {
namespace {

constexpr Index kMostWordsOfPlainSums = 100;
constexpr double kLeastPlainSum = 1e-200;
constexpr double kLargestPlainSum = 1e200;

std::span<double> sums_of(const SpanChoices& choices, std::vector<double>& row) {
  for (Index c = 0; c < choices.count; ++c) row[c] = choices.left[c] + choices.right[c];
  return {row.data(), choices.count};
}

// Writes the products of plain sums; returns their total. Rows are short: four partial sums keep
// the additions from waiting for each other, without the call of a kernel.
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

// The probabilities of the choices.
std::span<double> shares_of(const SpanChoices& choices, ProjectiveTreeScratch& scratch) {
  if (!scratch.plain_sums) {
    const std::span<double> row = sums_of(choices, scratch.row);
    softmax(row, row);
    return row;
  }
  const std::span<double> row(scratch.row.data(), choices.count);
  const double total = products_of(choices, row.data());
  if (total > 0) {
    for (double& share : row) share /= total;
  }
  return row;
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

// Writes the logarithms of the arcs' weights, parallel ones together, to scratch.weights, each
// word's largest taken off; returns the sum of these. −∞ where a word has no arc. The best part
// goes first, so that large scores leave the digits of their differences.
double ProjectiveTree::weigh_arcs(std::span<const double> s, Scratch& scratch) const {
  std::vector<double>& weights = scratch.weights;
  weights.resize(arcs_->num_groups());
  double taken_off = 0;
  Index g = 0;
  for (Index m = 1; m <= arcs_->words(); ++m) {
    const Index first = g, end = arcs_->begin(m + 1);
    const double best = max_value(s.subspan(arcs_->begin(m), end - arcs_->begin(m)));
    if (best == kImpossible) return kImpossible;
    for (; g < weights.size() && arcs_->group_begin(g) < end; ++g) {
      scratch.labels.clear();
      for (Index p = arcs_->group_begin(g); p < arcs_->group_begin(g + 1); ++p) {
        scratch.labels.push_back(s[p] - best);
      }
      weights[g] = scratch.labels.size() == 1 ? scratch.labels[0] : log_sum_exp(scratch.labels);
    }
    const double largest = max_value({weights.data() + first, g - first});
    for (Index i = first; i < g; ++i) weights[i] -= largest;
    taken_off += best + largest;
  }
  return taken_off;
}

// log Z, and the chart.
double ProjectiveTree::fill_sum(std::span<const double> s, Domain domain, Scratch& scratch) const {
  assert(s.size() == num_parts());
  const double taken_off = weigh_arcs(s, scratch);
  if (taken_off == kImpossible) return kImpossible;
  ProjectiveSpans& spans = scratch.spans;
  scratch.row.resize(std::max(scratch.row.size(), arcs_->words()));
  const auto fill = [&](const auto& ring, double none, const std::vector<double>& weights) {
    spans.reset(arcs_->words(), roots_, none);
    for (Index g = 0; g < weights.size(); ++g) {
      const Index part = arcs_->group_begin(g);
      spans.arc(arcs_->head(part), arcs_->modifier(part)) = weights[g];
    }
    return spans.fill(ring);
  };
  scratch.plain_sums = domain == Domain::kAny && arcs_->words() <= kMostWordsOfPlainSums;
  if (scratch.plain_sums) {
    scratch.plain_weights.resize(scratch.weights.size());
    exp_shifted(scratch.weights, 0.0, scratch.plain_weights);
    const double sum = fill(PlainSums{scratch.row}, 0.0, scratch.plain_weights);
    if (sum >= kLeastPlainSum && sum <= kLargestPlainSum) return portable_log(sum) + taken_off;
    scratch.plain_sums = false;
  }
  const double sum = fill(LogSums{scratch.row}, kImpossible, scratch.weights);
  return sum == kImpossible ? sum : sum + taken_off;
}

// The probabilities of all items, from wide to narrow; returns the entropy of the choices of items
// where it is wanted (that of parallel arcs not included; from logarithms), or else 0. Requires a
// tree.
double ProjectiveTree::go_down(Scratch& scratch, bool with_entropy) const {
  const ProjectiveSpans& spans = scratch.spans;
  const Index n = spans.words();
  for (SquareTable* table : {&scratch.complete, &scratch.by_end, &scratch.incomplete}) {
    table->assign(n + 1, 0.0);
  }
  double entropy = 0;
  const auto spread = [&](double p, const SpanChoices& choices, double* left, double* right) {
    if (p == 0) return;
    if (with_entropy) entropy += p * softmax_entropy(sums_of(choices, scratch.row));
    const std::span<const double> shares = shares_of(choices, scratch);
    for (Index c = 0; c < choices.count; ++c) {
      const double q = p * shares[c];
      left[c] += q;
      right[c] += q;
    }
  };
  const auto spread_complete = [&](Index head, Index end) {
    const SpanChoices choices = spans.furthest(head, end);
    spread(scratch.complete(head, end) + scratch.by_end(end, head), choices,
           scratch.incomplete.row(head) + choices.first, scratch.by_end.row(end) + choices.first);
  };
  scratch.complete(0, n) = 1;
  for (Index width = n; width > 0; --width) {
    for (Index left = 0, right = width; right <= n; ++left, ++right) {
      spread_complete(left, right);
      if (left > 0) spread_complete(right, left);
      spread(scratch.incomplete(left, right) + scratch.incomplete(right, left),
             spans.splits(left, right), scratch.complete.row(left) + left,
             scratch.complete.row(right) + left + 1);
    }
  }
  return entropy;
}

double ProjectiveTree::log_partition(std::span<const double> s, Scratch& scratch) const {
  return fill_sum(s, Domain::kAny, scratch);
}

double ProjectiveTree::log_partition(std::span<const double> s, Scratch& scratch,
                                     std::span<double> marginals) const {
  assert(marginals.size() == num_parts());
  const double value = fill_sum(s, Domain::kAny, scratch);
  std::fill(marginals.begin(), marginals.end(), 0.0);
  if (value == kImpossible) return value;
  go_down(scratch, false);
  for_each_arc([&](Index head, Index modifier, Parallel parts) {
    const double p = scratch.incomplete(head, modifier);
    const Index count = parts.end - parts.begin;
    const std::span<double> row = marginals.subspan(parts.begin, count);
    if (count == 1) {
      row[0] = p;
    } else if (p > 0) {
      softmax(s.subspan(parts.begin, count), row);
      for (double& share : row) share *= p;
    }
  });
  return value;
}

double ProjectiveTree::entropy(std::span<const double> s, Scratch& scratch) const {
  if (fill_sum(s, Domain::kLog, scratch) == kImpossible) return 0;
  double entropy = go_down(scratch, true);
  for_each_arc([&](Index head, Index modifier, Parallel parts) {
    const Index count = parts.end - parts.begin;
    const double p = scratch.incomplete(head, modifier);
    if (count > 1 && p > 0) entropy += p * softmax_entropy(s.subspan(parts.begin, count));
  });
  return entropy;
}

// A uniform number for each choice that an item has, and one for each of parallel arcs.
void ProjectiveTree::sample(std::span<const double> s, Random& random, Scratch& scratch,
                            Output& y) const {
  y.clear();
  if (fill_sum(s, Domain::kAny, scratch) == kImpossible) return;
  y.resize(arcs_->words());
  const auto choose = [&](const SpanChoices& choices) {
    return choices.count == 1 ? Index{0} : draw(shares_of(choices, scratch), random);
  };
  scratch.spans.descend(scratch.open, choose, [&](Index head, Index modifier) {
    const auto [begin, end] = parallel(head, modifier);
    Index part = begin;
    if (end - begin > 1) {
      scratch.labels.resize(end - begin);
      softmax(s.subspan(begin, end - begin), scratch.labels);
      part += draw(scratch.labels, random);
    }
    y[modifier - 1] = static_cast<std::uint32_t>(part);
  });
}

}  // namespace trellis
