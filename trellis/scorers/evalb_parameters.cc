#include "trellis/scorers/evalb_parameters.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::grammar {
namespace {

bool is_among(const std::vector<std::string>& list, std::string_view one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

bool are_equal(const EvalbParameters::Pairs& pairs, std::string_view a, std::string_view b) {
  if (a == b) return true;
  return std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
    return (pair.first == a && pair.second == b) || (pair.first == b && pair.second == a);
  });
}

Index parameter_number(std::string_view value, const InputFile& file) {
  const std::optional<long long> number = parse_integer(value);
  if (!number || *number < 0) {
    throw InputError(file.name(), file.line_number(), "expected a number from 0, found", value);
  }
  return static_cast<Index>(*number);
}

std::pair<std::string, std::string> parameter_pair(std::string_view value, const InputFile& file) {
  const Index first = std::min(value.find_first_of(" \t"), value.size());
  const std::string_view second = trim(value.substr(first));
  if (second.empty() || second.find_first_of(" \t") != std::string_view::npos) {
    throw InputError(file.name(), file.line_number(), "expected two values, found", value);
  }
  return {std::string(value.substr(0, first)), std::string(second)};
}

void set_parameter(std::string_view keyword, std::string_view value, const InputFile& file,
                   EvalbParameters& parameters) {
  if (value.empty()) {
    throw InputError(file.name(), file.line_number(), "expected a value after", keyword);
  }
  if (keyword == "DEBUG") {
    parameter_number(value, file);
  } else if (keyword == "MAX_ERROR") {
    parameters.max_errors = parameter_number(value, file);
  } else if (keyword == "CUTOFF_LEN") {
    parameters.cutoff = parameter_number(value, file);
  } else if (keyword == "LABELED") {
    parameters.labelled = parameter_number(value, file) != 0;
  } else if (keyword == "DELETE_LABEL") {
    parameters.deleted.emplace_back(value);
  } else if (keyword == "DELETE_LABEL_FOR_LENGTH") {
    parameters.deleted_for_length.emplace_back(value);
  } else if (keyword == "QUOTE_LABEL") {
    parameters.quotes.emplace_back(value);
  } else if (keyword == "EQ_LABEL") {
    parameters.equal_labels.push_back(parameter_pair(value, file));
  } else if (keyword == "EQ_WORD") {
    parameters.equal_words.push_back(parameter_pair(value, file));
  } else {
    throw InputError(file.name(), file.line_number(),
                     "expected a keyword of EVALB's parameters, found", keyword);
  }
}

}  // namespace

EvalbParameters EvalbParameters::collins() {
  EvalbParameters parameters;
  parameters.deleted = {"TOP", "-NONE-", ",", ":", "``", "''", "."};
  parameters.deleted_for_length = {"-NONE-"};
  parameters.equal_labels = {{"ADVP", "PRT"}};
  return parameters;
}

bool EvalbParameters::deletes(std::string_view tag) const {
  return is_among(deleted, tag);
}

bool EvalbParameters::counts_for_length(std::string_view tag) const {
  return !is_among(deleted_for_length, tag);
}

bool EvalbParameters::is_quote(std::string_view tag, std::string_view word) const {
  return (word == "'" || word == "\"" || word == "/") && is_among(quotes, tag);
}

bool EvalbParameters::same_label(std::string_view a, std::string_view b) const {
  return are_equal(equal_labels, a, b);
}

bool EvalbParameters::same_word(std::string_view a, std::string_view b) const {
  return are_equal(equal_words, a, b);
}

bool EvalbParameters::deletes_bracket(std::string_view label) const {
  return std::any_of(deleted.begin(), deleted.end(),
                     [&](const std::string& one) { return same_label(label, one); });
}

EvalbParameters read_evalb_parameters(InputFile file) {
  constexpr Index kShortestLine = 3;  // EVALB passes over what is shorter
  EvalbParameters parameters;
  for (std::string_view line; file.read_line(line);) {
    const std::string_view text = trim(line);
    if (text.size() < kShortestLine || text.front() == '#') continue;
    const Index end = std::min(text.find_first_of(" \t"), text.size());
    set_parameter(text.substr(0, end), trim(text.substr(end)), file, parameters);
  }
  return parameters;
}

}  // namespace trellis::grammar
