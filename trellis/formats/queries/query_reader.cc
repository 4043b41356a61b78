#include "trellis/formats/queries/query_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/data/libsvm_fields.h"

namespace trellis::rank {
namespace {

constexpr std::string_view kQuery = "qid:";

Grade parse_grade(const LibsvmFields& fields, std::string_view field) {
  const auto grade = parse_double(field);
  if (!grade || *grade < 0 || *grade > kMaxGrade || *grade != std::floor(*grade)) {
    fields.refuse(fmt::format("expected a grade, a whole number from 0 to {}, found", kMaxGrade),
                  field);
  }
  return static_cast<Grade>(*grade);
}

}  // namespace

QueryReader::QueryReader(InputFile file, bool graded) : file_(std::move(file)), graded_(graded) {}

void QueryReader::parse_document(std::string_view line) {
  LibsvmFields fields(line, file_.name(), file_.line_number());
  std::string_view field;
  fields.next(field);
  grade_ = 0;
  if (graded_ || !field.starts_with(kQuery)) {
    grade_ = parse_grade(fields, field);
    if (!fields.next(field)) fields.refuse_line("expected the query, qid:…, after the grade");
  }
  if (!field.starts_with(kQuery) || field.size() == kQuery.size()) {
    fields.refuse("expected the query, qid:…, found", field);
  }
  id_ = field.substr(kQuery.size());
  if (find_invalid_utf8(id_) != std::string_view::npos) {
    fields.refuse("expected a query in UTF-8, found invalid bytes");
  }
  values_.clear();
  if (fields.next(field)) parse_indexed_values(fields, field, values_);
}

bool QueryReader::next_document() {
  if (ahead_) return true;
  std::string_view line;
  while (file_.read_line(line)) {
    const Index hash = std::min(line.find('#'), line.size());
    if (trim(line.substr(0, hash)).empty()) continue;
    parse_document(line);
    line_ = file_.line_number();
    note_ = hash < line.size() ? trim(line.substr(hash + 1)) : std::string_view();
    ahead_ = true;
    return true;
  }
  return false;
}

void QueryReader::append_document(Query& query) {
  query.lines.push_back(line_);
  query.grades.push_back(grade_);
  query.notes.push_back(note_);
  query.values.insert(query.values.end(), values_.begin(), values_.end());
  query.begin.push_back(query.values.size());
  ahead_ = false;
}

void QueryReader::refuse_empty() const {
  throw InputError(name(), 0, "expected documents of queries, found none");
}

bool QueryReader::read(Query& query) {
  query.clear();
  if (!next_document()) return false;
  query.id = id_;
  const auto before = last_line_.find(id_);
  if (before != last_line_.end()) {
    throw InputError(file_.name(), line_,
                     fmt::format("expected the documents of a query on consecutive lines, found "
                                 "query {} again, whose last document was in line {}",
                                 id_, before->second));
  }
  do {
    append_document(query);
  } while (next_document() && id_ == query.id);
  last_line_.emplace(query.id, query.lines.back());
  return true;
}

std::vector<Query> read_queries(InputFile file) {
  QueryReader reader(std::move(file));
  std::vector<Query> queries;
  Query query;
  while (reader.read(query)) queries.push_back(query);
  if (queries.empty()) reader.refuse_empty();
  return queries;
}

RankData read_rank_data(std::vector<InputFile> files) {
  if (files.empty()) throw UsageError("expected documents to train on, found none");
  RankData data{files.front().name(), {}};
  for (InputFile& file : files) {
    std::vector<Query> more = read_queries(std::move(file));
    std::move(more.begin(), more.end(), std::back_inserter(data.queries));
  }
  return data;
}

}  // namespace trellis::rank
