// What part models can do, read off their types: the columns of the table in docs/learners.md.
#include <gtest/gtest.h>

#include "trellis/fit/fit.h"
#include "trellis/problem/block_model.h"
#include "trellis/problem/chain/chain_model.h"
#include "trellis/problem/chain/untied_chain_model.h"
#include "trellis/problem/labels/label_set_model.h"
#include "trellis/problem/labels/multiclass_model.h"
#include "trellis/problem/labels/pairwise_label_model.h"
#include "trellis/problem/labels/reverse_label_model.h"
#include "trellis/problem/ranking_model.h"
#include "trellis/structure/graphs/cut.h"
#include "trellis/structure/graphs/tree_mrf.h"
#include "trellis/structure/limited_search.h"
#include "trellis/structure/matchings/covering_matching.h"
#include "trellis/structure/matchings/fertility_matching.h"
#include "trellis/structure/matchings/matching.h"
#include "trellis/structure/matchings/permutation.h"
#include "trellis/structure/matchings/quadratic_matching.h"
#include "trellis/structure/matchings/relaxed_quadratic_matching.h"
#include "trellis/structure/sets/label_set.h"
#include "trellis/structure/trees/dependency_tree.h"
#include "trellis/structure/trees/projective_tree.h"

namespace trellis {
namespace {

constexpr Able kFlat = able_of<MulticlassModel>();
static_assert(kFlat.hinge && kFlat.linear_costs && kFlat.k_best && kFlat.sums && kFlat.projects);
static_assert(kFlat.flat && kFlat.faces && !kFlat.nonnegative && !kFlat.partial);

constexpr Able kChain = able_of<ChainModel>();
static_assert(kChain.hinge && kChain.k_best && kChain.sums && kChain.projects && !kChain.flat);
static_assert(kChain.partial, "it knows sets of label sequences");
static_assert(kChain.faces, "by its untied twin");
static_assert(TiedModel<ChainModel> && !TiedModel<UntiedChainModel>);
constexpr Able kUntied = able_of<UntiedChainModel>();
static_assert(kUntied.hinge && kUntied.sums && kUntied.projects && kUntied.faces);
static_assert(!kUntied.partial);

constexpr Able kTree = able_of<BlockModel<TreeMrf>>();
static_assert(kTree.hinge && kTree.k_best && kTree.sums && kTree.projects && kTree.faces);
static_assert(!kTree.nonnegative, "such weights are an option of a block model, not of a tree");

constexpr Able kDependencies = able_of<BlockModel<DependencyTree>>();
static_assert(kDependencies.hinge && kDependencies.linear_costs && kDependencies.k_best);
static_assert(kDependencies.sums && kDependencies.projects);
static_assert(!kDependencies.nonnegative && !kDependencies.faces);

constexpr Able kProjective = able_of<BlockModel<ProjectiveTree>>();
static_assert(kProjective.hinge && kProjective.linear_costs && kProjective.k_best);
static_assert(kProjective.sums && kProjective.projects);
static_assert(!kProjective.faces && !kProjective.nonnegative && !kProjective.relaxed);

constexpr Able kCut = able_of<BlockModel<CutNetwork>>();
static_assert(kCut.hinge && kCut.linear_costs && kCut.projects && kCut.nonnegative);
static_assert(!kCut.k_best && !kCut.sums && !kCut.draws && !kCut.faces);

constexpr Able kMatching = able_of<BlockModel<Matching>>();
static_assert(kMatching.hinge && kMatching.k_best && kMatching.projects);
static_assert(!kMatching.sums && !kMatching.draws && !kMatching.nonnegative);
static_assert(kMatching.faces, "those that cover both sides; the learner asks for that");

constexpr Able kFertility = able_of<BlockModel<FertilityMatching>>();
static_assert(kFertility.hinge && kFertility.linear_costs && kFertility.k_best);
static_assert(kFertility.projects && kFertility.nonnegative && !kFertility.sums);
static_assert(!kFertility.draws && !kFertility.faces);

constexpr Able kPermutation = able_of<BlockModel<Permutation>>();
static_assert(kPermutation.hinge && kPermutation.sums && kPermutation.draws && kPermutation.faces);
static_assert(!kPermutation.flat && !kPermutation.nonnegative);
static_assert(able_of<BlockModel<CoveringMatching>>().draws);

constexpr Able kLabels = able_of<BlockModel<LabelSet>>();
static_assert(kLabels.hinge && kLabels.k_best && kLabels.sums && !kLabels.faces);
static_assert(!kLabels.nonnegative);

constexpr Able kPairs = able_of<BlockModel<PairwiseLabelSet>>();
static_assert(kPairs.hinge && kPairs.linear_costs && kPairs.nonnegative);
static_assert(!kPairs.k_best && !kPairs.sums && !kPairs.projects && !kPairs.faces);

constexpr Able kQuadratic = able_of<BlockModel<QuadraticMatching>>();
static_assert(kQuadratic.hinge && kQuadratic.k_best && kQuadratic.nonnegative);
static_assert(kQuadratic.relaxed && !kQuadratic.projects && !kQuadratic.sums && !kQuadratic.faces);
// With a limit on its search: the same refusals, but for what takes several best outputs.
constexpr Able kLimited = able_of<BlockModel<LimitedSearch<QuadraticMatching>>>();
static_assert(kLimited.hinge && kLimited.linear_costs && kLimited.nonnegative && kLimited.relaxed);
static_assert(!kLimited.k_best && !kLimited.projects && !kLimited.sums && !kLimited.faces);
constexpr Able kRelaxedQuadratic = able_of<BlockModel<RelaxedQuadraticMatching>>();
static_assert(kRelaxedQuadratic.hinge && kRelaxedQuadratic.projects && !kRelaxedQuadratic.k_best);
static_assert(!kRelaxedQuadratic.relaxed, "its program is what it means");
static_assert(!kCut.relaxed && !kMatching.relaxed);

// Costs that are not linear in the parts leave the cuts alone.
template <class M>
constexpr bool cuts_alone() {
  constexpr Able able = able_of<M>();
  return able.hinge && !able.linear_costs && !able.k_best && !able.sums && !able.draws &&
         !able.projects;
}
static_assert(CostMaximizer<LabelSetModel> == cuts_alone<LabelSetModel>());
static_assert(cuts_alone<PairwiseLabelModel>() && able_of<PairwiseLabelModel>().nonnegative);
static_assert(CostMaximizer<ReverseLabelModel> == cuts_alone<ReverseLabelModel>());
static_assert(able_of<RankingModel>().hinge);

}  // namespace
}  // namespace trellis
