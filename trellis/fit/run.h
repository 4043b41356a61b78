// One run of the chosen learner on the oracle that it asks for. The only place where every learner
// is named; compiled once, since learners see virtual oracles.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/fit/choose.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/learn/online/perceptron.h"
#include "trellis/oracle/label_oracle.h"
#include "trellis/oracle/oracle.h"
#include "trellis/oracle/part_oracle.h"

namespace trellis {

struct FitCall {
  const LearnerChoice& choice;
  std::span<double> w;  // in, the start; out, the result
  // Its certify and gap_tolerance are the choice's to set.
  LearnControl control = {};
  // How good weights are on held-out data, higher is better: judges sgd's learning rates.
  std::function<double(std::span<const double> w)> held_out = {};
  std::span<const Index> examples = {};  // those to learn from; empty: all
  bool started = false;                  // w is worth starting from, so there is no warm-up
};

struct Fitted {
  LearnSummary summary;
  std::vector<Voter> voters;  // voted perceptron only
  double eta = 0;             // sgd: the learning rate of the run
};

Fitted run(const SearchOracle& oracle, const FitCall& call);  // exact (HingeOracle) or not
Fitted run(const SmoothConvexOracle& oracle, const FitCall& call);
Fitted run(const SmoothOracle& oracle, const FitCall& call);       // without a certificate
Fitted run(const StochasticOracle& oracle, const FitCall& call);   // without a certificate
Fitted run(const ApproximateOracle& oracle, const FitCall& call);  // without a certificate
Fitted run(const UpperBoundOracle& oracle, const FitCall& call);   // without a certificate
Fitted run(const KBestOracle& oracle, const FitCall& call);
Fitted run(const EuclideanPartOracle& oracle, const FitCall& call);
Fitted run(const EntropicPartOracle& oracle, const FitCall& call);
Fitted run(const PartOracle& oracle, const FitCall& call);
Fitted run(const LabelOracle& oracle, const FitCall& call);

// For extragradient from where some epochs of BCFW end, where that is asked for: the bound on its
// gap grows with the distance that the weights have to go, and cuts are much cheaper than
// projections. Leaves no checkpoint: an interrupted run begins with this again. False if it was
// interrupted.
bool warm_up(const CutOracle& oracle, const FitCall& call);
Fitted interrupted();
// For a choice that choose() would have refused for this model.
[[noreturn]] void throw_no_oracle(const LearnerChoice& choice);

}  // namespace trellis
