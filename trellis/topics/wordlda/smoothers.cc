#include "trellis/topics/wordlda/smoothers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {

void SmoothingOptions::check() const {
  const auto spread = [](double value) { return value >= 1e-3 && std::isfinite(value * value); };
  if (!spread(lambda)) throw UsageError("lambda must be finite and at least 0.001");
  if (!spread(sigma) && sigma != kInfinity) {
    throw UsageError("sigma must be at least 0.001, or inf (no limit)");
  }
  if (!spread(tau)) throw UsageError("tau must be finite and at least 0.001");
  if (evaluations < 1) throw UsageError("the number of evaluations must be at least 1");
  if (!(tolerance >= 0)) throw UsageError("the tolerance must be at least 0");
}

RelatedWords::RelatedWords(const WordGraph& graph, const WordFeatures& features)
    : num_features_(features.num_features()) {
  if (graph.num_words() != features.num_words()) {
    throw UsageError("the graph and the features have different vocabularies");
  }
  std::vector<std::uint32_t> row_of(graph.num_words(), 0);
  for (std::uint32_t v = 0; v < graph.num_words(); ++v) {
    if (!graph.linked(v)) continue;
    row_of[v] = static_cast<std::uint32_t>(words_.size());
    words_.push_back(v);
  }
  const Index linked = words_.size();
  for (std::uint32_t v = 0; v < graph.num_words(); ++v) {
    if (!graph.linked(v) && !features[v].empty()) words_.push_back(v);
  }
  for (Index r = 0; r < linked; ++r) {
    for (const WordGraph::Link& link : graph.links(words_[r])) {
      if (row_of[link.word] > r) {
        links_.push_back({row_of[link.word], static_cast<double>(link.weight)});
      }
    }
    link_begin_.push_back(links_.size());
  }
  for (const std::uint32_t v : words_) {
    for (const WordFeatures::Value& entry : features[v]) {
      features_.push_back({entry.feature, static_cast<double>(entry.value)});
    }
    feature_begin_.push_back(features_.size());
  }
}

void Smoothers::restore(std::span<const double> common, std::span<const double> of_topics) {
  const auto number = [](double value) { return std::isfinite(value); };
  if (common.size() != common_.size() || of_topics.size() != of_topics_.size() ||
      !std::all_of(common.begin(), common.end(), number) ||
      !std::all_of(of_topics.begin(), of_topics.end(), number)) {
    throw UsageError("the smoothers belong to other words or topics");
  }
  common_.assign(common.begin(), common.end());
  of_topics_.assign(of_topics.begin(), of_topics.end());
}

void topic_scores(const RelatedWords& words, std::span<const double> of_topic,
                  std::span<double> scores) {
  const Index linked = words.num_linked();
  std::copy_n(of_topic.begin(), linked, scores.begin());
  std::fill(scores.begin() + static_cast<std::ptrdiff_t>(linked), scores.end(), 0.0);
  if (words.num_features() == 0) return;
  const auto weights = of_topic.subspan(linked);
  for (Index r = 0; r < scores.size(); ++r) {
    for (const RelatedWords::Feature& x : words.features(r)) {
      scores[r] += x.value * weights[x.feature];
    }
  }
}

PriorRows prior_rows(const RelatedWords& words, const Smoothers& smoothers,
                     std::span<const double> base) {
  const Index rows = words.num_rows(), topics = smoothers.num_topics();
  // Rows have links first, and words must rise.
  std::vector<Index> order(rows), place(rows);
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(),
            [&](Index a, Index b) { return words.words()[a] < words.words()[b]; });
  PriorRows prior;
  prior.beta.resize(rows * topics);
  for (Index i = 0; i < rows; ++i) {
    place[order[i]] = i;
    prior.words.push_back(words.words()[order[i]]);
  }
  std::vector<double> scores(rows);
  for (Index k = 0; k < topics; ++k) {
    topic_scores(words, smoothers.of_topic(k), scores);
    axpy(1, smoothers.common(), scores);
    exp_shifted(scores, 0, scores);
    for (Index r = 0; r < rows; ++r) {
      prior.beta[place[r] * topics + k] =
          std::clamp(base[words.words()[r]] * scores[r], kLeastPrior, kLargestPrior);
    }
  }
  return prior;
}

}  // namespace trellis::topics
