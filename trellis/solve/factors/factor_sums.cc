#include "trellis/solve/factors/factor_sums.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <ranges>

#include "trellis/solve/vectors/log_domain.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

// Probabilities below this are lost in sums of probabilities; logarithms keep them.
constexpr double kLeastChance = 1e-300;
// Best minus worst tree's score, up to which doubles represent the probability of any arc.
constexpr double kMostSpread = 500;
constexpr double kLargestPlainScore = 30;

// At least the difference of the scores of any two trees.
double spread_of_trees(const ArcGraph& graph, std::span<const double> scores) {
  double spread = 0;
  for (Index m = 0; m < graph.words; ++m) {
    const auto [least, largest] =
        std::ranges::minmax(scores.subspan(graph.begin[m], graph.begin[m + 1] - graph.begin[m]));
    spread += largest - least;
  }
  return spread;
}

// others[p] ← the sum of what the other arcs of p's word have
template <class Add>
void add_others(const ArcGraph& graph, double none, std::span<const double> values,
                std::span<double> others, const Add& add) {
  for (Index m = 0; m < graph.words; ++m) {
    double behind = none, before = none;
    for (Index p = graph.begin[m + 1]; p-- > graph.begin[m];) {
      others[p] = behind;
      behind = add(behind, values[p]);
    }
    for (Index p = graph.begin[m]; p < graph.begin[m + 1]; ++p) {
      others[p] = add(others[p], before);
      before = add(before, values[p]);
    }
  }
}

// log(1 + e^{x+s}) − log(1 + e^x), without a large x in it
double raised(double x, double s) {
  return x > 0 ? s + softplus(-x - s) - softplus(-x) : softplus(x + s) - softplus(x);
}

Index own_head_part(const FactorGraphLayout::Factor& f, Index a, Index b) {
  return FactorGraphLayout::head_part(f, a, b) - f.parts_begin;
}

}  // namespace

double FactorSums::sum(const FactorGraphLayout& layout, const Factor& f,
                       std::span<const double> eta, std::span<const double> own_scores,
                       std::span<double> messages, std::span<double> own_marginals) {
  const Call call{layout, f, eta, own_scores};
  assert(eta.size() == f.links_end - f.links_begin && messages.size() == eta.size());
  assert(own_scores.size() == f.parts_end - f.parts_begin);
  double value = -kInfinity;
  switch (f.kind) {
    case FactorKind::kTable:
      value = sum_table(call, messages, own_marginals);
      break;
    case FactorKind::kSequence:
      value = sum_sequence(call, messages, own_marginals);
      break;
    case FactorKind::kPair:
      value = sum_pair(call, messages, own_marginals);
      break;
    case FactorKind::kHead:
      value = sum_head(call, messages, own_marginals);
      break;
    case FactorKind::kTree:
      value = sum_tree(call, messages);
      break;
    default:
      value = sum_literals(call, messages);
      break;
  }
  if (value == -kInfinity) {
    std::ranges::fill(messages, 0.0);
    std::ranges::fill(own_marginals, 0.0);
  }
  return value;
}

// TABLE

template <class Visit>
void FactorSums::each_table_variable(const Call& call, const Visit& visit) const {
  Index link = 0, between = call.own.size();
  for (const std::uint32_t v : call.layout.scope(call.f)) {
    const Index values = call.layout.num_values(v), arity = call.layout.arity(v);
    between /= values;
    visit(link, link + arity, call.layout.is_switch(v), values, between);
    link += arity;
  }
}

// row_: the score of each assignment.
void FactorSums::score_table(const Call& call) {
  row_.assign(call.own.begin(), call.own.end());
  each_table_variable(call, [&](Index link, Index, bool is_switch, Index values, Index between) {
    for (Index part = 0; part < row_.size(); ++part) {
      const Index value = part / between % values;
      if (!is_switch) {
        row_[part] += call.eta[link + value];
      } else if (value == 1) {
        row_[part] += call.eta[link];
      }
    }
  });
}

