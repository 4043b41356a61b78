#include "trellis/tasks/tables/hmm/inspect.h"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/frame/training/result.h"
#include "trellis/generative/hmm/hmm_sampler.h"
#include "trellis/tasks/tables/discriminative_training.h"

namespace trellis::hmm {
namespace {

// A table with a name for each row and column.
class TableText {
 public:
  TableText(const Hmm& hmm, std::string_view title, std::span<const std::string> columns)
      : hmm_(hmm) {
    text_ = fmt::format("\n{}\n{:>16}", title, "");
    for (const std::string& column : columns) text_ += fmt::format(" {:>10}", column);
    text_ += '\n';
  }
  void add(const std::string& name, Index distribution) {
    text_ += fmt::format("{:>16}", name);
    for (const double p : hmm_.probabilities(distribution)) {
      text_ += fmt::format(" {:>10.6f}", p);
    }
    const double missing = hmm_.missing_mass(distribution);
    if (missing > 0) text_ += fmt::format("   {:.6f} missing", missing);
    text_ += '\n';
  }
  const std::string& text() const { return text_; }

 private:
  const Hmm& hmm_;
  std::string text_;
};

std::string all_tables(const Hmm& hmm) {
  const HmmAlphabet& alphabet = hmm.alphabet();
  TableText initial(hmm, "initial", alphabet.states);
  initial.add("", 0);
  TableText steps(hmm, "transitions, from the state of the row", alphabet.states);
  for (Index i = 0; i < hmm.num_states(); ++i) {
    steps.add(alphabet.states[i], hmm.transition_row(i));
  }
  std::string text = initial.text() + steps.text();
  for (Index k = 0; k < hmm.num_channels(); ++k) {
    const HmmChannel& channel = alphabet.channels[k];
    TableText table(hmm, fmt::format("observations in column {}", channel.name), channel.values);
    for (Index i = 0; i < hmm.num_states(); ++i) {
      table.add(alphabet.states[i], hmm.emission_row(k, i));
    }
    text += table.text();
  }
  return text;
}

}  // namespace

std::string inspect_text(const SequenceModel& model, bool tables) {
  const Hmm& hmm = model.hmm();
  std::string text = fmt::format("hidden Markov model of {} states\n", hmm.num_states());
  text += fmt::format("{} parameters, loss {}\n", hmm.theta().size(), model.loss());
  for (Index k = 0; k < hmm.num_channels(); ++k) {
    const HmmChannel& channel = hmm.alphabet().channels[k];
    text +=
        fmt::format("column {}: {} values{}\n", channel.name, channel.values.size(),
                    channel.has_unknown ? ", one of them for all values not seen in training" : "");
  }
  const auto missing = generative::missing_mass(hmm.distributions(), hmm.theta());
  if (missing.distributions > 0) {
    text +=
        fmt::format("{} of {} distributions have a total probability below 1, by at most {:.6f}\n",
                    missing.distributions, hmm.distributions().num(), missing.largest);
  }
  text += provenance_text(model.training());
  if (tables) text += all_tables(hmm);
  return text;
}

Value inspect_record(const SequenceModel& model, bool tables) {
  const Hmm& hmm = model.hmm();
  const HmmAlphabet& alphabet = hmm.alphabet();
  Value record = Value::record({{"states", alphabet.states},
                                {"loss", model.loss()},
                                {"parameters", hmm.theta().size()},
                                {"training", model.training()}});
  record["state_column"] = model.columns().state;
  std::vector<double> missing;
  for (Index i = 0; i < hmm.distributions().num(); ++i) missing.push_back(hmm.missing_mass(i));
  record["missing_mass"] = missing;
  if (tables) {
    record["initial"] = hmm.probabilities(0);
    for (Index i = 0; i < hmm.num_states(); ++i) {
      record["transitions"].push_back(hmm.probabilities(hmm.transition_row(i)));
    }
  }
  for (Index k = 0; k < hmm.num_channels(); ++k) {
    const HmmChannel& channel = alphabet.channels[k];
    Value one = Value::record(
        {{"name", channel.name}, {"values", channel.values}, {"unknown", channel.has_unknown}});
    for (Index i = 0; tables && i < hmm.num_states(); ++i) {
      one["emissions"].push_back(hmm.probabilities(hmm.emission_row(k, i)));
    }
    record["channels"].push_back(std::move(one));
  }
  return record;
}

std::string sample_text(const SequenceModel& model, Index count, Index length, std::uint64_t seed) {
  const Hmm& hmm = model.hmm();
  const HmmAlphabet& alphabet = hmm.alphabet();
  const HmmSampler sampler(hmm);
  std::string text;
  for (Index n = 0; n < count; ++n) {
    Random random(seed, n);
    const HmmSequence drawn = sampler.sample(length, random);
    if (n > 0) text += '\n';
    for (Index t = 0; t < length; ++t) {
      for (Index k = 0; k < hmm.num_channels(); ++k) {
        text += alphabet.channels[k].values[drawn.observations[t * hmm.num_channels() + k]];
        text += '\t';
      }
      text += alphabet.states[static_cast<Index>(drawn.states[t])];
      text += '\n';
    }
  }
  return text;
}

std::string sample_note(const SequenceModel& model) {
  const auto missing = generative::missing_mass(model.hmm().distributions(), model.hmm().theta());
  if (missing.distributions == 0) return {};
  return fmt::format(
      "{} distributions have a total probability below 1, by at most {:.3g}: they were scaled to 1",
      missing.distributions, missing.largest);
}

}  // namespace trellis::hmm
