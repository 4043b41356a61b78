#include "trellis/frame/training/tried.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <iterator>
#include <optional>
#include <set>

#include "trellis/base/error.h"
#include "trellis/fit/dials.h"

namespace trellis {
namespace {

// The value that continues a list beyond `end` with the list's own step; `inner` is the neighbour
// of `end`. Empty if the hyperparameter has no such value.
std::optional<double> next_value(const Dial& dial, double inner, double end) {
  const bool counts = dial.member.index() == 1;
  double next = inner > 0 ? end * end / inner : 2 * end;
  if (counts) next = std::round(next);
  if (next == end) return std::nullopt;
  try {
    LearnerOptions in_range;
    dial.set(in_range, next);
    return next;
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

}  // namespace

std::string describe(const Tried& tried, const std::vector<Candidates>& searched) {
  const std::string values = describe_setting(tried.setting, searched);
  if (values.empty() || tried.variant.empty()) return tried.variant + values;
  return tried.variant + ", " + values;
}

std::string figure_text(const Tried& tried, const std::vector<Candidates>& searched,
                        std::string_view figure_name) {
  std::string text = describe(tried, searched) + ":";
  if (std::isfinite(tried.figure)) text += fmt::format(" {} {:.6g}", figure_name, tried.figure);
  if (tried.folds > 0) text += fmt::format(" ({} fold{})", tried.folds, tried.folds > 1 ? "s" : "");
  return text;
}

std::vector<std::string> edge_advice(const Tried& chosen, std::span<const Tried> tried,
                                     const std::vector<Candidates>& searched) {
  std::vector<std::string> advice;
  for (const Candidates& one : searched) {
    const Dial& row = dial(one.dial);
    if (!row.said(chosen.setting.values)) continue;
    std::set<double> values;
    for (const Tried& other : tried) {
      if (other.variant != chosen.variant || !row.said(other.setting.values)) continue;
      values.insert(row.number(other.setting.values));
    }
    const double end = row.number(chosen.setting.values);
    if (values.size() < 3 || (end != *values.begin() && end != *values.rbegin())) continue;
    const bool least = end == *values.begin();
    const auto next =
        next_value(row, least ? *std::next(values.begin()) : *std::next(values.rbegin()), end);
    if (!next) continue;
    const auto after = next_value(row, end, *next);
    advice.push_back(fmt::format(
        "the best {0} is the {1} evaluated: --{0} {2:g},{3:g}{4} continues the search", one.dial,
        least ? "smallest" : "largest", end, *next, after ? fmt::format(",{:g}", *after) : ""));
  }
  return advice;
}

std::string choice_text(const Tried& chosen, std::span<const Tried> tried,
                        const std::vector<Candidates>& searched) {
  const std::vector<std::string> advice = edge_advice(chosen, tried, searched);
  const std::string text = "chose " + describe(chosen, searched);
  return advice.empty() ? text : fmt::format("{} ({})", text, fmt::join(advice, "; "));
}

}  // namespace trellis
