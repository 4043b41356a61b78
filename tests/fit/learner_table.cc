#include "tests/fit/learner_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "tests/fit/small_fits.h"
#include "trellis/base/error.h"
#include "trellis/fit/fit.h"

namespace trellis::testing {
namespace {

using enum LearnerKind;

LearnerVariant variant(std::string name, LearnerAim aim, LearnerKind learner, const char* loss) {
  LearnerVariant one{std::move(name), aim, {}};
  one.said.learner = learner;
  one.said.loss = Loss::named(loss);
  if (learner == kPerceptron) return one;
  one.said.lambda = kTableLambda;
  if (learner != kQp) one.said.gap = kTableGap;
  return one;
}

// All is said, so a task adds nothing.
TaskDefaults no_task() {
  TaskDefaults defaults;
  defaults.loss = Loss::named("svm");
  defaults.smooth = kLbfgs;
  defaults.hinge = kBcfw;
  return defaults;
}

// The reason without the sentence around it, and without the learner's name: its row has that.
std::string bare(std::string_view sentence, LearnerKind learner) {
  constexpr std::string_view kFrame = " cannot train this: ";
  const std::string_view name = to_string(learner);
  if (const auto at = sentence.find(kFrame); at != std::string_view::npos) {
    return std::string(sentence.substr(at + kFrame.size()));
  }
  const bool named = sentence.starts_with(name) && sentence.substr(name.size()).starts_with(" is ");
  return named ? "it" + std::string(sentence.substr(name.size())) : std::string(sentence);
}

// A UsageError is the word of choose(), or of the learner, that it cannot.
LearnerCell attempt(const SmallFit& problem, const LearnerOptions& said) {
  std::vector<double> w(problem.dimension(), 0.0);
  try {
    const LearnerChoice choice = choose(said, no_task(), problem.able());
    const LearnSummary summary = problem.fit({choice, w}).summary;
    return {
        true, {}, summary.objective, summary.bound, summary.gap(), summary.history.front().gap()};
  } catch (const UsageError& error) {
    return {false, bare(error.what(), *said.learner)};
  }
}

LearnerOptions precise_bundle() {
  LearnerOptions said = variant("", LearnerAim::kOptimum, kBmrm, "svm").said;
  said.gap = 1e-8;
  return said;
}

// "no (3)"
std::string refused(const std::string& reason, std::vector<std::string>& reasons) {
  auto place = std::find(reasons.begin(), reasons.end(), reason);
  if (place == reasons.end()) place = reasons.insert(place, reason);
  return fmt::format("no ({})", place - reasons.begin() + 1);
}

std::string cell_text(const LearnerCell& cell, LearnerAim aim, std::vector<std::string>& reasons) {
  if (!cell.works) return refused(cell.reason, reasons);
  switch (aim) {
    case LearnerAim::kOptimum:
      return "optimum";
    case LearnerAim::kNear:
      return "near";
    case LearnerAim::kRounds:
      return "rounds";
    case LearnerAim::kOther:
      break;
  }
  return "works";
}

std::string heading(std::string_view first, const std::vector<std::string>& columns) {
  std::string text = fmt::format("| {} |", first), line = "|---|";
  for (const std::string& column : columns) {
    text += fmt::format(" {} |", column);
    line += "---|";
  }
  return text + "\n" + line + "\n";
}

constexpr const char* kPreface =
    R"(# Learners and structures

This page says which learner trains which structure on the margin problem (structured SVM). The test
`tests/fit/learner_table.cc` runs every learner on a small problem of every structure, makes this page
of the results, and fails if they differ. To write the page again, run the test program `fit_test`
with `TRELLIS_WRITE_DOCS=1` and `--gtest_filter='LearnerTable.*'`.

* **optimum**: reaches the optimum of the reference QP to any gap. The gap it reports is a proof.
* **near**: minimises the same objective slowly. The gap it reports is a proof, and falls below
  NEAR % on these problems.
* **rounds**: treats each visit to an example as a new round with the same loss and does not reach
  the optimum of all examples. The gap it reports is a proof: below ROUNDS % on these problems, and
  less than after one epoch.
* **works**: minimises something else: the perceptron has no penalty, L-BFGS requires a smooth loss.
* **no**: for the reason below the table.

`extragradient --steps examples` is block-coordinate dual ascent, one example at a time. It is the
default of `--learner extragradient` if there is a penalty and if outputs have nearest points.
`--steps governed` is the dual extragradient method, which moves all examples at once.

Columns of the table:

* chain, tree: with tables of their own at each position, node and edge (parts are indicators);
* dependency tree: one candidate arc for each word; projective tree: no crossing arcs;
* packed forest: charts of a grammar with chains (parts are nodes and edges);
* cut: edge weights must stay non-negative;
* matching: partial matchings; permutation: perfect ones;
* fertility: matchings whose nodes may have several links, with penalties whose weights must stay
  non-negative;
* pairwise: sets of labels that attract each other;
* quadratic: matchings with pairs of edges that reward each other, exactly or by their linear program
  (relaxed).

)";

std::string preface() {
  std::string text = kPreface;
  const auto put = [&](std::string_view place, double gap) {
    text.replace(text.find(place), place.size(), fmt::format("{:g}", 100 * gap));
  };
  put("NEAR", kNearGap);
  put("ROUNDS", kRoundsGap);
  return text;
}

// A text in lines of at most 100 characters; those after the first are indented, as in a list.
std::string list_item(std::string_view text) {
  std::string lines;
  std::size_t width = 0;
  while (!text.empty()) {
    const std::size_t word = std::min(text.find(' '), text.size());
    if (width > 0 && width + 1 + word > 100) {
      lines += "\n   ";
      width = 3;
    } else if (width > 0) {
      lines += " ";
      ++width;
    }
    lines += text.substr(0, word);
    width += word;
    text.remove_prefix(std::min(word + 1, text.size()));
  }
  return lines;
}

constexpr const char* kTaskPreface = R"(
The next table has the loss that each learner minimises by default in each task. For `label` it
depends on `--method` (`bundle` by default) and on `--pairwise`. The last row is the hinge with
rescaled slacks (Tsochantaridis et al. 2004), which needs the output with the largest product of cost
and missing margin. `tag`, `classify` and `label` find it exactly. The other tasks search for it, may
miss it, and certify from upper bounds. The row has the default learner of `--rescale slack`, or the
reason why it is refused:

)";

}  // namespace

