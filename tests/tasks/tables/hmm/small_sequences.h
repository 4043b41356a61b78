// A small hidden Markov model around a ring, and files of sequences drawn from it.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/random.h"
#include "trellis/generative/hmm/hmm.h"
#include "trellis/generative/hmm/hmm_sampler.h"
#include "trellis/tasks/tables/hmm/sequence_data.h"
#include "trellis/tasks/tables/hmm/sequence_model.h"

namespace trellis::hmm::testing {

// Five states, the next of which is likely; two channels.
inline Hmm ring_model() {
  HmmAlphabet alphabet{{"1", "2", "3", "4", "5"}, {{"1", {"a", "b", "c"}}, {"2", {"x", "y"}}}};
  std::vector<double> p(5, 0.2);
  for (Index i = 0; i < 5; ++i) {
    for (Index j = 0; j < 5; ++j) p.push_back(j == (i + 1) % 5 ? 0.8 : 0.05);
  }
  for (Index i = 0; i < 5; ++i) {
    for (Index o = 0; o < 3; ++o) p.push_back(i >= 3 ? 1.0 / 3 : o == i ? 0.8 : 0.1);
  }
  for (Index i = 0; i < 5; ++i) p.insert(p.end(), {i % 2 == 0 ? 0.7 : 0.4, i % 2 == 0 ? 0.3 : 0.6});
  for (double& one : p) one = std::log(one);
  return Hmm(alphabet, p);
}

// `count` sequences of `length` as a column file.
inline std::string ring_file(Index count, Index length, std::uint64_t seed) {
  const Hmm model = ring_model();
  const HmmSampler sampler(model);
  const HmmAlphabet& alphabet = model.alphabet();
  std::string text;
  for (Index n = 0; n < count; ++n) {
    Random random(seed, n);
    const HmmSequence x = sampler.sample(length, random);
    for (Index t = 0; t < length; ++t) {
      text += alphabet.channels[0].values[x.observations[2 * t]] + "\t" +
              alphabet.channels[1].values[x.observations[2 * t + 1]] + "\t" +
              alphabet.states[static_cast<Index>(x.states[t])] + "\n";
    }
    text += "\n";
  }
  return text;
}

inline SequenceData data_of(std::string_view text, const DataOptions& options = {},
                            Index num_states = 0, const std::string& name = "train.tsv") {
  std::vector<InputFile> files;
  files.push_back(InputFile::from_bytes(text, name));
  return read_training_sequences(std::move(files), options, num_states);
}

inline SequenceModel model_from(const std::string& bytes) {
  return SequenceModel::from_bytes(std::as_bytes(std::span(bytes)), "m");
}

}  // namespace trellis::hmm::testing
