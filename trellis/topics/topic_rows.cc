#include "trellis/topics/topic_rows.h"

#include <limits>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {

TopicRows rows_of_topics(const LdaModel& model, std::span<const Index> topics) {
  constexpr Index kNone = std::numeric_limits<Index>::max();
  std::vector<Index> row_of(model.num_topics(), kNone);
  for (Index i = 0; i < topics.size(); ++i) row_of[topics[i]] = i;
  const auto for_each = [&](const auto& visit) {
    for (std::uint32_t w = 0; w < model.num_words(); ++w) {
      for (const LdaModel::Entry& entry : model.entries(w)) {
        const Index row = row_of[entry.topic];
        if (row != kNone && entry.count > 0) visit(row, w, entry.count);
      }
    }
  };

  TopicRows rows;
  rows.beta.assign(model.beta().begin(), model.beta().end());
  const double beta_sum = sum(rows.beta);
  for (const Index k : topics) rows.rest.push_back(1 / (model.totals()[k] + beta_sum));
  rows.begin.assign(topics.size() + 1, 0);
  for_each([&](Index row, std::uint32_t, double) { ++rows.begin[row + 1]; });
  for (Index i = 0; i < topics.size(); ++i) rows.begin[i + 1] += rows.begin[i];
  rows.words.resize(rows.begin.back());
  rows.probabilities.resize(rows.begin.back());
  std::vector<std::uint64_t> at(rows.begin.begin(), rows.begin.end() - 1);
  for_each([&](Index row, std::uint32_t w, double count) {
    rows.words[at[row]] = w;
    rows.probabilities[at[row]++] = (count + rows.beta[w]) * rows.rest[row];
  });
  return rows;
}

}  // namespace trellis::topics
