#include "trellis/pictures/charts/bar_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "trellis/pictures/markup/number.h"

namespace trellis::report {
namespace {

double clamp_share(double share) {
  return std::isnan(share) ? 0 : std::clamp(share, 0.0, 1.0);
}

std::string share_style(double share) {
  return fmt::format("--share:{:.4f}", clamp_share(share));
}

Html count_cell(Index n) {
  return text_element("td", {{"class", "number"}}, format_count(n));
}

Html percent_cell(double percent) {
  return element("td", {{"class", "number score"}},
                 text_element("span", format_fixed(percent, 2)) + bar(percent / 100));
}

Html score_row(const ScoreRow& row) {
  return text_element("th", {{"scope", "row"}, {"dir", "auto"}}, row.name) +
         percent_cell(row.precision) + percent_cell(row.recall) + percent_cell(row.f1) +
         count_cell(row.gold) + count_cell(row.predicted) + count_cell(row.correct);
}

Html score_head(std::string_view name_heading) {
  constexpr std::array<std::string_view, 6> kNumbers = {"precision", "recall",    "F1",
                                                        "gold",      "predicted", "correct"};
  Html row = text_element("th", {{"scope", "col"}}, name_heading);
  for (const std::string_view name : kNumbers) {
    row += text_element("th", {{"scope", "col"}, {"class", "number"}}, name);
  }
  return element("thead", element("tr", row));
}

Html signed_row(const SignedRow& row, double scale) {
  const char* sign = row.value < 0 ? "negative" : "positive";
  const Html drawn = element("span", {{"class", fmt::format("signed {}", sign)},
                                      {"style", share_style(std::abs(row.value) / scale)}});
  return element("tr", text_element("th", {{"scope", "row"}, {"dir", "auto"}}, row.name) +
                           element("td", {{"class", "zero"}}, drawn) +
                           text_element("td", {{"class", "number"}},
                                        format_fixed(row.value, decimals_for(scale))));
}

}  // namespace

Html bar(double share) {
  return element("span", {{"class", "bar"}, {"style", share_style(share)}});
}

Html probability_bar(double probability) {
  return element("span", {{"class", "measure"}},
                 text_element("span", format_fixed(probability, 4)) + bar(probability));
}

Html score_table(std::string_view name_heading, std::span<const ScoreRow> rows,
                 const ScoreRow& overall) {
  Html body;
  for (const ScoreRow& row : rows) body += element("tr", score_row(row));
  const Html foot = element("tfoot", element("tr", score_row(overall)));
  return element("div", {{"class", "scroll"}},
                 element("table", {{"class", "scores"}},
                         score_head(name_heading) + element("tbody", body) + foot));
}

Html signed_table(std::string_view caption, std::span<const SignedRow> rows, double scale) {
  Html body;
  for (const SignedRow& row : rows) body += signed_row(row, scale);
  return element("table", {{"class", "weights"}},
                 text_element("caption", {{"dir", "auto"}}, caption) + element("tbody", body));
}

}  // namespace trellis::report
