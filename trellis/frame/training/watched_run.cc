#include "trellis/frame/training/watched_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/learn/frame/early_stopping.h"
#include "trellis/learn/frame/trace.h"

namespace trellis {
namespace {

// Iterations of a batch learner are compared by the mean dev metric of this many consecutive ones;
// epochs of an online learner are few, and are compared one by one.
constexpr Index kBatchWindow = 5;

// A finished run as the entries of a stage's result.
void put_run(const Watched& run, std::span<const double> w, Checkpoint& result) {
  const LearnSummary& summary = run.fitted.summary;
  const std::array<double, 7> numbers = {
      summary.objective, summary.bound,
      summary.missed,    static_cast<double>(summary.epochs),
      summary.seconds,   static_cast<double>(static_cast<int>(summary.termination)),
      run.fitted.eta};
  result.put("summary", numbers);
  result.put_integers("best_epoch", std::array{std::uint64_t{run.best_epoch}});
  put_epochs(summary.history, "history", result);
  result.put("w", w);
  if (!run.end.empty()) result.put("end", run.end);
  std::vector<double> votes;
  for (Index v = 0; v < run.fitted.voters.size(); ++v) {
    votes.push_back(run.fitted.voters[v].votes);
    result.put(fmt::format("voter/{}", v), run.fitted.voters[v].weights);
  }
  result.put("votes", votes);
}

void get_run(const Checkpoint& result, std::span<double> w, Watched& run) {
  std::array<double, 7> numbers{};
  result.get("summary", numbers);
  constexpr auto kLast = static_cast<double>(static_cast<int>(Termination::kLimit));
  if (!(numbers[3] >= 0 && numbers[3] < 9e15) || !(numbers[5] >= 0 && numbers[5] <= kLast)) {
    throw InputError("checkpoint", 0, "the summary of a finished stage is damaged");
  }
  LearnSummary& summary = run.fitted.summary;
  summary.objective = numbers[0];
  summary.bound = numbers[1];
  summary.missed = numbers[2];
  summary.epochs = static_cast<Index>(numbers[3]);
  summary.seconds = numbers[4];
  summary.termination = static_cast<Termination>(static_cast<int>(numbers[5]));
  run.fitted.eta = numbers[6];
  summary.history = get_epochs("history", result);
  std::array<std::uint64_t, 1> best_epoch{};
  result.get_integers("best_epoch", best_epoch);
  run.best_epoch = best_epoch[0];
  run.weightless = !result.has("w");
  if (!run.weightless) result.get("w", w);
  if (result.has("end")) run.end = result.doubles("end");
  const std::vector<double>& votes = result.doubles("votes");
  for (Index v = 0; v < votes.size(); ++v) {
    run.fitted.voters.push_back({result.doubles(fmt::format("voter/{}", v)), votes[v]});
  }
}

// Runs the learner until it is finished. When it is time to save, the learner stops, and then
// continues from the state that it left.
bool run_and_save(Stages& stages, const std::string& stage, const FitFunction& fit, FitCall& call,
                  EarlyStopping* early, const OnEpoch& on_epoch, Checkpoint& state,
                  Fitted& fitted) {
  call.control.checkpoint = &state;
  while (true) {
    std::stop_source source;
    const std::stop_callback outer(stages.stop(), [&] { source.request_stop(); });
    call.control.stop = source.get_token();
    call.control.observer = [&](EpochRecord& record, std::span<const double> w) {
      if (!record.finished) {  // nothing to evaluate or to save yet
        if (on_epoch) on_epoch(record);
        return true;
      }
      const bool go_on = early == nullptr || early->observe(record, w);
      if (on_epoch) on_epoch(record);
      if (stages.due()) source.request_stop();
      return go_on;
    };
    fitted = fit(call);
    if (fitted.summary.termination != Termination::kInterrupted) return true;
    if (early != nullptr) early->save(state);
    if (stages.stop_requested()) return false;
    stages.pause(stage, state);
  }
}

}  // namespace

bool run_watched(Stages& stages, const std::string& stage, const FitFunction& fit, FitCall call,
                 const Metric& metric, const OnEpoch& on_epoch, Watched& watched) {
  bool ran = false;
  Checkpoint result;
  const bool finished = stages.run(
      stage,
      [&](Checkpoint& found, Checkpoint& state) {
        ran = true;
        std::unique_ptr<EarlyStopping> early;
        if (metric) {
          EarlyStoppingOptions stopping;
          stopping.patience = call.choice.values.patience.value_or(0);
          if (call.choice.batch()) stopping.window = kBatchWindow;
          early = std::make_unique<EarlyStopping>(stopping, metric);
          if (!state.empty()) early->load(state);
        }
        if (!run_and_save(stages, stage, fit, call, early.get(), on_epoch, state, watched.fitted)) {
          return false;
        }
        if (early != nullptr) {
          watched.end.assign(call.w.begin(), call.w.end());
          early->restore_best(call.w);
          watched.best_epoch = early->best_epoch();
          if (std::equal(watched.end.begin(), watched.end.end(), call.w.begin())) {
            watched.end.clear();
          }
        }
        put_run(watched, call.w, found);
        return true;
      },
      result);
  if (finished && !ran) get_run(result, call.w, watched);
  return finished;
}

}  // namespace trellis
