#include "trellis/topics/corpus/translations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "trellis/base/error.h"
#include "trellis/data/name_list.h"

namespace trellis::topics {

Translations::Translations(const Corpus& corpus, std::string_view file)
    : by_language_(corpus.language_names().size()) {
  if (!corpus.has_ids()) return;
  NameList ids;
  for (Index d = 0; d < corpus.languages().size(); ++d) {
    if (corpus.languages()[d] == kNoLabel || corpus.ids()[d].empty()) continue;
    by_language_[static_cast<Index>(corpus.languages()[d])].push_back(
        {ids.add(corpus.ids()[d]), d});
  }
  for (Index l = 0; l < by_language_.size(); ++l) {
    std::vector<Entry>& entries = by_language_[l];
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.id < b.id; });
    const auto twice = std::adjacent_find(entries.begin(), entries.end(),
                                          [](auto& a, auto& b) { return a.id == b.id; });
    if (twice == entries.end()) continue;
    throw InputError(
        file, 0,
        fmt::format("expected one document of each id in the language {}, found two of",
                    corpus.language_names()[l]),
        ids[twice->id]);
  }
}

std::vector<TranslationPair> Translations::pairs(Label first, Label second) const {
  assert(first != second);
  const std::vector<Entry>& left = by_language_[static_cast<Index>(first)];
  const std::vector<Entry>& right = by_language_[static_cast<Index>(second)];
  std::vector<TranslationPair> found;
  for (Index i = 0, j = 0; i < left.size() && j < right.size();) {
    if (left[i].id == right[j].id) {
      found.push_back({left[i++].document, right[j++].document});
    } else {
      ++(left[i].id < right[j].id ? i : j);
    }
  }
  return found;
}

}  // namespace trellis::topics
