// The values that variables take: a domain has a name, and two or more named values. The domain
// `switch` is always there; its variables are off or on (solve/factors/factor_graph_layout.h). A
// further domain may be one of switches, too, so that they have weights of their own.
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
  std::vector<std::string> values;  // of a switch: off, on

  // States that a variable has in a layout, each with a score: none for a switch that is off.
  Index arity() const { return is_switch ? 1 : values.size(); }
  // The place of a value, or kNoValue.
  std::uint32_t find(std::string_view value) const;
  std::string words() const;  // "rain, sun or snow"
  bool operator==(const Domain&) const = default;
};

inline constexpr std::uint32_t kNoValue = ~std::uint32_t{0};

class Domains {
 public:
  static constexpr std::string_view kSwitch = "switch";

  Domains();

  // Of a domain that is new, or the same as before. Throws UsageError for another one of the same
  // name, fewer than two values, and a value twice.
  void declare(std::string name, std::vector<std::string> values);
  void declare_switch(std::string name);

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::uint32_t find(std::string_view name) const;  // kNone: there is none
  Index size() const { return domains_.size(); }
  const Domain& operator[](Index d) const { return domains_[d]; }

 private:
  void add(Domain domain);

  std::vector<Domain> domains_;  // few: they are found by looking at each
};

// Throws UsageError for what cannot be a name of a domain, a value or a variable: it would be read
// as something else ('=' parts the two of a literal, '!' negates, '|' and '#' end what is named).
void require_name(std::string_view name, std::string_view what);

}  // namespace trellis::factors
