#include "trellis/learn/saddle_point/projected_gradient.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/learn/frame/blocks.h"
#include "trellis/learn/frame/part_pass.h"
#include "trellis/learn/frame/trace.h"
#include "trellis/learn/saddle_point/extragradient_gap.h"
#include "trellis/learn/saddle_point/extragradient_start.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

class ProjectedGradient {
 public:
  ProjectedGradient(const EuclideanPartOracle& oracle, const ProjectedGradientOptions& options,
                    std::span<double> w, const LearnControl& control)
      : oracle_(oracle),
        options_(options),
        control_(control),
        lambda_n_(options.lambda * static_cast<double>(oracle.num_examples())),
        trace_(control, identity()),
        set_(oracle, options),
        pass_(oracle, control.threads, control.stop),
        gap_(oracle, options, pass_),
        blocks_(w.size(), control.threads),
        mean_(w),
        w_(w.size()),
        slope_(w.size(), 0.0),
        next_slope_(w.size()),
        slope_sum_(w.size(), 0.0) {
    for (Index i = 0; i < oracle.num_examples(); ++i) {
      begin_.push_back(begin_.back() + oracle.num_parts(i));
    }
    z_.resize(begin_.back());
    next_z_.resize(begin_.back());
  }

  LearnSummary run() {
    if (trace_.resume()) load(*control_.checkpoint);
    if (!started_ && !start()) return interrupted();
    while (true) {
      if (unrecorded_) {
        EpochRecord record;
        if (!describe(record)) return interrupted();
        unrecorded_ = false;
        if (const auto end = trace_.record(record, mean_)) return trace_.finish(*end);
      }
      if (iteration_ >= options_.max_iterations) return trace_.finish(Termination::kMaxEpochs);
      if (!iterate()) return interrupted();
    }
  }

 private:
  std::string identity() const {
    return fmt::format(
        "projected_gradient {} iterations={} step={:a} balance={:a} every={} n={} d={}",
        options_.identity(), options_.max_iterations, options_.step_scale, options_.balance,
        options_.gap_every, oracle_.num_examples(), oracle_.dimension());
  }

  std::span<double> parts(std::vector<double>& all, Index i) {
    return std::span(all).subspan(begin_[i], begin_[i + 1] - begin_[i]);
  }

  bool start() {
    set_.project(mean_);
    std::copy(mean_.begin(), mean_.end(), w_.begin());
    const std::optional<SaddleStart> start =
        measure_start(oracle_, options_, mean_, control_, pass_, next_slope_);
    if (!start) return false;
    const double step = options_.step_scale / (start->norm > 0 ? start->norm : 1.0);
    const double sigma = options_.balance > 0
                             ? options_.balance
                             : balance_of(start->weight_reach, start->part_distance);
    weight_step_ = step * sigma;
    part_step_ = step / sigma;
    for (Index i = 0; i < oracle_.num_examples(); ++i) oracle_.target(i, parts(z_, i));
    started_ = true;
    return true;
  }

  bool iterate() {
    const std::span<double> sums[] = {next_slope_};
    const auto totals =
        pass_.sum(sums, [&](Index i, PartMemory& memory, Scratch& scratch, PartTerms& terms) {
          move_parts(i, memory, scratch, terms);
        });
    if (!totals) return false;
    std::swap(z_, next_z_);
    const double shrink = 1 / (1 + weight_step_ * lambda_n_);
    blocks_.each([&](Block b) {
      for (Index j = b.begin; j < b.end; ++j) {
        w_[j] = (w_[j] - weight_step_ * slope_[j]) * shrink;
      }
    });
    set_.project(w_);
    std::swap(slope_, next_slope_);
    cost_sum_ += (*totals)[0];
    ++iteration_;
    const double share = 1 / static_cast<double>(iteration_);
    blocks_.each([&](Block b) {
      axpy(1, b.of(std::span<const double>(slope_)), b.of(slope_sum_));
      for (Index j = b.begin; j < b.end; ++j) mean_[j] += share * (w_[j] - mean_[j]);
    });
    unrecorded_ = true;
    return true;
  }

  // The step of one z_i: its features, and its cost c_i·(z_i − z(y_i)).
  void move_parts(Index i, PartMemory& memory, Scratch& scratch, PartTerms& terms) {
    const std::span<const double> z = parts(z_, i);
    const std::span<double> next = parts(next_z_, i);
    const std::span<double> c = memory.get(0, z.size());
    const std::span<double> v = memory.get(1, z.size());
    const std::span<double> difference = memory.get(2, z.size());
    oracle_.costs(i, c);
    oracle_.scores(i, w_, scratch, v);
    for (Index p = 0; p < z.size(); ++p) v[p] = z[p] + part_step_ * (v[p] + c[p]);
    oracle_.project(i, v, scratch, next);
    oracle_.target(i, difference);
    for (Index p = 0; p < z.size(); ++p) difference[p] = next[p] - difference[p];
    oracle_.features(i, difference, 1, scratch, terms.slopes[0]);
    terms.numbers[0] = dot(c, difference);
  }

