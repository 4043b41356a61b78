// LIBSVM's format with any number of labels: `1,5,7 3:0.5 9:1`, `sports,news 3:0.5`, `3:0.5`.
//
// Labels are separated by commas, each once; numbers that are whole are the same label however they
// are written (see data/libsvm_fields.h). Features are known by their index: one of four milliards
// costs no more than one of four. A line of nothing is refused unless nothing follows; an instance
// without labels and without features is written `0:0`.

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/data/libsvm_fields.h"
#include "trellis/formats/sets/label_data.h"
#include "trellis/formats/sets/label_reader.h"

namespace trellis::label {
namespace {

class LibsvmInstances : public InstanceReader {
 public:
  LibsvmInstances(InputFile file, std::string_view first_line, const ReadOptions& options)
      : InstanceReader(std::move(file), options.label_names),
        first_line_(first_line),
        fixed_(!options.label_names.empty() && !options.add_labels) {
    for (Index v = 0; v < label_names_.size(); ++v) {
      label_ids_.emplace(label_names_[v], static_cast<std::uint32_t>(v));
    }
    // Numbers of the list may be written in another form than here; a name itself goes first.
    for (Index v = 0; v < label_names_.size(); ++v) {
      label_ids_.emplace(canonical_label(label_names_[v]), static_cast<std::uint32_t>(v));
    }
  }

  bool read(Instance& instance) override {
    std::string_view line = std::exchange(first_line_, {});
    while (!line.empty() || file_.read_line(line)) {
      if (trim(line).empty()) {
        if (empty_ == 0) empty_ = file_.line_number();
        line = {};
        continue;
      }
      if (empty_ > 0) {
        throw InputError(file_.name(), empty_,
                         "expected labels and index:value, found an empty line (write 0:0 for an "
                         "instance without labels and features)");
      }
      if (read_line(line, instance)) return true;
      line = {};
    }
    return false;
  }

 private:
  // False: there is a comment, and nothing else.
  bool read_line(std::string_view line, Instance& instance) {
    LibsvmFields fields(line, file_.name(), file_.line_number());
    std::string_view field;
    if (!fields.next(field)) return false;
    begin(instance);
    instance.sparse = true;
    values_.clear();
    bool more = true;
    if (!begins_with_index(field)) {
      read_labels(fields, field, instance.labels);
      more = fields.next(field);
    }
    if (more) parse_indexed_values(fields, field, values_);
    for (const IndexedValue& value : values_) {
      instance.features.push_back({value.index, value.value});
    }
    return true;
  }

  void read_labels(const LibsvmFields& fields, std::string_view field,
                   std::vector<std::uint32_t>& labels) {
    if (field.starts_with("qid:")) fields.refuse("expected labels first, found", field);
    split(field, ',', names_);
    for (const std::string_view name : names_) {
      if (name.empty()) fields.refuse("expected labels separated by commas, found", field);
      if (begins_with_index(name)) {
        fields.refuse("expected blanks between labels and index:value, found", field);
      }
      labels.push_back(label_id(fields, name));
    }
    std::sort(labels.begin(), labels.end());
    const auto twice = std::adjacent_find(labels.begin(), labels.end());
    if (twice != labels.end()) {
      fields.refuse("expected each label once, found twice:", label_names_[*twice]);
    }
  }

  std::uint32_t label_id(const LibsvmFields& fields, std::string_view text) {
    std::string name(text);
    auto found = label_ids_.find(name);
    if (found == label_ids_.end()) {
      name = canonical_label(text);
      found = label_ids_.find(name);
    }
    if (found != label_ids_.end()) return found->second;
    if (fixed_) fields.refuse("expected a label of the list, found", text);
    if (const auto fault = label_name_fault(name)) fields.refuse(*fault, text);
    const auto id = static_cast<std::uint32_t>(label_names_.size());
    label_names_.push_back(name);
    label_ids_.emplace(std::move(name), id);
    return id;
  }

  std::string_view first_line_;
  bool fixed_;  // no labels but those of the list
  std::unordered_map<std::string, std::uint32_t> label_ids_;
  Index empty_ = 0;  // the first line of nothing behind the last instance
  std::vector<std::string_view> names_;
  std::vector<IndexedValue> values_;
};

}  // namespace

std::unique_ptr<InstanceReader> open_libsvm_instances(InputFile file, std::string_view first_line,
                                                      const ReadOptions& options) {
  return std::make_unique<LibsvmInstances>(std::move(file), first_line, options);
}

}  // namespace trellis::label
