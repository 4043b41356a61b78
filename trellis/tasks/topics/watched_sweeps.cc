#include "trellis/tasks/topics/watched_sweeps.h"

#include <fmt/format.h>

#include <cmath>

#include "trellis/tasks/topics/top_words.h"
#include "trellis/topics/coherence.h"

namespace trellis::topics {
namespace {

constexpr Index kNumbersOfALook = 6;

}  // namespace

bool WatchedSweeps::run(Stages& stages, const std::string& stage, TopicLearner& learner,
                        Index total, std::vector<Look>& looks) {
  bool known = true;
  Checkpoint end;
  const bool finished = stages.run(
      stage,
      [&](Checkpoint& done, Checkpoint& state) {
        known = false;
        if (!state.empty()) {
          restore(state, learner, looks);
        } else {
          learner.start();
        }
        while (learner.num_sweeps() < total && !learner.converged()) {
          if (stages.stop_requested()) {
            save(learner, looks, state);
            return false;
          }
          learner.sweep();
          tell(learner, total, looks);
          if (stages.due()) {
            save(learner, looks, state);
            stages.pause(stage, state);
          }
        }
        save(learner, looks, done);
        return true;
      },
      end);
  // Finished before this run: no sweeps needed.
  if (finished && known) restore(end, learner, looks);
  return finished;
}

void WatchedSweeps::tell(const TopicLearner& learner, Index total, std::vector<Look>& looks) {
  const Index sweep = learner.num_sweeps();
  const bool due = sweep == total || learner.converged() || learner.slow() ||
                   (watch_.every > 0 && sweep % watch_.every == 0);
  if (!due) {
    if (events_.on_progress) events_.on_progress(fmt::format("sweep {} of {}", sweep, total));
    return;
  }
  Look look;
  look.sweep = sweep;
  look.loss = learner.loss();
  if (watch_.held_out.documents.size() > 0) {
    look.held_out = learner.judge(watch_.held_out, watch_.particles);
  }
  look.coherence =
      mean_coherence(coherence(watch_.training, top_words(learner.model(), watch_.coherent_words)));
  look.seconds = seconds_before_ + stopwatch_.seconds();
  add(look, looks);
}

void WatchedSweeps::add(const Look& look, std::vector<Look>& looks) const {
  looks.push_back(look);
  if (!events_.on_epoch) return;
  EpochRecord record;
  record.epoch = look.sweep;
  record.loss = look.loss;
  // If classes are predicted, the dev metric is the error in percent.
  record.dev =
      std::isfinite(look.held_out.error) ? 100 * look.held_out.error : look.held_out.perplexity;
  record.passes = 1;
  record.seconds = look.seconds;
  events_.on_epoch(record);
}

void WatchedSweeps::save(const TopicLearner& learner, const std::vector<Look>& looks,
                         Checkpoint& state) const {
  learner.save(state);
  std::vector<double> numbers;
  for (const Look& look : looks) {
    numbers.insert(numbers.end(),
                   {static_cast<double>(look.sweep), look.loss, look.held_out.perplexity,
                    look.held_out.error, look.seconds, look.coherence});
  }
  state.put("looks", numbers);
  const double seconds[] = {seconds_before_ + stopwatch_.seconds()};
  state.put("seconds", seconds);
}

void WatchedSweeps::restore(const Checkpoint& state, TopicLearner& learner,
                            std::vector<Look>& looks) {
  learner.restore(state);
  double seconds[1];
  state.get("seconds", seconds);
  seconds_before_ = seconds[0];
  const std::vector<double>& numbers = state.doubles("looks");
  for (Index x = 0; x + kNumbersOfALook <= numbers.size(); x += kNumbersOfALook) {
    add({static_cast<Index>(numbers[x]),
         numbers[x + 1],
         {numbers[x + 2], numbers[x + 3]},
         numbers[x + 4],
         numbers[x + 5]},
        looks);
  }
}

}  // namespace trellis::topics
