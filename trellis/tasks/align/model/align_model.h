// A trained word aligner: the words of both languages, the lexicon, the models of positions, how
// links are shown, and how it was made.
//
// Model file, kind "align", version 1; with statistics or links version 2:
//   meta        JSON: lowercase, floor, forward and reverse (positions, null, and what the model of
//               positions has: tension; reach), decoding (combination, decode, threshold), training
//   source/…, target/…           offsets and bytes of the words (data/name_list.h)
//   lexicon/rows                 uint64: where the entries of each source word begin, and the end
//   lexicon/targets              uint32: their target words
//   lexicon/forward, …/reverse   float32: log t(f | e), log t(e | f)
//   lexicon/null_forward, …      float32: log t(f | nothing), by target word; by source word
//   forward/jumps, reverse/jumps       float64: c by class
//   forward/lengths, forward/cells, …  uint32 (I, J), float32: tables of Model 2
//   forward/fertilities, …             float32: r(φ | e), where meta has fertilities (most, chains,
//                                      burn_in, sweeps, seed)
//   statistics/source_counts, …/target_counts    uint32: where meta has statistics (frequent), of a
//                                      text (text_statistics.h); by word
//   statistics/dice                    float32: by entry
//   statistics/source_bigrams, …       uint64: words that follow each other, first · 2³² + second,
//                                      ascending
//   statistics/source_shares, …        float32: BigramPatterns::kShares each
//   statistics/source_several, …       float32: by word
//
//   links/weights                      float64: what was learned from links, where meta has links
//                                      (link_weights.h), which need the statistics
//
// Entries that are, in both directions, within a hundredth of what a pair without an entry has are
// left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/model_file.h"
#include "trellis/data/name_list.h"
#include "trellis/data/value.h"
#include "trellis/generative/alignment/word_aligner.h"
#include "trellis/tasks/align/decoding.h"
#include "trellis/tasks/align/model/link_weights.h"
#include "trellis/tasks/align/model/text_statistics.h"

namespace trellis::align {

// The arrays of a lexicon, which a model owns.
struct LexiconArrays {
  std::vector<Index> row_begin;
  std::vector<WordId> targets;
  std::vector<float> forward, reverse, null_forward, null_reverse, unseen_forward, unseen_reverse;
  float floor = 0;

  // Without the entries that, in both directions, are next to what a pair without one has; with
  // those of `before` that are pairs of words which `lexicon` knows nothing of.
  static LexiconArrays compact(const LexiconView& lexicon, const LexiconView* before = nullptr);
  LexiconView view() const {
    return {row_begin,    targets,        forward,        reverse, null_forward,
            null_reverse, unseen_forward, unseen_reverse, floor};
  }
};

// The two vocabularies. Words are told apart in lower case unless that is said.
class Vocabularies {
 public:
  explicit Vocabularies(bool lowercase = true) : lowercase_(lowercase) {}
  Vocabularies(NameList source, NameList target, bool lowercase)
      : source_(std::move(source)), target_(std::move(target)), lowercase_(lowercase) {}

  bool lowercase() const { return lowercase_; }
  const NameList& source() const { return source_; }
  const NameList& target() const { return target_; }

  // The numbers of words; new ones are added, or are kUnknownWord.
  void add(std::span<const std::string_view> source, std::span<const std::string_view> target,
           std::vector<WordId>& source_ids, std::vector<WordId>& target_ids);
  void find(std::span<const std::string_view> source, std::span<const std::string_view> target,
            std::vector<WordId>& source_ids, std::vector<WordId>& target_ids) const;

 private:
  NameList source_, target_;
  bool lowercase_;
};

class AlignModel {
 public:
  static constexpr std::string_view kKind = "align";
  static constexpr std::uint32_t kVersion = 2;
  static constexpr std::uint32_t kPlainVersion = 1;  // without statistics: older programs read it

  AlignModel(Vocabularies words, LexiconArrays lexicon,
             std::shared_ptr<const PositionModel> forward,
             std::shared_ptr<const PositionModel> reverse,
             std::shared_ptr<const Fertilities> fertilities, const Decoding& decoding,
             const Value& training, std::shared_ptr<const TextStatistics> statistics = nullptr);

  // Throws InputError unless the file is a whole model that this program understands.
  static AlignModel read(const std::string& path);
  static AlignModel from_bytes(std::span<const std::byte> bytes, const std::string& name);
  void write(const std::string& path) const;
  std::string to_bytes() const;

  const std::string& name() const { return name_; }  // of the file, for messages
  const Vocabularies& words() const { return *words_; }
  const WordAligner& aligner() const { return aligner_; }
  const Decoding& decoding() const { return decoding_; }
  const Value& training() const { return *training_; }
  const TextStatistics* statistics() const { return statistics_.get(); }  // null: none
  // What it has learned from links; null: nothing.
  const LinkWeights* links() const { return links_.get(); }
  // The same model with that; `training` says how all of it was made.
  AlignModel with_links(LinkWeights learned, const Value& training) const;

 private:
  static AlignModel load(const ModelReader& reader);
  // The vectors are memory for it.
  ModelWriter writer(std::vector<std::uint32_t>& forward_lengths,
                     std::vector<std::uint32_t>& reverse_lengths) const;

  std::string name_ = "<memory>";
  std::shared_ptr<const Vocabularies> words_;
  std::shared_ptr<const LexiconArrays> lexicon_;
  WordAligner aligner_;
  Decoding decoding_;
  std::shared_ptr<const Value> training_;
  std::shared_ptr<const TextStatistics> statistics_;
  std::shared_ptr<const LinkWeights> links_;
};

}  // namespace trellis::align
