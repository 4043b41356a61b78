#include "trellis/tasks/tagging/word_tagger.h"

#include <fmt/format.h>

#include <utility>

#include "trellis/base/error.h"
#include "trellis/tasks/tag/train.h"

namespace trellis::tagging {

// A model whose templates need other columns would read beyond the words.
WordTagger::WordTagger(tag::TagModel model) : model_(std::move(model)) {
  if (model_.format().format != tag::InputFormat::kColumns ||
      model_.features().min_columns() > kTagColumn) {
    throw InputError(model_.name(), 0, "the template of the tagger uses more than words");
  }
}

void WordTagger::describe(ModelArchive& a, const std::string& section,
                          std::optional<WordTagger>& tagger) {
  a.optional(section, tagger.has_value(), 1, [&] {
    std::span<const std::byte> file;
    if (tagger) file = tagger->model_.bytes();
    a.array(section, file, {}, "a model file of kind tag");
    if (!a.reading()) return;
    tagger.emplace(tag::TagModel::from_bytes(file, fmt::format("{}, {}", a.name(), section)));
  });
}

void WordTagger::put_words(Scratch& scratch) const {
  scratch.sequence.format = tag::InputFormat::kColumns;
  scratch.sequence.columns.clear(0);
  std::vector<std::string_view> fields(kTagColumn);
  fields[0] = kConstant;
  for (const std::string_view word : scratch.words) {
    fields[kWordColumn] = word;
    scratch.sequence.columns.add_token(fields);
  }
}

void WordTagger::tag(Scratch& scratch) const {
  put_words(scratch);
  const double score =
      tag::Tagger(model_).tag(scratch.sequence, {}, scratch.tagger, scratch.labels);
  if (scratch.labels.size() != scratch.words.size()) {
    throw InputError(model_.name(), 0,
                     fmt::format("the tagger allows no tags of {} words (score {})",
                                 scratch.words.size(), score));
  }
}

void WordTagger::marginals(Scratch& scratch) const {
  put_words(scratch);
  tag::Tagger(model_).marginals(scratch.sequence, {}, scratch.tagger, scratch.probabilities);
}

void require_folds(Index folds, Index sentences) {
  if (folds >= 2 && folds <= sentences) return;
  throw UsageError(fmt::format("--jackknife must be 2 to {} (the number of sentences), not {}",
                               sentences, folds));
}

std::optional<WordTagger> train_word_tagger(const TaggedText& text,
                                            const WordTaggerOptions& options,
                                            const std::stop_token& stop) {
  tag::TrainingSetOptions reading;
  reading.label_column = kTagColumn;
  reading.comments = tag::Comments::kNone;
  reading.file_scheme = tag::TagScheme::kPlain;
  tag::BuiltinOptions words;
  words.word_column = kWordColumn;
  std::vector<InputFile> files;
  files.push_back(InputFile::from_bytes(text.lines, "<tags>"));
  tag::TagData data = tag::read_tag_data(std::move(files), std::nullopt,
                                         tag::FeatureTemplate::builtin("pos", words), reading);
  tag::TrainOptions training;
  training.word_column = kWordColumn;
  training.training.learner.loss = options.loss;
  training.training.learner.learner = options.learner;
  training.training.learner.epochs = options.epochs;
  training.training.seed = options.seed;
  training.training.threads = 1;
  TrainEvents events;
  events.stop = stop;
  tag::Trained trained = tag::train(std::move(data), training, events);
  if (trained.result.learned.interrupted) return std::nullopt;
  return WordTagger(*std::move(trained.model));
}

}  // namespace trellis::tagging
