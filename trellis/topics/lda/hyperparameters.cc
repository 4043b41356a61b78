#include "trellis/topics/lda/hyperparameters.h"

#include <algorithm>
#include <cmath>
#include <map>
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

// The fixed point over parameters whose counts are `parts`; denominator(a) is Σ ψ(N + a + r) −
// ψ(a + r) over all sums N of counts, where a is the sum of the parameters and r what others add to
// it. Each parameter stands for `copies` equal ones.
template <class Denominator>
Index solve_fixed_point(const std::vector<CountHistogram>& parts, const Denominator& denominator,
                        double copies, const FixedPointOptions& options,
                        std::vector<double>& prior) {
  Index steps = 0;
  double change = kInfinity;
  while (steps < options.max_steps && change > options.tolerance) {
    const double below = denominator(copies * sum(prior));
    if (!(below > 0)) break;  // no token
    change = 0;
    for (Index k = 0; k < prior.size(); ++k) {
      const double next = std::clamp(prior[k] * parts[k].digamma_excess(prior[k]) / (copies * below),
                                     options.smallest, options.largest);
      change = std::max(change, std::abs(next - prior[k]) / prior[k]);
      prior[k] = next;
    }
    ++steps;
  }
  return steps;
}

// Of the words without rows, whose β have the sum a.
class TopicDenominator {
 public:
  explicit TopicDenominator(const LdaChain& chain) : chain_(chain) {
    if (!chain.prior().has_rows()) {
      for (const std::uint32_t total : chain.topic_totals()) totals_.add(total);
      return;
    }
    others_.assign(chain.num_topics(), 0);
    const PriorRows& rows = chain.prior().rows();
    for (Index i = 0; i < rows.size(); ++i) axpy(1, rows.row(i, chain.num_topics()), others_);
  }

  double operator()(double a) const {
    if (others_.empty()) return totals_.digamma_excess(a);
    double value = 0;
    for (Index k = 0; k < others_.size(); ++k) {
      value += gamma_rise(others_[k] + a, chain_.topic_totals()[k]).slope;
    }
    return value;
  }

 private:
  const LdaChain& chain_;
  CountHistogram totals_;
  std::vector<double> others_;  // Σ β_kw over words with rows
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
  const auto denominator = [&](double a) { return lengths.digamma_excess(a); };
  const Index steps = solve_fixed_point(parts, denominator, 1, options, alpha);
  chain.set_alpha(alpha);
  return steps;
}

Index optimise_symmetric_beta(LdaChain& chain, const FixedPointOptions& options) {
  const std::vector<std::uint32_t> words = words_without_rows(chain);
  if (words.empty()) return 0;
  std::vector<CountHistogram> all(1);
  std::vector<double> beta(chain.beta().begin(), chain.beta().end());
  std::vector<double> common(1, 0);
  const auto copies = static_cast<double>(words.size());
  if (words.size() == beta.size()) {
    common[0] = sum(beta) / copies;
  } else {
    for (const std::uint32_t w : words) common[0] += beta[w] / copies;
  }
  for (const std::uint32_t w : words) {
    chain.for_each_topic_of_word(w, [&](Index, std::uint32_t count) { all[0].add(count); });
  }
  const Index steps = solve_fixed_point(all, TopicDenominator(chain), copies, options, common);
  for (const std::uint32_t w : words) beta[w] = common[0];
  chain.set_beta(beta, chain.prior().rows());
  return steps;
}

Index optimise_beta(LdaChain& chain, const FixedPointOptions& options) {
  const std::vector<std::uint32_t> words = words_without_rows(chain);
  std::vector<CountHistogram> parts(words.size());
  std::vector<double> own;
  for (Index i = 0; i < words.size(); ++i) {
    own.push_back(chain.beta()[words[i]]);
    chain.for_each_topic_of_word(words[i],
                                 [&](Index, std::uint32_t count) { parts[i].add(count); });
  }
  const Index steps = solve_fixed_point(parts, TopicDenominator(chain), 1, options, own);
  std::vector<double> beta(chain.beta().begin(), chain.beta().end());
  for (Index i = 0; i < words.size(); ++i) beta[words[i]] = own[i];
  chain.set_beta(beta, chain.prior().rows());
  return steps;
}

}  // namespace trellis::topics
