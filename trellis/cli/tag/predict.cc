// `trellis tag predict`
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/output_file.h"
#include "trellis/cli/console.h"
#include "trellis/cli/tag/commands.h"
#include "trellis/cli/tag/run.h"

namespace trellis::cli {
namespace {

struct PredictCall {
  CommonOptions common;
  InputChoice input;
  std::string model;
  std::string output;
  std::string marginals;  // "", "label" or "all"
  Index nbest = 1;
  std::optional<Index> constraints;
  bool scores = false;
};

// What is predicted of one sequence, to be written in order.
struct Prediction {
  std::vector<ScoredOutput<std::vector<Label>>> best;
  double log_sum = 0;  // unless only the best labels were asked for
  std::vector<double> probabilities;
};

class Predictor {
 public:
  Predictor(const PredictCall& call, const tag::TagModel& model)
      : call_(call),
        model_(model),
        tagger_(model),
        pipeline_(model, call.input, call.common.threads, false),
        workers_(static_cast<Index>(pipeline_.num_workers())),
        predictions_(pipeline_.batch_size()),
        texts_(model.labels(), model.format().model_scheme, model.format().file_scheme),
        out_(call.output),
        interactive_(pipeline_.batch_size() == 1) {
    if (model.voted() && (call.nbest > 1 || call.scores || !call.marginals.empty())) {
      throw UsageError("a voted model has no scores: only its labels can be asked for");
    }
  }

  void run() {
    pipeline_.run(
        [this](const tag::TagSequence& sequence, Index slot, int worker) {
          predict(sequence, workers_[static_cast<Index>(worker)], predictions_[slot]);
        },
        [this](const tag::TagSequence& sequence, Index slot) {
          write(sequence, predictions_[slot]);
          if (interactive_) out_.flush();
        });
    const tag::SourceLines& rest = pipeline_.last_lines();
    for (Index i = 0; i < rest.size() && !call_.common.json; ++i) line(rest[i].text);
    out_.commit();
  }

 private:
  struct Worker {
    tag::Tagger::Scratch scratch;
    std::vector<std::uint8_t> allowed;
  };

  void predict(const tag::TagSequence& sequence, Worker& worker, Prediction& prediction) const {
    worker.allowed.clear();
    if (call_.constraints) read_constraints(sequence, worker.allowed);
    if (call_.nbest > 1 || call_.scores) {
      prediction.log_sum =
          tagger_.n_best(sequence, worker.allowed, call_.nbest, worker.scratch, prediction.best);
    } else {
      prediction.best.resize(1);
      prediction.best[0].score =
          tagger_.tag(sequence, worker.allowed, worker.scratch, prediction.best[0].output);
      if (std::isinf(prediction.best[0].score)) prediction.best.clear();
    }
    if (prediction.best.empty()) {
      if (!call_.constraints) throw_no_labels(pipeline_.file(), sequence);
      throw InputError(pipeline_.file(), sequence.line(0),
                       "no legal label sequence satisfies the constraints of the sentence that "
                       "begins here");
    }
    if (!call_.marginals.empty()) {
      tagger_.marginals(sequence, worker.allowed, worker.scratch, prediction.probabilities);
    }
  }

  void read_constraints(const tag::TagSequence& sequence,
                        std::vector<std::uint8_t>& allowed) const {
    const Index column = *call_.constraints;
    if (sequence.format != tag::InputFormat::kColumns)
      throw UsageError("item files have no column of constraints");
    if (column >= sequence.columns.num_columns()) {
      throw InputError(pipeline_.file(), sequence.line(0),
                       fmt::format("expected constraints in column {}, found {} columns", column,
                                   sequence.columns.num_columns()));
    }
    tagger_.read_constraints(sequence, column, pipeline_.file(), allowed);
  }

  bool ranked() const { return call_.scores || call_.nbest > 1; }

  void write(const tag::TagSequence& sequence, const Prediction& prediction) {
    if (call_.common.json) return write_json(sequence, prediction);
    const Index first = first_token_line(sequence);
    for (Index i = 0; i < first; ++i) line(sequence.lines[i].text);
    for (Index k = 0; k < prediction.best.size(); ++k) {
      if (ranked()) {
        const double score = prediction.best[k].score;
        line(fmt::format("# rank {} score {:.6f} log_probability {:.6f}", k + 1, score,
                         score - prediction.log_sum));
      }
      if (sequence.format == tag::InputFormat::kItems) {
        write_items(prediction, k);
      } else {
        write_lines(sequence, prediction, k, first);
      }
    }
  }

  static Index first_token_line(const tag::TagSequence& sequence) {
    if (sequence.format == tag::InputFormat::kItems) return 0;
    Index i = 0;
    while (sequence.lines[i].token == tag::SourceLines::kNoToken) ++i;
    return i;
  }

  void write_items(const Prediction& prediction, Index k) {
    const std::vector<Label>& labels = prediction.best[k].output;
    const std::vector<std::string_view>& texts = texts_.write(labels);
    for (Index t = 0; t < texts.size(); ++t) {
      line(std::string(texts[t]) + extra(prediction, labels, t, '\t'));
    }
    line("");
  }

