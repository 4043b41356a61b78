#include "trellis/scorers/conllx_script.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/scorers/conllx_report.h"

namespace trellis::parse {
namespace {

constexpr std::string_view kDerivation = "DERIV";

// One line of both files.
struct ScriptLine {
  std::string_view text;
  bool there = false;
  std::vector<std::string_view> fields;

  bool blank() const { return fields.empty(); }
};

// At any blank.
void split_at_blanks(std::string_view line, std::vector<std::string_view>& fields) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  fields.clear();
  for (Index begin = line.find_first_not_of(kBlanks); begin != std::string_view::npos;
       begin = line.find_first_not_of(kBlanks)) {
    line.remove_prefix(begin);
    const std::string_view field = line.substr(0, line.find_first_of(kBlanks));
    fields.push_back(field);
    line.remove_prefix(field.size());
  }
}

// As Perl makes a number of a text.
std::uint32_t head_number(std::string_view text) {
  std::uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// Two texts are two heads, also where they are one number.
std::uint32_t other_head(std::uint32_t number) {
  constexpr std::uint32_t kFar = std::uint32_t{1} << 30;
  return number ^ kFar;
}

class ScriptFiles {
 public:
  ScriptFiles(InputFile gold, InputFile system, ConllScript script)
      : gold_file_(std::move(gold)), system_file_(std::move(system)), script_(script) {}

  // The words up to the next empty line, or to the end of the files: then false.
  bool read(std::vector<Word>& gold, std::vector<Word>& system) {
    gold.clear();
    system.clear();
    while (next()) {
      if (gold_.blank()) return true;
      gold.push_back(word(gold_, gold_file_));
      system.push_back(word(system_, system_file_));
      compare(gold.back(), system.back());
    }
    return false;
  }

 private:
  // False at the end of both.
  bool next() {
    read_line(gold_file_, gold_);
    read_line(system_file_, system_);
    if (script_ == ConllScript::kConll07) forgive_end();
    if (!gold_.there && !system_.there) return false;
    if (gold_.there != system_.there) {
      const InputFile& shorter = gold_.there ? system_file_ : gold_file_;
      throw InputError(shorter.name(), shorter.line_number() + 1,
                       fmt::format("expected as many lines as {} has, found the end of the file",
                                   (gold_.there ? gold_file_ : system_file_).name()));
    }
    if (gold_.blank() != system_.blank()) {
      throw InputError(
          system_file_.name(), system_file_.line_number(),
          fmt::format("expected {}, as in {}:{}, found", gold_.blank() ? "an empty line" : "a word",
                      gold_file_.name(), gold_file_.line_number()),
          system_.text);
    }
    return true;
  }

  static void read_line(InputFile& file, ScriptLine& line) {
    line.there = file.read_line(line.text);
    if (!line.there) line.text = {};
    split_at_blanks(line.text, line.fields);
  }

  // Blank lines at the end of one file alone.
  void forgive_end() {
    while (gold_.there != system_.there) {
      InputFile& file = gold_.there ? gold_file_ : system_file_;
      ScriptLine& line = gold_.there ? gold_ : system_;
      if (!line.blank()) return;
      read_line(file, line);
    }
  }

  static Word word(const ScriptLine& line, const InputFile& file) {
    constexpr Index kForm = 1, kTag = 3, kHead = 6, kLabel = 7;
    if (line.fields.size() <= kLabel) {
      throw InputError(file.name(), file.line_number(),
                       fmt::format("expected 8 columns or more, found {}", line.fields.size()));
    }
    Word word;
    word.form = line.fields[kForm];
    word.coarse = line.fields[kTag];
    word.head = head_number(line.fields[kHead]);
    word.label = line.fields[kLabel];
    return word;
  }

  void compare(const Word& gold, Word& system) const {
    constexpr Index kHead = 6;
    if (gold_.fields[kHead] != system_.fields[kHead] && gold.head == system.head) {
      system.head = other_head(system.head);
    }
    if (script_ == ConllScript::kConll07) return;
    if (gold.form == system.form && gold.coarse == system.coarse) return;
    throw InputError(
        system_file_.name(), system_file_.line_number(),
        fmt::format("expected the word '{}' with the tag '{}', as in {}:{}, found", gold.form,
                    gold.coarse, gold_file_.name(), gold_file_.line_number()),
        fmt::format("{} {}", system.form, system.coarse));
  }

  InputFile gold_file_, system_file_;
  ConllScript script_;
  ScriptLine gold_, system_;
};

}  // namespace

void ConllScriptScores::add(std::span<const Word> gold, std::span<const Word> system) {
  ++num_sentences_;
  AttachmentCounts counts;
  for (Index i = 0; i < gold.size(); ++i) {
    const bool left_out =
        (options_.punctuation == Punctuation::kLeftOut && is_punctuation_word(gold[i].form)) ||
        (!options_.derivations && gold[i].label == kDerivation);
    if (left_out) {
      ++tally_.left_out;
      continue;
    }
    counts.add(gold[i].head == system[i].head, gold[i].label == system[i].label);
    tally_.add(gold[i], system[i], static_cast<std::uint32_t>(i + 1));
  }
  if (gold.empty() || !options_.sentences) return;
  if (counts.words == 0 && options_.script == ConllScript::kConll07) return;
  lines_ += conllx_sentence_line(num_sentences_, gold.size(), counts);
}

std::string ConllScriptScores::text(const std::string& gold_name,
                                    const std::string& system_name) const {
  std::string text;
  if (options_.sentences) text += conllx_sentence_heading() + lines_ + "\n\n";
  text += conllx_summary(tally_.total);
  if (options_.tables) text += conllx_tables(tally_, gold_name, system_name);
  return text;
}

std::string conll_script(InputFile gold, InputFile system, const ConllScriptOptions& options) {
  const std::string gold_name = gold.name();
  const std::string system_name = system.name();
  ScriptFiles files(std::move(gold), std::move(system), options.script);
  ConllScriptScores scores(options);
  std::vector<Word> gold_words, system_words;
  bool more = true;
  while (more) {
    more = files.read(gold_words, system_words);
    scores.add(gold_words, system_words);
  }
  if (scores.nothing_scored()) {
    throw InputError(gold_name, 0, "expected words that are scored, found none");
  }
  return scores.text(gold_name, system_name);
}

}  // namespace trellis::parse
