#include "trellis/tasks/tag/model/transition_rules.h"

#include <fmt/format.h>

#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/types.h"

namespace trellis::tag {

TransitionRules transition_rules(std::span<const std::string> labels, TagScheme scheme) {
  TransitionRules rules(labels.size());
  if (scheme == TagScheme::kPlain) return rules;
  const Tag outside = parse_tag("O");
  std::vector<Tag> tags;
  for (const std::string& label : labels) {
    tags.push_back(parse_tag(label));
    if (!belongs_to(scheme, tags.back())) {
      throw UsageError(fmt::format("the label \"{}\" does not belong to the tag scheme {}", label,
                                   to_string(scheme)));
    }
  }
  for (Index i = 0; i < tags.size(); ++i) {
    const Label from = static_cast<Label>(i);
    if (!may_follow(scheme, outside, tags[i])) rules.forbid_start(from);
    if (!may_follow(scheme, tags[i], outside)) rules.forbid_stop(from);
    for (Index j = 0; j < tags.size(); ++j) {
      if (!may_follow(scheme, tags[i], tags[j])) rules.forbid(from, static_cast<Label>(j));
    }
  }
  return rules;
}

}  // namespace trellis::tag
