// conlleval, the scorer of chunks and named entities of the shared tasks of CoNLL-2000, 2002 and
// 2003 (Tjong Kim Sang & Buchholz 2000; the script's version of 2004-01-26), digit for digit:
// precision, recall and F1 of spans, in percent.
//
// conlleval reads gold and predicted labels side by side, splits each at its first hyphen into tag
// and type, and asks between any two tokens whether a chunk ends and whether one starts. A chunk is
// correct if it starts, continues and ends together in both, with the same type.
//
// What conlleval does on odd input is kept, because its scores are the ones that are compared:
// a type "0" counts as no type, and chunks without a type have their line printed twice.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/scorers/match_counts.h"

namespace trellis::tag {

// When chunks start and end. The two differ only where S occurs, or B right after E.
enum class ChunkRules {
  // The official script. It knows B, I, O, E and the brackets, but joins neighbours of one type
  // in BIOES: "S-X S-X" and "E-X B-X" are no boundary to it.
  kConlleval2004,
  // With the rules for S, and B after E, by which the script is commonly extended for BIOES.
  kConllevalBioes,
};

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

}  // namespace trellis::tag
