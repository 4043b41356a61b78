// Reader of sequences with several values at each position, one sequence at a time, from column
// files or from CSV (RFC 4180):
//
//   columns   one position per line, its columns separated by tabs or blanks; an empty line ends a
//             sequence. The names of columns are their numbers, from 1.
//   CSV       a header with the names of the columns, then one position per line. One column may
//             name the sequence of each line (lines of one sequence are consecutive); otherwise
//             empty lines end sequences.
//
// At most one column has the state, others have observations. "?" is an unknown value; so is an
// empty field, if fields can be empty.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/names.h"
#include "trellis/base/types.h"

namespace trellis::hmm {

enum class SequenceFormat { kAuto, kColumns, kCsv };
constexpr auto names_of(SequenceFormat) {
  return Names{"format", "auto", "columns", "csv"};
}

// The user's description of the columns.
struct ColumnOptions {
  SequenceFormat format = SequenceFormat::kAuto;  // auto: CSV where the name ends so
  std::string state = {};                         // empty: the last; "none": there is none
  std::vector<std::string> observations = {};     // empty: all others
  std::string sequence = {};                      // CSV; empty: none
};

// The names of the columns in a model, by which it finds them in other files.
struct ColumnNames {
  std::vector<std::string> channels;
  std::string state;  // empty: there was none

  bool operator==(const ColumnNames&) const = default;
};

// One sequence with all its fields.
struct FileSequence {
  std::string id;  // where the file has ids
  Index width = 0;
  std::vector<std::string> fields;  // position by position
  std::vector<Index> lines;

  Index length() const { return lines.size(); }
  const std::string& field(Index t, Index column) const { return fields[t * width + column]; }
};

class SequenceReader {
 public:
  // For training: the first line and the options define the columns.
  SequenceReader(InputFile file, const ColumnOptions& options);
  // For a model: it finds its columns by name; that of the state may be missing.
  SequenceReader(InputFile file, const ColumnOptions& options, const ColumnNames& names);

  // The next sequence, or false at the end. Throws InputError.
  bool read(FileSequence& sequence);

  const std::string& name() const { return file_.name(); }
  bool csv() const { return csv_; }
  // Known after the first sequence or the header has been read.
  const ColumnNames& names() const { return names_; }
  std::span<const Index> channels() const { return channels_; }
  std::optional<Index> state() const { return state_; }
  const std::vector<std::string>& header() const { return header_; }

 private:
  bool next_line(std::vector<std::string>& fields, bool& blank);
  void read_header();
  void resolve(Index width);
  Index column(const std::string& name, Index width) const;
  std::string column_name(Index column) const;
  [[noreturn]] void refuse(std::string_view message, std::string_view token = {}) const;

  InputFile file_;
  ColumnOptions options_;
  bool csv_;
  bool by_model_;
  ColumnNames names_;
  std::vector<std::string> header_;
  std::vector<Index> channels_;
  std::optional<Index> state_, sequence_;
  Index width_ = 0;                   // 0: not known yet
  std::vector<std::string> pending_;  // a line of the next sequence
  Index pending_line_ = 0;
  std::unordered_set<std::string> seen_ids_;
};

}  // namespace trellis::hmm
