// The words of a line of a factor-graph file, and what is said where they are not what they should
// be.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/types.h"

namespace trellis::factors {

using Words = std::span<const std::string_view>;

class GraphLines {
 public:
  explicit GraphLines(InputFile file) : file_(std::move(file)) {}

  // The next line that is more than a comment; an empty one has no words. False at the end.
  bool next();
  const std::vector<std::string_view>& words() const { return words_; }

  const std::string& file() const { return file_.name(); }
  Index number() const { return file_.line_number(); }
  [[noreturn]] void refuse(const std::string& message, std::string_view token = {}) const;
  // What `make` returns; its UsageErrors are complaints about the line.
  template <class Make>
  auto checked(const Make& make) const {
    try {
      return make();
    } catch (const UsageError& error) {
      refuse(error.what());
    }
  }

 private:
  InputFile file_;
  std::string_view line_;
  std::vector<std::string_view> words_;
};

struct Attribute {
  std::string_view name;
  double value = 1;
};
// NAME or NAME:VALUE, each; a colon in a name needs a value behind. Refuses a name twice, `bias`,
// and values that are no numbers up to `largest`.
void read_attributes(const GraphLines& lines, Words words, double largest,
                     std::vector<Attribute>& attributes);

}  // namespace trellis::factors
