// Splits documents at random into a training part and a held-out share.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/documents.h"

namespace trellis::topics {

class DocumentSplit {
 public:
  // The share, in [0, 1), is rounded to whole documents. If none is held out, nothing is copied,
  // and the documents must outlive the split. Throws UsageError if one part would be empty with a
  // positive share.
  DocumentSplit(const Documents& documents, double share, std::uint64_t seed);
  DocumentSplit(const DocumentSplit&) = delete;
  DocumentSplit& operator=(const DocumentSplit&) = delete;

  // Both in the original order. They live as long as the split.
  const Documents& kept() const { return kept_; }
  const Documents& held_out() const { return held_out_; }

  // Values of the documents, one for each, for either part.
  template <class T>
  std::vector<T> kept_of(std::span<const T> values) const {
    return part_of(values, false);
  }
  template <class T>
  std::vector<T> held_out_of(std::span<const T> values) const {
    return part_of(values, true);
  }

 private:
  struct Part {
    std::vector<std::uint64_t> begin = {0};
    std::vector<std::uint32_t> tokens;
  };
  template <class T>
  std::vector<T> part_of(std::span<const T> values, bool out) const {
    std::vector<T> part;
    for (Index d = 0; d < values.size(); ++d) {
      if ((!out_.empty() && out_[d]) == out) part.push_back(values[d]);
    }
    return part;
  }

  std::vector<bool> out_;  // by document; empty: none is held out
  Part parts_[2];
  Documents kept_, held_out_;
};

}  // namespace trellis::topics
