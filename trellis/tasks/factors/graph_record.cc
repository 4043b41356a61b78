#include "trellis/tasks/factors/graph_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "trellis/base/error.h"

namespace trellis::factors {
namespace {

std::string what_a_factor_asks(FactorKind kind) {
  switch (kind) {
    case FactorKind::kOneOf:
      return "exactly one of its literals to hold";
    case FactorKind::kAtMostOne:
      return "none or one of its literals to hold";
    case FactorKind::kOr:
      return "one or more of its literals to hold";
    case FactorKind::kBudget:
      return "no more literals to hold than the budget allows";
    default:
      return "a dependency tree";
  }
}

}  // namespace

bool GraphRecord::labelled() const {
  return std::ranges::find(gold, kNoValue) == gold.end();
}

void GraphRecord::check_gold() const {
  for (Index f = 0; f < layout.num_factors(); ++f) {
    const FactorGraphLayout::Factor& factor = layout.factor(f);
    const auto links = layout.links(factor);
    const bool known = std::ranges::all_of(links, [&](const Literal& link) {
      return gold[layout.variable_of(link.state)] != kNoValue;
    });
    if (!known || layout.legal(factor, gold)) continue;
    throw InputError(file, factors[f].line,
                     fmt::format("the true values violate this {}: expected {}",
                                 to_string(factor.kind), what_a_factor_asks(factor.kind)));
  }
}

}  // namespace trellis::factors
