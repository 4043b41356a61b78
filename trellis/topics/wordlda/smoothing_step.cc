#include "trellis/topics/wordlda/smoothing_step.h"

#include <algorithm>
#include <cmath>

#include "trellis/base/parallel.h"
#include "trellis/solve/smooth_minimum.h"
#include "trellis/solve/vectors/gamma_functions.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {
namespace {

constexpr Index kHistory = 4;
constexpr Index kMostOfCommon = 5;  // evaluations: y_v is soon where it belongs

double precision(double spread) {
  return spread == kInfinity ? 0 : 1 / (spread * spread);
}

// Ends where an iterate gains less than a share of all that was gained before.
class Gains {
 public:
  explicit Gains(double tolerance) : tolerance_(tolerance) {}
  bool enough(double value) {
    if (iterates_++ == 0) first_ = value;
    const double gain = iterates_ == 1 ? kInfinity : last_ - value;
    last_ = value;
    return gain <= tolerance_ * (first_ - value);
  }

 private:
  double tolerance_;
  double first_ = 0, last_ = 0;
  Index iterates_ = 0;
};

class TopicFunction final : public SmoothFunction {
 public:
  TopicFunction(const SmoothingObjective& objective, Index k, std::span<const double> common,
                std::span<double> scratch, double tolerance)
      : objective_(objective), k_(k), common_(common), scratch_(scratch), gains_(tolerance) {}

  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    return value_ = objective_.of_topic(k_, common_, x, gradient, scratch_);
  }
  bool accept() override { return gains_.enough(value_); }

 private:
  const SmoothingObjective& objective_;
  Index k_;
  std::span<const double> common_;
  std::span<double> scratch_;
  Gains gains_;
  double value_ = 0;
};

class CommonFunction final : public SmoothFunction {
 public:
  CommonFunction(const SmoothingObjective& objective, std::span<const double> scores,
                 double tolerance, int threads)
      : objective_(objective), scores_(scores), threads_(threads), gains_(tolerance) {}

  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    return value_ = objective_.of_common(x, scores_, gradient, threads_);
  }
  bool accept() override { return gains_.enough(value_); }

 private:
  const SmoothingObjective& objective_;
  std::span<const double> scores_;
  int threads_;
  Gains gains_;
  double value_ = 0;
};

}  // namespace

SmoothingObjective::SmoothingObjective(const LdaChain& chain, const RelatedWords& words,
                                       const SmoothingOptions& options)
    : words_(words),
      link_precision_(precision(options.lambda)),
      own_precision_(precision(options.sigma)),
      feature_precision_(precision(options.tau)),
      num_topics_(chain.num_topics()),
      others_(chain.prior().parts().count, 0),
      totals_(chain.topic_totals().begin(), chain.topic_totals().end()) {
  const WordParts& parts = chain.prior().parts();
  std::vector<bool> has_row(chain.num_words(), false);
  std::vector<std::uint64_t> sizes(chain.num_topics() + 1, 0);
  for (const std::uint32_t v : words.words()) {
    has_row[v] = true;
    log_base_.push_back(portable_log(chain.beta()[v]));
    part_of_.push_back(static_cast<std::uint8_t>(parts[v]));
    chain.for_each_topic_of_word(v, [&](Index k, std::uint32_t) { ++sizes[k + 1]; });
  }
  for (Index v = 0; v < chain.num_words(); ++v)
    others_[parts[v]] += has_row[v] ? 0 : chain.beta()[v];
  for (Index k = 0; k < chain.num_topics(); ++k) sizes[k + 1] += sizes[k];
  begin_ = sizes;
  counts_.resize(begin_.back());
  for (std::uint32_t r = 0; r < words.num_rows(); ++r) {
    chain.for_each_topic_of_word(words.words()[r], [&](Index k, std::uint32_t count) {
      counts_[sizes[k]++] = {r, count};
    });
  }
}

bool SmoothingObjective::rise(Index k, std::span<const double> beta, double& value,
                              std::span<double> slopes) const {
  std::vector<double> sums = others_;
  if (sums.size() == 1) {
    sums[0] += sum(beta);
  } else {
    for (Index r = 0; r < beta.size(); ++r) sums[part_of_[r]] += beta[r];
  }
  for (Index c = 0; c < sums.size(); ++c) {
    if (!(sums[c] < kLargestPrior)) return false;
    slopes[c] = 0;
    const std::uint32_t total = totals_[c * num_topics_ + k];
    if (total == 0) continue;
    const GammaRise all = gamma_rise(sums[c], total);
    value += all.log_ratio;
    slopes[c] = all.slope;
  }
  return true;
}

void SmoothingObjective::subtract_tokens(Index k, std::span<const double> log_beta,
                                         std::span<const double> beta, double& value,
                                         std::span<double> slopes) const {
  for (const Entry& entry : counts(k)) {
    if (entry.count == 1) {  // most of them are, and log β is at hand
      value -= log_beta[entry.row];
      slopes[entry.row] -= 1;
      continue;
    }
    const double b = std::max(beta[entry.row], kLeastPrior);
    const GammaRise tokens = gamma_rise(b, entry.count);
    value -= tokens.log_ratio;
    slopes[entry.row] -= b * tokens.slope;
  }
}

