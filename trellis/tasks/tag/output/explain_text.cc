#include "trellis/tasks/tag/output/explain_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/tasks/tag/model/tagger.h"
#include "trellis/tasks/tag/output/sequence_pipeline.h"

namespace trellis::tag {
namespace {

nlohmann::json to_json(const std::vector<Contribution>& list) {
  nlohmann::json json = nlohmann::json::array();
  for (const auto& c : list)
    json.push_back({{"feature", c.feature}, {"value", c.value}, {"weight", c.weight}});
  return json;
}

std::string to_text(const std::vector<Contribution>& list, Index top) {
  std::string text;
  double rest = 0;
  for (Index k = 0; k < list.size(); ++k) {
    const double adds = list[k].value * list[k].weight;
    if (k < top) {
      text += fmt::format("    {:+9.4f}  {}\n", adds, list[k].feature);
    } else {
      rest += adds;
    }
  }
  if (list.size() > top) text += fmt::format("    {:+9.4f}  {} others\n", rest, list.size() - top);
  return text;
}

class Explainer {
 public:
  Explainer(const ExplainOptions& options, const TagModel& model, const std::string& file)
      : options_(options), model_(model), file_(file), tagger_(model) {}

  std::string explain(const TagSequence& sequence) {
    if (options_.token > sequence.num_tokens()) {
      throw UsageError(fmt::format("sentence {} has {} tokens, so there is no token {}",
                                   options_.sentence, sequence.num_tokens(), options_.token));
    }
    for (Index t = 0; t < sequence.num_tokens(); ++t) {
      if (options_.token == 0 || options_.token == t + 1) explain_token(sequence, t);
    }
    return std::move(text_);
  }

 private:
  std::string word(const TagSequence& sequence, Index t) const {
    if (sequence.format == InputFormat::kItems) return fmt::format("token {}", t + 1);
    return std::string(sequence.columns.field(t, model_.word_column()));
  }

  void explain_token(const TagSequence& sequence, Index t) {
    const Explanation why = tagger_.explain(sequence, t, scratch_);
    if (why.label == kNoLabel) throw_no_labels(file_, sequence);
    const std::string& label = model_.labels()[static_cast<Index>(why.label)];
    const bool rivalled = why.runner_up != kNoLabel;
    const std::string other = rivalled ? model_.labels()[static_cast<Index>(why.runner_up)] : "";
    if (options_.json) {
      nlohmann::json json = {{"token", t + 1},
                             {"word", word(sequence, t)},
                             {"label", label},
                             {"probability", why.probability},
                             {"features", to_json(why.label_features)}};
      if (rivalled) {
        json["runner_up"] = other;
        json["runner_up_probability"] = why.runner_up_probability;
        json["runner_up_features"] = to_json(why.runner_up_features);
      }
      text_ += json.dump() + "\n";
      return;
    }
    std::string text =
        fmt::format("{}  {}\n  {} (probability {:.4f})\n{}", t + 1, word(sequence, t), label,
                    why.probability, to_text(why.label_features, options_.top));
    if (rivalled) {
      text += fmt::format("  instead of {} (probability {:.4f})\n{}", other,
                          why.runner_up_probability, to_text(why.runner_up_features, options_.top));
    } else {
      text += "  the tag scheme leaves no other label between its neighbours\n";
    }
    text_ += text + "\n";
  }

  const ExplainOptions& options_;
  std::string text_;
  const TagModel& model_;
  const std::string& file_;
  Tagger tagger_;
  Tagger::Scratch scratch_;
};

}  // namespace

std::string explain(const TagModel& model, InputFile file, const ExplainOptions& options) {
  if (model.voted()) {
    throw UsageError("a voted model has many weight vectors: there is no one explanation");
  }
  SequenceReader reader = open_sequences(model, std::move(file), options.comments);
  TagSequence sequence;
  for (Index i = 1; reader.read(sequence); ++i) {
    if (i != options.sentence) continue;
    check_columns(model, sequence, reader.name(), false);
    return Explainer(options, model, reader.name()).explain(sequence);
  }
  throw InputError(reader.name(), 0, fmt::format("there is no sentence {}", options.sentence));
}

}  // namespace trellis::tag
