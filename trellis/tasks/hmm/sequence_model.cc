#include "trellis/tasks/hmm/sequence_model.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/data/name_list.h"
#include "trellis/tasks/generative/name_sections.h"
#include "trellis/tasks/linear_model.h"

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

}  // namespace

SequenceModel::SequenceModel(Hmm hmm, ColumnNames columns, std::string loss, CostTable costs,
                             const Value& training)
    : hmm_(std::move(hmm)),
      columns_(std::move(columns)),
      loss_(std::move(loss)),
      costs_(std::move(costs)),
      training_(share(training)) {
  if (columns_.channels.size() != hmm_.num_channels()) {
    throw UsageError("a hidden Markov model requires a column for each channel");
  }
  if (costs_.num_labels() != hmm_.num_states()) {
    throw UsageError("a hidden Markov model requires costs for each state");
  }
}

SequenceModel SequenceModel::read(const std::string& path) {
  return load(ModelReader::open(path));
}

SequenceModel SequenceModel::from_bytes(std::span<const std::byte> bytes, const std::string& name) {
  return load(ModelReader::from_bytes(bytes, name));
}

SequenceModel SequenceModel::load(const ModelReader& reader) {
  std::optional<SequenceModel> model;
  read_meta(reader, kKind, kVersion, [&](const Value& meta) {
    ColumnNames columns;
    columns.channels = meta.at("columns").at("channels").get<std::vector<std::string>>();
    columns.state = meta.at("columns").at("state").get<std::string>();
    const auto unknown = meta.at("unknown").get<std::vector<bool>>();
    if (unknown.size() != columns.channels.size()) {
      throw UsageError("the description of its channels is not valid");
    }
    HmmAlphabet alphabet;
    alphabet.states = generative::read_names(reader, "states");
    for (Index k = 0; k < columns.channels.size(); ++k) {
      alphabet.channels.push_back({columns.channels[k],
                                   generative::read_names(reader, fmt::format("channel/{}", k)),
                                   unknown[k]});
    }
    const std::span<const double> theta = reader.array<double>("theta");
    check_dimension(alphabet, theta.size());
    const Index states = alphabet.states.size();
    const std::span<const double> costs = reader.array<double>("costs", states * states);
    model.emplace(Hmm(std::move(alphabet), {theta.begin(), theta.end()}), std::move(columns),
                  meta.at("loss").get<std::string>(),
                  CostTable(states, {costs.begin(), costs.end()}), meta.at("training"));
  });
  return *std::move(model);
}

template <class Put>
auto SequenceModel::with_writer(const Put& put) const {
  const HmmAlphabet& alphabet = hmm_.alphabet();
  // The writer keeps views of these.
  const NameList states = generative::name_list(alphabet.states);
  std::vector<NameList> values;
  std::vector<bool> unknown;
  for (const HmmChannel& channel : alphabet.channels) {
    values.push_back(generative::name_list(channel.values));
    unknown.push_back(channel.has_unknown);
  }
  std::vector<double> costs;
  for (Index i = 0; i < hmm_.num_states(); ++i) {
    const std::span<const double> row = costs_.row(static_cast<Label>(i));
    costs.insert(costs.end(), row.begin(), row.end());
  }
  ModelWriter writer(std::string(kKind), kVersion);
  writer.add_json("meta", Value::record({{"columns", Value::record({{"channels", columns_.channels},
                                                                    {"state", columns_.state}})},
                                         {"unknown", unknown},
                                         {"loss", loss_},
                                         {"training", training()}}));
  generative::add_names(writer, "states", states);
  for (Index k = 0; k < values.size(); ++k) {
    generative::add_names(writer, fmt::format("channel/{}", k), values[k]);
  }
  writer.add_array<double>("theta", hmm_.theta());
  writer.add_array<double>("costs", costs);
  return put(writer);
}

void SequenceModel::write(const std::string& path) const {
  with_writer([&](const ModelWriter& writer) { writer.write(path); });
}

std::string SequenceModel::to_bytes() const {
  return with_writer([](const ModelWriter& writer) { return writer.to_bytes(); });
}

}  // namespace trellis::hmm
