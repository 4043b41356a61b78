#include "trellis/tasks/align/metrics/alignment_scores.h"
#include "trellis/base/share.h"

#include <fmt/format.h>

#include <algorithm>

namespace trellis::align {
namespace {

Index num_common(std::span<const Link> a, std::span<const Link> b) {
  Index common = 0;
  for (Index i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) ++common;
    const bool next_a = a[i] <= b[j];
    const bool next_b = b[j] <= a[i];
    i += next_a ? 1 : 0;
    j += next_b ? 1 : 0;
  }
  return common;
}

Value record_of(const AlignmentCounts& counts) {
  return Value::record({{"aer", counts.aer()},
                        {"precision", counts.precision()},
                        {"recall", counts.recall()},
                        {"f1", counts.f()},
                        {"found", counts.found},
                        {"sure", counts.sure},
                        {"possible", counts.possible},
                        {"found_sure", counts.found_sure},
                        {"found_possible", counts.found_possible}});
}

bool is_correct(const AlignmentCounts& counts) {
  return counts.found_sure == counts.sure && counts.found_possible == counts.found;
}

}  // namespace

double AlignmentCounts::f(double beta) const {
  const double p = precision();
  const double r = recall();
  return p == 0 || r == 0 ? 0 : (1 + beta * beta) * r * p / (r + beta * beta * p);
}

double AlignmentCounts::aer() const {
  return found + sure == 0 ? 0 : 1 - share(found_sure + found_possible, found + sure);
}

AlignmentCounts& AlignmentCounts::operator+=(const AlignmentCounts& more) {
  found += more.found;
  sure += more.sure;
  possible += more.possible;
  found_sure += more.found_sure;
  found_possible += more.found_possible;
  return *this;
}

AlignmentCounts count_links(std::span<const Link> found, const GoldLinks& gold) {
  return {found.size(), gold.sure.size(), gold.possible.size(), num_common(found, gold.sure),
          num_common(found, gold.possible)};
}

void AlignmentScores::add(std::span<const Link> found, const GoldLinks& gold) {
  pairs_.push_back(count_links(found, gold));
  total_ += pairs_.back();
}

void AlignmentScores::append(const AlignmentScores& more) {
  total_ += more.total_;
  pairs_.insert(pairs_.end(), more.pairs_.begin(), more.pairs_.end());
}

Index AlignmentScores::num_correct() const {
  return static_cast<Index>(std::count_if(pairs_.begin(), pairs_.end(), is_correct));
}

Value AlignmentScores::record(bool per_sentence) const {
  Value record = record_of(total_);
  record["sentences"] = pairs_.size();
  record["correct_sentences"] = num_correct();
  if (per_sentence) {
    Value list = Value::list();
    for (const AlignmentCounts& pair : pairs_) list.push_back(record_of(pair));
    record["per_sentence"] = std::move(list);
  }
  return record;
}

std::string AlignmentScores::to_text(bool per_sentence) const {
  std::string text;
  if (per_sentence) {
    text += "sentence  found   sure  possible  found sure  found possible     AER\n";
    for (Index i = 0; i < pairs_.size(); ++i) {
      const AlignmentCounts& pair = pairs_[i];
      text += fmt::format("{:8}  {:5}  {:5}  {:8}  {:10}  {:14}  {:6.2f}\n", i + 1, pair.found,
                          pair.sure, pair.possible, pair.found_sure, pair.found_possible,
                          100 * pair.aer());
    }
    text += "\n";
  }
  text += fmt::format("{} sentence pairs, {} links found, {} sure, {} possible\n", pairs_.size(),
                      total_.found, total_.sure, total_.possible);
  text += fmt::format("AER {:.2f} %  precision {:.2f} %  recall {:.2f} %  F1 {:.2f} %\n",
                      100 * total_.aer(), 100 * total_.precision(), 100 * total_.recall(),
                      100 * total_.f());
  return text;
}

}  // namespace trellis::align
