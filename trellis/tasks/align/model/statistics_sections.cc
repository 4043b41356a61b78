#include "trellis/tasks/align/model/statistics_sections.h"

#include <string>
#include <vector>

namespace trellis::align {
namespace {

template <class T>
std::vector<T> read_array(const ModelReader& reader, const std::string& name) {
  const std::span<const T> values = reader.array<T>("statistics/" + name);
  return {values.begin(), values.end()};
}

void write_patterns(const BigramPatterns& patterns, const std::string& side, ModelWriter& writer) {
  writer.add_array<std::uint64_t>("statistics/" + side + "_bigrams", patterns.keys());
  writer.add_array<float>("statistics/" + side + "_shares", patterns.shares());
}

BigramPatterns read_patterns(const std::string& side, const ModelReader& reader) {
  return {read_array<std::uint64_t>(reader, side + "_bigrams"),
          read_array<float>(reader, side + "_shares")};
}

}  // namespace

Value write_statistics(const TextStatistics& statistics, ModelWriter& writer) {
  writer.add_array<std::uint32_t>("statistics/source_counts", statistics.source_counts);
  writer.add_array<std::uint32_t>("statistics/target_counts", statistics.target_counts);
  writer.add_array<float>("statistics/dice", statistics.dice);
  write_patterns(statistics.source, "source", writer);
  write_patterns(statistics.target, "target", writer);
  writer.add_array<float>("statistics/source_several", statistics.source_several);
  writer.add_array<float>("statistics/target_several", statistics.target_several);
  return Value::record({{"frequent", statistics.frequent}});
}

std::shared_ptr<const TextStatistics> read_statistics(const Value& meta,
                                                      const ModelReader& reader) {
  auto statistics = std::make_shared<TextStatistics>();
  statistics->frequent = meta.at("frequent").get<Index>();
  statistics->source_counts = read_array<std::uint32_t>(reader, "source_counts");
  statistics->target_counts = read_array<std::uint32_t>(reader, "target_counts");
  statistics->dice = read_array<float>(reader, "dice");
  statistics->source = read_patterns("source", reader);
  statistics->target = read_patterns("target", reader);
  statistics->source_several = read_array<float>(reader, "source_several");
  statistics->target_several = read_array<float>(reader, "target_several");
  return statistics;
}

}  // namespace trellis::align
