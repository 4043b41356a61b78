#include "trellis/tasks/tag/output/evaluate.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/tasks/tag/model/tagger.h"
#include "trellis/tasks/tag/output/sequence_pipeline.h"

namespace trellis::tag {
Evaluation evaluate(const TagModel& model, InputFile file, const EvaluateOptions& options) {
  const Tagger tagger(model);
  SequencePipeline pipeline(model, std::move(file), options.comments, options.threads, true);
  std::vector<Tagger::Scratch> scratch(static_cast<Index>(pipeline.num_workers()));
  std::vector<std::vector<Label>> predicted(pipeline.batch_size());
  Evaluation evaluation{TagScores(model.format().file_scheme), {}, {}};
  UnseenLabels unseen(model.labels(), model.format().file_scheme);
  LabelTexts texts(model.labels(), model.format().model_scheme, model.format().file_scheme);
  std::vector<std::string_view> gold;
  Index kept_correct = 0;
  pipeline.run(
      [&](const TagSequence& sequence, Index slot, int worker) {
        tagger.tag(sequence, {}, scratch[static_cast<Index>(worker)], predicted[slot]);
        if (predicted[slot].empty()) throw_no_labels(pipeline.file(), sequence);
      },
      [&](const TagSequence& sequence, Index slot) {
        sequence.labels(model.format().label_column, gold);
        unseen.add(gold);
        const std::vector<std::string_view>& found = texts.write(predicted[slot]);
        evaluation.scores.add(gold, found);
        if (evaluation.sentences.size() >= options.max_sentences) return;
        const bool correct = gold == found;
        if (correct && ++kept_correct > options.max_sentences / 5) return;
        JudgedSentence sentence;
        sentence.line = sequence.line(0);
        for (Index t = 0; t < gold.size(); ++t) {
          sentence.tokens.emplace_back(
              sequence.format == InputFormat::kColumns
                  ? std::string(sequence.columns.field(t, model.word_column()))
                  : fmt::format("#{}", t + 1));
          sentence.gold.emplace_back(gold[t]);
          sentence.predicted.emplace_back(found[t]);
        }
        evaluation.sentences.push_back(std::move(sentence));
      });
  if (evaluation.scores.num_sequences() == 0)
    throw InputError(pipeline.file(), 0, "there is no sequence in it");
  evaluation.unseen_labels = unseen.list();
  return evaluation;
}

std::string Evaluation::to_json() const {
  nlohmann::json json = scores.to_json();
  json["unseen_labels"] = unseen_labels;
  return json.dump();
}

}  // namespace trellis::tag