double FactorSums::sum_table(const Call& call, std::span<double> messages,
                             std::span<double> own_marginals) {
  score_table(call);
  shares_.resize(row_.size());
  const double value = softmax(row_, shares_);
  // log of the probability that the variable has this value; what is lost there is summed again.
  const auto log_share = [&](Index wanted, Index values, Index between) {
    double total = 0;
    for (Index part = 0; part < shares_.size(); ++part) {
      if (part / between % values == wanted) total += shares_[part];
    }
    if (total >= kLeastChance) return portable_log(total);
    spanned_.clear();
    for (Index part = 0; part < row_.size(); ++part) {
      if (part / between % values == wanted) spanned_.push_back(row_[part]);
    }
    return log_sum_exp(spanned_) - value;
  };
  each_table_variable(
      call, [&](Index begin, Index end, bool is_switch, Index values, Index between) {
        if (is_switch) {
          messages[begin] =
              log_share(1, values, between) - log_share(0, values, between) - call.eta[begin];
          return;
        }
        for (Index link = begin; link < end; ++link) {
          messages[link] = log_share(link - begin, values, between) - call.eta[link];
        }
      });
  std::copy_n(shares_.begin(), own_marginals.size(), own_marginals.begin());
  return value;
}

// SEQUENCE

// From the last to the first: backward_[link of (t, a)] = log Σ over the positions after t, given a
// there, and shares_[transition from a to b] = P(b at t + 1 | a at t). Returns log Z_f.
double FactorSums::go_back_in_sequence(const Call& call) {
  const std::span<const std::uint32_t> scope = call.layout.scope(call.f);
  backward_.assign(call.eta.size(), 0.0);
  shares_.resize(call.own.size());
  Index link = call.eta.size() - call.layout.arity(scope.back()), part = call.own.size();
  for (Index t = scope.size() - 1; t-- > 0;) {
    const Index from = call.layout.arity(scope[t]), to = call.layout.arity(scope[t + 1]);
    part -= from * to;
    for (Index a = 0; a < from; ++a) {
      const std::span<double> row = std::span(shares_).subspan(part + a * to, to);
      for (Index b = 0; b < to; ++b) {
        row[b] = call.own[part + a * to + b] + call.eta[link + b] + backward_[link + b];
      }
      backward_[link - from + a] = softmax(row, row);
    }
    link -= from;
  }
  row_.resize(call.layout.arity(scope[0]));
  for (Index a = 0; a < row_.size(); ++a) row_[a] = call.eta[a] + backward_[a];
  return log_sum_exp(row_);
}

// forward_[link of (t, b)] = log Σ over the positions before t, given b there.
void FactorSums::go_forward_in_sequence(const Call& call) {
  const std::span<const std::uint32_t> scope = call.layout.scope(call.f);
  forward_.assign(call.eta.size(), 0.0);
  for (Index t = 0, link = 0, part = 0; t + 1 < scope.size(); ++t) {
    const Index from = call.layout.arity(scope[t]), to = call.layout.arity(scope[t + 1]);
    row_.resize(from);
    for (Index b = 0; b < to; ++b) {
      for (Index a = 0; a < from; ++a) {
        row_[a] = forward_[link + a] + call.eta[link + a] + call.own[part + a * to + b];
      }
      forward_[link + from + b] = log_sum_exp(row_);
    }
    link += from;
    part += from * to;
  }
}

// Probabilities from the first to the last, all between 0 and 1; if they are too small for doubles,
// the logarithms of sums from both sides.
double FactorSums::sum_sequence(const Call& call, std::span<double> messages,
                                std::span<double> own_marginals) {
  const std::span<const std::uint32_t> scope = call.layout.scope(call.f);
  const double value = go_back_in_sequence(call);
  spanned_.assign(call.eta.size(), 0.0);  // P(state)
  softmax(row_, std::span(spanned_).first(row_.size()));
  for (Index t = 0, link = 0, part = 0; t + 1 < scope.size(); ++t) {
    const Index from = call.layout.arity(scope[t]), to = call.layout.arity(scope[t + 1]);
    for (Index a = 0; a < from; ++a, part += to) {
      const std::span<double> row = std::span(shares_).subspan(part, to);
      scale(spanned_[link + a], row);
      axpy(1, row, std::span(spanned_).subspan(link + from, to));
    }
    link += from;
  }
  const bool lost = std::ranges::any_of(spanned_, [](double p) { return p < kLeastChance; });
  if (lost) go_forward_in_sequence(call);
  for (Index l = 0; l < messages.size(); ++l) {
    messages[l] =
        lost ? forward_[l] + (backward_[l] - value) : portable_log(spanned_[l]) - call.eta[l];
  }
  std::copy_n(shares_.begin(), own_marginals.size(), own_marginals.begin());
  return value;
}