// −log p of a topic's smoothers.
double SmoothingObjective::prior(std::span<const double> of_topic,
                                 std::span<double> gradient) const {
  const Index linked = words_.num_linked();
  double twice = 0;
  for (Index r = 0; r < linked; ++r) {
    twice += own_precision_ * of_topic[r] * of_topic[r];
    gradient[r] = own_precision_ * of_topic[r];
  }
  for (Index r = 0; r < linked; ++r) {
    const double y = of_topic[r];
    double pull = 0, spread = 0;
    for (const RelatedWords::Link& link : words_.links(r)) {
      const double apart = y - of_topic[link.row], force = link.weight * apart;
      pull += force;
      spread += force * apart;
      gradient[link.row] -= link_precision_ * force;
    }
    twice += link_precision_ * spread;
    gradient[r] += link_precision_ * pull;
  }
  for (Index f = linked; f < of_topic.size(); ++f) {
    twice += feature_precision_ * of_topic[f] * of_topic[f];
    gradient[f] = feature_precision_ * of_topic[f];
  }
  return twice / 2;
}

double SmoothingObjective::of_topic(Index k, std::span<const double> common,
                                    std::span<const double> of_topic, std::span<double> gradient,
                                    std::span<double> scratch) const {
  const Index rows = words_.num_rows(), linked = words_.num_linked();
  const auto log_beta = scratch.first(rows), beta = scratch.subspan(rows, rows),
             slope = scratch.subspan(2 * rows, rows);
  double value = prior(of_topic, gradient);
  topic_scores(words_, of_topic, log_beta);
  axpy(1, common, log_beta);
  axpy(1, log_base_, log_beta);
  exp_shifted(log_beta, 0, beta);
  std::vector<double> slopes(others_.size());
  if (!rise(k, beta, value, slopes)) return kInfinity;
  // ∂F/∂s, by row.
  for (Index r = 0; r < rows; ++r) slope[r] = beta[r] * slopes[part_of_[r]];
  subtract_tokens(k, log_beta, beta, value, slope);
  axpy(1, slope.first(linked), gradient.first(linked));
  if (words_.num_features() == 0) return value;
  const auto of_features = gradient.subspan(linked);
  for (Index r = 0; r < rows; ++r) {
    for (const RelatedWords::Feature& x : words_.features(r)) {
      of_features[x.feature] += x.value * slope[r];
    }
  }
  return value;
}

double SmoothingObjective::of_common(std::span<const double> common, std::span<const double> scores,
                                     std::span<double> gradient, int threads) const {
  const Index rows = words_.num_rows();
  // Topics are independent up to their sums, and parallel_sum adds in a fixed order.
  double value = parallel_sum(
      num_topics_, threads, gradient, [&](Index begin, Index end, int, std::span<double> sums) {
        std::vector<double> log_beta(rows), beta(rows), slopes(others_.size());
        double part = 0;
        for (Index k = begin; k < end; ++k) {
          const auto of_topic = scores.subspan(k * rows, rows);
          std::copy(of_topic.begin(), of_topic.end(), log_beta.begin());
          axpy(1, common, log_beta);
          axpy(1, log_base_, log_beta);
          exp_shifted(log_beta, 0, beta);
          if (!rise(k, beta, part, slopes)) return kInfinity;
          for (Index r = 0; r < rows; ++r) sums[r] += slopes[part_of_[r]] * beta[r];
          subtract_tokens(k, log_beta, beta, part, sums);
        }
        return part;
      });
  axpy(link_precision_, common, gradient);
  return value + of_common_prior(common);
}

double SmoothingObjective::of_common_prior(std::span<const double> common) const {
  return link_precision_ * squared_norm(common) / 2;
}

double SmoothingObjective::value(const Smoothers& smoothers) const {
  std::vector<double> gradient(smoothers.of_topic(0).size()), scratch(3 * words_.num_rows());
  double value = of_common_prior(smoothers.common());
  for (Index k = 0; k < smoothers.num_topics(); ++k) {
    value += of_topic(k, smoothers.common(), smoothers.of_topic(k), gradient, scratch);
  }
  return value;
}

SmoothingOutcome smooth(LdaChain& chain, const RelatedWords& words, const SmoothingOptions& options,
                        Smoothers& smoothers, int threads) {
  SmoothingOutcome outcome;
  const Index rows = words.num_rows(), topics = chain.num_topics();
  if (rows == 0) return outcome;
  const SmoothingObjective objective(chain, words, options);
  SmoothMinimumOptions search = {kHistory, std::min(options.evaluations, kMostOfCommon), 0.1};
  {
    std::vector<double> scores(topics * rows);
    for (Index k = 0; k < topics; ++k) {
      topic_scores(words, smoothers.of_topic(k), std::span(scores).subspan(k * rows, rows));
    }
    CommonFunction function(objective, scores, options.tolerance, threads);
    SmoothMinimizer minimizer;
    minimizer.minimize(function, search, smoothers.common());
    outcome.evaluations = minimizer.evaluations();
  }
  search.max_evaluations = options.evaluations;
  threads = static_cast<int>(std::min<Index>(static_cast<Index>(resolve_threads(threads)), topics));
  std::vector<SmoothMinimizer> minimizers(static_cast<Index>(threads));
  std::vector<std::vector<double>> scratch(minimizers.size(), std::vector<double>(3 * rows));
  std::vector<Index> evaluations(topics);
  std::vector<double> values(topics);
  parallel_for(topics, threads, [&](Index k, int worker) {
    const auto w = static_cast<Index>(worker);
    TopicFunction function(objective, k, smoothers.common(), scratch[w], options.tolerance);
    values[k] = minimizers[w].minimize(function, search, smoothers.of_topic(k));
    evaluations[k] = minimizers[w].evaluations();
  });
  outcome.evaluations += *std::max_element(evaluations.begin(), evaluations.end());
  outcome.objective = sum(values) + objective.of_common_prior(smoothers.common());
  const std::vector<double> base(chain.beta().begin(), chain.beta().end());
  chain.set_beta(base, prior_rows(words, smoothers, base));
  return outcome;
}

}  // namespace trellis::topics
