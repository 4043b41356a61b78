// What weights are held to (problem/centred_model.h): 0, the unlearned score, or another model.
//
// Of few examples, or examples that are much alike, there is little to learn, and weights near 0
// are a bad guess where a good one is known: that every difference of shape contexts counts against
// a match, all alike. Held to these, a strong penalty leaves what nobody had to learn.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/tasks/match/match_data.h"
#include "trellis/tasks/match/match_model.h"

namespace trellis::match {

enum class Centre {
  kAutomatic,  // chosen, where it can be: see centres()
  kNone,       // 0
  kUnlearned,  // every difference of shape contexts weighs the same, as for Estimator::kDistance
  kModel,      // the weights of another model of the same features
};

struct CentreOption {
  Centre kind = Centre::kAutomatic;
  std::string name = "auto";  // as it was said
  std::shared_ptr<const MatchModel> model;
};

// "auto", "none", "unlearned", or the file of a model, which is read. Throws InputError.
CentreOption parse_centre(const std::string& said);

// Not of graphs, whose features mean nothing before they are learned, nor of partial matchings,
// which it leaves empty.
bool has_unlearned_score(Cover cover, bool pairs);
inline bool has_unlearned_score(const MatchFeatures& features) {
  return has_unlearned_score(features.cover(), features.pairs());
}
// Throws UsageError for the unlearned score where there is none.
void require_centre(const CentreOption& option, Cover cover, bool pairs);

// Those that an option leaves to choose from, the first of which wins a draw.
std::vector<Centre> centres(const CentreOption& option, const MatchFeatures& features);

// The weights of a model for these features; those that it does not know are 0. Throws UsageError
// for a model of another kind of features.
std::vector<double> weights_for(const MatchFeatures& features, const MatchModel& model);

// How many times −1 the weights of the unlearned score are: so that their margin loss is least, but
// no less than what lets the true matching beat the mean of all others by 1. The penalty is for
// leaving them, and is not to be paid for their length. `scale` is what features of `examples` were
// multiplied by.
double unlearned_scale(std::span<const MatchExample> examples, std::span<const double> scale,
                       int threads);

}  // namespace trellis::match
