// The possible labels of an arc: those seen in training with the coarse tags of head and modifier
// and the direction. For an unseen combination: those of the modifier's tag, or else all. Root arcs
// are separate: a tag never seen below the root may have the labels of other tags there.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/parse/features/sentence_atoms.h"

namespace trellis::parse {

// The sets of a model file: the set's number for each (head's tag, modifier's tag, direction), and
// the labels of each set, ascending. Cheap to copy; the arrays must outlive it.
class LabelSets {
 public:
  LabelSets() = default;
  // Throws InputError(file, …) for invalid arrays.
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

  // Call after finish(). The result has views into the builder.
  LabelSets sets() const;
  std::span<const std::uint32_t> set_of() const { return set_of_; }
  std::span<const std::uint32_t> begin() const { return begin_; }
  std::span<const std::uint32_t> members() const { return members_; }

 private:
  using Set = std::vector<std::uint32_t>;  // ascending
  static void insert(Set& set, std::uint32_t label);

  Index num_tags_;
  Index num_labels_;
  std::vector<Set> seen_;         // by index
  std::vector<Set> of_modifier_;  // by tag, for heads that are words
  Set of_root_;
  std::vector<std::uint32_t> set_of_, begin_, members_;
};

}  // namespace trellis::parse
