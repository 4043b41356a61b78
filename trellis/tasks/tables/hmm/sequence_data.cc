#include "trellis/tasks/tables/hmm/sequence_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "trellis/base/error.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/formats/tables/csv_line.h"
#include "trellis/tasks/tables/value_costs.h"

namespace trellis::hmm {
namespace {

// Names in the order of their first occurrence, with their counts.
struct CountedNames {
  NameList names;
  std::vector<Index> counts;

  std::uint32_t add(std::string_view name) {
    const std::uint32_t id = names.add(name);
    if (id == counts.size()) counts.push_back(0);
    ++counts[id];
    return id;
  }
};

// The natural order of sufficiently frequent names, and the new number of each name; rare names
// have the number of the unknown value, which is the last.
struct Order {
  std::vector<std::string> names;
  std::vector<std::uint32_t> numbers;
  bool has_unknown = false;
};

Order natural_order(const CountedNames& counted, Index rare) {
  std::vector<Index> kept;
  for (Index i = 0; i < counted.counts.size(); ++i) {
    const bool unknown = rare > 1 && counted.names[i] == kUnknownValue;
    if (counted.counts[i] >= rare && !unknown) kept.push_back(i);
  }
  std::sort(kept.begin(), kept.end(), [&](Index a, Index b) {
    return generative::natural_less(counted.names[a], counted.names[b]);
  });
  Order order;
  order.has_unknown = rare > 1;
  order.numbers.assign(counted.counts.size(), static_cast<std::uint32_t>(kept.size()));
  for (const Index i : kept) {
    order.numbers[i] = static_cast<std::uint32_t>(order.names.size());
    order.names.emplace_back(counted.names[i]);
  }
  if (order.has_unknown) order.names.emplace_back(kUnknownValue);
  return order;
}

class TrainingSet {
 public:
  explicit TrainingSet(const DataOptions& options) : options_(options) {}

  void add(InputFile file) {
    const std::string name = file.name();
    SequenceReader reader(std::move(file), options_.columns);
    FileSequence sequence;
    while (reader.read(sequence)) {
      if (channels_.empty()) {
        data_.columns = reader.names();
        channels_.resize(data_.columns.channels.size());
      }
      if (!(reader.names() == data_.columns)) {
        throw InputError(name, 0, "has other columns than the previous file");
      }
      add(sequence, reader);
      data_.files.push_back(name);
    }
  }

  SequenceData finish(const std::string& name, Index num_states) {
    if (data_.sequences.empty()) throw InputError(name, 0, "expected sequences, found none");
    const Order states = natural_order(states_, 0);
    data_.alphabet.states = states.names;
    if (data_.columns.state.empty()) {
      for (Index i = 0; i < num_states; ++i) data_.alphabet.states.push_back(fmt::to_string(i + 1));
    }
    if (data_.alphabet.states.empty()) throw InputError(name, 0, "expected states, found none");
    std::vector<Order> values;
    for (Index k = 0; k < channels_.size(); ++k) {
      values.push_back(natural_order(channels_[k], options_.rare));
      if (values.back().names.empty()) {
        throw InputError(
            name, 0,
            fmt::format("expected values in column {}, found none", data_.columns.channels[k]));
      }
      data_.alphabet.channels.push_back(
          {data_.columns.channels[k], values[k].names, values[k].has_unknown});
    }
    for (HmmSequence& sequence : data_.sequences) renumber(states, values, sequence);
    for (const HmmChannel& channel : data_.alphabet.channels) {
      data_.digest = combine(data_.digest, channel.values.size());
      for (const std::string& value : channel.values) {
        data_.digest = combine(data_.digest, fingerprint(value));
      }
    }
    return std::move(data_);
  }

 private:
  void add(const FileSequence& file, const SequenceReader& reader) {
    HmmSequence sequence;
    for (Index t = 0; t < file.length(); ++t) {
      for (Index k = 0; k < channels_.size(); ++k) {
        const std::string& field = file.field(t, reader.channels()[k]);
        sequence.observations.push_back(generative::is_missing(field) ? Hmm::kMissing
                                                                      : channels_[k].add(field));
        data_.digest = combine(data_.digest, fingerprint(field));
      }
      if (!reader.state()) continue;
      const std::string& field = file.field(t, *reader.state());
      const bool known = !generative::is_missing(field);
      data_.known_states += known ? 1 : 0;
      sequence.states.push_back(known ? static_cast<Label>(states_.add(field)) : kNoLabel);
      data_.digest = combine(data_.digest, fingerprint(field));
    }
    data_.digest = combine(data_.digest, file.length());
    data_.positions += file.length();
    data_.sequences.push_back(std::move(sequence));
    data_.lines.push_back(file.lines.front());
  }

  void renumber(const Order& states, const std::vector<Order>& values,
                HmmSequence& sequence) const {
    for (Index i = 0; i < sequence.observations.size(); ++i) {
      std::uint32_t& value = sequence.observations[i];
      if (value != Hmm::kMissing) value = values[i % values.size()].numbers[value];
    }
    for (Label& state : sequence.states) {
      if (state != kNoLabel) state = static_cast<Label>(states.numbers[static_cast<Index>(state)]);
    }
  }

  const DataOptions& options_;
  CountedNames states_;
  std::vector<CountedNames> channels_;
  SequenceData data_;
};

}  // namespace

SequenceData read_training_sequences(std::vector<InputFile> files, const DataOptions& options,
                                     Index num_states) {
  if (files.empty()) throw UsageError("expected a file to train on");
  TrainingSet set(options);
  const std::string name = files.front().name();
  for (InputFile& file : files) set.add(std::move(file));
  return set.finish(name, num_states);
}

SequenceData read_training_sequences(const std::vector<std::string>& files,
                                     const DataOptions& options, Index num_states) {
  std::vector<InputFile> opened;
  for (const std::string& file : files) opened.emplace_back(file);
  return read_training_sequences(std::move(opened), options, num_states);
}

SequenceNumbers::SequenceNumbers(const HmmAlphabet& alphabet) {
  for (const std::string& state : alphabet.states) states_.add(state);
  for (const HmmChannel& channel : alphabet.channels) {
    NameList names;
    for (const std::string& value : channel.values) names.add(value);
    channels_.push_back(std::move(names));
    unknown_.push_back(channel.has_unknown ? static_cast<std::uint32_t>(channel.values.size() - 1)
                                           : Hmm::kMissing);
  }
}

SequenceNumbers::Numbered SequenceNumbers::number(const FileSequence& file,
                                                  const SequenceReader& reader) const {
  Numbered numbered;
  HmmSequence& sequence = numbered.sequence;
  for (Index t = 0; t < file.length(); ++t) {
    for (Index k = 0; k < channels_.size(); ++k) {
      const std::string& field = file.field(t, reader.channels()[k]);
      if (generative::is_missing(field)) {
        sequence.observations.push_back(Hmm::kMissing);
        continue;
      }
      const std::uint32_t value = channels_[k].find(field);
      const bool unseen = value == NameList::kNone;
      numbered.unseen_values += unseen ? 1 : 0;
      sequence.observations.push_back(unseen ? unknown_[k] : value);
    }
    if (!reader.state()) continue;
    const std::string& field = file.field(t, *reader.state());
    Label state = kNoLabel;
    if (!generative::is_missing(field)) {
      const std::uint32_t found = states_.find(field);
      state = found == NameList::kNone ? kUnseenState : static_cast<Label>(found);
      numbered.unseen_states += state == kUnseenState ? 1 : 0;
    }
    sequence.states.push_back(state);
  }
  return numbered;
}

}  // namespace trellis::hmm
