#include "trellis/tasks/topics/output/judge_file.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/data/json.h"
#include "trellis/formats/prediction_lines.h"
#include "trellis/formats/tables/csv_line.h"

namespace trellis::topics {
namespace {

// Whether this is a topic with its share, which follows the id on lines without a class.
bool is_share(std::string_view field) {
  const Index colon = field.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view share = field.substr(colon + 1);
  return parse_integer(field.substr(0, colon)) && parse_double(share.substr(0, share.find(' ')));
}

// Reads lines of predictions: id and class of each document.
class ClassLines {
 public:
  ClassLines(InputFile file, bool languages) : lines_(std::move(file)), languages_(languages) {}

  std::string next(const std::string& id, const std::string& source) {
    const std::string what = fmt::format("the class of document '{}' of {}", id, source);
    std::string_view line = lines_.need(what);
    if (lines_.line_number() == 1) {
      form_ = line.starts_with("{\"")   ? Form::kJson
              : line.starts_with("id,") ? Form::kCsv
                                        : Form::kText;
      if (form_ == Form::kCsv) {
        read_header(line);
        line = lines_.need(what);
      }
    }
    parse(line);
    if (id_ != id) lines_.refuse(fmt::format("expected {}, found", what), id_);
    if (class_.empty()) lines_.refuse(fmt::format("expected {}, found none", what));
    return class_;
  }

  void require_end() { lines_.require_end("documents"); }

 private:
  enum class Form { kText, kCsv, kJson };

  void parse(std::string_view line) {
    if (form_ == Form::kJson) return parse_record(line);
    if (form_ == Form::kCsv) {
      split_fields(line);
      if (fields_.size() <= class_column_) lines_.refuse("expected as many fields as the header");
      id_ = fields_.front();
      class_ = fields_[class_column_];
      return;
    }
    const Index column = languages_ ? 2 : 1;
    split(line, '\t', views_);
    if (views_.size() <= column || is_share(views_[column])) {
      lines_.refuse("expected an id and a class with a tab between, found", line);
    }
    id_ = views_.front();
    class_ = views_[column];
  }

  void parse_record(std::string_view line) {
    const Value record = parse_json(line).value_or(Value());
    for (const char* name : {"id", "predicted"}) {
      if (!record.contains(name) || !record.at(name).is_text()) {
        lines_.refuse("expected a JSON object with texts 'id' and 'predicted', found", line);
      }
    }
    id_ = record.at("id").text();
    class_ = record.at("predicted").text();
  }

  void split_fields(std::string_view line) {
    at_line(lines_.name(), lines_.line_number(),
            [&] { return generative::split_csv(line, fields_); });
  }

  void read_header(std::string_view line) {
    split_fields(line);
    for (Index c = 0; c < fields_.size(); ++c) {
      if (fields_[c] == "predicted") class_column_ = c;
    }
    if (class_column_ == 0) lines_.refuse("expected a column 'predicted', found", line);
  }

  PredictionLines lines_;
  bool languages_;
  Form form_ = Form::kText;
  Index class_column_ = 0;
  std::vector<std::string> fields_;
  std::vector<std::string_view> views_;
  std::string id_, class_;
};

std::vector<std::vector<std::uint32_t>> read_topics(const Corpus& corpus, InputFile file) {
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  for (Index w = 0; w < corpus.words().size(); ++w) {
    numbers.emplace(corpus.words()[w], static_cast<std::uint32_t>(w));
  }
  std::vector<std::vector<std::uint32_t>> topics;
  std::vector<std::string_view> words;
  std::string_view line;
  while (file.read_line(line)) {
    split_columns(line, words);
    if (words.empty()) continue;
    topics.emplace_back();
    for (const std::string_view word : words) {
      const auto at = numbers.find(word);
      if (at != numbers.end()) topics.back().push_back(at->second);
    }
  }
  if (topics.empty()) throw InputError(file.name(), 0, "expected the words of topics, found none");
  return topics;
}

std::string number_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.4f}", value) : "none";
}

}  // namespace

ClassEvaluation judge_classes(const Corpus& corpus, InputFile predictions,
                              const std::string& source) {
  if (!corpus.has_labels())
    throw InputError(source, 0, "expected documents with labels, found none");
  ClassLines lines(std::move(predictions), corpus.has_languages());
  ClassEvaluation result;
  for (Index d = 0; d < corpus.documents().size(); ++d) {
    const std::string id =
        corpus.has_ids() ? std::string(corpus.ids()[d]) : fmt::format("{}", d + 1);
    const std::string predicted = lines.next(id, source);
    if (corpus.labels()[d] == kNoLabel) continue;
    result.scores.add(corpus.label_names()[static_cast<Index>(corpus.labels()[d])], predicted);
  }
  lines.require_end();
  return result;
}

Value classes_record(const ClassEvaluation& classes, Index documents) {
  return Value::record({{"documents", documents}, {"classes", classes.scores.record()}});
}

TopicCoherence judge_topics(const Corpus& corpus, InputFile topics, CoherenceOptions options) {
  const auto words = read_topics(corpus, std::move(topics));
  const auto measured = [&](CoherenceMeasure measure) {
    options.measure = measure;
    return coherence(corpus.documents(), words, options);
  };
  TopicCoherence found;
  found.npmi = measured(CoherenceMeasure::kNpmi);
  found.uci = measured(CoherenceMeasure::kUci);
  options.window = 0;
  found.umass = measured(CoherenceMeasure::kUMass);
  return found;
}

Value TopicCoherence::record() const {
  return Value::record({{"coherence_npmi", mean_coherence(npmi)},
                        {"coherence_uci", mean_coherence(uci)},
                        {"coherence_umass", mean_coherence(umass)},
                        {"topic_npmi", npmi},
                        {"topic_uci", uci},
                        {"topic_umass", umass}});
}

std::string TopicCoherence::to_text() const {
  std::string text = fmt::format("{:<8}{:>10}{:>10}{:>10}\n", "topic", "NPMI", "UCI", "UMass");
  const auto row = [&](const std::string& name, double a, double b, double c) {
    text += fmt::format("{:<8}{:>10}{:>10}{:>10}\n", name, number_text(a), number_text(b),
                        number_text(c));
  };
  for (Index k = 0; k < npmi.size(); ++k) {
    row(fmt::format("{}", k + 1), npmi[k], uci[k], umass[k]);
  }
  row("mean", mean_coherence(npmi), mean_coherence(uci), mean_coherence(umass));
  return text;
}

}  // namespace trellis::topics
