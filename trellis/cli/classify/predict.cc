// `trellis classify predict`
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/output_file.h"
#include "trellis/cli/classify/commands.h"
#include "trellis/cli/classify/run.h"
#include "trellis/cli/command_options.h"

namespace trellis::cli {
namespace {

struct PredictCall {
  CommonOptions common;
  ClassifyInput input;
  std::string model;
  std::string output;
  Index top_k = 1;
  bool probabilities = false;
  bool scores = false;
};

bool has_id_column(const PredictCall& call, const classify::ClassifyModel& model) {
  const classify::TextColumns columns = call.input.columns.empty()
                                            ? model.columns().value_or(classify::TextColumns())
                                            : classify::TextColumns::parse(call.input.columns);
  for (Index c = 0; c < columns.size(); ++c) {
    if (columns[c] == classify::ColumnRole::kId) return true;
  }
  return false;
}

class Predictor {
 public:
  Predictor(const PredictCall& call, const classify::ClassifyModel& model)
      : call_(call),
        model_(model),
        pipeline_(model, call.input, call.common.threads, false),
        out_(call.output),
        has_id_(has_id_column(call, model)) {
    if (call.probabilities && call.scores) {
      throw UsageError("--probabilities and --scores are two ways to say it: choose one");
    }
    // Before any work: this throws where there are none.
    if (call.probabilities) {
      pipeline_.classifier().probabilities(std::vector<double>(model.labels().size()), numbers_);
    }
  }

  void run() {
    pipeline_.run([this](const classify::Example& example, const std::vector<double>& scores) {
      write(example, scores);
      if (pipeline_.interactive()) out_.flush();
    });
    out_.commit();
  }

 private:
  bool numbered() const { return call_.probabilities || call_.scores; }

  void write(const classify::Example& example, const std::vector<double>& scores) {
    if (call_.probabilities) {
      pipeline_.classifier().probabilities(scores, numbers_);
    } else {
      numbers_ = scores;
    }
    const std::vector<Label> best = pipeline_.classifier().top(scores, call_.top_k);
    if (call_.common.json) return write_json(example, best);
    std::string line = has_id_ ? example.id + "\t" : "";
    for (Index k = 0; k < best.size(); ++k) {
      if (k > 0) line += '\t';
      line += label(best[k]);
      if (numbered()) line += fmt::format("\t{:.6f}", number(best[k]));
    }
    out_.write(line + "\n");
  }

  void write_json(const classify::Example& example, const std::vector<Label>& best) {
    nlohmann::json json;
    json["line"] = example.line;
    if (has_id_) json["id"] = example.id;
    json["label"] = label(best.front());
    if (call_.top_k > 1 || numbered()) {
      json["top"] = nlohmann::json::array();
      for (const Label y : best) {
        nlohmann::json entry = {{"label", label(y)}};
        if (numbered()) entry[call_.probabilities ? "probability" : "score"] = number(y);
        json["top"].push_back(entry);
      }
    }
    out_.write(json.dump() + "\n");
  }

  const std::string& label(Label y) const { return model_.labels()[static_cast<Index>(y)]; }
  double number(Label y) const { return numbers_[static_cast<Index>(y)]; }

  const PredictCall& call_;
  const classify::ClassifyModel& model_;
  ExamplePipeline pipeline_;
  OutputFile out_;
  bool has_id_;
  std::vector<double> numbers_;  // probabilities or scores of the example at hand
};

int run(const PredictCall& call) {
  const classify::ClassifyModel model = classify::ClassifyModel::load(call.model);
  Predictor(call, model).run();
  return 0;
}

}  // namespace

void add_classify_predict(CLI::App& classify, int& status) {
  auto call = std::make_shared<PredictCall>();
  CLI::App* app = classify.add_subcommand(
      "predict",
      "A label for each line of a file, with its id before it where the file has such a column.\n"
      "Memory does not grow with the input; what is piped in comes out line by line.");
  app->add_option("file", call->input.file,
                  "File to classify, with or without labels; '-' or nothing: standard input");
  app->add_option("--model", call->model, "The model")->required();
  app->add_option("--output", call->output, "Where to write; '-' or nothing: standard output");
  add_columns_option(*app, call->input.columns);
  app->add_option("--top-k", call->top_k, "The K best labels, best first")
      ->check(CLI::Range(Index{1}, Index{1} << 31))
      ->capture_default_str();
  app->add_flag("--probabilities", call->probabilities,
                "Write the probability behind each label (models trained with --loss maxent or "
                "another finite beta, and naive Bayes)");
  app->add_flag("--scores", call->scores, "Write the score behind each label");
  add_common_options(*app, call->common);
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
