#include "trellis/tasks/tag/data_warnings.h"
#include "trellis/base/share.h"

#include <fmt/format.h>

#include <algorithm>

namespace trellis::tag {
namespace {

// Words have thousands of types, half of which occur once; tags have neither property.
constexpr Index kManyLabels = 100;
constexpr double kManyOnce = 0.3;    // of the labels
constexpr double kManyTypes = 0.02;  // labels per token

// Thresholds for files to tag. For named entities and parts of speech, 7 to 22 % of the features of
// a correct file are unknown, and 43 to 52 % if two columns are exchanged; but a model trained on
// little text knows few features.
constexpr Index kMuchText = 50000;  // tokens
constexpr double kStrange = 0.4;
constexpr double kStrangeToSmallModels = 0.9;

void warn_of_labels(const TrainingSet& set, std::vector<std::string>& warnings) {
  std::vector<Index> counts(set.labels.size(), 0);
  Index tokens = 0;
  for (Index i = 0; i < set.examples->num_examples(); ++i) {
    for (const Label label : set.examples->labels(i)) {
      if (label == kNoLabel) continue;
      ++counts[static_cast<Index>(label)];
      ++tokens;
    }
  }
  const auto once = static_cast<Index>(std::count(counts.begin(), counts.end(), Index{1}));
  if (counts.size() >= kManyLabels && share(once, counts.size()) > kManyOnce &&
      share(counts.size(), tokens) > kManyTypes) {
    warnings.push_back(
        fmt::format("{}: {} labels, {} of which occur once among {} tokens: if these are words and "
                    "not labels, give the column of the label with --label-column",
                    set.file, counts.size(), once, tokens));
  }
  const auto only = std::find(counts.begin(), counts.end(), tokens);
  if (tokens > 0 && only != counts.end()) {
    warnings.push_back(
        fmt::format("{}: every token has the label '{}', so there is nothing to learn: check the "
                    "column of the label (--label-column)",
                    set.file, set.labels[static_cast<Index>(only - counts.begin())]));
  }
}

// The expected share of new features in a file is the share that occurs once in training (Good
// 1953). A third of the remaining share is suspicious.
bool is_strange(double unknown, double expected) {
  return unknown > expected + (1 - expected) / 3;
}

void warn_of_dev(const TagData& data, std::vector<std::string>& warnings) {
  const AttributeIndex& nodes = data.set.nodes;
  if (!data.dev || nodes.hash_bits() > 0) return;
  Index all = 0;
  Index unknown = 0;
  for (const SentenceAttributes& sentence : data.dev->attributes) {
    all += sentence.node.fingerprints.size();
    for (const std::uint64_t fingerprint : sentence.node.fingerprints) {
      unknown += nodes.find(fingerprint) == kNoAttribute;
    }
  }
  Index trained = 0;
  Index once = 0;
  for (const std::uint64_t count : data.set.examples->nodes().count(nodes.size())) {
    trained += count;
    once += count == 1;
  }
  if (!is_strange(share(unknown, all), share(once, trained))) return;
  warnings.push_back(fmt::format(
      "{}: {:.0f} % of its features never occur in {} (where {:.0f} % of the features occur once): "
      "check that the columns of both files have the same meaning, or that their items have the "
      "same names",
      data.dev->file, 100 * share(unknown, all), data.set.file, 100 * share(once, trained)));
}

}  // namespace

std::vector<std::string> data_warnings(const TagData& data) {
  std::vector<std::string> warnings;
  warn_of_labels(data.set, warnings);
  warn_of_dev(data, warnings);
  return warnings;
}

std::vector<std::string> coverage_warnings(const TagModel& model, const std::string& file,
                                           const Coverage& coverage) {
  if (model.hash_bits() > 0 || coverage.features == 0) return {};
  // A model drops features with weight 0. If it has dropped most features, it knows few of
  // those in any file, but a file without any known feature is still suspicious.
  const auto number = [&](const char* key) {
    const Value& training = model.training();  // in an untrusted model it may be anything
    const bool known = training.contains(key) && training.at(key).is_count();
    return known ? training.at(key).get<Index>() : 0;
  };
  const Index kept =
      model.chain().node_rows().num_attributes() + model.chain().edge_rows().num_attributes();
  const double unknown = share(coverage.unknown, coverage.features);
  const double strange = number("tokens") < kMuchText ? kStrangeToSmallModels : kStrange;
  if (unknown < (share(kept, number("attributes")) < 0.5 ? 1 : strange)) return {};
  return {
      fmt::format("{}: {:.0f} % of its features are unknown to the model: check that its columns "
                  "have the same meaning as in the training files ('trellis tag inspect "
                  "--template' prints the columns that the model uses)",
                  file, 100 * unknown)};
}

}  // namespace trellis::tag
