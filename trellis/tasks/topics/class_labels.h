// The labels of documents as numbers of a given list of classes.
#pragma once

#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/name_list.h"
#include "trellis/topics/corpus/corpus.h"

namespace trellis::topics {

// The class of each document; kNoLabel if it has no label or one outside the list.
inline std::vector<Label> labels_of(const Corpus& corpus, const NameList& names) {
  std::vector<Label> labels(corpus.documents().size(), kNoLabel);
  for (Index d = 0; d < corpus.labels().size(); ++d) {
    if (corpus.labels()[d] == kNoLabel) continue;
    const std::uint32_t id =
        names.find(corpus.label_names()[static_cast<Index>(corpus.labels()[d])]);
    if (id != NameList::kNone) labels[d] = static_cast<Label>(id);
  }
  return labels;
}

}  // namespace trellis::topics
