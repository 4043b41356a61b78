#include "trellis/tasks/factors/domains.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::factors {

std::uint32_t Domain::find(std::string_view value) const {
  const auto at = std::ranges::find(values, value);
  return at == values.end() ? kNoValue : static_cast<std::uint32_t>(at - values.begin());
}

std::string Domain::words() const {
  std::string text;
  for (Index k = 0; k < values.size(); ++k) {
    text += k == 0 ? "" : k + 1 == values.size() ? " or " : ", ";
    text += values[k];
  }
  return text;
}

Domains::Domains() {
  declare_switch(std::string(kSwitch));
}

void Domains::declare(std::string name, std::vector<std::string> values) {
  if (values.size() < 2) {
    throw UsageError(fmt::format("the domain '{}' has fewer than two values", name));
  }
  for (const std::string& value : values) require_name(value, "a value");
  std::vector<std::string> sorted = values;
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) {
    throw UsageError(fmt::format("the domain '{}' has the value '{}' twice", name, *twice));
  }
  add({std::move(name), false, std::move(values)});
}

void Domains::declare_switch(std::string name) {
  add({std::move(name), true, {"off", "on"}});
}

void Domains::add(Domain domain) {
  require_name(domain.name, "a domain");
  const std::uint32_t known = find(domain.name);
  if (known == kNone) {
    domains_.push_back(std::move(domain));
  } else if (domains_[known] != domain) {
    throw UsageError(fmt::format("the domain '{}' is already declared with other values: {}{}",
                                 domain.name, domains_[known].words(),
                                 domains_[known].is_switch ? ", a switch" : ""));
  }
}

std::uint32_t Domains::find(std::string_view name) const {
  const auto at = std::ranges::find(domains_, name, &Domain::name);
  return at == domains_.end() ? kNone : static_cast<std::uint32_t>(at - domains_.begin());
}

void require_name(std::string_view name, std::string_view what) {
  const bool reserved = name.empty() || name == "?" || name.find('=') != std::string_view::npos ||
                        name.find_first_of("!#|") == 0 ||
                        name.find_first_of(" \t") != std::string_view::npos;
  if (!reserved && find_invalid_utf8(name) == std::string_view::npos) return;
  throw UsageError(fmt::format(
      "the name of {} must be UTF-8 without blanks and '=', and must not begin with ! # | or ?",
      what));
}

}  // namespace trellis::factors
