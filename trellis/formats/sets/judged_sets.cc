#include "trellis/formats/sets/judged_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/data/json.h"
#include "trellis/data/libsvm_fields.h"
#include "trellis/formats/sets/label_reader.h"

namespace trellis::label {
namespace {

// Reads lines of predictions as sets of labels, which may be new.
class PredictedSets {
 public:
  PredictedSets(InputFile file, bool names_are_all, std::vector<std::string>& names)
      : file_(std::move(file)), fixed_(names_are_all), names_(names) {
    for (Index v = 0; v < names_.size(); ++v) {
      ids_.emplace(names_[v], static_cast<std::uint32_t>(v));
    }
    for (Index v = 0; v < names_.size(); ++v) {
      ids_.emplace(canonical_label(names_[v]), static_cast<std::uint32_t>(v));
    }
  }

  using Scores = std::vector<std::pair<std::uint32_t, double>>;

  // False at the end. `scores` are those of a JSON object, if it has some.
  bool read(std::vector<std::uint32_t>& labels, Scores& scores) {
    std::string_view line;
    if (!file_.read_line(line)) return false;
    labels.clear();
    scores.clear();
    if (file_.line_number() == 1) json_ = line.starts_with("{\"");
    if (json_) {
      read_json(line, labels, scores);
    } else if (!line.empty()) {
      split(line, '\t', fields_);
      for (const std::string_view field : fields_) labels.push_back(id(field));
    }
    std::sort(labels.begin(), labels.end());
    const auto twice = std::adjacent_find(labels.begin(), labels.end());
    if (twice != labels.end()) refuse("expected each label once, found twice", names_[*twice]);
    return true;
  }

  [[noreturn]] void refuse(const std::string& complaint, std::string_view token = {}) const {
    throw InputError(file_.name(), file_.line_number(), complaint, token);
  }
  const InputFile& file() const { return file_; }

 private:
  std::uint32_t id(std::string_view name) {
    auto at = ids_.find(std::string(name));
    if (at == ids_.end()) at = ids_.find(canonical_label(name));
    if (at != ids_.end()) return at->second;
    if (fixed_) refuse("expected a label of the file with the truth, found", name);
    if (const auto fault = label_name_fault(name)) refuse(*fault, name);
    names_.emplace_back(name);
    const auto next = static_cast<std::uint32_t>(names_.size() - 1);
    ids_.emplace(names_.back(), next);
    return next;
  }

  void read_json(std::string_view line, std::vector<std::uint32_t>& labels, Scores& scores) {
    const Value found = parse_json(line).value_or(Value());
    if (!found.contains("labels") || !found.at("labels").is_list()) {
      refuse("expected a JSON object with a list 'labels', found", line);
    }
    for (const Value& label : found.at("labels").items()) {
      if (!label.is_text()) refuse("expected names of labels, found", to_json(label));
      labels.push_back(id(label.text()));
    }
    if (!found.contains("scores")) return;
    if (!found.at("scores").is_record()) {
      refuse("expected an object 'scores' of numbers, found", line);
    }
    for (const auto& [name, score] : found.at("scores").fields()) {
      if (!score.is_number()) refuse("expected a number for each label, found", to_json(score));
      scores.emplace_back(id(name), score.get<double>());
    }
  }

  InputFile file_;
  bool fixed_;
  bool json_ = false;
  std::vector<std::string>& names_;
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::vector<std::string_view> fields_;
};

// Labels without a score (unknown to the program that predicted) rank below all others.
std::vector<double> dense_scores(std::span<const PredictedSets::Scores> rows, Index columns) {
  std::vector<double> scores(rows.size() * columns, -std::numeric_limits<double>::infinity());
  for (Index i = 0; i < rows.size(); ++i) {
    for (const auto& [label, score] : rows[i]) scores[i * columns + label] = score;
  }
  return scores;
}

// The next row of a matrix, or false at the end; blank lines may follow the last row.
class MatrixRows {
 public:
  explicit MatrixRows(InputFile file) : file_(std::move(file)) {}

  bool read(std::vector<double>& row) {
    std::string_view line;
    Index blank = 0;
    while (file_.read_line(line)) {
      if (trim(line).empty()) {
        if (blank == 0) blank = file_.line_number();
        continue;
      }
      if (blank > 0) throw InputError(file_.name(), blank, "expected a row, found an empty line");
      parse(line, row);
      return true;
    }
    return false;
  }

  [[noreturn]] void refuse(const std::string& complaint, std::string_view token = {}) const {
    throw InputError(file_.name(), file_.line_number(), complaint, token);
  }
  const InputFile& file() const { return file_; }

