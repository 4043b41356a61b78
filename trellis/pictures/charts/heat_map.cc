#include "trellis/pictures/charts/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <span>

#include "trellis/base/share.h"
#include "trellis/pictures/markup/number.h"
#include "trellis/pictures/page/page.h"

namespace trellis::report {
namespace {

// The `limit` indices of greatest importance, in ascending order.
template <class Value>
std::vector<Index> most_important(const std::vector<Value>& importance, Index limit) {
  std::vector<Index> order(importance.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return importance[a] > importance[b]; });
  order.resize(std::min(limit, order.size()));
  std::sort(order.begin(), order.end());
  return order;
}

Html column_heading(std::string_view name, std::string_view style = {}) {
  return element("th",
                 {{"scope", "col"}, {"class", std::string(style)}, {"title", std::string(name)}},
                 text_element("span", name));
}

Html row_heading(std::string_view name) {
  return text_element("th", {{"scope", "row"}, {"title", std::string(name)}}, name);
}

Html head_row(std::string_view corner, std::span<const std::string> names, const Html& last) {
  Html row = text_element("td", {{"class", "corner"}}, corner);
  for (const std::string& name : names) row += column_heading(name);
  return element("thead", element("tr", row + last));
}

Html heat_table(const Html& head, const Html& rows) {
  return element("div", {{"class", "scroll"}},
                 element("table", {{"class", "heat"}}, head + element("tbody", rows)));
}

// A confusion matrix, cut to the labels shown; with `folded`, the last line sums all others.
struct Excerpt {
  std::vector<std::string> names;
  std::vector<Index> counts;
  bool folded = false;
  Index others = 0;

  Index size() const { return names.size(); }
  Index at(Index gold, Index predicted) const { return counts[gold * size() + predicted]; }
  bool is_other(Index line) const { return folded && line + 1 == size(); }
};

std::vector<Index> mistakes_of(const ConfusionMatrix& matrix) {
  const Index n = matrix.labels.size();
  std::vector<Index> mistakes(n, 0);
  for (Index gold = 0; gold < n; ++gold) {
    for (Index predicted = 0; predicted < n; ++predicted) {
      if (gold == predicted) continue;
      mistakes[gold] += matrix.counts[gold * n + predicted];
      mistakes[predicted] += matrix.counts[gold * n + predicted];
    }
  }
  return mistakes;
}

Excerpt excerpt_of(const ConfusionMatrix& matrix, Index max_labels) {
  const Index n = matrix.labels.size();
  const std::vector<Index> shown = most_important(mistakes_of(matrix), max_labels);
  Excerpt excerpt;
  std::vector<Index> line(n, shown.size());  // the labels that are not shown share the last line
  for (Index i = 0; i < shown.size(); ++i) {
    line[shown[i]] = i;
    excerpt.names.push_back(matrix.labels[shown[i]]);
  }
  excerpt.others = n - shown.size();
  excerpt.folded = excerpt.others > 0;
  if (excerpt.folded) excerpt.names.push_back(fmt::format("{} others", excerpt.others));
  excerpt.counts.assign(excerpt.size() * excerpt.size(), 0);
  for (Index gold = 0; gold < n; ++gold) {
    for (Index predicted = 0; predicted < n; ++predicted) {
      excerpt.counts[line[gold] * excerpt.size() + line[predicted]] +=
          matrix.counts[gold * n + predicted];
    }
  }
  return excerpt;
}

Html confusion_cell(const Excerpt& excerpt, Index gold, Index predicted, Index row_total) {
  const Index count = excerpt.at(gold, predicted);
  if (count == 0) return text_element("td", {{"class", "none"}}, "·");
  const double of_row = share(count, row_total);
  const std::string title = fmt::format(
      "gold {}, predicted {}: {} of {} ({} %)", excerpt.names[gold], excerpt.names[predicted],
      format_count(count), format_count(row_total), format_fixed(100 * of_row, 1));
  const char* style = "miss";
  double depth = std::cbrt(of_row);
  if (gold == predicted) {
    // In the row and column of summed labels, right and wrong are not separated.
    style = excerpt.is_other(gold) ? "mixed" : "hit";
    depth = of_row;
  }
  return text_element(
      "td", {{"class", style}, {"style", fmt::format("--depth:{:.3f}", depth)}, {"title", title}},
      format_count(count));
}

Html confusion_row(const Excerpt& excerpt, Index gold) {
  const auto begin = excerpt.counts.begin() + static_cast<std::ptrdiff_t>(gold * excerpt.size());
  const Index total =
      std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(excerpt.size()), Index{0});
  Html row = row_heading(excerpt.names[gold]);
  for (Index predicted = 0; predicted < excerpt.size(); ++predicted) {
    row += confusion_cell(excerpt, gold, predicted, total);
  }
  return element("tr", row + text_element("td", {{"class", "total"}}, format_count(total)));
}

