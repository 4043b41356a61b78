#include "trellis/cli/tag/run.h"

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

void throw_no_labels(const std::string& file, const tag::TagSequence& sequence) {
  throw InputError(file, sequence.line(0), "the model allows no label sequence of this length");
}

void add_comments_option(CLI::App& app, std::string& comments) {
  app.add_option("--comments", comments,
                 "Lines before a sentence that are comments: none, every '# ...' (hash), or those "
                 "that have not the columns of a token (auto) [as in training]")
      ->check(CLI::IsMember({"auto", "none", "hash"}));
}

tag::SequenceReader open_input(const tag::TagModel& model, const InputChoice& input) {
  const tag::Comments comments =
      input.comments.empty() ? model.format().comments : tag::parse_comments(input.comments);
  return tag::SequenceReader(InputFile(input.file.empty() ? "-" : input.file),
                             model.format().format, comments);
}

SequencePipeline::SequencePipeline(const tag::TagModel& model, const InputChoice& input,
                                   int threads, bool labelled)
    : model_(&model),
      reader_(open_input(model, input)),
      threads_(input.file.empty() || input.file == "-" ? 1 : resolve_threads(threads)),
      labelled_(labelled),
      batch_(input.file.empty() || input.file == "-" ? 1 : kBatch),
      faults_(batch_.size()) {}

Index SequencePipeline::read_batch() {
  Index count = 0;
  try {
    while (count < batch_.size() && reader_.read(batch_[count])) {
      check_columns(*model_, batch_[count], reader_.name(), labelled_);
      ++count;
    }
    if (count < batch_.size()) last_lines_ = batch_[count].lines;
  } catch (...) {
    read_fault_ = std::current_exception();
  }
  return count;
}

void SequencePipeline::run(const Work& work, const Finish& finish) {
  Index count = 0;
  do {
    count = read_batch();
    parallel_for(count, threads_, [&](Index i, int worker) {
      faults_[i] = nullptr;
      try {
        work(batch_[i], i, worker);
      } catch (...) {
        faults_[i] = std::current_exception();
      }
    });
    for (Index i = 0; i < count; ++i) {
      if (faults_[i]) std::rethrow_exception(faults_[i]);
      finish(batch_[i], i);
    }
    if (read_fault_) std::rethrow_exception(read_fault_);
  } while (count == batch_.size());
}

Evaluation evaluate_file(const tag::TagModel& model, const InputChoice& input, int threads,
                         Index max_sentences) {
  const tag::Tagger tagger(model);
  SequencePipeline pipeline(model, input, threads, true);
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
        if (predicted[slot].empty()) throw_no_labels(pipeline.file(), sequence);
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
