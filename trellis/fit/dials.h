// The dials of the learners, told once: a row makes the flag of the command line and its help, the
// keyword of a library call, the refusal of a learner that does not have it, the identity of a
// checkpoint and the provenance in a model.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/fit/learner_options.h"

namespace trellis {

struct Dial {
  template <class Value>
  using Member = std::optional<Value> LearnerOptions::*;

  std::string_view name;  // "gap-every"
  std::string_view help;
  LearnerSet learners;  // those that have it; any other refuses it
  std::variant<Member<double>, Member<Index>, Member<bool>, Member<std::string>> member;
  bool above_zero = false;                   // a number must be > 0, not only ≥ 0
  std::vector<std::string_view> words = {};  // what a text may be

  bool said(const LearnerOptions& options) const;
  bool numeric() const { return member.index() < 2; }
  // C, λ and the radius say the same in three ways.
  bool holds_weights() const { return name == "c" || name == "lambda" || name == "radius"; }
  // As the command line has it ("0.1", "stored", "true"); empty where it was not said.
  std::string text(const LearnerOptions& options) const;
  // Throws UsageError for a text that is no value of this dial.
  void set(LearnerOptions& options, std::string_view text) const;
  void set(LearnerOptions& options, double value) const;  // numeric dials
  double number(const LearnerOptions& options) const;     // numeric dials that were said
  // Throws UsageError for a value that is out of range.
  void check(const LearnerOptions& options) const;
};

std::span<const Dial> dials();
const Dial& dial(std::string_view name);  // throws UsageError for a name that is none

}  // namespace trellis
