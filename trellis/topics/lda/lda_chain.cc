#include "trellis/topics/lda/lda_chain.h"

#include <algorithm>
#include <string>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/solve/vectors/gamma_functions.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/topics/lda/alias_sampler.h"

namespace trellis::topics {
namespace {

bool usable_prior(double value) {
  return value >= kLeastPrior && value <= kLargestPrior;
}

LdaOptions checked(const LdaOptions& options) {
  if (options.topics < 1 || options.topics > WordTopics::kMostTopics) {
    throw UsageError("the number of topics must be between 1 and " +
                     std::to_string(WordTopics::kMostTopics));
  }
  if (!usable_prior(options.alpha)) throw UsageError("alpha must be above 0 and finite");
  if (!usable_prior(options.beta)) throw UsageError("beta must be above 0 and finite");
  if (options.cycles < 1) throw UsageError("the number of proposal cycles must be at least 1");
  return options;
}

// The frequency from which a word has a dense row. At 20 topics the two forms take the same time on
// 20 Newsgroups; at 40 topics and more lists are faster, whatever the word's frequency.
Index dense_from(const LdaOptions& options) {
  constexpr Index kFewTopics = 16, kNever = 65536;
  switch (options.sampler) {
    case LdaSampler::kDense:
      return 0;
    case LdaSampler::kSparse:
    case LdaSampler::kAlias:
      return kNever;
    case LdaSampler::kAuto:
      break;
  }
  return options.topics <= kFewTopics ? 0 : kNever;
}

}  // namespace

LdaChain::LdaChain(const Documents& documents, const LdaOptions& options, WordParts parts)
    : options_(checked(options)),
      layout_(documents, options.blocks),
      word_topics_(layout_.counts(), options.topics, dense_from(options)),
      document_topics_(documents.begin, options.topics),
      assignments_(layout_.num_tokens(), kNoTopic),
      totals_(options.topics * parts.count, 0),
      alpha_(options.topics, options.alpha),
      parts_(std::move(parts)) {
  if (parts_.count > 1 && by_alias()) {
    throw UsageError(
        "the alias sampler requires one distribution over all words, not one for each language");
  }
  set_beta(std::vector<double>(num_words(), options.beta));
}

void LdaChain::set_alpha(std::span<const double> alpha) {
  if (alpha.size() != num_topics() || !std::all_of(alpha.begin(), alpha.end(), usable_prior)) {
    throw UsageError("alpha must have a finite value above 0 for each topic");
  }
  alpha_.assign(alpha.begin(), alpha.end());
}

void LdaChain::set_beta(std::span<const double> beta, PriorRows rows) {
  if (beta.size() != num_words()) {
    throw UsageError("beta must have a finite value above 0 for each word");
  }
  prior_ = WordPrior(num_topics(), {beta.begin(), beta.end()}, std::move(rows), parts_);
  numbered_prior_ = NumberedPrior(prior_, layout_.vocabulary());
}

void LdaChain::leave_out(std::span<const std::uint8_t> present) {
  if (present.size() != num_documents()) throw UsageError("the flags belong to other documents");
  for (Index d = 0; d < num_documents(); ++d) {
    const Index first = layout_.begin(d);
    if (present[d] == 0 && first < layout_.end(d) && assignments_[first] != kNoTopic) {
      throw UsageError("a document that has topics cannot leave the chain");
    }
  }
  present_.assign(present.begin(), present.end());
}

void LdaChain::let_in(const Documents& documents, std::span<const std::uint16_t> topics) {
  if (documents.size() != num_documents() || topics.size() != num_tokens()) {
    throw UsageError("the topics belong to other documents");
  }
  for (Index d = 0; d < num_documents(); ++d) {
    const auto of_document = topics.subspan(layout_.begin(d), document_length(d));
    if (present(d) || of_document.empty() || of_document[0] == kNoTopic) continue;
    for (const std::uint16_t k : of_document) {
      if (k >= num_topics()) throw UsageError("an assignment to a topic that does not exist");
    }
    present_[d] = 1;
    set_topics(d, documents[d], of_document);
  }
}

Index LdaChain::num_present_tokens() const {
  Index tokens = 0;
  for (Index d = 0; d < num_documents(); ++d) tokens += present(d) ? document_length(d) : 0;
  return tokens;
}

void LdaChain::start(int threads) {
  std::fill(assignments_.begin(), assignments_.end(), kNoTopic);
  std::fill(totals_.begin(), totals_.end(), 0U);
  word_topics_.clear();
  document_topics_.clear();
  sweeps_ = 0;
  run_rounds(0, threads, false);
}

void LdaChain::sweep(int threads) {
  run_rounds(++sweeps_, threads, by_alias());
}

// P rounds of P cells. Changes of the totals are integers, so their order does not matter.
void LdaChain::run_rounds(std::uint64_t step, int threads, bool alias) {
  const Index blocks = layout_.num_blocks();
  threads = static_cast<int>(std::min<Index>(static_cast<Index>(resolve_threads(threads)), blocks));
  std::vector<CellScratch> exact;
  std::vector<AliasSampler> aliases;
  for (int worker = 0; worker < threads; ++worker) {
    if (alias) {
      aliases.emplace_back(num_topics());
    } else {
      exact.emplace_back(num_topics(), parts_.count);
    }
  }
  std::vector<std::vector<std::uint32_t>> after(blocks);
  for (Index round = 0; round < blocks; ++round) {
    parallel_for(blocks, threads, [&](Index i, int worker) {
      const auto w = static_cast<Index>(worker);
      const CellStream stream{options_.seed, round * blocks + i, step};
      const Cell cell{&layout_,
                      i,
                      (i + round) % blocks,
                      &numbered_prior_,
                      present_,
                      &word_topics_,
                      &document_topics_,
                      assignments_,
                      stream};
      if (alias) {
        aliases[w].begin(alpha_, prior_.sums(), totals_);
        aliases[w].sample(cell, options_.cycles);
        after[i].assign(aliases[w].totals().begin(), aliases[w].totals().end());
      } else {
        exact[w].begin(alpha_, prior_.sums(), totals_);
        sample_cell(cell, exact[w]);
        after[i] = exact[w].totals;
      }
    });
    const std::vector<std::uint32_t> before = totals_;
    for (Index i = 0; i < blocks; ++i) {
      for (Index x = 0; x < totals_.size(); ++x) totals_[x] += after[i][x] - before[x];
    }
  }
}

void LdaChain::count_document(Index d, std::span<std::uint32_t> counts) const {
  std::fill(counts.begin(), counts.end(), 0U);
  document_topics_.for_each(d, [&](Index k, std::uint32_t count) { counts[k] = count; });
}

double LdaChain::log_joint(int threads) const {
  const double alpha_sum = sum(alpha_);
  std::vector<double> of_alpha(num_topics());
  for (Index k = 0; k < num_topics(); ++k) of_alpha[k] = log_gamma(alpha_[k]);
  const double of_alpha_sum = log_gamma(alpha_sum);
  double unused[1];
  double value =
      parallel_sum(num_documents(), threads, unused, [&](Index begin, Index end, int, auto) {
        std::vector<std::uint32_t> counts(num_topics());
        double part = 0;
        for (Index d = begin; d < end; ++d) {
          if (!present(d)) continue;
          count_document(d, counts);
          part += of_alpha_sum - log_gamma(alpha_sum + static_cast<double>(document_length(d)));
          for (Index k = 0; k < num_topics(); ++k) {
            if (counts[k] > 0) part += log_gamma(alpha_[k] + counts[k]) - of_alpha[k];
          }
        }
        return part;
      });
  value += parallel_sum(num_words(), threads, unused, [&](Index begin, Index end, int, auto) {
    double part = 0;
    for (Index w = begin; w < end; ++w) {
      const double beta = prior_.beta()[w], of_beta = log_gamma(beta);
      const auto row = prior_.row(w);
      for_each_topic_of_word(w, [&](Index k, std::uint32_t count) {
        part += row.empty() ? log_gamma(beta + count) - of_beta
                            : log_gamma(row[k] + count) - log_gamma(row[k]);
      });
    }
    return part;
  });
  for (Index x = 0; x < totals_.size(); ++x) {
    const double beta_sum = prior_.sums()[x];
    if (totals_[x] > 0) value += log_gamma(beta_sum) - log_gamma(beta_sum + totals_[x]);
  }
  return value;
}

std::vector<std::uint16_t> LdaChain::assignments(const Documents& documents) const {
  if (documents.size() != num_documents()) throw UsageError("the state belongs to other documents");
  std::vector<std::uint16_t> topics(num_tokens());
  std::vector<std::uint32_t> places;
  for (Index d = 0; d < num_documents(); ++d) {
    layout_.places(documents[d], places);
    for (Index i = 0; i < places.size(); ++i) {
      topics[layout_.begin(d) + i] = assignments_[layout_.begin(d) + places[i]];
    }
  }
  return topics;
}

void LdaChain::restore(const Documents& documents, std::span<const std::uint16_t> assignments,
                       Index sweeps) {
  if (documents.size() != num_documents() || assignments.size() != num_tokens()) {
    throw UsageError("the assignments belong to other documents");
  }
  for (Index d = 0; d < num_documents(); ++d) {
    for (Index i = layout_.begin(d); i < layout_.end(d); ++i) {
      if (present(d) ? assignments[i] >= num_topics() : assignments[i] != kNoTopic) {
        throw UsageError("an assignment to a topic that does not exist");
      }
    }
  }
  std::fill(assignments_.begin(), assignments_.end(), kNoTopic);
  word_topics_.clear();
  document_topics_.clear();
  std::fill(totals_.begin(), totals_.end(), 0U);
  for (Index d = 0; d < num_documents(); ++d) {
    if (!present(d)) continue;
    set_topics(d, documents[d], assignments.subspan(layout_.begin(d), document_length(d)));
  }
  sweeps_ = sweeps;
}

// For a document without topics.
void LdaChain::set_topics(Index d, std::span<const std::uint32_t> document,
                          std::span<const std::uint16_t> topics) {
  std::vector<std::uint32_t> places, counts(num_topics(), 0);
  layout_.places(document, places);
  for (Index i = 0; i < places.size(); ++i) {
    const std::uint16_t k = topics[i];
    assignments_[layout_.begin(d) + places[i]] = k;
    word_topics_.add(layout_.numbers()[document[i]], k);
    ++totals_[parts_[document[i]] * num_topics() + k];
    ++counts[k];
  }
  auto list = document_topics_.rewrite(d);
  for (std::uint32_t k = 0; k < counts.size(); ++k) {
    if (counts[k] > 0) list.push(k, counts[k]);
  }
}

Index LdaChain::num_bytes() const {
  return num_tokens() * 2 * sizeof(std::uint16_t) + word_topics_.num_bytes() +
         document_topics_.num_bytes() + num_words() * 4 * sizeof(std::uint64_t) +
         num_documents() * (sizeof(std::uint64_t) + layout_.num_blocks() * sizeof(std::uint32_t));
}

}  // namespace trellis::topics
