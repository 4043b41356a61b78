#include "trellis/tasks/tables/names_of_values.h"

namespace trellis::generative {

NameList name_list(std::span<const std::string> names) {
  NameList list;
  for (const std::string& name : names) list.add(name);
  return list;
}

}  // namespace trellis::generative
