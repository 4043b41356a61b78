// The commands that use a model, as every task has them: `predict`, which writes while it reads,
// and those that report what they found (evaluate, inspect, explain). A task adds its own part:
// what the command is for, further options, and the function that does the work.
//
//   struct Call : frame::ModelCall { bool per_query = false; };
//   frame::add_command<RankModel, Call>(
//       task, {"evaluate", "Rank a graded file and compare.", "Graded documents", "scores"},
//       [](Command& command, Call& call) { command.flag("--per-query", call.per_query, "…"); },
//       [](const RankModel& model, Call& call) { return frame::Findings{…}; });
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/output_file.h"
#include "trellis/base/types.h"
#include "trellis/frame/command.h"

namespace trellis::frame {

// The options that such a command has in every task.
struct ModelCall : CommonOptions {
  std::string model;
  std::string file;
  std::string output;       // predict
  std::string predictions;  // evaluate: a file of predictions, instead of a model
  std::string report;
  Session* session = nullptr;  // while the command runs

  InputFile input() const { return InputFile(file); }
  bool piped() const { return file == "-"; }
};

struct CommandPage {
  std::string name;
  std::string description;
  std::string file = {};     // what the file is; empty: there is none, or the task adds its own
  std::string report = {};   // what the page of --report shows; empty: there is no such option
  bool reads_pipes = false;  // without a file, standard input
  // evaluate: what a file of predictions contains; empty: there is no evaluation without a model
  std::string predictions = {};
};

// The warnings about labels of a file that the model does not have.
std::vector<std::string> missed_labels(const std::string& file,
                                       const std::vector<std::string>& labels);

// The file, --model, what `own` adds, --report and the common options.
Command& add_model_options(Command& task, const CommandPage& page, ModelCall& call,
                           const std::function<void(Command&)>& own);
// Starts a session of the call: quiet if it says so.
void begin(ModelCall& call, Session& session);
// Writes the page, if the call asks for one.
Findings finished(const ModelCall& call, Findings findings);

template <class Model, class Call, class Find>
void add_model_command(Command& task, const CommandPage& page, const std::shared_ptr<Call>& call,
                       const Find& find, const std::function<void(Command&)>& own) {
  add_model_options(task, page, *call, own).run([call, find](Session& session) {
    begin(*call, session);
    require_writable(call->report);  // better now than after the work
    require_readable(call->file);
    Model model = Model::read(call->model);
    return finished(*call, find(model, *call));
  });
}

// find(model, call) → Findings
template <class Model, class Call, class Find>
void add_command(Command& task, const CommandPage& page, void (*own)(Command&, Call&),
                 const Find& find) {
  const auto call = std::make_shared<Call>();
  add_model_command<Model>(task, page, call, find, [&](Command& command) { own(command, *call); });
}

// Throws UsageError unless there is either a model or a file of predictions, and for two files that
// are both standard input.
void require_model_or_predictions(const ModelCall& call);
// "Evaluation of M", by the name of the model or of the file of predictions.
std::string evaluation_title(const ModelCall& call);

// `evaluate`: compares predictions with the truth: those of a model, or of a file (--predictions).
// find(model, call) → Findings; score(call) → Findings, of call.predictions; first(call) runs
// before anything is read: it throws UsageError, or returns findings that need neither of the two.
template <class Model, class Call, class Find, class Score, class First>
void add_evaluate(Command& task, const CommandPage& page, void (*own)(Command&, Call&),
                  const Find& find, const Score& score, const First& first) {
  const auto call = std::make_shared<Call>();
  add_model_options(task, page, *call, [&](Command& command) {
    own(command, *call);
  }).run([call, find, score, first](Session& session) {
    begin(*call, session);
    if (std::optional<Findings> early = first(*call)) return finished(*call, *std::move(early));
    require_model_or_predictions(*call);
    require_writable(call->report);
    require_readable({call->file, call->predictions});
    if (!call->predictions.empty()) return finished(*call, score(*call));
    Model model = Model::read(call->model);
    return finished(*call, find(model, *call));
  });
}
template <class Model, class Call, class Find, class Score>
void add_evaluate(Command& task, const CommandPage& page, void (*own)(Command&, Call&),
                  const Find& find, const Score& score) {
  add_evaluate<Model, Call>(task, page, own, find, score,
                            [](Call&) { return std::optional<Findings>(); });
}

// The predictions go to --output as they are made, and immediately if the input is a pipe.
// predict(model, call, out) → Findings
template <class Model, class Call, class Predict>
void add_predict(Command& task, CommandPage page, void (*own)(Command&, Call&),
                 const Predict& predict) {
  const auto call = std::make_shared<Call>();
  page.reads_pipes = true;
  Command& command = add_model_options(task, page, *call, [&](Command& adding) {
    adding.option("--output", call->output, "Output file; '-': standard output [standard output]");
    own(adding, *call);
  });
  command.run([call, predict](Session& session) {
    begin(*call, session);
    require_writable(call->report);
    require_readable(call->file);
    const Model model = Model::read(call->model);
    OutputFile out(call->output, call->piped());
    Findings findings = predict(model, *call, out);
    out.commit();
    return finished(*call, std::move(findings));
  });
}

// `inspect`: what a model has learned, with its strongest weights.
struct InspectCall : ModelCall {
  Index top = 0;  // number of weights
};
struct InspectPage {
  std::string description;
  Index top = 20;           // the default
  std::string what_is_top;  // in the help
  std::string report = {};  // as in CommandPage
};
template <class Model, class Call = InspectCall, class Find>
void add_inspect(
    Command& task, const InspectPage& page, const Find& find,
    void (*own)(Command&, Call&) = [](Command&, Call&) {}) {
  const auto call = std::make_shared<Call>();
  call->top = page.top;
  add_model_command<Model>(task, {"inspect", page.description, {}, page.report}, call, find,
                           [&](Command& command) {
                             command.option("--top", call->top, page.what_is_top);
                             own(command, *call);
                           });
}

// Writes a page, if there is a path.
void write_page(const std::string& path, const std::string& page);

}  // namespace trellis::frame
