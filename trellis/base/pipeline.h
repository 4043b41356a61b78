// Items of a stream, worked on in parallel and finished in their order, in constant memory: a batch
// is read, its items are handled by all threads, then each is finished in turn.
//
// Where reading or working on an item fails, those before it are finished first; then the exception
// goes on. So what is written and what is said do not depend on batches and threads.
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
  // A batch of one item: what is piped in comes out at once.
  static constexpr Index kAtOnce = 1;

  Pipeline(Index batch_size, int threads)
      : threads_(batch_size == kAtOnce ? 1 : resolve_threads(threads)),
        batch_(batch_size),
        faults_(batch_size) {}

  Index batch_size() const { return batch_.size(); }
  int num_workers() const { return threads_; }
  // What lies in that place of the batch; behind the last item, what reading left there.
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
