#include "trellis/topics/embedding/topic_map.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/topics/embedding/leading_axes.h"

namespace trellis::topics {
namespace {

constexpr int kScalingRounds = 300;
constexpr Index kTopicsAtOnce = 32;
// Of a whole map, about; and the words that each topic has in it all the same.
constexpr Index kLogarithms = 1'000'000'000, kLeastWords = 200;

double entropy(std::span<const double> p) {
  return -sum_x_log_x(p);
}

// What is known of the words that a topic does not have.
struct Background {
  double beta = 0;      // Σ β_w
  double beta_log = 0;  // Σ β_w log β_w

  void add(double sign, double beta_w, double log_w) {
    beta += sign * beta_w;
    beta_log += sign * beta_w * log_w;
  }
  // −Σ c β_w log(c β_w)
  double entropy(double c) const { return -c * (portable_log(c) * beta + beta_log); }
};

// One topic against others, at each word.
class TopicPairs {
 public:
  explicit TopicPairs(const TopicRows& topics) : topics_(topics), outside_(topics.size()) {
    log_beta_.reserve(topics.num_words());
    Background all;
    for (const double beta : topics.beta) {
      log_beta_.push_back(portable_log(beta));
      all.add(1, beta, log_beta_.back());
    }
    for (Index k = 0; k < topics.size(); ++k) {
      outside_[k] = all;
      for (const std::uint32_t w : topics.words_of(k)) {
        outside_[k].add(-1, topics.beta[w], log_beta_[w]);
      }
    }
  }

  // Memory of one thread: φ_k of every word, and who was the last to have it.
  struct Scratch {
    std::vector<double> phi, middle;
    std::vector<std::uint32_t> seen_by;
  };
  Scratch scratch() const {
    Scratch made;
    made.phi.resize(topics_.num_words());
    made.seen_by.resize(topics_.num_words());
    made.middle.resize(topics_.num_words());
    made.middle.push_back(0);  // what is not counted is written, too
    return made;
  }

  double entropy_of(Index k) const {
    return entropy(topics_.probabilities_of(k)) + outside_[k].entropy(topics_.rest[k]);
  }

  // JSD with each topic before k.
  void compare(Index k, std::span<const double> entropies, Scratch& scratch,
               std::span<double> divergences) const {
    std::fill(scratch.seen_by.begin(), scratch.seen_by.end(), 0U);
    for (Index w = 0; w < topics_.num_words(); ++w) {
      scratch.phi[w] = topics_.rest[k] * topics_.beta[w];
    }
    const std::span<const std::uint32_t> words = topics_.words_of(k);
    for (Index i = 0; i < words.size(); ++i) {
      scratch.phi[words[i]] = topics_.probabilities_of(k)[i];
    }
    for (Index l = 0; l < k; ++l) {
      const double middle = middle_entropy(k, l, scratch);
      divergences[l] = std::max(0.0, middle - (entropies[k] + entropies[l]) / 2);
    }
  }

 private:
  // H((φ_k + φ_l) / 2), with φ_k in the scratch.
  double middle_entropy(Index k, Index l, Scratch& scratch) const {
    const std::span<const std::uint32_t> here = topics_.words_of(l), there = topics_.words_of(k);
    const std::span<const double> shares = topics_.probabilities_of(l);
    const auto mark = static_cast<std::uint32_t>(l + 1);
    const double* phi = scratch.phi.data();
    std::uint32_t* seen_by = scratch.seen_by.data();
    double* out = scratch.middle.data();
    for (Index i = 0; i < here.size(); ++i) {
      seen_by[here[i]] = mark;
      *out++ = (phi[here[i]] + shares[i]) / 2;
    }
    const double rest = topics_.rest[l], *beta = topics_.beta.data(), *log_beta = log_beta_.data();
    Background outside = outside_[l];
    for (const std::uint32_t w : there) {
      // Without a branch, which would be guessed wrong as often as topics share words.
      const bool alone = seen_by[w] != mark;
      *out = (phi[w] + rest * beta[w]) / 2;
      out += alone ? 1 : 0;
      outside.add(alone ? -1 : 0, beta[w], log_beta[w]);
    }
    const auto count = static_cast<Index>(out - scratch.middle.data());
    return entropy(std::span(scratch.middle).first(count)) +
           outside.entropy((topics_.rest[k] + topics_.rest[l]) / 2);
  }

