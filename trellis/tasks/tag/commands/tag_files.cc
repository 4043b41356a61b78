#include "trellis/tasks/tag/commands/tag_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/tasks/tag/templates/gazetteer.h"

namespace trellis::tag {
namespace {

using Note = std::function<void(const std::string&)>;

std::string conllu_column(Index column) {
  constexpr std::array<std::string_view, kConlluColumns> kNames = {
      "ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"};
  return fmt::format("{} ({})", column < kNames.size() ? kNames[column] : "column", column);
}

bool is_builtin(const std::string& name) {
  const std::vector<BuiltinTemplate> known = builtin_templates();
  return std::any_of(known.begin(), known.end(),
                     [&](const BuiltinTemplate& one) { return one.name == name; });
}

// A file, beside which the lists lie that it names.
FeatureTemplate read_template(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return FeatureTemplate::parse(read_file(path, Index{1} << 26), path, gazetteer_files(folder));
}

// Files of CoNLL-U have their words and labels where nobody would look for them: an id in the first
// column, and anything in the last.
void recognise(TagFiles& files, SequenceReader& first, const Note& note) {
  const ColumnReader::Look look = first.look();
  const bool found = !files.format && files.data.format == InputFormat::kColumns && look.conllu &&
                     look.columns == kConlluColumns;
  if (found) files.data.format = InputFormat::kConllu;
  const bool conllu = files.data.format == InputFormat::kConllu;
  if (conllu && files.data.label_column == kLastColumn) files.data.label_column = kConlluUpos;
  files.word_column = files.builtin.word_column.value_or(conllu ? kConlluForm : 0);
  if (!found) return;
  note(fmt::format(
      "{} is read as CoNLL-U: the word is {}, the label {}; to change this, use --word-column and "
      "--label-column, or --format columns for a plain column file",
      first.name(), conllu_column(files.word_column), conllu_column(files.data.label_column)));
}

// The columns that were said, and of the others those that the file has beside its label.
BuiltinOptions columns_there(const TagFiles& files, Index num_columns) {
  const bool conllu = files.data.format == InputFormat::kConllu;
  const Index label = std::min(files.data.label_column, num_columns - 1);
  const auto unless_said = [&](std::optional<Index> said, std::optional<Index> standard) {
    if (said || num_columns == 0) return said ? said : standard;
    const bool there = standard && *standard < num_columns && *standard != label;
    return there ? standard : std::nullopt;
  };
  BuiltinOptions options = files.builtin.options();
  options.word_column = files.word_column;
  options.pos_column =
      unless_said(files.builtin.pos_column, conllu ? kConlluUpos : *options.pos_column);
  options.chunk_column =
      unless_said(files.builtin.chunk_column, conllu ? std::nullopt : options.chunk_column);
  for (Index c = 0; c < num_columns && files.builtin.columns.empty(); ++c) {
    if (c != label) options.columns.push_back(c);
  }
  return options;
}

void tell_what_is_missing(const TagFiles& files, const BuiltinOptions& options, const Note& note) {
  if (!files.template_name.starts_with("ner")) return;
  const auto tell = [&](std::string_view what, std::string_view flag) {
    note(fmt::format("{} has no column of {} ({}): the template {} does not use them",
                     files.paths.front(), what, flag, files.template_name));
  };
  if (!options.pos_column) tell("parts of speech", "--pos-column");
  if (!options.chunk_column) tell("chunk tags", "--chunk-column");
}

}  // namespace

BuiltinOptions BuiltinFlags::options() const {
  BuiltinOptions options;
  options.word_column = word_column.value_or(options.word_column);
  if (pos_column) options.pos_column = pos_column;
  if (chunk_column) options.chunk_column = chunk_column;
  options.columns = columns;
  options.gazetteers = gazetteers;
  return options;
}

void add_file_options(frame::Command& command, TagFiles& files) {
  command.option("--format", files.format,
                 "File format: columns, items (of CRFsuite: label TAB name:value ...), or conllu "
                 "(the word is FORM, the label UPOS) [columns; CoNLL-U is detected]");
  command
      .option("--label-column", files.data.label_column,
              "Column of the label, from 0 [the last column; in CoNLL-U 3]")
      .shows("");
  command.option("--comments", files.data.comments, kComments);
}

void add_builtin_options(frame::Command& command, BuiltinFlags& flags) {
  command.option("--word-column", flags.word_column,
                 "Column of the word, for built-in templates [0; in CoNLL-U 1]");
  command.option("--pos-column", flags.pos_column,
                 "Column of the part of speech, for the templates chunk and ner [1; in CoNLL-U 3; "
                 "optional for ner]");
  command.option("--chunk-column", flags.chunk_column,
                 "Column of the chunk tag, for the template ner [2; optional]");
  command.option(
      "--columns", flags.columns,
      "Columns whose values are the features, for the template none [all but the label]");
  command.option("--gazetteer", flags.gazetteers,
                 "Files with a phrase per line, for the template ner-gazetteer");
}

void add_template_options(frame::Command& command, TagFiles& files) {
  std::string names;
  for (const BuiltinTemplate& known : builtin_templates()) {
    names += fmt::format("\n  {}: {}", known.name, known.description);
  }
  command.option("--template", files.template_name,
                 "Template file (see 'trellis tag train --help-template'), or a built-in template "
                 "('trellis tag template NAME' prints it) [pos]:" +
                     names);
  add_builtin_options(command, files.builtin);
}

// Item files bring their features along: no template but `none` goes with them, and they with it,
// unless columns are asked for.
void choose_format(TagFiles& files) {
  using enum InputFormat;
  if (files.template_name.empty()) files.template_name = files.format == kItems ? "none" : "pos";
  const bool none = files.template_name == "none";
  const bool columns = !files.builtin.columns.empty();
  files.data.format = files.format.value_or(none && !columns ? kItems : kColumns);
  if (files.data.format != kItems) return;
  if (!none)
    throw UsageError("item files already contain their features: only --template none is possible");
  if (columns) throw UsageError("--columns requires column files: item files have no columns");
}

OpenFiles open(TagFiles& files, const Note& note) {
  // Before the files are, which may be a pipe that somebody is about to fill.
  std::optional<FeatureTemplate> features;
  if (!is_builtin(files.template_name)) features = read_template(files.template_name);
  std::vector<InputFile> inputs = open_files(files.paths);
  SequenceReader first(std::move(inputs.front()), files.data.format, files.data.comments);
  recognise(files, first, note);
  const Index columns = first.look().columns;
  std::vector<SequenceReader> sequences;
  sequences.push_back(std::move(first));
  for (Index i = 1; i < inputs.size(); ++i) {
    sequences.emplace_back(std::move(inputs[i]), files.data.format, files.data.comments);
  }
  if (!features) {
    const BuiltinOptions options = columns_there(files, columns);
    tell_what_is_missing(files, options, note);
    features = FeatureTemplate::builtin(files.template_name, options);
  }
  return {std::move(sequences), *std::move(features)};
}

}  // namespace trellis::tag
