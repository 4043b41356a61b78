#include "trellis/data/text_columns.h"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis {

TextColumns TextColumns::parse(std::string_view spec) {
  TextColumns columns;
  std::vector<std::string_view> names;
  split(spec, ',', names);
  for (const std::string_view name : names)
    columns.roles_.push_back(parse_named<ColumnRole>(trim(name)));
  const auto count = [&](ColumnRole role) {
    return std::count(columns.roles_.begin(), columns.roles_.end(), role);
  };
  if (count(ColumnRole::kText) == 0) {
    throw UsageError(fmt::format("the columns '{}' have no text", spec));
  }
  if (count(ColumnRole::kLabel) > 1 || count(ColumnRole::kId) > 1) {
    throw UsageError(fmt::format("the columns '{}' have more than one label or id", spec));
  }
  if (count(ColumnRole::kLanguage) > 1) {
    throw UsageError(fmt::format("the columns '{}' have more than one language", spec));
  }
  return columns;
}

std::optional<TextColumns> TextColumns::usual(Index count) {
  if (count == 1) return parse("text");
  if (count == 2) return parse("label,text");
  if (count == 3) return parse("id,label,text");
  return std::nullopt;
}

std::string TextColumns::to_string() const {
  std::string text;
  for (const ColumnRole role : roles_) {
    if (!text.empty()) text += ',';
    text += trellis::to_string(role);
  }
  return text;
}

bool TextColumns::has(ColumnRole role) const {
  return std::find(roles_.begin(), roles_.end(), role) != roles_.end();
}

TextColumns TextColumns::without_label() const {
  TextColumns rest = *this;
  std::erase(rest.roles_, ColumnRole::kLabel);
  return rest;
}

}  // namespace trellis
