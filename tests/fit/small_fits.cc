#include "tests/fit/small_fits.h"

#include <utility>

#include "tests/learn/small_problems.h"
#include "trellis/fit/fit.h"
#include "trellis/structure/matchings/permutation.h"
#include "trellis/structure/sets/label_set.h"

namespace trellis::testing {
namespace {

using Examples = std::span<const Index>;

// on_some(problem, examples, use): use(model) of these examples alone.
template <class Use>
Fitted on_some(const SmallMulticlass& problem, Examples examples, const Use& use) {
  const LabelData some(problem.data(), examples);
  return use(some.model());
}

template <class Use>
Fitted on_some(const SmallChain& problem, Examples examples, const Use& use) {
  const RandomChains some(problem.chains(), examples);
  return use(UntiedChainModel(some.model()));
}

template <class Use>
Fitted on_some(const RandomChains& problem, Examples examples, const Use& use) {
  const RandomChains some(problem, examples);
  return use(some.model());
}

template <class Problem, class Use>
requires requires(const Problem& problem) {
  problem.model().example(0);
}
Fitted on_some(const Problem& problem, Examples examples, const Use& use) {
  const auto& all = problem.model();
  using Model = std::remove_cvref_t<decltype(all)>;
  std::vector<BlockExample<typename Model::Structure>> some;
  for (const Index i : examples) some.push_back(all.example(i));
  const auto ranges = all.nonnegative();
  return use(Model(all.dimension(), some, {ranges.begin(), ranges.end()}));
}

template <class Problem>
class FitOf final : public SmallFit {
 public:
  template <class... Arguments>
  explicit FitOf(std::string name, const Arguments&... arguments)
      : name_(std::move(name)), problem_(arguments...) {}

  std::string name() const override { return name_; }
  Able able() const override { return able_of<std::remove_cvref_t<decltype(problem_.model())>>(); }
  Index num_examples() const override { return problem_.model().num_examples(); }
  Index dimension() const override { return problem_.model().dimension(); }
  Fitted fit(const FitCall& call) const override { return trellis::fit(problem_.model(), call); }
  Fitted fit_alone(Examples examples, const FitCall& call) const override {
    return on_some(problem_, examples,
                   [&](const auto& model) { return trellis::fit(model, call); });
  }

 private:
  std::string name_;
  Problem problem_;
};

template <class Problem, class... Arguments>
std::unique_ptr<SmallFit> make(const char* name, const Arguments&... arguments) {
  return std::make_unique<FitOf<Problem>>(name, arguments...);
}

RandomChainOptions chain_options(bool partial) {
  RandomChainOptions options;
  options.num_examples = 8;
  options.set = FeatureSet::kAll;
  options.partial = partial;
  options.values = partial;
  return options;
}

}  // namespace

SmallFits fits_of_all_structures() {
  SmallFits fits;
  fits.push_back(make<SmallMulticlass>("multiclass"));
  fits.push_back(make<SmallChain>("chain"));
  fits.push_back(make<SmallTree>("tree"));
  fits.push_back(make<SmallDependencies<DependencyTree>>("dependency tree"));
  fits.push_back(make<SmallDependencies<ProjectiveTree>>("projective tree"));
  fits.push_back(make<SmallForest>("packed forest"));
  fits.push_back(make<SmallCut>("cut"));
  fits.push_back(make<SmallParts<Matching>>("matching", Matching(3, 4)));
  fits.push_back(make<SmallFertility>("fertility"));
  fits.push_back(make<SmallParts<Permutation>>("permutation", Permutation(4)));
  fits.push_back(make<SmallParts<LabelSet>>("label set", LabelSet(5)));
  fits.push_back(make<SmallPairwiseLabels>("pairwise"));
  fits.push_back(make<SmallQuadratic<QuadraticMatching>>("quadratic"));
  fits.push_back(make<SmallQuadratic<RelaxedQuadraticMatching>>("relaxed quadratic"));
  return fits;
}

std::unique_ptr<SmallFit> fit_of_tied_chain() {
  return make<RandomChains>("tied chain", chain_options(false), 21);
}

std::unique_ptr<SmallFit> fit_of_partial_chain() {
  return make<RandomChains>("partial chain", chain_options(true), 22);
}

}  // namespace trellis::testing
