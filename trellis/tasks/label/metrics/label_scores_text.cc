#include "trellis/tasks/label/metrics/label_scores_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <vector>

#include "trellis/base/text.h"

namespace trellis::label {
namespace {

std::string padded(std::string_view text, Index width) {
  std::string out(text);
  const Index length = utf8_length(text);
  if (length < width) out.append(width - length, ' ');
  return out;
}

// A table of precision, recall, F1 and, where it is another, F_β.
class FigureTable {
 public:
  FigureTable(double beta, Index name_width) : beta_(beta), width_(name_width) {}

  std::string head(std::string_view name) const {
    std::string line = padded(name, width_) + " precision    recall        F1";
    if (beta_ != 1) line += fmt::format("{:>10}", fmt::format("F_{}", beta_));
    return line;
  }
  std::string row(std::string_view name, const PrecisionRecall& figures) const {
    std::string line =
        padded(name, width_) +
        fmt::format("{:10.4f}{:10.4f}{:10.4f}", figures.precision, figures.recall, figures.f1);
    if (beta_ != 1) line += fmt::format("{:10.4f}", figures.f_beta);
    return line;
  }

 private:
  double beta_;
  Index width_;
};

std::vector<Index> shown_labels(const LabelScores& scores, Index max_labels) {
  std::vector<Index> order(scores.labels.size());
  std::iota(order.begin(), order.end(), Index{0});
  if (order.size() <= max_labels) return order;
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return scores.labels[a].counts.truth > scores.labels[b].counts.truth;
  });
  order.resize(max_labels);
  std::sort(order.begin(), order.end());
  return order;
}

std::string label_table(const LabelScores& scores, Index max_labels) {
  const std::vector<Index> shown = shown_labels(scores, max_labels);
  Index width = 5;
  for (const Index v : shown) width = std::max(width, utf8_length(scores.labels[v].label));
  const FigureTable table(scores.beta, width);
  std::string text = fmt::format("\n{}     truth predicted      hits\n", table.head("label"));
  for (const Index v : shown) {
    const LabelRow& row = scores.labels[v];
    text += table.row(row.label, row.figures) + fmt::format("{:10}{:10}{:10}\n", row.counts.truth,
                                                            row.counts.predicted, row.counts.hits);
  }
  if (shown.size() < scores.labels.size()) {
    text +=
        fmt::format("… and {} labels that occur less often\n", scores.labels.size() - shown.size());
  }
  return text;
}

}  // namespace

std::string to_text(const LabelScores& scores, Index max_labels) {
  const auto present =
      static_cast<Index>(std::count_if(scores.labels.begin(), scores.labels.end(),
                                       [](const LabelRow& row) { return row.counts.truth > 0; }));
  std::string text =
      fmt::format("{} instances, {} labels\n\n", scores.instances, scores.labels.size());
  const FigureTable table(scores.beta, 14);
  text += table.head("mean over") + "\n";
  text += table.row("labels", scores.macro) + "   macro\n";
  text += table.row("labels there", scores.macro_present) +
          fmt::format("   macro, of the {} labels that occur in the truth\n", present);
  text += table.row("pairs", scores.micro) + "   micro\n";
  text += table.row("instances", scores.example) + "   example\n\n";
  text += fmt::format("{:<18}{:.4f}\n", "Hamming loss", scores.hamming);
  text += fmt::format("{:<18}{:.4f}\n", "subset accuracy", scores.subset_accuracy);
  if (scores.ranking_loss) {
    text += fmt::format("{:<18}{:.4f}\n", "ranking loss", *scores.ranking_loss);
  }
  if (max_labels > 0) text += label_table(scores, max_labels);
  return text;
}

}  // namespace trellis::label
