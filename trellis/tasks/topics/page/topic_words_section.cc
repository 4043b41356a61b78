#include "trellis/tasks/topics/page/topic_words_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "trellis/pictures/charts/bar_table.h"
#include "trellis/pictures/markup/number.h"

namespace trellis::report {
namespace {

constexpr Index kWordRowsAtOnce = 50;

Html words_of_any_script(const std::string& words) {
  return text_element("span", {{"dir", "auto"}}, words);
}

// Shows the first rows; the others are folded.
Html long_table(Table all, const char* others) {
  if (all.rows.size() <= kWordRowsAtOnce)
    return element("div", {{"class", "topic-table"}}, table(all));
  Table rest{all.caption, all.columns, {}};
  const auto middle = all.rows.begin() + static_cast<std::ptrdiff_t>(kWordRowsAtOnce);
  rest.rows.assign(std::make_move_iterator(middle), std::make_move_iterator(all.rows.end()));
  all.rows.erase(middle, all.rows.end());
  return element("div", {{"class", "topic-table"}},
                 table(all) + details(fmt::format("{} {}", rest.rows.size(), others), table(rest)));
}

}  // namespace

void add_languages_section(const std::vector<std::string>& languages,
                           const std::vector<TopicLanguages>& topics, Page& page) {
  if (languages.empty() || topics.empty()) return;
  Table rows;
  rows.columns = {{"topic"}};
  for (const std::string& language : languages) rows.columns.push_back({language});
  for (const TopicLanguages& topic : topics) {
    std::vector<Html> row = {text(topic.topic)};
    for (const std::string& words : topic.words) row.push_back(words_of_any_script(words));
    rows.rows.push_back(std::move(row));
  }
  page.add_section("Topics by language",
                   "The most probable words of each topic in each language; a word that occurs in "
                   "several languages may be in several columns.",
                   long_table(std::move(rows), "rarer topics"));
}

void add_raised_section(const std::vector<RaisedWordRow>& words, Page& page) {
  if (words.empty()) return;
  double most = 0;
  for (const RaisedWordRow& word : words) most = std::max(most, word.prior);
  Table rows;
  rows.columns = {{"topic"},
                  {"word"},
                  {"prior in the topic", Align::kEnd},
                  {"usual", Align::kEnd},
                  {"words in the topic", Align::kEnd},
                  {"linked words in the topic"}};
  for (const RaisedWordRow& word : words) {
    rows.rows.push_back(
        {text(word.topic), words_of_any_script(word.word),
         element("span", {{"class", "measure"}},
                 text(format_fixed(word.prior, 2)) + bar(most > 0 ? word.prior / most : 0)),
         text(format_fixed(word.usual, 2)), text(format_fixed(word.count, 0)),
         words_of_any_script(word.kin)});
  }
  page.add_section("Effect of links between words",
                   "The prior of a word acts like additional occurrences of the word in the topic; "
                   "links raise it in topics where linked words occur.",
                   long_table(std::move(rows), "more"));
}

}  // namespace trellis::report
