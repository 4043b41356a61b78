// What all learners share: their inputs, their reports, and how to stop them.
//
// One objective for the whole library:
//
//   P(w) = λ/2 ‖w‖² + ρ ‖w‖₁ + (1/n) Σ_i L_i(w)
//
// (ρ > 0 only for OWL-QN; the perceptron has λ = 0). Papers that write ½‖w‖² + C Σ_i L_i mean
// C = 1/(λn); lambda_from_c is the only place that converts one to the other.
//
// Same oracle, options and seed: same bits, for any number of threads, and with or without an
// interruption and resumption (only `seconds` differ). The reference QP, whose solver is an
// external library, starts again after an interruption.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/oracle/inference_tally.h"

namespace trellis {

class Checkpoint;

// A number that was not computed, because it was not requested or because it does not exist.
inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// The relative gap of the whole library, used by LearnControl::gap_tolerance and --gap: the
// difference between objective and bound, as a share of the objective,
//
//   (objective − bound) / |objective|
//
// and 0 if rounding puts the objective below the bound. Unknown if one of the two is unknown or
// infinite.
double relative_gap(double objective, double bound);

// One pass over the data (online learners) or one iteration (batch learners).
struct EpochRecord {
  Index epoch = 0;              // from 1; EM: 0 is its start
  double objective = kUnknown;  // P at the weights that would be returned now, or an upper bound
  double bound = kUnknown;      // min P ≥ bound, by proof
  // The objective may exceed P by this: objective − missed ≤ P(w) ≤ objective. Above 0 only if a
  // search may have missed the best output (CutOracle).
  double missed = 0;
  double loss = kUnknown;     // mean loss: of the examples as they were visited, or of the batch
  double dev = kUnknown;      // for the observer to fill: a metric on held-out data
  Index updates = 0;          // steps that changed the weights
  Index weights_touched = 0;  // coordinates that those steps wrote, with repetitions
  Index passes = 0;           // passes over the data of this epoch, certificate included
  Index negative_losses = 0;  // visits whose loss an ApproximateOracle found below 0
  // For an ApproximateOracle: the sums of this epoch's visits, or of all passes of an iteration.
  InferenceTally inference;
  // False for a report during a long epoch: `updates` and `seconds` are those so far, there are no
  // weights yet, and the record does not enter the history.
  bool finished = true;
  double seconds = 0;  // since the start, including time before an interruption

  double gap() const { return relative_gap(objective, bound); }
};

// Called after each epoch with the weights that would be returned now (the mean, if the learner
// averages). May fill record.dev; returns false to end the run. For an unfinished record there are
// no weights, and the return value is ignored.
using Observer = std::function<bool(EpochRecord& record, std::span<const double> w)>;

enum class Termination {
  kConverged,    // the learner's own test, or LearnControl::gap_tolerance, was met
  kMaxEpochs,    // the options allowed no more epochs
  kObserver,     // the observer returned false
  kInterrupted,  // LearnControl::stop was requested; the state is in the checkpoint
  // No step improves further: because of double precision, or because the rest of the gap may be
  // due to best outputs that a search has missed.
  kStalled,
  kLimit,  // a limit on the work of the reference QP ended it: the optimum is not proved
};

std::string_view to_string(Termination termination);

// How exact the objective and the gap of a run are. The bound is a proof in either case.
enum class CertificateKind {
  kNone,   // nothing was certified
  kExact,  // the objective is P itself: every search for a best output was exact, or proved it
  kUpperBounds,  // the objective is an upper bound of P: some search may have missed the best
                 // output
};
constexpr auto names_of(CertificateKind) {
  return Names{"certificate", "none", "exact inference", "upper bounds"};
}

struct LearnSummary {
  std::vector<EpochRecord> history;
  Termination termination = Termination::kMaxEpochs;
  // The values of the last epoch; kUnknown if there was no epoch or if they were not computed.
  double objective = kUnknown;
  double bound = kUnknown;
  double missed = 0;
  Index epochs = 0;
  double seconds = 0;

  double gap() const { return relative_gap(objective, bound); }
  CertificateKind certificate() const;
};

// The order in which an epoch visits the examples.
enum class VisitOrder {
  kRandom,      // a new permutation each epoch, keyed by (seed, epoch)
  kSequential,  // in the order of the data
};

// Controls how a run proceeds, but not what it computes.
struct LearnControl {
  // For passes over the whole data. Online steps are sequential by nature.
  int threads = 1;
  // Report objective, bound and gap of each epoch, or at the interval that a learner's options
  // give. Batch learners need no pass for this; the others make one more pass each time (in
  // parallel). Requires convex losses.
  bool certify = false;
  // Converged as soon as the relative gap of a record is at most this; 0: never. Most learners know
  // a gap only with certify.
  double gap_tolerance = 0;
  // Checked at every example, visited or skipped, and by the reference QP at each iteration of its
  // solver. When it is requested, the learner saves its state and returns.
  std::stop_token stop;
  Observer observer;
  // Receives the state on an interruption. If it holds a state when the learner is called, the run
  // continues from that state; w then is output only. A run that ends by itself leaves it empty.
  Checkpoint* checkpoint = nullptr;
  std::uint64_t seed = 0;
};

// λ of  λ/2 ‖w‖² + (1/n) Σ L_i  for the C of  ½‖w‖² + C Σ L_i.
double lambda_from_c(double c, Index num_examples);

}  // namespace trellis
