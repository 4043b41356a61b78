// Lists of names in a model file: "SECTION/offsets" and "SECTION/bytes" (data/name_list.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trellis/data/model_file.h"
#include "trellis/data/name_list.h"

namespace trellis::generative {

NameList name_list(std::span<const std::string> names);
// The writer keeps a view of the names, which must outlive it.
void add_names(ModelWriter& writer, const std::string& section, const NameList& names);
// Throws InputError if there is no such list.
std::vector<std::string> read_names(const ModelReader& reader, const std::string& section);

}  // namespace trellis::generative
