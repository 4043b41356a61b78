#include "trellis/tasks/tables/hmm/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/formats/tables/csv_line.h"
#include "trellis/tasks/tables/hmm/predict.h"
#include "trellis/tasks/tables/hmm/sequence_data.h"
#include "trellis/tasks/tables/value_confusion.h"
#include "trellis/tasks/tables/value_costs.h"

namespace trellis::hmm {
namespace {

// The evaluation of one sequence.
struct Judged {
  std::vector<Label> found;
  double loss = 0;
  double log_likelihood = 0;
  double joint = 0;
};

struct GoldSequences {
  std::vector<FileSequence> files;
  std::vector<HmmSequence> sequences;
};

GoldSequences read_gold(const SequenceModel& model, InputFile file, const ColumnOptions& columns,
                        Evaluation& evaluation) {
  SequenceReader reader(std::move(file), columns, model.columns());
  const SequenceNumbers numbers(model.hmm().alphabet());
  std::set<std::string> unseen;
  GoldSequences gold;
  FileSequence sequence;
  while (reader.read(sequence)) {
    if (!reader.state()) {
      throw InputError(
          reader.name(), sequence.lines.front(),
          model.columns().state.empty()
              ? "the model was trained without states: there is nothing to compare"
              : fmt::format("expected a column {} with the state", model.columns().state));
    }
    SequenceNumbers::Numbered one = numbers.number(sequence, reader);
    for (Index t = 0; t < sequence.length(); ++t) {
      if (one.sequence.states[t] == SequenceNumbers::kUnseenState) {
        unseen.insert(sequence.field(t, *reader.state()));
      }
    }
    evaluation.unseen_values += one.unseen_values;
    gold.sequences.push_back(std::move(one.sequence));
    gold.files.push_back(std::move(sequence));
  }
  if (gold.files.empty()) throw InputError(reader.name(), 0, "expected sequences, found none");
  evaluation.unseen_states.assign(unseen.begin(), unseen.end());
  return gold;
}

double joint_probability(const Hmm& hmm, const HmmInference& inference, const HmmSequence& gold,
                         HmmScratch& scratch) {
  const bool unseen = std::any_of(gold.states.begin(), gold.states.end(), [](Label state) {
    return state == SequenceNumbers::kUnseenState;
  });
  if (unseen) return -kInfinity;
  const bool all = std::none_of(gold.states.begin(), gold.states.end(),
                                [](Label state) { return state == kNoLabel; });
  return all ? hmm.log_probability(gold) : inference.log_likelihood(gold, scratch);
}

void add_judged(const HmmSequence& gold, const Judged& judged, Evaluation& evaluation) {
  const Index states = evaluation.states.size();
  for (Index t = 0; t < gold.states.size(); ++t) {
    if (gold.states[t] == kNoLabel) continue;
    const Index row = gold.states[t] < 0 ? states : static_cast<Index>(gold.states[t]);
    ++evaluation.confusion[row * states + static_cast<Index>(judged.found[t])];
    ++evaluation.positions;
    evaluation.wrong += gold.states[t] != judged.found[t] ? 1 : 0;
  }
  evaluation.log_likelihood += judged.log_likelihood;
  evaluation.joint_log_likelihood += judged.joint;
}

void summarise_losses(const std::vector<Judged>& judged, Evaluation& evaluation) {
  const auto n = static_cast<double>(judged.size());
  double sum = 0, squares = 0;
  for (const Judged& one : judged) sum += one.loss;
  evaluation.loss = sum / n;
  for (const Judged& one : judged) {
    squares += (one.loss - evaluation.loss) * (one.loss - evaluation.loss);
  }
  evaluation.loss_deviation = judged.size() > 1 ? std::sqrt(squares / (n - 1)) : 0;
  evaluation.hamming = static_cast<double>(evaluation.wrong) / n;
  evaluation.error = evaluation.positions == 0 ? 0
                                               : 100 * static_cast<double>(evaluation.wrong) /
                                                     static_cast<double>(evaluation.positions);
}

// Reads a file and its predictions, sequence by sequence.
class PredictedStates {
 public:
  PredictedStates(InputFile file, InputFile predictions, const ColumnOptions& columns)
      : truth_(std::move(file), columns), options_(columns), waiting_(std::move(predictions)) {}

