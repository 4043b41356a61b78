#include "trellis/formats/queries/score_reader.h"

#include <fmt/format.h>

#include "trellis/base/text.h"

namespace trellis::rank {

double ScoreReader::next(const std::string& document) {
  constexpr Index kColumns = 4;
  constexpr Index kScore = 2;
  const std::string_view line = lines_.need("the score of " + document);
  split(line, '\t', fields_);
  if (form_ == Form::kUnknown) form_ = fields_.size() == 1 ? Form::kNumbers : Form::kLines;
  const bool numbers = form_ == Form::kNumbers;
  if (fields_.size() != (numbers ? 1 : kColumns)) {
    lines_.refuse(numbers ? "expected only a score, found"
                          : "expected query, rank, score and note separated by tabs, found",
                  line);
  }
  const std::string_view field = trim(fields_[numbers ? 0 : kScore]);
  const auto score = parse_double(field);
  if (!score)
    lines_.refuse(fmt::format("expected the score of {}, a number, found", document), field);
  return *score;
}

void ScoreReader::read(const Query& query, const std::string& graded, std::vector<double>& scores) {
  constexpr Index kNote = 3;
  scores.clear();
  for (Index d = 0; d < query.num_documents(); ++d) {
    const std::string document = fmt::format("{}:{}", graded, query.lines[d]);
    scores.push_back(next(document));
    if (form_ != Form::kLines) continue;
    if (fields_[0] != query.id) {
      lines_.refuse(fmt::format("expected query {}, as at {}, found", query.id, document),
                    fields_[0]);
    }
    if (fields_[kNote] != query.notes[d]) {
      lines_.refuse(fmt::format("expected the note '{}', as at {} (documents must be in the order "
                                "of their file, without --sorted), found",
                                query.notes[d], document),
                    fields_[kNote]);
    }
  }
}

}  // namespace trellis::rank
