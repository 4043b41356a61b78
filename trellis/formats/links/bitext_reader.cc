#include "trellis/formats/links/bitext_reader.h"

#include <fmt/format.h>

#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/formats/links/words.h"

namespace trellis::align {
namespace {

constexpr std::string_view kBars = "|||";

struct Separators {
  Index count = 0;
  Index first = 0;  // where it begins
};

Separators find_tabs(std::string_view line) {
  Separators found;
  for (Index at = line.find('\t'); at != std::string_view::npos; at = line.find('\t', at + 1)) {
    if (found.count++ == 0) found.first = at;
  }
  return found;
}

// Bars that stand alone, between blanks or at an end of the line.
Separators find_bars(std::string_view line) {
  Separators found;
  for (Index at = line.find(kBars); at != std::string_view::npos; at = line.find(kBars, at + 1)) {
    const Index end = at + kBars.size();
    if (at > 0 && !is_blank(line[at - 1])) continue;
    if (end < line.size() && !is_blank(line[end])) continue;
    if (found.count++ == 0) found.first = at;
  }
  return found;
}

void require_text(const InputFile& file, std::string_view line) {
  const Index invalid = find_invalid_utf8(line);
  if (invalid == std::string_view::npos) return;
  throw InputError(
      file.name(), file.line_number(),
      fmt::format("expected UTF-8, found an invalid sequence at byte {}", invalid + 1));
}

}  // namespace

void SentencePair::assign(std::string_view source, std::string_view target, Index line,
                          Index max_words) {
  text_.clear();
  words_.clear();
  text_.insert(text_.end(), source.begin(), source.end());
  text_.insert(text_.end(), target.begin(), target.end());
  const std::string_view text(text_.data(), text_.size());
  line_ = line;
  append_words(text.substr(0, source.size()), words_, max_words);
  num_source_ = words_.size();
  append_words(text.substr(source.size()), words_, max_words);
}

BitextReader::BitextReader(InputFile source, InputFile target, const BitextLimits& limits)
    : source_(std::move(source)), target_(std::move(target)), limits_(limits) {
  if (source_.name() == target_->name()) {
    throw InputError(source_.name(), 0,
                     "expected a source file and a target file, found the same file twice");
  }
}

BitextReader::BitextReader(InputFile bitext, std::optional<BitextSeparator> separator,
                           const BitextLimits& limits)
    : source_(std::move(bitext)), separator_(separator), limits_(limits) {}

void BitextReader::refuse(const std::string& message, std::string_view token) const {
  throw InputError(source_.name(), source_.line_number(), message, token);
}

bool BitextReader::read(SentencePair& pair) {
  std::string_view source;
  std::string_view target;
  if (!(target_ ? read_two(source, target) : read_one(source, target))) {
    if (source_.line_number() == 0) {
      throw InputError(source_.name(), 0, "expected sentences, found an empty file");
    }
    return false;
  }
  pair.assign(source, target, source_.line_number(), limits_.words + 1);  // one more: too many
  check_limits(pair);
  return true;
}

bool BitextReader::read_two(std::string_view& source, std::string_view& target) {
  const bool more_source = source_.read_line(source);
  const bool more_target = target_->read_line(target);
  if (more_source != more_target) {
    const InputFile& shorter = more_source ? *target_ : source_;
    const InputFile& longer = more_source ? source_ : *target_;
    throw InputError(
        shorter.name(), longer.line_number(),
        fmt::format("expected as many lines as {} has, found the end of the file", longer.name()));
  }
  if (!more_source) return false;
  require_text(source_, source);
  require_text(*target_, target);
  return true;
}

bool BitextReader::read_one(std::string_view& source, std::string_view& target) {
  std::string_view line;
  if (!source_.read_line(line)) return false;
  require_text(source_, line);
  if (!separator_) learn_separator(line);
  const bool tabs = separator_ == BitextSeparator::kTab;
  const Separators found = tabs ? find_tabs(line) : find_bars(line);
  if (found.count == 0) {
    source = target = {};
    if (trim(line).empty()) return true;
    refuse(
        fmt::format("expected {} between the two sides, found none in", tabs ? "a tab" : "' ||| '"),
        line);
  }
  if (found.count > 1) {
    refuse(fmt::format("expected one {} between the two sides, found {}", tabs ? "tab" : "' ||| '",
                       found.count));
  }
  source = line.substr(0, found.first);
  target = line.substr(found.first + (tabs ? 1 : kBars.size()));
  return true;
}

void BitextReader::learn_separator(std::string_view line) {
  const bool tab = find_tabs(line).count > 0;
  const bool bars = find_bars(line).count > 0;
  if (tab && bars) {
    refuse(
        "expected a tab or ' ||| ' between the two sides, found both: choose one with --separator");
  }
  if (tab) separator_ = BitextSeparator::kTab;
  if (bars) separator_ = BitextSeparator::kBars;
  if (!tab && !bars && !trim(line).empty()) {
    refuse("expected a tab or ' ||| ' between the two sides, found none in", line);
  }
}

void BitextReader::check_limits(const SentencePair& pair) const {
  const Index num_source = pair.source().size();
  const Index num_target = pair.target().size();
  for (const bool of_source : {true, false}) {
    if ((of_source ? num_source : num_target) <= limits_.words) continue;
    throw InputError(of_source ? source_name() : target_name(), pair.line(),
                     fmt::format("expected a sentence of at most {} words, found more in the {}",
                                 limits_.words, of_source ? "source" : "target"));
  }
  if (num_source == 0 || num_target <= limits_.cells / num_source) return;
  refuse(fmt::format("expected a pair of at most {} cells, found {} source words × {} target words",
                     limits_.cells, num_source, num_target));
}

}  // namespace trellis::align
