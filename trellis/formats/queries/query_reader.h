// Reader of the data format of learning to rank: that of SVMlight (Joachims 2002), which the
// benchmark collections LETOR (Qin et al. 2010) and MSLR-WEB use:
//
//   2 qid:10 1:0.5 3:0.25 … # docid = 40626
//
// A line is a document: its grade (a whole number from 0, not relevant, to 31), its query (any text
// without blanks), its features as index:value (data/libsvm_fields.h describes the pairs), and a
// note after '#'. The documents of a query are consecutive. Lines with only blanks or a note are
// skipped. Files may be gzip or zstd.
//
// The grades may be missing ("qid:10 1:0.5 …") if the caller does not need them.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/formats/queries/query.h"

namespace trellis::rank {

class QueryReader {
 public:
  explicit QueryReader(InputFile file, bool graded = true);

  // The next query with all its documents, or false at the end of the file. Throws InputError for
  // an invalid grade, values that are not finite, and documents of a query in two places (it names
  // both lines).
  bool read(Query& query);

  const std::string& name() const { return file_.name(); }
  // For callers that need at least one query.
  [[noreturn]] void refuse_empty() const;

 private:
  bool next_document();
  void parse_document(std::string_view line);
  void append_document(Query& query);

  InputFile file_;
  bool graded_;
  std::unordered_map<std::string, Index> last_line_;  // of each query that is over
  // The document that was read in advance.
  bool ahead_ = false;
  std::string id_;
  Grade grade_ = 0;
  std::string note_;
  Index line_ = 0;
  std::vector<IndexedValue> values_;
};

// All queries of a file, with grades. Throws InputError if the file has no query.
std::vector<Query> read_queries(InputFile file);

// Queries for training or evaluation.
struct RankData {
  std::string name;  // stands in messages
  std::vector<Query> queries;
};
// The queries of all files, all different. Throws UsageError if there is no file.
RankData read_rank_data(std::vector<InputFile> files);

}  // namespace trellis::rank
