#include "trellis/tasks/tables/value_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::generative {
namespace {

bool is_ascii_digit(char c) {
  return c >= '0' && c <= '9';
}

// The digits at the beginning, without leading zeros; `size`: how many characters they take.
std::string_view digits_at(std::string_view text, Index& size) {
  size = 0;
  while (size < text.size() && is_ascii_digit(text[size])) ++size;
  std::string_view digits = text.substr(0, size);
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

}  // namespace

std::string loss_name(const std::string& loss) {
  return loss == "hamming" || loss == "ring" ? loss : "table";
}

bool natural_less(std::string_view a, std::string_view b) {
  const std::string_view whole_a = a, whole_b = b;
  while (!a.empty() && !b.empty()) {
    if (is_ascii_digit(a.front()) && is_ascii_digit(b.front())) {
      Index size_a = 0, size_b = 0;
      const std::string_view x = digits_at(a, size_a), y = digits_at(b, size_b);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      a.remove_prefix(size_a);
      b.remove_prefix(size_b);
    } else if (a.front() != b.front()) {
      return static_cast<unsigned char>(a.front()) < static_cast<unsigned char>(b.front());
    } else {
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  if (a.empty() != b.empty()) return a.empty();
  return whole_a < whole_b;  // "01" and "1"
}

CostTable ring_costs(Index num_values) {
  std::vector<double> table;
  for (Index i = 0; i < num_values; ++i) {
    for (Index j = 0; j < num_values; ++j) {
      const Index apart = i > j ? i - j : j - i;
      table.push_back(static_cast<double>(std::min(apart, num_values - apart)));
    }
  }
  return {num_values, std::move(table)};
}

CostTable read_costs(InputFile file, std::span<const std::string> values) {
  const Index n = values.size();
  std::vector<double> table(n * n, 1.0);
  std::vector<bool> told(n * n, false);
  for (Index i = 0; i < n; ++i) table[i * n + i] = 0;
  std::string_view line;
  std::vector<std::string_view> fields;
  while (file.read_line(line)) {
    split_columns(line, fields);
    if (fields.empty() || fields[0].starts_with('#')) continue;
    const auto refuse = [&](std::string_view message, std::string_view token) {
      throw InputError(file.name(), file.line_number(), message, token);
    };
    if (fields.size() != 3) refuse("expected truth, prediction and cost, found", trim(line));
    Index place[2];
    for (Index k = 0; k < 2; ++k) {
      const auto found = std::find(values.begin(), values.end(), fields[k]);
      if (found == values.end())
        refuse("expected a value that occurs in the data, found", fields[k]);
      place[k] = static_cast<Index>(found - values.begin());
    }
    const auto cost = parse_double(fields[2]);
    if (!cost || !(*cost >= 0)) refuse("expected a cost ≥ 0, found", fields[2]);
    if (place[0] == place[1] && *cost != 0)
      refuse("expected no cost for a correct prediction, found", fields[2]);
    const Index cell = place[0] * n + place[1];
    if (told[cell]) refuse("this pair already has a cost:", trim(line));
    told[cell] = true;
    table[cell] = *cost;
  }
  return {n, std::move(table)};
}

void require_costs(const std::string& loss) {
  if (loss == "hamming" || loss == "ring") return;
  try {
    require_readable(loss);
  } catch (const InputError&) {
    throw UsageError(
        fmt::format("unknown loss '{}': expected hamming, ring or a file that can be read", loss));
  }
}

CostTable value_costs(const std::string& loss, std::span<const std::string> values) {
  if (loss == "hamming") return CostTable::hamming(values.size());
  if (loss == "ring") return ring_costs(values.size());
  require_costs(loss);
  return read_costs(InputFile(loss), values);
}

}  // namespace trellis::generative
