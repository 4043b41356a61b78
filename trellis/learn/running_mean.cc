#include "trellis/learn/running_mean.h"

namespace trellis {

void RunningMean::count(double scale) {
  mass_ += scale;
  count_ += 1;
}

void RunningMean::fold(std::span<const double> v) {
  for (Index j = 0; j < v.size(); ++j) correction_[j] += mass_ * v[j];
  mass_ = 0;
}

void RunningMean::write(std::span<const double> v, double scale, std::span<double> mean) const {
  if (count_ == 0) {
    for (Index j = 0; j < v.size(); ++j) mean[j] = scale * v[j];
    return;
  }
  const double share = mass_ / count_;
  const double inverse = 1 / count_;
  for (Index j = 0; j < v.size(); ++j) mean[j] = share * v[j] + inverse * correction_[j];
}

void RunningMean::save(Checkpoint& checkpoint) const {
  checkpoint.put("mean/correction", correction_);
  const double scalars[] = {mass_, count_};
  checkpoint.put("mean/scalars", scalars);
}

void RunningMean::load(const Checkpoint& checkpoint) {
  double scalars[2];
  checkpoint.get("mean/correction", correction_);
  checkpoint.get("mean/scalars", scalars);
  mass_ = scalars[0];
  count_ = scalars[1];
}

}  // namespace trellis
