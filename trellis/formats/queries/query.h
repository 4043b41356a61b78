// A query and its documents, with grades and features, as a file in LETOR's format has them
// (query_reader.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/libsvm_fields.h"

namespace trellis::rank {

using Grade = std::uint8_t;

// The largest grade: gains are 2^grade − 1.
inline constexpr Grade kMaxGrade = 31;

// The documents of one query, in the order of the file. Storage is reused from query to query.
struct Query {
  std::string id;
  std::vector<Index> lines;          // of each document
  std::vector<Grade> grades;         // of each document; 0 where the file has none
  std::vector<std::string> notes;    // what stands behind '#', without the blanks around it
  std::vector<Index> begin = {0};    // of each document's values, and where the last ones end
  std::vector<IndexedValue> values;  // ascending within a document

  Index num_documents() const { return grades.size(); }
  std::span<const IndexedValue> document(Index d) const {
    return std::span(values).subspan(begin[d], begin[d + 1] - begin[d]);
  }
  void clear() {
    id.clear();
    lines.clear();
    grades.clear();
    notes.clear();
    begin.assign(1, 0);
    values.clear();
  }
};

}  // namespace trellis::rank
