#include "trellis/tasks/topics/topic_words.h"

#include <algorithm>

#include "trellis/base/error.h"

namespace trellis::topics {
namespace {

// Sums of this many are well below 2⁶⁴, and below the largest exact integer of a double.
constexpr std::uint64_t kMostTokens = std::uint64_t{1} << 40;

}  // namespace

StoredGraph::StoredGraph(const WordGraph& graph) {
  for (std::uint32_t v = 0; v < graph.num_words(); ++v) {
    for (const WordGraph::Link& link : graph.links(v)) {
      if (link.word < v) continue;
      low_.push_back(v);
      high_.push_back(link.word);
      weights_.push_back(link.weight);
    }
  }
}

void StoredGraph::add_to(ModelWriter& writer) const {
  writer.add_array<std::uint32_t>("graph/low", low_);
  writer.add_array<std::uint32_t>("graph/high", high_);
  writer.add_array<float>("graph/weights", weights_);
}

void add_prior_rows(ModelWriter& writer, const PriorRows& rows) {
  writer.add_array<std::uint32_t>("prior/words", rows.words);
  writer.add_array<double>("prior/beta", rows.beta);
}

void add_languages(ModelWriter& writer, const ModelLanguages& languages) {
  writer.add_array<std::uint64_t>("languages/offsets", languages.names.offsets());
  writer.add_array<char>("languages/bytes", languages.names.bytes());
  writer.add_array<std::uint64_t>("languages/counts", languages.words.counts);
}

WordGraph read_graph(const ModelReader& reader, Index num_words) {
  const auto low = reader.array<std::uint32_t>("graph/low");
  const auto high = reader.array<std::uint32_t>("graph/high", low.size());
  const auto weights = reader.array<float>("graph/weights", low.size());
  WordGraphBuilder builder(num_words);
  for (Index i = 0; i < low.size(); ++i) builder.add(low[i], high[i], weights[i]);
  return builder.build();
}

PriorRows read_prior_rows(const ModelReader& reader) {
  const auto words = reader.array<std::uint32_t>("prior/words");
  const auto beta = reader.array<double>("prior/beta");
  return {{words.begin(), words.end()}, {beta.begin(), beta.end()}};
}

WordParts read_parts(const ModelReader& reader, Index num_words) {
  if (!reader.has("parts")) return {};
  const auto parts = reader.array<std::uint8_t>("parts", num_words);
  if (parts.empty()) return {};
  std::vector<bool> seen(256, false);
  for (const std::uint8_t part : parts) seen[part] = true;
  const Index count = static_cast<Index>(*std::max_element(parts.begin(), parts.end())) + 1;
  if (!std::all_of(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(count),
                   [](bool has_words) { return has_words; })) {
    throw UsageError("a part of the vocabulary has no words");
  }
  return {count, {parts.begin(), parts.end()}};
}

std::optional<ModelLanguages> read_languages(const ModelReader& reader, Index num_words) {
  if (!reader.has("languages/counts")) return std::nullopt;
  ModelLanguages languages;
  languages.names = NameList(NameView(reader.array<std::uint64_t>("languages/offsets"),
                                      reader.array<char>("languages/bytes"), reader.name()),
                             reader.name());
  const Index count = languages.names.size();
  const auto counts = reader.array<std::uint64_t>("languages/counts", num_words * count);
  const auto too_many = [](std::uint64_t n) { return n > kMostTokens; };
  if (count == 0 || std::any_of(counts.begin(), counts.end(), too_many)) {
    throw UsageError("the description of the languages of its words is not valid");
  }
  languages.words.num_languages = count;
  languages.words.counts.assign(counts.begin(), counts.end());
  languages.words.totals.assign(count, 0);
  for (Index i = 0; i < counts.size(); ++i) languages.words.totals[i % count] += counts[i];
  return languages;
}

}  // namespace trellis::topics
