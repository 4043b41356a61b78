#include "trellis/tasks/topics/output/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

#include "trellis/data/json.h"
#include "trellis/frame/training/result.h"
#include "trellis/tasks/topics/output/buckets.h"
#include "trellis/tasks/topics/output/csv.h"
#include "trellis/tasks/topics/output/word_tables.h"

namespace trellis::topics {
namespace {

struct TopWord {
  std::string_view word;
  double probability = 0;
  double count = 0;
  std::string_view spelling;  // if the language is printed
};

struct LanguageRow {
  std::string_view language;
  std::vector<TopWord> words;
};

struct TopicRow {
  Index topic = 0;
  double prevalence = 0;
  double alpha = 0;
  std::string_view group;  // for DiscLDA: the owner
  std::vector<TopWord> words;
  std::vector<LanguageRow> languages;
  std::vector<RaisedWord> raised;
};

void add_languages(const TopicModel& model, Index top, std::vector<TopicRow>& rows) {
  const std::vector<LanguageTable> tables = language_tables(model, top);
  for (Index k = 0; k < tables.size(); ++k) {
    for (Index l = 0; l < tables[k].size(); ++l) {
      LanguageRow& language = rows[k].languages.emplace_back();
      language.language = model.languages()->names[l];
      for (const LanguageWord& one : tables[k][l]) {
        language.words.push_back({model.words()[one.word], one.probability,
                                  model.lda().count(one.word, k), spelling_of(model, one.word)});
      }
    }
  }
}

std::vector<TopicRow> topic_rows(const TopicModel& model, const InspectOptions& options) {
  const LdaModel& lda = model.lda();
  const std::vector<double> prevalence = model.prevalence();
  const auto tops = model.top_words(options.top);
  std::vector<double> phi(model.num_topics());
  std::vector<TopicRow> rows;
  for (Index k = 0; k < model.num_topics(); ++k) {
    TopicRow& row = rows.emplace_back(TopicRow{k, prevalence[k], lda.alpha()[k], {}, {}, {}, {}});
    if (model.classes() != nullptr) row.group = model.classes()->group(k);
    for (const std::uint32_t w : tops[k]) {
      lda.word_probabilities(w, phi);
      row.words.push_back({model.words()[w], phi[k], lda.count(w, k), {}});
    }
  }
  add_languages(model, options.top, rows);
  std::vector<std::vector<RaisedWord>> raised = raised_words(model, options.top);
  for (Index k = 0; k < raised.size(); ++k) rows[k].raised = std::move(raised[k]);
  if (options.order == TopicOrder::kPrevalence) {
    std::stable_sort(rows.begin(), rows.end(), [](const TopicRow& a, const TopicRow& b) {
      return a.prevalence > b.prevalence;
    });
  }
  return rows;
}

// Width of the column of groups; 0 without such a column.
Index group_width(const std::vector<TopicRow>& rows) {
  Index width = 0;
  for (const TopicRow& row : rows) width = std::max(width, row.group.size());
  return width == 0 ? 0 : std::max<Index>(width, 5) + 1;
}

// The characteristic words of classes, as in table 4.3; empty for LDA.
std::string classes_text(const TopicModel& model, const InspectOptions& options) {
  std::string text;
  for (const TopicBucket& bucket : topic_buckets(model, options.top)) {
    text += fmt::format("\n{} ({} {})\n ", bucket.group, bucket.topics.size(),
                        bucket.topics.size() == 1 ? "topic" : "topics");
    for (const TopicBucket::Word& one : bucket.words) {
      text += fmt::format(" {}: {:.0f}", model.words()[one.word], one.score);
    }
    text += '\n';
  }
  return text;
}

// Topics with one line of words for each language, and the words raised by links.
std::string words_text(const TopicModel& model, const std::vector<TopicRow>& rows) {
  std::string text;
  if (model.languages() != nullptr) {
    text += "\ntopic  words by language\n";
    for (const TopicRow& row : rows) {
      for (Index l = 0; l < row.languages.size(); ++l) {
        text += l == 0 ? fmt::format("{:5}  ", row.topic) : "       ";
        text += fmt::format("{:8}", row.languages[l].language);
        for (const TopWord& one : row.languages[l].words) text += fmt::format(" {}", one.spelling);
        text += '\n';
      }
    }
  }
  if (model.lda().prior().has_rows()) {
    text +=
        "\ntopic  words raised by their links: prior in the topic, usual prior; words in the "
        "topic; linked words\n";
    for (const TopicRow& row : rows) {
      for (Index i = 0; i < row.raised.size(); ++i) {
        const RaisedWord& one = row.raised[i];
        text += i == 0 ? fmt::format("{:5}  ", row.topic) : "       ";
        text += fmt::format("{:20} {:8.3f} {:8.3f} {:6.0f} ", model.words()[one.word], one.prior,
                            one.usual, one.count);
        for (const RaisedWord::Kin& kin : one.kin) {
          text += fmt::format(" {} {:.0f}", model.words()[kin.word], kin.count);
        }
        text += '\n';
      }
    }
  }
  return text;
}

std::string inspect_text(const TopicModel& model, const std::string& name,
                         const std::vector<TopicRow>& rows, const InspectOptions& options) {
  std::string text = fmt::format("{}: {} topics ({}), {} words\n", name, model.num_topics(),
                                 to_string(model.kind()), model.words().size());
  text += provenance_text(model.training());
  if (model.chain() != nullptr) {
    text +=
        fmt::format("its chain can be continued from sweep {} (--start)\n", model.chain()->sweeps);
  }
  if (model.classes() != nullptr) {
    text += fmt::format("correlation of the words of a document {:.4g}, for class probabilities\n",
                        model.classes()->correlation());
  }
  text += classes_text(model, options);
  const Index width = group_width(rows);
  text += fmt::format("\ntopic  share   alpha   {:{}}words\n", width > 0 ? "group" : "", width);
  for (const TopicRow& row : rows) {
    fmt::format_to(std::back_inserter(text), "{:5}  {:5.2f}%  {:<6.4g} {:{}}", row.topic,
                   100 * row.prevalence, row.alpha, row.group, width);
    for (const TopWord& one : row.words) {
      fmt::format_to(std::back_inserter(text), " {} {:.4f}", one.word, one.probability);
    }
    text += '\n';
  }
  return text + words_text(model, rows);
}

std::string inspect_csv(const TopicModel& model, const std::vector<TopicRow>& rows) {
  const bool groups = model.classes() != nullptr, languages = model.languages() != nullptr;
  std::string text = "topic,prevalence,alpha,rank,word,probability,count";
  text += groups ? ",group" : "";
  text += languages ? ",language\n" : "\n";
  const auto add = [&](const TopicRow& row, const std::vector<TopWord>& words,
                       std::string_view language) {
    for (Index i = 0; i < words.size(); ++i) {
      const TopWord& one = words[i];
      fmt::format_to(std::back_inserter(text), "{},{:.8g},{:.8g},{},{},{:.8g},{:.8g}", row.topic,
                     row.prevalence, row.alpha, i + 1, csv_field(one.word), one.probability,
                     one.count);
      if (groups) text += fmt::format(",{}", csv_field(row.group));
      if (languages) text += fmt::format(",{}", csv_field(language));
      text += '\n';
    }
  };
  for (const TopicRow& row : rows) {
    if (!languages) add(row, row.words, "");
    for (const LanguageRow& one : row.languages) add(row, one.words, one.language);
  }
  return text;
}

Value words_list(const std::vector<TopWord>& words) {
  Value list = Value::list();
  for (const TopWord& one : words) {
    list.push_back(Value::record(
        {{"word", one.word}, {"probability", one.probability}, {"count", one.count}}));
  }
  return list;
}

// Adds the content of words_text to a topic.
void add_word_tables(const TopicModel& model, const TopicRow& row, Value& topic) {
  for (const LanguageRow& one : row.languages) {
    topic["languages"][one.language] = words_list(one.words);
  }
  if (!model.lda().prior().has_rows()) return;
  topic["raised"] = Value::list();
  for (const RaisedWord& one : row.raised) {
    Value kin = Value::list();
    for (const RaisedWord::Kin& other : one.kin) {
      kin.push_back(Value::record({{"word", model.words()[other.word]}, {"count", other.count}}));
    }
    topic["raised"].push_back(Value::record({{"word", model.words()[one.word]},
                                             {"count", one.count},
                                             {"prior", one.prior},
                                             {"usual", one.usual},
                                             {"kin", std::move(kin)}}));
  }
}

Value inspect_record(const TopicModel& model, const std::vector<TopicRow>& rows,
                     const InspectOptions& options) {
  Value record = Value::record({{"kind", to_string(model.kind())},
                                {"words", model.words().size()},
                                {"text", model.text().to_value()},
                                {"stop_words", model.text().stop_words.size()},
                                {"training", model.training()}});
  if (model.classes() != nullptr) record["correlation"] = model.classes()->correlation();
  record["topics"] = Value::list();
  for (const TopicRow& row : rows) {
    Value topic = Value::record({{"topic", row.topic},
                                 {"prevalence", row.prevalence},
                                 {"alpha", row.alpha},
                                 {"words", words_list(row.words)}});
    if (model.classes() != nullptr) topic["group"] = row.group;
    add_word_tables(model, row, topic);
    record["topics"].push_back(std::move(topic));
  }
  for (const TopicBucket& bucket : topic_buckets(model, options.top)) {
    Value words = Value::list();
    for (const TopicBucket::Word& one : bucket.words) {
      words.push_back(Value::record({{"word", model.words()[one.word]}, {"score", one.score}}));
    }
    record["buckets"].push_back(Value::record(
        {{"group", bucket.group}, {"topics", bucket.topics}, {"words", std::move(words)}}));
  }
  return record;
}

}  // namespace

std::string inspect(const TopicModel& model, const std::string& name,
                    const InspectOptions& options) {
  const std::vector<TopicRow> rows = topic_rows(model, options);
  switch (options.format) {
    case TableFormat::kCsv:
      return inspect_csv(model, rows);
    case TableFormat::kJson:
      return to_json(inspect_record(model, rows, options)) + "\n";
    case TableFormat::kText:
      break;
  }
  return inspect_text(model, name, rows, options);
}

}  // namespace trellis::topics
