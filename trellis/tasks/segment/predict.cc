#include "trellis/tasks/segment/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "trellis/base/error.h"
#include "trellis/base/output_file.h"
#include "trellis/base/pipeline.h"
#include "trellis/base/text.h"
#include "trellis/formats/graphs/labelled_graph_file.h"
#include "trellis/formats/images/image_file.h"
#include "trellis/formats/prediction_lines.h"
#include "trellis/tasks/segment/overlay.h"
#include "trellis/tasks/segment/segmenter.h"

namespace trellis::segment {
namespace {

namespace fs = std::filesystem;

void make_directory(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw InputError(path, 0, "cannot create the directory: " + error.message());
}

void require_masks_stay(std::span<const PictureFile> files, const fs::path& directory) {
  for (const PictureFile& file : files) {
    std::error_code none;
    const fs::path mask = directory / (file.name + ".mask.png");
    if (file.mask.empty() || !fs::equivalent(mask, file.mask, none)) continue;
    throw UsageError(fmt::format(
        "the prediction would replace the mask {}: choose another output directory", file.mask));
  }
}

Index predict_pictures(const SegmentModel& model, const PredictOptions& options) {
  if (options.output.empty()) {
    throw UsageError("pictures require --output DIRECTORY for their masks");
  }
  const std::vector<PictureFile> files = list_pictures(options.input.files, false);
  make_directory(options.output);
  const fs::path directory(options.output);
  require_masks_stay(files, directory);
  struct Bytes {
    std::string mask;
    std::string overlay;
  };
  std::vector<Bytes> slots(static_cast<Index>(resolve_threads(options.threads)));
  segment_pictures(
      model, files, false, options.threads,
      [&](Index, Index slot, const Picture& picture, const image::Mask& found) {
        slots[slot].mask = image::encode_png(found);
        if (options.overlay) {
          slots[slot].overlay = image::encode_png(overlay(picture.raster, found));
        }
      },
      [&](Index i, Index slot) {
        const std::string stem = (directory / files[i].name).string();
        image::write_png(stem + ".mask.png", slots[slot].mask);
        if (options.overlay) image::write_png(stem + ".overlay.png", slots[slot].overlay);
      });
  return files.size();
}

Index predict_graphs(const SegmentModel& model, const PredictOptions& options) {
  if (options.overlay) throw UsageError("--overlay requires pictures");
  OutputFile output(options.output);
  Index count = 0;
  segment_graphs(model, options.input, options.threads,
                 [&](const SegmentExample& graph, std::span<const std::uint8_t> labels) {
                   std::string text = fmt::format("graph {} {}\n", graph.name, graph.num_nodes);
                   for (const std::uint8_t label : labels) text += label != 0 ? "1\n" : "0\n";
                   output.write(text);
                   output.flush();
                   ++count;
                 });
  output.commit();
  return count;
}

// The pictures to show: evenly spread over the ranking from worst to best.
std::vector<Index> pictures_to_show(const SegmentScores& scores, Index max_pictures) {
  std::vector<Index> order(scores.images().size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return scores.images()[a].counts.iou() < scores.images()[b].counts.iou();
  });
  if (order.size() <= max_pictures) return order;
  std::vector<Index> shown;
  for (Index k = 0; k < max_pictures; ++k) {
    shown.push_back(order[max_pictures == 1 ? 0 : k * (order.size() - 1) / (max_pictures - 1)]);
  }
  return shown;
}

// Calls found(picture, worker) for each picture, several in parallel; then `work` and `finish` as
// in segment_pictures().
template <class Find>
void each_picture(std::span<const PictureFile> files, bool labelled, int threads, const Find& found,
                  const PictureWork& work, const PictureFinish& finish) {
  Pipeline<Index> pipeline(static_cast<Index>(resolve_threads(threads)), threads);
  Index next = 0;
  pipeline.run(
      [&](Index& i) {
        i = next;
        return next++ < files.size();
      },
      [&](Index i, Index slot, int worker) {
        PictureFile file = files[i];
        if (!labelled) file.mask.clear();
        const Picture picture = read_picture(file);
        work(i, slot, picture, found(picture, static_cast<Index>(worker)));
      },
      [&](Index i, Index slot) {
        if (finish) finish(i, slot);
      });
}

// Evaluates masks: each(files, work) computes those of the given pictures.
template <class Each>
Evaluation evaluate_pictures(const SegmentInput& input, Index max_pictures, const Each& each) {
  Evaluation evaluation;
  const std::vector<PictureFile> files = list_pictures(input.files, true);
  std::vector<SegmentCounts> counts(files.size());
  each(files, [&](Index i, Index, const Picture& picture, const image::Mask& found) {
    counts[i] = compare(picture.mask.labels, found.labels);
  });
  for (Index i = 0; i < files.size(); ++i) evaluation.scores.add(files[i].name, counts[i]);
  std::vector<PictureFile> shown;
  for (const Index i : pictures_to_show(evaluation.scores, max_pictures)) {
    shown.push_back(files[i]);
    evaluation.pictures.push_back({files[i].name, counts[i].pixel_error(), counts[i].iou(), ""});
  }
  each(shown, [&](Index k, Index, const Picture& picture, const image::Mask& found) {
    evaluation.pictures[k].png = image::encode_png(overlay(picture.raster, found, picture.mask));
  });
  return evaluation;
}

// Reads the labels of a graph, as written by predict(): "graph NAME NODES", and one label per line.
void read_labels(PredictionLines& lines, const LabelledGraph& graph, const std::string& file,
                 std::vector<std::uint8_t>& labels) {
  const std::string head = fmt::format("graph {} {}", graph.name, graph.num_nodes);
  const std::string what = fmt::format("'{}', a graph of {}", head, file);
  if (trim(lines.need(what)) != head) lines.refuse(fmt::format("expected {}", what));
  labels.clear();
  for (Index j = 0; j < graph.num_nodes; ++j) {
    const std::string_view label =
        trim(lines.need(fmt::format("the label of node {} of '{}'", j, graph.name)));
    if (label != "0" && label != "1") lines.refuse("expected a label, 0 or 1, found", label);
    labels.push_back(label == "1" ? 1 : 0);
  }
}

Evaluation judge_graphs(const SegmentInput& input, const std::string& predictions) {
  // Nothing is cut here, so graphs need not be connected.
  GraphReader reader({true, true});
  PredictionLines lines{InputFile(predictions)};
  Evaluation evaluation;
  std::vector<std::uint8_t> labels;
  LabelledGraph graph;
  for (const std::string& file : input.files) {
    reader.open(InputFile(file));
    while (reader.read(graph)) {
      read_labels(lines, graph, file, labels);
      evaluation.scores.add(graph.name, compare(graph.labels, labels));
    }
  }
  lines.require_end("graphs");
  return evaluation;
}

image::Mask read_found_mask(const fs::path& directory, const Picture& picture) {
  const std::string path = (directory / (picture.name + ".mask.png")).string();
  image::Mask mask = image::read_mask(path);
  if (mask.width != picture.mask.width || mask.height != picture.mask.height) {
    throw InputError(path, 0,
                     fmt::format("expected a mask of {} x {} pixels, as its picture has, found {} "
                                 "x {}",
                                 picture.mask.width, picture.mask.height, mask.width, mask.height));
  }
  return mask;
}

}  // namespace

