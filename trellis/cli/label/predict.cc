// `trellis label predict`
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "trellis/base/output_file.h"
#include "trellis/cli/command_options.h"
#include "trellis/cli/console.h"
#include "trellis/cli/label/commands.h"
#include "trellis/cli/label/run.h"
#include "trellis/tasks/label/model/label_model.h"
#include "trellis/tasks/label/model/labeller.h"
#include "trellis/tasks/label/reading/label_reader.h"

namespace trellis::cli {
namespace {

struct PredictCall {
  CommonOptions common;
  std::string file;
  std::string model;
  std::string output;
  bool scores = false;
};

class Writer {
 public:
  Writer(const PredictCall& call, const label::LabelModelParts& model, Index begin,
         const label::Labelling& labelling)
      : call_(call), model_(model), begin_(begin), labelling_(labelling) {}

  std::string line(Index i) const { return (call_.common.json ? json(i).dump() : text(i)) + "\n"; }

 private:
  double score(Index i, Index v) const { return labelling_.scores[i * model_.num_labels() + v]; }

  std::string text(Index i) const {
    std::string line;
    for (const std::uint32_t v : labelling_.labels[i]) {
      if (!line.empty()) line += '\t';
      line += model_.label_names[v];
      if (call_.scores) line += fmt::format("\t{:.6f}", score(i, v));
    }
    return line;
  }

  nlohmann::json json(Index i) const {
    nlohmann::json json;
    json["instance"] = begin_ + i + 1;
    json["labels"] = nlohmann::json::array();
    for (const std::uint32_t v : labelling_.labels[i]) {
      json["labels"].push_back(model_.label_names[v]);
    }
    if (call_.scores) {
      json["scores"] = nlohmann::json::object();
      for (Index v = 0; v < model_.num_labels(); ++v) {
        json["scores"][model_.label_names[v]] = score(i, v);
      }
    }
    return json;
  }

  const PredictCall& call_;
  const label::LabelModelParts& model_;
  Index begin_;  // the instance that the labelling begins with
  const label::Labelling& labelling_;
};

int run(const PredictCall& call) {
  const label::LabelModelParts model = label::load_label_model(call.model);
  label::ReadOptions options;
  options.label_names = model.label_names;
  options.labels_required = false;
  options.add_labels = true;  // whatever the file says of labels is not looked at
  const label::LabelData data =
      label::read_label_data(call.file.empty() ? "-" : call.file, options);
  if (const std::string warning = unknown_features(model, data); !warning.empty()) {
    Console(call.common.quiet).warn(warning);
  }
  OutputFile out(call.output);
  label::label_in_turn(model, data, call.common.threads,
                       [&](Index begin, const label::Labelling& some) {
                         const Writer writer(call, model, begin, some);
                         for (Index i = 0; i < some.labels.size(); ++i) out.write(writer.line(i));
                       });
  out.commit();
  return 0;
}

}  // namespace

void add_label_predict(CLI::App& label, int& status) {
  auto call = std::make_shared<PredictCall>();
  CLI::App* app = label.add_subcommand(
      "predict",
      "The labels of each instance of a file, a line each, with tabs between them; an empty line "
      "where there are none.\n"
      "Features are found by their names (LIBSVM: by their index); labels in the file are not "
      "looked at.");
  app->add_option("file", call->file,
                  "File to label, with or without labels; '-' or nothing: standard input");
  app->add_option("--model", call->model, "The model")->required();
  app->add_option("--output", call->output, "Where to write; '-' or nothing: standard output");
  app->add_flag("--scores", call->scores,
                "Write behind each label how far its score is above its threshold; with --json, "
                "the scores of all labels");
  add_common_options(*app, call->common);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
