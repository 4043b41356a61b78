#include "trellis/scorers/conlleval_file.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/error.h"

namespace trellis::tag {
namespace {

constexpr std::string_view kBoundary = "-X-";

void split_fields(std::string_view line, std::string_view delimiter,
                  std::vector<std::string_view>& fields) {
  fields.clear();
  for (Index end = line.find(delimiter); end != std::string_view::npos;
       end = line.find(delimiter)) {
    fields.push_back(line.substr(0, end));
    line.remove_prefix(end + delimiter.size());
  }
  fields.push_back(line);
  while (!fields.empty() && fields.back().empty()) fields.pop_back();
}

class ConllevalSentences {
 public:
  ConllevalSentences(InputFile file, const ConllevalOptions& options)
      : file_(std::move(file)), options_(options) {
    if (options.delimiter.empty()) throw UsageError("the delimiter of fields may not be empty");
  }

  SpanMetrics read() {
    SpanMetrics metrics(ChunkRules::kConlleval2004);
    std::string_view line;
    while (file_.read_line(line)) {
      split_fields(line, options_.delimiter, fields_);
      check();
      if (!fields_.empty() && fields_.front() != kBoundary) {
        gold_.push_back(label(fields_[fields_.size() - 2]));
        found_.push_back(label(fields_.back()));
      } else if (!gold_.empty()) {
        add(metrics, true);
      }
    }
    if (!gold_.empty()) add(metrics, false);
    return metrics;
  }

 private:
  void check() {
    if (fields_.empty()) return;
    if (num_fields_ == 0) num_fields_ = fields_.size();
    if (fields_.size() != num_fields_) {
      throw InputError(file_.name(), file_.line_number(),
                       fmt::format("expected {} fields, as the lines before have, found {}",
                                   num_fields_, fields_.size()));
    }
    if (num_fields_ < 2) {
      throw InputError(file_.name(), file_.line_number(),
                       "expected a gold and a predicted label at the end, found one field");
    }
  }

  std::string label(std::string_view field) const {
    if (!options_.raw) return std::string(field);
    return field == "O" || field == options_.outside ? "O" : "B-" + std::string(field);
  }

  void add(SpanMetrics& metrics, bool ended) {
    const std::vector<std::string_view> gold(gold_.begin(), gold_.end());
    const std::vector<std::string_view> found(found_.begin(), found_.end());
    metrics.add(gold, found, ended);
    gold_.clear();
    found_.clear();
  }

  InputFile file_;
  const ConllevalOptions& options_;
  Index num_fields_ = 0;  // not yet known
  std::vector<std::string_view> fields_;
  std::vector<std::string> gold_, found_;  // of the sentence
};

}  // namespace

SpanMetrics read_conlleval(InputFile file, const ConllevalOptions& options) {
  return ConllevalSentences(std::move(file), options).read();
}

}  // namespace trellis::tag
