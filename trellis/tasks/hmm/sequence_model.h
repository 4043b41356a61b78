// A trained hidden Markov model with what is around it: which columns of a file it is about, what
// mistakes cost, and how it was made.
//
// Model file, kind "hmm", version 1:
//   meta              JSON: columns (channels, state), unknown (by channel: whether its last value
//                     stands for those that training has not seen), loss (its name), training
//   states/…          offsets and bytes of the names (data/name_list.h)
//   channel/K/…       likewise, of the values of channel K = 0, 1, …
//   theta             float64: log-probabilities, as Hmm lays them out
//   costs             float64: by true and predicted state
//
// Everything is checked when it is read: a stranger's file can at worst be refused, and takes no
// more memory than some times its size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "trellis/base/types.h"
#include "trellis/data/model_file.h"
#include "trellis/data/value.h"
#include "trellis/formats/tables/sequence_reader.h"
#include "trellis/generative/hmm/hmm.h"
#include "trellis/problem/cost_table.h"

namespace trellis::hmm {

class SequenceModel {
 public:
  static constexpr std::string_view kKind = "hmm";
  static constexpr std::uint32_t kVersion = 1;

  // Throws UsageError where these do not go together.
  SequenceModel(Hmm hmm, ColumnNames columns, std::string loss, CostTable costs,
                const Value& training);
  // Throws InputError unless the file is a whole model that this program understands.
  static SequenceModel read(const std::string& path);
  static SequenceModel from_bytes(std::span<const std::byte> bytes, const std::string& name);
  void write(const std::string& path) const;
  std::string to_bytes() const;

  const Hmm& hmm() const { return hmm_; }
  const ColumnNames& columns() const { return columns_; }
  const std::string& loss() const { return loss_; }
  const CostTable& costs() const { return costs_; }
  const Value& training() const { return *training_; }

 private:
  static SequenceModel load(const ModelReader& reader);
  template <class Put>
  auto with_writer(const Put& put) const;

  Hmm hmm_;
  ColumnNames columns_;
  std::string loss_;
  CostTable costs_;
  std::shared_ptr<const Value> training_;
};

}  // namespace trellis::hmm
