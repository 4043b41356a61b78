// `trellis tag evaluate`
#include <fmt/format.h>

#include <memory>
#include <string>

#include "trellis/base/output_file.h"
#include "trellis/cli/console.h"
#include "trellis/cli/tag/commands.h"
#include "trellis/cli/tag/report_data.h"
#include "trellis/cli/tag/run.h"
#include "trellis/report/tag_report.h"

namespace trellis::cli {
namespace {

struct EvaluateCall {
  CommonOptions common;
  InputChoice input;
  std::string model;
  std::string report;
  bool confusion = false;
};

int run(const EvaluateCall& call) {
  Console console(call.common.quiet);
  const tag::TagModel model = tag::TagModel::load(call.model);
  const Evaluation evaluation =
      evaluate_file(model, call.input, call.common.threads, call.report.empty() ? 0 : 200);
  for (const std::string& label : evaluation.unseen_labels) {
    console.warn(fmt::format("{}: the model has no label '{}': it counts as missed",
                             call.input.file, label));
  }
  if (!call.report.empty()) {
    report::TagReport page = model_report(model, "Evaluation of " + call.model);
    add_evaluation(evaluation, call.input.file, page);
    AtomicFile file(call.report);
    file.write(report::tag_report(page));
    file.commit();
  }
  if (call.common.json) {
    nlohmann::json json = evaluation.scores.to_json();
    json["unseen_labels"] = evaluation.unseen_labels;
    print(json.dump() + "\n");
    return 0;
  }
  print(evaluation.scores.to_text());
  if (call.confusion && evaluation.scores.has_spans()) print(evaluation.scores.confusion().table());
  return 0;
}

}  // namespace

void add_tag_evaluate(CLI::App& tag, int& status) {
  auto call = std::make_shared<EvaluateCall>();
  CLI::App* app = tag.add_subcommand("evaluate",
                                     "Tag a labelled file and compare: precision, recall and F1 of "
                                     "spans as conlleval counts them, "
                                     "accuracy of tokens.");
  app->add_option("file", call->input.file, "Labelled file; '-' is standard input")->required();
  app->add_option("--model", call->model, "The model")->required();
  add_comments_option(*app, call->input.comments);
  app->add_flag("--confusion", call->confusion, "Print the commonest confusions of labels as well");
  app->add_option("--report", call->report, "Write a page with scores, confusions and sentences");
  add_common_options(*app, call->common);
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