 private:
  void parse(std::string_view line, std::vector<double>& row) {
    row.clear();
    split_columns(trim(line), fields_);
    for (const std::string_view field : fields_) {
      const auto number = parse_double(trim(field));
      if (!number) refuse("expected a number, found", field);
      row.push_back(*number);
    }
  }

  InputFile file_;
  std::vector<std::string_view> fields_;
};

JudgedSets read_judged_matrices(const JudgedFiles& files) {
  JudgedSets sets;
  const Index columns = read_set_matrix(InputFile(files.truth), sets.truth);
  const Index found = read_set_matrix(InputFile(files.predictions), sets.predicted);
  if (found != columns || sets.predicted.size() != sets.truth.size()) {
    throw InputError(
        files.predictions, 0,
        fmt::format("expected {} rows of {} columns, as {} has, found {} of {}", sets.truth.size(),
                    columns, files.truth, sets.predicted.size(), found));
  }
  for (Index v = 1; v <= columns; ++v) sets.label_names.push_back(fmt::format("{}", v));
  return sets;
}

JudgedSets read_judged_lines(const JudgedFiles& files) {
  ReadOptions reading;
  const std::string labels = files.labels.empty() ? labels_beside(files.truth) : files.labels;
  if (!labels.empty()) reading.label_names = read_label_names(labels);
  LabelData data = read_label_data(files.truth, reading);
  JudgedSets sets{std::move(data.label_names), std::move(data.labels), {}, {}};
  read_predicted_sets(InputFile(files.predictions), data.declares_features, sets);
  return sets;
}

}  // namespace

void read_predicted_sets(InputFile predictions, bool names_are_all, JudgedSets& sets) {
  PredictedSets lines(std::move(predictions), names_are_all, sets.label_names);
  std::vector<std::uint32_t> labels;
  std::vector<PredictedSets::Scores> scores;
  PredictedSets::Scores row;
  Index scored = 0;
  const Index expected = sets.truth.size();
  while (lines.read(labels, row)) {
    if (sets.predicted.size() == expected) {
      lines.refuse(fmt::format("expected {} lines, one for each instance, found more", expected));
    }
    sets.predicted.append(labels);
    scored += row.empty() ? 0 : 1;
    scores.push_back(row);
    if (scored != 0 && scored != sets.predicted.size()) {
      lines.refuse("expected scores in all objects or in none");
    }
  }
  if (sets.predicted.size() < expected) {
    throw InputError(lines.file().name(), lines.file().line_number() + 1,
                     fmt::format("expected {} lines, one for each instance, found the end of the "
                                 "file",
                                 expected));
  }
  if (scored > 0) sets.scores = dense_scores(scores, sets.label_names.size());
}

Index read_set_matrix(InputFile file, LabelSets& sets) {
  MatrixRows rows(std::move(file));
  std::vector<double> row;
  std::vector<std::uint32_t> labels;
  Index columns = 0;
  while (rows.read(row)) {
    if (columns == 0) columns = row.size();
    if (row.size() != columns) {
      rows.refuse(fmt::format("expected {} columns, found {}", columns, row.size()));
    }
    labels.clear();
    for (Index v = 0; v < columns; ++v) {
      if (row[v] != 0 && row[v] != 1) {
        rows.refuse("expected 0 or 1, found", fmt::format("{}", row[v]));
      }
      if (row[v] == 1) labels.push_back(static_cast<std::uint32_t>(v));
    }
    sets.append(labels);
  }
  if (sets.size() == 0) throw InputError(rows.file().name(), 0, "expected rows, found none");
  return columns;
}

std::vector<double> read_score_matrix(InputFile file, Index rows, Index columns) {
  MatrixRows lines(std::move(file));
  std::vector<double> row;
  std::vector<double> scores;
  while (lines.read(row)) {
    if (row.size() != columns) {
      lines.refuse(
          fmt::format("expected {} scores, one for each label, found {}", columns, row.size()));
    }
    if (scores.size() == rows * columns) {
      lines.refuse(fmt::format("expected {} rows, one for each instance, found more", rows));
    }
    scores.insert(scores.end(), row.begin(), row.end());
  }
  if (scores.size() < rows * columns) {
    throw InputError(lines.file().name(), lines.file().line_number() + 1,
                     fmt::format("expected {} rows, one for each instance, found the end of the "
                                 "file",
                                 rows));
  }
  return scores;
}

JudgedSets read_judged_sets(const JudgedFiles& files) {
  JudgedSets sets = files.matrix ? read_judged_matrices(files) : read_judged_lines(files);
  if (!files.scores.empty()) {
    sets.scores =
        read_score_matrix(InputFile(files.scores), sets.truth.size(), sets.label_names.size());
  }
  return sets;
}

}  // namespace trellis::label
