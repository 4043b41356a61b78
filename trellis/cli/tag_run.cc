#include "trellis/cli/tag_run.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"

namespace trellis::cli {
namespace {

constexpr Index kBatch = 256;

// Spans are what counts of a label like B-PER; a plain label is all of itself.
std::string essence(const tag::TagModel& model, std::string_view label) {
  const bool plain = model.format().file_scheme == tag::TagScheme::kPlain;
  return std::string(plain ? label : tag::parse_tag(label).type);
}

}  // namespace

void check_columns(const tag::TagModel& model, const tag::TagSequence& sequence,
                   const std::string& file, bool labelled) {
  if (sequence.format == tag::InputFormat::kItems) return;
  const Index expected = model.format().num_columns;
  const Index found = sequence.columns.num_columns();
  if (found == expected) return;
  const bool label_is_last = model.format().label_column + 1 == expected;
  if (!labelled && label_is_last && found + 1 == expected) return;
  std::string wanted = fmt::format("{} columns", expected);
  if (!labelled && label_is_last)
    wanted = fmt::format("{} columns, or {} with the label", expected - 1, expected);
  throw InputError(
      file, sequence.line(0),
      fmt::format("expected {}, as the model was trained on, found {}", wanted, found));
}

SequencePipeline::SequencePipeline(const tag::TagModel& model, const std::string& file, int threads,
                                   bool labelled)
    : model_(&model),
      reader_(InputFile(file.empty() ? "-" : file), model.format().format),
      threads_(file.empty() || file == "-" ? 1 : resolve_threads(threads)),
      labelled_(labelled),
      batch_(file.empty() || file == "-" ? 1 : kBatch) {}

void SequencePipeline::run(const Work& work, const Finish& finish) {
  Index count = 0;
  do {
    count = 0;
    while (count < batch_.size() && reader_.read(batch_[count])) {
      check_columns(*model_, batch_[count], reader_.name(), labelled_);
      ++count;
    }
    if (count < batch_.size()) last_lines_ = batch_[count].lines;
    if (threads_ == 1) {
      for (Index i = 0; i < count; ++i) work(batch_[i], i, 0);
    } else {
      parallel_for(count, threads_, [&](Index i, int worker) { work(batch_[i], i, worker); });
    }
    for (Index i = 0; i < count; ++i) finish(batch_[i], i);
  } while (count == batch_.size());
}

Evaluation evaluate_file(const tag::TagModel& model, const std::string& file, int threads,
                         Index max_sentences) {
  const tag::Tagger tagger(model);
  SequencePipeline pipeline(model, file, threads, true);
  std::vector<tag::Tagger::Scratch> scratch(static_cast<Index>(pipeline.num_workers()));
  std::vector<std::vector<Label>> predicted(pipeline.batch_size());
  Evaluation evaluation{tag::TagScores(model.format().file_scheme), {}, {}};
  std::set<std::string> known;
  for (const std::string& label : model.labels()) known.insert(essence(model, label));
  std::set<std::string> unseen;
  tag::LabelTexts texts(model.labels(), model.format().model_scheme, model.format().file_scheme);
  std::vector<std::string_view> gold;
  Index kept_correct = 0;
  pipeline.run(
      [&](const tag::TagSequence& sequence, Index slot, int worker) {
        tagger.tag(sequence, {}, scratch[static_cast<Index>(worker)], predicted[slot]);
      },
      [&](const tag::TagSequence& sequence, Index slot) {
        sequence.labels(model.format().label_column, gold);
        for (const std::string_view label : gold) {
          if (known.count(essence(model, label)) == 0) unseen.insert(std::string(label));
        }
        const std::vector<std::string_view>& found = texts.write(predicted[slot]);
        evaluation.scores.add(gold, found);
        if (evaluation.sentences.size() >= max_sentences) return;
        const bool correct = gold == found;
        if (correct && ++kept_correct > max_sentences / 5) return;
        JudgedSentence sentence;
        sentence.line = sequence.line(0);
        for (Index t = 0; t < gold.size(); ++t) {
          sentence.tokens.emplace_back(
              sequence.format == tag::InputFormat::kColumns
                  ? std::string(sequence.columns.field(t, model.word_column()))
                  : fmt::format("#{}", t + 1));
          sentence.gold.emplace_back(gold[t]);
          sentence.predicted.emplace_back(found[t]);
        }
        evaluation.sentences.push_back(std::move(sentence));
      });
  if (evaluation.scores.num_sequences() == 0)
    throw InputError(pipeline.file(), 0, "there is no sequence in it");
  evaluation.unseen_labels.assign(unseen.begin(), unseen.end());
  return evaluation;
}

}  // namespace trellis::cli
