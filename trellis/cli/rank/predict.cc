// `trellis rank predict`
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/output_file.h"
#include "trellis/cli/command_options.h"
#include "trellis/cli/rank/commands.h"
#include "trellis/tasks/rank/query_reader.h"
#include "trellis/tasks/rank/rank_model.h"

namespace trellis::cli {
namespace {

// Queries that are read, scored in parallel and written at a time.
constexpr Index kBatch = 512;

struct RankPredictCall {
  CommonOptions common;
  std::string file = "-";
  std::string model;
  std::string output;
  bool scores = false;
  bool sorted = false;
};

class RankPrinter {
 public:
  explicit RankPrinter(const RankPredictCall& call) : call_(call), out_(call.output) {}

  void write(const rank::Query& query, const std::vector<double>& scores) {
    if (call_.scores) return write_scores(scores);
    const std::vector<Index> order = rank::ranking(scores);
    std::vector<Index> place(order.size());
    for (Index j = 0; j < order.size(); ++j) place[order[j]] = j;
    if (call_.common.json) return write_json(query, scores, order);
    std::string text;
    for (Index k = 0; k < order.size(); ++k) {
      const Index d = call_.sorted ? order[k] : k;
      text +=
          fmt::format("{}\t{}\t{:.9g}\t{}\n", query.id, place[d] + 1, scores[d], query.notes[d]);
    }
    out_.write(text);
  }

  void commit() { out_.commit(); }

 private:
  void write_scores(const std::vector<double>& scores) {
    std::string text;
    for (const double score : scores) text += fmt::format("{:.9g}\n", score);
    out_.write(text);
  }

  // An object for each query, its documents by rank.
  void write_json(const rank::Query& query, const std::vector<double>& scores,
                  const std::vector<Index>& order) {
    nlohmann::json json;
    json["qid"] = query.id;
    json["ranking"] = nlohmann::json::array();
    for (const Index d : order) {
      json["ranking"].push_back(
          {{"line", query.lines[d]}, {"score", scores[d]}, {"note", query.notes[d]}});
    }
    out_.write(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  }

  const RankPredictCall& call_;
  OutputFile out_;
};

int run(const RankPredictCall& call) {
  const auto model = rank::RankModel::load(call.model);
  rank::QueryReader reader(InputFile(call.file), false);
  RankPrinter printer(call);
  std::vector<rank::Query> batch;
  bool more = true;
  while (more) {
    batch.clear();
    rank::Query query;
    while (batch.size() < kBatch && (more = reader.read(query))) batch.push_back(query);
    const auto scores =
        rank::score_queries(model.features(), model.weights(), batch, call.common.threads);
    for (Index q = 0; q < batch.size(); ++q) printer.write(batch[q], scores[q]);
  }
  printer.commit();
  return 0;
}

}  // namespace

void add_rank_predict(CLI::App& rank, int& status) {
  auto call = std::make_shared<RankPredictCall>();
  CLI::App* app = rank.add_subcommand(
      "predict",
      "A line for each document, in the order of the file: its query, its rank, its score and its "
      "note, with tabs between. Scores compare documents of one query alone.\n\n"
      "  trellis rank predict test.txt --model m.trellis --sorted");
  app->add_option("file", call->file,
                  "Documents, with or without grades; '-' or nothing: standard input");
  app->add_option("--model", call->model, "The model")->required();
  app->add_option("--output", call->output, "Where to write; '-' or nothing: standard output");
  app->add_flag("--scores", call->scores, "The score alone on each line (for LETOR's scripts)");
  app->add_flag("--sorted", call->sorted, "The documents of each query by rank");
  add_common_options(*app, call->common);
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
