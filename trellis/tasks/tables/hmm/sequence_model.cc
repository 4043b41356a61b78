#include "trellis/tasks/tables/hmm/sequence_model.h"

#include <fmt/format.h>

#include <span>
#include <vector>

#include "trellis/base/error.h"

namespace trellis::hmm {
namespace {

// θ has a value for each parameter of the alphabet: looked at before anything is made of that size.
void check_dimension(const HmmAlphabet& alphabet, Index found) {
  Index expected = 1 + alphabet.states.size();
  for (const HmmChannel& channel : alphabet.channels) expected += channel.values.size();
  if (alphabet.states.size() > Hmm::kMaxStates || expected * alphabet.states.size() != found) {
    throw UsageError(fmt::format("{} parameters do not fit its states and values", found));
  }
}

void describe_alphabet(ModelArchive& a, ColumnNames& columns, HmmAlphabet& alphabet) {
  a.record("columns", [&] {
    a.value("channels", columns.channels, "names of the columns of observations");
    a.value("state", columns.state, "name of the column of states; may be empty");
  });
  std::vector<bool> unknown;
  for (const HmmChannel& channel : alphabet.channels) unknown.push_back(channel.has_unknown);
  a.value("unknown", unknown, "by channel: whether its last value stands for unseen ones");
  a.require(unknown.size() == columns.channels.size(),
            "the description of its channels is not valid");
  for (Index k = 0; a.reading() && k < unknown.size(); ++k) {
    alphabet.channels.push_back({columns.channels[k], {}, unknown[k]});
  }
  a.name_list("states", alphabet.states, "of the states");
  a.each(alphabet.channels, 0, [&](HmmChannel& channel, const std::string& k) {
    a.name_list("channel/" + k, channel.values, "of the values of channel K");
  });
}

}  // namespace

void SequenceModel::describe(ModelArchive& a, SequenceParts& m) {
  HmmAlphabet alphabet;
  std::span<const double> theta, costs;
  if (m.hmm) {
    alphabet = m.hmm->alphabet();
    theta = m.hmm->theta();
    costs = {m.costs->row(0).data(), m.hmm->num_states() * m.hmm->num_states()};
  }
  describe_alphabet(a, m.columns, alphabet);
  a.value("loss", m.loss, "what a wrong state costs");
  a.value("training", m.training, "how the model was made");
  a.array("theta", theta, {}, "log-probabilities: initial, transitions, emissions by channel");
  a.check([&] { check_dimension(alphabet, theta.size()); });
  const Index states = alphabet.states.size();
  a.array("costs", costs, {.size = states * states}, "by true and predicted state");
  a.check([&] {
    m.hmm.emplace(std::move(alphabet), std::vector<double>(theta.begin(), theta.end()));
    m.costs.emplace(states, std::vector<double>(costs.begin(), costs.end()));
  });
}

SequenceModel::SequenceModel(SequenceParts parts) : StoredModel(std::move(parts)) {
  if (columns().channels.size() != hmm().num_channels()) {
    throw UsageError("a hidden Markov model requires a column for each channel");
  }
  if (costs().num_labels() != hmm().num_states()) {
    throw UsageError("a hidden Markov model requires costs for each state");
  }
}

}  // namespace trellis::hmm
