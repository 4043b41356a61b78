// `trellis tag explain`
#include <fmt/format.h>

#include <memory>
#include <string>

#include "trellis/base/error.h"
#include "trellis/cli/console.h"
#include "trellis/cli/tag/commands.h"
#include "trellis/cli/tag/run.h"

namespace trellis::cli {
namespace {

struct ExplainCall {
  CommonOptions common;
  InputChoice input;
  std::string model;
  Index sentence = 1;
  Index token = 0;
  Index top = 10;
};

nlohmann::json to_json(const std::vector<tag::Contribution>& list) {
  nlohmann::json json = nlohmann::json::array();
  for (const auto& c : list)
    json.push_back({{"feature", c.feature}, {"value", c.value}, {"weight", c.weight}});
  return json;
}

std::string to_text(const std::vector<tag::Contribution>& list, Index top) {
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
  Explainer(const ExplainCall& call, const tag::TagModel& model, const std::string& file)
      : call_(call), model_(model), file_(file), tagger_(model) {}

  void explain(const tag::TagSequence& sequence) {
    if (call_.token > sequence.num_tokens()) {
      throw UsageError(fmt::format("sentence {} has {} tokens, so there is no token {}",
                                   call_.sentence, sequence.num_tokens(), call_.token));
    }
    for (Index t = 0; t < sequence.num_tokens(); ++t) {
      if (call_.token == 0 || call_.token == t + 1) explain_token(sequence, t);
    }
  }

 private:
  std::string word(const tag::TagSequence& sequence, Index t) const {
    if (sequence.format == tag::InputFormat::kItems) return fmt::format("token {}", t + 1);
    return std::string(sequence.columns.field(t, model_.word_column()));
  }

  void explain_token(const tag::TagSequence& sequence, Index t) {
    const tag::Explanation why = tagger_.explain(sequence, t, scratch_);
    if (why.label == kNoLabel) throw_no_labels(file_, sequence);
    const std::string& label = model_.labels()[static_cast<Index>(why.label)];
    const bool rivalled = why.runner_up != kNoLabel;
    const std::string other = rivalled ? model_.labels()[static_cast<Index>(why.runner_up)] : "";
    if (call_.common.json) {
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
      print(json.dump() + "\n");
      return;
    }
    std::string text =
        fmt::format("{}  {}\n  {} (probability {:.4f})\n{}", t + 1, word(sequence, t), label,
                    why.probability, to_text(why.label_features, call_.top));
    if (rivalled) {
      text += fmt::format("  instead of {} (probability {:.4f})\n{}", other,
                          why.runner_up_probability, to_text(why.runner_up_features, call_.top));
    } else {
      text += "  the tag scheme leaves no other label between its neighbours\n";
    }
    print(text + "\n");
  }

  const ExplainCall& call_;
  const tag::TagModel& model_;
  const std::string& file_;
  tag::Tagger tagger_;
  tag::Tagger::Scratch scratch_;
};

int run(const ExplainCall& call) {
  const tag::TagModel model = tag::TagModel::load(call.model);
  if (model.voted())
    throw UsageError("a voted model has many weight vectors: there is no one explanation");
  tag::SequenceReader reader = open_input(model, call.input);
  tag::TagSequence sequence;
  for (Index i = 1; reader.read(sequence); ++i) {
    if (i != call.sentence) continue;
    check_columns(model, sequence, reader.name(), false);
    Explainer(call, model, reader.name()).explain(sequence);
    return 0;
  }
  throw InputError(reader.name(), 0, fmt::format("there is no sentence {}", call.sentence));
}

}  // namespace

void add_tag_explain(CLI::App& tag, int& status) {
  auto call = std::make_shared<ExplainCall>();
  CLI::App* app = tag.add_subcommand("explain",
                                     "Why a token has its label: what each feature adds to its "
                                     "score, and to that of the runner-up.");
  app->add_option("file", call->input.file,
                  "Columns, with or without labels; '-' or nothing: standard input");
  app->add_option("--model", call->model, "The model")->required();
  add_comments_option(*app, call->input.comments);
  app->add_option("--sentence", call->sentence, "Which sentence of the file, from 1")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app->add_option("--token", call->token, "Which token of it, from 1; 0: all")
      ->capture_default_str();
  app->add_option("--top", call->top, "Features to show for each label")->capture_default_str();
  add_common_options(*app, call->common);
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
