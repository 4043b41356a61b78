// Exact draws of label sequences: forward filtering, backward sampling (Carter & Kohn 1994) where
// the scaled domain is safe; else the Markov chain of chain_log.cc is run forward. One uniform
// number is used for each position.
#include "trellis/solve/draw.h"
#include "trellis/solve/vectors/segment_matrix.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/structure/sequences/chain_passes.h"

namespace trellis {

void Chain::sample(std::span<const double> s, Random& random, Scratch& scratch, Output& y) const {
  y.clear();
  const Passes passes(*this);
  passes.prepare(s, scratch);
  double value = 0;
  const bool scaled = passes.forward_scaled(scratch, value);
  if (!scaled) value = passes.backward_log(scratch);
  if (value == kImpossible) return;
  y.resize(length_);
  if (scaled) {
    passes.sample_scaled(random, scratch, y);
  } else {
    passes.sample_log(random, scratch, y);
  }
}

void Chain::Passes::sample_scaled(Random& random, Scratch& scratch, Output& y) const {
  const Index states = states_->num_states();
  const double* forward = scratch.forward.data() + (length_ - 1) * states;
  scratch.row.resize(end_end() - end_begin());
  for (State u = end_begin(); u < end_end(); ++u) {
    scratch.row[u - end_begin()] = forward[u] * scratch.exp_stop[u];
  }
  State u = end_begin() + static_cast<State>(draw(scratch.row, random));
  y.back() = states_->label(u);
  for (Index t = length_ - 1; t > 0; --t) {
    forward -= states;
    const SegmentMatrix::Group& group = states_->predecessors(t, u);
    const std::span<const SegmentMatrix::Row> rows = states_->rows(group);
    const double* column =
        scratch.exp_table.data() + t * scratch.exp_stride + (u - group.first_column);
    scratch.row.resize(rows.size());
    for (Index i = 0; i < rows.size(); ++i) {
      scratch.row[i] = forward[rows[i].row] * column[rows[i].entries];
    }
    u = rows[draw(scratch.row, random)].row;
    y[t - 1] = states_->label(u);
  }
}

void Chain::Passes::sample_log(Random& random, Scratch& scratch, Output& y) const {
  scratch.row.resize(states_->num_labels());
  softmax(scratch.first, scratch.row);
  auto u = static_cast<State>(draw(scratch.row, random));
  y[0] = states_->label(u);
  for (Index t = 1; t < length_; ++t) {
    const State first = states_->first_successor(u);
    const double* table = scratch.table + t * table_stride() + states_->transition_begin(u);
    const double* incoming = scratch.incoming.data() + t * states_->num_states() + first;
    scratch.row.resize(states_->num_successors(u));
    for (Index i = 0; i < scratch.row.size(); ++i) scratch.row[i] = table[i] + incoming[i];
    softmax(scratch.row, scratch.row);
    u = first + static_cast<State>(draw(scratch.row, random));
    y[t] = states_->label(u);
  }
}

}  // namespace trellis
