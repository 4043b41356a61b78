// Which labels an arc may have: those that training has seen with the coarse tags of head and
// modifier and the direction. Where it has seen no such pair: those of the modifier's tag, else
// all. Root arcs are apart: tags that never hung on the root may have what others had there.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/parse/features/sentence_atoms.h"

namespace trellis::parse {

// Sets as a model file has them: set of (head's tag, modifier's tag, direction) by number, and the
// labels of each, ascending. Cheap to copy; the arrays must outlive it.
class LabelSets {
 public:
  LabelSets() = default;
  // Throws InputError(file, …) for arrays that are not that.
  LabelSets(Index num_tags, Index num_labels, std::span<const std::uint32_t> set_of,
            std::span<const std::uint32_t> begin, std::span<const std::uint32_t> members,
            std::string_view file);

  // Never empty.
  std::span<const std::uint32_t> labels(Index head_tag, Index modifier_tag,
                                        ArcDirection direction) const {
    const std::uint32_t set = set_of_[place(num_tags_, head_tag, modifier_tag, direction)];
    return members_.subspan(begin_[set], begin_[set + 1] - begin_[set]);
  }
  static constexpr Index place(Index num_tags, Index head_tag, Index modifier_tag,
                               ArcDirection direction) {
    const Index side = direction == ArcDirection::kFromRight ? 1 : 0;
    return (side * num_tags + head_tag) * num_tags + modifier_tag;
  }

 private:
  Index num_tags_ = 0;
  std::span<const std::uint32_t> set_of_;
  std::span<const std::uint32_t> begin_;
  std::span<const std::uint32_t> members_;
};

class LabelSetBuilder {
 public:
  LabelSetBuilder(Index num_tags, Index num_labels);
  void add(Index head_tag, Index modifier_tag, ArcDirection direction, std::uint32_t label);
  void finish();

  // After finish(); views into the builder.
  LabelSets sets() const;
  std::span<const std::uint32_t> set_of() const { return set_of_; }
  std::span<const std::uint32_t> begin() const { return begin_; }
  std::span<const std::uint32_t> members() const { return members_; }

 private:
  using Set = std::vector<std::uint32_t>;  // ascending
  static void insert(Set& set, std::uint32_t label);

  Index num_tags_;
  Index num_labels_;
  std::vector<Set> seen_;         // by place
  std::vector<Set> of_modifier_;  // by tag, from words
  Set of_root_;
  std::vector<std::uint32_t> set_of_, begin_, members_;
};

}  // namespace trellis::parse
