#include "trellis/pictures/sections/feature_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "trellis/base/types.h"
#include "trellis/pictures/charts/bar_table.h"

namespace trellis::report {
namespace {

constexpr Index kLabelsAtOnce = 12;

// A table for each label, in the order in which the labels first appear.
std::vector<Html> feature_tables(const std::vector<StrongFeature>& features) {
  std::vector<std::string> labels;
  std::map<std::string, std::vector<SignedRow>> rows;
  double scale = 0;
  for (const StrongFeature& feature : features) {
    std::vector<SignedRow>& group = rows[feature.label];
    if (group.empty()) labels.push_back(feature.label);
    group.push_back({feature.attribute, feature.weight});
    if (std::isfinite(feature.weight)) scale = std::max(scale, std::abs(feature.weight));
  }
  std::vector<Html> tables;
  for (const std::string& label : labels) {
    std::vector<SignedRow>& group = rows[label];
    std::stable_sort(group.begin(), group.end(), [](const SignedRow& a, const SignedRow& b) {
      // NaN, which no order knows, stands last.
      return std::isnan(b.value) ? !std::isnan(a.value) : a.value > b.value;
    });
    tables.push_back(signed_table(label, group, scale > 0 ? scale : 1));
  }
  return tables;
}

}  // namespace

void add_feature_section(const std::vector<StrongFeature>& features, Page& page) {
  if (features.empty()) return;
  const std::vector<Html> tables = feature_tables(features);
  const Index shown = std::min<Index>(tables.size(), kLabelsAtOnce);
  Html body = side_by_side(std::span(tables).first(shown));
  if (shown < tables.size()) {
    body += details(fmt::format("{} more labels", tables.size() - shown),
                    side_by_side(std::span(tables).subspan(shown)));
  }
  page.add_section("Strongest features",
                   "Features with the largest weights for a label (to the right) and against it "
                   "(to the left). All bars have the same scale.",
                   body);
}

}  // namespace trellis::report
