// Gold and predicted labels, token by token: accuracy, precision, recall and F1 of each label, and
// confusions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/name_list.h"
#include "trellis/scorers/match_counts.h"

namespace trellis::tag {

struct ConfusedPair {
  std::string gold;
  std::string predicted;
  Index count = 0;
};

// Numbers labels in the order of occurrence; labels() sorts them. Memory: one entry per pair.
class Confusion {
 public:
  void add(std::span<const std::string_view> gold, std::span<const std::string_view> predicted);

  Index num_tokens() const { return tokens_; }
  Index num_correct_tokens() const { return correct_; }
  double accuracy() const;

  // All labels of both sides in the order of bytes; the counts are in the same order.
  std::vector<std::string> labels() const;
  std::vector<LabelCounts> by_label() const;
  // labels() × labels(), row by row; rows are gold labels.
  std::vector<Index> matrix() const;
  // The most frequent mistakes, most frequent first; ties in the order of labels.
  std::vector<ConfusedPair> most_confused(Index limit) const;

  // As text: the accuracy, a line for each label, and the `limit` most frequent mistakes.
  std::string table(Index limit = 10) const;

 private:
  using Number = std::uint32_t;
  static std::uint64_t key(Number gold, Number predicted) {
    return (std::uint64_t{gold} << 32) | predicted;
  }
  std::string label(Number number) const { return std::string(labels_[number]); }
  std::vector<Number> sorted() const;

  NameList labels_;
  std::unordered_map<std::uint64_t, Index> counts_;
  Index tokens_ = 0;
  Index correct_ = 0;
};

}  // namespace trellis::tag
