#include "trellis/topics/lda/hyperparameters.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <vector>

#include "trellis/solve/vectors/gamma_functions.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {
namespace {

// How many times each count above zero occurs.
class CountHistogram {
 public:
  void add(Index count) {
    if (count > 0) ++times_[count];
  }

  // Σ ψ(n + a) − ψ(a) over the counts n.
  double digamma_excess(double a) const {
    const double at_zero = times_.empty() ? 0 : digamma(a);
    double value = 0;
    for (const auto& [count, times] : times_) {
      value += static_cast<double>(times) * (digamma(static_cast<double>(count) + a) - at_zero);
    }
    return value;
  }

 private:
  std::map<Index, Index> times_;
};

constexpr double kSmallest = 1e-5;  // of a parameter
constexpr double kLargest = 1e4;

// Steps of the fixed point until they change little; next(step's priors, k) is the new value of
// parameter k, given what prepare() has made of the priors before the step. False of the latter: no
// token.
template <class Prepare, class Next>
Index solve_fixed_point(const FixedPointOptions& options, const Prepare& prepare, const Next& next,
                        std::vector<double>& prior) {
  Index steps = 0;
  double change = kInfinity;
  while (steps < options.max_steps && change > options.tolerance && prepare()) {
    change = 0;
    for (Index k = 0; k < prior.size(); ++k) {
      const double value = std::clamp(next(k), kSmallest, kLargest);
      change = std::max(change, std::abs(value - prior[k]) / prior[k]);
      prior[k] = value;
    }
    ++steps;
  }
  return steps;
}

// Σ_k ψ(n_k + β̄_k) − ψ(β̄_k) of a part of the vocabulary, where the words without rows add a to all
// β̄_k.
class TopicDenominator {
 public:
  explicit TopicDenominator(const LdaChain& chain) : chain_(chain) {
    const WordPrior& prior = chain.prior();
    if (!prior.has_rows()) {
      totals_.resize(prior.parts().count);
      for (Index x = 0; x < chain.topic_totals().size(); ++x) {
        totals_[x / chain.num_topics()].add(chain.topic_totals()[x]);
      }
      return;
    }
    others_.assign(prior.sums().size(), 0);
    for (Index i = 0; i < prior.rows().size(); ++i) {
      const Index first = prior.parts()[prior.rows().words[i]] * chain.num_topics();
      axpy(1, prior.rows().row(i, chain.num_topics()),
           std::span(others_).subspan(first, chain.num_topics()));
    }
  }

  double operator()(Index part, double a) const {
    if (others_.empty()) return totals_[part].digamma_excess(a);
    double value = 0;
    for (Index x = part * chain_.num_topics(); x < (part + 1) * chain_.num_topics(); ++x) {
      if (chain_.topic_totals()[x] == 0) continue;
      value += gamma_rise(others_[x] + a, chain_.topic_totals()[x]).slope;
    }
    return value;
  }

 private:
  const LdaChain& chain_;
  std::vector<CountHistogram> totals_;  // by part
  std::vector<double> others_;          // Σ β_kw over words with rows
};

// The words whose β is that of all topics.
std::vector<std::uint32_t> words_without_rows(const LdaChain& chain) {
  std::vector<std::uint32_t> words;
  for (std::uint32_t w = 0; w < chain.num_words(); ++w) {
    if (chain.prior().row(w).empty()) words.push_back(w);
  }
  return words;
}

}  // namespace

Index optimise_alpha(LdaChain& chain, const FixedPointOptions& options) {
  std::vector<CountHistogram> parts(chain.num_topics());
  CountHistogram lengths;
  std::vector<std::uint32_t> counts(chain.num_topics());
  for (Index d = 0; d < chain.num_documents(); ++d) {
    if (!chain.present(d)) continue;
    lengths.add(chain.document_length(d));
    chain.count_document(d, counts);
    for (Index k = 0; k < counts.size(); ++k) parts[k].add(counts[k]);
  }
  std::vector<double> alpha(chain.alpha().begin(), chain.alpha().end());
  double below = 0;
  const Index steps = solve_fixed_point(
      options, [&] { return (below = lengths.digamma_excess(sum(alpha))) > 0; },
      [&](Index k) { return alpha[k] * parts[k].digamma_excess(alpha[k]) / below; }, alpha);
  chain.set_alpha(alpha);
  return steps;
}

Index optimise_symmetric_beta(LdaChain& chain, const FixedPointOptions& options) {
  const std::vector<std::uint32_t> words = words_without_rows(chain);
  if (words.empty()) return 0;
  CountHistogram all;
  const WordParts& parts = chain.prior().parts();
  std::vector<double> beta(chain.beta().begin(), chain.beta().end()), copies(parts.count, 0);
  for (const std::uint32_t w : words) {
    chain.for_each_topic_of_word(w, [&](Index, std::uint32_t count) { all.add(count); });
    copies[parts[w]] += 1;
  }
  // All of them have the same.
  std::vector<double> common = {beta[words.front()]};
  const TopicDenominator denominator(chain);
  double below = 0;
  const Index steps = solve_fixed_point(
      options,
      [&] {
        below = 0;
        for (Index c = 0; c < copies.size(); ++c) {
          if (copies[c] > 0) below += copies[c] * denominator(c, copies[c] * common[0]);
        }
        return below > 0;
      },
      [&](Index) { return common[0] * all.digamma_excess(common[0]) / below; }, common);
  for (const std::uint32_t w : words) beta[w] = common[0];
  chain.set_beta(beta, chain.prior().rows());
  return steps;
}

Index optimise_beta(LdaChain& chain, const FixedPointOptions& options) {
  const std::vector<std::uint32_t> words = words_without_rows(chain);
  const WordParts& parts = chain.prior().parts();
  std::vector<CountHistogram> counts(words.size());
  std::vector<double> own;
  for (Index i = 0; i < words.size(); ++i) {
    own.push_back(chain.beta()[words[i]]);
    chain.for_each_topic_of_word(words[i],
                                 [&](Index, std::uint32_t count) { counts[i].add(count); });
  }
  const TopicDenominator denominator(chain);
  std::vector<double> below(parts.count);
  const Index steps = solve_fixed_point(
      options,
      [&] {
        std::vector<double> sums(parts.count, 0);
        if (parts.count == 1) {
          sums[0] = sum(own);
        } else {
          for (Index i = 0; i < own.size(); ++i) sums[parts[words[i]]] += own[i];
        }
        for (Index c = 0; c < below.size(); ++c)
          below[c] = sums[c] > 0 ? denominator(c, sums[c]) : 0;
        return *std::max_element(below.begin(), below.end()) > 0;
      },
      [&](Index i) {
        const double tokens = below[parts[words[i]]];
        return tokens > 0 ? own[i] * counts[i].digamma_excess(own[i]) / tokens : own[i];
      },
      own);
  std::vector<double> beta(chain.beta().begin(), chain.beta().end());
  for (Index i = 0; i < words.size(); ++i) beta[words[i]] = own[i];
  chain.set_beta(beta, chain.prior().rows());
  return steps;
}

}  // namespace trellis::topics
