#include "trellis/tasks/topics/topic_words.h"

#include <algorithm>
#include <ranges>

#include "trellis/base/error.h"

namespace trellis::topics {
namespace {

// Sums of this many are well below 2⁶⁴, and below the largest exact integer of a double.
constexpr std::uint64_t kMostTokens = std::uint64_t{1} << 40;

}  // namespace

void describe_graph(ModelArchive& a, std::optional<WordGraph>& graph, Index num_words) {
  std::vector<std::uint32_t> low, high;
  std::vector<float> weights;
  for (std::uint32_t v = 0; graph && v < graph->num_words(); ++v) {
    for (const WordGraph::Link& link : graph->links(v)) {
      if (link.word < v) continue;
      low.push_back(v);
      high.push_back(link.word);
      weights.push_back(link.weight);
    }
  }
  a.made_array("graph/low", low, {}, "by link: its first word");
  a.made_array("graph/high", high, {.size = low.size()}, "by link: its second word");
  a.made_array("graph/weights", weights, {.size = low.size()}, "by link");
  a.check([&] {
    WordGraphBuilder builder(num_words);
    for (Index i = 0; i < low.size(); ++i) builder.add(low[i], high[i], weights[i]);
    graph = builder.build();
  });
}

void describe_prior_rows(ModelArchive& a, PriorRows& rows) {
  a.array("prior/words", rows.words, {}, "words with a prior for each topic, ascending");
  a.array("prior/beta", rows.beta, {}, "these priors");
}

void describe_parts(ModelArchive& a, WordParts& parts, Index num_words) {
  a.optional("parts", parts.count > 1, 1, [&] {
    a.array("parts", parts.of_words, {.size = num_words}, "by word: its part of the vocabulary");
    a.check([&] {
      if (parts.of_words.empty()) return;
      std::vector<bool> seen(256, false);
      for (const std::uint8_t part : parts.of_words) seen[part] = true;
      parts.count = static_cast<Index>(*std::ranges::max_element(parts.of_words)) + 1;
      const auto end = seen.begin() + static_cast<std::ptrdiff_t>(parts.count);
      a.require(std::find(seen.begin(), end, false) == end,
                "a part of the vocabulary has no words");
    });
  });
}

void describe_languages(ModelArchive& a, std::optional<ModelLanguages>& languages,
                        Index num_words) {
  a.optional("languages/counts", languages.has_value(), 1, [&] {
    if (!languages) languages.emplace();
    WordLanguages& words = languages->words;
    a.name_list("languages", languages->names, "languages of the documents");
    const Index count = languages->names.size();
    a.array("languages/counts", words.counts,
            {.size = num_words * count, .in = Range{0, static_cast<double>(kMostTokens)}},
            "[word][language]: how often it occurs");
    a.check([&] {
      a.require(count > 0, "the description of the languages of its words is not valid");
      words.num_languages = count;
      words.totals.assign(count, 0);
      for (Index i = 0; i < words.counts.size(); ++i) {
        words.totals[i % count] += words.counts[i];
      }
    });
  });
}

}  // namespace trellis::topics
