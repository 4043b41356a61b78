// Messages for a wrong call.
#pragma once

#include <optional>
#include <string>

// NOLINTNEXTLINE(readability-identifier-naming): theirs
namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace trellis::cli {

// The message for the first word that no command accepts. CLI11 (2.1.2) reports such a word last,
// after what is missing or wrong because of it.
std::optional<std::string> unknown_word(const CLI::App& app);
// The message for any other wrong call.
std::string wrong_call(const CLI::App& program, const CLI::ParseError& error);

}  // namespace trellis::cli
