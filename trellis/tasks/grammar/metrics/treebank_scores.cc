#include "trellis/tasks/grammar/metrics/treebank_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "trellis/base/text.h"

namespace trellis::grammar {
namespace {

EvalbParameters patient(EvalbParameters parameters) {
  parameters.max_errors = std::numeric_limits<Index>::max() / 2;
  return parameters;
}

Value record_of(const EvalbSums& sums) {
  return Value::record({{"sentences", sums.sentences},
                        {"errors", sums.errors},
                        {"skipped", sums.skipped},
                        {"recall", sums.recall()},
                        {"precision", sums.precision()},
                        {"f1", sums.f1()},
                        {"complete_match", sums.complete_match()},
                        {"average_crossing", sums.average_crossing()},
                        {"no_crossing", sums.no_crossing()},
                        {"at_most_two_crossing", sums.at_most_two_crossing()},
                        {"tag_accuracy", sums.tag_accuracy()}});
}

void append_sums(std::string_view name, const EvalbSums& sums, std::string& out) {
  fmt::format_to(std::back_inserter(out),
                 "{:20} {:9} {:9.2f} {:9.2f} {:9.2f} {:9.2f} {:9.2f} {:9.2f}\n", name, sums.valid(),
                 sums.recall(), sums.precision(), sums.f1(), sums.complete_match(),
                 sums.average_crossing(), sums.tag_accuracy());
}

}  // namespace

TreebankScores::TreebankScores(EvalbParameters parameters)
    : evalb_(patient(std::move(parameters))) {}

const BracketMatch& TreebankScores::add(const ConstituencyTree& gold,
                                        const ConstituencyTree& test) {
  const BracketMatch& match = evalb_.add(gold, test);
  const Index length = std::max<Index>(match.score.length, 1);
  by_length_[std::min((length - 1) / kLengthStep, kLengths - 1)].add(match.score);
  return match;
}

std::string TreebankScores::length_name(Index bucket) {
  const Index first = bucket * kLengthStep + 1;
  return bucket + 1 == kLengths ? fmt::format("{} or more", first)
                                : fmt::format("{}-{}", first, first + kLengthStep - 1);
}

Value TreebankScores::record() const {
  Value record = record_of(all());
  record["up_to_cutoff"] = record_of(evalb_.up_to_cutoff());
  record["up_to_cutoff"]["words"] = evalb_.parameters().cutoff;
  record["categories"] = Value::list();
  for (const auto& [label, score] : evalb_.categories()) {
    record["categories"].push_back(Value::record({{"label", label},
                                                  {"gold", score.gold},
                                                  {"test", score.test},
                                                  {"recall", score.recall()},
                                                  {"precision", score.precision()},
                                                  {"f1", score.f1()}}));
  }
  record["lengths"] = Value::list();
  for (Index k = 0; k < kLengths; ++k) {
    if (by_length_[k].sentences == 0) continue;
    Value length = record_of(by_length_[k]);
    length["words"] = length_name(k);
    record["lengths"].push_back(std::move(length));
  }
  return record;
}

std::string TreebankScores::to_text() const {
  std::string out =
      fmt::format("{:20} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "", "sentences", "recall",
                  "precision", "F1", "complete", "crossing", "tags");
  append_sums("all", all(), out);
  append_sums(fmt::format("at most {} words", evalb_.parameters().cutoff), evalb_.up_to_cutoff(),
              out);
  for (Index k = 0; k < kLengths; ++k) {
    if (by_length_[k].sentences > 0) append_sums(length_name(k) + " words", by_length_[k], out);
  }
  if (all().errors + all().skipped > 0) {
    fmt::format_to(
        std::back_inserter(out),
        "{} sentences cannot be compared (their uncounted tags differ), {} have no counted word\n",
        all().errors, all().skipped);
  }
  fmt::format_to(std::back_inserter(out), "\n{:20} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "category",
                 "gold", "test", "recall", "precision", "F1");
  for (const auto& [label, score] : evalb_.categories()) {
    std::string padded(label);
    padded.resize(padded.size() + 20 - std::min<Index>(utf8_length(label), 20), ' ');
    fmt::format_to(std::back_inserter(out), "{} {:9} {:9} {:9.2f} {:9.2f} {:9.2f}\n", padded,
                   score.gold, score.test, score.recall(), score.precision(), score.f1());
  }
  return out;
}

}  // namespace trellis::grammar
