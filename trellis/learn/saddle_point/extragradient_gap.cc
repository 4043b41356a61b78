#include "trellis/learn/saddle_point/extragradient_gap.h"

#include <algorithm>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

std::optional<double> margin_losses(const PartOracle& oracle, std::span<const double> w,
                                    PartPass& pass, std::span<double> slope) {
  const std::span<double> sums[] = {slope};
  const auto totals =
      pass.sum(std::span(sums).first(slope.empty() ? 0 : 1),
               [&](Index i, PartMemory& memory, Scratch& scratch, PartTerms& terms) {
                 const Index parts = oracle.num_parts(i);
                 const std::span<double> s = memory.get(0, parts);
                 const std::span<double> c = memory.get(1, parts);
                 const std::span<double> y = memory.get(2, parts);
                 const std::span<double> z = memory.get(3, parts);
                 oracle.scores(i, w, scratch, s);
                 oracle.costs(i, c);
                 axpy(1, c, s);
                 oracle.target(i, y);
                 const double best = oracle.maximize(i, s, scratch, z);
                 terms.numbers[0] = std::max(0.0, best - dot(s, y));
                 if (slope.empty()) return;
                 axpy(-1, y, z);
                 oracle.features(i, z, 1, scratch, terms.slopes[0]);
               });
  if (!totals) return std::nullopt;
  return (*totals)[0];
}

SaddleGap::SaddleGap(const PartOracle& oracle, const WeightBallOptions& options, PartPass& pass)
    : oracle_(oracle), weights_(oracle, options), lambda_(options.lambda), pass_(pass) {
  if (options.lambda > 0 && options.ball == WeightBall::kNone && !oracle.implicit_features()) {
    certificate_.emplace(oracle.dimension(), options.lambda, 0, oracle.nonnegative());
    tangent_.resize(oracle.dimension());
  }
}

bool SaddleGap::evaluate(std::span<const double> w, std::span<double> slope, double cost,
                         EpochRecord& record) {
  const std::optional<double> losses = margin_losses(oracle_, w, pass_, tangent_);
  if (!losses) return false;
  const double n = static_cast<double>(oracle_.num_examples());
  record.loss = *losses / n;
  record.objective = record.loss;
  if (lambda_ > 0) record.objective += lambda_ / 2 * weights_.squared_norm(w);
  if (certificate_) {
    scale(1 / n, slope);
    certificate_->add_cut(slope, cost / n);
    scale(1 / n, tangent_);
    certificate_->add_cut(tangent_, record.loss - dot(tangent_, w));
    bound_ = std::max(bound_, certificate_->bound());
  } else {
    bound_ = std::max(bound_, (cost + weights_.minimum(slope)) / n);
  }
  record.bound = bound_;
  return true;
}

void SaddleGap::save(Checkpoint& checkpoint) const {
  checkpoint.put("gap/bound", std::span<const double>(&bound_, 1));
  if (certificate_) certificate_->save(checkpoint, "gap/certificate");
}

void SaddleGap::load(const Checkpoint& checkpoint) {
  checkpoint.get("gap/bound", std::span<double>(&bound_, 1));
  if (certificate_) certificate_->load(checkpoint, "gap/certificate");
}

}  // namespace trellis
