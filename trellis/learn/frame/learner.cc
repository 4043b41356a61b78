#include "trellis/learn/frame/learner.h"

#include <cmath>

#include "trellis/base/error.h"

namespace trellis {

double relative_gap(double objective, double bound) {
  if (!std::isfinite(objective) || !std::isfinite(bound)) return kUnknown;
  return objective <= bound ? 0 : (objective - bound) / std::abs(objective);
}

CertificateKind LearnSummary::certificate() const {
  if (!std::isfinite(gap())) return CertificateKind::kNone;
  return missed > 0 ? CertificateKind::kUpperBounds : CertificateKind::kExact;
}

std::string_view to_string(Termination termination) {
  switch (termination) {
    case Termination::kConverged:
      return "converged";
    case Termination::kMaxEpochs:
      return "max_epochs";
    case Termination::kObserver:
      return "observer";
    case Termination::kInterrupted:
      return "interrupted";
    case Termination::kStalled:
      return "stalled";
    case Termination::kLimit:
      return "limit";
  }
  return "unknown";
}

double lambda_from_c(double c, Index num_examples) {
  if (!(c > 0)) throw UsageError("C must be positive");
  if (num_examples == 0) throw UsageError("there are no examples to learn from");
  return 1 / (c * static_cast<double>(num_examples));
}

}  // namespace trellis
