#include "trellis/tasks/tables/value_confusion.h"

#include <fmt/format.h>

namespace trellis::generative {

Value confusion_record(std::span<const Index> counts, Index num_values, bool unseen) {
  Value rows = Value::list();
  for (Index i = 0; i < (unseen ? num_values + 1 : num_values); ++i) {
    rows.push_back(Value(counts.subspan(i * num_values, num_values)));
  }
  return rows;
}

std::string confusion_text(std::span<const Index> counts, std::span<const std::string> values,
                           std::string_view what) {
  const Index n = values.size();
  std::string text = fmt::format("{:>16}  {:>8}  {:>8}  {:>8}  predicted instead\n", what, "true",
                                 "found", "right");
  for (Index i = 0; i < n; ++i) {
    Index truth = 0, found = 0, most = 0, worst = i;
    for (Index j = 0; j < n; ++j) {
      truth += counts[i * n + j];
      if (j != i && counts[i * n + j] > most) {
        most = counts[i * n + j];
        worst = j;
      }
    }
    for (Index j = 0; j <= n; ++j) found += counts[j * n + i];
    text += fmt::format("{:>16}  {:>8}  {:>8}  {:>8}", values[i], truth, found, counts[i * n + i]);
    text += most > 0 ? fmt::format("  {} ({})\n", values[worst], most) : "\n";
  }
  return text;
}

report::ConfusionMatrix confusion_matrix(std::span<const Index> counts,
                                         const std::vector<std::string>& values, bool unseen) {
  report::ConfusionMatrix matrix{values, {}};
  if (unseen) matrix.labels.emplace_back("(others)");
  for (Index i = 0; i < matrix.labels.size(); ++i) {
    for (Index j = 0; j < values.size(); ++j)
      matrix.counts.push_back(counts[i * values.size() + j]);
    if (unseen) matrix.counts.push_back(0);
  }
  return matrix;
}

}  // namespace trellis::generative
