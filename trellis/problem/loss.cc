#include "trellis/problem/loss.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "trellis/base/error.h"

namespace trellis {
namespace {

struct NamedLoss {
  std::string_view name;
  Loss loss;
};

constexpr std::array<NamedLoss, 4> kNamedLosses = {{
    {"crf", {1, 0}},
    {"softmax-margin", {1, 1}},
    {"svm", {Loss::kInfinity, 1}},
    {"perceptron", {Loss::kInfinity, 0}},
}};

}  // namespace

Loss Loss::named(std::string_view name) {
  for (const NamedLoss& known : kNamedLosses) {
    if (known.name == name) return known.loss;
  }
  throw UsageError(
      fmt::format("unknown loss '{}': expected crf, softmax-margin, svm or perceptron", name));
}

void Loss::validate() const {
  if (!(beta > 0)) throw UsageError(fmt::format("beta must be positive, not {}", beta));
  if (!(gamma >= 0) || std::isinf(gamma)) {
    throw UsageError(fmt::format("gamma must be finite and not negative, not {}", gamma));
  }
}

std::string Loss::description() const {
  for (const NamedLoss& known : kNamedLosses) {
    if (known.loss.beta == beta && known.loss.gamma == gamma) return std::string(known.name);
  }
  return fmt::format("beta={} gamma={}", beta, gamma);
}

void require_smooth(const Loss& loss) {
  loss.validate();
  if (loss.hinge()) throw UsageError("a smooth loss needs a finite beta");
}

}  // namespace trellis
