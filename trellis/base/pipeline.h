// Processes the items of a stream in parallel, finishes them in their order, and needs constant
// memory: it reads a batch, all threads process its items, and then each item is finished in order.
//
// If reading or processing an item fails, the items before it are finished first; then the
// exception is rethrown. So output and messages do not depend on batches and threads.
#pragma once

#include <exception>
#include <functional>
#include <vector>

#include "trellis/base/parallel.h"
#include "trellis/base/types.h"

namespace trellis {

template <class Item>
class Pipeline {
 public:
  // A batch of one item: each item is written as soon as it is read.
  static constexpr Index kAtOnce = 1;

  Pipeline(Index batch_size, int threads)
      : threads_(batch_size == kAtOnce ? 1 : resolve_threads(threads)),
        batch_(batch_size),
        faults_(batch_size) {}

  Index batch_size() const { return batch_.size(); }
  int num_workers() const { return threads_; }
  // The item in that slot of the batch; behind the last item, what the last read left there.
  const Item& item(Index slot) const { return batch_[slot]; }

  // read(item): false at the end; slot < batch_size(), worker < num_workers(). Returns the number
  // of items in the last batch.
  using Read = std::function<bool(Item& item)>;
  using Work = std::function<void(const Item& item, Index slot, int worker)>;
  using Finish = std::function<void(const Item& item, Index slot)>;
  Index run(const Read& read, const Work& work, const Finish& finish) {
    Index count = 0;
    do {
      count = read_batch(read);
      parallel_for(count, threads_, [&](Index i, int worker) {
        faults_[i] = nullptr;
        try {
          work(batch_[i], i, worker);
        } catch (...) {
          faults_[i] = std::current_exception();
        }
      });
      for (Index i = 0; i < count; ++i) {
        if (faults_[i]) std::rethrow_exception(faults_[i]);
        finish(batch_[i], i);
      }
      if (read_fault_) std::rethrow_exception(read_fault_);
    } while (count == batch_.size());
    return count;
  }

 private:
  Index read_batch(const Read& read) {
    Index count = 0;
    try {
      while (count < batch_.size() && read(batch_[count])) ++count;
    } catch (...) {
      read_fault_ = std::current_exception();
    }
    return count;
  }

  int threads_;
  std::vector<Item> batch_;
  std::vector<std::exception_ptr> faults_;  // of each item of the batch
  std::exception_ptr read_fault_;
};

}  // namespace trellis
