#include "trellis/tasks/topics/word_lda_training.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "trellis/base/error.h"
#include "trellis/data/fingerprint_table.h"

namespace trellis::topics {
namespace {

constexpr Index kMostStages = 255;

// By language, and for documents without one; kLater: no stage names the language.
constexpr std::uint8_t kLater = 0xFF;

std::vector<std::uint8_t> stage_of_languages(const StageSettings& settings,
                                             std::span<const Label> languages,
                                             const NameView& names) {
  std::vector<bool> has_documents(names.size(), false);
  for (const Label language : languages) {
    if (language != kNoLabel) has_documents[static_cast<Index>(language)] = true;
  }
  std::vector<std::uint8_t> stage_of(names.size(), kLater);
  for (Index stage = 0; stage < settings.languages.size(); ++stage) {
    for (const std::string& name : settings.languages[stage]) {
      Index language = 0;
      while (language < names.size() && names[language] != name) ++language;
      if (language == names.size() || !has_documents[language]) {
        std::vector<std::string_view> known;
        for (Index i = 0; i < names.size(); ++i) {
          if (has_documents[i]) known.push_back(names[i]);
        }
        throw UsageError(
            known.empty()
                ? fmt::format("--stage {}: the documents have no languages", name)
                : fmt::format("--stage {}: no document is in that language; they are in {}", name,
                              fmt::join(known, ", ")));
      }
      if (stage_of[language] != kLater) {
        throw UsageError(fmt::format("--stage gives {} twice", name));
      }
      stage_of[language] = static_cast<std::uint8_t>(stage);
    }
  }
  return stage_of;
}

}  // namespace

std::uint64_t WordRelations::digest() const {
  std::uint64_t digest = graph.num_edges();
  for (Index v = 0; v < graph.num_words(); ++v) {
    for (const WordGraph::Link& link : graph.links(v)) {
      digest = combine(digest, v << 32 | link.word);
      digest = combine(digest, std::bit_cast<std::uint32_t>(link.weight));
    }
  }
  for (Index v = 0; v < features.num_words(); ++v) {
    for (const WordFeatures::Value& x : features[v]) {
      digest = combine(digest, v << 32 | x.feature);
      digest = combine(digest, std::bit_cast<std::uint32_t>(x.value));
    }
  }
  return digest;
}

std::vector<SmoothingOptions> WordLdaSettings::candidates() const {
  std::vector<SmoothingOptions> all;
  for (const double lambda : lambdas) {
    for (const double sigma : sigmas) {
      SmoothingOptions& one = all.emplace_back(smoothing);
      one.lambda = lambda;
      one.sigma = sigma;
    }
  }
  return all;
}

void WordLdaSettings::check() const {
  if (lambdas.empty() || sigmas.empty()) throw UsageError("--lambda and --sigma require a value");
  for (const SmoothingOptions& one : candidates()) one.check();
  if (!(validation > 0 && validation < 1)) {
    throw UsageError("--choose-by must be a fraction above 0 and below 1");
  }
}

Value WordLdaSettings::record() const {
  Value record = Value::record({{"smooth_first", schedule.first},
                                {"smooth_every", schedule.every},
                                {"smooth_evaluations", smoothing.evaluations},
                                {"smooth_tolerance", smoothing.tolerance},
                                {"tau", smoothing.tau}});
  const auto said = [](double value) {  // JSON has no ∞
    return value == kInfinity ? Value("inf") : Value(value);
  };
  for (const double lambda : lambdas) record["lambda"].push_back(said(lambda));
  for (const double sigma : sigmas) record["sigma"].push_back(said(sigma));
  if (chooses()) record["validation"] = validation;
  return record;
}

Value StageSettings::record() const {
  Value record = Value::record({{"languages", languages}});
  if (sweeps) record["sweeps"] = *sweeps;
  return record;
}

WordParts parts_by_language(const WordLanguages& words) {
  constexpr std::uint8_t kNew = 0xFF;
  std::vector<std::uint8_t> part_of(words.num_languages + 1, kNew);  // the last: no language
  WordParts parts;
  parts.count = 0;
  for (Index w = 0; w < words.num_words(); ++w) {
    const Label language = words.mostly(w);
    std::uint8_t& part =
        part_of[language == kNoLabel ? words.num_languages : static_cast<Index>(language)];
    if (part == kNew) {
      if (parts.count == kNew) throw UsageError("--languages-apart supports at most 255 languages");
      part = static_cast<std::uint8_t>(parts.count++);
    }
    parts.of_words.push_back(part);
  }
  return parts;
}

DocumentStages make_stages(const StageSettings& settings, std::span<const Label> languages,
                           const NameView& names, Index sweeps) {
  if (!settings.staged()) return {};
  if (settings.languages.size() >= kMostStages) {
    throw UsageError(fmt::format("at most {} stages are possible", kMostStages - 1));
  }
  const std::vector<std::uint8_t> stage_of = stage_of_languages(settings, languages, names);
  const Index named = settings.languages.size();
  std::vector<std::uint8_t> stages;
  for (const Label language : languages) {
    const std::uint8_t stage =
        language == kNoLabel ? kLater : stage_of[static_cast<Index>(language)];
    stages.push_back(static_cast<std::uint8_t>(std::min<Index>(stage, named)));
  }
  const bool others =
      std::any_of(stages.begin(), stages.end(), [&](std::uint8_t stage) { return stage == named; });
  const Index count = named + (others ? 1 : 0);
  std::vector<Index> begins;
  for (Index stage = 0; stage < count; ++stage) {
    begins.push_back(settings.sweeps ? stage * *settings.sweeps : stage * sweeps / count);
    if (stage > 0 && (begins[stage] >= sweeps || begins[stage] == begins[stage - 1])) {
      throw UsageError(fmt::format(
          "stage {} of {} would begin after sweep {} of {}: each stage requires at least one sweep",
          stage + 1, count, begins[stage], sweeps));
    }
  }
  return {std::move(stages), std::move(begins)};
}

}  // namespace trellis::topics
