#include "trellis/cli/classify/run.h"

#include <set>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/base/text.h"

namespace trellis::cli {
namespace {

constexpr Index kBatch = 256;
constexpr Index kShownCharacters = 240;

bool is_standard_input(const ClassifyInput& input) {
  return input.file.empty() || input.file == "-";
}

classify::ExampleReader open_reader(const classify::ClassifyModel& model,
                                    const ClassifyInput& input, bool labelled) {
  classify::ReaderOptions options;
  options.format = model.features().format;
  options.columns = model.columns();
  options.labelled = labelled;
  if (!input.columns.empty()) {
    if (options.format != classify::InputFormat::kText) {
      throw UsageError("LIBSVM files have no columns: --columns is about text");
    }
    options.columns = classify::TextColumns::parse(input.columns);
  }
  return {InputFile(is_standard_input(input) ? "-" : input.file), options};
}

std::string beginning(const classify::Example& example) {
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

}  // namespace

void add_columns_option(CLI::App& app, std::string& columns) {
  app.add_option("--columns", columns,
                 "Columns of a text file, with commas: label, text, id, skip [as in training, the "
                 "label may be missing]");
}

ExamplePipeline::ExamplePipeline(const classify::ClassifyModel& model, const ClassifyInput& input,
                                 int threads, bool labelled)
    : classifier_(model),
      reader_(open_reader(model, input, labelled)),
      threads_(is_standard_input(input) ? 1 : resolve_threads(threads)),
      batch_(is_standard_input(input) ? 1 : kBatch),
      scores_(batch_.size()),
      scratch_(static_cast<Index>(threads_), classify::Classifier::Scratch(model)),
      faults_(batch_.size()) {}

Index ExamplePipeline::read_batch() {
  Index count = 0;
  try {
    while (count < batch_.size() && reader_.read(batch_[count])) ++count;
  } catch (...) {
    read_fault_ = std::current_exception();
  }
  return count;
}

void ExamplePipeline::run(const Finish& finish) {
  Index count = 0;
  do {
    count = read_batch();
    parallel_for(count, threads_, [&](Index i, int worker) {
      faults_[i] = nullptr;
      try {
        classifier_.scores(batch_[i], reader_.name(), scratch_[static_cast<Index>(worker)],
                           scores_[i]);
      } catch (...) {
        faults_[i] = std::current_exception();
      }
    });
    for (Index i = 0; i < count; ++i) {
      if (faults_[i]) std::rethrow_exception(faults_[i]);
      finish(batch_[i], scores_[i]);
    }
    if (read_fault_) std::rethrow_exception(read_fault_);
  } while (count == batch_.size());
}

ClassifyEvaluation evaluate_documents(const classify::ClassifyModel& model,
                                      const ClassifyInput& input, int threads, Index max_mistakes) {
  ExamplePipeline pipeline(model, input, threads, true);
  ClassifyEvaluation evaluation;
  std::set<std::string> unseen;
  pipeline.run([&](const classify::Example& example, const std::vector<double>& scores) {
    const std::string& predicted = model.labels()[static_cast<Index>(classify::best_label(scores))];
    evaluation.scores.add(example.label, predicted);
    if (!model.has_label(example.label)) unseen.insert(example.label);
    if (example.label == predicted || evaluation.mistakes.size() >= max_mistakes) return;
    evaluation.mistakes.push_back({example.line, beginning(example), example.label, predicted});
  });
  if (evaluation.scores.num_examples() == 0) {
    throw InputError(pipeline.file(), 0, "there is no example in it");
  }
  evaluation.unseen_labels.assign(unseen.begin(), unseen.end());
  return evaluation;
}

}  // namespace trellis::cli