Html remainder_note(const ConfusionMatrix& matrix, const Excerpt& excerpt) {
  if (!excerpt.folded) return {};
  return note(fmt::format(
      "{} of {} labels are shown, those with the most mistakes; the last row and column are the "
      "sums of the other {} labels (their common cell includes correct ones).",
      excerpt.size() - 1, matrix.labels.size(), excerpt.others));
}

}  // namespace

Html confusion_heat_map(const ConfusionMatrix& matrix, Index max_labels) {
  assert(matrix.counts.size() == matrix.labels.size() * matrix.labels.size());
  if (matrix.labels.empty()) return note("No labels.");
  const Excerpt excerpt = excerpt_of(matrix, max_labels);
  Html rows;
  for (Index gold = 0; gold < excerpt.size(); ++gold) rows += confusion_row(excerpt, gold);
  const Html head =
      head_row("gold ↓\npredicted →", excerpt.names, column_heading("total", "total"));
  return heat_table(head, rows) + remainder_note(matrix, excerpt);
}

std::vector<Confused> most_confused(const ConfusionMatrix& matrix, Index limit) {
  const Index n = matrix.labels.size();
  std::vector<Confused> pairs;
  for (Index gold = 0; gold < n; ++gold) {
    const Index* row = matrix.counts.data() + gold * n;
    const Index total = std::accumulate(row, row + n, Index{0});
    for (Index predicted = 0; predicted < n; ++predicted) {
      if (gold == predicted || row[predicted] == 0) continue;
      pairs.push_back({gold, predicted, row[predicted], share(row[predicted], total)});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Confused& a, const Confused& b) { return a.count > b.count; });
  pairs.resize(std::min(limit, pairs.size()));
  return pairs;
}

namespace {

struct Importance {
  std::vector<double> rows;
  std::vector<double> columns;
  double largest = 0;
};

// The greatest |weight| of each line; what is not finite does not count.
Importance importance_of(const WeightMatrix& matrix) {
  Importance importance{std::vector<double>(matrix.rows.size(), 0),
                        std::vector<double>(matrix.columns.size(), 0), 0};
  for (Index r = 0; r < matrix.rows.size(); ++r) {
    for (Index c = 0; c < matrix.columns.size(); ++c) {
      const double size = std::abs(matrix.weights[r * matrix.columns.size() + c]);
      if (!std::isfinite(size)) continue;
      importance.rows[r] = std::max(importance.rows[r], size);
      importance.columns[c] = std::max(importance.columns[c], size);
      importance.largest = std::max(importance.largest, size);
    }
  }
  return importance;
}

Html weight_cell(const WeightMatrix& matrix, Index r, Index c, double largest) {
  const double weight = matrix.weights[r * matrix.columns.size() + c];
  const std::string title =
      fmt::format("{} {}, {} {}: {}", matrix.row_title, matrix.rows[r], matrix.column_title,
                  matrix.columns[c], format_significant(weight, 4));
  if (std::isnan(weight)) {
    return text_element("td", {{"class", "absent"}, {"title", title}}, format_fixed(weight, 1));
  }
  const double depth = largest > 0 ? std::min(std::abs(weight) / largest, 1.0) : 0;
  return text_element("td",
                      {{"class", weight < 0 ? "negative" : "positive"},
                       {"style", fmt::format("--depth:{:.3f}", depth)},
                       {"title", title}},
                      format_fixed(weight, largest < 10 ? decimals_for(largest) : 1));
}

Html weight_note(const WeightMatrix& matrix, Index rows, Index columns) {
  Html out;
  if (rows < matrix.rows.size() || columns < matrix.columns.size()) {
    out +=
        note(fmt::format("{} of {} rows and {} of {} columns are shown, those with the largest "
                         "weights in absolute value.",
                         rows, matrix.rows.size(), columns, matrix.columns.size()));
  }
  const bool absent = std::any_of(matrix.weights.begin(), matrix.weights.end(),
                                  [](double weight) { return std::isnan(weight); });
  return absent ? out + note("– means that the model has no such weight.") : out;
}

}  // namespace

