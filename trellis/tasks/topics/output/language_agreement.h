// The agreement of topics between documents and their translations (topics/agreement.h), for every
// two languages of a corpus.
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
  Index left_out = 0;  // pairs in which a document has no known word
  Agreement agreement;
};

struct LanguageAgreement {
  Index top_topics = 0;  // number of compared topics
  std::vector<LanguagePair> languages;

  // A list with an object for each two languages; null: there are no pairs of documents.
  Value to_value() const;
  // As a table.
  std::string to_text() const;
};

// Documents with one id and different languages are translations of each other. A document without
// known words has the prior's mixture, which equals that of all such documents: such pairs are left
// out and counted. Languages have the order of the corpus.
//
// `mixtures` are documents × topics. Throws InputError(file, …) if the corpus has no ids, fewer
// than two languages, no translations, or two documents with one id in one language.
LanguageAgreement measure_languages(const Corpus& corpus, std::span<const double> mixtures,
                                    Index num_topics, const AgreementOptions& options,
                                    std::string_view file, int threads);

}  // namespace trellis::topics
