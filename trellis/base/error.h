// The exceptions that the library throws. Bad input is an InputError, a wrong call a UsageError;
// a broken precondition is an assertion, and a numerical outcome an enum in a result.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace trellis {

// A file or a model is not what it should be. `what()` is one sentence that names the file, the
// line where there is one, and what was expected: "train.txt:17: expected 3 columns, found 2".
class InputError : public std::runtime_error {
 public:
  // line 0: the complaint is about the file as a whole. `token` is the offending text, if any; the
  // sentence ends with it in quotes, shortened and with control characters escaped:
  // InputError("a.txt", 3, "expected a number, found", "x1") → a.txt:3: expected a number, found
  // "x1"
  InputError(std::string_view file, std::size_t line, std::string_view message,
             std::string_view token = {});

  const std::string& file() const { return file_; }
  std::size_t line() const { return line_; }
  const std::string& token() const { return token_; }

 private:
  std::string file_;
  std::size_t line_;
  std::string token_;
};

// The caller asked for something that does not exist or does not fit together.
class UsageError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// What use() returns. Where it throws UsageError, of something that stands in a file, that becomes
// an InputError with the place.
template <class Use>
auto at_line(std::string_view file, std::size_t line, const Use& use) {
  try {
    return use();
  } catch (const UsageError& error) {
    throw InputError(file, line, error.what());
  }
}

}  // namespace trellis
