// The words of a line of a factor-graph file, and the errors about invalid lines.
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

  // Reads the next line that has more than a comment; an empty line has no words. False at the end.
  bool next();
  const std::vector<std::string_view>& words() const { return words_; }

  const std::string& file() const { return file_.name(); }
  Index number() const { return file_.line_number(); }
  [[noreturn]] void refuse(const std::string& message, std::string_view token = {}) const;
  // Returns what `make` returns; its UsageErrors become errors about the line.
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
// Reads words of the form NAME or NAME:VALUE; a name with a colon requires a value. Refuses a
// repeated name, `bias`, and values that are not numbers up to `largest`.
void read_attributes(const GraphLines& lines, Words words, double largest,
                     std::vector<Attribute>& attributes);

}  // namespace trellis::factors