  // From the first token on. The line that ended the sentence stands behind the last output; the
  // others are ended by an empty one.
  void write_lines(const tag::TagSequence& sequence, const Prediction& prediction, Index k,
                   Index first) {
    const std::vector<Label>& labels = prediction.best[k].output;
    const std::vector<std::string_view>& texts = texts_.write(labels);
    const bool last = k + 1 == prediction.best.size();
    Index written = 0;
    for (Index i = first; i < sequence.lines.size(); ++i) {
      const auto [text, token] = sequence.lines[i];
      if (token != tag::SourceLines::kNoToken) {
        token_line(sequence, text, token, texts[token],
                   extra(prediction, labels, token, separator(text)));
        ++written;
      } else if (last || written < texts.size()) {
        line(text);
      }
    }
    if (!last) line("");
  }

  // One object for each sequence, on a line of its own.
  void write_json(const tag::TagSequence& sequence, const Prediction& prediction) {
    nlohmann::json json;
    json["line"] = sequence.line(0);
    json["labels"] = texts_.write(prediction.best.front().output);
    if (ranked()) {
      json["nbest"] = nlohmann::json::array();
      for (const auto& candidate : prediction.best) {
        json["nbest"].push_back({{"labels", texts_.write(candidate.output)},
                                 {"score", candidate.score},
                                 {"log_probability", candidate.score - prediction.log_sum}});
      }
    }
    if (!call_.marginals.empty()) json["marginals"] = marginals_json(prediction);
    line(json.dump());
  }

  nlohmann::json marginals_json(const Prediction& prediction) const {
    nlohmann::json list = nlohmann::json::array();
    const std::vector<Label>& labels = prediction.best.front().output;
    const Index n = model_.labels().size();
    for (Index t = 0; t < labels.size(); ++t) {
      const double* row = prediction.probabilities.data() + t * n;
      if (call_.marginals == "label") {
        list.push_back(row[labels[t]]);
        continue;
      }
      nlohmann::json of_token = nlohmann::json::object();
      for (Index j = 0; j < n; ++j) of_token[model_.labels()[j]] = row[j];
      list.push_back(of_token);
    }
    return list;
  }

  static char separator(std::string_view line) {
    return line.find('\t') != std::string_view::npos ? '\t' : ' ';
  }

  // The label goes into its column where that is not the last one (CoNLL-U), else behind the line.
  void token_line(const tag::TagSequence& sequence, std::string_view text, Index token,
                  std::string_view label, const std::string& extra) {
    const Index column = model_.format().label_column;
    const char between = separator(text);
    if (column + 1 >= model_.format().num_columns) {
      out_.write(text);
      out_.write(std::string_view(&between, 1));
      out_.write(label);
    } else {
      for (Index c = 0; c < sequence.columns.num_columns(); ++c) {
        if (c > 0) out_.write(std::string_view(&between, 1));
        out_.write(c == column ? label : sequence.columns.field(token, c));
      }
    }
    line(extra);
  }

  // The probability of the label, or of every label, as further columns.
  std::string extra(const Prediction& prediction, const std::vector<Label>& labels, Index t,
                    char between) const {
    if (call_.marginals.empty()) return {};
    const Index n = model_.labels().size();
    const double* row = prediction.probabilities.data() + t * n;
    if (call_.marginals == "label") return fmt::format("{}{:.6f}", between, row[labels[t]]);
    std::string text;
    for (Index j = 0; j < n; ++j)
      text += fmt::format("{}{}:{:.6f}", between, model_.labels()[j], row[j]);
    return text;
  }

  void line(std::string_view text) {
    out_.write(text);
    out_.write("\n");
  }

  const PredictCall& call_;
  const tag::TagModel& model_;
  tag::Tagger tagger_;
  SequencePipeline pipeline_;
  std::vector<Worker> workers_;
  std::vector<Prediction> predictions_;
  tag::LabelTexts texts_;
  OutputFile out_;
  bool interactive_;
};

int run(const PredictCall& call) {
  const tag::TagModel model = tag::TagModel::load(call.model);
  Predictor(call, model).run();
  return 0;
}

}  // namespace

void add_tag_predict(CLI::App& tag, int& status) {
  auto call = std::make_shared<PredictCall>();
  CLI::App* app = tag.add_subcommand(
      "predict",
      "Tag a file: each line comes back with its label as a further column (in CoNLL-U, in its own "
      "column). Lines that are no tokens pass through.\n"
      "Memory does not grow with the input; what is piped in comes out as sentences complete.");
  app->add_option("file", call->input.file,
                  "File to tag, with or without its label column; '-' or nothing: standard input");
  app->add_option("--model", call->model, "The model")->required();
  add_comments_option(*app, call->input.comments);
  app->add_option("--output", call->output, "Where to write; '-' or nothing: standard output");
  app->add_option("--marginals", call->marginals,
                  "Add probabilities: of the label (the same as no word), or of all labels")
      ->check(CLI::IsMember({"label", "all"}))
      ->expected(0, 1)
      ->default_str("label");
  app->add_option("--nbest", call->nbest, "The K best label sequences, each with its score")
      ->check(CLI::Range(Index{1}, Index{1000}))
      ->capture_default_str();
  app->add_option("--constraints", call->constraints,
                  "Column with what is known: a label, several as A|B, or _ for any");
  app->add_flag("--scores", call->scores, "Write score and log probability before each sequence");
  add_common_options(*app, call->common);
  refuse_negative_counts(*app);
  app->callback([call, app, &status] {
    if (app->count("--marginals") > 0 && call->marginals.empty()) call->marginals = "label";
    status = run(*call);
  });
}

}  // namespace trellis::cli
