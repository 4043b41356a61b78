#include "trellis/topics/words/dictionary.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/text.h"
#include "trellis/topics/corpus/word_lines.h"
#include "trellis/topics/words/term_list.h"

namespace trellis::topics {

LinkTally add_dictionary(InputFile file, WordFinder& words, const DictionaryOptions& options,
                         WordGraphBuilder& graph) {
  options.check();
  WordLines lines(std::move(file));
  LinkTally tally;
  std::vector<std::string_view> fields;
  std::vector<std::string_view> terms;
  std::string entry_text;
  std::string translations;
  for (std::string_view line; lines.read(line);) {
    split(line, '\t', fields);
    if (fields.size() != 2 || trim(fields[0]).empty() || trim(fields[1]).empty()) {
      if (options.other_lines == OtherLines::kRefuse) {
        lines.refuse("expected an entry, a tab and its translations, found", line);
      }
      ++tally.skipped;
      continue;
    }
    remove_remarks(fields[0], entry_text);
    const FoundWord entry = words.find(entry_text);
    tally.count(entry.kind);
    remove_remarks(fields[1], translations);
    terms.clear();
    split_senses(translations, terms);
    for (const std::string_view term : terms) {
      const FoundWord translation = words.find(term);
      tally.count(translation.kind);
      if (!entry.is_word() || !translation.is_word() || entry.word == translation.word) continue;
      graph.add(entry.word, translation.word, options.weight);
      ++tally.links;
    }
  }
  tally.lines = lines.num_read();
  return tally;
}

}  // namespace trellis::topics
