// The tags that a tagger considers possible for each word of a sentence, with log probabilities.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/name_list.h"

namespace trellis::grammar {

struct TagChoice {
  std::uint32_t tag = 0;
  float log_probability = 0;
};

struct TagChoices {
  static constexpr float kUnlikely = -10;  // of tags not chosen, and the minimum of those chosen

  std::vector<std::uint32_t> begin = {0};
  std::vector<TagChoice> choices;  // for each word, the most probable first

  Index words() const { return begin.size() - 1; }
  std::span<const TagChoice> operator[](Index i) const {
    return std::span(choices).subspan(begin[i], begin[i + 1] - begin[i]);
  }
  std::uint32_t best(Index i) const { return choices[begin[i]].tag; }
  float log_probability(Index i, std::uint32_t tag) const {
    for (const TagChoice& choice : (*this)[i]) {
      if (choice.tag == tag) return choice.log_probability;
    }
    return kUnlikely;
  }
  void clear() {
    begin.resize(1);
    choices.clear();
  }
  // Changes numbers of one list to those of another. Tags missing there are left out; a word
  // without any tag left gets the first one.
  void renumber(const NameList& from, const NameList& to) {
    TagChoices all;
    std::swap(all, *this);
    for (Index i = 0; i < all.words(); ++i) {
      for (const TagChoice& choice : all[i]) {
        const std::uint32_t tag = to.find(from[choice.tag]);
        if (tag != NameList::kNone) choices.push_back({tag, choice.log_probability});
      }
      if (choices.size() == begin.back()) choices.push_back({0, kUnlikely});
      end_word();
    }
  }
  void end_word() { begin.push_back(static_cast<std::uint32_t>(choices.size())); }
};

}  // namespace trellis::grammar
