#include "trellis/cli/tag/report_data.h"

#include <fmt/format.h>

#include <memory>

#include "trellis/cli/train_progress.h"
#include "trellis/tasks/tag/model/inspect.h"
#include "trellis/tasks/training/result.h"

namespace trellis::tag {

report::TagReport model_report(const TagModel& model, const std::string& title) {
  report::TagReport page;
  page.title = title;
  page.spans = model.format().file_scheme != TagScheme::kPlain;
  for (const auto& [key, value] : provenance_words(model.training())) {
    page.options.push_back({key, value});
  }
  for (const LabelFeatures& label : strongest_features(model, 8)) {
    for (const WeightedFeature& feature : label.features) {
      page.features.push_back({label.label, feature.name, feature.weight});
    }
  }
  const TransitionTable table = transition_table(model);
  page.transitions.row_title = "from";
  page.transitions.column_title = "to";
  page.transitions.rows = table.from;
  page.transitions.columns = table.to;
  page.transitions.weights = table.weights;
  return page;
}

void add_training(const TrainResult& result, report::TagReport& page) {
  const LearnSummary& summary = result.learned.fitted.summary;
  page.history = report::training_points(summary);
  page.learned = std::make_shared<const Learned>(result.learned);
  if (result.dev) page.dev_metric = result.dev->has_spans() ? "F1" : "accuracy";
  page.subtitle =
      fmt::format("{} sequences, {} tokens, {} weights; {} after {} epochs", result.sequences,
                  result.tokens, result.weights, cli::ending(summary.termination), summary.epochs);
}

void add_evaluation(const Evaluation& evaluation, const std::string& file,
                    report::TagReport& page) {
  const TagScores& scores = evaluation.scores;
  page.evaluated_on = file;
  page.sentences = scores.num_sequences();
  page.correct_sentences = scores.num_correct_sequences();
  page.tokens = scores.confusion().num_tokens();
  page.correct_tokens = scores.confusion().num_correct_tokens();
  page.overall = scores.overall();
  page.types = scores.by_type();
  page.confusion.labels = scores.confusion().labels();
  page.confusion.counts = scores.confusion().matrix();
  for (const JudgedSentence& sentence : evaluation.sentences) {
    page.examples.push_back({fmt::format("line {}", sentence.line), sentence.tokens, sentence.gold,
                             sentence.predicted});
  }
}

}  // namespace trellis::tag
