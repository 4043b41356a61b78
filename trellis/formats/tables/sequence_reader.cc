#include "trellis/formats/tables/sequence_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/formats/tables/csv_line.h"

namespace trellis::hmm {
namespace {

bool takes_csv(const InputFile& file, SequenceFormat format) {
  return format == SequenceFormat::kCsv ||
         (format == SequenceFormat::kAuto && generative::is_csv_name(file.name()));
}

}  // namespace

SequenceReader::SequenceReader(InputFile file, const ColumnOptions& options)
    : file_(std::move(file)),
      options_(options),
      csv_(takes_csv(file_, options.format)),
      by_model_(false) {
  if (!options.sequence.empty() && !csv_) {
    throw UsageError(
        "--sequence requires CSV files: in column files an empty line ends a sequence");
  }
  if (csv_) read_header();
}

SequenceReader::SequenceReader(InputFile file, const ColumnOptions& options,
                               const ColumnNames& names)
    : file_(std::move(file)),
      options_(options),
      csv_(takes_csv(file_, options.format)),
      by_model_(true),
      names_(names) {
  if (csv_) read_header();
}

void SequenceReader::refuse(std::string_view message, std::string_view token) const {
  throw InputError(file_.name(), file_.line_number(), message, token);
}

void SequenceReader::read_header() {
  bool blank = false;
  if (!next_line(header_, blank)) refuse("expected a header, found nothing");
  for (Index i = 0; i < header_.size(); ++i) {
    header_[i] = std::string(trim(header_[i]));
    if (header_[i].empty()) refuse("expected a name for every column of the header");
    if (std::find(header_.begin(), header_.begin() + static_cast<std::ptrdiff_t>(i), header_[i]) !=
        header_.begin() + static_cast<std::ptrdiff_t>(i)) {
      refuse("expected each column name once, found twice:", header_[i]);
    }
  }
  resolve(header_.size());
}

std::string SequenceReader::column_name(Index column) const {
  return csv_ ? header_[column] : fmt::to_string(column + 1);
}

// The index of a column, or `width` if there is no column of that name.
Index SequenceReader::column(const std::string& name, Index width) const {
  if (csv_) {
    return static_cast<Index>(std::find(header_.begin(), header_.end(), name) - header_.begin());
  }
  const auto number = parse_integer(name);
  if (!number || *number < 1) {
    throw UsageError(
        fmt::format("column '{}': the columns of column files are given by numbers, from 1", name));
  }
  return std::min(static_cast<Index>(*number) - 1, width);
}

void SequenceReader::resolve(Index width) {
  width_ = width;
  const auto find = [&](const std::string& name) {
    const Index place = column(name, width);
    if (place >= width) {
      refuse(fmt::format("expected a column {}, found {}", name,
                         csv_ ? "none of that name" : fmt::format("{} columns", width)));
    }
    return place;
  };
  if (!options_.sequence.empty()) sequence_ = find(options_.sequence);
  if (by_model_) {
    for (const std::string& name : names_.channels) channels_.push_back(find(name));
    if (!names_.state.empty()) {
      const Index place = column(names_.state, width);
      if (place < width) state_ = place;
    }
    return;
  }
  if (options_.state != "none") {
    Index last = width;  // the last that is not the sequence's
    while (last > 0 && sequence_ == last - 1) --last;
    if (options_.state.empty() && last == 0) refuse("expected a column with the state");
    state_ = options_.state.empty() ? last - 1 : find(options_.state);
    names_.state = column_name(*state_);
  }
  for (const std::string& name : options_.observations) channels_.push_back(find(name));
  if (options_.observations.empty()) {
    for (Index c = 0; c < width; ++c) {
      if (state_ != c && sequence_ != c) channels_.push_back(c);
    }
  }
  if (channels_.empty())
    refuse("expected a column of observations in addition to the column of states");
  for (const Index channel : channels_) {
    if (state_ == channel || sequence_ == channel ||
        std::count(channels_.begin(), channels_.end(), channel) > 1) {
      throw UsageError(fmt::format("column {} is used twice: as state, sequence or observation",
                                   column_name(channel)));
    }
    names_.channels.push_back(column_name(channel));
  }
  if (state_ && state_ == sequence_) {
    throw UsageError(fmt::format("column {} is used twice: as state, sequence or observation",
                                 column_name(*state_)));
  }
}

// False at the end of the file.
bool SequenceReader::next_line(std::vector<std::string>& fields, bool& blank) {
  std::string_view line;
  if (!file_.read_line(line)) return false;
  if (const Index bad = find_invalid_utf8(line); bad != std::string_view::npos) {
    refuse(fmt::format("expected UTF-8, found an invalid sequence at byte {}", bad + 1));
  }
  blank = trim(line).empty();
  if (csv_) {
    at_line(file_.name(), file_.line_number(), [&] { generative::split_csv(line, fields); });
    return true;
  }
  std::vector<std::string_view> views;
  split_columns(line, views);
  fields.assign(views.begin(), views.end());
  return true;
}

bool SequenceReader::read(FileSequence& sequence) {
  sequence = {};
  const auto take = [&](std::vector<std::string>& fields, Index line) {
    if (width_ == 0) resolve(fields.size());
    if (fields.size() != width_) {
      throw InputError(file_.name(), line,
                       fmt::format("expected {} columns, found {}", width_, fields.size()));
    }
    if (sequence.lines.empty()) {
      sequence.width = width_;
      if (sequence_) {
        sequence.id = fields[*sequence_];
        if (!seen_ids_.insert(sequence.id).second) {
          throw InputError(file_.name(), line,
                           "expected the lines of a sequence together, found again", sequence.id);
        }
      }
    }
    sequence.lines.push_back(line);
    for (std::string& field : fields) sequence.fields.push_back(std::move(field));
  };
  if (pending_line_ > 0) {
    take(pending_, pending_line_);
    pending_line_ = 0;
  }
  std::vector<std::string> fields;
  for (bool blank = false; next_line(fields, blank);) {
    if (blank) {
      if (sequence.lines.empty() || sequence_) continue;
      return true;
    }
    if (sequence_ && !sequence.lines.empty() && fields.size() == width_ &&
        fields[*sequence_] != sequence.id) {
      pending_ = std::move(fields);
      pending_line_ = file_.line_number();
      return true;
    }
    take(fields, file_.line_number());
  }
  return !sequence.lines.empty();
}

}  // namespace trellis::hmm
