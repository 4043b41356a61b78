#include "trellis/tasks/factors/factor_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/solve/factors/factor_graph_layout.h"

namespace trellis::factors {
namespace {

constexpr Index kMostWeights = Index{1} << 32;

}  // namespace

FactorFeatures FactorFeatures::frozen_copy() const {
  FactorFeatures copy = *this;
  copy.freeze();
  return copy;
}

Index FactorFeatures::size_of(ScoreKind kind, const std::vector<std::uint32_t>& domains) const {
  switch (kind) {
    case ScoreKind::kVariable:
      return domains_[domains[0]].arity();
    case ScoreKind::kSequence:
    case ScoreKind::kTable: {
      // A sequence has one domain for all its variables, and scores for pairs of its values.
      Index size = kind == ScoreKind::kSequence ? domains_[domains[0]].values.size() : 1;
      for (const std::uint32_t d : domains) {
        size *= domains_[d].values.size();
        if (size > FactorGraphBuilder::kMostParts) {
          throw UsageError(fmt::format("a {} has at most {} joint assignments", to_string(kind),
                                       FactorGraphBuilder::kMostParts));
        }
      }
      return size;
    }
    case ScoreKind::kHead:
      return names_of(HeadPlace{}).words.size();
    case ScoreKind::kPair:
    case ScoreKind::kNext:
      break;
  }
  return 1;
}

std::uint32_t FactorFeatures::type(ScoreKind kind, std::string_view name,
                                   std::vector<std::uint32_t> domains) {
  const std::string key = fmt::format("{} {}", to_string(kind), name);
  const std::uint32_t known = type_names_.find(key);
  if (known != NameList::kNone) {
    const ScoreType& type = types_[known];
    if (type.domains == domains) return known;
    std::string before;
    for (const std::uint32_t d : type.domains) before += " " + domains_[d].name;
    throw UsageError(fmt::format("the {} '{}' is already used for variables of other domains:{}",
                                 to_string(kind), name, before));
  }
  const Index size = size_of(kind, domains);
  if (frozen_) return kNone;
  types_.push_back({kind, std::string(name), std::move(domains), size});
  return type_names_.add(key);
}

std::uint32_t FactorFeatures::run(std::uint32_t type, std::string_view attribute) {
  if (type == kNone) return kNone;
  const std::string key = fmt::format("{} {}", type, attribute);
  const std::uint32_t known = runs_.find(key);
  return known != NameList::kNone || frozen_ ? known : add_run(type, key);
}

std::uint32_t FactorFeatures::add_run(std::uint32_t type, std::string_view key) {
  if (dimension() + types_[type].size > kMostWeights) {
    throw UsageError(fmt::format("there are more than {} weights", kMostWeights));
  }
  begin_.push_back(dimension() + types_[type].size);
  type_of_.push_back(type);
  return runs_.add(key);
}

void FactorFeatures::add_runs(const NameView& names) {
  for (Index r = 0; r < names.size(); ++r) {
    const std::string_view name = names[r];
    const auto blank = name.find(' ');
    const auto type = parse_integer(name.substr(0, blank));
    const bool whole = blank != std::string_view::npos && type && *type >= 0 &&
                       static_cast<Index>(*type) < types_.size() &&
                       name == fmt::format("{} {}", *type, name.substr(blank + 1));
    if (!whole || runs_.find(name) != NameList::kNone) {
      throw UsageError("the attributes of the model are not valid");
    }
    add_run(static_cast<std::uint32_t>(*type), name);
  }
}

std::string_view FactorFeatures::attribute(Index run) const {
  const std::string_view name = runs_[run];
  return name.substr(name.find(' ') + 1);
}

std::uint32_t FactorFeatures::run_of(Index weight) const {
  const auto behind = std::upper_bound(begin_.begin(), begin_.end(), weight);
  return static_cast<std::uint32_t>(behind - begin_.begin() - 1);
}

std::string FactorFeatures::score_name(const ScoreType& type, Index place) const {
  const auto value = [&](Index d, Index k) { return domains_[d].values[k]; };
  switch (type.kind) {
    case ScoreKind::kVariable: {
      const bool on = domains_[type.domains[0]].is_switch;
      return fmt::format("{}={}", type.name, value(type.domains[0], on ? 1 : place));
    }
    case ScoreKind::kTable: {
      std::string values;
      for (Index k = type.domains.size(); k-- > 0;) {
        const Index count = domains_[type.domains[k]].values.size();
        values = fmt::format("{}{}{}", value(type.domains[k], place % count),
                             values.empty() ? "" : ",", values);
        place /= count;
      }
      return fmt::format("{} {}", type.name, values);
    }
    case ScoreKind::kSequence: {
      const Index count = domains_[type.domains[0]].values.size();
      return fmt::format("{} {},{}", type.name, value(type.domains[0], place / count),
                         value(type.domains[0], place % count));
    }
    case ScoreKind::kHead:
      return fmt::format("{} {}", type.name, to_string(static_cast<HeadPlace>(place)));
    case ScoreKind::kPair:
    case ScoreKind::kNext:
      break;
  }
  return type.name;
}

std::string FactorFeatures::weight_name(Index weight) const {
  const std::uint32_t run = run_of(weight);
  const ScoreType& type = types_[type_of_[run]];
  return fmt::format("{} {} {}", to_string(type.kind), score_name(type, weight - begin_[run]),
                     attribute(run));
}

}  // namespace trellis::factors
