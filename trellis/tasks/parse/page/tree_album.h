// Details of an evaluation for a page: the hardest sentences, a sample, scores by sentence length,
// and confusions of labels.
//
// Sentences are added one by one; memory is that of the displayed ones, for treebanks of any
// length.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/treebank/sentence.h"
#include "trellis/pictures/charts/heat_map.h"
#include "trellis/tasks/parse/metrics/attachment_scores.h"
#include "trellis/tasks/parse/page/dependency_picture.h"

namespace trellis::report {

class TreeAlbum {
 public:
  static constexpr Index kHardest = 12;
  static constexpr Index kSampled = 12;
  // Sentences of (k − 1) · kLengthStep + 1 … k · kLengthStep words are scored together.
  static constexpr Index kLengthStep = 5;

  // Both have the same words, and every word has a head. `probabilities`: of system's arcs, word
  // m's at [m − 1], or empty.
  void add(const parse::Sentence& gold, const parse::Sentence& system,
           const std::vector<double>& probabilities = {});

  Index num_sentences() const { return num_sentences_; }
  // Sentences with the largest share of words with a wrong head or label first; ties in order.
  // Shares of few words are unreliable, so kRightWords additional right words shrink each share
  // towards 0.
  static constexpr double kRightWords = 5;
  std::vector<DependencyPicture> hardest() const;
  // Drawn at random from the others, in the order of the file; always the same ones.
  std::vector<DependencyPicture> sample() const;

  // By k; over all words that count.
  const std::map<Index, parse::AttachmentCounts>& by_length() const { return by_length_; }
  // Over words with the right head.
  ConfusionMatrix label_confusion() const;
  // Words whose coarse part of speech equals gold's, among words that have one in both files.
  Index num_words() const { return num_words_; }
  Index num_right_tags() const { return num_right_tags_; }

 private:
  struct Kept {
    double key = 0;  // the smallest ones are kept
    Index number = 0;
    DependencyPicture picture;
  };
  using Shelf = std::vector<Kept>;  // by key, then number

  static bool has_room(const Shelf& shelf, Index most, double key);
  static void keep(Shelf& shelf, Index most, Kept one);

  Shelf hardest_;
  Shelf drawn_;
  std::map<Index, parse::AttachmentCounts> by_length_;
  std::map<std::pair<std::string, std::string>, Index> labels_;  // gold's and the system's
  Index num_sentences_ = 0;
  Index num_words_ = 0;
  Index num_right_tags_ = 0;
};

}  // namespace trellis::report
