// The instances of a file, one at a time and in constant memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"

namespace trellis::label {

struct ReadOptions {
  // The labels: of the XML file or of a model, distinct. Empty: the file is LIBSVM's, and the
  // labels are those that occur in it, numbers in their order before other names.
  std::vector<std::string> label_names;
  // false: a file without labels, or without instances, is fine (predict).
  bool labels_required = true;
  // LIBSVM: labels that are not among label_names are put behind them; false: they are errors.
  bool add_labels = false;
};

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

class InstanceReader {
 public:
  virtual ~InstanceReader() = default;
  // The next instance, or false at the end. Throws InputError with file and line.
  virtual bool read(Instance& instance) = 0;
  virtual const std::string& file() const = 0;
  virtual Index line_number() const = 0;
  // Whether the file lists its features (ARFF); else only those are known that occur (LIBSVM).
  virtual bool declares_features() const = 0;
  virtual const std::vector<std::string>& feature_names() const = 0;  // those declared
  virtual bool dense() const = 0;                                     // rows are worth storing so
  // The labels so far: those of the options, then new ones as they came.
  virtual const std::vector<std::string>& label_names() const = 0;
};

// ARFF where the file begins like one, else LIBSVM. Throws InputError; UsageError for names that
// are not distinct.
std::unique_ptr<InstanceReader> open_instances(InputFile file, const ReadOptions& options);
// `first_line` was just read from `file`; empty: the file is at its end (LIBSVM).
std::unique_ptr<InstanceReader> open_arff_instances(InputFile file, std::string_view first_line,
                                                    const ReadOptions& options);
std::unique_ptr<InstanceReader> open_libsvm_instances(InputFile file, std::string_view first_line,
                                                      const ReadOptions& options);

}  // namespace trellis::label
