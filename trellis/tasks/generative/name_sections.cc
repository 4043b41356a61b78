#include "trellis/tasks/generative/name_sections.h"

#include <cstdint>

namespace trellis::generative {

NameList name_list(std::span<const std::string> names) {
  NameList list;
  for (const std::string& name : names) list.add(name);
  return list;
}

void add_names(ModelWriter& writer, const std::string& section, const NameList& names) {
  writer.add_array<std::uint64_t>(section + "/offsets", names.view().offsets());
  writer.add_array<char>(section + "/bytes", names.view().bytes());
}

std::vector<std::string> read_names(const ModelReader& reader, const std::string& section) {
  const NameView names(reader.array<std::uint64_t>(section + "/offsets"),
                       reader.array<char>(section + "/bytes"), reader.name());
  std::vector<std::string> list;
  for (Index i = 0; i < names.size(); ++i) list.emplace_back(names[i]);
  return list;
}

}  // namespace trellis::generative
