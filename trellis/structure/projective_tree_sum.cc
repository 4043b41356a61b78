// Sums over projective trees, in the log domain: safe for all scores.
//
// The chart gives the logarithm of the sum over what each item can be. With it the distribution is
// that of a branching process from the whole sentence down: each item chooses what it is made of,
// by a softmax of its own, and then these do. Since a tree has one derivation, marginals, entropy
// and draws follow by running it: marginals are sums of products of normalised probabilities, and
// the entropy Σ P(item) · H(its choice) has no negative term.
#include <algorithm>
#include <cassert>

#include "trellis/solve/draw.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/structure/projective_tree.h"

namespace trellis {
namespace {

std::span<double> sums_of(const SpanChoices& choices, std::vector<double>& row) {
  for (Index c = 0; c < choices.count; ++c) row[c] = choices.left[c] + choices.right[c];
  return {row.data(), choices.count};
}

}  // namespace

// A tree has one arc of each word, so the best of these may be taken off all of them: what is left
// are small numbers wherever probabilities are not negligible.
double ProjectiveTree::fill_sum(std::span<const double> s, Scratch& scratch) const {
  assert(s.size() == num_parts());
  ProjectiveSpans& spans = scratch.spans;
  spans.reset(arcs_->words(), roots_);
  const auto grow_row = [&](Index size) {
    if (scratch.row.size() < size) scratch.row.resize(size);
  };
  grow_row(arcs_->words());
  double shifts = 0, shift = 0;
  Index word = 0;
  for_each_arc([&](Index head, Index modifier, Parallel parts) {
    if (modifier != word) {
      word = modifier;
      const Index begin = arcs_->begin(word);
      shift = max_value(s.subspan(begin, arcs_->begin(word + 1) - begin));
      shifts += shift;
    }
    const Index count = parts.end - parts.begin;
    grow_row(count);
    for (Index i = 0; i < count; ++i) scratch.row[i] = s[parts.begin + i] - shift;
    spans.arc(head, modifier) =
        count == 1 ? scratch.row[0] : log_sum_exp({scratch.row.data(), count});
  });
  const double sum = spans.fill(
      [&](const SpanChoices& choices) { return log_sum_exp(sums_of(choices, scratch.row)); });
  return sum == kImpossible ? sum : sum + shifts;
}

// The probabilities of all items, from wide to narrow; returns the entropy of the choices of items
// where it is wanted (that of parallel arcs not included), or else 0. Requires a tree.
double ProjectiveTree::go_down(Scratch& scratch, bool with_entropy) const {
  const ProjectiveSpans& spans = scratch.spans;
  const Index n = spans.words();
  for (SquareTable* table : {&scratch.complete, &scratch.by_end, &scratch.incomplete}) {
    table->assign(n + 1, 0.0);
  }
  double entropy = 0;
  const auto spread = [&](double p, const SpanChoices& choices, double* left, double* right) {
    if (p == 0) return;
    const std::span<double> row = sums_of(choices, scratch.row);
    if (with_entropy) entropy += p * softmax_entropy(row);
    softmax(row, row);
    for (Index c = 0; c < choices.count; ++c) {
      const double q = p * row[c];
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
  return fill_sum(s, scratch);
}

double ProjectiveTree::log_partition(std::span<const double> s, Scratch& scratch,
                                     std::span<double> marginals) const {
  assert(marginals.size() == num_parts());
  const double value = fill_sum(s, scratch);
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
  if (fill_sum(s, scratch) == kImpossible) return 0;
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
  if (fill_sum(s, scratch) == kImpossible) return;
  y.resize(arcs_->words());
  const auto draw_of = [&](std::span<double> row) {
    if (row.size() == 1) return Index{0};
    softmax(row, row);
    return draw(row, random);
  };
  const auto choose = [&](const SpanChoices& choices) {
    return draw_of(sums_of(choices, scratch.row));
  };
  scratch.spans.descend(scratch.open, choose, [&](Index head, Index modifier) {
    const auto [begin, end] = parallel(head, modifier);
    std::copy(s.begin() + static_cast<std::ptrdiff_t>(begin),
              s.begin() + static_cast<std::ptrdiff_t>(end), scratch.row.begin());
    y[modifier - 1] =
        static_cast<std::uint32_t>(begin + draw_of({scratch.row.data(), end - begin}));
  });
}

}  // namespace trellis
