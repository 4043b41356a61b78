// What all learners share: what they are told, what they report, and how they are stopped.
//
// One objective for the whole library:
//
//   P(w) = λ/2 ‖w‖² + ρ ‖w‖₁ + (1/n) Σ_i L_i(w)
//
// (ρ > 0 only for OWL-QN; the perceptron has λ = 0). Papers that write ½‖w‖² + C Σ_i L_i mean
// C = 1/(λn); lambda_from_c is the only place where the one is turned into the other.
//
// Same oracle, options and seed: same bits, whatever the number of threads, and whether or not the
// run was interrupted and resumed in between (only `seconds` differ). The reference QP, whose
// solver is another library's, begins again where it was interrupted.
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

namespace trellis {

class Checkpoint;

// A number that was not computed, because nobody asked for it or because it does not exist.
inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// The gap of the whole library, the one that LearnControl::gap_tolerance and --gap are about: what
// is left between objective and bound, as a share of the objective,
//
//   (objective − bound) / |objective|
//
// and 0 where rounding puts the objective below the bound. Unknown where one of them is, or is
// infinite.
double relative_gap(double objective, double bound);

// One pass over the data (online learners) or one iteration (batch learners).
struct EpochRecord {
  Index epoch = 0;              // from 1
  double objective = kUnknown;  // P at the weights that would be returned now, or an upper bound
  double bound = kUnknown;      // min P ≥ bound, by proof
  // How far above P the objective may be: objective − missed ≤ P(w) ≤ objective. Above 0 only where
  // a search may have missed the best output (CutOracle).
  double missed = 0;
  double loss = kUnknown;     // mean loss: of the examples as they were visited, or of the batch
  double dev = kUnknown;      // for the observer to fill: a metric on held-out data
  Index updates = 0;          // steps that changed the weights
  Index weights_touched = 0;  // coordinates that those steps wrote, with repetitions
  Index passes = 0;           // passes over the data of this epoch, certificate included
  Index negative_losses = 0;  // visits whose loss an ApproximateOracle found below 0
  // False for a report from within an epoch that takes long: `updates` and `seconds` are known so
  // far, there are no weights yet, and the record does not become part of the history.
  bool finished = true;
  double seconds = 0;  // since the start, time before an interruption included

  double gap() const { return relative_gap(objective, bound); }
};

// Called after each epoch with the weights that would be returned now (the mean, where a learner
// averages). May fill record.dev; returns false to end the run. Of a record that is not finished
// there are no weights, and what is returned is ignored.
using Observer = std::function<bool(EpochRecord& record, std::span<const double> w)>;

enum class Termination {
  kConverged,    // the learner's own test, or LearnControl::gap_tolerance, was met
  kMaxEpochs,    // the options allowed no more epochs
  kObserver,     // the observer returned false
  kInterrupted,  // LearnControl::stop was requested; the state is in the checkpoint
  // No step leads further: at the precision of a double; or since all that is left of the gap is
  // what a search for best outputs may have missed.
  kStalled,
  kLimit,  // a limit on the work of the reference QP ended it: the optimum is not proved
};

std::string_view to_string(Termination termination);

// What the objective and the gap of a run are worth. The bound is a proof in either case.
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
  // The last epoch's; kUnknown where there was none or where they were not computed.
  double objective = kUnknown;
  double bound = kUnknown;
  double missed = 0;
  Index epochs = 0;
  double seconds = 0;

  double gap() const { return relative_gap(objective, bound); }
  CertificateKind certificate() const;
};

// In which order an epoch visits the examples.
enum class VisitOrder {
  kRandom,      // a new permutation each epoch, keyed by (seed, epoch)
  kSequential,  // as they come
};

// How to run, as opposed to what to compute.
struct LearnControl {
  // For passes over the whole data. Online steps are sequential by nature.
  int threads = 1;
  // Report objective, bound and gap of each epoch, or of every so many where a learner's options
  // say so. Batch learners need no pass for it; the others pay one more each time (in parallel).
  // Needs convex losses.
  bool certify = false;
  // Converged as soon as the relative gap of a record is at most this; 0: never. Most learners know
  // a gap with certify alone.
  double gap_tolerance = 0;
  // Polled at every example that is visited or passed over, and by the reference QP at each
  // iteration of its solver. Once it is requested, the learner saves its state and returns.
  std::stop_token stop;
  Observer observer;
  // Where the state goes on an interruption. If it holds a state when the learner is called, the
  // run continues from there; w then is output only. A run that ends by itself leaves it empty.
  Checkpoint* checkpoint = nullptr;
  std::uint64_t seed = 0;
};

// λ of  λ/2 ‖w‖² + (1/n) Σ L_i  for the C of  ½‖w‖² + C Σ L_i.
double lambda_from_c(double c, Index num_examples);

}  // namespace trellis
