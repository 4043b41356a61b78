#include "trellis/tasks/tables/bayes/structure_choice.h"

#include <fmt/format.h>

#include <cstdint>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/learn/frame/checkpoint.h"

namespace trellis::bayes {
namespace {

constexpr std::string_view kNaive = "naive", kChowLiu = "chow-liu", kClimbing = "hill-climbing";

// Stores the lists one after another, with the end of each.
void put_parents(const NetworkParents& parents, Checkpoint& checkpoint) {
  std::vector<std::uint64_t> ends, numbers;
  for (const std::vector<Index>& list : parents) {
    numbers.insert(numbers.end(), list.begin(), list.end());
    ends.push_back(numbers.size());
  }
  checkpoint.put_integers("structure/ends", ends);
  checkpoint.put_integers("structure/numbers", numbers);
}

// NetworkGraph checks the arrows themselves.
NetworkParents get_parents(const Checkpoint& checkpoint) {
  const std::vector<std::uint64_t>& numbers = checkpoint.integers("structure/numbers");
  NetworkParents parents;
  std::uint64_t begin = 0;
  for (const std::uint64_t end : checkpoint.integers("structure/ends")) {
    if (end < begin || end > numbers.size()) {
      throw InputError("the checkpoint", 0, "has a structure that is damaged");
    }
    parents.emplace_back(numbers.begin() + static_cast<std::ptrdiff_t>(begin),
                         numbers.begin() + static_cast<std::ptrdiff_t>(end));
    begin = end;
  }
  return parents;
}

std::optional<NetworkParents> climb_stage(const RowData& data, const StructureOptions& options,
                                          Stages& stages, const TrainEvents& events) {
  HillClimbing climbing;
  climbing.max_parents = options.max_parents.value_or(climbing.max_parents);
  climbing.threads = options.threads;
  Checkpoint end;
  const bool finished = stages.run(
      "structure",
      [&](Checkpoint& done, Checkpoint&) {
        const LearnedGraph learned =
            climb_hills(data.variables, data.rows, climbing, {}, [&](const ClimbingStep& step) {
              if (events.on_progress) {
                events.on_progress(
                    fmt::format("structure: step {}, BIC {:.6g}", step.step, step.best_score));
              }
              return !stages.stop_requested();
            });
        if (stages.stop_requested()) return false;
        put_parents(learned.parents, done);
        return true;
      },
      end);
  if (!finished) return std::nullopt;
  return get_parents(end);
}

}  // namespace

bool StructureOptions::is_file() const {
  return structure != kNaive && structure != kChowLiu && structure != kClimbing;
}

void StructureOptions::check() const {
  if (max_parents && structure != kClimbing) {
    throw UsageError("--max-parents requires --structure hill-climbing");
  }
  if (!is_file()) return;
  try {
    require_readable(structure);
  } catch (const InputError&) {
    throw UsageError(
        fmt::format("unknown structure '{}': expected naive, chow-liu, hill-climbing "
                    "or the file of a network that can be read",
                    structure));
  }
}

std::optional<NetworkParents> learn_parents(const RowData& data, const std::vector<Index>& targets,
                                            const StructureOptions& options, Stages& stages,
                                            const TrainEvents& events) {
  if (options.structure == kNaive) {
    if (targets.size() != 1) throw UsageError("--structure naive requires one --target");
    return naive_parents(data.variables.size(), targets.front());
  }
  data.require_values(
      "learning a structure requires (use --structure naive or --structure FILE for missing "
      "values)");
  if (options.structure == kChowLiu) {
    return chow_liu_parents(data.variables, data.rows, targets.empty() ? 0 : targets.front(),
                            options.threads);
  }
  return climb_stage(data, options, stages, events);
}

}  // namespace trellis::bayes
