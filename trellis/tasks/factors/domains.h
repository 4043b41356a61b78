// The domains of variables: a domain has a name and at least two named values. The domain `switch`
// always exists; its variables are off or on (solve/factors/factor_graph_layout.h). Other domains
// may consist of switches, too, which then have weights of their own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::factors {

struct Domain {
  std::string name;
  bool is_switch = false;
  std::vector<std::string> values;  // for a switch: off, on

  // Number of states of a variable in a layout, each with a score; "off" of a switch has no state.
  Index arity() const { return is_switch ? 1 : values.size(); }
  // The index of a value, or kNoValue.
  std::uint32_t find(std::string_view value) const;
  std::string words() const;  // "rain, sun or snow"
  bool operator==(const Domain&) const = default;
};

inline constexpr std::uint32_t kNoValue = ~std::uint32_t{0};

class Domains {
 public:
  static constexpr std::string_view kSwitch = "switch";

  Domains();

  // Adds a domain, or accepts an identical one. Throws UsageError for a different domain of the
  // same name, fewer than two values, or a repeated value.
  void declare(std::string name, std::vector<std::string> values);
  void declare_switch(std::string name);

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::uint32_t find(std::string_view name) const;  // kNone: unknown
  Index size() const { return domains_.size(); }
  const Domain& operator[](Index d) const { return domains_[d]; }

 private:
  void add(Domain domain);

  std::vector<Domain> domains_;  // few: the search is linear
};

// Throws UsageError if `name` cannot name a domain, a value or a variable, because the syntax uses
// it: '=' separates variable and value of a literal, '!' negates, '|' and '#' end a list of names.
void require_name(std::string_view name, std::string_view what);

}  // namespace trellis::factors
