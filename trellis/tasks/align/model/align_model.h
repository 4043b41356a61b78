// A trained word aligner: the words of both languages, the lexicon, the models of positions, how
// links are shown, and how it was made.
//
// Entries that are, in both directions, within a hundredth of what a pair without an entry has are
// left out.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/name_list.h"
#include "trellis/data/value.h"
#include "trellis/frame/stored_model.h"
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

// Copies share what is large.
struct AlignParts {
  std::shared_ptr<const Vocabularies> words;
  std::shared_ptr<const LexiconArrays> lexicon;
  std::shared_ptr<const PositionModel> forward, reverse;
  std::shared_ptr<const Fertilities> fertilities;  // null: none
  Decoding decoding;
  std::shared_ptr<const Value> training;
  std::shared_ptr<const TextStatistics> statistics;  // null: none
  std::shared_ptr<const LinkWeights> links;          // null: nothing was learned from links
};

class AlignModel : public StoredModel<AlignModel, AlignParts> {
 public:
  // 1: without statistics and links.
  static constexpr ModelKind kKind{.name = "align", .newest = 2, .meta_last = true};
  static void describe(ModelArchive& a, AlignParts& m);

  // Throws UsageError for statistics of other words.
  explicit AlignModel(AlignParts parts);
  AlignModel(Vocabularies words, LexiconArrays lexicon,
             std::shared_ptr<const PositionModel> forward,
             std::shared_ptr<const PositionModel> reverse,
             std::shared_ptr<const Fertilities> fertilities, const Decoding& decoding,
             const Value& training, std::shared_ptr<const TextStatistics> statistics = nullptr);

  const Vocabularies& words() const { return *parts().words; }
  const WordAligner& aligner() const { return aligner_; }
  const Decoding& decoding() const { return parts().decoding; }
  const TextStatistics* statistics() const { return parts().statistics.get(); }  // null: none
  // What it has learned from links; null: nothing.
  const LinkWeights* links() const { return parts().links.get(); }
  // The same model with that; `training` says how all of it was made.
  AlignModel with_links(LinkWeights learned, const Value& training) const;

 private:
  WordAligner aligner_;
};

}  // namespace trellis::align
