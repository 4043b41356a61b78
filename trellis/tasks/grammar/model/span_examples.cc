#include "trellis/tasks/grammar/model/span_examples.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "trellis/base/parallel.h"

namespace trellis::grammar {
namespace {

constexpr Index kBlock = 64;  // examples made at once, and then visited

}  // namespace

// The memory for making examples.
struct SpanExamples::Worker {
  ChartMaker::Scratch maker;
  SpanAtoms atoms;
  std::optional<SpanNumberer> numberer;
};

SpanExamples::SpanExamples(const ChartMaker& maker, const SpanNumbers* numbers,
                           const ChartedTrees& trees, const Options& options)
    : maker_(&maker),
      numbers_(numbers),
      trees_(trees),
      options_(options),
      kept_(trees.trees.size()),
      gold_(trees.trees.size()),
      recent_(2 * static_cast<Index>(resolve_threads(options.threads))) {}

SpanExamples::~SpanExamples() = default;

std::unique_ptr<SpanExamples::Worker> SpanExamples::take_worker() const {
  {
    const std::scoped_lock lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<Worker> worker = std::move(idle_.back());
      idle_.pop_back();
      return worker;
    }
  }
  auto worker = std::make_unique<Worker>();
  if (numbers_ != nullptr) worker->numberer.emplace(maker_->grammar().keys(), *numbers_);
  return worker;
}

std::shared_ptr<SpanExample> SpanExamples::make(Index i) const {
  std::unique_ptr<Worker> worker = take_worker();
  SpanExample example;
  const std::vector<std::string> words = trees_.trees[i].words();
  maker_->make(words, trees_.tagger.empty() ? nullptr : &trees_.tagger[i],
               trees_.derivations.empty() ? nullptr : &trees_.derivations[i], worker->maker,
               example);
  if (worker->numberer) {
    worker->atoms.assign(words, example.tags, maker_->grammar().keys());
    worker->numberer->fill(worker->atoms, example);
  }
  const std::scoped_lock lock(mutex_);
  idle_.push_back(std::move(worker));
  return std::make_shared<SpanExample>(std::move(example));
}

bool SpanExamples::make_all(const std::function<void(Index, const SpanExample&)>& visit) {
  std::vector<std::shared_ptr<SpanExample>> block(kBlock);
  for (Index begin = 0; begin < size(); begin += kBlock) {
    const Index here = std::min(kBlock, size() - begin);
    parallel_for(here, options_.threads, [&](Index k, int) {
      if (!options_.stop.stop_requested()) block[k] = make(begin + k);
    });
    if (options_.stop.stop_requested()) return false;
    for (Index k = 0; k < here; ++k) {
      visit(begin + k, *block[k]);
      gold_[begin + k] = block[k]->gold;
      const Index bytes = block[k]->bytes();
      if (bytes_kept_ + bytes > options_.bytes) continue;
      bytes_kept_ += bytes;
      ++num_kept_;
      block[k]->shrink();
      kept_[begin + k] = std::move(block[k]);
    }
  }
  return true;
}

std::shared_ptr<const SpanExample> SpanExamples::get(Index i) const {
  if (kept_[i]) return kept_[i];
  {
    const std::scoped_lock lock(mutex_);
    for (const Recent& recent : recent_) {
      if (recent.example && recent.number == i) return recent.example;
    }
  }
  std::shared_ptr<const SpanExample> example = make(i);
  const std::scoped_lock lock(mutex_);
  recent_[oldest_] = {i, example};
  oldest_ = (oldest_ + 1) % recent_.size();
  return example;
}

}  // namespace trellis::grammar
