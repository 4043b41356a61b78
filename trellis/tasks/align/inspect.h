// What an aligner has learned: the strongest entries of its lexicon, its jumps, and what it links
// with nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/align/model/align_model.h"

namespace trellis::align {

struct Translation {
  std::string_view source, target;
  double forward = 0;  // t(f | e)
  double reverse = 0;  // t(e | f)
};

// The entries with the largest t(f | e) · t(e | f); of `word`, of either language, where that is
// given, by the direction in which it generates.
std::vector<Translation> strongest_translations(const AlignModel& model, Index top,
                                                const std::string& word = {});
struct Alone {
  std::string_view word;
  double probability = 0;  // of it, given that nothing generates
};
std::vector<Alone> strongest_alone(const AlignModel& model, Index top, bool source);

// Words by how many words they are linked with on the average, the most first; none where the model
// has no fertilities.
struct Fertile {
  std::string_view word;
  double mean = 0;
  double none = 0, one = 0;  // r(0), r(1)
};
std::vector<Fertile> most_fertile(const AlignModel& model, Index top, bool source);

struct JumpShare {
  int distance = 0;
  double probability = 0;
};
// How likely each jump is in the middle of a sentence that allows those up to `within` and no
// farther; nothing where there are no jumps. (Jumps that no sentence allows have weights that mean
// nothing.)
std::vector<JumpShare> jump_shares(const PositionModel& model, int within);

// "jumps, nothing 0.2: -1 0.081 …", "product, threshold 0.25"
std::string describe(const PositionModel& model);
std::string describe(const Decoding& decoding);
std::string describe(const LinkWeights& learned);  // "M+F, 2 links, offset +0.1"
// "12345 and 13579 tokens, 321 and 345 pairs of words that follow each other (seen …"
std::string describe(const TextStatistics& statistics);

Value inspect_record(const AlignModel& model, Index top, const std::string& word);
std::string inspect_text(const AlignModel& model, const std::string& name, Index top,
                         const std::string& word);

}  // namespace trellis::align
