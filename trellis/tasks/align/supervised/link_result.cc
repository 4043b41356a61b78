#include <fmt/format.h>

#include "trellis/tasks/align/supervised/link_training.h"

namespace trellis::align {
namespace {

Value figures(const AlignmentCounts& counts) {
  return Value::record({{"aer", counts.aer()},
                        {"precision", counts.precision()},
                        {"recall", counts.recall()},
                        {"f1", counts.f()}});
}

std::string describe(const std::string& where, const AlignmentCounts& counts) {
  return fmt::format("{}: AER {:.2f}, precision {:.2f}, recall {:.2f}", where, 100 * counts.aer(),
                     100 * counts.precision(), 100 * counts.recall());
}

}  // namespace

Value LinkTrainingResult::record() const {
  Value record;
  put_learned(learned, seconds, record);
  record["model"] = shape.name();
  record["fertility"] = shape.most_links;
  record["quadratic"] = shape.quadratic;
  record["pairs"] = pairs;
  record["sure_links"] = sure;
  record["candidates"] = candidates;
  record["weights"] = weights;
  record["left_out"] = Value::record(
      {{"not_candidates", left_out.not_candidates}, {"over_limit", left_out.over_limit}});
  record["cost"] = cost;
  record["offset"] = offset;
  if (lambda > 0) record["lambda"] = lambda;
  record["train"] = figures(train);
  if (held_out) record["held_out"] = figures(*held_out);
  if (dev) record["dev"] = figures(*dev);
  return record;
}

std::vector<std::string> LinkTrainingResult::notes(const std::string& dev_name) const {
  std::vector<std::string> notes;
  notes.push_back(fmt::format("{} on {} labelled pairs: {} sure links, {:.1f} candidates for each",
                              shape.name(), pairs, sure,
                              static_cast<double>(candidates) / static_cast<double>(sure)));
  if (left_out.not_candidates > 0) {
    notes.push_back(
        fmt::format("{} sure links are not candidates, since no evidence was found for them: they "
                    "cannot be learned",
                    left_out.not_candidates));
  }
  notes.push_back(fmt::format("cost of a missing link {}, offset {:+.3g}", cost, offset));
  notes.push_back(describe("on the labelled pairs", train));
  if (held_out) notes.push_back(describe("on held-out labelled pairs", *held_out));
  if (dev) notes.push_back(describe(dev_name, *dev));
  return notes;
}

}  // namespace trellis::align
