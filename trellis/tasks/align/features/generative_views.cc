#include "trellis/tasks/align/features/generative_views.h"

#include <algorithm>
#include <utility>

#include "trellis/generative/alignment/independent_positions.h"
#include "trellis/generative/alignment/jump_positions.h"
#include "trellis/generative/alignment/symmetrise.h"

namespace trellis::align {
namespace {

double null_of(const PositionModel& positions) {
  if (positions.kind() == Positions::kJumps) {
    return dynamic_cast<const JumpPositions&>(positions).options().null;
  }
  return dynamic_cast<const IndependentPositions&>(positions).null();
}

// Whether the best alignment takes the most probable link of each word: if words choose
// independently, or if only posteriors are available.
bool chooses_word_by_word(const WordAligner& aligner) {
  return aligner.fertilities() != nullptr || (aligner.forward().kind() != Positions::kJumps &&
                                              aligner.reverse().kind() != Positions::kJumps);
}

void likeliest_links(const WordAligner::Posteriors& p, std::vector<Label>& a,
                     std::vector<Label>& b) {
  const auto [num_source, num_target] = p.lengths();
  a.assign(num_target, kNoLabel);
  b.assign(num_source, kNoLabel);
  for (Index j = 0; j < num_target; ++j) {
    double best = p.target_alone(j);
    for (Index i = 0; i < num_source; ++i) {
      if (p.forward(i, j) > best) best = p.forward(i, j), a[j] = static_cast<Label>(i);
    }
  }
  for (Index i = 0; i < num_source; ++i) {
    double best = p.source_alone(i);
    for (Index j = 0; j < num_target; ++j) {
      if (p.reverse(i, j) > best) best = p.reverse(i, j), b[i] = static_cast<Label>(j);
    }
  }
}

void keep_posteriors(const WordAligner::Posteriors& p, ViewEvidence& view) {
  const auto [num_source, num_target] = p.lengths();
  for (Index i = 0; i < num_source; ++i) {
    view.source_alone[i] = static_cast<float>(p.source_alone(i));
    for (Index j = 0; j < num_target; ++j) {
      view.forward(i, j) = static_cast<float>(p.forward(i, j));
      view.reverse(i, j) = static_cast<float>(p.reverse(i, j));
      const float product = view.product(i, j);
      view.source_product[i] = std::max(view.source_product[i], product);
      view.target_product[j] = std::max(view.target_product[j], product);
    }
  }
  for (Index j = 0; j < num_target; ++j) {
    view.target_alone[j] = static_cast<float>(p.target_alone(j));
  }
}

// Stores the two best alignments and grow-diag-final-and of the two.
void keep_best(WordPair pair, GenerativeViews::Scratch& scratch, ViewEvidence& view) {
  scratch.forward.clear();
  scratch.reverse.clear();
  for (Index j = 0; j < scratch.a.size(); ++j) {
    if (scratch.a[j] == kNoLabel) continue;
    scratch.forward.push_back(
        {static_cast<std::uint32_t>(scratch.a[j]), static_cast<std::uint32_t>(j)});
  }
  for (Index i = 0; i < scratch.b.size(); ++i) {
    if (scratch.b[i] == kNoLabel) continue;
    scratch.reverse.push_back(
        {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(scratch.b[i])});
  }
  sort_links(scratch.forward);
  const auto mark = [&](const Links& links, std::uint8_t bit) {
    for (const Link link : links) view.best(link.source, link.target) |= bit;
  };
  mark(scratch.forward, ViewEvidence::kForward);
  mark(scratch.reverse, ViewEvidence::kReverse);
  mark(symmetrise(scratch.forward, scratch.reverse, pair.source.size(), pair.target.size(),
                  Symmetrisation::kGrowDiagFinalAnd),
       ViewEvidence::kGrown);
}

}  // namespace

GenerativeViews::GenerativeViews(std::shared_ptr<const AlignModel> model)
    : model_(std::move(model)) {
  const WordAligner& aligner = model_->aligner();
  names_.emplace_back("posterior");
  aligners_.push_back(aligner);
  if (aligner.fertilities() != nullptr) {
    names_.emplace_back("jumps");
    // They live as long as the model.
    aligners_.emplace_back(aligner.lexicon(),
                           std::shared_ptr<const PositionModel>(model_, &aligner.forward()),
                           std::shared_ptr<const PositionModel>(model_, &aligner.reverse()));
  }
  if (aligner.forward().kind() != Positions::kUniform ||
      aligner.reverse().kind() != Positions::kUniform) {
    names_.emplace_back("uniform");
    aligners_.emplace_back(aligner.lexicon(),
                           std::make_shared<UniformPositions>(null_of(aligner.forward())),
                           std::make_shared<UniformPositions>(null_of(aligner.reverse())));
  }
}

void GenerativeViews::look(WordPair pair, Scratch& scratch,
                           std::vector<ViewEvidence>& views) const {
  views.resize(aligners_.size());
  for (Index v = 0; v < views.size(); ++v) look(aligners_[v], pair, scratch, views[v]);
}

void GenerativeViews::look(const WordAligner& aligner, WordPair pair, Scratch& scratch,
                           ViewEvidence& view) const {
  const Index num_source = pair.source.size(), num_target = pair.target.size();
  view.forward.assign(num_source, num_target, 0);
  view.reverse.assign(num_source, num_target, 0);
  view.best.assign(num_source, num_target, 0);
  view.source_alone.assign(num_source, 1);
  view.target_alone.assign(num_target, 1);
  view.source_product.assign(num_source, 0);
  view.target_product.assign(num_target, 0);
  if (num_source == 0 || num_target == 0) return;
  WordAligner::Likelihood likelihood;
  const WordAligner::Posteriors p = aligner.posteriors(pair, scratch.aligner, likelihood);
  keep_posteriors(p, view);
  if (chooses_word_by_word(aligner)) {
    likeliest_links(p, scratch.a, scratch.b);
  } else {
    aligner.maximize(pair, scratch.aligner, scratch.a, scratch.b);
  }
  keep_best(pair, scratch, view);
}

}  // namespace trellis::align