// PAIR

// Most pairs have small scores, and then the four sums are plain numbers.
double FactorSums::sum_pair(const Call& call, std::span<double> messages,
                            std::span<double> own_marginals) {
  const double a = call.eta[0], b = call.eta[1], both = call.own[0];
  if (std::max({std::abs(a), std::abs(b), std::abs(both)}) < kLargestPlainScore) {
    std::array<double, 3> weights = {a, b, both};
    exp_shifted(weights, 0.0, weights);
    const double with_a = 1 + weights[0] * weights[2], with_b = 1 + weights[1] * weights[2];
    const double all = 1 + weights[0] + weights[1] * with_a;
    messages[0] = portable_log(with_b / (1 + weights[1]));
    messages[1] = portable_log(with_a / (1 + weights[0]));
    if (!own_marginals.empty()) own_marginals[0] = weights[0] * weights[1] * weights[2] / all;
    return portable_log(all);
  }
  messages[0] = raised(b, both);
  messages[1] = raised(a, both);
  if (!own_marginals.empty()) {
    // P(a) P(b | a)
    own_marginals[0] = chance_of(a + messages[0]) * chance_of(b + both);
  }
  return softplus(b) + softplus(a + messages[0]);
}

// HEAD

// From the end to the beginning of the K + 2 switches and ends: backward_[a] = log Σ over what
// comes after a, given that it is on, and shares_[part (a, b)] = P(b is the next that is on | a
// is). Returns log Z_f.
double FactorSums::go_back_in_head(const Call& call) {
  const Index last = call.eta.size() + 1;
  backward_.resize(last + 1);
  backward_[last] = 0;
  shares_.resize(call.own.size());
  Index part = call.own.size();
  for (Index a = last; a-- > 0;) {
    part -= last - a;
    const std::span<double> row = std::span(shares_).subspan(part, last - a);
    for (Index b = a + 1; b <= last; ++b) {
      const double eta = b == last ? 0 : call.eta[b - 1];
      row[b - a - 1] = call.own[part + (b - a - 1)] + eta + backward_[b];
    }
    backward_[a] = softmax(row, row);
  }
  return backward_[0];
}

// forward_[b]: log Σ over the switches before b, given that it is on.
void FactorSums::go_forward_in_head(const Call& call) {
  const Index last = call.eta.size() + 1;
  forward_.resize(last + 1);
  forward_[0] = 0;
  row_.resize(last + 1);
  for (Index b = 1; b <= last; ++b) {
    for (Index a = 0; a < b; ++a) {
      const double eta = a == 0 ? 0 : call.eta[a - 1];
      row_[a] = forward_[a] + eta + call.own[own_head_part(call.f, a, b)];
    }
    forward_[b] = log_sum_exp({row_.data(), b});
  }
}

// The message to switch k from sums from both sides, which go_forward_in_head() has made ready.
double FactorSums::head_message(const Call& call, Index k) {
  const Index last = call.eta.size() + 1;
  row_.clear();
  for (Index a = 0; a < k; ++a) {
    for (Index b = k + 1; b <= last; ++b) {
      const double before = a == 0 ? 0 : call.eta[a - 1], after = b == last ? 0 : call.eta[b - 1];
      row_.push_back(forward_[a] + before + call.own[own_head_part(call.f, a, b)] + after +
                     backward_[b]);
    }
  }
  return forward_[k] + backward_[k] - log_sum_exp(row_);
}

