#include "trellis/tasks/topics/topic_counts.h"

#include <algorithm>
#include <span>
#include <utility>

#include "trellis/base/error.h"

namespace trellis::topics {
namespace {

constexpr double kLargestCount = 1e15;

template <class Value>
std::vector<LdaModel::Entry> read_entries(const ModelReader& reader, const std::string& name,
                                          Index num_topics, std::span<const std::uint64_t> begin) {
  const auto topics = reader.array<std::uint16_t>(name + "/topics");
  const auto values = reader.array<Value>(name + "/values", topics.size());
  if (begin.front() != 0 || begin.back() != topics.size() ||
      !std::is_sorted(begin.begin(), begin.end())) {
    throw UsageError("the counts of words are not contiguous");
  }
  std::vector<LdaModel::Entry> entries;
  entries.reserve(topics.size());
  for (Index w = 0; w + 1 < begin.size(); ++w) {
    for (Index x = begin[w]; x < begin[w + 1]; ++x) {
      const auto count = static_cast<double>(values[x]);
      if (topics[x] >= num_topics || (x > begin[w] && topics[x] <= topics[x - 1]) ||
          !(count > 0 && count <= kLargestCount)) {
        throw UsageError("a word has an invalid count");
      }
      entries.push_back({topics[x], count});
    }
  }
  return entries;
}

}  // namespace

StoredCounts::StoredCounts(const LdaModel& lda, bool expectations) : expectations_(expectations) {
  std::vector<LdaModel::Entry> row;
  for (Index w = 0; w < lda.num_words(); ++w) {
    row.assign(lda.entries(w).begin(), lda.entries(w).end());
    std::sort(row.begin(), row.end(), [](auto& a, auto& b) { return a.topic < b.topic; });
    for (const LdaModel::Entry& entry : row) {
      if (entry.count == 0) continue;
      topics_.push_back(static_cast<std::uint16_t>(entry.topic));
      if (expectations) {
        expected_.push_back(entry.count);
      } else {
        whole_.push_back(static_cast<std::uint32_t>(entry.count));
      }
    }
    begin_.push_back(topics_.size());
  }
}

void StoredCounts::add_to(ModelWriter& writer, const std::string& name) const {
  writer.add_array<std::uint64_t>(name + "/begin", begin_);
  writer.add_array<std::uint16_t>(name + "/topics", topics_);
  if (expectations_) {
    writer.add_array<double>(name + "/values", expected_);
  } else {
    writer.add_array<std::uint32_t>(name + "/values", whole_);
  }
}

LdaModel read_counts(const ModelReader& reader, const std::string& name, bool expectations,
                     std::vector<double> alpha, std::vector<double> beta, PriorRows rows,
                     WordParts parts) {
  const auto begin = reader.array<std::uint64_t>(name + "/begin", beta.size() + 1);
  std::vector<LdaModel::Entry> entries =
      expectations ? read_entries<double>(reader, name, alpha.size(), begin)
                   : read_entries<std::uint32_t>(reader, name, alpha.size(), begin);
  return {std::move(alpha),   std::move(beta), {begin.begin(), begin.end()},
          std::move(entries), std::move(rows), std::move(parts)};
}

}  // namespace trellis::topics
