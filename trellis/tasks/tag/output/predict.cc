#include "trellis/tasks/tag/output/predict.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/pipeline.h"
#include "trellis/data/json.h"
#include "trellis/tasks/tag/model/tagger.h"
#include "trellis/tasks/tag/output/model_sequences.h"

namespace trellis::tag {
namespace {

constexpr Index kBatch = 256;
constexpr std::string_view kStandardInput = "<stdin>";

LabelTexts texts_of(const TagModel& model) {
  return {model.labels(), model.format().model_scheme, model.format().file_scheme};
}

// The prediction for one sequence.
struct Prediction {
  std::vector<ScoredOutput<std::vector<Label>>> best;
  double log_sum = 0;  // not computed if only the best labels are needed
  std::vector<double> probabilities;
};

// Tags the sequences of a file in parallel.
class TagStream {
 public:
  // Standard input is read one sequence at a time, so that each result is written at once.
  TagStream(const TagModel& model, InputFile file, const PredictOptions& options, bool labelled)
      : model_(model),
        options_(options),
        labelled_(labelled),
        tagger_(model),
        pipeline_(file.name() == kStandardInput ? Pipeline<TagSequence>::kAtOnce : kBatch,
                  options.threads),
        reader_(open_sequences(model, std::move(file), options.comments)),
        workers_(static_cast<Index>(pipeline_.num_workers())),
        predictions_(pipeline_.batch_size()) {}

  const std::string& file() const { return reader_.name(); }
  bool at_once() const { return pipeline_.batch_size() == Pipeline<TagSequence>::kAtOnce; }

  // Calls finish(sequence, prediction) in the order of the file. Returns the lines after the last
  // sequence.
  template <class Finish>
  const SourceLines& run(const Finish& finish) {
    const Index end = pipeline_.run(
        [this](TagSequence& sequence) {
          if (!reader_.read(sequence)) return false;
          check_columns(model_, sequence, file(), labelled_);
          return true;
        },
        [this](const TagSequence& sequence, Index slot, int worker) {
          predict(sequence, workers_[static_cast<Index>(worker)], predictions_[slot]);
        },
        [&](const TagSequence& sequence, Index slot) { finish(sequence, predictions_[slot]); });
    return pipeline_.item(end).lines;
  }

  // The coverage of the sequences so far.
  Coverage coverage() const {
    Coverage all;
    for (const Worker& worker : workers_) {
      all.features += worker.coverage.features;
      all.unknown += worker.coverage.unknown;
    }
    return all;
  }

 private:
  struct Worker {
    Tagger::Scratch scratch;
    std::vector<std::uint8_t> allowed;
    Coverage coverage;
  };

  void predict(const TagSequence& sequence, Worker& worker, Prediction& prediction) const {
    worker.allowed.clear();
    if (options_.constraints) {
      tagger_.read_constraints(sequence, *options_.constraints, file(), worker.allowed);
    }
    if (options_.ranked()) {
      prediction.log_sum =
          tagger_.n_best(sequence, worker.allowed, options_.nbest, worker.scratch, prediction.best);
    } else {
      prediction.best.resize(1);
      prediction.best[0].score =
          tagger_.tag(sequence, worker.allowed, worker.scratch, prediction.best[0].output);
      if (std::isinf(prediction.best[0].score)) prediction.best.clear();
    }
    if (model_.kernel() == nullptr) {  // otherwise attributes are pivots, and all are known
      const Index features = worker.scratch.attributes.node.fingerprints.size();
      worker.coverage.features += features;
      worker.coverage.unknown += features - worker.scratch.node.ids.size();
    }
    if (prediction.best.empty()) {
      if (!options_.constraints) throw_no_labels(file(), sequence);
      throw InputError(file(), sequence.line(0),
                       "no legal label sequence satisfies the constraints of this sentence");
    }
    if (options_.marginals) {
      tagger_.marginals(sequence, worker.allowed, worker.scratch, prediction.probabilities);
    }
  }

  const TagModel& model_;
  const PredictOptions& options_;
  bool labelled_;
  Tagger tagger_;
  Pipeline<TagSequence> pipeline_;
  SequenceReader reader_;
  std::vector<Worker> workers_;
  std::vector<Prediction> predictions_;
};

// Writes predictions.
class Renderer {
 public:
  Renderer(const TagModel& model, const PredictOptions& options, OutputFile& out)
      : options_(options), model_(model), texts_(texts_of(model)), out_(out) {}

