// One example of a classification data set (example_reader.h describes the formats): a text, or a
// sparse feature vector.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/data/libsvm_fields.h"

namespace trellis::classify {

enum class InputFormat {
  kText,    // columns separated by tabs, one or more of which are text
  kLibsvm,  // label index:value …
};
constexpr auto names_of(InputFormat) {
  return Names{"format", "text", "libsvm"};
}

// Storage is reused from example to example.
struct Example {
  Index line = 0;
  bool labelled = false;
  std::string label;
  std::string id;                    // where the file has such a column
  std::string text;                  // kText
  std::vector<IndexedValue> values;  // kLibsvm: ascending, no index twice

  void clear() {
    labelled = false;
    label.clear();
    id.clear();
    text.clear();
    values.clear();
  }
};

}  // namespace trellis::classify
