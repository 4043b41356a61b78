#include "trellis/tasks/topics/document_split.h"

#include <cmath>
#include <string>

#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis::topics {

DocumentSplit::DocumentSplit(const Documents& documents, double share, std::uint64_t seed)
    : kept_(documents) {
  if (share == 0) return;
  const Index size = documents.size();
  const auto count = static_cast<Index>(std::floor(share * static_cast<double>(size) + 0.5));
  if (count == 0 || count >= size) {
    throw UsageError("of " + std::to_string(size) + " documents, the fraction to hold out is " +
                     (count == 0 ? "none" : "all of them"));
  }
  out_.assign(size, false);
  // A stream of its own: others belong to cells of chains and documents of estimates.
  const std::vector<Index> order = random_permutation(size, Random(seed, ~std::uint64_t{0}));
  for (Index i = 0; i < count; ++i) out_[order[i]] = true;
  for (Index d = 0; d < size; ++d) {
    Part& part = parts_[out_[d] ? 1 : 0];
    part.tokens.insert(part.tokens.end(), documents[d].begin(), documents[d].end());
    part.begin.push_back(part.tokens.size());
  }
  kept_ = {parts_[0].begin, parts_[0].tokens, documents.num_words};
  held_out_ = {parts_[1].begin, parts_[1].tokens, documents.num_words};
}

}  // namespace trellis::topics
