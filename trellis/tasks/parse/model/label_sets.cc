#include "trellis/tasks/parse/model/label_sets.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "trellis/base/error.h"

namespace trellis::parse {

LabelSets::LabelSets(Index num_tags, Index num_labels, std::span<const std::uint32_t> set_of,
                     std::span<const std::uint32_t> begin, std::span<const std::uint32_t> members,
                     std::string_view file)
    : num_tags_(num_tags), set_of_(set_of), begin_(begin), members_(members) {
  const auto require = [&](bool holds) {
    if (!holds) throw InputError(file, 0, "the model's sets of labels are damaged");
  };
  require(num_tags >= 2 && num_tags <= TagNumbers::kMostTags + 2);
  require(set_of.size() == 2 * num_tags * num_tags && begin.size() >= 2);
  require(begin.front() == 0 && begin.back() == members.size());
  for (Index set = 0; set + 1 < begin.size(); ++set) {
    require(begin[set] < begin[set + 1] && begin[set + 1] <= members.size());
    for (Index k = begin[set]; k < begin[set + 1]; ++k) {
      require(members[k] < num_labels && (k == begin[set] || members[k - 1] < members[k]));
    }
  }
  for (const std::uint32_t set : set_of) require(set + 1 < begin.size());
}

LabelSetBuilder::LabelSetBuilder(Index num_tags, Index num_labels)
    : num_tags_(num_tags),
      num_labels_(num_labels),
      seen_(2 * num_tags * num_tags),
      of_modifier_(num_tags) {}

void LabelSetBuilder::insert(Set& set, std::uint32_t label) {
  const auto found = std::lower_bound(set.begin(), set.end(), label);
  if (found == set.end() || *found != label) set.insert(found, label);
}

void LabelSetBuilder::add(Index head_tag, Index modifier_tag, ArcDirection direction,
                          std::uint32_t label) {
  insert(seen_[LabelSets::place(num_tags_, head_tag, modifier_tag, direction)], label);
  insert(direction == ArcDirection::kFromRoot ? of_root_ : of_modifier_[modifier_tag], label);
}

void LabelSetBuilder::finish() {
  Set all(num_labels_);
  std::iota(all.begin(), all.end(), 0U);
  std::map<Set, std::uint32_t> numbers;
  begin_ = {0};
  for (Index place = 0; place < seen_.size(); ++place) {
    const Index modifier_tag = place % num_tags_;
    const bool root = place / num_tags_ % num_tags_ == SentenceAtoms::kRootTag;
    const Set& instead = root ? of_root_ : of_modifier_[modifier_tag];
    const Set& chosen = !seen_[place].empty() ? seen_[place] : !instead.empty() ? instead : all;
    const auto [known, inserted] =
        numbers.emplace(chosen, static_cast<std::uint32_t>(numbers.size()));
    if (inserted) {
      members_.insert(members_.end(), chosen.begin(), chosen.end());
      begin_.push_back(static_cast<std::uint32_t>(members_.size()));
    }
    set_of_.push_back(known->second);
  }
}

LabelSets LabelSetBuilder::sets() const {
  return {num_tags_, num_labels_, set_of_, begin_, members_, "<memory>"};
}

}  // namespace trellis::parse
