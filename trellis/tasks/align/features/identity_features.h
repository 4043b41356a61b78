// Features of the identity of the linked words: a weight for each pair of tags and for each pair of
// frequent words. At most two of a link are not 0:
//
//   tags.S T        the tags of its words, if both are known
//   words.e f       both words have weights of their own
//   source_word.e   only the source word has weights of its own
//   target_word.f   only the target word has weights of its own
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/feature_rows.h"
#include "trellis/data/name_list.h"
#include "trellis/structure/matchings/matching.h"
#include "trellis/tasks/align/model/feature_shape.h"

namespace trellis::align {

class IdentityFeatures {
 public:
  struct Scratch {
    std::vector<std::uint32_t> source_tags, target_tags, source_words, target_words;
    std::string lower;
  };
  // One side of a pair.
  struct Side {
    std::span<const std::string_view> words;
    std::span<const std::string> tags;
  };

  // Throws UsageError if a tag or a word is listed twice, or only one side has tags.
  IdentityFeatures(const FeatureShape& shape, bool lowercase);

  const std::vector<std::string>& names() const { return names_; }
  // A row for each edge. Throws UsageError if there are tags and some word has none.
  FeatureRows rows(Side source, Side target, std::span<const MatchingEdges::Edge> edges,
                   Scratch& scratch) const;

 private:
  void find_tags(const NameList& known, Side side, std::vector<std::uint32_t>& tags) const;
  void find_words(const NameList& lexical, Side side, std::string& lower,
                  std::vector<std::uint32_t>& words) const;
  // The feature of a pair of words; kNone if it has none.
  std::uint32_t words_feature(std::uint32_t source, std::uint32_t target) const;

  NameList source_tags_, target_tags_, source_words_, target_words_;
  bool lowercase_;
  std::vector<std::string> names_;
};

}  // namespace trellis::align
