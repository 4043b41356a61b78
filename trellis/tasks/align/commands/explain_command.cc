#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/data/json.h"
#include "trellis/frame/model_command.h"
#include "trellis/tasks/align/commands/align_calls.h"
#include "trellis/tasks/align/supervised/explain.h"

namespace trellis::align {
namespace {

using frame::Command;
using frame::Findings;

struct ExplainCall : frame::ModelCall {
  TextCall text;
  ExtrasCall extras;
  std::vector<std::string> links;
  std::vector<Index> pairs;
  Index top = 8;
  DecodingOptions decoding;  // the limit of its search alone
};

Link parse_link(const std::string& text) {
  const std::size_t dash = text.find('-');
  if (dash != std::string::npos) {
    const auto source = parse_integer(std::string_view(text).substr(0, dash));
    const auto target = parse_integer(std::string_view(text).substr(dash + 1));
    const auto is_word = [](const std::optional<long long>& word) {
      return word && *word >= 0 && *word < static_cast<long long>(kNullWord);
    };
    if (is_word(source) && is_word(target)) {
      return {static_cast<std::uint32_t>(*source), static_cast<std::uint32_t>(*target)};
    }
  }
  throw UsageError("expected --link i-j (source word first, words counted from 0), found '" + text +
                   "'");
}

void require_words(const SentencePair& pair, const std::string& file, std::span<const Link> links) {
  for (const Link link : links) {
    if (link.source < pair.source().size() && link.target < pair.target().size()) continue;
    throw InputError(file, pair.line(), "has no such words as given in --link");
  }
}

Findings explain_pairs(const AlignModel& model, ExplainCall& call) {
  if (model.links() == nullptr) {
    throw InputError(call.model, 0,
                     "expected a model trained with links, found one trained on text only: for the "
                     "probabilities of its links use predict --probabilities");
  }
  const PairAligner aligner(model, call.decoding);
  const ExtraFiles files = aligner.in_order(call.extras.files());
  require_readable(files.paths());
  ExplainOptions options;
  options.top = call.top;
  for (const std::string& text : call.links) options.links.push_back(parse_link(text));
  Index last = 0;  // the last pair that is asked for
  for (const Index number : call.pairs) {
    if (number == 0) throw UsageError("--pair must be at least 1");
    last = std::max(last, number);
  }
  BitextReader reader = call.text.text().open();
  ExtraReader extras(files);
  SentencePair pair;
  PairExtras known;
  Findings found;
  Index number = 0;
  while (reader.read(pair)) {
    ++number;
    extras.read(pair, known);
    const bool wanted = call.pairs.empty() ||
                        std::find(call.pairs.begin(), call.pairs.end(), number) != call.pairs.end();
    if (!wanted) continue;
    require_words(pair, call.text.files.front(), options.links);
    const auto told = explain(*aligner.supervised(), pair, known, options);
    found.text += call.json ? to_json(explain_record(pair, number, told)) + "\n"
                            : explain_text(pair, number, told);
  }
  extras.finish();
  if (last > number) {
    throw InputError(call.text.files.front(), 0,
                     fmt::format("has {} sentence pairs, so there is no pair {}", number, last));
  }
  return found;
}

}  // namespace

void add_explain(Command& align) {
  frame::add_command<AlignModel, ExplainCall>(
      align,
      {"explain",
       "Explain links: what each feature adds to the score of a link, what further links of its "
       "words cost, what neighbouring links add, and by how much the best alignment with the link "
       "beats the best one without it.\n\n"
       "  trellis align explain text.en text.fr --model m.trellis --pair 3\n"
       "  trellis align explain text.en text.fr --model m.trellis --pair 3 --link 4-5   # a link "
       "that was not found, too",
       "", ""},
      [](Command& command, ExplainCall& call) {
        command
            .option("files", call.text.files, "Source and target file, or one file with both sides")
            .required();
        add_separator(command, call.text);
        add_extras(command, call.extras);
        command.option("--pair", call.pairs, "Number of the sentence pair to explain, from 1 [all]")
            .repeats();
        command
            .option("--link", call.links,
                    "Link to explain: i-j, words counted from 0 [all links found]")
            .repeats();
        command.option("--top", call.top, "Number of features to show for each link");
        add_search_limit(command, call.decoding.search_limit);
      },
      explain_pairs);
}

}  // namespace trellis::align
