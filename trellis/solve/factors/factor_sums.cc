#include "trellis/solve/factors/factor_sums.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "trellis/solve/vectors/log_domain.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

// Probabilities below are lost in sums of probabilities; logarithms tell them.
constexpr double kLeastChance = 1e-300;
// Between the best tree and the worst, for doubles to tell the chance of any arc that has one.
constexpr double kMostSpread = 500;

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

// backward_[link of (t, a)] = log Σ over what comes after t, given a there.
void FactorSums::go_back_in_sequence(const Call& call) {
  const std::span<const std::uint32_t> scope = call.layout.scope(call.f);
  backward_.assign(call.eta.size(), 0.0);
  Index link = call.eta.size(), part = call.own.size();  // the ends of those of t and t + 1
  link -= call.layout.arity(scope.back());
  for (Index t = scope.size() - 1; t-- > 0;) {
    const Index from = call.layout.arity(scope[t]), to = call.layout.arity(scope[t + 1]);
    part -= from * to;
    row_.resize(to);
    for (Index a = 0; a < from; ++a) {
      for (Index b = 0; b < to; ++b) {
        row_[b] = call.own[part + a * to + b] + call.eta[link + b] + backward_[link + b];
      }
      backward_[link - from + a] = log_sum_exp(row_);
    }
    link -= from;
  }
}

// messages[link of (t, b)] holds log Σ over what comes before t, given b there, until what comes
// after it is added.
double FactorSums::sum_sequence(const Call& call, std::span<double> messages,
                                std::span<double> own_marginals) {
  const std::span<const std::uint32_t> scope = call.layout.scope(call.f);
  go_back_in_sequence(call);
  const Index first = call.layout.arity(scope[0]);
  row_.resize(first);
  for (Index a = 0; a < first; ++a) row_[a] = call.eta[a] + backward_[a];
  const double value = log_sum_exp(row_);
  std::fill_n(messages.begin(), first, 0.0);
  for (Index t = 0, link = 0, part = 0; t + 1 < scope.size(); ++t) {
    const Index from = call.layout.arity(scope[t]), to = call.layout.arity(scope[t + 1]);
    const Index next = link + from;
    row_.resize(from);
    for (Index b = 0; b < to; ++b) {
      for (Index a = 0; a < from; ++a) {
        row_[a] = messages[link + a] + call.eta[link + a] + call.own[part + a * to + b];
      }
      messages[next + b] = log_sum_exp(row_);
      if (own_marginals.empty()) continue;
      const double after = call.eta[next + b] + backward_[next + b] - value;
      for (Index a = 0; a < from; ++a) {
        own_marginals[part + a * to + b] = portable_exp(row_[a] + after);
      }
    }
    link = next;
    part += from * to;
  }
  for (Index link = 0; link < messages.size(); ++link) messages[link] += backward_[link];
  return value;
}

// PAIR

double FactorSums::sum_pair(const Call& call, std::span<double> messages,
                            std::span<double> own_marginals) {
  const double a = call.eta[0], b = call.eta[1], both = call.own[0];
  messages[0] = raised(b, both);
  messages[1] = raised(a, both);
  if (!own_marginals.empty()) {
    // P(a) P(b | a)
    own_marginals[0] = chance_of(a + messages[0]) * chance_of(b + both);
  }
  return softplus(b) + softplus(a + messages[0]);
}

// HEAD

// backward_[a] = log Σ over what comes after a, of the K + 2 switches and ends, given that it is
// on.
void FactorSums::go_back_in_head(const Call& call) {
  const Index last = call.eta.size() + 1;
  backward_.resize(last + 1);
  backward_[last] = 0;
  row_.resize(last + 1);
  Index part = call.own.size();
  for (Index a = last; a-- > 0;) {
    part -= last - a;
    for (Index b = a + 1; b <= last; ++b) {
      const double eta = b == last ? 0 : call.eta[b - 1];
      row_[b] = call.own[part + (b - a - 1)] + eta + backward_[b];
    }
    backward_[a] = log_sum_exp({&row_[a + 1], last - a});
  }
}

double FactorSums::sum_head(const Call& call, std::span<double> messages,
                            std::span<double> own_marginals) {
  const Index last = call.eta.size() + 1;
  go_back_in_head(call);
  const double value = backward_[0];
  const auto part = [&](Index a, Index b) {
    return FactorGraphLayout::head_part(call.f, a, b) - call.f.parts_begin;
  };
  const auto eta = [&](Index k) { return k == 0 || k == last ? 0 : call.eta[k - 1]; };
  // forward_[b]: log Σ over what comes before b, given that it is on.
  forward_.resize(last + 1);
  forward_[0] = 0;
  shares_.resize(call.own.size());
  for (Index b = 1; b <= last; ++b) {
    for (Index a = 0; a < b; ++a) row_[a] = forward_[a] + eta(a) + call.own[part(a, b)];
    forward_[b] = log_sum_exp({row_.data(), b});
    const double after = eta(b) + backward_[b] - value;
    for (Index a = 0; a < b; ++a) shares_[part(a, b)] = portable_exp(row_[a] + after);
  }
  // spanned_[b]: the chance that b is on and comes right after one before k.
  spanned_.assign(last + 1, 0.0);
  for (Index k = 1; k < last; ++k) {
    double off = 0;
    for (Index b = k + 1; b <= last; ++b) off += spanned_[b] += shares_[part(k - 1, b)];
    const double on = forward_[k] + backward_[k] - value;
    if (off >= kLeastChance) {
      messages[k - 1] = on - portable_log(off);
      continue;
    }
    row_.clear();
    for (Index a = 0; a < k; ++a) {
      for (Index b = k + 1; b <= last; ++b) {
        row_.push_back(forward_[a] + eta(a) + call.own[part(a, b)] + eta(b) + backward_[b] - value);
      }
    }
    messages[k - 1] = on - log_sum_exp(row_);
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

// From the first to the last: Σ_t Σ_a P(a at t) H(what comes next | a).
double FactorSums::entropy_of_sequence(const Call& call) {
  const std::span<const std::uint32_t> scope = call.layout.scope(call.f);
  go_back_in_sequence(call);
  const Index first = call.layout.arity(scope[0]);
  row_.resize(first);
  for (Index a = 0; a < first; ++a) row_[a] = call.eta[a] + backward_[a];
  double entropy = softmax_entropy(row_);
  forward_.resize(first);
  softmax(row_, forward_);
  for (Index t = 0, next = first, part = 0; t + 1 < scope.size(); ++t) {
    const Index from = forward_.size(), to = call.layout.arity(scope[t + 1]);
    spanned_.assign(to, 0.0);
    row_.resize(to);
    for (Index a = 0; a < from; ++a, part += to) {
      for (Index b = 0; b < to; ++b) {
        row_[b] = call.own[part + b] + call.eta[next + b] + backward_[next + b];
      }
      entropy += forward_[a] * softmax_entropy(row_);
      softmax(row_, row_);
      axpy(forward_[a], row_, spanned_);
    }
    forward_ = spanned_;
    next += to;
  }
  return entropy;
}

// Likewise, with the switch that is on next for what comes next.
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
    softmax(row_, row_);
    axpy(forward_[a], row_, {&forward_[a + 1], last - a});
  }
  return entropy;
}

}  // namespace trellis
