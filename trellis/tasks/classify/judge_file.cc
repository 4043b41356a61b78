#include "trellis/tasks/classify/judge_file.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/data/json.h"
#include "trellis/data/libsvm_fields.h"
#include "trellis/formats/examples/example_reader.h"
#include "trellis/formats/prediction_lines.h"

namespace trellis::classify {
namespace {

// Reads the lines of predictions.
class PredictedLabels {
 public:
  explicit PredictedLabels(InputFile file) : lines_(std::move(file)) {}

  // The label of a document. Messages name `place`. `id`: the line has an id before the label.
  std::string next(const Example& example, const std::string& place, bool id) {
    const std::string_view line = lines_.need("the label of " + place);
    if (lines_.line_number() == 1) json_ = line.starts_with("{\"");
    if (json_) return json_label(line);
    split(line, '\t', fields_);
    const Index label = id ? 1 : 0;
    if (fields_.size() <= label || fields_[label].empty()) {
      lines_.refuse(
          id ? "expected an id and a label with a tab between, found" : "expected a label, found",
          line);
    }
    if (id && fields_[0] != example.id) {
      lines_.refuse(fmt::format("expected the id '{}', that of {}, found", example.id, place),
                    fields_[0]);
    }
    return std::string(fields_[label]);
  }

  void require_end() { lines_.require_end("documents"); }

 private:
  std::string json_label(std::string_view line) const {
    const std::optional<Value> record = parse_json(line);
    if (!record || !record->contains("label") || !record->at("label").is_text()) {
      lines_.refuse("expected a JSON object with a text 'label', found", line);
    }
    return record->at("label").text();
  }

  PredictionLines lines_;
  bool json_ = false;
  std::vector<std::string_view> fields_;
};

}  // namespace

Evaluation judge_file(InputFile file, InputFile predictions, const JudgeOptions& options) {
  ReaderOptions reading;
  if (!options.columns.empty()) reading.columns = TextColumns::parse(options.columns);
  ExampleReader reader(std::move(file), reading);
  PredictedLabels labels(std::move(predictions));
  Evaluation evaluation;
  for (Example example; reader.read(example);) {
    std::string predicted = labels.next(example, fmt::format("{}:{}", reader.name(), example.line),
                                        has_id(reader.columns()));
    if (reader.format() == InputFormat::kLibsvm) predicted = canonical_label(predicted);
    evaluation.scores.add(example.label, predicted);
    if (example.label == predicted || evaluation.mistakes.size() >= options.max_mistakes) continue;
    evaluation.mistakes.push_back(
        {example.line, beginning_of(example), example.label, std::move(predicted)});
  }
  if (evaluation.scores.num_examples() == 0) {
    throw InputError(reader.name(), 0, "expected examples, found none");
  }
  labels.require_end();
  return evaluation;
}

}  // namespace trellis::classify
