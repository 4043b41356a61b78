#include "trellis/scorers/conllx_report.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "trellis/base/text.h"

namespace trellis::parse {
namespace {

constexpr std::string_view kTagRule =
    "  -----------+-------+-------+------+-------+------+-------+-------\n";
constexpr std::string_view kClassRule =
    "  ----------------+------+---------+--------+------------+---------------\n";

// The orders of operations are the script's: rounding depends on them.
double percent_right(Index right, Index words) {
  return 100 - static_cast<double>(words - right) * 100 / static_cast<double>(words);
}
double percent_wrong(Index wrong, Index words) {
  return static_cast<double>(wrong) * 100 / static_cast<double>(words);
}
std::string share_text(Index part, Index whole) {
  if (whole == 0) return "NaN";
  return fmt::format("{:.2f}", static_cast<double>(part) / static_cast<double>(whole) * 100);
}

std::string score(Index right, Index words) {
  return words == 0 ? "NaN" : fmt::format("{:.2f}", percent_right(right, words));
}

// Perl counts characters.
std::string padded(std::string_view name, Index width) {
  std::string out(name);
  out.resize(out.size() + width - std::min(utf8_length(name), width), ' ');
  return out;
}

struct Cell {
  Index words;
  double percent;
};

void append_tag_row(std::string_view name, Index words, const std::array<Cell, 3>& cells,
                    std::string& out) {
  fmt::format_to(std::back_inserter(out), "  {} | {:5}", padded(name, 10), words);
  for (const Cell& cell : cells) {
    fmt::format_to(std::back_inserter(out), " | {:5} | {:3.0f}%", cell.words, cell.percent);
  }
  out += '\n';
}

using TagRow = std::pair<std::string_view, AttachmentCounts>;

template <class Cells>
void append_tag_table(const AttachmentTally& tally, const std::vector<TagRow>& rows, Cells cells,
                      std::string& out) {
  out += kTagRule;
  append_tag_row("total", tally.total.words, cells(tally.total), out);
  out += kTagRule;
  for (const auto& [tag, counts] : rows) append_tag_row(tag, counts.words, cells(counts), out);
  out += kTagRule;
  out += "\n\n";
}

std::array<Cell, 3> right_cells(const AttachmentCounts& c) {
  const auto cell = [&](Index right) { return Cell{right, percent_right(right, c.words)}; };
  return {cell(c.heads), cell(c.labels), cell(c.both)};
}

std::array<Cell, 3> wrong_cells(const AttachmentCounts& c) {
  const auto cell = [&](Index wrong) { return Cell{wrong, percent_wrong(wrong, c.words)}; };
  return {cell(c.words - c.heads), cell(c.words - c.labels),
          cell(c.words + c.both - c.heads - c.labels)};
}

std::vector<TagRow> most_frequent_first(const AttachmentTally& tally) {
  std::vector<TagRow> rows(tally.by_tag.begin(), tally.by_tag.end());
  std::stable_sort(rows.begin(), rows.end(), [](const TagRow& a, const TagRow& b) {
    return a.second.words > b.second.words;
  });
  return rows;
}

void append_class_heading(std::string_view title, std::string_view name, std::string& out) {
  fmt::format_to(
      std::back_inserter(out),
      "  Precision and recall of {}\n\n{}  {:<15} | gold | correct | system | recall (%) "
      "| precision (%) \n{}",
      title, kClassRule, name, kClassRule);
}

void append_class_row(std::string_view name, const ClassCounts& counts, Index correct,
                      std::string& out) {
  fmt::format_to(std::back_inserter(out), "  {} | {:4} | {:7} | {:6} | {:>10} | {:>13}\n",
                 padded(name, 15), counts.gold, correct, counts.system,
                 share_text(correct, counts.gold), share_text(correct, counts.system));
}

template <Named Class, class Bins>
void append_bins(std::string_view what, const Bins& bins, std::string& out) {
  append_class_heading(fmt::format("binned HEAD {}", what), what, out);
  for (Index i = 0; i < bins.size(); ++i) {
    append_class_row(to_string(static_cast<Class>(i)), bins[i], bins[i].agreed, out);
  }
  out += "\n\n";
}

}  // namespace

std::string conllx_summary(const AttachmentCounts& c) {
  return fmt::format(
      "  Labeled   attachment score: {} / {} * 100 = {} %\n"
      "  Unlabeled attachment score: {} / {} * 100 = {} %\n"
      "  Label accuracy score:       {} / {} * 100 = {} %\n",
      c.both, c.words, score(c.both, c.words), c.heads, c.words, score(c.heads, c.words), c.labels,
      c.words, score(c.labels, c.words));
}

std::string conllx_sentence_heading() {
  return "     Sent.          Attachment      Correct        Scoring          \n"
         "    ID Tokens  -   Unlab. Lab.   HEAD HEAD+DEPREL   tokens   - - - -\n"
         "  ============================================================================\n";
}

std::string conllx_sentence_line(Index number, Index size, const AttachmentCounts& c) {
  return fmt::format("  {:4} {:4}    0  {:>6} {:>6}  {:4}    {:4}        {:4}    0 0 0 0\n", number,
                     size, score(c.heads, c.words), score(c.both, c.words), c.heads, c.both,
                     c.words);
}

std::string conllx_tables(const AttachmentTally& tally, std::string_view gold_name,
                          std::string_view system_name) {
  std::string out = fmt::format(
      "\n  {:=<80}\n\n  Evaluation of the results in {}\n  vs. gold standard {}:\n\n"
      "  Legend: '.S' - the beginning of a sentence, '.E' - the end of a sentence\n\n"
      "  Number of non-scoring tokens: {}\n\n",
      "", system_name, gold_name, tally.left_out);
  const std::vector<TagRow> rows = most_frequent_first(tally);
  out += "  The overall accuracy and its distribution over CPOSTAGs\n\n";
  out += kTagRule;
  out +=
      "  Accuracy   | words | right |   %  | right |   %  | both  |   %\n"
      "             |       | head  |      |  dep  |      | right |\n";
  append_tag_table(tally, rows, right_cells, out);
  out += "  The overall error rate and its distribution over CPOSTAGs\n\n";
  out += kTagRule;
  out +=
      "  Error      | words | head  |   %  |  dep  |   %  | both  |   %\n"
      "  Rate       |       | err   |      |  err  |      | wrong |\n";
  append_tag_table(tally, rows, wrong_cells, out);
  append_class_heading("DEPREL", "deprel", out);
  for (const auto& [label, c] : tally.by_label) append_class_row(label, c, c.agreed, out);
  out += "\n\n";
  append_class_heading("DEPREL + ATTACHMENT", "deprel", out);
  for (const auto& [label, c] : tally.by_label) append_class_row(label, c, c.both, out);
  out += "\n\n";
  append_bins<HeadDirection>("direction", tally.by_direction, out);
  append_bins<HeadDistance>("distance", tally.by_distance, out);
  return out;
}

}  // namespace trellis::parse
