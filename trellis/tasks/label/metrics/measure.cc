#include "trellis/tasks/label/metrics/measure.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::label {
namespace {

// Small enough to make no difference; β² is well within the range of a double.
constexpr double kSmallestBeta = 1e-6;
constexpr double kLargestBeta = 1e6;

using Direction = Measure::Direction;
using Kind = SetMeasure::Kind;

struct NamedMeasure {
  std::string_view name;
  Direction direction;
  Kind kind;
};
constexpr std::array<NamedMeasure, 5> kNamed = {{
    {"macro-f1", Direction::kReverse, Kind::kFBeta},
    {"macro-precision", Direction::kReverse, Kind::kPrecision},
    {"macro-recall", Direction::kReverse, Kind::kRecall},
    {"hamming", Direction::kReverse, Kind::kHamming},
    {"example-f1", Direction::kForward, Kind::kFBeta},
}};

std::optional<Measure> parse_fbeta(std::string_view name) {
  for (const Direction direction : {Direction::kReverse, Direction::kForward}) {
    const std::string_view prefix =
        direction == Direction::kReverse ? "macro-fbeta:" : "example-fbeta:";
    if (!name.starts_with(prefix)) continue;
    const std::string_view number = name.substr(prefix.size());
    const auto beta = parse_double(number);
    if (!beta || *beta < kSmallestBeta || *beta > kLargestBeta) {
      throw UsageError(fmt::format("the measure '{}': expected a beta from {} to {}, found '{}'",
                                   name, kSmallestBeta, kLargestBeta, number));
    }
    return Measure{direction, {Kind::kFBeta, *beta}};
  }
  return std::nullopt;
}

}  // namespace

std::string to_string(const Measure& measure) {
  if (measure.set.kind == Kind::kFBeta && measure.set.beta != 1) {
    return fmt::format("{}-fbeta:{}",
                       measure.direction == Direction::kReverse ? "macro" : "example",
                       measure.set.beta);
  }
  for (const NamedMeasure& named : kNamed) {
    if (named.direction == measure.direction && named.kind == measure.set.kind) {
      return std::string(named.name);
    }
  }
  throw UsageError(
      "a mean over instances of precision, recall or Hamming loss is not supported as a measure");
}

Measure parse_measure(std::string_view name) {
  for (const NamedMeasure& named : kNamed) {
    if (named.name == name) return {named.direction, {named.kind, 1}};
  }
  if (const auto measure = parse_fbeta(name)) return *measure;
  constexpr std::string_view kMeasures[] = {"macro-f1",       "macro-fbeta:B", "macro-precision",
                                            "macro-recall",   "hamming",       "example-f1",
                                            "example-fbeta:B"};
  throw UsageError(fmt::format("unknown measure '{}': {}", name, suggestion(kMeasures, name)));
}

}  // namespace trellis::label
