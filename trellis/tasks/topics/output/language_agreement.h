// How far documents and their translations agree in topics (topics/agreement.h), for every two
// languages of a corpus.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/topics/agreement.h"
#include "trellis/topics/corpus/corpus.h"

namespace trellis::topics {

struct LanguagePair {
  std::string first, second;
  Index left_out = 0;  // translations of which one has no word that the model knows
  Agreement agreement;
};

struct LanguageAgreement {
  Index top_topics = 0;  // that are compared
  std::vector<LanguagePair> languages;

  // A list with an object for each two languages; null: there is no pair of documents.
  Value to_value() const;
  // A table.
  std::string to_text() const;
};

// Documents are translations of each other where they have one id and different languages. Those
// without a word have the prior's mixture, which agrees with that of any other such: they are left
// out and counted. Languages go by the order in which the corpus has them.
//
// `mixtures` are documents × topics. Throws InputError(file, …) where the corpus has no ids, fewer
// than two languages, no translations, or two documents of one id in one language.
LanguageAgreement measure_languages(const Corpus& corpus, std::span<const double> mixtures,
                                    Index num_topics, const AgreementOptions& options,
                                    std::string_view file, int threads);

}  // namespace trellis::topics
