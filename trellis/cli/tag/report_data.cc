#include "trellis/cli/tag/report_data.h"

#include <fmt/format.h>

#include "trellis/cli/train_progress.h"
#include "trellis/tasks/tag/model/inspect.h"

namespace trellis::cli {

report::TagReport model_report(const tag::TagModel& model, const std::string& title) {
  report::TagReport page;
  page.title = title;
  page.spans = model.format().file_scheme != tag::TagScheme::kPlain;
  const nlohmann::json& training = model.training();
  for (const auto& [key, value] : training.items()) {
    page.options.push_back({key, value.is_string() ? value.get<std::string>() : value.dump()});
  }
  for (const tag::LabelFeatures& label : tag::strongest_features(model, 8)) {
    for (const tag::WeightedFeature& feature : label.features) {
      page.features.push_back({label.label, feature.name, feature.weight});
    }
  }
  const tag::TransitionTable table = tag::transition_table(model);
  page.transitions.row_title = "from";
  page.transitions.column_title = "to";
  page.transitions.rows = table.from;
  page.transitions.columns = table.to;
  page.transitions.weights = table.weights;
  return page;
}

void add_history(const tag::TrainResult& result, report::TagReport& page) {
  for (const EpochRecord& record : result.summary.history) {
    report::TrainingPoint point;
    point.epoch = static_cast<double>(record.epoch);
    point.objective = record.objective;
    point.bound = record.bound;
    point.gap = record.gap;
    point.loss = record.loss;
    point.dev = record.dev;
    point.seconds = record.seconds;
    page.history.push_back(point);
  }
  if (result.dev) page.dev_metric = result.dev->has_spans() ? "F1" : "accuracy";
  page.subtitle = fmt::format("{} sequences, {} tokens, {} weights; {} after {} epochs",
                              result.sequences, result.tokens, result.weights,
                              ending(result.summary.termination), result.summary.epochs);
}

void add_evaluation(const Evaluation& evaluation, const std::string& file,
                    report::TagReport& page) {
  const tag::TagScores& scores = evaluation.scores;
  page.evaluated_on = file;
  page.sentences = scores.num_sequences();
  page.correct_sentences = scores.num_correct_sequences();
  page.tokens = scores.confusion().num_tokens();
  page.correct_tokens = scores.confusion().num_correct_tokens();
  if (scores.has_spans()) {
    page.overall = scores.spans().overall();
    page.types = scores.spans().by_type();
  } else {
    for (const tag::LabelCounts& label : scores.confusion().by_label())
      page.types.push_back({label.label, label.counts});
    page.overall = {page.tokens, page.tokens, page.correct_tokens};
  }
  page.confusion.labels = scores.confusion().labels();
  page.confusion.counts = scores.confusion().matrix();
  for (const JudgedSentence& sentence : evaluation.sentences) {
    page.examples.push_back({fmt::format("line {}", sentence.line), sentence.tokens, sentence.gold,
                             sentence.predicted});
  }
}

}  // namespace trellis::cli
