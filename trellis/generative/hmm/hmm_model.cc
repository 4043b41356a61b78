#include "trellis/generative/hmm/hmm_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "trellis/base/error.h"
#include "trellis/generative/hmm/estimation.h"

namespace trellis {
namespace {

// Up to this many absent values between two present ones cost less than a run of their own.
constexpr Index kSmallGap = 4;

}  // namespace

HmmModel::HmmModel(const HmmAlphabet& alphabet, std::span<const HmmSequence> sequences,
                   const CostTable& costs)
    : num_states_(alphabet.states.size()),
      num_channels_(alphabet.channels.size()),
      distributions_(Hmm::layout(alphabet)),
      chain_states_(TransitionRules(num_states_)),
      sequences_(sequences),
      costs_(&costs) {
  if (costs.num_labels() != num_states_) {
    throw UsageError(
        fmt::format("costs of {} states for a model of {}", costs.num_labels(), num_states_));
  }
  count_parameters(alphabet, sequences);  // checks that they fit
  for (Index n = 0; n < sequences.size(); ++n) {
    const std::vector<Label>& states = sequences[n].states;
    if (states.empty() || std::find(states.begin(), states.end(), kNoLabel) != states.end()) {
      throw UsageError(fmt::format("sequence {} must have a known state at every position", n + 1));
    }
    for (Index k = 0; k < num_channels_; ++k) views_.push_back(view(sequences[n], k));
  }
}

HmmModel::ChannelView HmmModel::view(const HmmSequence& sequence, Index channel) const {
  const Index length = sequence.states.size();
  std::vector<std::uint32_t> values;
  for (Index t = 0; t < length; ++t) {
    const std::uint32_t value = sequence.observations[t * num_channels_ + channel];
    if (value != Hmm::kMissing) values.push_back(value);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  ChannelView view;
  for (const std::uint32_t value : values) {
    if (view.runs.empty() || value > view.runs.back().begin + view.runs.back().size + kSmallGap) {
      view.runs.push_back({value, 0});
    }
    view.runs.back().size = value - view.runs.back().begin + 1;
  }
  std::vector<Index> offsets;
  for (const ValueRun& run : view.runs) {
    offsets.push_back(view.width);
    view.width += run.size;
  }
  for (Index t = 0; t < length; ++t) {
    const std::uint32_t value = sequence.observations[t * num_channels_ + channel];
    if (value == Hmm::kMissing) {
      view.place.push_back(Hmm::kMissing);
      continue;
    }
    const auto after =
        std::upper_bound(view.runs.begin(), view.runs.end(), value,
                         [](std::uint32_t v, const ValueRun& run) { return v < run.begin; });
    const auto run = static_cast<Index>(after - view.runs.begin()) - 1;
    view.place.push_back(static_cast<std::uint32_t>(offsets[run] + value - view.runs[run].begin));
  }
  return view;
}

void HmmModel::scores(Index i, std::span<const double> theta, std::span<double> s) const {
  const HmmSequence& sequence = sequences_[i];
  const Index length = sequence.states.size(), nodes = length * num_states_;
  std::fill(s.begin(), s.end(), 0.0);
  for (Index k = 0; k < num_channels_; ++k) {
    const Index first = 1 + num_states_ * (k + 1);
    const Index values = distributions_.size(first);
    const double* table = theta.data() + distributions_.begin(first);
    for (Index t = 0; t < length; ++t) {
      const std::uint32_t value = sequence.observations[t * num_channels_ + k];
      if (value == Hmm::kMissing) continue;
      double* node = s.data() + t * num_states_;
      for (Index j = 0; j < num_states_; ++j) node[j] += table[j * values + value];
    }
  }
  std::copy_n(theta.begin(), num_steps(), s.begin() + static_cast<std::ptrdiff_t>(nodes));
}

void HmmModel::add_costs(Index i, double scale, std::span<double> s) const {
  const std::vector<Label>& states = sequences_[i].states;
  for (Index t = 0; t < states.size(); ++t) {
    const std::span<const double> row = costs_->row(states[t]);
    double* node = s.data() + t * num_states_;
    for (Index j = 0; j < num_states_; ++j) node[j] += scale * row[j];
  }
}

void HmmModel::add_features(Index i, std::span<const double> z, double scale,
                            std::span<double> gradient) const {
  const HmmSequence& sequence = sequences_[i];
  const Index length = sequence.states.size();
  const std::span<const double> steps = z.subspan(length * num_states_, num_steps());
  for (Index p = 0; p < steps.size(); ++p) gradient[p] += scale * steps[p];
  for (Index k = 0; k < num_channels_; ++k) {
    const Index first = 1 + num_states_ * (k + 1);
    const Index values = distributions_.size(first);
    double* table = gradient.data() + distributions_.begin(first);
    for (Index t = 0; t < length; ++t) {
      const std::uint32_t value = sequence.observations[t * num_channels_ + k];
      if (value == Hmm::kMissing) continue;
      const double* node = z.data() + t * num_states_;
      for (Index j = 0; j < num_states_; ++j) table[j * values + value] += scale * node[j];
    }
  }
}

void HmmModel::features(Index i, std::span<const double> z, double scale, Workspace&,
                        SparseVector& slope) const {
  const Index length = sequences_[i].states.size();
  slope.clear();
  slope.append(0, num_steps());
  for (Index k = 0; k < num_channels_; ++k) {
    const ChannelView& view = views_[i * num_channels_ + k];
    for (Index j = 0; j < num_states_; ++j) {
      const Index row = distributions_.begin(1 + num_states_ * (k + 1) + j);
      for (const ValueRun& run : view.runs) slope.append(row + run.begin, run.size);
    }
  }
  // The values of all runs stand one after another, in the order of the runs.
  double* values = slope.values(slope.runs()[0]).data();
  const std::span<const double> steps = z.subspan(length * num_states_, num_steps());
  for (Index p = 0; p < steps.size(); ++p) values[p] = scale * steps[p];
  values += num_steps();
  for (Index k = 0; k < num_channels_; ++k) {
    const ChannelView& view = views_[i * num_channels_ + k];
    for (Index t = 0; t < length; ++t) {
      if (view.place[t] == Hmm::kMissing) continue;
      const double* node = z.data() + t * num_states_;
      double* cell = values + view.place[t];
      for (Index j = 0; j < num_states_; ++j) cell[j * view.width] += scale * node[j];
    }
    values += num_states_ * view.width;
  }
}

}  // namespace trellis
