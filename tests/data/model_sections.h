// Model files taken apart, changed and put together again, to see that what does not fit is
// refused.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/model_file.h"

namespace trellis::testing {

using Sections = std::map<std::string, std::string>;  // by name

inline std::string model_bytes(const Sections& sections, const std::string& kind,
                               std::uint32_t version) {
  ModelWriter writer(kind, version);
  for (const auto& [name, content] : sections) writer.add_text(name, content);
  return writer.to_bytes();
}

template <class T>
void set_element(std::string& section, Index at, T value) {
  ASSERT_LE((at + 1) * sizeof(T), section.size());
  std::memcpy(section.data() + at * sizeof(T), &value, sizeof(T));
}

// visit(sections, what is wrong) with each of these values in the description, and without its key.
template <class Visit>
void each_wrong_meta(const Sections& good,
                     const std::vector<std::pair<std::string, nlohmann::json>>& wrong,
                     const Visit& visit) {
  for (const auto& [key, value] : wrong) {
    Sections sections = good;
    nlohmann::json meta = nlohmann::json::parse(sections["meta"]);
    meta[key] = value;
    sections["meta"] = meta.dump();
    visit(sections, key + " = " + value.dump());
    meta.erase(key);
    sections["meta"] = meta.dump();
    visit(sections, "no " + key);
  }
}

}  // namespace trellis::testing
