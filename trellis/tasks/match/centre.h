// The centre of regularisation (problem/centred_model.h): 0, the unlearned score, or another model.
//
// With few or very similar examples, 0 is a bad centre if a good score is known: that each
// difference of shape contexts counts equally against a match. With this centre, a strong penalty
// leaves a useful score.
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
  kAutomatic,  // chosen from centres() if possible
  kNone,       // 0
  kUnlearned,  // equal weights for all differences of shape contexts, as in Estimator::kDistance
  kModel,      // the weights of another model of the same features
};

struct CentreOption {
  Centre kind = Centre::kAutomatic;
  std::string name = "auto";  // as given
  std::shared_ptr<const MatchModel> model;
};

// Parses "auto", "none" or "unlearned", or reads the file of a model. Throws InputError.
CentreOption parse_centre(const std::string& said);

// False for graphs, whose features have no meaning before training, and for partial matchings,
// which this score would leave empty.
bool has_unlearned_score(Cover cover, bool pairs);
inline bool has_unlearned_score(const MatchFeatures& features) {
  return has_unlearned_score(features.cover(), features.pairs());
}
// Throws UsageError for the option `unlearned` if there is no unlearned score.
void require_centre(const CentreOption& option, Cover cover, bool pairs);

// The candidates of an option; the first one wins a tie.
std::vector<Centre> centres(const CentreOption& option, const MatchFeatures& features);

// The weights of a model for these features; features that it lacks get 0. Throws UsageError if the
// model has another kind of features.
std::vector<double> weights_for(const MatchFeatures& features, const MatchModel& model);

// The factor of the unlearned score, whose weights are −1: it minimises the margin loss, but is
// large enough that the true matching exceeds the mean of all others by 1. The penalty then applies
// to deviations from the centre and not to its length. `scale` is the factor of the features of
// `examples`.
double unlearned_scale(std::span<const MatchExample> examples, std::span<const double> scale,
                       int threads);

}  // namespace trellis::match