// As in a sequence: probabilities from one end to the other.
double FactorSums::sum_head(const Call& call, std::span<double> messages,
                            std::span<double> own_marginals) {
  const Index last = call.eta.size() + 1;
  const double value = go_back_in_head(call);
  row_.assign(last + 1, 0.0);  // P(it is on)
  row_[0] = 1;
  for (Index a = 0, part = 0; a < last; part += last - a, ++a) {
    const std::span<double> row = std::span(shares_).subspan(part, last - a);
    scale(row_[a], row);
    axpy(1, row, {&row_[a + 1], last - a});
  }
  // spanned_[b]: the chance that b is on and comes right after one before k.
  spanned_.assign(last + 1, 0.0);
  bool lost = false;
  for (Index k = 1, part = 0; k < last; part += last - k + 1, ++k) {
    double off = 0;
    for (Index b = k + 1; b <= last; ++b) off += spanned_[b] += shares_[part + (b - k)];
    const bool clear = row_[k] >= kLeastChance && off >= kLeastChance;
    messages[k - 1] = clear ? portable_log(row_[k]) - portable_log(off) - call.eta[k - 1] : NAN;
    lost = lost || !clear;
  }
  if (lost) {
    go_forward_in_head(call);
    for (Index k = 1; k < last; ++k) {
      if (std::isnan(messages[k - 1])) messages[k - 1] = head_message(call, k);
    }
  }
  std::copy_n(shares_.begin(), own_marginals.size(), own_marginals.begin());
  return value;
}

// TREE

// log P(arc) to forward_ and log P(another arc of its word) to backward_.
double FactorSums::sum_arcs(const ArcGraph& graph, std::span<const double> eta,
                            const FactorGraphLayout::Tree& tree) {
  const Index arcs = eta.size();
  shares_.resize(arcs);
  forward_.resize(arcs);
  backward_.resize(arcs);
  const bool may_cross = tree.crossing == Crossing::kAllowed;
  const double value = may_cross ? arborescences_.log_sum(graph, eta, tree.roots, shares_)
                                 : projective_.log_sum(graph, eta, tree.roots, shares_);
  if (value == -kInfinity) return value;
  const bool lost = std::ranges::any_of(shares_, [](double p) { return p < kLeastChance; }) &&
                    spread_of_trees(graph, eta) > kMostSpread;
  if (lost) {
    if (may_cross) {
      arborescences_.log_sum_of_wide(graph, eta, tree.roots, forward_);
    } else {
      projective_.log_sum_of_wide(graph, eta, tree.roots, forward_);
    }
    add_others(graph, -kInfinity, forward_, backward_, log_add);
    return value;
  }
  add_others(graph, 0.0, shares_, backward_, [](double p, double q) { return p + q; });
  const auto log_chance = [](double p) { return p < kLeastChance ? -kInfinity : portable_log(p); };
  std::ranges::transform(shares_, forward_.begin(), log_chance);
  std::ranges::transform(backward_, backward_.begin(), log_chance);
  return value;
}

double FactorSums::sum_tree(const Call& call, std::span<double> messages) {
  const FactorGraphLayout::Tree& tree = call.layout.tree(call.f);
  const double value = sum_arcs(tree.graph(), call.eta, tree);
  if (value == -kInfinity) return value;
  for (Index p = 0; p < messages.size(); ++p) {
    messages[p] = forward_[p] - backward_[p] - call.eta[p];
  }
  return value;
}

// ONE-OF, AT-MOST-ONE, OR, BUDGET

// The scores of literals: η z = η − η (1 − z) where a state is seen negated.
void FactorSums::read_literals(const Call& call) {
  const std::span<const Literal> links = call.layout.links(call.f);
  literal_scores_.resize(links.size());
  for (Index i = 0; i < links.size(); ++i) {
    literal_scores_[i] = links[i].negated ? -call.eta[i] : call.eta[i];
  }
}

