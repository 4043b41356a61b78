#include "trellis/tasks/tag/output/predict.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/tasks/tag/metrics/tag_scores.h"
#include "trellis/tasks/tag/model/tagger.h"
#include "trellis/tasks/tag/output/sequence_pipeline.h"

namespace trellis::tag {
namespace {

// What is predicted of one sequence, to be written in order.
struct Prediction {
  std::vector<ScoredOutput<std::vector<Label>>> best;
  double log_sum = 0;  // unless only the best labels were asked for
  std::vector<double> probabilities;
};

class Predictor {
 public:
  Predictor(const TagModel& model, InputFile file, const PredictOptions& options, OutputFile& out)
      : options_(options),
        model_(model),
        tagger_(model),
        pipeline_(model, std::move(file), options.comments, options.threads, false),
        workers_(static_cast<Index>(pipeline_.num_workers())),
        predictions_(pipeline_.batch_size()),
        texts_(model.labels(), model.format().model_scheme, model.format().file_scheme),
        out_(out) {
    if (model.voted() && (options.nbest > 1 || options.scores || options.marginals)) {
      throw UsageError("a voted model has no scores: only its labels can be asked for");
    }
  }

  void run() {
    const SourceLines& rest = pipeline_.run(
        [this](const TagSequence& sequence, Index slot, int worker) {
          predict(sequence, workers_[static_cast<Index>(worker)], predictions_[slot]);
        },
        [this](const TagSequence& sequence, Index slot) {
          write(sequence, predictions_[slot]);
          if (pipeline_.at_once()) out_.flush();
        });
    for (Index i = 0; i < rest.size() && !options_.json; ++i) line(rest[i].text);
  }

 private:
  struct Worker {
    Tagger::Scratch scratch;
    std::vector<std::uint8_t> allowed;
  };

  void predict(const TagSequence& sequence, Worker& worker, Prediction& prediction) const {
    worker.allowed.clear();
    if (options_.constraints) {
      tagger_.read_constraints(sequence, *options_.constraints, pipeline_.file(), worker.allowed);
    }
    if (options_.nbest > 1 || options_.scores) {
      prediction.log_sum =
          tagger_.n_best(sequence, worker.allowed, options_.nbest, worker.scratch, prediction.best);
    } else {
      prediction.best.resize(1);
      prediction.best[0].score =
          tagger_.tag(sequence, worker.allowed, worker.scratch, prediction.best[0].output);
      if (std::isinf(prediction.best[0].score)) prediction.best.clear();
    }
    if (prediction.best.empty()) {
      if (!options_.constraints) throw_no_labels(pipeline_.file(), sequence);
      throw InputError(pipeline_.file(), sequence.line(0),
                       "no legal label sequence satisfies the constraints of the sentence that "
                       "begins here");
    }
    if (options_.marginals) {
      tagger_.marginals(sequence, worker.allowed, worker.scratch, prediction.probabilities);
    }
  }

  bool ranked() const { return options_.scores || options_.nbest > 1; }

  void write(const TagSequence& sequence, const Prediction& prediction) {
    if (options_.json) return write_json(sequence, prediction);
    const Index first = first_token_line(sequence);
    for (Index i = 0; i < first; ++i) line(sequence.lines[i].text);
    for (Index k = 0; k < prediction.best.size(); ++k) {
      if (ranked()) {
        const double score = prediction.best[k].score;
        line(fmt::format("# rank {} score {:.6f} log_probability {:.6f}", k + 1, score,
                         score - prediction.log_sum));
      }
      if (sequence.format == InputFormat::kItems) {
        write_items(prediction, k);
      } else {
        write_lines(sequence, prediction, k, first);
      }
    }
  }

  static Index first_token_line(const TagSequence& sequence) {
    if (sequence.format == InputFormat::kItems) return 0;
    Index i = 0;
    while (sequence.lines[i].token == SourceLines::kNoToken) ++i;
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
  void write_lines(const TagSequence& sequence, const Prediction& prediction, Index k,
                   Index first) {
    const std::vector<Label>& labels = prediction.best[k].output;
    const std::vector<std::string_view>& texts = texts_.write(labels);
    const bool last = k + 1 == prediction.best.size();
    Index written = 0;
    for (Index i = first; i < sequence.lines.size(); ++i) {
      const auto [text, token] = sequence.lines[i];
      if (token != SourceLines::kNoToken) {
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
  void write_json(const TagSequence& sequence, const Prediction& prediction) {
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
    if (options_.marginals) json["marginals"] = marginals_json(prediction);
    line(json.dump());
  }

  nlohmann::json marginals_json(const Prediction& prediction) const {
    nlohmann::json list = nlohmann::json::array();
    const std::vector<Label>& labels = prediction.best.front().output;
    const Index n = model_.labels().size();
    for (Index t = 0; t < labels.size(); ++t) {
      const double* row = prediction.probabilities.data() + t * n;
      if (options_.marginals == Marginals::kLabel) {
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
  void token_line(const TagSequence& sequence, std::string_view text, Index token,
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
    if (!options_.marginals) return {};
    const Index n = model_.labels().size();
    const double* row = prediction.probabilities.data() + t * n;
    if (options_.marginals == Marginals::kLabel)
      return fmt::format("{}{:.6f}", between, row[labels[t]]);
    std::string text;
    for (Index j = 0; j < n; ++j)
      text += fmt::format("{}{}:{:.6f}", between, model_.labels()[j], row[j]);
    return text;
  }

  void line(std::string_view text) {
    out_.write(text);
    out_.write("\n");
  }

  const PredictOptions& options_;
  const TagModel& model_;
  Tagger tagger_;
  SequencePipeline pipeline_;
  std::vector<Worker> workers_;
  std::vector<Prediction> predictions_;
  LabelTexts texts_;
  OutputFile& out_;
};

}  // namespace

void predict(const TagModel& model, InputFile file, const PredictOptions& options,
             OutputFile& out) {
  Predictor(model, std::move(file), options, out).run();
}

}  // namespace trellis::tag