  bool read() {
    const bool more = truth_.read(gold_);
    if (more && !found_) open();
    const bool found = found_ && found_->read(predicted_);
    if (more != found) refuse_number(more);
    if (more) compare();
    return more;
  }

  const std::string& file() const { return truth_.name(); }
  const FileSequence& gold() const { return gold_; }
  const std::string& truth(Index t) const { return gold_.field(t, *truth_.state()); }
  const std::string& found(Index t) const { return predicted_.field(t, *found_->state()); }

 private:
  // Its columns have the names of those of the file.
  void open() {
    if (!truth_.state()) {
      throw InputError(file(), gold_.lines.front(), "expected a column with the state");
    }
    options_.format = truth_.csv() ? SequenceFormat::kCsv : SequenceFormat::kColumns;
    options_.state = truth_.names().state;
    found_.emplace(std::move(waiting_), options_);
  }

  void compare() const {
    if (predicted_.length() != gold_.length()) {
      refuse(0, fmt::format("expected a sequence of {} positions, as at {}:{}, found {}",
                            gold_.length(), file(), gold_.lines.front(), predicted_.length()));
    }
    if (predicted_.width < gold_.width) {
      refuse(0, fmt::format("expected the {} columns of {}, found {}", gold_.width, file(),
                            predicted_.width));
    }
    for (Index t = 0; t < gold_.length(); ++t) {
      for (Index c = 0; c < gold_.width; ++c) {
        if (c == *truth_.state() || gold_.field(t, c) == predicted_.field(t, c)) continue;
        refuse(t,
               fmt::format("expected '{}' in column {}, as in {}:{}, found", gold_.field(t, c),
                           c + 1, file(), gold_.lines[t]),
               predicted_.field(t, c));
      }
      if (generative::is_missing(found(t))) refuse(t, "expected a state, found none");
    }
  }

  [[noreturn]] void refuse(Index t, const std::string& message, std::string_view token = {}) const {
    throw InputError(found_->name(), predicted_.lines[t], message, token);
  }
  [[noreturn]] void refuse_number(bool more) const {
    if (!more) {
      refuse(0,
             fmt::format("expected the end of the file, since {} has no more sequences", file()));
    }
    throw InputError(found_->name(), 0,
                     fmt::format("expected the states of the sequence at {}:{}, found the end of "
                                 "the file",
                                 file(), gold_.lines.front()));
  }

