#include "trellis/cli/loss_options.h"

#include <fmt/format.h>

#include <optional>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/problem/loss.h"

namespace trellis::cli {

double parse_beta(const std::string& text) {
  if (text == "inf") return Loss::kInfinity;
  const auto value = parse_double(text);
  if (!value)
    throw UsageError(fmt::format("beta is '{}': expected a positive number or inf", text));
  return *value;
}

std::map<std::string, double> parse_label_weights(const std::vector<std::string>& texts) {
  std::map<std::string, double> weights;
  for (const std::string& text : texts) {
    const auto equals = text.rfind('=');
    const auto weight =
        equals == std::string::npos ? std::nullopt : parse_double(text.substr(equals + 1));
    if (!weight)
      throw UsageError(fmt::format("a label weight is '{}': expected LABEL=WEIGHT", text));
    weights[text.substr(0, equals)] = *weight;
  }
  return weights;
}

}  // namespace trellis::cli
