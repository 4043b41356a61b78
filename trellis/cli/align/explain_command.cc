#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/cli/align/align_calls.h"
#include "trellis/cli/model_command.h"
#include "trellis/data/json.h"
#include "trellis/tasks/align/supervised/explain.h"

namespace trellis::align {
namespace {

using cli::Command;
using cli::Findings;

struct ExplainCall : cli::ModelCall {
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
  throw UsageError("--link is i-j, words from 0, source first: '" + text + "'");
}

void require_words(const SentencePair& pair, const std::string& file, std::span<const Link> links) {
  for (const Link link : links) {
    if (link.source < pair.source().size() && link.target < pair.target().size()) continue;
    throw InputError(file, pair.line(), "has no such words as --link names");
  }
}

Findings explain_pairs(const AlignModel& model, ExplainCall& call) {
  if (model.links() == nullptr) {
    throw InputError(call.model, 0,
                     "expected a model that has learned from links, found one of text alone: its "
                     "links are told by predict --probabilities");
  }
  const PairAligner aligner(model, call.decoding);
  const ExtraFiles files = aligner.in_order(call.extras.files());
  require_readable(files.paths());
  ExplainOptions options;
  options.top = call.top;
  for (const std::string& text : call.links) options.links.push_back(parse_link(text));
  Index last = 0;  // the last pair that is asked for
  for (const Index number : call.pairs) {
    if (number == 0) throw UsageError("--pair counts from 1");
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
                     fmt::format("has {} sentence pairs: there is no pair {}", number, last));
  }
  if (call.json && !found.text.empty()) found.text.pop_back();
  return found;
}

}  // namespace

void add_explain(Command& align) {
  cli::add_command<AlignModel, ExplainCall>(
      align,
      {"explain",
       "Why these links: what each feature adds to a link's score, what further links of its words "
       "cost, what its neighbours add, and by how much the best alignment beats the best that "
       "differs in it.\n\n"
       "  trellis align explain text.en text.fr --model m.trellis --pair 3\n"
       "  trellis align explain text.en text.fr --model m.trellis --pair 3 --link 4-5   also where "
       "it was not found",
       "", ""},
      [](Command& command, ExplainCall& call) {
        command.option("files", call.text.files, "Source and target, or one file with both")
            .required();
        add_separator(command, call.text);
        add_extras(command, call.extras);
        command.option("--pair", call.pairs, "Of this pair, from 1 [all]").repeats();
        command.option("--link", call.links, "This link, i-j, from 0 [those found]").repeats();
        command.option("--top", call.top, "Features of each link");
        add_search_limit(command, call.decoding.search_limit);
      },
      explain_pairs);
}

}  // namespace trellis::align
