// What the weights of a factor graph are for. A weight is known by the type of what it scores, by
// an attribute, and by its place among the scores of the type:
//
//   type                   known by            its scores
//   var                    domain              one for each value; of a switch, one: on
//   table, named           name                one for each joint assignment, the last changes
//                                              fastest
//   sequence, named        name                one for each two values of neighbours
//   pair, named            name                one
//   head, named            name                four: none on; the first; the next; the last
//   next, of a head        the head's name     one: of two switches that follow each other
//
// So everything of one type is scored by the same weights, wherever in a graph and in which graph
// it stands. Each has the attribute `bias`, which is 1, and those that the file gives it. A (type,
// attribute) has a run of weights, as many as the type has scores, and runs are numbered in the
// order in which they are first seen.
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

// Places of the scores of a head.
enum class HeadPlace { kNone, kFirst, kNext, kLast };
constexpr auto names_of(HeadPlace) {
  return Names{"place", "none", "first", "next", "last"};
}

struct ScoreType {
  ScoreKind kind = ScoreKind::kVariable;
  std::string name;                    // of a variable: its domain
  std::vector<std::uint32_t> domains;  // var: its own; table: of each variable; sequence: of all
  Index size = 0;                      // scores
};

class FactorFeatures {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::string_view kBias = "bias";

  // Names that are not known are added, until it is frozen: then they have no weights.
  void freeze() { frozen_ = true; }
  bool frozen() const { return frozen_; }
  FactorFeatures frozen_copy() const;

  Domains& domains() { return domains_; }
  const Domains& domains() const { return domains_; }

  // kNone: not known, and frozen. Throws UsageError where the name is known for other domains, and
  // for more joint assignments than a factor may have.
  std::uint32_t type(ScoreKind kind, std::string_view name, std::vector<std::uint32_t> domains);
  // The run of weights of an attribute; kNone: not known, and frozen.
  std::uint32_t run(std::uint32_t type, std::string_view attribute);

  Index num_types() const { return types_.size(); }
  const ScoreType& score_type(Index type) const { return types_[type]; }
  Index num_runs() const { return runs_.size(); }
  Index begin(std::uint32_t run) const { return begin_[run]; }
  std::uint32_t type_of(Index run) const { return type_of_[run]; }
  std::string_view attribute(Index run) const;
  Index dimension() const { return begin_.back(); }

  // The run that a weight belongs to.
  std::uint32_t run_of(Index weight) const;
  // "var weather=rain humid", "table likes rain,on bias".
  std::string weight_name(Index weight) const;
  std::string score_name(const ScoreType& type, Index place) const;  // "weather=rain"

  // What a model file stores: the runs' names, "TYPE ATTRIBUTE" with the number of the type.
  const NameList& run_names() const { return runs_; }
  // The runs of a file, in order. Throws UsageError for what is no such name.
  void add_runs(const NameView& names);

 private:
  Index size_of(ScoreKind kind, const std::vector<std::uint32_t>& domains) const;
  std::uint32_t add_run(std::uint32_t type, std::string_view key);

  Domains domains_;
  std::vector<ScoreType> types_;
  NameList type_names_;  // "kind name", numbered as types_
  NameList runs_;
  std::vector<Index> begin_ = {0};
  std::vector<std::uint32_t> type_of_;
  bool frozen_ = false;
};

}  // namespace trellis::factors