  SequenceReader truth_;
  ColumnOptions options_;
  InputFile waiting_;  // until its columns are known
  std::optional<SequenceReader> found_;
  FileSequence gold_, predicted_;
};

struct NamedStates {
  std::vector<std::string> truth, found;  // of the current sequence
};

Label number_of(const std::vector<std::string>& states, const std::string& name) {
  if (generative::is_missing(name)) return kNoLabel;
  const auto at = std::lower_bound(states.begin(), states.end(), name, generative::natural_less);
  return static_cast<Label>(at - states.begin());
}

std::vector<Label> numbers_of(const std::vector<std::string>& states,
                              const std::vector<std::string>& names) {
  std::vector<Label> numbers;
  for (const std::string& name : names) numbers.push_back(number_of(states, name));
  return numbers;
}

std::vector<std::string> states_in(const std::vector<NamedStates>& sequences) {
  std::vector<std::string> states;
  for (const NamedStates& one : sequences) {
    for (const auto* names : {&one.truth, &one.found}) {
      for (const std::string& name : *names) {
        if (!generative::is_missing(name)) states.push_back(name);
      }
    }
  }
  std::sort(states.begin(), states.end(), generative::natural_less);
  states.erase(std::unique(states.begin(), states.end()), states.end());
  return states;
}

}  // namespace

Evaluation judge_file(InputFile file, InputFile predictions, const EvaluateOptions& options) {
  PredictedStates files(std::move(file), std::move(predictions), options.columns);
  std::vector<NamedStates> named;
  while (files.read()) {
    NamedStates& one = named.emplace_back();
    for (Index t = 0; t < files.gold().length(); ++t) {
      one.truth.push_back(files.truth(t));
      one.found.push_back(files.found(t));
    }
  }
  if (named.empty()) throw InputError(files.file(), 0, "expected sequences, found none");
  Evaluation evaluation;
  evaluation.probable = false;
  evaluation.states = states_in(named);
  evaluation.loss_name = options.loss.value_or("hamming");
  const CostTable costs = generative::value_costs(evaluation.loss_name, evaluation.states);
  evaluation.sequences = named.size();
  evaluation.confusion.assign((evaluation.states.size() + 1) * evaluation.states.size(), 0);
  std::vector<Judged> judged;
  for (const NamedStates& one : named) {
    const HmmSequence truth{{}, numbers_of(evaluation.states, one.truth)};
    Judged& found = judged.emplace_back();
    found.found = numbers_of(evaluation.states, one.found);
    found.loss = loss_of(costs, truth.states, found.found);
    add_judged(truth, found, evaluation);
  }
  summarise_losses(judged, evaluation);
  return evaluation;
}

Evaluation evaluate(const SequenceModel& model, InputFile file, const EvaluateOptions& options) {
  Evaluation evaluation;
  evaluation.states = model.hmm().alphabet().states;
  evaluation.loss_name = options.loss.value_or(model.loss());
  const CostTable costs =
      options.loss ? generative::value_costs(*options.loss, evaluation.states) : model.costs();
  const std::string name = file.name();
  const GoldSequences gold = read_gold(model, std::move(file), options.columns, evaluation);
  const HmmInference inference(model.hmm());
  const int threads = resolve_threads(options.threads);
  std::vector<HmmScratch> scratch(static_cast<Index>(threads));
  std::vector<Judged> judged(gold.sequences.size());
  parallel_for(judged.size(), threads, [&](Index n, int worker) {
    HmmScratch& memory = scratch[static_cast<Index>(worker)];
    const HmmSequence& truth = gold.sequences[n];
    const HmmSequence hidden{truth.observations, {}};
    Judged& one = judged[n];
    if (decode(inference, hidden, options.decode, memory, one.found) == -kInfinity) return;
    one.log_likelihood = inference.log_likelihood(hidden, memory);
    one.joint = joint_probability(model.hmm(), inference, truth, memory);
    one.loss = loss_of(costs, truth.states, one.found);
  });
  evaluation.sequences = judged.size();
  evaluation.confusion.assign((evaluation.states.size() + 1) * evaluation.states.size(), 0);
  for (Index n = 0; n < judged.size(); ++n) {
    if (judged[n].found.empty()) refuse_impossible(name, gold.files[n]);
    add_judged(gold.sequences[n], judged[n], evaluation);
    if (options.keep_sequences) {
      evaluation.judged.push_back({gold.files[n].id, gold.files[n].lines.front(),
                                   gold.sequences[n].states, judged[n].found, judged[n].loss});
    }
  }
  summarise_losses(judged, evaluation);
  return evaluation;
}

Value Evaluation::record() const {
  Value record = Value::record({{"loss", loss},
                                {"loss_name", loss_name},
                                {"loss_deviation", loss_deviation},
                                {"error", error},
                                {"hamming", hamming},
                                {"sequences", sequences},
                                {"positions", positions},
                                {"wrong", wrong},
                                {"unseen_values", unseen_values},
                                {"unseen_states", unseen_states},
                                {"states", states}});
  if (probable) {
    record["log_likelihood"] = log_likelihood;
    record["joint_log_likelihood"] = joint_log_likelihood;
  }
  record["confusion"] =
      generative::confusion_record(confusion, states.size(), !unseen_states.empty());
  return record;
}

std::string Evaluation::to_text() const {
  std::string text = fmt::format(
      "{} sequences, {} positions\n"
      "loss ({})     {:.4f} a sequence, deviation {:.4f}\n"
      "error         {:.2f} % of the positions, {:.2f} a sequence\n",
      sequences, positions, loss_name, loss, loss_deviation, error, hamming);
  if (probable) {
    text += fmt::format("log P(x)      {:.6g}\nlog P(s, x)   {:.6g}\n", log_likelihood,
                        joint_log_likelihood);
  }
  return text + "\n" + generative::confusion_text(confusion, states, "state");
}

std::vector<std::string> Evaluation::warnings() const {
  std::vector<std::string> warnings;
  if (unseen_values > 0) {
    warnings.push_back(
        fmt::format("{} observations have a value not seen in training", unseen_values));
  }
  for (const std::string& state : unseen_states) {
    warnings.push_back(
        fmt::format("the state '{}' was not seen in training: it counts as a mistake", state));
  }
  return warnings;
}

}  // namespace trellis::hmm
