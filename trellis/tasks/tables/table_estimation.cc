#include "trellis/tasks/tables/table_estimation.h"

#include <fmt/format.h>

#include <utility>

#include "trellis/base/stopwatch.h"

namespace trellis::generative {
namespace {

EmEnd read_end(const Checkpoint& end) {
  EmEnd found;
  found.theta = end.doubles("em/theta");
  found.run.objectives = end.doubles("em/objectives");
  double numbers[2];
  end.get("em/numbers", numbers);
  found.run.log_likelihood = numbers[0];
  found.run.converged = numbers[1] != 0;
  return found;
}

void write_end(const EmEnd& found, Checkpoint& done) {
  done.put("em/theta", found.theta);
  done.put("em/objectives", found.run.objectives);
  const double numbers[] = {found.run.log_likelihood, found.run.converged ? 1.0 : 0.0};
  done.put("em/numbers", numbers);
}

LearnSummary summary_of(const EmRun& run, double seconds) {
  LearnSummary summary;
  for (Index n = 0; n < run.objectives.size(); ++n) {
    EpochRecord record;
    record.epoch = n;
    record.objective = -run.objectives[n];
    summary.history.push_back(record);
  }
  summary.termination = run.converged ? Termination::kConverged : Termination::kMaxEpochs;
  summary.objective = -run.objectives.back();
  summary.epochs = run.iterations();
  summary.seconds = seconds;
  return summary;
}

}  // namespace

LearnSummary counted(std::span<const double> counts, double alpha, std::span<const double> theta,
                     double seconds, const TrainEvents& events) {
  double objective = 0;
  for (Index p = 0; p < theta.size(); ++p) {
    if (counts[p] + alpha > 0) objective -= (counts[p] + alpha) * theta[p];
  }
  EpochRecord record;
  record.epoch = 1;
  record.objective = record.bound = objective;
  record.passes = 1;
  record.seconds = seconds;
  if (events.on_epoch) events.on_epoch(record);
  LearnSummary summary;
  summary.history = {record};
  summary.termination = Termination::kConverged;
  summary.objective = summary.bound = objective;
  summary.epochs = 1;
  summary.seconds = seconds;
  return summary;
}

std::optional<EmClimb> climb(const EstimatorOptions& options, const EmStart& start, Stages& stages,
                             const TrainEvents& events) {
  const Stopwatch watch;
  const EmTold told = [&](Index iteration, double objective) {
    EpochRecord record;
    record.epoch = iteration;
    record.objective = -objective;
    record.passes = 1;
    record.seconds = watch.seconds();
    if (events.on_epoch) events.on_epoch(record);
    return !stages.stop_requested();
  };
  EmClimb climb;
  for (Index r = 0; r < options.restarts.value_or(1); ++r) {
    const auto work = [&](Checkpoint& done, Checkpoint&) {
      const std::optional<EmEnd> found = start(r, told);
      if (found) write_end(*found, done);
      return found.has_value();
    };
    Checkpoint end;
    if (!stages.run(fmt::format("restart/{}", r), work, end)) return std::nullopt;
    EmEnd found = read_end(end);
    if (r == 0 || found.run.objectives.back() > climb.runs[climb.best].objectives.back()) {
      climb.theta = std::move(found.theta);
      climb.best = r;
    }
    climb.runs.push_back(std::move(found.run));
  }
  climb.summary = summary_of(climb.runs[climb.best], watch.seconds());
  return climb;
}

void put_runs(std::span<const EmRun> runs, Index best, Value& record) {
  for (Index r = 0; r < runs.size(); ++r) {
    record["runs"].push_back(Value::record({{"iterations", runs[r].iterations()},
                                            {"objective", -runs[r].objectives.back()},
                                            {"log_likelihood", runs[r].log_likelihood},
                                            {"converged", runs[r].converged},
                                            {"best", r == best}}));
  }
}

}  // namespace trellis::generative
