// Reader of multi-label data sets in three public formats: ARFF of Weka with the XML file of Mulan
// (Tsoumakas et al. 2011), ARFF of MEKA (Read et al. 2016), and the multi-label form of LIBSVM
// (Chang & Lin 2011). Files are plain, gzip or zstd; the first bytes show which.
//
//   ARFF + Mulan XML  numeric and nominal attributes, dense or sparse rows (see arff.cc); the XML
//                     file names the attributes that are labels (nested labels are flattened; see
//                     mulan_xml.cc). `?` (missing) is 0 for features and an error for labels.
//   MEKA's ARFF       without an XML file: `@relation 'name: -C 6'` says that the first 6
//                     attributes are labels, `-C -6` the last.
//   LIBSVM            `1,5,7 index:value …`: labels first, separated by commas; none at all is fine
//                     (see libsvm.cc).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/formats/sets/label_data.h"

namespace trellis::label {

struct ReadOptions {
  // The labels: of the XML file or of a model, distinct. Empty: the file is MEKA's, which names
  // them, or LIBSVM's, and the labels are those that occur in it, numbers in their order before
  // other names.
  std::vector<std::string> label_names;
  // false: a file without labels, or without instances, is fine (predict).
  bool labels_required = true;
  // LIBSVM: labels that are not among label_names are put behind them; false: they are errors.
  bool add_labels = false;
};

// The labels of a Mulan XML file, in its order, nested ones after the label that they stand in.
// Throws InputError with the line; a name that is empty or occurs twice is an error, as is no
// label.
std::vector<std::string> read_label_names(const std::string& xml_path);
std::vector<std::string> parse_mulan_xml(std::string_view xml, const std::string& file);
// The XML file that lies beside NAME.arff (.gz, .zst) and is called NAME.xml, or so without "train"
// or "test" at the end of the name. Empty where there is none, or more than one.
std::string labels_beside(const std::string& arff_path);

// All instances of a file. Throws InputError with file and line.
LabelData read_label_data(const std::string& path, const ReadOptions& options);
LabelData read_label_data(InputFile file, const ReadOptions& options);

struct Feature {
  std::uint32_t id = 0;  // the column, or, where the file does not declare them, the index
  float value = 0;
};

struct Instance {
  Index number = 0;                   // in the file, from 1
  bool sparse = false;                // written by its non-zeros
  std::vector<Feature> features;      // ascending
  std::vector<std::uint32_t> labels;  // ascending
};

// The instances of a file, one at a time and in constant memory.
class InstanceReader {
 public:
  virtual ~InstanceReader() = default;
  // The next instance, or false at the end. Throws InputError with file and line.
  virtual bool read(Instance& instance) = 0;

  const std::string& file() const { return file_.name(); }
  Index line_number() const { return file_.line_number(); }
  // Whether the file lists its features (ARFF); else only those are known that occur (LIBSVM).
  bool declares_features() const { return declares_features_; }
  const std::vector<std::string>& feature_names() const { return feature_names_; }  // declared
  bool dense() const { return dense_; }                          // rows are worth storing so
  const std::string& recognised() const { return recognised_; }  // as in LabelData
  // The labels so far: those of the options, then new ones as they came.
  const std::vector<std::string>& label_names() const { return label_names_; }

 protected:
  InstanceReader(InputFile file, std::vector<std::string> label_names)
      : file_(std::move(file)), label_names_(std::move(label_names)) {}
  void begin(Instance& instance) {
    instance.number = ++number_;
    instance.features.clear();
    instance.labels.clear();
  }

  InputFile file_;
  std::vector<std::string> label_names_;
  std::vector<std::string> feature_names_;
  bool declares_features_ = false;
  bool dense_ = false;
  std::string recognised_;

 private:
  Index number_ = 0;
};

// ARFF where the file begins like one, else LIBSVM. Throws InputError; UsageError for names that
// are not distinct.
std::unique_ptr<InstanceReader> open_instances(InputFile file, const ReadOptions& options);
// Of one format. `first_line` was just read from `file`; empty: the file is at its end (LIBSVM).
std::unique_ptr<InstanceReader> open_arff_instances(InputFile file, std::string_view first_line,
                                                    const ReadOptions& options);
std::unique_ptr<InstanceReader> open_libsvm_instances(InputFile file, std::string_view first_line,
                                                      const ReadOptions& options);
// Whether a line that is not blank begins an ARFF file: with @relation, @attribute, @data or %.
bool begins_arff(std::string_view line);

}  // namespace trellis::label
