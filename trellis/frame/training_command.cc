#include "trellis/frame/training_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/names.h"
#include "trellis/base/output_file.h"
#include "trellis/base/text.h"
#include "trellis/fit/dials.h"
#include "trellis/frame/model_command.h"
#include "trellis/frame/training/choosing.h"
#include "trellis/frame/training/result.h"

namespace trellis::frame {
namespace {

// As Loss::named() knows them.
constexpr std::array<std::string_view, 4> kLosses = {"crf", "softmax-margin", "svm", "perceptron"};

// What each learner would do where nothing else is said; those that cannot do with their own loss
// are left out.
using Standards = std::vector<LearnerChoice>;
Standards standards_of(const LearnerSet& learners, const TaskDefaults& defaults, const Able& able) {
  Standards standards;
  for (const LearnerKind learner : learners.list()) {
    LearnerOptions said;
    said.learner = learner;
    try {
      standards.push_back(choose(said, defaults, able));
    } catch (const UsageError&) {
      continue;
    }
  }
  return standards;
}

// "[1000: lbfgs and bmrm; 20: dca]", or "[1]" where it is the same for all.
std::string standard_text(const Dial& dial, const Standards& standards) {
  std::vector<std::pair<std::string, LearnerSet>> groups;
  for (const LearnerChoice& standard : standards) {
    const LearnerKind learner = standard.learner;
    if (!dial.learners.has(learner)) continue;
    const std::string value = dial.text(standard.values);
    if (value.empty()) continue;
    const auto known =
        std::find_if(groups.begin(), groups.end(), [&](auto& one) { return one.first == value; });
    if (known != groups.end()) {
      known->second.add(learner);
    } else {
      groups.emplace_back(value, LearnerSet{learner});
    }
  }
  if (groups.empty()) return {};
  if (groups.size() == 1) return fmt::format(" [{}]", groups.front().first);
  std::string text;
  for (const auto& [value, set] : groups) {
    text += fmt::format("{}{}: {}", text.empty() ? " [" : "; ", value, set.names());
  }
  return text + "]";
}

void add_dial(Command& command, TrainingFlags& flags, const Dial& dial, const LearnerSet& learners,
              const Standards& standards, const Able& able) {
  const LearnerSet here = learners & dial.learners;
  const bool few = here.list().size() <= 4;
  const std::string name(dial.name);
  const bool chosen = name == flags.held_by && !flags.settled;
  const std::string help = fmt::format("{}{}{}", few ? here.names() + ": " : "", dial.help,
                                       chosen ? " [auto]" : standard_text(dial, standards));
  const bool is_switch = dial.member.index() == 2;
  const std::string flag = name == "average" ? "--average,!--no-average" : "--" + name;
  Option& rules = is_switch ? command.flag(flag, flags.switches[name], help)
                            : command.option(flag, flags.dials[name], help);
  // Who asks for it all the same is told why not, instead of that there is no such option.
  const bool unable = (name == "draws" && !able.draws) || (name == "rescale" && !able.slack);
  if (here.empty() || unable) rules.hidden();
}

void add_loss_flags(Command& command, TrainingFlags& flags, const LearnerSet& learners,
                    const TrainingPage& page) {
  command.group("Learning");
  std::string lines;
  for (const LearnerKind learner : learners.list()) {
    lines +=
        fmt::format("{}{}: {}", lines.empty() ? "" : "\n", to_string(learner), describe(learner));
  }
  for (const auto& [name, line] : page.more_learners) {
    lines += fmt::format("\n{}: {}", name, line);
    flags.own_learners.push_back(name);
  }
  // Any name may be written: who asks for a learner that cannot train this is told why not.
  std::string names = learners.names();
  for (const auto& [name, line] : page.more_learners) names += ", or " + name;
  command.option("--learner", flags.learner, lines + "\n[depends on --loss]")
      .brief("Learner: " + names + " [depends on --loss]");
  command.option("--loss", flags.loss,
                 fmt::format("Loss: {} or {} [depends on --learner]",
                             fmt::join(kLosses.begin(), kLosses.end() - 1, ", "), kLosses.back()));
  command.option("--beta", flags.beta,
                 "Inverse temperature of the loss, above 0 up to inf [as --loss sets it]");
  command.option("--gamma", flags.gamma, "Scale of the cost in the loss [as --loss sets it]");
}

void add_choice_flags(Command& command, TrainingFlags& flags, const TrainingPage& page) {
  command.group("Choice of settings");
  command
      .option(
          "--cv", flags.options.folds,
          fmt::format("Number of cross-validation folds to choose among several values of a "
                      "numeric option (--{0} 0.1,1,10 or --{0} auto) [chosen on --dev{1}]",
                      flags.held_by,
                      page.settled ? std::string()
                      : page.folds > 0
                          ? fmt::format("; without it: {} folds", page.folds)
                          : "; without it: 5 folds of few examples, or a held-out fifth of many"))
      .shows("");
  command.flag("--path", flags.options.path,
               "Train with each value of --c, --lambda or --radius in order, and report objective, "
               "norm of the weights and dev score for each");
}

void add_run_group(Command& command, TrainingFlags& flags, const TrainingPage& page) {
  command.group("Run");
  command.option(
      "--seed", flags.options.seed,
      "Seed of the random numbers; same data, options and seed: same model, bit for bit");
  command
      .option("--checkpoint", flags.options.checkpoint,
              "File for the training state when a run is interrupted (Ctrl-C) [MODEL.checkpoint]")
      .same_bits();
  command
      .option("--save-every", flags.options.save_every,
              "Seconds between two saves of the training state during a run")
      .same_bits();
  command
      .flag("--resume", flags.options.resume,
            "Continue from the checkpoint; the model is the same as without the interruption")
      .same_bits();
  command.option("--history", flags.history, "File that receives a line of JSON for each epoch")
      .same_bits();
  if (!page.report.empty()) {
    command.option("--report", flags.report, "Write an HTML page: " + page.report).same_bits();
  }
}

// The learner, or nothing where the task handles it itself.
std::optional<LearnerKind> parse_learner(const TrainingFlags& flags) {
  const auto& own = flags.own_learners;
  if (std::find(own.begin(), own.end(), flags.learner) != own.end()) return std::nullopt;
  const std::vector<LearnerKind> learners = LearnerSet::all().list();
  std::vector<std::string_view> names;
  for (const LearnerKind learner : learners) names.push_back(to_string(learner));
  names.insert(names.end(), own.begin(), own.end());
  return learners[find_name("learner", names, flags.learner)];
}

Loss parse_loss(const TrainingFlags& flags) {
  const auto other = flags.loss_names.find(flags.loss);
  if (other != flags.loss_names.end()) return Loss::named(other->second);
  std::vector<std::string_view> names(kLosses.begin(), kLosses.end());
  for (const auto& [name, loss] : flags.loss_names) names.push_back(name);
  return Loss::named(names[find_name("loss", names, flags.loss)]);
}

double parse_beta(const std::string& text) {
  if (text == "inf") return Loss::kInfinity;
  const auto value = parse_double(text);
  if (!value) {
    throw UsageError(fmt::format("--beta is '{}': expected a positive number or inf", text));
  }
  return *value;
}

std::string describe_end(const LearnSummary& summary, const Steps& steps) {
  std::string text = fmt::format("{}, {:.1f} s", ending(summary, steps), summary.seconds);
  if (std::isfinite(summary.objective)) {
    text += fmt::format(", objective {:.6g}", summary.objective);
  }
  if (const std::string gap = describe_gap(summary); !gap.empty()) text += ", " + gap;
  return text;
}

// The last line of a run that was interrupted.
std::string how_to_continue(const TrainingFlags& flags, const TrainingOutcome& outcome) {
  std::error_code unknown;
  if (!std::filesystem::exists(flags.options.checkpoint, unknown)) {
    return "interrupted before a first state was saved: --resume cannot continue this run";
  }
  const std::string model =
      outcome.best_so_far
          ? fmt::format("{} has the model of the best settings so far, and ", flags.model)
          : "";
  return fmt::format(
      "interrupted: {}the training state is in {}; repeat the command with --resume to continue",
      model, flags.options.checkpoint);
}

// The result of a run that ended, for people.
std::vector<std::string> notes_of(const TrainingFlags& flags, const TrainingOutcome& outcome) {
  std::vector<std::string> notes;
  const LearnSummary& summary = outcome.summary;
  if (summary.epochs > 0 || !summary.history.empty()) {
    notes.push_back(describe_end(summary, flags.steps));
  }
  if (std::string sums = convergence_text(summary); !sums.empty()) notes.push_back(sums);
  notes.insert(notes.end(), outcome.notes.begin(), outcome.notes.end());
  notes.push_back(fmt::format("wrote {}", flags.model));
  return notes;
}

}  // namespace

void add_training_flags(Command& command, TrainingFlags& flags, const TaskDefaults& defaults,
                        const Able& able, const TrainingPage& page) {
  const LearnerSet learners = learners_for(able);
  const Standards standards = standards_of(learners, defaults, able);
  flags.standard_folds = page.folds;
  flags.loss_names = page.more_losses;
  flags.remedy = page.remedy;
  flags.settled = page.settled;
  if (defaults.per_lambda) flags.held_by = "lambda";
  flags.sees_to_grid = page.folds > 0 || defaults.per_lambda;
  command.group("");
  command.option("--model", flags.model, "Model file to write").required().same_bits();
  if (!page.dev.empty()) {
    command
        .option("--dev", flags.dev,
                "Held-out file, for early stopping (the best epoch is kept) and for the choice "
                "of settings" +
                    page.dev)
        .same_bits();
  }
  add_loss_flags(command, flags, learners, page);
  for (const Dial& dial : dials()) {
    // The first ones are about every learner.
    if (dial.name == "gap-every") command.group("Learners");
    add_dial(command, flags, dial, learners, standards, able);
  }
  add_choice_flags(command, flags, page);
  add_run_group(command, flags, page);
  add_common_options(command, flags.common);
  command.short_help({"--model", "--dev", "--learner", "--loss", "--c", "--lambda", "--epochs",
                      "--gap", "--cv", "--seed", "--resume", "--report"});
}

void add_run_flags(Command& command, TrainingFlags& flags, const TrainingPage& page) {
  command.group("");
  command.option("--model", flags.model, "Model file to write").required().same_bits();
  add_run_group(command, flags, page);
  add_common_options(command, flags.common);
  command.short_help({"--model", "--seed", "--resume", "--report"});
}

void resolve(TrainingFlags& flags) {
  TrainingOptions& options = flags.options;
  LearnerOptions& said = options.learner;
  if (!flags.learner.empty()) said.learner = parse_learner(flags);
  if (!flags.loss.empty()) said.loss = parse_loss(flags);
  if (!flags.beta.empty()) said.beta = parse_beta(flags.beta);
  said.gamma = flags.gamma;
  for (const auto& [name, text] : flags.dials) {
    if (!text.empty()) read_dial(name, text, said, options.candidates);
  }
  for (const auto& [name, value] : flags.switches) {
    if (value) dial(name).set(said, *value ? "true" : "false");
  }
  options.choose = !flags.settled;
  options.threads = flags.common.threads;
  if (!flags.dev_files.empty()) flags.dev = flags.dev_files.front();
  if (options.checkpoint.empty()) options.checkpoint = flags.model + ".checkpoint";
  if (options.path && options.folds > 0) {
    throw UsageError("--path trains on all examples, so it cannot be combined with --cv");
  }
  const bool own_learner = !flags.learner.empty() && !said.learner;
  const bool nothing_to_choose =
      options.candidates.empty() && options.folds > 0 && !flags.sees_to_grid && !own_learner;
  if (nothing_to_choose && says_how_weights_are_held(options)) {
    throw UsageError(
        "--cv has nothing to choose from: give an option several values, for example --c 0.1,1,10");
  }
  if (nothing_to_choose || (options.path && options.candidates.empty())) {
    options.candidates.push_back({flags.held_by, {}});
  }
  if (flags.standard_folds == 0) require_something_to_choose_by(options, !flags.dev.empty());
}

Findings run_training(TrainingFlags& flags, Session& session,
                      const std::function<TrainingOutcome(const TrainEvents&)>& train) {
  if (flags.common.quiet) session.be_quiet();
  resolve(flags);
  // Better now than after reading and training.
  require_readable(flags.dev);
  require_readable(flags.dev_files);
  require_writable(flags.model);
  require_writable(flags.options.checkpoint);
  require_writable(flags.report);
  HistoryFile history(flags.history, flags.options.resume);
  TrainEvents events;
  events.stop = session.stop();
  events.on_phase = [&](const std::string& message) { session.note(message); };
  events.on_warning = [&](const std::string& message) { session.warn(message); };
  events.on_progress = [&](const std::string& message) { session.progress(message); };
  events.on_epoch = [&](const EpochRecord& record) {
    session.progress(describe(record, flags.steps));
    history.write(record);
  };
  const TrainingOutcome outcome = train(events);
  Findings findings;
  findings.warnings = outcome.warnings;
  findings.interrupted = outcome.interrupted;
  if (outcome.interrupted) {
    findings.warnings.push_back(how_to_continue(flags, outcome));
    return findings;
  }
  if (flags.common.json) {
    findings.records.push_back(outcome.record);
  } else {
    findings.notes = notes_of(flags, outcome);
  }
  findings.page = outcome.page;
  write_page(flags.report, outcome.page);
  return findings;
}

Value record_of(const Learned& learned) {
  Value record;
  put_learned(learned, {}, record);
  return record;
}

std::vector<std::string> unfinished(const TrainingFlags& flags, const Learned& learned) {
  const LearnSummary& summary = learned.fitted.summary;
  const double tolerance = learned.choice.gap();
  const bool apart = tolerance > 0 && summary.gap() > tolerance;
  if (summary.termination == Termination::kStalled && apart && summary.missed > 0) {
    return {
        fmt::format("the relative gap is {:.2g} instead of {:.2g}: the inexact search for best "
                    "outputs found nothing more to improve, but may have missed better outputs",
                    summary.gap(), tolerance)};
  }
  if (summary.termination != Termination::kMaxEpochs) return {};
  // L-BFGS ends by tolerances of its own; who says --epochs knows that they come first.
  const bool cut = dial("delta").learners.has(learned.choice.learner) &&
                   learned.choice.values.epochs && !flags.options.learner.epochs;
  if (!apart && !cut) return {};
  std::string text =
      fmt::format("--epochs {} ended the run before its tolerance was reached", summary.epochs);
  if (apart) {
    text += fmt::format(": the relative gap is {:.2g} instead of {:.2g}", summary.gap(), tolerance);
  }
  const bool by_lambda = learned.choice.values.lambda.has_value();
  return {fmt::format("{}; try a larger --epochs{} or a {}", text,
                      flags.remedy.empty() ? "" : ", " + flags.remedy,
                      by_lambda                      ? "larger --lambda"
                      : learned.choice.values.radius ? "smaller --radius"
                                                     : "smaller --c")};
}

std::vector<std::string> unseen_labels(const std::string& dev,
                                       const std::vector<std::string>& labels) {
  constexpr Index kMost = 5;  // of a file with another column for labels there are thousands
  std::vector<std::string> warnings;
  for (Index k = 0; k < std::min<Index>(labels.size(), kMost); ++k) {
    warnings.push_back(
        fmt::format("{}: the label '{}' does not occur in the training set", dev, labels[k]));
  }
  if (labels.size() > kMost) {
    warnings.push_back(fmt::format("{}: {} other labels do not occur in the training set either",
                                   dev, labels.size() - kMost));
  }
  return warnings;
}

}  // namespace trellis::frame
