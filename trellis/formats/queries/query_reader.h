// Reader of the data format of learning to rank: that of SVMlight (Joachims 2002), which the
// benchmark collections LETOR (Qin et al. 2010) and MSLR-WEB use:
//
//   2 qid:10 1:0.5 3:0.25 … # docid = 40626
//
// A line is a document: its grade (a whole number from 0, not relevant, to 31), its query (any text
// without blanks), its features as index:value (data/libsvm_fields.h says what they may be), and a
// note behind '#'. The documents of a query stand together. Lines of nothing but blanks
// or a note are skipped. Gzip and zstd are read as they are.
//
// Where no grades are needed, they may be missing ("qid:10 1:0.5 …").
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

  // The next query with all its documents, or false at the end of the file. Throws InputError: a
  // grade that is none, values that are not finite, documents of a query in two places (with both
  // lines).
  bool read(Query& query);

  const std::string& name() const { return file_.name(); }
  // For those who need a query at least.
  [[noreturn]] void refuse_empty() const;

 private:
  bool next_document();
  void parse_document(std::string_view line);
  void append_document(Query& query);

  InputFile file_;
  bool graded_;
  std::unordered_map<std::string, Index> last_line_;  // of each query that is over
  // The document that was read ahead.
  bool ahead_ = false;
  std::string id_;
  Grade grade_ = 0;
  std::string note_;
  Index line_ = 0;
  std::vector<IndexedValue> values_;
};

// All queries of a file, with grades. Throws InputError if there is none.
std::vector<Query> read_queries(InputFile file);

// Queries to learn from, or to judge by.
struct RankData {
  std::string name;  // stands in messages
  std::vector<Query> queries;
};
// Of all files, whose queries are all different ones. Throws UsageError where there is no file.
RankData read_rank_data(std::vector<InputFile> files);

}  // namespace trellis::rank
