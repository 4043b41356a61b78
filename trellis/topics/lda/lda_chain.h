// Latent Dirichlet allocation (Blei, Ng & Jordan 2003) by collapsed Gibbs sampling.
//
//   θ_d ~ Dir(α),   φ_k ~ Dir(β_k),   z_i ~ θ_d(i),   w_i ~ φ_{z_i};
//   p(w, z | α, β) = Π_k DirMult(n_·k ; β_k) Π_d DirMult(n_d· ; α).
//
// β_k is the same for all topics, unless words have priors of their own (word_prior.h).
//
// θ and φ are integrated out; the state is a topic for each token. A sweep draws each topic once,
// from its conditional given the others (cell_sampler.h) or, for many topics, by
// Metropolis–Hastings steps that leave that conditional invariant (alias_sampler.h).
//
// Sweeps run cell by cell (lda_layout.h), and a cell's random numbers are a function of (seed,
// sweep, cell): the result has the same bits for any number of threads. With more than one block, a
// cell sees the totals n_k without the changes of other cells in the same round; with one block
// (the default for small corpora) there is no such delay.
//
// Documents may enter later than others: until then they do not affect the chain.
//
// The state is assignments(), sweeps(), the priors and the documents present: a chain made from
// these continues like the original. Memory: at most 8 bytes per token (10 in documents of more
// than 65535) and about 4 P + 20 per document for P blocks, and the table of words and topics.
// and topics.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/topics/documents.h"
#include "trellis/topics/lda/cell_sampler.h"
#include "trellis/topics/lda/document_topics.h"
#include "trellis/topics/lda/lda_layout.h"
#include "trellis/topics/lda/word_prior.h"
#include "trellis/topics/lda/word_topics.h"

namespace trellis::topics {

enum class LdaSampler : std::uint8_t {
  kAuto,    // by the number of topics
  kDense,   // all weights of a token, by vector arithmetic
  kSparse,  // buckets along the topics of the word
  kAlias,  // Metropolis–Hastings steps: a time that hardly grows with the topics, but more sweeps;
           // never chosen by itself
};
constexpr auto names_of(LdaSampler) {
  return Names{"sampler", "auto", "dense", "sparse", "alias"};
}

struct LdaOptions {
  Index topics = 100;
  double alpha = 0.1;  // of each topic
  double beta = 0.01;  // of each word
  std::uint64_t seed = 1;
  LdaSampler sampler = LdaSampler::kAuto;
  Index cycles = 2;  // of proposals for each token: kAlias
  Index blocks = 0;  // of documents and of words; 0: as the corpus allows
};

class LdaChain {
 public:
  // Copies the documents, in its own order. No token has a topic yet. `parts` are those of the
  // vocabulary; kAlias requires one part. Throws UsageError if options are out of range.
  LdaChain(const Documents& documents, const LdaOptions& options, WordParts parts = {});

  // Draws a topic for every token given the earlier tokens, with the random numbers of sweep 0.
  void start(int threads);
  // Draws a new topic for every token.
  void sweep(int threads);

  Index num_topics() const { return options_.topics; }
  Index num_words() const { return layout_.num_words(); }
  Index num_documents() const { return layout_.num_documents(); }
  Index num_tokens() const { return layout_.num_tokens(); }
  Index num_sweeps() const { return sweeps_; }  // without the start
  const LdaOptions& options() const { return options_; }

  std::span<const double> alpha() const { return alpha_; }
  const WordPrior& prior() const { return prior_; }               // by word of the vocabulary
  std::span<const double> beta() const { return prior_.beta(); }  // β_w
  // All finite and > 0. Without rows, β_w is that of all topics.
  void set_alpha(std::span<const double> alpha);
  void set_beta(std::span<const double> beta, PriorRows rows = {});

  // Sets which documents take part, a flag for each; call it before start. Later only let_in() adds
  // documents. Documents cannot be removed: UsageError.
  void leave_out(std::span<const std::uint8_t> present);
  // Adds documents with these topics, for every token in the order of assignments(); kNoTopic for
  // tokens of other documents.
  void let_in(const Documents& documents, std::span<const std::uint16_t> topics);
  bool present(Index d) const { return present_.empty() || present_[d] != 0; }
  Index num_present_tokens() const;

  // Counts. Words are those of the vocabulary. n_k: the number of tokens of each topic; K for each
  // part of the vocabulary.
  std::span<const std::uint32_t> topic_totals() const { return totals_; }
  template <class Body>
  void for_each_topic_of_word(Index word, const Body& body) const {  // body(k, n_wk), n_wk > 0
    word_topics_.for_each(layout_.numbers()[word], body);
  }
  void count_document(Index d, std::span<std::uint32_t> counts) const;  // n_dk
  Index document_length(Index d) const { return layout_.end(d) - layout_.begin(d); }

  // log p(w, z | α, β).
  double log_joint(int threads) const;

  // The topic of each token, in the order of `documents` (those of the constructor); kNoTopic for
  // documents that are not present.
  std::vector<std::uint16_t> assignments(const Documents& documents) const;
  // Continues from the state after `sweeps` sweeps. Throws UsageError if an assignment is not a
  // topic.
  void restore(const Documents& documents, std::span<const std::uint16_t> assignments,
               Index sweeps);

  Index num_bytes() const;  // of tokens, assignments and counts

 private:
  bool by_alias() const { return options_.sampler == LdaSampler::kAlias; }
  void run_rounds(std::uint64_t step, int threads, bool alias);
  void set_topics(Index d, std::span<const std::uint32_t> document,
                  std::span<const std::uint16_t> topics);

  LdaOptions options_;
  LdaLayout layout_;
  WordTopics word_topics_;
  DocumentTopics document_topics_;
  std::vector<std::uint16_t> assignments_;  // by position
  std::vector<std::uint32_t> totals_;
  std::vector<double> alpha_;
  WordParts parts_;
  WordPrior prior_;
  NumberedPrior numbered_prior_;
  std::vector<std::uint8_t> present_;  // by document; empty: all
  Index sweeps_ = 0;
};

}  // namespace trellis::topics
