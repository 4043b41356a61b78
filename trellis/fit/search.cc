#include "trellis/fit/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/fit/dials.h"

namespace trellis {
namespace {

std::vector<double> automatic_values(const Dial& dial, const LearnerChoice& choice,
                                     const TaskDefaults& defaults) {
  if (dial.name == "c" || dial.name == "lambda") {
    if (!defaults.grid.empty() && defaults.per_lambda == (dial.name == "lambda")) {
      return defaults.grid;
    }
    return dial.name == "c" ? std::vector<double>{0.01, 0.1, 1, 10, 100}
                            : std::vector<double>{10, 1, 0.1, 0.01, 0.001, 1e-4};
  }
  const double standard = dial.said(choice.values) ? dial.number(choice.values) : 0;
  if (standard <= 0) {
    throw UsageError(
        fmt::format("--{} auto is not possible: list the values to choose from", dial.name));
  }
  const bool counts = dial.member.index() == 1;
  std::vector<double> values;
  for (const double factor : {1.0 / 4, 1.0 / 2, 1.0, 2.0, 4.0}) {
    const double value = standard * factor;
    if (!counts || value == static_cast<double>(static_cast<Index>(value))) values.push_back(value);
  }
  return values;
}

}  // namespace

void read_dial(std::string_view name, std::string_view text, LearnerOptions& said,
               std::vector<Candidates>& candidates) {
  const Dial& row = dial(name);
  if (!row.numeric() || (text != "auto" && text.find(',') == std::string_view::npos)) {
    row.set(said, text);
    return;
  }
  Candidates choice{std::string(name), {}};
  for (bool more = text != "auto"; more;) {
    const auto comma = text.find(',');
    LearnerOptions one;
    row.set(one, text.substr(0, comma));
    choice.values.push_back(row.number(one));
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
  }
  if (!choice.values.empty()) row.set(said, choice.values.front());
  candidates.push_back(std::move(choice));
}

std::vector<Candidates> resolve(const std::vector<Candidates>& candidates,
                                const LearnerChoice& choice, const TaskDefaults& defaults) {
  std::vector<Candidates> resolved;
  for (Candidates one : candidates) {
    const Dial& row = dial(one.dial);
    if (!row.learners.has(choice.learner)) {
      throw UsageError(fmt::format("--{1} cannot be combined with the learner {0}: it requires {2}",
                                   to_string(choice.learner), row.name, row.learners.names("or")));
    }
    if (row.name == "radius" && choice.by_examples()) throw UsageError(kExamplesNeedAPenalty);
    if (!row.numeric()) {
      throw UsageError(fmt::format("--{} is not numeric: give it only one value", row.name));
    }
    for (const Candidates& other : resolved) {
      if (other.dial == one.dial) {
        throw UsageError(fmt::format("--{} has several lists of values: give only one", row.name));
      }
      if (row.holds_weights() && dial(other.dial).holds_weights()) {
        throw UsageError(
            "--c, --lambda and --radius all set the strength of the regularisation: give a list "
            "for only one of them");
      }
    }
    for (const double value : one.values) {
      LearnerOptions in_range;
      row.set(in_range, value);
    }
    if (one.values.empty()) {
      one.values = automatic_values(row, choice, defaults);
      one.open = row.holds_weights();
    }
    // From strong to weak: large λ, small C or radius.
    if (one.dial == "lambda") {
      std::sort(one.values.begin(), one.values.end(), std::greater<>());
    } else {
      std::sort(one.values.begin(), one.values.end());
    }
    one.values.erase(std::unique(one.values.begin(), one.values.end()), one.values.end());
    resolved.push_back(std::move(one));
  }
  return resolved;
}

std::vector<Path> paths_of(const LearnerChoice& choice, const std::vector<Candidates>& resolved) {
  std::vector<LearnerChoice> starts = {choice};
  const Candidates* along = nullptr;
  for (const Candidates& one : resolved) {
    if (dial(one.dial).holds_weights()) {
      along = &one;
      continue;
    }
    std::vector<LearnerChoice> more;
    for (const LearnerChoice& start : starts) {
      for (const double value : one.values) {
        more.push_back(start);
        dial(one.dial).set(more.back().values, value);
        follow_dials(more.back());
      }
    }
    starts = std::move(more);
  }
  std::vector<Path> paths;
  for (const LearnerChoice& start : starts) {
    Path path;
    if (along == nullptr) path.push_back(start);
    for (Index k = 0; along != nullptr && k < along->values.size(); ++k) {
      path.push_back(start);
      LearnerOptions& values = path.back().values;
      values.c.reset();
      values.lambda.reset();
      values.radius.reset();
      dial(along->dial).set(values, along->values[k]);
    }
    paths.push_back(std::move(path));
  }
  return paths;
}

std::string describe_dials(const std::vector<Candidates>& candidates) {
  std::string text;
  for (const Candidates& one : candidates) text += (text.empty() ? "" : " and ") + one.dial;
  return text;
}

std::string describe_setting(const LearnerChoice& choice, const std::vector<Candidates>& resolved) {
  std::string text;
  for (const Candidates& one : resolved) {
    text += fmt::format("{}{} = {:g}", text.empty() ? "" : ", ", one.dial,
                        dial(one.dial).number(choice.values));
  }
  return text;
}

}  // namespace trellis