Html weight_heat_map(const WeightMatrix& matrix, Index max_lines) {
  assert(matrix.weights.size() == matrix.rows.size() * matrix.columns.size());
  if (matrix.weights.empty()) return note("No weights.");
  const Importance importance = importance_of(matrix);
  const std::vector<Index> shown_rows = most_important(importance.rows, max_lines);
  const std::vector<Index> shown_columns = most_important(importance.columns, max_lines);
  std::vector<std::string> names;
  for (const Index c : shown_columns) names.push_back(matrix.columns[c]);
  Html rows;
  for (const Index r : shown_rows) {
    Html row = row_heading(matrix.rows[r]);
    for (const Index c : shown_columns) row += weight_cell(matrix, r, c, importance.largest);
    rows += element("tr", row);
  }
  const std::string corner = fmt::format("{} ↓\n{} →", matrix.row_title, matrix.column_title);
  return heat_table(head_row(corner, names, {}), rows) +
         weight_note(matrix, shown_rows.size(), shown_columns.size());
}

namespace {

// Shares of the mutual information of row and column.
Importance information_of(const ProbabilityTable& table) {
  const Index rows = table.rows.size(), columns = table.columns.size();
  Importance importance{std::vector<double>(rows, 0), std::vector<double>(columns, 0), 0};
  for (Index c = 0; c < columns; ++c) {
    double mean = 0;
    for (Index r = 0; r < rows; ++r) mean += table.probabilities[r * columns + c];
    mean /= static_cast<double>(rows);
    for (Index r = 0; r < rows; ++r) {
      const double p = table.probabilities[r * columns + c];
      importance.largest = std::max(importance.largest, p);
      if (!(p > 0)) continue;
      importance.rows[r] += p * std::log(p / mean);
      importance.columns[c] += p * std::log(p / mean);
    }
  }
  return importance;
}

Html probability_cell(const ProbabilityTable& table, Index r, Index c, double largest) {
  const double p = table.probabilities[r * table.columns.size() + c];
  const std::string title =
      fmt::format("{} {}, {} {}: {}", table.row_title, table.rows[r], table.column_title,
                  table.columns[c], format_significant(p, 5));
  if (!(p > 0)) return text_element("td", {{"class", "none"}, {"title", title}}, "·");
  return text_element("td",
                      {{"class", "positive"},
                       {"style", fmt::format("--depth:{:.3f}", p / largest)},
                       {"title", title}},
                      format_fixed(p, 3));
}

Html probability_note(const ProbabilityTable& table, Index rows, Index columns) {
  std::string said;
  if (columns < table.columns.size()) {
    said = fmt::format("{} of {} columns are shown, those that differ most between rows.", columns,
                       table.columns.size());
  }
  if (rows < table.rows.size()) {
    if (!said.empty()) said += ' ';
    said += fmt::format("{} of {} rows are shown, those that differ most from the mean row.", rows,
                        table.rows.size());
  }
  return said.empty() ? Html() : note(said);
}

}  // namespace

Html probability_heat_map(const ProbabilityTable& table, const TableExcerpt& excerpt) {
  assert(table.probabilities.size() == table.rows.size() * table.columns.size());
  assert(table.missing.empty() || table.missing.size() == table.rows.size());
  if (table.probabilities.empty()) return note("No probabilities.");
  const Importance importance = information_of(table);
  const std::vector<Index> shown_rows = most_important(importance.rows, excerpt.max_rows);
  const std::vector<Index> shown_columns = most_important(importance.columns, excerpt.max_columns);
  std::vector<std::string> names;
  for (const Index c : shown_columns) names.push_back(table.columns[c]);
  Html rows;
  for (const Index r : shown_rows) {
    Html row = row_heading(table.rows[r]);
    for (const Index c : shown_columns) row += probability_cell(table, r, c, importance.largest);
    if (!table.missing.empty()) {
      const double missing = table.missing[r];
      row += text_element("td", {{"class", "total"}, {"title", format_significant(missing, 5)}},
                          missing > 0 ? format_fixed(missing, 3) : "·");
    }
    rows += element("tr", row);
  }
  const std::string corner = fmt::format("{} ↓\n{} →", table.row_title, table.column_title);
  const Html last = table.missing.empty() ? Html() : column_heading("missing", "total");
  return heat_table(head_row(corner, names, last), rows) +
         probability_note(table, shown_rows.size(), shown_columns.size());
}

}  // namespace trellis::report