void require_input_kind(const SegmentModel& model, const SegmentInput& input) {
  if (model.features().pictures() && input.graphs) {
    throw UsageError("the model was trained on pictures: it cannot be used with graphs (--graph)");
  }
  if (!model.features().pictures() && !input.graphs) {
    throw UsageError("the model was trained on graphs: graph files and --graph are required");
  }
}

void segment_pictures(const SegmentModel& model, std::span<const PictureFile> files, bool labelled,
                      int threads, const PictureWork& work, const PictureFinish& finish) {
  const Segmenter segmenter(model.features(), model.weights());
  std::vector<Segmenter::Scratch> scratch(static_cast<Index>(resolve_threads(threads)));
  each_picture(
      files, labelled, threads,
      [&](const Picture& picture, Index worker) {
        return segmenter.segment(picture.raster, scratch[worker]);
      },
      work, finish);
}

void segment_graphs(const SegmentModel& model, const SegmentInput& input, int threads,
                    const GraphFound& finish) {
  const SegmentFeatures& features = model.features();
  const Segmenter segmenter(features, model.weights());
  GraphReader reader({input.labelled, input.allow_disconnected || features.unary()});
  const bool piped = std::find(input.files.begin(), input.files.end(), "-") != input.files.end();
  Pipeline<SegmentExample> pipeline(
      piped ? Pipeline<SegmentExample>::kAtOnce : static_cast<Index>(resolve_threads(threads)),
      threads);
  std::vector<Segmenter::Scratch> scratch(static_cast<Index>(pipeline.num_workers()));
  std::vector<std::vector<std::uint8_t>> labels(pipeline.batch_size());
  Index next = 0;
  const auto read = [&](SegmentExample& graph) {
    while (next == 0 || !reader.read(graph)) {
      if (next == input.files.size()) return false;
      reader.open(InputFile(input.files[next++]));
    }
    features.prepare(graph, reader.file());
    return true;
  };
  pipeline.run(
      read,
      [&](const SegmentExample& graph, Index slot, int worker) {
        segmenter.segment(graph, CutNetwork(graph.num_nodes, graph.edges),
                          scratch[static_cast<Index>(worker)], labels[slot]);
      },
      [&](const SegmentExample& graph, Index slot) { finish(graph, labels[slot]); });
}

Index predict(const SegmentModel& model, const PredictOptions& options) {
  require_input_kind(model, options.input);
  return options.input.graphs ? predict_graphs(model, options) : predict_pictures(model, options);
}

Evaluation evaluate_files(const SegmentModel& model, const SegmentInput& input, int threads,
                          Index max_pictures) {
  require_input_kind(model, input);
  if (input.graphs) {
    Evaluation evaluation;
    segment_graphs(model, input, threads,
                   [&](const SegmentExample& graph, std::span<const std::uint8_t> found) {
                     evaluation.scores.add(graph.name, compare(graph.labels, found));
                   });
    return evaluation;
  }
  return evaluate_pictures(input, max_pictures, [&](const auto& files, const PictureWork& work) {
    segment_pictures(model, files, true, threads, work);
  });
}

Evaluation judge_files(const SegmentInput& input, const std::string& predictions, int threads,
                       Index max_pictures) {
  if (input.graphs) return judge_graphs(input, predictions);
  const fs::path directory(predictions);
  std::error_code unknown;
  if (!fs::is_directory(directory, unknown)) {
    throw InputError(predictions, 0,
                     "expected a directory with a mask NAME.mask.png for each "
                     "picture");
  }
  return evaluate_pictures(input, max_pictures, [&](const auto& files, const PictureWork& work) {
    each_picture(files, true, threads,
                 [&](const Picture& picture, Index) { return read_found_mask(directory, picture); },
                 work, {});
  });
}

}  // namespace trellis::segment
