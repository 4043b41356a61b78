#include "trellis/frame/training/page/choice_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "trellis/fit/dials.h"
#include "trellis/pictures/charts/line_chart.h"
#include "trellis/pictures/markup/number.h"

namespace trellis::report {
namespace {

double value_of(const Tried& tried, const Candidates& along) {
  return dial(along.dial).number(tried.setting.values);
}

// The hyperparameter with the most values is on the horizontal axis.
Index main_dial(const std::vector<Candidates>& searched) {
  Index main = 0;
  for (Index k = 1; k < searched.size(); ++k) {
    if (searched[k].values.size() > searched[main].values.size()) main = k;
  }
  return main;
}

std::vector<Candidates> others(const Learned& learned, Index main) {
  std::vector<Candidates> rest = learned.searched;
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(main));
  return rest;
}

using TriedField = double Tried::*;

Html chart_of(const Learned& learned, Index main, const std::string& title, TriedField field) {
  const Candidates& along = learned.searched[main];
  LineChart chart;
  chart.title = title;
  chart.x_label = along.dial;
  const bool positive =
      std::all_of(along.values.begin(), along.values.end(), [](double value) { return value > 0; });
  chart.x_scale = positive && along.values.size() > 2 ? Scale::kLog : Scale::kLinear;
  for (const Tried& tried : learned.tried) {
    std::string name = describe(tried, others(learned, main));
    if (tried.folds > 0) name += fmt::format(" (on {} folds)", tried.folds);
    auto line = std::find_if(chart.series.begin(), chart.series.end(),
                             [&](const Series& one) { return one.name == name; });
    if (line == chart.series.end()) line = chart.series.insert(line, {name, {}, {}});
    // Values of λ decrease along their path.
    const double x = value_of(tried, along);
    const auto place = std::upper_bound(line->x.begin(), line->x.end(), x) - line->x.begin();
    line->x.insert(line->x.begin() + place, x);
    line->y.insert(line->y.begin() + place, tried.*field);
  }
  for (Series& line : chart.series) {
    if (line.name.empty()) line.name = title;
  }
  for (const Tried& tried : learned.tried) {
    const bool chosen = tried.setting.description() == learned.choice.description() &&
                        tried.variant == learned.chosen().variant;
    if (!chosen || !std::isfinite(tried.*field)) continue;
    chart.marks.push_back(
        {value_of(tried, along), tried.*field, "chosen: " + describe(tried, learned.searched)});
  }
  return line_chart(chart);
}

bool known(const Learned& learned, TriedField field) {
  return std::any_of(learned.tried.begin(), learned.tried.end(),
                     [&](const Tried& tried) { return std::isfinite(tried.*field); });
}

Html table_of(const Learned& learned) {
  Table rows;
  if (!learned.variants.empty()) rows.columns.push_back({"variant", Align::kStart});
  for (const Candidates& one : learned.searched) rows.columns.push_back({one.dial, Align::kEnd});
  const std::vector<std::pair<std::string, TriedField>> figures = {
      {"figure", &Tried::figure}, {"objective", &Tried::objective}, {"norm", &Tried::norm}};
  for (const auto& [name, field] : figures) {
    if (known(learned, field)) rows.columns.push_back({name, Align::kEnd});
  }
  const bool left_behind = std::any_of(learned.tried.begin(), learned.tried.end(),
                                       [](const Tried& tried) { return tried.folds > 0; });
  if (left_behind) rows.columns.push_back({"folds", Align::kEnd});
  for (const Tried& tried : learned.tried) {
    std::vector<Html> row;
    if (!learned.variants.empty()) row.push_back(text(tried.variant));
    for (const Candidates& one : learned.searched) {
      row.push_back(text(format_significant(value_of(tried, one), 6)));
    }
    for (const auto& [name, field] : figures) {
      if (known(learned, field)) row.push_back(text(format_significant(tried.*field, 6)));
    }
    if (left_behind) row.push_back(text(tried.folds > 0 ? fmt::format("{}", tried.folds) : "all"));
    rows.rows.push_back(std::move(row));
  }
  return table(rows);
}

}  // namespace

void add_choice_section(const Learned* trained, Page& page) {
  if (trained == nullptr || trained->tried.empty()) return;
  const Learned& learned = *trained;
  const bool along = !learned.searched.empty();  // false: variants alone were compared
  const Index main = along ? main_dial(learned.searched) : 0;
  std::vector<Html> charts;
  if (along && known(learned, &Tried::figure)) {
    charts.push_back(chart_of(learned, main, learned.chosen_by, &Tried::figure));
  }
  if (along && known(learned, &Tried::objective)) {
    charts.push_back(chart_of(learned, main, "objective", &Tried::objective));
  }
  if (along && known(learned, &Tried::norm)) {
    charts.push_back(chart_of(learned, main, "norm of the weights", &Tried::norm));
  }
  Html body = side_by_side(charts);
  body += details("All settings", table_of(learned));
  page.add_section("Choice of settings",
                   fmt::format("Chosen: {}, by {}.", describe(learned.chosen(), learned.searched),
                               learned.chosen_by),
                   body);
}

}  // namespace trellis::report
