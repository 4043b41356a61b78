// What the tests of the choice share: a model that can do everything, a task that says nothing, and
// the sentence of a refusal.
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/fit/choose.h"
#include "trellis/fit/learner_options.h"

namespace trellis::testing {

inline Able able_to_do_all() {
  Able able;
  able.hinge = able.linear_costs = able.k_best = able.sums = able.draws = true;
  able.projects = able.flat = able.faces = able.partial = true;
  return able;
}

inline TaskDefaults silent_task() {
  TaskDefaults defaults;
  defaults.loss = Loss::named("svm");
  defaults.smooth = LearnerKind::kLbfgs;
  defaults.hinge = LearnerKind::kBcfw;
  return defaults;
}

inline LearnerOptions saying(LearnerKind learner) {
  LearnerOptions said;
  said.learner = learner;
  return said;
}
inline LearnerOptions saying(LearnerKind learner, std::string_view loss) {
  LearnerOptions said = saying(learner);
  said.loss = Loss::named(loss);
  return said;
}

inline LearnerChoice chosen(const LearnerOptions& said, const Able& able = able_to_do_all()) {
  return choose(said, silent_task(), able);
}

// What a UsageError says; empty: there was none.
template <class Call>
std::string refusal_by(const Call& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}
inline std::string refusal_of(const LearnerOptions& said, const Able& able = able_to_do_all()) {
  return refusal_by([&] { chosen(said, able); });
}

inline bool contains(std::string_view text, std::string_view piece) {
  return text.find(piece) != std::string_view::npos;
}

}  // namespace trellis::testing
