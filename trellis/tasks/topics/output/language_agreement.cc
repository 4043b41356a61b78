#include "trellis/tasks/topics/output/language_agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/topics/corpus/translations.h"

namespace trellis::topics {
namespace {

void require_languages(const Corpus& corpus, std::string_view file) {
  constexpr std::string_view kHow = "(use --format translations, or --columns id,language,text)";
  if (!corpus.has_ids()) {
    throw InputError(file, 0, fmt::format("expected documents with ids, found none {}", kHow));
  }
  if (!corpus.has_languages()) {
    throw InputError(file, 0,
                     fmt::format("expected documents with languages, found none {}", kHow));
  }
  if (corpus.language_names().size() < 2) {
    throw InputError(file, 0, "expected documents in at least two languages, found only",
                     corpus.language_names()[0]);
  }
}

std::string number(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "none";
}

std::string percent(double share) {
  return std::isfinite(share) ? fmt::format("{:.1f} %", 100 * share) : "none";
}

// Columns as wide as their widest field; the first one left-aligned, the others right-aligned.
std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<Index> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (Index c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], utf8_length(row[c]));
  }
  std::string text;
  for (const auto& row : rows) {
    for (Index c = 0; c < row.size(); ++c) {
      const std::string blanks(widths[c] - utf8_length(row[c]), ' ');
      text += c == 0 ? row[c] + blanks : "  " + blanks + row[c];
    }
    text += '\n';
  }
  return text;
}

}  // namespace

LanguageAgreement measure_languages(const Corpus& corpus, std::span<const double> mixtures,
                                    Index num_topics, const AgreementOptions& options,
                                    std::string_view file, int threads) {
  require_languages(corpus, file);
  const Translations translations(corpus, file);
  const Documents& documents = corpus.documents();
  const NameView& names = corpus.language_names();
  const auto lacks_words = [&](const TranslationPair& pair) {
    return documents[pair.first].empty() || documents[pair.second].empty();
  };
  LanguageAgreement result{std::min(options.top_topics, num_topics), {}};
  Index num_pairs = 0;
  for (Index a = 0; a < names.size(); ++a) {
    for (Index b = a + 1; b < names.size(); ++b) {
      std::vector<TranslationPair> pairs =
          translations.pairs(static_cast<Label>(a), static_cast<Label>(b));
      num_pairs += pairs.size();
      const Index left_out = std::erase_if(pairs, lacks_words);
      result.languages.push_back(
          {std::string(names[a]), std::string(names[b]), left_out,
           measure_agreement(mixtures, num_topics, pairs, options, threads)});
    }
  }
  if (num_pairs == 0) {
    throw InputError(file, 0, "expected documents with the same id in two languages, found none");
  }
  return result;
}

Value LanguageAgreement::to_value() const {
  Value list = Value::list();
  for (const LanguagePair& pair : languages) {
    const Agreement& found = pair.agreement;
    const auto retrieval = [](const std::string& from, const std::string& to, const Retrieval& r) {
      return Value::record({{"from", from},
                            {"to", to},
                            {"first", r.first},
                            {"mean_reciprocal_rank", r.reciprocal_rank}});
    };
    list.push_back(Value::record(
        {{"languages", Value::list({pair.first, pair.second})},
         {"pairs", found.pairs},
         {"left_out", pair.left_out},
         {"mean_l2", found.l2},
         {"mean_hellinger", found.hellinger},
         {"same_first_topic", found.first_topic},
         {"top_topics", top_topics},
         {"mean_common_topics", found.top_topics},
         {"retrieval", Value::list({retrieval(pair.first, pair.second, found.forth),
                                    retrieval(pair.second, pair.first, found.back)})}}));
  }
  return list;
}

std::string LanguageAgreement::to_text() const {
  std::vector<std::vector<std::string>> rows = {
      {"translations", "pairs", "l2", "Hellinger", "first topic",
       fmt::format("common of {}", top_topics), "nearest →", "←", "1/rank →", "←"}};
  Index left_out = 0;
  for (const LanguagePair& pair : languages) {
    const Agreement& found = pair.agreement;
    left_out += pair.left_out;
    rows.push_back({fmt::format("{} → {}", pair.first, pair.second), fmt::format("{}", found.pairs),
                    number(found.l2, 4), number(found.hellinger, 4), percent(found.first_topic),
                    number(found.top_topics, 2), percent(found.forth.first),
                    percent(found.back.first), number(found.forth.reciprocal_rank, 4),
                    number(found.back.reciprocal_rank, 4)});
  }
  std::string text = aligned(rows);
  if (left_out > 0) {
    text += fmt::format(
        "skipped {} pairs: one of the two documents has no word that the model knows\n", left_out);
  }
  return text;
}

}  // namespace trellis::topics
