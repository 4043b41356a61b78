#include "trellis/tasks/classify/predict.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/pipeline.h"
#include "trellis/base/text.h"
#include "trellis/data/json.h"
#include "trellis/formats/examples/example_reader.h"

namespace trellis::classify {
namespace {

constexpr Index kDocumentsAtOnce = 256;

// The reader options of the model, unless the call gives others.
ReaderOptions reader_options(const ClassifyModel& model, const StreamOptions& options) {
  ReaderOptions reader;
  reader.format = model.features().format;
  reader.columns = model.columns();
  reader.labelled = options.labelled;
  if (options.columns.empty()) return reader;
  if (reader.format != InputFormat::kText) {
    throw UsageError("--columns requires text: LIBSVM files have no columns");
  }
  reader.columns = TextColumns::parse(options.columns);
  return reader;
}

// Writes the line of a document.
class Renderer {
 public:
  Renderer(const Classifier& classifier, const PredictOptions& options)
      : classifier_(classifier),
        options_(options),
        has_id_(has_id(reader_options(classifier.model(), options.stream).columns)) {}

  std::string operator()(const Example& example, const std::vector<double>& scores) {
    if (options_.probabilities) classifier_.probabilities(scores, numbers_);
    if (options_.scores) numbers_ = scores;
    const std::vector<Label> best = classifier_.top(scores, options_.top_k);
    return (options_.json ? json(example, best) : text(example, best)) + "\n";
  }

 private:
  bool numbered() const { return options_.probabilities || options_.scores; }
  const std::string& label(Label y) const {
    return classifier_.model().labels()[static_cast<Index>(y)];
  }
  double number(Label y) const { return numbers_[static_cast<Index>(y)]; }

  std::string text(const Example& example, const std::vector<Label>& best) const {
    std::string line = has_id_ ? example.id + "\t" : "";
    for (Index k = 0; k < best.size(); ++k) {
      if (k > 0) line += '\t';
      line += label(best[k]);
      if (numbered()) line += fmt::format("\t{:.6f}", number(best[k]));
    }
    return line;
  }

  std::string json(const Example& example, const std::vector<Label>& best) const {
    Value record;
    record["line"] = example.line;
    if (has_id_) record["id"] = example.id;
    record["label"] = label(best.front());
    if (options_.top_k > 1 || numbered()) {
      record["top"] = Value::list();
      for (const Label y : best) {
        Value entry = Value::record({{"label", label(y)}});
        if (numbered()) entry[options_.probabilities ? "probability" : "score"] = number(y);
        record["top"].push_back(std::move(entry));
      }
    }
    return to_json(record);
  }

  const Classifier& classifier_;
  const PredictOptions& options_;
  bool has_id_;
  std::vector<double> numbers_;  // probabilities or scores of the current document
};

constexpr Index kShownCharacters = 240;

}  // namespace

bool has_id(const std::optional<TextColumns>& columns) {
  for (Index c = 0; columns && c < columns->size(); ++c) {
    if ((*columns)[c] == ColumnRole::kId) return true;
  }
  return false;
}

std::string beginning_of(const Example& example) {
  if (!example.text.empty()) {
    const std::string_view shown = utf8_prefix(example.text, kShownCharacters);
    return std::string(shown) + (shown.size() < example.text.size() ? " …" : "");
  }
  std::string text;
  for (const IndexedValue& value : example.values) {
    if (text.size() > kShownCharacters) return text + " …";
    if (!text.empty()) text += ' ';
    text += std::to_string(value.index);
  }
  return text;
}

Index classify_stream(const Classifier& classifier, InputFile file, const StreamOptions& options,
                      const Scored& finish) {
  ExampleReader reader(std::move(file), reader_options(classifier.model(), options));
  Pipeline<Example> pipeline(options.at_once ? Pipeline<Example>::kAtOnce : kDocumentsAtOnce,
                             options.threads);
  std::vector<std::vector<double>> scores(pipeline.batch_size());
  std::vector<Classifier::Scratch> scratch(static_cast<Index>(pipeline.num_workers()),
                                           Classifier::Scratch(classifier.model()));
  Index count = 0;
  pipeline.run([&](Example& example) { return reader.read(example); },
               [&](const Example& example, Index slot, int worker) {
                 classifier.scores(example, reader.name(), scratch[static_cast<Index>(worker)],
                                   scores[slot]);
               },
               [&](const Example& example, Index slot) {
                 ++count;
                 finish(example, scores[slot]);
               });
  return count;
}

void predict(const ClassifyModel& model, InputFile file, const PredictOptions& options,
             const WriteLine& write) {
  if (options.probabilities && options.scores) {
    throw UsageError("--probabilities and --scores cannot be combined");
  }
  const Classifier classifier(model);
  // Throws before any work if the model has no probabilities.
  if (options.probabilities) {
    std::vector<double> none;
    classifier.probabilities(std::vector<double>(model.labels().size()), none);
  }
  Renderer line(classifier, options);
  classify_stream(classifier, std::move(file), options.stream,
                  [&](const Example& example, const std::vector<double>& scores) {
                    write(line(example, scores));
                  });
}

Value Evaluation::record(Index confusions) const {
  Value record = scores.record(confusions);
  record["unseen_labels"] = unseen_labels;
  return record;
}

Evaluation evaluate(const ClassifyModel& model, InputFile file, const EvaluateOptions& options) {
  const std::string name = file.name();
  StreamOptions stream;
  stream.columns = options.columns;
  stream.labelled = true;
  stream.threads = options.threads;
  Evaluation evaluation;
  std::set<std::string> unseen;
  const auto judge = [&](const Example& example, const std::vector<double>& scores) {
    const std::string& predicted = model.labels()[static_cast<Index>(best_label(scores))];
    evaluation.scores.add(example.label, predicted);
    if (!model.has_label(example.label)) unseen.insert(example.label);
    if (example.label == predicted || evaluation.mistakes.size() >= options.max_mistakes) return;
    evaluation.mistakes.push_back({example.line, beginning_of(example), example.label, predicted});
  };
  if (classify_stream(Classifier(model), std::move(file), stream, judge) == 0) {
    throw InputError(name, 0, "expected examples, found none");
  }
  evaluation.unseen_labels.assign(unseen.begin(), unseen.end());
  return evaluation;
}

}  // namespace trellis::classify