double FactorSums::sum_literals(const Call& call, std::span<double> messages) {
  read_literals(call);
  double value = -kInfinity;
  switch (call.f.kind) {
    case FactorKind::kOneOf:
      value = literals_.one_of(literal_scores_, messages);
      break;
    case FactorKind::kAtMostOne:
      value = literals_.at_most_one(literal_scores_, messages);
      break;
    case FactorKind::kOr:
      value = literals_.one_or_more(literal_scores_, messages);
      break;
    default:
      value = literals_.at_most(call.f.detail, literal_scores_, messages);
      break;
  }
  const std::span<const Literal> links = call.layout.links(call.f);
  for (Index i = 0; i < links.size(); ++i) {
    if (!links[i].negated) continue;
    value += call.eta[i];
    messages[i] = -messages[i];
  }
  return value;
}

double FactorSums::entropy(const FactorGraphLayout& layout, const Factor& f,
                           std::span<const double> eta, std::span<const double> own_scores) {
  const Call call{layout, f, eta, own_scores};
  switch (f.kind) {
    case FactorKind::kTable:
      score_table(call);
      return softmax_entropy(row_);
    case FactorKind::kSequence:
      return entropy_of_sequence(call);
    case FactorKind::kPair: {
      const std::array<double, 4> scores = {0, eta[0], eta[1], eta[0] + eta[1] + own_scores[0]};
      return softmax_entropy(scores);
    }
    case FactorKind::kHead:
      return entropy_of_head(call);
    case FactorKind::kTree: {
      const FactorGraphLayout::Tree& tree = layout.tree(f);
      return tree.crossing == Crossing::kAllowed
                 ? arborescences_.entropy(tree.graph(), eta, tree.roots)
                 : projective_.entropy(tree.graph(), eta, tree.roots);
    }
    default:
      break;
  }
  read_literals(call);
  switch (f.kind) {
    case FactorKind::kOneOf:
      return literals_.entropy_of_one_of(literal_scores_);
    case FactorKind::kAtMostOne:
      return literals_.entropy_of_at_most_one(literal_scores_);
    case FactorKind::kOr:
      return literals_.entropy_of_one_or_more(literal_scores_);
    default:
      return literals_.entropy_of_at_most(f.detail, literal_scores_);
  }
}

// Σ_t Σ_a P(a at t) H(next state | a), from the logarithms of the conditional probabilities.
double FactorSums::entropy_of_sequence(const Call& call) {
  const std::span<const std::uint32_t> scope = call.layout.scope(call.f);
  go_back_in_sequence(call);
  double entropy = softmax_entropy(row_);
  forward_.resize(row_.size());
  softmax(row_, forward_);
  for (Index t = 0, next = forward_.size(), part = 0; t + 1 < scope.size(); ++t) {
    const Index to = call.layout.arity(scope[t + 1]);
    spanned_.assign(to, 0.0);
    row_.resize(to);
    for (Index a = 0; a < forward_.size(); ++a, part += to) {
      for (Index b = 0; b < to; ++b) {
        row_[b] = call.own[part + b] + call.eta[next + b] + backward_[next + b];
      }
      entropy += forward_[a] * softmax_entropy(row_);
      axpy(forward_[a], std::span(shares_).subspan(part, to), spanned_);
    }
    forward_ = spanned_;
    next += to;
  }
  return entropy;
}

// The same, with the next switch that is on instead of the next state.
double FactorSums::entropy_of_head(const Call& call) {
  const Index last = call.eta.size() + 1;
  go_back_in_head(call);
  forward_.assign(last + 1, 0.0);  // the chance that it is on
  forward_[0] = 1;
  double entropy = 0;
  for (Index a = 0, part = 0; a < last; part += last - a, ++a) {
    row_.resize(last - a);
    for (Index b = a + 1; b <= last; ++b) {
      const double eta = b == last ? 0 : call.eta[b - 1];
      row_[b - a - 1] = call.own[part + (b - a - 1)] + eta + backward_[b];
    }
    entropy += forward_[a] * softmax_entropy(row_);
    axpy(forward_[a], std::span(shares_).subspan(part, last - a), {&forward_[a + 1], last - a});
  }
  return entropy;
}

}  // namespace trellis
