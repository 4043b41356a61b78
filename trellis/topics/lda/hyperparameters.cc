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

// The fixed point over parameters whose counts are `parts`, with sums of counts in `totals`; each
// parameter stands for `copies` equal ones.
Index solve_fixed_point(const std::vector<CountHistogram>& parts, const CountHistogram& totals,
                        double copies, const FixedPointOptions& options,
                        std::vector<double>& prior) {
  Index steps = 0;
  double change = kInfinity;
  while (steps < options.max_steps && change > options.tolerance) {
    const double denominator = totals.digamma_excess(copies * sum(prior));
    if (!(denominator > 0)) break;  // no token
    change = 0;
    for (Index k = 0; k < prior.size(); ++k) {
      const double next =
          std::clamp(prior[k] * parts[k].digamma_excess(prior[k]) / (copies * denominator),
                     options.smallest, options.largest);
      change = std::max(change, std::abs(next - prior[k]) / prior[k]);
      prior[k] = next;
    }
    ++steps;
  }
  return steps;
}

CountHistogram topic_totals(const LdaChain& chain) {
  CountHistogram totals;
  for (const std::uint32_t total : chain.topic_totals()) totals.add(total);
  return totals;
}

}  // namespace

Index optimise_alpha(LdaChain& chain, const FixedPointOptions& options) {
  std::vector<CountHistogram> parts(chain.num_topics());
  CountHistogram lengths;
  std::vector<std::uint32_t> counts(chain.num_topics());
  for (Index d = 0; d < chain.num_documents(); ++d) {
    lengths.add(chain.document_length(d));
    chain.count_document(d, counts);
    for (Index k = 0; k < counts.size(); ++k) parts[k].add(counts[k]);
  }
  std::vector<double> alpha(chain.alpha().begin(), chain.alpha().end());
  const Index steps = solve_fixed_point(parts, lengths, 1, options, alpha);
  chain.set_alpha(alpha);
  return steps;
}

Index optimise_symmetric_beta(LdaChain& chain, const FixedPointOptions& options) {
  std::vector<CountHistogram> all(1);
  for (Index w = 0; w < chain.num_words(); ++w) {
    chain.for_each_topic_of_word(w, [&](Index, std::uint32_t count) { all[0].add(count); });
  }
  const auto words = static_cast<double>(chain.num_words());
  std::vector<double> beta = {sum(chain.beta()) / words};
  const Index steps = solve_fixed_point(all, topic_totals(chain), words, options, beta);
  chain.set_beta(std::vector<double>(chain.num_words(), beta[0]));
  return steps;
}

Index optimise_beta(LdaChain& chain, const FixedPointOptions& options) {
  std::vector<CountHistogram> parts(chain.num_words());
  for (Index w = 0; w < chain.num_words(); ++w) {
    chain.for_each_topic_of_word(w, [&](Index, std::uint32_t count) { parts[w].add(count); });
  }
  std::vector<double> beta(chain.beta().begin(), chain.beta().end());
  const Index steps = solve_fixed_point(parts, topic_totals(chain), 1, options, beta);
  chain.set_beta(beta);
  return steps;
}

}  // namespace trellis::topics
