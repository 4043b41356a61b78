#include "trellis/frame/training/stages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/learn/frame/checkpoint_file.h"

namespace trellis {
namespace {

constexpr std::string_view kIdentity = "stages/identity";
constexpr std::string_view kResult = "result";
constexpr std::string_view kState = "state";

// "result:fold/3:w": names of stages and entries have no colon.
std::string entry(std::string_view kind, std::string_view stage, std::string_view name) {
  return fmt::format("{}:{}:{}", kind, stage, name);
}

template <class Visit>
void each_entry(const Checkpoint& checkpoint, const Visit& visit) {
  for (const auto& [name, values] : checkpoint.all_doubles()) visit(name, values);
  for (const auto& [name, values] : checkpoint.all_integers()) visit(name, values);
  for (const auto& [name, text] : checkpoint.all_texts()) visit(name, text);
}

struct Put {
  Checkpoint& to;
  void operator()(std::string_view name, const std::vector<double>& values) const {
    to.put(name, values);
  }
  void operator()(std::string_view name, const std::vector<std::uint64_t>& values) const {
    to.put_integers(name, values);
  }
  void operator()(std::string_view name, const std::string& text) const { to.put_text(name, text); }
};

// The lines of `text` that `other` does not have.
std::string lines_missing_in(std::string_view other, std::string_view text) {
  std::vector<std::string_view> known, lines;
  split(other, '\n', known);
  split(text, '\n', lines);
  std::erase_if(lines, [&](std::string_view line) {
    return std::find(known.begin(), known.end(), line) != known.end();
  });
  return fmt::format("{}", fmt::join(lines, ", "));
}

}  // namespace

Stages::Stages(CheckpointOptions options, std::string identity, std::stop_token stop)
    : options_(std::move(options)),
      identity_(std::move(identity) + options_.options_given),
      stop_(std::move(stop)),
      saved_(std::chrono::steady_clock::now()) {
  if (options_.resume && std::filesystem::exists(options_.checkpoint)) load();
}

void Stages::load() {
  const Checkpoint all = read_checkpoint(options_.checkpoint);
  const std::string found = all.has(kIdentity) ? all.text(kIdentity) : "";
  if (found != identity_) {
    throw InputError(
        options_.checkpoint, 0,
        fmt::format("this checkpoint belongs to another run (other data or options): "
                    "expected '{}', found '{}'",
                    lines_missing_in(found, identity_), lines_missing_in(identity_, found)));
  }
  each_entry(all, [&](std::string_view name, const auto& value) {
    const auto first = name.find(':');
    const auto second = name.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) return;
    const std::string stage(name.substr(first + 1, second - first - 1));
    Checkpoint& kept = (name.substr(0, first) == kResult ? results_ : states_)[stage];
    if (second + 1 < name.size()) Put{kept}(name.substr(second + 1), value);
  });
  resumed_ = on_disk_ = true;
}

void Stages::save() {
  saved_ = std::chrono::steady_clock::now();
  if (options_.checkpoint.empty()) return;
  Checkpoint all;
  all.put_text(kIdentity, identity_);
  const auto put = [&](std::string_view kind, const std::map<std::string, Checkpoint>& stages) {
    for (const auto& stage : stages) {
      all.put_text(entry(kind, stage.first, ""), "");  // records the stage, even if it is empty
      each_entry(stage.second, [&](std::string_view name, const auto& value) {
        Put{all}(entry(kind, stage.first, name), value);
      });
    }
  };
  put(kResult, results_);
  put(kState, states_);
  write_checkpoint(all, options_.checkpoint);
  on_disk_ = true;
}

bool Stages::run(const std::string& name, const Work& work, Checkpoint& result) {
  Checkpoint state;
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = results_.find(name); known != results_.end()) {
      result = known->second;
      return true;
    }
    if (const auto left = states_.find(name); left != states_.end()) state = left->second;
  }
  result.clear();
  const bool finished = work(result, state);
  const std::lock_guard lock(mutex_);
  if (finished) {
    states_.erase(name);
    results_[name] = result;
    if (std::chrono::steady_clock::now() - saved_ >
        std::chrono::duration<double>(options_.save_every)) {
      save();
    }
    return true;
  }
  if (!state.empty()) states_[name] = std::move(state);
  save();
  return false;
}

bool Stages::due() const {
  if (options_.checkpoint.empty()) return false;
  const std::lock_guard lock(mutex_);
  return std::chrono::steady_clock::now() - saved_ >
         std::chrono::duration<double>(options_.save_every);
}

void Stages::pause(const std::string& name, const Checkpoint& state) {
  const std::lock_guard lock(mutex_);
  states_[name] = state;
  save();
}

void Stages::keep() {
  const std::lock_guard lock(mutex_);
  save();
}

void Stages::drop_from(Checkpoint& result, std::string_view dropped) {
  Checkpoint kept;
  each_entry(result, [&](std::string_view entry, const auto& value) {
    if (entry != dropped) Put{kept}(entry, value);
  });
  result = std::move(kept);
}

void Stages::drop(const std::string& name, std::string_view dropped) {
  const std::lock_guard lock(mutex_);
  const auto found = results_.find(name);
  if (found != results_.end()) drop_from(found->second, dropped);
}

void Stages::drop_all(std::string_view prefix, std::string_view dropped) {
  const std::lock_guard lock(mutex_);
  for (auto& [name, result] : results_) {
    if (name.starts_with(prefix)) drop_from(result, dropped);
  }
}

bool Stages::known(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  return results_.contains(name);
}

void Stages::forget(std::string_view prefix) {
  const std::lock_guard lock(mutex_);
  std::erase_if(results_, [&](const auto& one) { return one.first.starts_with(prefix); });
}

void Stages::discard() const {
  if (on_disk_) std::filesystem::remove(options_.checkpoint);
}

}  // namespace trellis