  void write(const TagSequence& sequence, const Prediction& prediction) {
    if (options_.json) return write_json(sequence, prediction);
    const Index first = first_token_line(sequence);
    for (Index i = 0; i < first; ++i) line(sequence.lines[i].text);
    for (Index k = 0; k < prediction.best.size(); ++k) {
      if (options_.ranked()) {
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

  void line(std::string_view text) {
    out_.write(text);
    out_.write("\n");
  }

 private:
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

  // Writes the lines from the first token on. The last output is followed by the line that ended
  // the sentence, the others by an empty line.
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

  // One object per sequence, on its own line.
  void write_json(const TagSequence& sequence, const Prediction& prediction) {
    Value record;
    record["line"] = sequence.line(0);
    record["labels"] = texts_.write(prediction.best.front().output);
    if (options_.ranked()) {
      record["nbest"] = Value::list();
      for (const auto& candidate : prediction.best) {
        record["nbest"].push_back(
            Value::record({{"labels", texts_.write(candidate.output)},
                           {"score", candidate.score},
                           {"log_probability", candidate.score - prediction.log_sum}}));
      }
    }
    if (options_.marginals) record["marginals"] = marginal_list(prediction);
    line(to_json(record));
  }

  Value marginal_list(const Prediction& prediction) const {
    Value list = Value::list();
    const std::vector<Label>& labels = prediction.best.front().output;
    const Index n = model_.labels().size();
    for (Index t = 0; t < labels.size(); ++t) {
      const double* row = prediction.probabilities.data() + t * n;
      if (options_.marginals == Marginals::kLabel) {
        list.push_back(row[labels[t]]);
        continue;
      }
      Value of_token = Value::record();
      for (Index j = 0; j < n; ++j) of_token[model_.labels()[j]] = row[j];
      list.push_back(std::move(of_token));
    }
    return list;
  }

  static char separator(std::string_view line) {
    return line.find('\t') != std::string_view::npos ? '\t' : ' ';
  }

  // If the label's column is not the last one (CoNLL-U), replaces it; otherwise appends the label.
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

  // The probability of the label, or of every label, as additional columns.
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

  const PredictOptions& options_;
  const TagModel& model_;
  LabelTexts texts_;
  OutputFile& out_;
};

JudgedSentence judge(const TagModel& model, const TagSequence& sequence,
                     const std::vector<std::string_view>& gold,
                     const std::vector<std::string_view>& found) {
  JudgedSentence judged{
      sequence.line(0), {}, {gold.begin(), gold.end()}, {found.begin(), found.end()}};
  for (Index t = 0; t < gold.size(); ++t) {
    judged.tokens.emplace_back(sequence.format == InputFormat::kColumns
                                   ? std::string(sequence.columns.field(t, model.word_column()))
                                   : fmt::format("#{}", t + 1));
  }
  return judged;
}

}  // namespace

Coverage predict(const TagModel& model, InputFile file, const PredictOptions& options,
                 OutputFile& out) {
  if (model.voted() && (options.ranked() || options.marginals)) {
    throw UsageError("a voted model has no scores: it can only write labels");
  }
  TagStream stream(model, std::move(file), options, false);
  Renderer renderer(model, options, out);
  const SourceLines& rest =
      stream.run([&](const TagSequence& sequence, const Prediction& prediction) {
        renderer.write(sequence, prediction);
        if (stream.at_once()) out.flush();
      });
  for (Index i = 0; i < rest.size() && !options.json; ++i) renderer.line(rest[i].text);
  return stream.coverage();
}

Evaluation evaluate(const TagModel& model, InputFile file, const EvaluateOptions& options) {
  PredictOptions tagging;
  tagging.comments = options.comments;
  tagging.threads = options.threads;
  TagStream stream(model, std::move(file), tagging, true);
  Evaluation evaluation{TagScores(model.format().file_scheme), {}, {}, {}};
  UnseenLabels unseen(model.labels(), model.format().file_scheme);
  LabelTexts texts = texts_of(model);
  std::vector<std::string_view> gold;
  Index kept_correct = 0;
  stream.run([&](const TagSequence& sequence, const Prediction& prediction) {
    sequence.labels(model.format().label_column, gold);
    unseen.add(gold);
    const std::vector<std::string_view>& found = texts.write(prediction.best.front().output);
    evaluation.scores.add(gold, found);
    if (options.on_sentence) options.on_sentence(gold, found);
    if (evaluation.sentences.size() >= options.max_sentences) return;
    if (gold == found && ++kept_correct > options.max_sentences / 5) return;
    evaluation.sentences.push_back(judge(model, sequence, gold, found));
  });
  if (evaluation.scores.num_sequences() == 0)
    throw InputError(stream.file(), 0, "expected sequences, found none");
  evaluation.unseen_labels = unseen.list();
  evaluation.coverage = stream.coverage();
  return evaluation;
}

Value Evaluation::record() const {
  Value record = scores.record();
  record["unseen_labels"] = unseen_labels;
  return record;
}

}  // namespace trellis::tag
