#include "trellis/tasks/training/tried.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "trellis/base/error.h"
#include "trellis/fit/dials.h"

namespace trellis {
namespace {

// Whether there are values beyond one that is the last of its list, below it or above.
bool goes_on(const Dial& dial, const std::vector<double>& values, double last) {
  const double beyond =
      last == *std::min_element(values.begin(), values.end()) ? last / 2 : last * 2;
  if (beyond == last) return false;  // 0
  try {
    LearnerOptions in_range;
    dial.set(in_range, beyond);
    return true;
  } catch (const UsageError&) {
    return false;
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

std::string choice_text(const Tried& chosen, const std::vector<Candidates>& searched) {
  std::string text = "chose " + describe(chosen, searched);
  for (const Candidates& one : searched) {
    const double value = dial(one.dial).number(chosen.setting.values);
    const bool last = value == one.values.front() || value == one.values.back();
    if (one.values.size() > 1 && last && goes_on(dial(one.dial), one.values, value)) {
      text +=
          fmt::format(" ({} is the last of those tried: more beyond it may be better)", one.dial);
    }
  }
  return text;
}

}  // namespace trellis
