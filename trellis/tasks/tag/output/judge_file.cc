#include "trellis/tasks/tag/output/judge_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "trellis/base/error.h"

namespace trellis::tag {
namespace {

// Reads the two files in parallel.
class JudgedFiles {
 public:
  JudgedFiles(InputFile gold, InputFile predictions, const JudgeOptions& options)
      : format_(options.format.value_or(InputFormat::kColumns)),
        gold_(std::move(gold), format_, options.comments),
        label_column_(options.label_column),
        found_(std::move(predictions), ColumnOptions{predicted_format(options), options.comments}) {
  }

  // Returns false if both are at their end.
  bool read() {
    const bool more = gold_.read(sequence_);
    const bool found = found_.read(sentence_);
    if (more != found) refuse_number(more);
    if (!more) return false;
    const Index tokens = sequence_.num_tokens();
    if (sentence_.num_tokens() != tokens) {
      throw InputError(
          found_.name(), sentence_.first_line(),
          fmt::format("expected a sentence of {} tokens, as at {}:{}, found {}", tokens,
                      gold_.name(), sequence_.line(0), sentence_.num_tokens()));
    }
    sequence_.labels(gold_column(), gold_labels_);
    sentence_.copy_column(found_column(), found_labels_);
    for (Index t = 0; t < tokens; ++t) compare(t);
    return true;
  }

  const std::string& gold_name() const { return gold_.name(); }
  const TagSequence& sequence() const { return sequence_; }
  const std::vector<std::string_view>& gold() const { return gold_labels_; }
  const std::vector<std::string_view>& found() const { return found_labels_; }

  JudgedSentence judged() {
    JudgedSentence judged{sequence_.line(0),
                          {},
                          {gold_labels_.begin(), gold_labels_.end()},
                          {found_labels_.begin(), found_labels_.end()}};
    const Index word = conllu() ? kConlluForm : 0;
    for (Index t = 0; t < gold_labels_.size(); ++t) {
      judged.tokens.emplace_back(items() ? fmt::format("#{}", t + 1)
                                         : std::string(sequence_.columns.field(t, word)));
    }
    return judged;
  }

 private:
  static ColumnFormat predicted_format(const JudgeOptions& options) {
    if (options.format == InputFormat::kConllu) return ColumnFormat::kConllu;
    return options.format ? ColumnFormat::kColumns : ColumnFormat::kAuto;
  }
  bool items() const { return format_ == InputFormat::kItems; }
  // If no format was given, the first lines decide.
  bool conllu() { return format_ == InputFormat::kConllu || (!items() && gold_.look().conllu); }

  Index gold_column() {
    if (items() || label_column_ != kLastColumn) {
      const Index columns = sequence_.columns.num_columns();
      if (!items() && label_column_ >= columns) {
        throw InputError(gold_.name(), sequence_.line(0),
                         fmt::format("expected a label in column {} (from 0), found {} columns",
                                     label_column_, columns));
      }
      return label_column_;
    }
    return conllu() ? kConlluUpos : sequence_.columns.num_columns() - 1;
  }

  Index found_column() {
    const Index found = sentence_.num_columns();
    if (items() || found == 1) return 0;
    const Index columns = sequence_.columns.num_columns();
    if (found > columns) return columns;
    if (found == columns) return gold_column();
    throw InputError(found_.name(), sentence_.first_line(),
                     fmt::format("expected the {} columns of {} and then the label, or {} columns "
                                 "with the label in its column, or only a label, found {} columns",
                                 columns, gold_.name(), columns, found));
  }

  void compare(Index token) {
    const Index columns = sequence_.columns.num_columns();
    if (items() || sentence_.num_columns() == 1) return;
    for (Index c = 0; c < columns; ++c) {
      if (c == found_column()) continue;
      const std::string_view expected = sequence_.columns.field(token, c);
      const std::string_view found = sentence_.field(token, c);
      if (expected == found) continue;
      throw InputError(found_.name(), sentence_.line(token),
                       fmt::format("expected '{}' in column {} (from 0), as in {}:{}, found",
                                   expected, c, gold_.name(), sequence_.line(token)),
                       found);
    }
  }

  [[noreturn]] void refuse_number(bool more) const {
    if (more) {
      throw InputError(found_.name(), 0,
                       fmt::format("expected labels of the sentence at {}:{}, found the end of the "
                                   "file",
                                   gold_.name(), sequence_.line(0)));
    }
    throw InputError(
        found_.name(), sentence_.first_line(),
        fmt::format("expected the end of the file, since {} has no more sentences", gold_.name()));
  }

  InputFormat format_;
  SequenceReader gold_;
  Index label_column_;
  ColumnReader found_;
  TagSequence sequence_;
  Sentence sentence_;
  std::vector<std::string_view> gold_labels_, found_labels_;
};

// Copies of the labels of a sentence: the scheme is known only after the last sentence.
struct KeptLabels {
  std::vector<std::string> gold, found;
};

std::vector<std::string_view> views_of(const std::vector<std::string>& labels) {
  return {labels.begin(), labels.end()};
}

}  // namespace

Evaluation judge_file(InputFile gold, InputFile predictions, const JudgeOptions& options) {
  JudgedFiles files(std::move(gold), std::move(predictions), options);
  std::vector<KeptLabels> kept;
  std::vector<JudgedSentence> sentences;
  SchemeDetector detector;
  Index kept_correct = 0;
  while (files.read()) {
    detector.add(files.gold());
    if (options.on_sentence) options.on_sentence(files.gold(), files.found());
    kept.push_back(
        {{files.gold().begin(), files.gold().end()}, {files.found().begin(), files.found().end()}});
    if (sentences.size() >= options.max_sentences) continue;
    if (files.gold() == files.found() && ++kept_correct > options.max_sentences / 5) continue;
    sentences.push_back(files.judged());
  }
  if (kept.empty()) throw InputError(files.gold_name(), 0, "expected sequences, found none");
  Evaluation evaluation{
      TagScores(options.scheme.value_or(detector.scheme())), {}, std::move(sentences), {}};
  for (const KeptLabels& one : kept) {
    evaluation.scores.add(views_of(one.gold), views_of(one.found));
  }
  return evaluation;
}

}  // namespace trellis::tag