  const TopicRows& topics_;
  std::vector<double> log_beta_;
  std::vector<Background> outside_;  // by topic: the words that it does not have
};

// −½ J D² J, J = I − 1/n: the inner products of places around their mean.
std::vector<double> inner_products(std::span<const double> squared_distances, Index n) {
  std::vector<double> means(n);
  for (Index i = 0; i < n; ++i) {
    means[i] = sum(squared_distances.subspan(i * n, n)) / static_cast<double>(n);
  }
  const double mean = sum(means) / static_cast<double>(n);
  std::vector<double> products(n * n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      products[i * n + j] = -0.5 * (squared_distances[i * n + j] - means[i] - means[j] + mean);
    }
  }
  return products;
}

}  // namespace

double jensen_shannon(std::span<const double> p, std::span<const double> q) {
  std::vector<double> middle(p.begin(), p.end());
  axpy(1, q, middle);
  scale(0.5, middle);
  return std::max(0.0, entropy(middle) - (entropy(p) + entropy(q)) / 2);
}

std::vector<double> jensen_shannon_table(const TopicRows& topics, int threads,
                                         const std::function<bool(Index)>& on_topics) {
  const Index n = topics.size();
  threads = resolve_threads(threads);
  const TopicPairs pairs(topics);
  std::vector<double> entropies(n), divergences(n * n, 0.0);
  parallel_for(n, threads, [&](Index k, int) { entropies[k] = pairs.entropy_of(k); });
  std::vector<TopicPairs::Scratch> scratch(static_cast<Index>(threads), pairs.scratch());
  for (Index first = 0; first < n; first += kTopicsAtOnce) {
    const Index count = std::min(kTopicsAtOnce, n - first);
    parallel_for(count, threads, [&](Index i, int worker) {
      const Index k = first + i;
      pairs.compare(k, entropies, scratch[static_cast<Index>(worker)],
                    std::span(divergences).subspan(k * n, k));
    });
    if (on_topics && !on_topics(first + count)) break;
  }
  for (Index k = 0; k < n; ++k) {
    for (Index l = 0; l < k; ++l) divergences[l * n + k] = divergences[k * n + l];
  }
  return divergences;
}

std::vector<Point> classical_scaling(std::span<const double> squared_distances, Index n) {
  if (squared_distances.size() != n * n) throw UsageError("classical scaling: no square table");
  const std::vector<double> products = inner_products(squared_distances, n);
  const LeadingAxes axes =
      leading_axes(n, 2, kScalingRounds, [&](std::span<const double> v, std::span<double> out) {
        for (Index i = 0; i < n; ++i) out[i] = dot(std::span(products).subspan(i * n, n), v);
      });
  std::vector<Point> places(n);
  for (Index axis = 0; axis < axes.vectors.size(); ++axis) {
    const double length = std::sqrt(axes.values[axis]);
    for (Index i = 0; i < n; ++i) {
      (axis == 0 ? places[i].x : places[i].y) = length * axes.vectors[axis][i];
    }
  }
  return places;
}

std::vector<Point> topic_map(const TopicRows& topics, int threads,
                             const std::function<bool(Index)>& on_topics) {
  const Index n = topics.size();
  const Index most = std::max(kLeastWords, kLogarithms / std::max<Index>(1, n * n));
  const bool few = std::all_of(
      topics.begin.begin(), topics.begin.end() - 1,
      [&, k = Index{0}](std::uint64_t begin) mutable { return topics.begin[++k] - begin <= most; });
  const std::vector<double> table =
      few ? jensen_shannon_table(topics, threads, on_topics)
          : jensen_shannon_table(foremost_words(topics, most), threads, on_topics);
  return classical_scaling(table, n);
}

}  // namespace trellis::topics