  // False if the pass of the gap was stopped.
  bool describe(EpochRecord& record) {
    record.epoch = iteration_;
    record.updates = 1;
    record.weights_touched = w_.size();
    record.passes = 1;
    const bool last = iteration_ == options_.max_iterations;
    if (!control_.certify || (iteration_ % options_.gap_every != 0 && !last)) return true;
    const double share = 1 / static_cast<double>(iteration_);
    for (Index j = 0; j < w_.size(); ++j) next_slope_[j] = share * slope_sum_[j];
    ++record.passes;
    return gap_.evaluate(mean_, next_slope_, share * cost_sum_, record);
  }

  LearnSummary interrupted() {
    if (control_.checkpoint != nullptr) save(*control_.checkpoint);
    return trace_.finish(Termination::kInterrupted);
  }

  void save(Checkpoint& checkpoint) const {
    const std::uint64_t counts[] = {started_, unrecorded_, iteration_};
    checkpoint.put_integers("projected_gradient/counts", counts);
    const double scalars[] = {weight_step_, part_step_, cost_sum_};
    checkpoint.put("projected_gradient/scalars", scalars);
    checkpoint.put("projected_gradient/mean", mean_);
    checkpoint.put("projected_gradient/w", w_);
    checkpoint.put("projected_gradient/slope", slope_);
    checkpoint.put("projected_gradient/slope_sum", slope_sum_);
    checkpoint.put("projected_gradient/z", z_);
    gap_.save(checkpoint);
  }

  void load(const Checkpoint& checkpoint) {
    std::uint64_t counts[3];
    checkpoint.get_integers("projected_gradient/counts", counts);
    started_ = counts[0] != 0;
    unrecorded_ = counts[1] != 0;
    iteration_ = counts[2];
    double scalars[3];
    checkpoint.get("projected_gradient/scalars", scalars);
    weight_step_ = scalars[0];
    part_step_ = scalars[1];
    cost_sum_ = scalars[2];
    checkpoint.get("projected_gradient/mean", mean_);
    checkpoint.get("projected_gradient/w", w_);
    checkpoint.get("projected_gradient/slope", slope_);
    checkpoint.get("projected_gradient/slope_sum", slope_sum_);
    checkpoint.get("projected_gradient/z", z_);
    gap_.load(checkpoint);
  }

  const EuclideanPartOracle& oracle_;
  const ProjectedGradientOptions& options_;
  const LearnControl& control_;
  double lambda_n_;
  Trace trace_;
  WeightSet set_;
  PartPass pass_;
  SaddleGap gap_;
  Blocks blocks_;
  std::span<double> mean_;  // w̄
  std::vector<double> w_;
  std::vector<double> slope_;  // Σ_i F_i (z_i − z(y_i))
  std::vector<double> next_slope_;
  std::vector<double> slope_sum_;   // over the iterates
  std::vector<Index> begin_ = {0};  // of the parts of each example in z_
  std::vector<double> z_;
  std::vector<double> next_z_;
  double weight_step_ = 0;  // η_w
  double part_step_ = 0;    // η_z
  double cost_sum_ = 0;     // Σ over iterates of Σ_i c_i·(z_i − z(y_i))
  Index iteration_ = 0;
  bool started_ = false;
  bool unrecorded_ = false;  // the last iteration is not yet in the trace
};

}  // namespace

LearnSummary projected_gradient(const EuclideanPartOracle& oracle,
                                const ProjectedGradientOptions& options, std::span<double> w,
                                const LearnControl& control) {
  options.validate(oracle, "projected gradient");
  if (w.size() != oracle.dimension()) {
    throw UsageError(fmt::format("the weights have {} entries, the problem has {}", w.size(),
                                 oracle.dimension()));
  }
  if (!(options.step_scale > 0)) throw UsageError("projected gradient needs a step scale above 0");
  if (!(options.balance >= 0)) throw UsageError("projected gradient needs a balance of at least 0");
  if (options.gap_every == 0) throw UsageError("gap_every must be at least 1");
  return ProjectedGradient(oracle, options, w, control).run();
}

}  // namespace trellis
