// The weights of factor graphs. A weight is identified by the type of what it scores, by an
// attribute, and by its position among the scores of the type:
//
//   type                   identified by       its scores
//   var                    domain              one for each value; a switch has one: on
//   table, named           name                one for each joint assignment; the last variable
//                                              changes fastest
//   sequence, named        name                one for each pair of values of neighbours
//   pair, named            name                one
//   head, named            name                four: none on; the first; the next; the last
//   next, of a head        the head's name     one: for two consecutive switches
//
// So the same weights score everything of one type, in every position and every graph. Each element
// has the attribute `bias`, which is 1, and those that the file gives it. A (type, attribute) has a
// run of weights, as many as the type has scores; runs are numbered in the order of their first
// occurrence.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/data/name_list.h"
#include "trellis/tasks/factors/domains.h"

namespace trellis::factors {

enum class ScoreKind { kVariable, kTable, kSequence, kPair, kHead, kNext };
constexpr auto names_of(ScoreKind) {
  return Names{"kind of scores", "var", "table", "sequence", "pair", "head", "next"};
}

// Positions of the scores of a head.
enum class HeadPlace { kNone, kFirst, kNext, kLast };
constexpr auto names_of(HeadPlace) {
  return Names{"place", "none", "first", "next", "last"};
}

struct ScoreType {
  ScoreKind kind = ScoreKind::kVariable;
  std::string name;                    // for a variable: its domain
  std::vector<std::uint32_t> domains;  // var: its own; table: for each variable; sequence: for all
  Index size = 0;                      // number of scores
};

class FactorFeatures {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::string_view kBias = "bias";

  // Unknown names are added until this call; afterwards they have no weights.
  void freeze() { frozen_ = true; }
  bool frozen() const { return frozen_; }
  FactorFeatures frozen_copy() const;

  Domains& domains() { return domains_; }
  const Domains& domains() const { return domains_; }

  // The number of a type; kNone: unknown and frozen. Throws UsageError if the name is known with
  // other domains, or a factor would have too many joint assignments.
  std::uint32_t type(ScoreKind kind, std::string_view name, std::vector<std::uint32_t> domains);
  // The run of weights of an attribute; kNone: unknown and frozen.
  std::uint32_t run(std::uint32_t type, std::string_view attribute);

  Index num_types() const { return types_.size(); }
  const ScoreType& score_type(Index type) const { return types_[type]; }
  Index num_runs() const { return runs_.size(); }
  Index begin(std::uint32_t run) const { return begin_[run]; }
  std::uint32_t type_of(Index run) const { return type_of_[run]; }
  std::string_view attribute(Index run) const;
  Index dimension() const { return begin_.back(); }

  // The run that contains a weight.
  std::uint32_t run_of(Index weight) const;
  // "var weather=rain humid", "table likes rain,on bias".
  std::string weight_name(Index weight) const;
  std::string score_name(const ScoreType& type, Index place) const;  // "weather=rain"

  // For model files: the names of runs, "TYPE ATTRIBUTE" with the number of the type.
  const NameList& run_names() const { return runs_; }
  // Adds the runs of a file in order. Throws UsageError for an invalid name.
  void add_runs(const NameView& names);

 private:
  Index size_of(ScoreKind kind, const std::vector<std::uint32_t>& domains) const;
  std::uint32_t add_run(std::uint32_t type, std::string_view key);

  Domains domains_;
  std::vector<ScoreType> types_;
  NameList type_names_;  // "kind name", with the numbers of types_
  NameList runs_;
  std::vector<Index> begin_ = {0};
  std::vector<std::uint32_t> type_of_;
  bool frozen_ = false;
};

}  // namespace trellis::factors
