#include "trellis/tasks/topics/topic_counts.h"

#include <algorithm>
#include <utility>

namespace trellis::topics {
namespace {

constexpr double kLargestCount = 1e15;

}  // namespace

StoredCounts::StoredCounts(const LdaModel& lda, bool are_expected) : expected(are_expected) {
  std::vector<LdaModel::Entry> row;
  for (Index w = 0; w < lda.num_words(); ++w) {
    row.assign(lda.entries(w).begin(), lda.entries(w).end());
    std::sort(row.begin(), row.end(), [](auto& a, auto& b) { return a.topic < b.topic; });
    for (const LdaModel::Entry& entry : row) {
      if (entry.count == 0) continue;
      topics.push_back(static_cast<std::uint16_t>(entry.topic));
      if (expected) {
        expectations.push_back(entry.count);
      } else {
        whole.push_back(static_cast<std::uint32_t>(entry.count));
      }
    }
    begin.push_back(topics.size());
  }
}

void StoredCounts::describe(ModelArchive& a, const std::string& name, Index num_words,
                            Index num_topics) {
  a.lists(name + "/begin", begin, name + "/topics", topics, num_words,
          {.ascending = true, .in = Range{0, static_cast<double>(num_topics) - 1}},
          "topics of each word");
  a.where("not expected", !expected, [&] {
    a.array(name + "/values", whole, {.size = topics.size(), .in = Range{1, kLargestCount}},
            "how often a word has a topic");
  });
  a.where("expected", expected, [&] {
    a.array(name + "/values", expectations,
            {.size = topics.size(), .in = Range{kAboveZero, kLargestCount}},
            "how often a word has a topic, by expectation");
  });
}

LdaModel StoredCounts::model(std::vector<double> alpha, std::vector<double> beta, PriorRows rows,
                             WordParts parts) const {
  std::vector<LdaModel::Entry> entries;
  entries.reserve(topics.size());
  for (Index x = 0; x < topics.size(); ++x) {
    entries.push_back({topics[x], expected ? expectations[x] : static_cast<double>(whole[x])});
  }
  return {std::move(alpha),   std::move(beta), begin,
          std::move(entries), std::move(rows), std::move(parts)};
}

}  // namespace trellis::topics
