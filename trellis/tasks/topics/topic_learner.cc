#include "trellis/tasks/topics/topic_learner.h"

#include <span>
#include <utility>
#include <vector>

#include "trellis/tasks/topics/checkpoint_arrays.h"
#include "trellis/topics/lda/cvb0.h"
#include "trellis/topics/lda/held_out.h"

namespace trellis::topics {
namespace {

Judgement judge_lda(const LdaModel& model, const Documents& documents, Index particles,
                    std::uint64_t seed, int threads) {
  const LeftToRightOptions estimate{particles, true, seed};
  return {held_out_likelihood(model, documents, estimate, threads).perplexity()};
}

class GibbsLearner : public TopicLearner {
 public:
  GibbsLearner(const Documents& documents, std::uint64_t digest, const LearnerSettings& settings,
               const TopicModel* start, ChainKnowledge knowledge)
      : documents_(documents),
        digest_(digest),
        settings_(settings),
        start_(start),
        chain_(documents, settings.lda, std::move(knowledge.parts)),
        words_(chain_, documents, std::move(knowledge.words), std::move(knowledge.stages)) {}

  void start() override {
    if (start_ == nullptr) return words_.start(settings_.threads);
    chain_.set_alpha(start_->lda().alpha());
    chain_.set_beta(start_->lda().beta());
    chain_.restore(documents_, start_->chain()->topics, start_->chain()->sweeps);
  }
  void sweep() override {
    words_.advance(settings_.schedule, settings_.smoothing_schedule, settings_.smoothing,
                   settings_.threads);
  }
  Index num_sweeps() const override { return chain_.num_sweeps(); }
  double loss() const override {
    return -chain_.log_joint(settings_.threads) / static_cast<double>(chain_.num_present_tokens());
  }
  LdaModel model() const override { return LdaModel(chain_); }
  Judgement judge(const JudgedDocuments& held_out, Index particles) const override {
    return judge_lda(model(), held_out.documents, particles, settings_.lda.seed, settings_.threads);
  }
  double smoothing_seconds() const override { return words_.smoothing_seconds(); }
  std::optional<KeptChain> chain() const override {
    if (!settings_.keep_chain) return std::nullopt;
    return KeptChain{chain_.assignments(documents_), chain_.num_sweeps(), digest_};
  }

  void save(Checkpoint& state) const override {
    const std::vector<std::uint16_t> topics = chain_.assignments(documents_);
    put_array<std::uint16_t>(state, "chain/topics", topics);
    state.put("chain/alpha", chain_.alpha());
    state.put("chain/beta", chain_.beta());
    // The rows of the prior are computed from these.
    state.put("chain/common_smoothers", words_.smoothers().common());
    state.put("chain/topic_smoothers", words_.smoothers().of_topics());
    const std::uint64_t sweeps[] = {chain_.num_sweeps(), chain_.prior().has_rows() ? 1U : 0U};
    state.put_integers("chain/sweeps", sweeps);
  }
  void restore(const Checkpoint& state) override {
    std::uint64_t sweeps[2];
    state.get_integers("chain/sweeps", sweeps);
    restore_from([&] {
      words_.restore(state.doubles("chain/common_smoothers"),
                     state.doubles("chain/topic_smoothers"), sweeps[0]);
      const std::vector<double>& beta = state.doubles("chain/beta");
      chain_.set_alpha(state.doubles("chain/alpha"));
      chain_.set_beta(beta);
      if (sweeps[1] != 0) {
        chain_.set_beta(beta, prior_rows(words_.words(), words_.smoothers(), beta));
      }
      chain_.restore(documents_, get_array<std::uint16_t>(state, "chain/topics"), sweeps[0]);
    });
  }

 private:
  const Documents& documents_;
  std::uint64_t digest_;
  LearnerSettings settings_;
  const TopicModel* start_;
  LdaChain chain_;
  WordLda words_;
};

Cvb0Options cvb0_options(const LdaOptions& lda) {
  return {lda.topics, lda.alpha, lda.beta, lda.seed, lda.blocks};
}

class Cvb0Learner : public TopicLearner {
 public:
  Cvb0Learner(const Documents& documents, const LearnerSettings& settings)
      : settings_(settings), twin_(documents, cvb0_options(settings.lda)) {}

  void start() override {}
  void sweep() override {
    change_ = twin_.sweep(settings_.threads);
    ++sweeps_;
  }
  Index num_sweeps() const override { return sweeps_; }
  bool converged() const override { return sweeps_ > 0 && change_ < settings_.tolerance; }
  double loss() const override { return change_; }
  LdaModel model() const override { return twin_.model(); }
  bool expects() const override { return true; }
  Judgement judge(const JudgedDocuments& held_out, Index particles) const override {
    return judge_lda(model(), held_out.documents, particles, settings_.lda.seed, settings_.threads);
  }

  void save(Checkpoint& state) const override {
    const Cvb0State& twin = twin_.state();
    put_array<float>(state, "cvb0/gamma", twin.gamma);
    state.put("cvb0/documents", twin.document_counts);
    state.put("cvb0/words", twin.word_counts);
    state.put("cvb0/totals", twin.totals);
    const std::uint64_t sweeps[] = {sweeps_};
    state.put_integers("cvb0/sweeps", sweeps);
    const double change[] = {change_};
    state.put("cvb0/change", change);
  }
  void restore(const Checkpoint& state) override {
    std::uint64_t sweeps[1];
    state.get_integers("cvb0/sweeps", sweeps);
    double change[1];
    state.get("cvb0/change", change);
    restore_from([&] {
      twin_.restore({get_array<float>(state, "cvb0/gamma"), state.doubles("cvb0/documents"),
                     state.doubles("cvb0/words"), state.doubles("cvb0/totals")});
    });
    sweeps_ = sweeps[0];
    change_ = change[0];
  }

 private:
  LearnerSettings settings_;
  Cvb0 twin_;
  Index sweeps_ = 0;
  double change_ = 0;
};

}  // namespace

std::unique_ptr<TopicLearner> make_learner(const Documents& documents, std::uint64_t digest,
                                           const LearnerSettings& settings, const TopicModel* start,
                                           ChainKnowledge knowledge) {
  if (settings.method == TopicMethod::kCvb0) {
    return std::make_unique<Cvb0Learner>(documents, settings);
  }
  return std::make_unique<GibbsLearner>(documents, digest, settings, start, std::move(knowledge));
}

}  // namespace trellis::topics
