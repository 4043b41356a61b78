#include "trellis/topics/topic_rows.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {
namespace {

constexpr double kLeastLeft = 1e-12;  // that rounding may leave of what is above 0

}  // namespace

TopicRows rows_of_topics(const LdaModel& model, std::span<const Index> topics) {
  constexpr Index kNone = std::numeric_limits<Index>::max();
  std::vector<Index> row_of(model.num_topics(), kNone);
  for (Index i = 0; i < topics.size(); ++i) row_of[topics[i]] = i;
  TopicRows rows;
  rows.beta.assign(model.beta().begin(), model.beta().end());
  const WordParts& parts = model.prior().parts();
  for (const Index k : topics) rows.rest.push_back(model.inverse(0)[k]);
  // visit(row, w, φ_wk)
  std::vector<double> phi(model.num_topics());
  const auto for_each = [&](const auto& visit) {
    for (std::uint32_t w = 0; w < model.num_words(); ++w) {
      if (parts.count == 1 && model.prior().row(w).empty()) {
        for (const LdaModel::Entry& entry : model.entries(w)) {
          const Index row = row_of[entry.topic];
          if (row == kNone || entry.count == 0) continue;
          visit(row, w, (entry.count + rows.beta[w]) * rows.rest[row]);
        }
        continue;
      }
      model.word_probabilities(w, phi);
      const double share = model.part_shares()[parts[w]];
      for (Index i = 0; i < topics.size(); ++i) visit(i, w, share * phi[topics[i]]);
    }
  };

  rows.begin.assign(topics.size() + 1, 0);
  for_each([&](Index row, std::uint32_t, double) { ++rows.begin[row + 1]; });
  for (Index i = 0; i < topics.size(); ++i) rows.begin[i + 1] += rows.begin[i];
  rows.words.resize(rows.begin.back());
  rows.probabilities.resize(rows.begin.back());
  std::vector<std::uint64_t> at(rows.begin.begin(), rows.begin.end() - 1);
  for_each([&](Index row, std::uint32_t w, double probability) {
    rows.words[at[row]] = w;
    rows.probabilities[at[row]++] = probability;
  });
  return rows;
}

TopicRows foremost_words(const TopicRows& topics, Index most) {
  TopicRows kept;
  kept.beta = topics.beta;
  const double beta_sum = sum(topics.beta);
  std::vector<Index> order;
  for (Index k = 0; k < topics.size(); ++k) {
    const std::span<const std::uint32_t> words = topics.words_of(k);
    const std::span<const double> shares = topics.probabilities_of(k);
    const Index count = std::min<Index>(most, words.size());
    order.resize(words.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::nth_element(
        order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
        [&](Index a, Index b) { return shares[a] != shares[b] ? shares[a] > shares[b] : a < b; });
    order.resize(count);
    std::sort(order.begin(), order.end());
    double left = 1, left_beta = beta_sum;
    for (const Index i : order) {
      kept.words.push_back(words[i]);
      kept.probabilities.push_back(shares[i]);
      left -= shares[i];
      left_beta -= topics.beta[words[i]];
    }
    const bool all = count == words.size();
    kept.rest.push_back(all ? topics.rest[k]
                            : std::max(left, kLeastLeft) / std::max(left_beta, kLeastLeft));
    kept.begin.push_back(kept.words.size());
  }
  return kept;
}

}  // namespace trellis::topics
