#include "trellis/tasks/align/train_stages.h"

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/data/json.h"

namespace trellis::align {

bool learns(AlignerKind aligner) {
  return aligner != AlignerKind::kDice && aligner != AlignerKind::kLlr;
}

Index model1_iterations_of(const TrainOptions& options) {
  if (!learns(options.aligner)) return 0;
  const bool alone = options.aligner == AlignerKind::kModel1 && !options.agree;
  return alone ? options.iterations : options.model1_iterations;
}

Index em_iterations_of(const TrainOptions& options) {
  const bool alone = options.aligner == AlignerKind::kModel1 && !options.agree;
  return learns(options.aligner) && !alone ? options.iterations : 0;
}

AlignerKind em_stage_of(const TrainOptions& options) {
  const bool further =
      options.aligner == AlignerKind::kFertility || options.aligner == AlignerKind::kGibbs;
  return further ? AlignerKind::kHmm : options.aligner;
}

void check(const TrainOptions& options) {
  if (!(options.null > 0 && options.null < 1)) throw UsageError("--null must be between 0 and 1");
  if (!(options.prior >= 0 && options.prior < 1e6)) throw UsageError("--prior must be 0 or more");
  if (!(options.floor > 0 && options.floor < 1))
    throw UsageError("--floor must be between 0 and 1");
  if (!(options.keep >= 0 && options.keep < 1))
    throw UsageError("--keep must be at least 0 and below 1");
  const GibbsTraining& gibbs = options.gibbs;
  if (gibbs.chains < 1 || gibbs.sweeps < 1)
    throw UsageError("--chains and --sweeps must be 1 or more");
  if (!(gibbs.chain.null > 0 && gibbs.chain.null < 1 && gibbs.chain.lexical_prior > 0)) {
    throw UsageError("--gibbs-null must be between 0 and 1, and --gibbs-prior above 0");
  }
  if (!(options.fertility.null > 0 && options.fertility.null < 1) ||
      !(options.fertility.fertility_prior > 0 && options.fertility.fertility_prior < 1e6) ||
      options.fertility.sampling.sweeps < 1) {
    throw UsageError(
        "--fertility-null must be between 0 and 1, --fertility-prior above 0, and "
        "--fertility-sweeps 1 or more");
  }
  if (options.frequent < 1) throw UsageError("--frequent must be 1 or more");
  if (options.reach < 1 || options.reach > 1000) throw UsageError("--reach must be 1 to 1000");
}

std::string identity_of(const Bitext& bitext, const Vocabularies& words, const AlignModel* start) {
  std::uint64_t digest = 0;
  for (const WordId e : bitext.source_tokens()) digest = combine(digest, e);
  for (const WordId f : bitext.target_tokens()) digest = combine(digest, f);
  for (Index k = 0; k < bitext.size(); ++k) {
    digest = combine(combine(digest, bitext[k].source.size()), bitext.target_begin(k));
  }
  for (const NameList* names : {&words.source(), &words.target()}) {
    digest = combine(digest, fingerprint({names->bytes().data(), names->bytes().size()}));
  }
  if (start != nullptr) digest = combine(digest, fingerprint(start->to_bytes()));
  return fmt::format("align digest={:016x}", digest);
}

Value settings_of(const TrainOptions& options, bool started) {
  Value settings = Value::record({{"aligner", to_string(options.aligner)}});
  if (options.statistics) settings["frequent"] = options.frequent;
  if (options.aligner == AlignerKind::kDice || options.aligner == AlignerKind::kLlr) {
    return settings;
  }
  settings["agree"] = options.agree;
  settings["model1_iterations"] = model1_iterations_of(options);
  settings["iterations"] = em_iterations_of(options);
  settings["smoothing"] = to_string(options.smoothing);
  settings["prior"] = options.prior;
  settings["floor"] = options.floor;
  settings["null"] = options.null;
  settings["keep"] = options.keep;
  if (em_stage_of(options) == AlignerKind::kHmm) settings["reach"] = options.reach;
  if (options.aligner == AlignerKind::kFertility) {
    settings["fertility_iterations"] = options.fertility_iterations;
    settings["fertility_sweeps"] = options.fertility.sampling.sweeps;
    settings["fertility_prior"] = options.fertility.fertility_prior;
    settings["fertility_null"] = options.fertility.null;
    settings["seed"] = options.seed;
  }
  if (options.aligner == AlignerKind::kGibbs) {
    const GibbsTraining& gibbs = options.gibbs;
    settings["chains"] = gibbs.chains;
    settings["burn_in"] = gibbs.burn_in;
    settings["sweeps"] = gibbs.sweeps;
    settings["seed"] = options.seed;
    settings["gibbs_fertility"] = gibbs.chain.fertility;
    settings["gibbs_prior"] = gibbs.chain.lexical_prior;
    settings["gibbs_null"] = gibbs.chain.null;
  }
  if (started) settings["started"] = true;
  return settings;
}

}  // namespace trellis::align
