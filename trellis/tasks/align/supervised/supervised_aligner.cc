#include "trellis/tasks/align/supervised/supervised_aligner.h"

#include <algorithm>

#include "trellis/base/error.h"

namespace trellis::align {
namespace {

const LinkWeights& learned_of(const AlignModel& model) {
  if (model.links() == nullptr) throw UsageError("the model was not trained with links");
  return *model.links();
}

}  // namespace

SupervisedAligner::SupervisedAligner(const AlignModel& model, double more, Index search_limit)
    : learned_(&learned_of(model)),
      features_(model, learned_->features),
      layout_(layout_of(features_, learned_->shape)),
      decoder_(learned_->shape, learned_->weights, learned_->offset + more, search_limit) {
  const std::span<const double> w = learned_->weights;
  if (w.size() != layout_.dimension()) {
    throw InputError(model.name(), 0, "the weights do not fit the features");
  }
  for (const WeightRange& range : layout_.nonnegative()) {
    const auto signed_weights = w.subspan(range.begin, range.end - range.begin);
    if (!std::all_of(signed_weights.begin(), signed_weights.end(),
                     [](double weight) { return weight >= 0; })) {
      throw InputError(model.name(), 0, "a weight that must be non-negative is below 0");
    }
  }
}

LinkParts SupervisedAligner::parts(const SentencePair& pair, const PairExtras& extras,
                                   Scratch& scratch) const {
  LinkGraph graph;
  features_.extract(pair, extras, learned_->shape.quadratic, scratch.features, graph);
  return link_parts(std::move(graph), layout_);
}

void SupervisedAligner::align(const SentencePair& pair, const PairExtras& extras, Scratch& scratch,
                              RankedLinks& found) const {
  decoder_.decode(parts(pair, extras, scratch), scratch.decoder, found);
}

void SupervisedAligner::k_best(const SentencePair& pair, const PairExtras& extras, Index k,
                               Scratch& scratch, std::vector<RankedLinks>& found) const {
  decoder_.k_best(parts(pair, extras, scratch), k, scratch.decoder, found);
}

}  // namespace trellis::align
