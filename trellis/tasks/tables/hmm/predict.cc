#include "trellis/tasks/tables/hmm/predict.h"

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/data/json.h"
#include "trellis/formats/tables/csv_line.h"
#include "trellis/tasks/tables/hmm/sequence_data.h"

namespace trellis::hmm {
namespace {

// One sequence with its prediction.
struct Predicted {
  const FileSequence& file;
  const std::vector<Label>& states;
  std::span<const double> marginals;  // by position and state; may be empty
  double score;
};

class PredictionWriter {
 public:
  PredictionWriter(const SequenceModel& model, const SequenceReader& reader,
                   const PredictOptions& options, OutputFile& out)
      : states_(model.hmm().alphabet().states), reader_(reader), options_(options), out_(out) {}

  void write(const Predicted& one) {
    if (options_.json) {
      write_json(one);
    } else {
      if (reader_.csv() && first_) write_header();
      // An empty line separates sequences, except in CSV with a column of sequence names.
      if (!first_ && (!reader_.csv() || options_.columns.sequence.empty())) out_.write("\n");
      for (Index t = 0; t < one.file.length(); ++t) write_line(one, t);
    }
    first_ = false;
    out_.flush();
  }

 private:
  const std::string& state(const Predicted& one, Index t) const {
    return states_[static_cast<Index>(one.states[t])];
  }

  void write_header() {
    std::string line;
    for (const std::string& name : reader_.header()) {
      line += generative::csv_field(name) + ",";
    }
    if (!reader_.state()) line += "state,";
    if (options_.marginals) {
      for (const std::string& name : states_) {
        line += generative::csv_field(fmt::format("P({})", name)) + ",";
      }
    }
    line.back() = '\n';
    out_.write(line);
  }

  void write_line(const Predicted& one, Index t) {
    std::string line;
    const auto put = [&](std::string_view field) {
      line += reader_.csv() ? generative::csv_field(field) : std::string(field);
      line += reader_.csv() ? ',' : '\t';
    };
    for (Index c = 0; c < one.file.width; ++c) {
      put(reader_.state() == c ? state(one, t) : one.file.field(t, c));
    }
    if (!reader_.state()) put(state(one, t));
    for (Index i = 0; i < (one.marginals.empty() ? 0 : states_.size()); ++i) {
      const double p = one.marginals[t * states_.size() + i];
      put(reader_.csv() ? fmt::format("{:.6g}", p) : fmt::format("{}={:.6g}", states_[i], p));
    }
    line.back() = '\n';
    out_.write(line);
  }

  void write_json(const Predicted& one) {
    Value record;
    if (!one.file.id.empty()) record["id"] = one.file.id;
    record["line"] = one.file.lines.front();
    record[options_.decode == Decode::kMap ? "log_probability" : "log_likelihood"] = one.score;
    record["states"] = Value::list();
    for (Index t = 0; t < one.file.length(); ++t) record["states"].push_back(state(one, t));
    if (!one.marginals.empty()) {
      for (Index t = 0; t < one.file.length(); ++t) {
        Value probabilities;
        for (Index i = 0; i < states_.size(); ++i) {
          probabilities[states_[i]] = one.marginals[t * states_.size() + i];
        }
        record["marginals"].push_back(std::move(probabilities));
      }
    }
    out_.write(to_json(record) + "\n");
  }

  const std::vector<std::string>& states_;
  const SequenceReader& reader_;
  const PredictOptions& options_;
  OutputFile& out_;
  bool first_ = true;
};

}  // namespace

void refuse_impossible(const std::string& file, const FileSequence& sequence) {
  throw InputError(file, sequence.lines.front(),
                   "the observations of this sequence have probability 0 under the model (train "
                   "with --smoothing above 0)");
}

PredictResult predict(const SequenceModel& model, InputFile file, const PredictOptions& options,
                      OutputFile& out) {
  SequenceReader reader(std::move(file), options.columns, model.columns());
  const SequenceNumbers numbers(model.hmm().alphabet());
  const HmmInference inference(model.hmm());
  PredictionWriter writer(model, reader, options, out);
  HmmScratch scratch;
  FileSequence sequence;
  std::vector<Label> states;
  std::vector<double> marginals;
  PredictResult result;
  while (reader.read(sequence)) {
    SequenceNumbers::Numbered numbered = numbers.number(sequence, reader);
    numbered.sequence.states.clear();
    const double score = decode(inference, numbered.sequence, options.decode, scratch, states);
    if (score == -kInfinity) refuse_impossible(reader.name(), sequence);
    if (options.marginals) {
      marginals.resize(sequence.length() * inference.num_states());
      inference.posteriors(numbered.sequence, scratch, marginals);
    }
    writer.write({sequence, states, marginals, score});
    ++result.sequences;
    result.positions += sequence.length();
    result.unseen_values += numbered.unseen_values;
  }
  return result;
}

std::vector<std::string> PredictResult::warnings() const {
  if (unseen_values == 0) return {};
  return {fmt::format("{} observations have a value not seen in training", unseen_values)};
}

}  // namespace trellis::hmm
