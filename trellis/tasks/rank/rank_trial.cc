#include "trellis/tasks/rank/rank_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/fit/fit.h"
#include "trellis/structure/matchings/permutation.h"

namespace trellis::rank {
namespace {

void require_sums(const LearnerChoice& choice, Index longest) {
  const bool drawn = choice.values.draws.value_or(0) > 0;
  if (Permutation(longest).has_sums() || drawn) return;
  if (!choice.loss.hinge()) {
    throw UsageError(
        fmt::format("exact sums over the orders of {} documents are not possible: use --size of at "
                    "most {}, or --estimator max-margin",
                    longest, kLargestPermanent));
  }
  if (choice.entropic()) {
    throw UsageError(
        fmt::format("--geometry entropic requires sums over the orders of {} documents, which are "
                    "not possible: use --size of at most {}, or --geometry euclidean",
                    longest, kLargestPermanent));
  }
}

RankingModel make_model(const TrainOptions& options, const LearnerChoice& choice, RankedLists lists,
                        std::span<const Query> queries, const FeatureRows& rows) {
  Index longest = 0;
  for (Index i = 0; i < lists.size(); ++i) longest = std::max(longest, lists[i].size());
  require_sums(choice, longest);
  std::vector<double> gains;
  for (const Query& query : queries) {
    for (const Grade grade : query.grades) gains.push_back(gain(options.ndcg, grade));
  }
  std::vector<double> discounts;
  for (Index j = 1; j <= longest; ++j) discounts.push_back(discount(options.ndcg, j));
  return RankingModel(rows, std::move(lists), std::move(gains), std::move(discounts));
}

}  // namespace

Able able() {
  return able_of<RankingModel>();
}

RankTrial::RankTrial(const TrainOptions& options, const LearnerChoice& choice,
                     const std::string& file, std::span<const Query> seen,
                     std::span<const Query> held_out, int threads)
    : options_(options),
      threads_(threads),
      lists_(draw_subsets(seen, options.subsets, file)),
      features_(RankFeatures::learn(seen, options.normalization, options.expansion,
                                    options.training.seed, lists_, threads)),
      rows_(features_.rows(seen)),
      model_(make_model(options, choice, std::move(lists_), seen, rows_)),
      held_out_rows_(features_.rows(held_out)) {
  Index row = 0;
  for (const Query& query : held_out) {
    held_out_.push_back({query.id, query.grades, row});
    row += query.num_documents();
  }
}

Fitted RankTrial::fit(const FitCall& call) const {
  return trellis::fit(model_, call);
}

RankScores RankTrial::scores(std::span<const double> w) const {
  std::vector<double> all(held_out_rows_.num_rows());
  parallel_for(held_out_.size(), threads_, [&](Index q, int) {
    const Index first = held_out_[q].first_row;
    for (Index d = 0; d < held_out_[q].grades.size(); ++d) {
      all[first + d] = document_score(held_out_rows_, first + d, w);
    }
  });
  RankScores scores(options_.ndcg, options_.empty);
  for (const HeldOut& query : held_out_) {
    scores.add(query.id, query.grades,
               std::span(all).subspan(query.first_row, query.grades.size()));
  }
  return scores;
}

std::vector<double> RankTrial::tally(std::span<const double> w) const {
  return options_.select.tally(scores(w));
}

}  // namespace trellis::rank
