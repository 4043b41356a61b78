// Reader of the scores that a ranker gives to documents, in the order of the file with the
// documents (query_reader.h): one number per line, as the evaluation scripts of LETOR read them
// (Qin et al. 2010), or lines as `trellis rank predict` writes them,
//
//   query TAB rank TAB score TAB note          (or, with --scores, the score alone)
//
// The first line shows which format it is. Ranks are ignored, since the scores determine them.
// Files may be gzip or zstd.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/formats/prediction_lines.h"
#include "trellis/formats/queries/query.h"

namespace trellis::rank {

class ScoreReader {
 public:
  explicit ScoreReader(InputFile file) : lines_(std::move(file)) {}

  // The next score; messages name its document by `document` ("test.txt:17"). Throws InputError for
  // a line without a score, and if no line is left.
  double next(const std::string& document);
  // Those of a query's documents. Throws InputError as well for a line of another query or note.
  void read(const Query& query, const std::string& graded, std::vector<double>& scores);
  // Throws InputError where a line is left.
  void require_end() { lines_.require_end("documents"); }

 private:
  enum class Form { kUnknown, kNumbers, kLines };

  PredictionLines lines_;
  Form form_ = Form::kUnknown;
  std::vector<std::string_view> fields_;  // of the line last read
};

}  // namespace trellis::rank
