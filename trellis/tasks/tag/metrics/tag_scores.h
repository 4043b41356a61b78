// How good predicted labels are: spans as conlleval counts them, tokens, and what is confused.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/tag/metrics/confusion.h"
#include "trellis/tasks/tag/reading/tag_scheme.h"

namespace trellis::tag {

// When chunks start and end. The two differ only where S occurs, or B right after E.
enum class ChunkRules {
  // The official script. It knows B, I, O, E and the brackets, but joins neighbours of one type
  // in BIOES: "S-X S-X" and "E-X B-X" are no boundary to it.
  kConlleval2004,
  // With the rules for S, and B after E, by which the script is commonly extended for BIOES.
  kConllevalBioes,
};

// Spans: precision, recall and F1, counted as conlleval does (Tjong Kim Sang & Buchholz 2000;
// its version of 2004-01-26), digit for digit.
//
// conlleval reads gold and predicted labels side by side, splits each at its first hyphen into tag
// and type, and asks between any two tokens whether a chunk ends and whether one starts. A chunk is
// correct if it starts, continues and ends together in both, with the same type. All figures are
// in percent.
//
// What conlleval does on odd input is kept, because its figures are the ones that are compared:
// a type "0" counts as no type, and chunks without a type have their line printed twice.
class SpanMetrics {
 public:
  explicit SpanMetrics(ChunkRules rules = ChunkRules::kConllevalBioes) : rules_(rules) {}

  // Adds a sentence, followed by an empty line unless the file ends without one (then it is the
  // last to be added). Both must have the same length.
  void add(std::span<const std::string_view> gold, std::span<const std::string_view> predicted,
           bool ended = true);

  Index num_tokens() const { return tokens_; }
  Index num_correct_tokens() const { return correct_tokens_; }
  double accuracy() const;
  MatchCounts overall() const;
  std::vector<LabelCounts> by_type() const;  // sorted by the bytes of the name

  // What conlleval prints, to the byte; and what it prints with -l.
  std::string conlleval() const;
  std::string conlleval_latex() const;

 private:
  struct Chunk {
    std::string_view tag;
    std::string_view type;
  };
  static Chunk split(std::string_view label);
  bool ends(const Chunk& previous, const Chunk& next) const;
  bool starts(const Chunk& previous, const Chunk& next) const;
  void step(const Chunk& last_gold, const Chunk& gold, const Chunk& last_found, const Chunk& found);
  MatchCounts& counts(std::string_view type);
  std::vector<LabelCounts> printed_types() const;

  ChunkRules rules_;
  Index tokens_ = 0;
  Index correct_tokens_ = 0;
  MatchCounts overall_;
  std::map<std::string, MatchCounts, std::less<>> types_;
  bool in_correct_ = false;  // a chunk has started in both and is correct until now
  std::string last_type_;    // of the last gold label
};

// Labels of the model as texts of the scheme that its files are written in.
class LabelTexts {
 public:
  LabelTexts(const std::vector<std::string>& labels, TagScheme model_scheme, TagScheme file_scheme)
      : labels_(&labels), model_scheme_(model_scheme), file_scheme_(file_scheme) {}

  // The views live until the next call.
  const std::vector<std::string_view>& write(std::span<const Label> labels);

 private:
  const std::vector<std::string>* labels_;
  TagScheme model_scheme_;
  TagScheme file_scheme_;
  std::vector<std::string> converted_;
  std::vector<std::string_view> views_;
};

// Labels of a file that are none of the known ones. Of spans the type counts: a label of the file's
// scheme may stand for several of the model's.
class UnseenLabels {
 public:
  UnseenLabels(std::span<const std::string> known, TagScheme file_scheme);
  void add(std::span<const std::string_view> labels);
  std::vector<std::string> list() const { return {unseen_.begin(), unseen_.end()}; }  // each once

 private:
  std::string_view essence(std::string_view label) const;

  bool plain_;
  std::set<std::string, std::less<>> known_;
  std::set<std::string, std::less<>> unseen_;
};

// The figure that training watches, in percent: F1 of spans, or token accuracy for plain labels.
inline double watched_figure(TagScheme scheme, const MatchCounts& overall) {
  return scheme == TagScheme::kPlain ? overall.recall() : overall.f1();
}
constexpr std::string_view watched_name(TagScheme scheme) {
  return scheme == TagScheme::kPlain ? "accuracy" : "f1";
}

class TagScores {
 public:
  explicit TagScores(TagScheme scheme) : scheme_(scheme) {}

  void add(std::span<const std::string_view> gold, std::span<const std::string_view> predicted);

  bool has_spans() const { return scheme_ != TagScheme::kPlain; }
  const SpanMetrics& spans() const { return spans_; }
  const Confusion& confusion() const { return confusion_; }
  Index num_sequences() const { return num_sequences_; }
  Index num_correct_sequences() const { return num_correct_sequences_; }

  // Of spans; of plain labels, which are their own types, of tokens.
  MatchCounts overall() const;
  std::vector<LabelCounts> by_type() const;
  double figure() const { return watched_figure(scheme_, overall()); }
  std::string_view figure_name() const { return watched_name(scheme_); }
  // accuracy, precision, recall, f1 in percent (for plain labels: macro-averages over the labels),
  // and a table by type or label.
  nlohmann::json to_json() const;
  std::string to_text() const;  // conlleval's output, or a table of labels

 private:
  TagScheme scheme_;
  SpanMetrics spans_;
  Confusion confusion_;
  Index num_sequences_ = 0;
  Index num_correct_sequences_ = 0;
};

}  // namespace trellis::tag
