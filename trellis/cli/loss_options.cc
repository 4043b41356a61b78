#include "trellis/cli/loss_options.h"

#include <fmt/format.h>

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

}  // namespace trellis::cli
