#include "trellis/frame/model_command.h"

#include <fmt/format.h>

#include "trellis/base/error.h"

namespace trellis::frame {

std::vector<std::string> missed_labels(const std::string& file,
                                       const std::vector<std::string>& labels) {
  std::vector<std::string> warnings;
  for (const std::string& label : labels) {
    warnings.push_back(fmt::format(
        "{}: the model has no label '{}': its occurrences count as mistakes", file, label));
  }
  return warnings;
}

Command& add_model_options(Command& task, const CommandPage& page, ModelCall& call,
                           const std::function<void(Command&)>& own) {
  Command& command = task.command(page.name, page.description);
  if (!page.file.empty() && page.reads_pipes) {
    call.file = "-";
    command.option("file", call.file, page.file + " [standard input, also '-']");
  } else if (!page.file.empty()) {
    command.option("file", call.file, page.file + "; '-' is standard input").required();
  }
  Option& model = command.option("--model", call.model, "Model file");
  if (page.predictions.empty()) {
    model.required();
  } else {
    command.option("--predictions", call.predictions,
                   "Evaluate this file instead of a model: " + page.predictions);
  }
  own(command);
  if (!page.report.empty()) {
    command.option("--report", call.report, "Write an HTML page: " + page.report);
  }
  add_common_options(command, call);
  return command;
}

void require_model_or_predictions(const ModelCall& call) {
  if (call.model.empty() && call.predictions.empty()) {
    throw UsageError("--model is required, or --predictions");
  }
  if (!call.model.empty() && !call.predictions.empty()) {
    throw UsageError("--predictions are scored without a model: leave out --model");
  }
  if (call.predictions == "-" && call.piped()) {
    throw UsageError("the file and --predictions cannot both be standard input");
  }
}

std::string evaluation_title(const ModelCall& call) {
  return "Evaluation of " + (call.predictions.empty() ? call.model : call.predictions);
}

void begin(ModelCall& call, Session& session) {
  if (call.quiet) session.be_quiet();
  call.session = &session;
}

Findings finished(const ModelCall& call, Findings findings) {
  write_page(call.report, findings.page);
  return findings;
}

void write_page(const std::string& path, const std::string& page) {
  if (path.empty()) return;
  AtomicFile file(path);
  file.write(page);
  file.commit();
}

}  // namespace trellis::frame
