// What the columns of a text file are for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"

namespace trellis {

enum class ColumnRole { kLabel, kText, kId, kLanguage, kSkip };
constexpr auto names_of(ColumnRole) {
  return Names{"column", "label", "text", "id", "language", "skip"};
}

class TextColumns {
 public:
  // "label,text", "id,label,text", …: at least one text, and at most one of all others but skip.
  // Throws UsageError.
  static TextColumns parse(std::string_view spec);
  // Those that files most often have: text; label, text; id, label, text. Nothing for other
  // numbers.
  static std::optional<TextColumns> usual(Index count);

  std::string to_string() const;
  Index size() const { return roles_.size(); }
  ColumnRole operator[](Index c) const { return roles_[c]; }
  bool has(ColumnRole role) const;
  bool has_label() const { return has(ColumnRole::kLabel); }
  TextColumns without_label() const;

  friend bool operator==(const TextColumns&, const TextColumns&) = default;

 private:
  std::vector<ColumnRole> roles_;
};

}  // namespace trellis
