// Documents in two parts: those to learn from, and a share of them, drawn at random, to judge by.
#pragma once

#include <cstdint>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/documents.h"

namespace trellis::topics {

class DocumentSplit {
 public:
  // The share, in [0, 1), is rounded to whole documents. With none held out nothing is copied, and
  // the documents must outlive the split. Throws UsageError where one part would be empty though a
  // share was asked for.
  DocumentSplit(const Documents& documents, double share, std::uint64_t seed);
  DocumentSplit(const DocumentSplit&) = delete;
  DocumentSplit& operator=(const DocumentSplit&) = delete;

  // Both in the order that they had. They live as long as the split does.
  const Documents& kept() const { return kept_; }
  const Documents& held_out() const { return held_out_; }

 private:
  struct Part {
    std::vector<std::uint64_t> begin = {0};
    std::vector<std::uint32_t> tokens;
  };
  Part parts_[2];
  Documents kept_, held_out_;
};

}  // namespace trellis::topics
