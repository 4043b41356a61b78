#include "trellis/tasks/align/pair_extras.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/formats/links/words.h"

namespace trellis::align {
namespace {

void check(const ExtraFiles& files) {
  std::set<std::string_view> names;
  for (const ExternalFile& file : files.external) {
    if (names.insert(file.name).second) continue;
    throw UsageError(fmt::format(
        "--external gives the name '{}' twice: each aligner needs its own name", file.name));
  }
  if (files.source_tags.empty() != files.target_tags.empty()) {
    throw UsageError("--tags requires two files: the tags of the source and of the target");
  }
  const std::vector<std::string> paths = files.paths();
  if (std::find(paths.begin(), paths.end(), "-") != paths.end()) {
    throw UsageError("--external and --tags require files: standard input can only be the text");
  }
}

}  // namespace

ExternalFile parse_external(std::string_view text) {
  const Index equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const bool named = equals != std::string_view::npos && !name.empty() &&
                     std::none_of(name.begin(), name.end(), is_blank) &&
                     find_invalid_utf8(name) == std::string_view::npos;
  if (!named || equals + 1 == text.size()) {
    throw UsageError(fmt::format("--external is '{}': expected NAME=FILE", text));
  }
  return {std::string(name), std::string(text.substr(equals + 1)), {}};
}

std::vector<std::string> ExtraFiles::names() const {
  std::vector<std::string> names;
  for (const ExternalFile& file : external) names.push_back(file.name);
  return names;
}

std::vector<std::string> ExtraFiles::paths() const {
  std::vector<std::string> paths;
  for (const ExternalFile& file : external) paths.push_back(file.path);
  if (has_tags()) paths.insert(paths.end(), {source_tags, target_tags});
  return paths;
}

ExtraReader::ExtraReader(const ExtraFiles& files) {
  check(files);
  require_readable(files.paths());
  for (const ExternalFile& file : files.external) {
    LinkReadingOptions options;
    options.format = file.format;
    external_.emplace_back(InputFile(file.path), options);
  }
  if (!files.has_tags()) return;
  tags_.emplace_back(files.source_tags);
  tags_.emplace_back(files.target_tags);
}

void ExtraReader::read_tags(InputFile& file, Index words, std::string_view side,
                            std::vector<std::string>& tags) {
  std::string_view line;
  if (!file.read_line(line)) {
    throw InputError(file.name(), file.line_number(),
                     fmt::format("expected the {} tags of sentence pair {}, found the end of the "
                                 "file",
                                 side, pairs_));
  }
  if (const Index at = find_invalid_utf8(line); at != std::string_view::npos) {
    throw InputError(file.name(), file.line_number(),
                     fmt::format("expected UTF-8, found an invalid sequence at byte {}", at + 1));
  }
  fields_.clear();
  append_words(line, fields_);
  if (fields_.size() != words) {
    throw InputError(file.name(), file.line_number(),
                     fmt::format("expected {} tags, one for each word of the {} sentence, found {}",
                                 words, side, fields_.size()));
  }
  tags.assign(fields_.begin(), fields_.end());
}

void ExtraReader::read(const SentencePair& pair, PairExtras& extras) {
  ++pairs_;
  const PairLengths lengths{pair.source().size(), pair.target().size()};
  extras.external.resize(external_.size());
  for (Index k = 0; k < external_.size(); ++k) external_[k].read(lengths, extras.external[k]);
  extras.source_tags.clear();
  extras.target_tags.clear();
  if (tags_.empty()) return;
  read_tags(tags_[0], lengths.source, "source", extras.source_tags);
  read_tags(tags_[1], lengths.target, "target", extras.target_tags);
}

void ExtraReader::finish() {
  for (LinkStream& links : external_) links.finish();
  std::string_view line;
  for (InputFile& file : tags_) {
    if (!file.read_line(line)) continue;
    throw InputError(file.name(), file.line_number(),
                     fmt::format("expected tags of {} sentences, found more", pairs_));
  }
}

}  // namespace trellis::align