std::vector<LearnerVariant> learner_variants() {
  using enum LearnerAim;
  std::vector<LearnerVariant> all;
  const auto add = [&](const char* name, LearnerAim aim, LearnerKind learner,
                       const char* loss = "svm") -> LearnerOptions& {
    return all.emplace_back(variant(name, aim, learner, loss)).said;
  };
  add("`perceptron`", kOther, kPerceptron, "perceptron");
  add("`mira`", kRounds, kMira);
  LearnerOptions& sgd = add("`sgd`", kNear, kSgd);
  sgd.epochs = 2000;
  sgd.eta = 2;  // near 1/(λn), where its schedule is that of strong convexity
  sgd.average = true;
  add("`dca`, online", kRounds, kDca).dual = "online";
  LearnerOptions& stored = add("`dca`, stored dual", kOptimum, kDca);
  stored.dual = "stored";
  stored.epochs = 30000;
  add("`lbfgs`", kOther, kLbfgs, "softmax-margin");
  add("`bmrm`", kOptimum, kBmrm);
  LearnerOptions& bcfw = add("`bcfw`", kOptimum, kBcfw);
  bcfw.certify = true;
  bcfw.epochs = 5000;
  for (const char* steps : {"examples", "governed"}) {
    for (const char* geometry : {"euclidean", "entropic"}) {
      const std::string name = fmt::format("`extragradient --steps {}`, {}", steps, geometry);
      LearnerOptions& said = add(name.c_str(), kOptimum, kExtragradient);
      said.steps = steps;
      said.geometry = geometry;
      said.epochs = 5000;
    }
  }
  add("`projected-gradient`", kNear, kProjectedGradient).epochs = 3000;
  add("`smo`", kOptimum, kSmo);
  add("`structured-smo`", kOptimum, kStructuredSmo).epochs = 2000;
  add("`qp`", kOptimum, kQp);
  return all;
}

LearnerTable try_all_learners() {
  LearnerTable table;
  for (const LearnerVariant& learner : learner_variants()) table.rows.push_back({learner, {}});
  for (const auto& problem : fits_of_all_structures()) {
    table.structures.push_back(problem->name());
    for (LearnerRow& row : table.rows) row.cells.push_back(attempt(*problem, row.learner.said));
    const LearnerCell& qp = table.rows.back().cells.back();
    table.reference.push_back(qp.works ? qp : attempt(*problem, precise_bundle()));
  }
  return table;
}

std::string describe_tasks(std::span<const TaskRow> tasks, std::vector<std::string>& reasons) {
  std::vector<std::string> names;
  for (const TaskRow& row : tasks) names.push_back(fmt::format("`{}`", row.task));
  std::string text = heading("learner", names);
  for (const LearnerKind learner : LearnerSet::all().list()) {
    text += fmt::format("| `{}` |", to_string(learner));
    for (const TaskRow& row : tasks) {
      LearnerOptions said;
      said.learner = learner;
      try {
        text += fmt::format(" {} |", row.choose(said).loss.description());
      } catch (const UsageError& error) {
        text += fmt::format(" {} |", refused(bare(error.what(), learner), reasons));
      }
    }
    text += "\n";
  }
  text += "| `--rescale slack` |";
  for (const TaskRow& row : tasks) {
    LearnerOptions said;
    said.rescale = "slack";
    try {
      text += fmt::format(" {} |", to_string(row.choose(said).learner));
    } catch (const UsageError& error) {
      text += fmt::format(" {} |", refused(bare(error.what(), kBcfw), reasons));
    }
  }
  return text + "\n";
}

std::string describe(const LearnerTable& table, std::span<const TaskRow> tasks) {
  std::vector<std::string> reasons;
  std::string page = preface() + heading("learner", table.structures);
  for (const LearnerRow& row : table.rows) {
    page += fmt::format("| {} |", row.learner.name);
    for (const LearnerCell& cell : row.cells) {
      page += fmt::format(" {} |", cell_text(cell, row.learner.aim, reasons));
    }
    page += "\n";
  }
  if (!tasks.empty()) page += kTaskPreface + describe_tasks(tasks, reasons);
  page += "\n";
  for (Index k = 0; k < reasons.size(); ++k) {
    page += list_item(fmt::format("{}. {}", k + 1, reasons[k])) + "\n";
  }
  return page;
}

}  // namespace trellis::testing
