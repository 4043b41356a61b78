#include "trellis/learn/online/running_mean.h"

#include <string>

namespace trellis {

void RunningMean::count(double scale, double importance) {
  mass_ += importance * scale;
  count_ += importance;
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

void RunningMean::save(Checkpoint& checkpoint, std::string_view prefix) const {
  const std::string name(prefix);
  checkpoint.put(name + "/correction", correction_);
  const double scalars[] = {mass_, count_};
  checkpoint.put(name + "/scalars", scalars);
}

void RunningMean::load(const Checkpoint& checkpoint, std::string_view prefix) {
  const std::string name(prefix);
  double scalars[2];
  checkpoint.get(name + "/correction", correction_);
  checkpoint.get(name + "/scalars", scalars);
  mass_ = scalars[0];
  count_ = scalars[1];
}

}  // namespace trellis
