#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "trellis/tasks/align/supervised/link_training.h"

namespace trellis::align {
namespace {

nlohmann::json figures(const AlignmentCounts& counts) {
  return {{"aer", counts.aer()},
          {"precision", counts.precision()},
          {"recall", counts.recall()},
          {"f1", counts.f()}};
}

std::string describe(const std::string& where, const AlignmentCounts& counts) {
  return fmt::format("{}: AER {:.2f}, precision {:.2f}, recall {:.2f}", where, 100 * counts.aer(),
                     100 * counts.precision(), 100 * counts.recall());
}

}  // namespace

std::string LinkTrainingResult::to_json() const {
  nlohmann::json json;
  put_learned(learned, seconds, json);
  json["model"] = shape.name();
  json["fertility"] = shape.most_links;
  json["quadratic"] = shape.quadratic;
  json["pairs"] = pairs;
  json["sure_links"] = sure;
  json["candidates"] = candidates;
  json["weights"] = weights;
  json["left_out"] = {{"not_candidates", left_out.not_candidates},
                      {"over_limit", left_out.over_limit}};
  json["cost"] = cost;
  json["offset"] = offset;
  if (lambda > 0) json["lambda"] = lambda;
  json["train"] = figures(train);
  if (held_out) json["held_out"] = figures(*held_out);
  if (dev) json["dev"] = figures(*dev);
  return json.dump();
}

std::vector<std::string> LinkTrainingResult::notes(const std::string& dev_name) const {
  std::vector<std::string> notes;
  notes.push_back(fmt::format("{} on {} labelled pairs: {} sure links, {:.1f} candidates for each",
                              shape.name(), pairs, sure,
                              static_cast<double>(candidates) / static_cast<double>(sure)));
  if (left_out.not_candidates > 0) {
    notes.push_back(fmt::format("{} sure links are no candidates: nothing speaks for them",
                                left_out.not_candidates));
  }
  notes.push_back(fmt::format("cost of a missing link {}, offset {:+.3g}", cost, offset));
  notes.push_back(describe("on the labelled pairs", train));
  if (held_out) notes.push_back(describe("on what was held out of them", *held_out));
  if (dev) notes.push_back(describe(dev_name, *dev));
  return notes;
}

}  // namespace trellis::align
