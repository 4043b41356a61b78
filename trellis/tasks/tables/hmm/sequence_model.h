// A trained hidden Markov model with what is around it: which columns of a file it is about, what
// mistakes cost, and how it was made.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "trellis/data/value.h"
#include "trellis/formats/tables/sequence_reader.h"
#include "trellis/frame/stored_model.h"
#include "trellis/generative/hmm/hmm.h"
#include "trellis/problem/cost_table.h"

namespace trellis::hmm {

struct SequenceParts {
  std::optional<Hmm> hmm;  // and the costs: there, except while a file is read
  ColumnNames columns;
  std::string loss;
  std::optional<CostTable> costs;
  std::shared_ptr<const Value> training;
};

class SequenceModel : public StoredModel<SequenceModel, SequenceParts> {
 public:
  static constexpr ModelKind kKind{"hmm"};
  static void describe(ModelArchive& a, SequenceParts& m);

  // Throws UsageError where these do not go together.
  explicit SequenceModel(SequenceParts parts);
  SequenceModel(Hmm hmm, ColumnNames columns, std::string loss, CostTable costs,
                const Value& training)
      : SequenceModel(SequenceParts{std::move(hmm), std::move(columns), std::move(loss),
                                    std::move(costs), share(training)}) {}

  const Hmm& hmm() const { return *parts().hmm; }
  const ColumnNames& columns() const { return parts().columns; }
  const std::string& loss() const { return parts().loss; }
  const CostTable& costs() const { return *parts().costs; }
};

}  // namespace trellis::hmm
